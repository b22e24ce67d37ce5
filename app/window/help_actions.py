"""The guide and the dialogs of the help menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.desktop.opening import Opener


class HelpActions(QObject):
    """Opens the guide and the dialogs of the help menu over the window."""

    def __init__(self, opener: Opener, window: QWidget) -> None:
        super().__init__(window)
        self._opener = opener
        self._window = window

    def open_guide(self) -> None:
        """Open the guide; a copy of the sources has none until it is built."""
        from app.desktop.opening import find_guide

        guide = find_guide()
        if guide is None:
            self.show_shortcuts()
        else:
            self._opener.open(guide)

    def show_shortcuts(self) -> None:
        """Show the list of keyboard shortcuts."""
        from app.help.shortcuts import ShortcutsDialog

        ShortcutsDialog(self._window).show()

    def show_about(self) -> None:
        """Show the version and the licences."""
        from app.help.about import AboutDialog

        AboutDialog(self._window).open()
