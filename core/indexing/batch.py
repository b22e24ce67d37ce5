"""Changes to the catalog that are stored together, in the order in which they came up."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from typing import Final

from core.catalog.catalog import Catalog

Change = Callable[[sqlite3.Connection], object]

_STORE_S: Final = 0.5
_MOST_PASSAGES: Final = 2000
_MOST_CHANGES: Final = 5000


class Batch:
    """Changes that wait to be stored: for half a second, or until there are many of them.

    A transaction a document would make a disk the slowest part of all.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._changes: list[Change] = []
        self._waiting = 0
        self._stored_s = time.monotonic()
        self.passages = 0
        """How many have been added in all."""

    def add(self, change: Change, *, passages: int = 0) -> None:
        """Have a change stored that adds so many passages."""
        self._changes.append(change)
        self._waiting += passages
        self.passages += passages

    def store_if_due(self) -> None:
        """Store what waits, if it is time."""
        if (
            time.monotonic() - self._stored_s > _STORE_S
            or self._waiting > _MOST_PASSAGES
            or len(self._changes) > _MOST_CHANGES
        ):
            self.store()

    def store(self) -> None:
        """Store what waits in one transaction."""
        if self._changes:
            with self._catalog.transaction() as db:
                for change in self._changes:
                    change(db)
            self._changes = []
            self._waiting = 0
        self._stored_s = time.monotonic()
