"""Models on disk: their folders, layouts and file formats."""
