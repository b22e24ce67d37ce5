"""Unpacks containers, such as archives, and names the documents in them."""
