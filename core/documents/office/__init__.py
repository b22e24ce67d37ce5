"""Readers of text documents, presentations, spreadsheets and e-books, and of their packages."""
