"""Filters, and how many documents each would leave."""
