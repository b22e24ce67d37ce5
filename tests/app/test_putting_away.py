"""Hiding the window also hides its open dialogs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from PySide6.QtWidgets import QApplication, QDialog

from app.main_window import MainWindow
from app.reader.reader import ReaderView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

OPENED: Final[dict[str, Callable[[MainWindow], object]]] = {
    "folder": lambda window: window.adding.ask(),
    "pages": lambda window: window.adding.add([Path("/srv/one"), Path("/srv/two")]),
    "export": lambda window: window.tools.actions.ask_for_file("csv"),
    "folders": lambda window: window.folders.present(),
    "settings": lambda window: window.preferences.present(),
    "model": lambda window: window.preferences.index._ask_for_model(),
    "teaching": lambda window: window.teaching.show_dialog(),
    "inspector": lambda window: window.inspector.open(),
    "help": lambda window: window.box.help_wanted.emit(),
}


@pytest.mark.parametrize("opened", OPENED)
def test_no_dialog_stays_when_the_window_is_put_away(
    qtbot: QtBot, window: MainWindow, search: Callable[[str], ReaderView], opened: str
) -> None:
    search("wheat")

    def dialogs() -> list[QDialog]:
        tops = QApplication.topLevelWidgets()
        return [one for one in tops if isinstance(one, QDialog) and one.isVisible()]

    OPENED[opened](window)
    qtbot.waitUntil(lambda: bool(dialogs()))
    window.put_away()
    assert not dialogs()
    assert not window.isVisible()

    # It does not reappear, and can be opened again.
    window.show()
    assert not dialogs()
    OPENED[opened](window)
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
