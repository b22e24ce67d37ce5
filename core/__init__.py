"""The engine of Winnow: reads, indexes and searches documents; knows no window."""

__version__ = "0.1.0"

APP_ID = "io.github.winnow_search.Winnow"
"""What desktops, buses, shops and packages call the program; names of its own begin with it."""
