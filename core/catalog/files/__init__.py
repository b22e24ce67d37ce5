"""Folders and files in the catalog."""
