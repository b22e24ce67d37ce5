"""The library: what can be asked of it, and what answers."""
