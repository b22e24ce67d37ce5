"""How large a window opens: as suits it, within its screen; and what has no room there."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

_FRAME: Final = QSize(8, 40)
"""What the desktop puts around a window, about: it is known only once the window is there."""


def open_within_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window that is not shown yet this size, or what its screen has room for."""
    room = window.screen().availableGeometry().size() - _FRAME
    window.resize(QSize(width, height).boundedTo(room))


def scrolled(page: QWidget) -> QScrollArea:
    """Give a page that a small screen, or large type, does not cut off."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(page)
    return area
