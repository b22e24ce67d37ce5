"""The document that is being read."""
