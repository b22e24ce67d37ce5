"""Screenshots of every screen of the program."""
