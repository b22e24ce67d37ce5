"""Texts, presentations, spreadsheets and e-books, old and new, and what they are packed in."""
