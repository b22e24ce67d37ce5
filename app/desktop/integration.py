"""The window's place on the desktop: it comes forward, hides in the tray, does what is asked."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from app.desktop.instance import LaunchRequest
from app.desktop.links import query_of
from app.desktop.shortcut import Shortcut, bus_address, portal_name
from app.errors import notice_of
from app.widgets.icons import window_icon
from core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from app.background import Lane
    from app.desktop.bus import Bus, BusMessage
    from app.main_window import MainWindow
    from core.progress import Job
    from core.settings import Settings


class DesktopIntegration(QObject):
    """Brings the window before the others, and keeps it in the tray where the person wants that.

    What asks for it: another start of the program, the tray, a key that the desktop gives.
    """

    def __init__(self, window: MainWindow, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        menu = QMenu(window)
        menu.addAction(self.tr("Show Winnow"), self.come_forward)
        menu.addSeparator()
        menu.addAction(self.tr("Quit"), window.quit)
        self._tray = Tray(menu, self)
        self._tray.clicked.connect(self.come_forward)
        window.stays_when_closed = self._hides
        self._shortcut = Shortcut(self.tr("Show Winnow"), self)
        self._shortcut.pressed.connect(lambda token: self.answer(LaunchRequest(activation=token)))
        self._shortcut.refused.connect(partial(window.settings.choose, "shortcut", False))
        self._shortcut.changed.connect(self._show_shortcut)
        window.session.closing.connect(self._shortcut.close)
        # Hidden as well as closed: without its icon nobody could bring it back.
        window.session.closing.connect(self._tray.hide)
        self._follow_dialog()
        window.preferences_built.connect(self._follow_dialog)
        changes = window.settings
        self._service = ServiceSwitch(changes.path.parent, window.session.files, self)
        self._service.refused.connect(self._leave_off)
        self._service.failed.connect(changes.failed)
        # Not at the start: the system has its own list of what it starts.
        changes.chosen.connect(self._take_choice)
        changes.subscribe("tray", settings, self._show_tray)
        changes.subscribe("shortcut", settings, self._ask_for_shortcut)

    @property
    def tray(self) -> QSystemTrayIcon | None:
        """The icon in the tray, if there is one."""
        return self._tray.icon

    def answer(self, request: LaunchRequest) -> None:
        """Come forward and do what a later start of the program asks."""
        if request.activation:
            # Qt takes it from here when it next activates a window.
            os.environ["XDG_ACTIVATION_TOKEN"] = request.activation
        else:
            self._leave_screen()
        self.come_forward()
        self.grant(request)

    def grant(self, request: LaunchRequest) -> None:
        """Do what a start of the program asks."""
        if request.theme is not None:
            self._window.appearance.wear(request.theme)
        self._window.session.add_folders(list(request.folders))
        if request.query:
            self._window.box.set_text(request.query)
            self._window.searcher.ask_now()

    def follow(self, links: list[str]) -> None:
        """Search for what links ask for that were handed to this program, and take them away."""
        while links:
            try:
                request = LaunchRequest(query=query_of(links.pop(0)))
            except UsageError as error:
                self.come_forward()
                self._window.trouble.show_notice(notice_of(error))
            else:
                self.answer(request)

    def come_forward(self) -> None:
        """Show the window before all others, ready to be typed into."""
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        window.box.select()

    def _leave_screen(self) -> None:
        """Let the window be a new one where an old one without a token may not come forward.

        GNOME gives none along with a result that is clicked, nor does a terminal with a command. A
        Wayland desktop then leaves the window where it was and says that it wants attention; one
        that appears has it.
        """
        window = self._window
        is_asked = QApplication.activeModalWidget() is not None
        is_wayland = QGuiApplication.platformName() == "wayland"
        if is_wayland and not (window.isActiveWindow() or is_asked):
            window.hide()

    def _show_tray(self, is_wanted: bool) -> None:
        if is_wanted:
            self._tray.show()
        else:
            self._tray.hide()

    def _ask_for_shortcut(self, is_wanted: bool) -> None:
        dialog = self._window.existing_preferences
        if is_wanted:
            # At the start no window is shown yet to which the desktop's dialog could belong.
            is_shown = dialog is not None and dialog.isVisible()
            self._shortcut.ask(portal_name(dialog) if dialog is not None and is_shown else "")
        else:
            self._shortcut.give_back()

    def _follow_dialog(self) -> None:
        if (dialog := self._window.existing_preferences) is not None:
            dialog.desktop.opened.connect(self._shortcut.look)
            self._show_shortcut()

    def _show_shortcut(self) -> None:
        if (dialog := self._window.existing_preferences) is not None:
            dialog.desktop.show_shortcut(self._shortcut.stage, self._shortcut.key)

    def _take_choice(self, name: str, value: Any) -> None:
        if name == "service":
            self._service.choose(value)

    def _leave_off(self, error: Exception) -> None:
        self._window.settings.choose("service", False)
        self._window.settings.failed.emit(error)

    def _hides(self) -> bool:
        """Whether closing the window leaves it in the tray, which may have gone meanwhile."""
        return self._tray.is_there


_BUS: Final = "org.freedesktop.DBus"
_BUS_PATH: Final = "/org/freedesktop/DBus"
# What a desktop's tray is called on the bus, whichever desktop it is.
_TRAY: Final = "org.kde.StatusNotifierWatcher"


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
        from app.desktop.bus import Bus

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

    def _take_answer(self, answer: BusMessage) -> None:
        if answer.body == (True,):
            self._begin()

    def _hear(self, said: BusMessage) -> None:
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


class ServiceSwitch(QObject):
    """Has the system start the service, or start it no more, as the person chooses."""

    # Why the system does not start it: an error with a sentence.
    refused = Signal(object)
    # Why it could not be turned off.
    failed = Signal(object)

    def __init__(self, home: Path, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._home = home
        self._lane = lane

    def choose(self, is_wanted: bool) -> None:
        """Turn it on or off; returns at once."""
        task = self._lane.start(partial(_switch, self._home, is_wanted))
        task.failed.connect(self.refused if is_wanted else self.failed)


def _switch(home: Path, is_wanted: bool, _job: Job) -> None:
    # Only for those who choose.
    from core.serving.daemon.autostart import switch_off, switch_on

    if is_wanted:
        switch_on(home)
    else:
        switch_off(home)
