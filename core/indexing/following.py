"""Following a library's folders: which syncs are due after changes, and when they may start."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import LibraryClosedError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from pathlib import Path

    from core.indexing.watching import Watcher

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DueSync:
    """A sync to be started.

    Attributes:
        changed: the paths to be synced; None for all folders.
    """

    changed: frozenset[Path] | None


class SyncSchedule:
    """Says which sync of a library is due, one at a time.

    No sync starts while the library is blocked, because something else is about to change it, or
    paused, because the person stopped the last sync. A sync that is interrupted by a block is due
    again after it.

    It has no threads and no lock: the window uses it on its main thread, the background service
    under its own lock.
    """

    def __init__(self) -> None:
        self._paths: set[Path] = set()
        self._is_whole_due = False
        self._blocks = 0
        self._is_paused = False
        self._is_running = False
        self._is_interrupted = False

    @property
    def is_running(self) -> bool:
        """Whether a sync was started and has not ended."""
        return self._is_running

    @property
    def paths(self) -> frozenset[Path]:
        """The changed paths that no sync has taken yet."""
        return frozenset(self._paths)

    @property
    def is_blocked(self) -> bool:
        return self._blocks > 0

    @property
    def is_paused(self) -> bool:
        return self._is_paused

    @property
    def is_due(self) -> bool:
        """Whether `start` would return a sync."""
        is_free = not (self._blocks or self._is_paused or self._is_running)
        return is_free and (self._is_whole_due or bool(self._paths))

    def note(self, changed: frozenset[Path] | None) -> None:
        """Note that paths have changed; None if any of the library's folders may have."""
        if changed is None:
            self._is_whole_due = True
        else:
            self._paths |= changed

    def start(self) -> DueSync | None:
        """Return the sync that is to be started now, which then runs; None if there is none."""
        if not self.is_due:
            return None
        due = DueSync(None if self._is_whole_due else self.paths)
        self._is_running = True
        self._is_whole_due = self._is_interrupted = False
        self._paths.clear()
        return due

    def end(self) -> bool:
        """End the running sync; returns whether a block interrupted it, so that it is due again."""
        is_interrupted, self._is_interrupted = self._is_interrupted, False
        self._is_running = False
        return is_interrupted

    def block(self) -> None:
        """Let no sync start until `unblock` was called as often; the caller cancels a running one.

        Blocks can be nested.
        """
        self._blocks += 1
        self._is_interrupted = self._is_running

    def unblock(self) -> None:
        """End a block; all folders are due then, unless the library is paused."""
        self._blocks -= 1
        self._is_whole_due = not self._is_paused

    def pause(self) -> None:
        """Let no sync start until `resume`; the caller cancels a running one."""
        self._is_paused = True
        self._is_whole_due = self._is_interrupted = False

    def resume(self) -> None:
        self._is_paused = False


def watch(
    open_watcher: Callable[[], Watcher],
    stop: threading.Event,
    note: Callable[[frozenset[Path] | None], object],
) -> None:
    """Note changes until stopped; to be run on a separate thread.

    If watching fails, changes are found by the next sync of all folders.

    Args:
        open_watcher: opens the watcher, on this thread.
        stop: set when nothing is to be noted any more.
        note: takes changed paths, as `SyncSchedule.note` does.
    """
    try:
        for changed in open_watcher().changes(stop):
            if stop.is_set():
                return
            note(changed)
    except Exception as error:  # noqa: BLE001 - the boundary of background work
        if isinstance(error, LibraryClosedError) and stop.is_set():
            return
        _log.error("Folders are no longer watched", exc_info=error)
