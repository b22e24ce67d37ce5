"""What lies on pages: PDF, pictures, recognised text."""
