"""Reference implementations of methods that the program implements differently."""
