"""The window of Winnow: the only code that knows Qt."""
