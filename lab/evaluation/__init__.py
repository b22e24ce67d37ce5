"""Judged data sets and measurements on them."""
