"""The box, and what it finds."""
