"""The side bar that narrows a search: folders, kinds, dates and authors, each with its count."""
