"""A thread that waits for changes in the folders, and tells of them on the window's thread."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine import Watcher

_log = logging.getLogger(__name__)


class Watching(QObject):
    """Watches one set of folders at a time."""

    changed = Signal(object)
    """Paths at which something changed, as a frozenset; None where all is to be looked at."""

    _told = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._stop: threading.Event | None = None
        self._told.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)

    def start(self, open_watcher: Callable[[], Watcher]) -> None:
        """Watch what `open_watcher`, called on the thread, gives, and nothing else from now on."""
        self.stop()
        self._stop = threading.Event()
        # A daemon: it never writes, and nothing waits for the last fraction of a second of it.
        threading.Thread(
            target=self._watch, args=(open_watcher, self._stop), name="watching", daemon=True
        ).start()

    def stop(self) -> None:
        """Tell of nothing more; returns at once."""
        if self._stop is not None:
            self._stop.set()
            self._stop = None

    def _watch(self, open_watcher: Callable[[], Watcher], stop: threading.Event) -> None:
        try:
            for paths in open_watcher().changes(stop):
                if stop.is_set():
                    return
                self._told.emit(stop, paths)
        except Exception as error:  # noqa: BLE001 - the boundary of background work
            # Without it the library is in step whenever the person has it brought there.
            _log.error("Folders are no longer watched", exc_info=error)

    def _pass_on(self, stop: threading.Event, paths: object) -> None:
        # What is told by a thread that was stopped in the meantime is of another time.
        if stop is self._stop:
            self.changed.emit(paths)
