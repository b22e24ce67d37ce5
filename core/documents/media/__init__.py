"""Photos, sound and film: what is said of them in their files, read in small parts."""
