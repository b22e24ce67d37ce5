"""Values computed from all passages of a library, refreshed when stale."""

import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from core.catalog import passages
from core.catalog.text import text_version
from core.progress import Job

V = TypeVar("V")

# While a library grows, computing takes at most a twentieth of the time,
_SHARE_OF_TIME: Final = 20
# unless it is as fast as this: then it is repeated for each new passage.
_AT_ONCE_S: Final = 0.05
# Passages of a library for which even background values are computed at once.
_SMALL_LIBRARY_PASSAGES: Final = 2000


@dataclass(frozen=True, slots=True)
class _Computed(Generic[V]):
    """A value, what it is of, the time of its computation, and the duration.

    `source` is the newest passage included, and the version of the words.
    """

    value: V
    source: tuple[int, int]
    computed_s: float
    took_s: float

    @property
    def may_be_refreshed(self) -> bool:
        """Whether to compute it again once there are new passages."""
        return self.took_s < _AT_ONCE_S or (
            time.monotonic() - self.computed_s > _SHARE_OF_TIME * self.took_s
        )


class CachedScan(Generic[V]):
    """A value computed from all passages, refreshed as the library grows; thread-safe.

    The first caller computes it. In background mode, only `learn` does if it takes long.
    """

    def __init__(self, compute: Callable[[sqlite3.Connection, Job], V]) -> None:
        """Cache the result of `compute`, which should check the job regularly."""
        self._compute = compute
        self._lock = threading.Lock()
        self._cached: _Computed[V] | None = None
        self._is_in_background = False

    def compute_in_background(self) -> None:
        """Make `current` return at once; another thread calls `learn`."""
        self._is_in_background = True

    def current(self, db: sqlite3.Connection) -> V | None:
        """Return the value; None if it has not been computed in the background yet."""
        cached = self._cached
        if self._is_in_background:
            is_quick = (
                passages.count(db) <= _SMALL_LIBRARY_PASSAGES
                if cached is None
                else cached.took_s < _AT_ONCE_S
            )
            if not is_quick:
                return None if cached is None else cached.value
        return self.learn(db)

    def learn(self, db: sqlite3.Connection, job: Job | None = None) -> V:
        """Return the value, computed now if it is missing or due.

        Raises:
            Cancelled: the job was cancelled.
        """
        with self._lock:
            cached = self._cached
            source = (passages.newest_id(db), text_version.folding(db))
            if cached is None or (source != cached.source and cached.may_be_refreshed):
                began_s = time.monotonic()
                value = self._compute(db, job or Job())
                now_s = time.monotonic()
                cached = self._cached = _Computed(value, source, now_s, now_s - began_s)
            return cached.value
