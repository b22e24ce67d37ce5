"""The keyboard shortcuts, and what the program is."""
