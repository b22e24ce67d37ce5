"""The SQLite file that says what the library holds: folders, documents, passages, words."""
