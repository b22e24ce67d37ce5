"""What the papers describe and the program does otherwise, to be held against it."""
