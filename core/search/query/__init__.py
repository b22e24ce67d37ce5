"""The query language: what a person types, parsed."""
