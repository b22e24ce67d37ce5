"""The engine of Winnow: reads, indexes and searches documents; independent of the window."""

__version__ = "0.1.0"

# The application ID for desktops, buses, stores and packages; prefix of its own names.
APP_ID = "io.github.winnow_search.Winnow"
