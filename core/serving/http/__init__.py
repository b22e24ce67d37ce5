"""The HTTP server."""
