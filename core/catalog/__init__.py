"""The SQLite catalog of a library: folders, documents, passages, words."""
