"""Where folders are dropped: what is dragged over the window, and what it says meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QWidget

_MARGIN: Final = 24


class DropPlace(QLabel):
    """Lies over all of a window while files from elsewhere are dragged over it."""

    dropped = Signal(object)
    """A list of paths (Path) was dropped on the window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(self.tr("Drop folders here to add them"), window)
        self._window = window
        self.setObjectName("dropHint")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hide()
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def _take_up(self, event: QDragEnterEvent) -> None:
        # What is dragged out of the results is no folder to add.
        if event.source() is None and _local_paths(event):
            event.acceptProposedAction()
            self.setGeometry(self._window.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN))
            self.show()
            self.raise_()

    def _take(self, event: QDropEvent) -> None:
        self.hide()
        event.acceptProposedAction()
        self.dropped.emit(_local_paths(event))

    # Qt's names

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent):
            self._take_up(event)
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.hide()
            return True
        if event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self._take(event)
            return True
        return False


def _local_paths(event: QDropEvent) -> list[Path]:
    # Whether they are folders is found out in the background: a network may delay the answer.
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
