"""The engine of Winnow: reads, indexes and searches documents; knows no window."""

__version__ = "0.1.0"
