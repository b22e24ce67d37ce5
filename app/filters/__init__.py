"""The side bar: filters by folder, kind, date and author with document counts."""
