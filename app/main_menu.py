"""The main menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QKeyCombination
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from app.widgets.menus import Menu
from core.settings import Theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.theme import Appearance


class MainMenu(Menu):
    """A menu in sections; their entries work by their keys anywhere in the window."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._themes: dict[Theme, QAction] = {}

    def add(
        self, name: str, do: Callable[[], object], keys: str | QKeySequence.StandardKey = ""
    ) -> None:
        """Add an action at the end."""
        action = QAction(name, self, shortcut=QKeySequence(keys))
        action.triggered.connect(lambda: do())
        self.addAction(action)

    def add_appearance(self) -> None:
        """Add the text sizes and the themes."""
        appearance = self._appearance
        larger = self.addAction(self.tr("Larger text"), appearance.enlarge)
        # On keyboards with the plus above the equals sign it already needs Shift.
        larger.setShortcuts([QKeySequence("Ctrl+Shift++"), QKeySequence("Ctrl+Shift+=")])
        smaller = self.addAction(self.tr("Smaller text"), appearance.reduce)
        smaller.setShortcuts([QKeySequence("Ctrl+Shift+-"), QKeySequence("Ctrl+Shift+_")])
        normal = self.addAction(self.tr("Normal text size"), appearance.reset)
        # With Shift, some keyboards send the sign above the zero.
        normal.setShortcuts([QKeySequence("Ctrl+Shift+0"), QKeySequence("Ctrl+Shift+)")])
        themes = QActionGroup(self)
        for theme, name in (
            (Theme.SYSTEM, self.tr("System theme")),
            (Theme.LIGHT, self.tr("Light theme")),
            (Theme.DARK, self.tr("Dark theme")),
        ):
            action = self.addAction(name, partial(appearance.choose_theme, theme))
            action.setCheckable(True)
            themes.addAction(action)
            self._themes[theme] = action
        self._show_appearance()
        appearance.changed.connect(self._show_appearance)

    def do(self, keys: QKeyCombination) -> None:
        """Trigger the action with these keys, if there is one."""
        for action in self.actions():
            if QKeySequence(keys) in action.shortcuts():
                action.trigger()
                return

    def _show_appearance(self) -> None:
        self._themes[self._appearance.theme].setChecked(True)
