"""What a person chooses once, and Winnow remembers."""
