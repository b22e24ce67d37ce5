"""The icon in the desktop's tray: there while it is wanted, from when the desktop has a tray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from app.desktop import bus_address
from app.icons import window_icon

if TYPE_CHECKING:
    from app.bus import Bus, Said

_BUS: Final = "org.freedesktop.DBus"
_BUS_PATH: Final = "/org/freedesktop/DBus"
_TRAY: Final = "org.kde.StatusNotifierWatcher"
"""What a desktop's tray is called on the bus, whichever desktop it is."""


class Tray(QObject):
    """Shows the icon, at once or when the tray comes.

    A program that begins with the desktop's session is often there before the panel. Qt then shows
    the icon in a tray of X11's own kind as soon as there is one, but never in one that is spoken to
    by the bus: what it found when the icon was made holds for that icon.
    """

    clicked = Signal()

    def __init__(self, menu: QMenu, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu
        self._is_wanted = False
        self._icon: QSystemTrayIcon | None = None
        self._bus: Bus | None = None

    @property
    def icon(self) -> QSystemTrayIcon | None:
        """The icon, if there is one."""
        return self._icon

    @property
    def is_there(self) -> bool:
        """Whether there is an icon that a person sees; the tray may have gone meanwhile."""
        return self._icon is not None and QSystemTrayIcon.isSystemTrayAvailable()

    def show(self) -> None:
        """Have an icon from now on."""
        if self._is_wanted:
            return
        self._is_wanted = True
        if QSystemTrayIcon.isSystemTrayAvailable():
            self._make()
            return
        if QGuiApplication.platformName() == "xcb":
            self._make()
        self._wait()

    def hide(self) -> None:
        """Have none any more."""
        self._is_wanted = False
        self._drop()
        self._leave_bus()

    def _make(self) -> None:
        self._drop()
        self._icon = QSystemTrayIcon(window_icon(), self)
        self._icon.setToolTip("Winnow")
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._take_click)
        self._icon.show()

    def _drop(self) -> None:
        if self._icon is not None:
            # Hidden as well as dropped: the desktop is told at once.
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def _take_click(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.clicked.emit()

    # A tray that comes later

    def _wait(self) -> None:
        """Hear from the bus when there is a tray."""
        address = bus_address()
        if not address:
            return
        # Nowhere else is it installed.
        from app.bus import Bus

        bus = Bus(self)
        bus.opened.connect(self._listen)
        bus.heard.connect(self._hear)
        bus.lost.connect(self._leave_bus)
        self._bus = bus
        bus.open(address)

    def _listen(self) -> None:
        assert self._bus is not None
        self._bus.listen(_BUS, "NameOwnerChanged", _TRAY)
        # It may have come before anybody listened.
        asked = f"{_BUS}.NameHasOwner"
        self._bus.call(_BUS, _BUS_PATH, asked, "s", (_TRAY,), self._take_answer)

    def _take_answer(self, answer: Said) -> None:
        if answer.body == (True,):
            self._begin()

    def _hear(self, said: Said) -> None:
        if said.sender == _BUS and said.member == "NameOwnerChanged":
            name, _before, owner = said.body
            if name == _TRAY and owner:
                self._begin()

    def _begin(self) -> None:
        """Show the icon in the tray that has come; Qt looks after it from here."""
        if self._bus is not None:
            self._leave_bus()
            self._make()

    def _leave_bus(self) -> None:
        if self._bus is not None:
            self._bus.close()
            self._bus.deleteLater()
            self._bus = None
