"""Which form of the catalog's tables this Winnow writes."""

from __future__ import annotations

from typing import Final

VERSION: Final = 15
"""One more for each step that `core.catalog.schema` gains; a catalog keeps its own in
`PRAGMA user_version`, and one with a higher one was written by a newer Winnow."""
