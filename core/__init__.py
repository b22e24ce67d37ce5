"""The engine of Winnow: reads, indexes and searches documents; knows no window."""

__version__ = "0.1.0"

# The application's id for desktops, buses, shops and packages; its own names start with it.
APP_ID = "io.github.winnow_search.Winnow"
