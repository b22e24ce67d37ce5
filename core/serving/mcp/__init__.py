"""The server for the Model Context Protocol."""
