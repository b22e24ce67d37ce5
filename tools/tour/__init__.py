"""A walk through every screen of the program, with a picture of each."""
