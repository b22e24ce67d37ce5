"""What the service is doing at the moment, and whether it has been idle long enough to restart."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import threading
import time
from collections.abc import Iterator
from typing import Final

_MOST_CONNECTIONS: Final = 64
# While work is under way, its end is checked for this often at least.
_LONGEST_CHECK_S: Final = 60.0


class Activity:
    """Counts the service's connections and work; thread-safe.

    Args:
        idle_s: the time without work after which the service is idle.
    """

    def __init__(self, idle_s: float) -> None:
        self._idle_s = idle_s
        self._changed = threading.Condition()
        self._connections = 0
        self._holders: set[socket.socket] = set()
        self._running = 0
        self._answered = 0
        self._is_closed = False
        # Whether memory could be freed by a restart.
        self._has_memory = False
        self._used_s = time.monotonic()

    @property
    def answered(self) -> int:
        """The number of requests that were answered, or are being answered."""
        with self._changed:
            return self._answered

    @property
    def holders(self) -> tuple[socket.socket, ...]:
        """The connections that pause changes to the library."""
        with self._changed:
            return tuple(self._holders)

    def add_connection(self, *, is_forced: bool = False) -> bool:
        """Count a connection; returns False, and does not count it, if there are too many."""
        with self._changed:
            is_accepted = is_forced or self._connections < _MOST_CONNECTIONS
            self._connections += is_accepted
            return is_accepted

    def remove_connection(self) -> None:
        with self._changed:
            self._connections -= 1

    @contextlib.contextmanager
    def holding(self, connection: socket.socket) -> Iterator[None]:
        """Count a connection as one that pauses changes; it does not keep the service from idling.

        A restart passes it on.
        """
        with self._changed:
            self._holders.add(connection)
        try:
            yield
        finally:
            with self._changed:
                self._holders.discard(connection)

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Count a block as work on the library, which stays open meanwhile.

        Raises:
            BrokenPipeError: the service is about to end.
        """
        with self._changed:
            if self._is_closed:
                raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
            self._answered += 1
            self._running += 1
            self._has_memory = True
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._used_s = time.monotonic()
                self._changed.notify_all()

    def note_use(self, *, has_memory: bool = False) -> None:
        """Restart the idle time.

        Args:
            has_memory: whether memory was allocated that a restart would free.
        """
        with self._changed:
            self._has_memory |= has_memory
            self._used_s = time.monotonic()

    @property
    def until_idle_s(self) -> float | None:
        """Seconds until the service may be idle; None if a restart would free nothing."""
        with self._changed:
            if not self._has_memory:
                return None
            left_s = self._used_s + self._idle_s - time.monotonic()
        return left_s if left_s > 0 else min(self._idle_s, _LONGEST_CHECK_S)

    @property
    def is_idle(self) -> bool:
        """Whether a restart would free memory, and no caller waits for a response."""
        with self._changed:
            is_long = time.monotonic() - self._used_s >= self._idle_s
            is_waited_for = self._connections > len(self._holders)
            return self._has_memory and is_long and not is_waited_for

    def close(self, timeout_s: float) -> None:
        """Refuse new work, and wait until the work under way has ended."""
        with self._changed:
            self._is_closed = True
            self._changed.wait_for(lambda: not self._running, timeout_s)
