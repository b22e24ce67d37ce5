"""A library kept in step with its folders while nobody else changes it."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from core.errors import Cancelled, LibraryBusyError
from core.progress import Job, Progress, Stage

if TYPE_CHECKING:
    from pathlib import Path

    from core.library.library import Library

_log = logging.getLogger(__name__)

_AGAIN_S: Final = 30.0
"""After so long a sync is tried again that another program, or a full disk, was in the way of."""


class Follower:
    """Brings the library in step, and follows what changes, on a thread of its own.

    Args:
        library: open, and nobody closes it before `close` has returned.
        again_s: after how long a sync that could not be is tried again.
        worked: is called, on its thread, when a sync has ended that had more to do than to look:
            what it read or encoded with may still be in memory.
    """

    def __init__(
        self,
        library: Library,
        again_s: float = _AGAIN_S,
        worked: Callable[[], object] = lambda: None,
    ) -> None:
        self._library = library
        self._again_s = again_s
        self._worked = worked
        self._has_more_to_do = False
        self._changed = threading.Condition()
        self._holders = 0
        self._is_working = False
        self._is_closed = False
        self._job = Job()
        # What is to be looked at: paths, and whether everything.
        self._places: set[Path] = set()
        self._is_whole_due = True
        # Set as soon as the folders are no longer to be watched as they are.
        self._stop = threading.Event()
        self.is_in_step = False
        """Whether it was in step with all folders when it was looked at last."""
        self.problem = ""
        """Why it is not, as a sentence."""
        self._thread = threading.Thread(target=self._follow, name="following")

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Stop; what was done is kept. Blocks until nothing is done any more."""
        with self._changed:
            self._is_closed = True
            self._stop_work()
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Change nothing meanwhile; when this begins nothing is being changed any more."""
        with self._changed:
            self._holders += 1
            self._stop_work()
            self._changed.wait_for(lambda: not self._is_working)
        try:
            yield
        finally:
            with self._changed:
                self._holders -= 1
                self._changed.notify_all()

    @property
    def is_working(self) -> bool:
        """Whether the library is being brought in step at this moment."""
        with self._changed:
            return self._is_working

    def _stop_work(self) -> None:
        self._stop.set()
        self._job.cancel()

    # On its own thread

    def _follow(self) -> None:
        while self._is_free():
            # Before all is looked at, so that nothing can change in between.
            watching = threading.Thread(
                target=self._watch, args=(self._stop,), name="watching", daemon=True
            )
            watching.start()
            while (changed := self._next()) is not None:
                if not self._sync(changed[0]):
                    self._put_off(changed[0])
            self._stop.set()
            watching.join()

    def _is_free(self) -> bool:
        """Wait until nobody holds it; False when it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or not self._holders)
            # Who held it may have added folders, or changed what lies in them.
            self._stop = threading.Event()
            self._is_whole_due = True
            return not self._is_closed

    def _next(self) -> tuple[frozenset[Path] | None] | None:
        """Wait for what is to be looked at; None inside for everything, None when it is held."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._stop.is_set() or self._is_whole_due or self._places
            )
            # Also where who held it has let go by now.
            if self._stop.is_set():
                return None
            changed = None if self._is_whole_due else frozenset(self._places)
            self._is_whole_due = False
            self._places.clear()
            return (changed,)

    def _put_off(self, changed: frozenset[Path] | None) -> None:
        """Have it looked at once more after a while, or as soon as it may be."""
        self._stop.wait(self._again_s)
        self._note(changed)

    def _note(self, changed: frozenset[Path] | None) -> None:
        with self._changed:
            if changed is None:
                self._is_whole_due = True
            else:
                self._places |= changed
            self._changed.notify_all()

    def _sync(self, changed: frozenset[Path] | None) -> bool:
        """Bring the library in step; gives whether it is."""
        with self._changed:
            if self._stop.is_set():
                return False
            self._job = Job(self._note_stage)
            self._is_working = True
            self._has_more_to_do = False
        try:
            report = self._library.sync(self._job, changed, background=True)
        except (Cancelled, LibraryBusyError):
            # Whoever holds it, or changes it, brings it in step, too.
            self.is_in_step, self.problem = False, ""
            return False
        except Exception as error:  # noqa: BLE001 - the boundary of background work
            self.is_in_step, self.problem = False, str(error)
            _log.error("The library is not in step", exc_info=error)
            return False
        finally:
            if self._has_more_to_do:
                self._worked()
            with self._changed:
                self._is_working = False
                self._changed.notify_all()
        self.is_in_step, self.problem = not report.problem, report.problem
        return True

    def _note_stage(self, progress: Progress) -> None:
        if progress.stage is not Stage.SCANNING:
            self._has_more_to_do = True

    # On the thread that watches

    def _watch(self, stop: threading.Event) -> None:
        try:
            for changed in self._library.watcher(unhurried=True).changes(stop):
                self._note(changed)
        except Exception as error:  # noqa: BLE001 - the boundary of background work
            # What changes is then seen when the service begins anew.
            _log.error("Folders are no longer watched", exc_info=error)
