"""The window on the desktop: tray, global shortcut, later starts and the background service."""

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
from app.widgets.window_geometry import bring_forward
from core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from app.background import Lane
    from app.desktop.bus import Bus, BusMessage
    from app.main_window import MainWindow
    from core.progress import Job
    from core.settings import Settings


class DesktopIntegration(QObject):
    """Raises the window and keeps it in the tray if the person wants that.

    It is raised by another start of the program, the tray, or a global shortcut.
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
        window.stays_when_closed = self._stays_in_tray
        self._shortcut = Shortcut(self.tr("Show Winnow"), self)
        self._shortcut.pressed.connect(lambda token: self.answer(LaunchRequest(activation=token)))
        self._shortcut.refused.connect(partial(window.settings.choose, "shortcut", False))
        self._shortcut.changed.connect(self._show_shortcut)
        window.session.closing.connect(self._shortcut.close)
        # Hidden, not only closed: while the window closes, the icon must not bring it back.
        window.session.closing.connect(self._tray.hide)
        self._follow_dialog()
        window.preferences_built.connect(self._follow_dialog)
        changes = window.settings
        self._service = ServiceSwitch(changes.path.parent, window.session.files, self)
        self._service.refused.connect(self._turn_service_off)
        self._service.failed.connect(changes.failed)
        # Not applied at the start: the system has its own list of services to start.
        changes.chosen.connect(self._take_choice)
        changes.subscribe("tray", settings, self._show_tray)
        changes.subscribe("shortcut", settings, self._ask_for_shortcut)

    @property
    def tray(self) -> QSystemTrayIcon | None:
        return self._tray.icon

    def answer(self, request: LaunchRequest) -> None:
        """Raise the window and handle the request of a later start."""
        if request.activation:
            # Qt reads it when it next activates a window.
            os.environ["XDG_ACTIVATION_TOKEN"] = request.activation
        else:
            self._hide_for_activation()
        self.come_forward()
        self.grant(request)

    def grant(self, request: LaunchRequest) -> None:
        """Handle the request of a start of the program."""
        if request.theme is not None:
            self._window.appearance.wear(request.theme)
        self._window.session.add_folders(list(request.folders))
        if request.query:
            self._window.box.set_text(request.query)
            self._window.searcher.ask_now()

    def follow(self, links: list[str]) -> None:
        """Search for the queries of `links`, and clear the list."""
        while links:
            try:
                request = LaunchRequest(query=query_of(links.pop(0)))
            except UsageError as error:
                self.come_forward()
                self._window.trouble.show_notice(notice_of(error))
            else:
                self.answer(request)

    def come_forward(self) -> None:
        """Raise the window, with the search box selected."""
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        bring_forward(window)
        window.box.select()

    def _hide_for_activation(self) -> None:
        """Hide the window so that it reappears as a new one, if it may not be raised otherwise.

        GNOME passes no activation token with a clicked result, nor does a terminal with a command.
        A Wayland desktop then only marks the window as demanding attention; a new window gets the
        focus.
        """
        window = self._window
        has_dialog = QApplication.activeModalWidget() is not None
        is_wayland = QGuiApplication.platformName() == "wayland"
        if is_wayland and not (window.isActiveWindow() or has_dialog):
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
            dialog.appearance.opened.connect(self._shortcut.look)
            self._show_shortcut()

    def _show_shortcut(self) -> None:
        if (dialog := self._window.existing_preferences) is not None:
            dialog.appearance.show_shortcut(self._shortcut.stage, self._shortcut.key)

    def _take_choice(self, name: str, value: Any) -> None:
        if name == "service":
            self._service.choose(value)

    def _turn_service_off(self, error: Exception) -> None:
        self._window.settings.choose("service", False)
        self._window.settings.failed.emit(error)

    def _stays_in_tray(self) -> bool:
        """Whether closing the window only hides it; the tray may have disappeared meanwhile."""
        if self._tray.is_there:
            self._tray.say_once(self.tr("Winnow stays in the tray. To end it, choose Quit there."))
        return self._tray.is_there


_BUS: Final = "org.freedesktop.DBus"
_BUS_PATH: Final = "/org/freedesktop/DBus"
# The bus name of the tray on any desktop.
_TRAY: Final = "org.kde.StatusNotifierWatcher"


class Tray(QObject):
    """Shows the icon, now or as soon as there is a tray.

    A program that starts with the desktop session is often ready before the panel. Qt then shows
    the icon in an X11 tray as soon as there is one, but never in a tray on the bus: Qt chooses the
    kind of tray when the icon is created.
    """

    clicked = Signal()

    def __init__(self, menu: QMenu, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu
        self._is_wanted = False
        self.icon: QSystemTrayIcon | None = None
        self._bus: Bus | None = None
        self._has_spoken = False

    @property
    def is_there(self) -> bool:
        """Whether an icon is visible; the tray may have disappeared meanwhile."""
        return self.icon is not None and QSystemTrayIcon.isSystemTrayAvailable()

    def show(self) -> None:
        if self._is_wanted:
            return
        self._is_wanted = True
        if QSystemTrayIcon.isSystemTrayAvailable():
            self._create_icon()
            return
        if QGuiApplication.platformName() == "xcb":
            self._create_icon()
        self._wait()

    def say_once(self, sentence: str) -> None:
        """Show a message at the icon, the first time only."""
        if self.icon is not None and not self._has_spoken:
            self._has_spoken = True
            self.icon.showMessage("Winnow", sentence, window_icon())

    def hide(self) -> None:
        self._is_wanted = False
        self._remove_icon()
        self._leave_bus()

    def _create_icon(self) -> None:
        self._remove_icon()
        self.icon = QSystemTrayIcon(window_icon(), self, toolTip="Winnow")
        self.icon.setContextMenu(self._menu)
        self.icon.activated.connect(self._handle_click)
        self.icon.show()

    def _remove_icon(self) -> None:
        if self.icon is not None:
            # Hidden first, so that the desktop removes it immediately.
            self.icon.hide()
            self.icon.deleteLater()
            self.icon = None

    def _handle_click(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.clicked.emit()

    # A tray that appears later

    def _wait(self) -> None:
        """Watch the bus for a tray."""
        address = bus_address()
        if not address:
            return
        # Only installed on systems with a bus.
        from app.desktop.bus import Bus

        bus = Bus(self)
        bus.opened.connect(self._listen)
        bus.heard.connect(self._receive)
        bus.lost.connect(self._leave_bus)
        self._bus = bus
        bus.open(address)

    def _listen(self) -> None:
        assert self._bus is not None
        self._bus.listen(_BUS, "NameOwnerChanged", _TRAY)
        # The tray may have appeared before the subscription.
        self._bus.call(_BUS, _BUS_PATH, f"{_BUS}.NameHasOwner", "s", (_TRAY,), self._take_reply)

    def _take_reply(self, answer: BusMessage) -> None:
        if answer.body == (True,):
            self._show_late()

    def _receive(self, message: BusMessage) -> None:
        if message.sender == _BUS and message.member == "NameOwnerChanged":
            name, _before, owner = message.body
            if name == _TRAY and owner:
                self._show_late()

    def _show_late(self) -> None:
        """Show the icon in the tray that appeared; Qt maintains it from here."""
        if self._bus is not None:
            self._leave_bus()
            self._create_icon()

    def _leave_bus(self) -> None:
        if self._bus is not None:
            self._bus.close()
            self._bus.deleteLater()
            self._bus = None


class ServiceSwitch(QObject):
    """Turns the autostart of the background service on and off."""

    # The service could not be turned on; carries the error.
    refused = Signal(object)
    # The service could not be turned off; carries the error.
    failed = Signal(object)

    def __init__(self, home: Path, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._home = home
        self._lane = lane

    def choose(self, is_wanted: bool) -> None:
        """Turn the service on or off in the background."""
        task = self._lane.start(partial(_switch, self._home, is_wanted))
        task.failed.connect(self.refused if is_wanted else self.failed)


def _switch(home: Path, is_wanted: bool, _job: Job) -> None:
    # Imported only if the setting is changed.
    from core.serving.daemon.autostart import switch_off, switch_on

    if is_wanted:
        switch_on(home)
    else:
        switch_off(home)
