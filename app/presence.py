"""The window's place on the desktop: how it comes forward, and does what another start asks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

if TYPE_CHECKING:
    from app.instance import Wish
    from app.main_window import MainWindow


class Presence(QObject):
    """Brings the window before the others."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def grant(self, wish: Wish) -> None:
        """Do what a start of the program asks, and come forward."""
        if wish.activation:
            # Qt takes it from here when it next activates a window.
            os.environ["XDG_ACTIVATION_TOKEN"] = wish.activation
        if self._window.isVisible():
            self.come_forward()
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
