"""Snippets and highlights, and results exported to other formats."""
