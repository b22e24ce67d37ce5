"""What is read of a whole library to search it, and how old that may be: one rule for all of it."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from core.catalog import passages
from core.progress import Job

V = TypeVar("V")

_SHARE_OF_TIME: Final = 20
"""Reading anew takes at most a twentieth of the time while a library grows."""
_AT_ONCE_S: Final = 0.05
"""What takes no longer is read anew whenever there are new passages."""
_FEW: Final = 2000
"""Passages that anybody waits for."""


@dataclass(frozen=True, slots=True)
class _Read(Generic[V]):
    """What was read, up to which passage, when that was done, and how long it took."""

    value: V
    newest: int
    read_s: float
    took_s: float

    @property
    def is_due(self) -> bool:
        """Whether it may be read anew, if there is anything new."""
        return self.took_s < _AT_ONCE_S or (
            time.monotonic() - self.read_s > _SHARE_OF_TIME * self.took_s
        )


class Reread(Generic[V]):
    """Something that is read of all passages; for any number of threads at once.

    Whoever asks first reads it, and whoever asks when it is due once the library has grown. Where
    it is `read_beside` only what takes no time is read so, and what takes longer by `learn`.
    """

    def __init__(self, read: Callable[[sqlite3.Connection, Job], V]) -> None:
        """Keep what `read` makes of a library; it looks at the job now and then."""
        self._make = read
        self._lock = threading.Lock()
        self._kept: _Read[V] | None = None
        self._is_read_beside = False

    def read_beside(self) -> None:
        """Have nobody wait from now on: somebody else calls `learn`."""
        self._is_read_beside = True

    def current(self, db: sqlite3.Connection) -> V | None:
        """Return it, as new as it has to be; None where it is to be read beside and was not yet."""
        kept = self._kept
        if self._is_read_beside:
            is_quick = passages.count(db) <= _FEW if kept is None else kept.took_s < _AT_ONCE_S
            if not is_quick:
                return None if kept is None else kept.value
        return self.learn(db)

    def learn(self, db: sqlite3.Connection, job: Job | None = None) -> V:
        """Return it, as new as it has to be; reads it where it is not there, or due.

        Raises:
            Cancelled: the job was cancelled.
        """
        with self._lock:
            kept, newest = self._kept, passages.newest_number(db)
            if kept is None or (newest != kept.newest and kept.is_due):
                began_s = time.monotonic()
                value = self._make(db, job or Job())
                now_s = time.monotonic()
                kept = self._kept = _Read(value, newest, now_s, now_s - began_s)
            return kept.value
