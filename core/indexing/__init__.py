"""Keeping the library in step with its folders: scan, compare, read, encode, publish."""
