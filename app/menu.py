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

    from app.looks import Looks


class MainMenu(QMenu):
    """What is done now and then: each entry is told to whom it concerns."""

    quit_wanted = Signal()

    def __init__(self, looks: Looks, parent: QWidget) -> None:
        super().__init__(parent)
        self._looks = looks
        self._doing = self.addSeparator()
        larger = self.addAction(self.tr("Larger text"), looks.enlarge)
        # Where the plus is above the equals sign, Shift is already spent on it.
        larger.setShortcuts([QKeySequence("Ctrl+Shift++"), QKeySequence("Ctrl+Shift+=")])
        smaller = self.addAction(self.tr("Smaller text"), looks.reduce)
        smaller.setShortcuts([QKeySequence("Ctrl+Shift+-"), QKeySequence("Ctrl+Shift+_")])
        self.addSeparator()
        themes = QActionGroup(self)
        self._themes: dict[Theme, QAction] = {}
        for one, name in (
            (Theme.SYSTEM, self.tr("Colours of the system")),
            (Theme.LIGHT, self.tr("Light")),
            (Theme.DARK, self.tr("Dark")),
        ):
            action = self.addAction(name, partial(looks.choose_theme, one))
            action.setCheckable(True)
            themes.addAction(action)
            self._themes[one] = action
        self._show_looks()
        looks.changed.connect(self._show_looks)
        self.addSeparator()
        self.addAction(self.tr("Quit"), QKeySequence.StandardKey.Quit, self.quit_wanted.emit)

    def add(self, name: str, do: Callable[[], object], keys: str = "") -> None:
        """Add something to do, after the others of its kind."""
        action = QAction(name, self)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: do())
        self.insertAction(self._doing, action)

    def _show_looks(self) -> None:
        self._themes[self._looks.theme].setChecked(True)
