"""The service in the background: one process that holds a library warm and in step."""
