"""The window's menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from core.settings import Theme

if TYPE_CHECKING:
    from collections.abc import Callable


class MainMenu(QMenu):
    """What is done now and then: each entry is told to whom it concerns."""

    theme_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._doing = self.addSeparator()
        looks = QActionGroup(self)
        for one, name in (
            (Theme.SYSTEM, self.tr("Colours of the system")),
            (Theme.LIGHT, self.tr("Light")),
            (Theme.DARK, self.tr("Dark")),
        ):
            action = self.addAction(name, partial(self.theme_chosen.emit, one))
            action.setCheckable(True)
            action.setChecked(one is theme)
            looks.addAction(action)
        self.addSeparator()
        self.addAction(self.tr("Quit"), QKeySequence.StandardKey.Quit, parent.close)

    def add(self, name: str, do: Callable[[], object], keys: str = "") -> None:
        """Add something to do, after the others of its kind."""
        action = QAction(name, self)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: do())
        self.insertAction(self._doing, action)
