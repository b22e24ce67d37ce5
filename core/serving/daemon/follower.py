"""Keeps a library in sync with its folders while nothing else changes it."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from core.errors import Cancelled, LibraryBusyError
from core.indexing.scan.watching import DueSync, SyncSchedule, watch
from core.progress import Job, Progress, Stage

if TYPE_CHECKING:
    from pathlib import Path

    from core.library.library import Library

_log = logging.getLogger(__name__)

# The wait after a sync that failed, or that another program prevented.
_RETRY_S: Final = 30.0


class Follower:
    """Syncs a library at first, and after each change, on a separate thread.

    Args:
        library: open until `close` has returned.
        retry_s: the wait before a sync that failed is tried again.
        worked: called on the follower's thread after a sync that read or encoded documents, and
            may have left models in memory.
    """

    def __init__(
        self,
        library: Library,
        retry_s: float = _RETRY_S,
        worked: Callable[[], object] = lambda: None,
    ) -> None:
        self._library = library
        self._retry_s = retry_s
        self._worked = worked
        self._has_worked = False
        self._schedule = SyncSchedule()
        # Guards the schedule.
        self._changed = threading.Condition()
        self._is_closed = False
        self._job = Job()
        # Set to stop the watcher and the running sync.
        self._stop = threading.Event()
        self.is_in_step = False
        """Whether the last sync covered all folders successfully."""
        self.problem = ""
        """A sentence on why it did not."""
        self._thread = threading.Thread(target=self._follow, name="following")

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Stop, and wait for the running sync to end; its results are kept."""
        with self._changed:
            self._is_closed = True
            self._interrupt()
        if self._thread.ident is not None:
            self._thread.join()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Prevent syncs during a block; a running sync has ended when it begins."""
        with self._changed:
            self._schedule.block()
            self._interrupt()
            self._changed.wait_for(lambda: not self._schedule.is_running)
        try:
            yield
        finally:
            with self._changed:
                self._schedule.unblock()
                self._changed.notify_all()

    @property
    def is_working(self) -> bool:
        """Whether a sync is running."""
        with self._changed:
            return self._schedule.is_running

    def _interrupt(self) -> None:
        self._stop.set()
        self._job.cancel()
        self._changed.notify_all()

    def _note(self, changed: frozenset[Path] | None) -> None:
        with self._changed:
            self._schedule.note(changed)
            self._changed.notify_all()

    # On its own thread

    def _follow(self) -> None:
        while self._may_begin():
            # Before the first sync, so that no change in between is missed.
            watcher = partial(self._library.watcher, unhurried=True)
            watching = threading.Thread(
                target=watch, args=(watcher, self._stop, self._note), name="watching", daemon=True
            )
            watching.start()
            while (due := self._next()) is not None:
                if not self._sync(due):
                    self._stop.wait(self._retry_s)
                    self._note(due.changed)
            self._stop.set()
            watching.join()

    def _may_begin(self) -> bool:
        """Wait until nothing blocks the library; returns False once the follower is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or not self._schedule.is_blocked)
            self._stop = threading.Event()
            # Folders may have been added, and files changed.
            self._schedule.note(None)
            return not self._is_closed

    def _next(self) -> DueSync | None:
        """Wait for a sync that is due, and start it; None to stop watching."""
        with self._changed:
            self._changed.wait_for(lambda: self._stop.is_set() or self._schedule.is_due)
            if self._stop.is_set():
                return None
            self._job = Job(self._note_stage)
            self._has_worked = False
            return self._schedule.start()

    def _sync(self, due: DueSync) -> bool:
        """Run a sync; returns whether it succeeded."""
        try:
            report = self._library.sync(self._job, due.changed, background=True)
        except (Cancelled, LibraryBusyError):
            # The program that changes the library also syncs it.
            self.is_in_step, self.problem = False, ""
            return False
        except Exception as error:  # noqa: BLE001 - the boundary of background work
            self.is_in_step, self.problem = False, str(error)
            _log.error("The index is not up to date", exc_info=error)
            return False
        finally:
            if self._has_worked:
                self._worked()
            with self._changed:
                self._schedule.end()
                self._changed.notify_all()
        self.is_in_step, self.problem = not report.problem, report.problem
        return True

    def _note_stage(self, progress: Progress) -> None:
        if progress.stage is not Stage.SCANNING:
            self._has_worked = True
