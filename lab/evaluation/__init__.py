"""Judged data sets and the measures taken on them."""
