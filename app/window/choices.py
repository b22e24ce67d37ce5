"""The choices that a person makes in the window, and its geometry, kept in the settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Signal

from app.widgets.window_geometry import DialogSizes, open_within_screen
from core.settings import Settings, change_settings

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.background import Lane
    from app.main_view import MainView
    from app.search_tools import SearchTools
    from app.theme import Appearance


class WindowChoices(QObject):
    """Restores choices, and writes them when they change and at the end."""

    failed = Signal(object)

    def __init__(
        self,
        path: Path,
        appearance: Appearance,
        sizes: DialogSizes,
        tools: SearchTools,
        main_view: MainView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._path = path
        self._appearance = appearance
        self._sizes = sizes
        self._tools = tools
        self._main_view = main_view
        self._is_writing = self._is_due = False

    def restore(self, settings: Settings) -> None:
        """Restore the choices of filters, order and widths."""
        self._main_view.arrangement.set_widths(settings.splitter)
        self._tools.restore(settings)

    def geometry(self, window: QWidget) -> dict[str, object]:
        """Return the geometry of the window as settings."""
        geometry = bytes(window.saveGeometry().toBase64().data()).decode("ascii")
        return {
            "window_geometry": geometry,
            "splitter": self._main_view.arrangement.widths,
        }

    def save(self, lane: Lane) -> None:
        """Write the choices immediately, without waiting for the window to close.

        Later ones are written after those that are being written now: a lane has several threads.
        """
        self._is_due = self._is_writing
        if self._is_writing:
            return
        choices, path = self.as_settings(), self._path
        self._is_writing = True
        task = lane.start(lambda _job: change_settings(path, **choices))
        task.failed.connect(self.failed)
        for ended in (task.succeeded, task.failed, task.cancelled):
            ended.connect(lambda *_: self._end_writing(lane))

    def _end_writing(self, lane: Lane) -> None:
        self._is_writing = False
        if self._is_due:
            self.save(lane)

    def as_settings(self) -> dict[str, object]:
        """Return the choices made in the window as settings."""
        return {
            **self._appearance.as_settings(),
            **self._tools.as_settings(),
            **self._sizes.as_settings(),
        }


def restore_geometry(window: QWidget, settings: Settings) -> None:
    """Give the window the geometry of its last use; at first one within the screen."""
    geometry = QByteArray.fromBase64(settings.window_geometry.encode("ascii", "replace"))
    if geometry.isEmpty() or not window.restoreGeometry(geometry):
        open_within_screen(window, 1240, 800)
