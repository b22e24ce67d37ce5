"""The reader: one document shown as pages, as sheets or as text."""
