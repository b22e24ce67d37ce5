"""Controls shared by several parts of the window."""
