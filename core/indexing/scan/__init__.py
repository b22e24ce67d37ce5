"""Finding the files of folders, and what changed in them."""
