"""The settings of how Winnow appearance, and of its place on the desktop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QSystemTrayIcon,
    QVBoxLayout,
    QWidget,
)

from app.desktop.shortcut import Stage
from app.theme import PERCENTS, Appearance
from app.widgets.fields import ChoiceBox, TickBox, form, note
from core.settings import Theme

if TYPE_CHECKING:
    from core.settings import Settings


class DesktopSettings(QWidget):
    """Colours, size of the text, tray; and how a key of the desktop's brings the window forward."""

    tray_chosen = Signal(bool)
    staying_chosen = Signal(bool)
    """Whether closing the window leaves Winnow in the tray."""
    shortcut_chosen = Signal(bool)
    """Whether the desktop is to give a key that works anywhere."""
    opened = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._theme = ChoiceBox(self.tr("Colours"))
        for theme, name in (
            (Theme.SYSTEM, self.tr("Those of the system")),
            (Theme.LIGHT, self.tr("Light")),
            (Theme.DARK, self.tr("Dark")),
        ):
            self._theme.addItem(name, theme)
        # Qt gives back the plain text of what is both a text and a theme.
        self._theme.activated.connect(
            lambda _: appearance.choose_theme(Theme(self._theme.currentData()))
        )
        self._size = ChoiceBox(self.tr("Size of lists and texts"))
        for percent in PERCENTS:
            self._size.addItem(self.tr("{0} %").format(percent), percent)
        self._size.activated.connect(lambda _: appearance.choose_size(self._size.currentData()))
        self._tray = TickBox(self.tr("Show an icon in the tray"))
        self._tray.toggled.connect(self._show_staying)
        self._tray.clicked.connect(self.tray_chosen)
        self._stays = TickBox(self.tr("Closing the window leaves Winnow there"))
        self._stays.clicked.connect(self.staying_chosen)
        self._no_tray = note(self.tr("This desktop has no tray."))
        self._shortcut = TickBox(self.tr("A key of the desktop brings Winnow forward"))
        self._shortcut.clicked.connect(self.shortcut_chosen)
        self._key = note()
        choices = QVBoxLayout()
        choices.setSpacing(6)
        for widget in (self._tray, self._stays, self._no_tray):
            choices.addWidget(widget)
        lines = form(self)
        lines.addRow(self.tr("Co&lours:"), self._theme)
        lines.addRow(self.tr("&Size of lists and texts:"), self._size)
        lines.addRow(self.tr("Tray:"), choices)
        anywhere = QVBoxLayout()
        anywhere.setSpacing(6)
        for widget in (self._shortcut, self._key):
            anywhere.addWidget(widget)
        lines.addRow(self.tr("Anywhere:"), anywhere)
        appearance.changed.connect(self._show_appearance)
        self._show_appearance()
        self.show_shortcut(Stage.MISSING, "")

    def show_settings(self, settings: Settings) -> None:
        """Show what is set, as far as this desktop can do it."""
        has_tray = QSystemTrayIcon.isSystemTrayAvailable()
        self._no_tray.setVisible(not has_tray)
        self._tray.setEnabled(has_tray)
        self._tray.setChecked(settings.tray and has_tray)
        self._stays.setChecked(settings.close_to_tray)
        self._show_staying()
        self._show_appearance()

    def show_shortcut(self, stage: Stage, key: str) -> None:
        """Show whether the desktop gives a key, and which: in its own words, "" for none yet."""
        self._shortcut.setVisible(stage is not Stage.MISSING)
        self._shortcut.setChecked(stage in (Stage.ASKED, Stage.BOUND))
        self._key.setText(self._told(stage, key))
        self._key.setVisible(bool(self._key.text()))

    def _told(self, stage: Stage, key: str) -> str:
        if stage is Stage.MISSING:
            return self.tr(
                "To call Winnow from anywhere, bind a key to the command winnow --show in the "
                "keyboard settings of your desktop."
            )
        if stage is Stage.ASKED:
            return self.tr("The desktop asks which key it shall be…")
        if stage is Stage.FAILED:
            return self.tr("The desktop gave no key.")
        if stage is Stage.OFF:
            return ""
        if key:
            return self.tr("The key is {0}.").format(key)
        return self.tr("No key yet: choose one in the keyboard settings of your desktop.")

    def _show_staying(self) -> None:
        self._stays.setEnabled(self._tray.isChecked())

    def _show_appearance(self) -> None:
        self._theme.setCurrentIndex(self._theme.findData(self._appearance.theme))
        self._size.setCurrentIndex(self._size.findData(self._appearance.percent))

    # Qt's names

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.opened.emit()
