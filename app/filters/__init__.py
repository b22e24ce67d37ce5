"""The side bar: filters by folder, kind, date, author and tag with document counts."""
