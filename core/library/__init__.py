"""The library: its interface, and the answering of requests."""
