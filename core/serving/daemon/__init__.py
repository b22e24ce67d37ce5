"""The background service."""
