"""Sizes of windows and dialogs: within their screen, and restored from the last time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QObject,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QWidget

# Approximate size of a window's frame, which is known only once the window is shown.
_FRAME: Final = QSize(8, 40)


def open_within_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window that is not shown yet this size, limited by its screen."""
    room = window.screen().availableGeometry().size() - _FRAME
    window.resize(QSize(width, height).boundedTo(room))


def scrolled(page: QWidget) -> QScrollArea:
    """Return a scroll area around a page, for small screens and large fonts."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(page)
    return area


Size = tuple[int, int]


class DialogSizes(QObject):
    """Restores the size of each dialog, limited by its screen.

    Args:
        saved: widths and heights by the dialogs' names.
    """

    changed = Signal()
    """A dialog was closed after its size had changed."""

    def __init__(self, saved: Mapping[str, Size], parent: QObject) -> None:
        super().__init__(parent)
        self._sizes = dict(saved)
        self._opened: dict[str, QSize] = {}

    def hold(self, dialog: QDialog, name: str) -> None:
        """Restore the size saved under `name`, and save later changes."""
        dialog.setObjectName(name)
        if name in self._sizes:
            dialog.resize(QSize(*self._sizes[name]).boundedTo(dialog.screen().availableSize()))
        dialog.installEventFilter(self)

    def as_settings(self) -> dict[str, object]:
        """Return the sizes as settings."""
        return {"dialog_sizes": dict(self._sizes)}

    # Qt's names

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, QDialog):
            name, size = watched.objectName(), watched.size()
            if event.type() == QEvent.Type.Show:
                self._opened[name] = size
            elif event.type() == QEvent.Type.Hide and self._opened.get(name, size) != size:
                self._sizes[name] = (size.width(), size.height())
                self.changed.emit()
        return False
