"""A library kept in step with its folders while nobody else changes it."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from core.errors import Cancelled, LibraryBusyError, WinnowError
from core.progress import Job

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from core.library import Library

_log = logging.getLogger(__name__)

_AGAIN_S: Final = 30.0
"""After so long a sync is tried again that another program, or a full disk, was in the way of."""


class Follower:
    """Brings the library in step, and follows what changes, on a thread of its own.

    Args:
        library: open, and nobody closes it before `close` has returned.
        again_s: after how long a sync that could not be is tried again.
    """

    def __init__(self, library: Library, again_s: float = _AGAIN_S) -> None:
        self._library = library
        self._again_s = again_s
        self._changed = threading.Condition()
        self._holders = 0
        self._is_working = False
        self._is_closed = False
        self._job = Job()
        # Set as soon as what is being followed is not to be followed any more.
        self._pause = threading.Event()
        self.is_in_step = False
        """Whether it was in step with all folders when it was looked at last."""
        self.problem = ""
        """Why it is not, as a sentence."""
        self.syncs = 0
        """How many syncs have ended."""
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
        self._pause.set()
        self._job.cancel()

    # On its own thread

    def _follow(self) -> None:
        while self._is_free():
            # Who held it may have added folders, or changed what lies in them.
            try:
                if self._sync(None):
                    for changed in self._library.watcher().changes(self._pause):
                        self._sync(changed)
            except Exception as error:  # noqa: BLE001 - the boundary of background work
                _log.error("Folders are not followed for a while", exc_info=error)
                self.problem = str(error)
            self._pause.wait(self._again_s)

    def _is_free(self) -> bool:
        """Wait until nobody holds it; False when it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or not self._holders)
            self._pause = threading.Event()
            return not self._is_closed

    def _sync(self, changed: Iterable[Path] | None) -> bool:
        """Bring the library in step; gives whether it is."""
        with self._changed:
            if self._holders or self._is_closed:
                return False
            self._job = Job()
            self._is_working = True
        try:
            report = self._library.sync(self._job, changed, background=True)
        except Cancelled:
            self.is_in_step = False
            return False
        except LibraryBusyError:
            # Whoever changes it brings it in step, too.
            self.is_in_step = False
            return False
        except WinnowError as error:
            self.is_in_step, self.problem = False, str(error)
            _log.warning("%s", error)
            return False
        finally:
            with self._changed:
                self.syncs += 1
                self._is_working = False
                self._changed.notify_all()
        self.is_in_step, self.problem = not report.problem, report.problem
        return True
