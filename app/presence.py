"""The window's place on the desktop: it comes forward, hides in the tray, does what is asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from app.desktop import portal_name
from app.instance import Wish
from app.shortcut import Shortcut
from app.tray import Tray

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from core.settings import Settings


class Presence(QObject):
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
        self._stays = settings.close_to_tray
        self._show_tray(is_wanted=settings.tray)
        window.stays_when_closed = self._hides
        chosen = window.preferences.desktop
        chosen.tray_chosen.connect(lambda is_wanted: self._show_tray(is_wanted=is_wanted))
        chosen.staying_chosen.connect(self._stay)
        self._shortcut = Shortcut(self.tr("Show Winnow"), self)
        self._shortcut.pressed.connect(lambda token: self.answer(Wish(activation=token)))
        self._shortcut.refused.connect(lambda: chosen.shortcut_chosen.emit(False))
        self._shortcut.changed.connect(self._show_shortcut)
        chosen.shortcut_chosen.connect(self._ask_for_shortcut)
        chosen.opened.connect(self._shortcut.look)
        window.session.closing.connect(self._shortcut.close)
        # Hidden as well as closed: without its icon nobody could bring it back.
        window.session.closing.connect(self._tray.hide)
        if settings.shortcut:
            self._shortcut.ask()

    @property
    def tray(self) -> QSystemTrayIcon | None:
        """The icon in the tray, if there is one."""
        return self._tray.icon

    def answer(self, wish: Wish) -> None:
        """Come forward and do what a later start of the program asks."""
        if wish.activation:
            # Qt takes it from here when it next activates a window.
            os.environ["XDG_ACTIVATION_TOKEN"] = wish.activation
        self.come_forward()
        self.grant(wish)

    def grant(self, wish: Wish) -> None:
        """Do what a start of the program asks."""
        self._window.session.add_folders(list(wish.folders))
        if wish.query:
            self._window.box.set_text(wish.query)
            self._window.searcher.ask_now()

    def come_forward(self) -> None:
        """Show the window before all others, ready to be typed into."""
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        window.box.select()

    def _show_tray(self, *, is_wanted: bool) -> None:
        if is_wanted:
            self._tray.show()
        else:
            self._tray.hide()

    def _ask_for_shortcut(self, is_wanted: bool) -> None:
        if is_wanted:
            self._shortcut.ask(portal_name(self._window.preferences))
        else:
            self._shortcut.give_back()

    def _show_shortcut(self) -> None:
        self._window.preferences.desktop.show_shortcut(self._shortcut.stage, self._shortcut.key)

    def _stay(self, is_wanted: bool) -> None:
        self._stays = is_wanted

    def _hides(self) -> bool:
        """Whether closing the window leaves it in the tray, which may have gone meanwhile."""
        return self._stays and self._tray.is_there
