"""Menus and other popups with rounded corners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from core.addresses import readable_path

if TYPE_CHECKING:
    from pathlib import Path


class Menu(QMenu):
    """A menu in the program's style."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        round_corners(self)

    def add_heading(self, text: str) -> None:
        """Add a heading, which cannot be chosen."""
        if self.actions():
            self.addSeparator()
        self.addAction(text).setEnabled(False)


def round_corners(popup: QWidget) -> None:
    """Let the screen show through the corners of a popup, which the style sheet rounds."""
    popup.setProperty("rounded", "true")
    # The system's shadow would be that of a rectangle.
    popup.setWindowFlag(Qt.WindowType.FramelessWindowHint)
    popup.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)
    popup.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)


def copy_path(path: Path) -> None:
    """Copy a path to the clipboard."""
    QGuiApplication.clipboard().setText(readable_path(path))
