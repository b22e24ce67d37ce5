"""Filters, and the number of documents that match each."""
