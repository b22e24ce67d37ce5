"""The folders, and how far reading them has come."""
