"""Building of the window in short steps, so that it appears soon and typing stays responsive."""

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

# How long building waits for the first painting of the window, in milliseconds.
_UNPAINTED_MS: Final = 500
# How long building waits for the first results, in milliseconds.
_FIRST_RESULTS_MS: Final = 400


class StagedBuilding(QObject):
    """Builds one part of the window after another, with events processed in between.

    Nothing is built while the first results are pending.
    """

    # All parts are built.
    ended = Signal()

    def __init__(self, parts: Iterator[None], parent: QObject) -> None:
        """Take the iterator that builds a part in each step; it does not run yet."""
        super().__init__(parent)
        self._parts = parts
        self._is_building = False
        self.is_whole = False
        self._first_results_timer = QTimer(self, singleShot=True, interval=_FIRST_RESULTS_MS)
        self._first_results_timer.timeout.connect(self.build_next)

    def build_all(self) -> None:
        """Build all parts now; `ended` is not emitted."""
        for _ in self._parts:
            pass
        self.is_whole = True

    def begin_unpainted(self) -> None:
        """Begin later if the window is not painted: it may be minimised or on another desktop."""
        QTimer.singleShot(_UNPAINTED_MS, self, self._begin)

    def begin_painted(self) -> None:
        """Begin after the window is painted; do nothing if building has begun."""
        if not (self.is_whole or self._is_building):
            # Not at once: the screen would wait for the next part.
            QTimer.singleShot(0, self, self._begin)

    def wait_for_results(self) -> None:
        """Let the first results come before the next part."""
        if not self.is_whole:
            self._first_results_timer.start()

    def stop_waiting(self) -> bool:
        """Return whether building waited for the first results, and end the wait.

        The caller then calls `build_next`.
        """
        is_waiting = self._first_results_timer.isActive()
        self._first_results_timer.stop()
        return is_waiting

    def _begin(self) -> None:
        if not self._is_building:
            self._is_building = True
            self.build_next()

    def build_next(self) -> None:
        """Build the next part, and process events in between."""
        for _ in self._parts:
            if not self._first_results_timer.isActive():
                QTimer.singleShot(0, self, self.build_next)
            return
        self.is_whole = True
        self.ended.emit()
