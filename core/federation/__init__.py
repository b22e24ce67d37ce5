"""Several libraries searched as one list."""
