"""From a file to pages of text with positions, and from pages to passages."""
