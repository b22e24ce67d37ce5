"""Formats with pages: PDF, pictures, and text recognition."""
