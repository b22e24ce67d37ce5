"""Reading documents in an executor, and storing their text in the catalog."""
