"""Actions of a person in the window, and the texts that it shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QTabWidget, QWidget

from app.main_window import MainWindow

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.library.adding import AddDialog


def line(window: MainWindow) -> QLineEdit:
    return window.findChild(QLineEdit, "searchBox")


def search(qtbot: QtBot, window: MainWindow, query: str) -> None:
    line(window).clear()
    qtbot.keyClicks(line(window), query)
    qtbot.waitUntil(lambda: shown_query(window) == query)


def search_again(qtbot: QtBot, window: MainWindow) -> None:
    """Search again as after a change of the library, once the window is idle."""
    searcher = window.searcher
    qtbot.waitUntil(lambda: not searcher.is_waiting and not searcher.is_settling)
    with qtbot.waitSignal(searcher.answered):
        searcher.refresh()
    qtbot.waitUntil(lambda: not searcher.is_waiting)


def shown_query(window: MainWindow) -> str | None:
    answer = window.main_view.results.answer
    return answer.results.original_query if answer is not None else None


def titles(window: MainWindow) -> list[str]:
    model = window.main_view.results.model()
    rows = [model.index(row, 0).data() for row in range(model.rowCount())]
    return [re.split("[,:]", row)[0] for row in rows if "more passage" not in row]


def press(qtbot: QtBot, parent: QWidget, name: str) -> None:
    button = next(
        found
        for found in parent.findChildren(QAbstractButton)
        if found.isVisible() and name in (found.text().replace("&", ""), found.accessibleName())
    )
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def is_at_rest(window: MainWindow) -> bool:
    """Return whether no sync and no other background work is running."""
    return not window.progress.is_running and window.session.is_idle


def page_of(qtbot: QtBot, window: MainWindow, folder: Path) -> AddDialog:
    """Wait for the preview of `folder`, and return its dialog."""

    def is_there() -> bool:
        page = window.adding.page
        return page is not None and page.folder == folder and not page.is_looking

    qtbot.waitUntil(is_there)
    page = window.adding.page
    assert page is not None
    return page


def add(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    """Confirm the preview of `folder`, which is open or about to open."""
    press(qtbot, page_of(qtbot, window, folder), "Add")


def turn_to(pages: QTabWidget, page: QWidget) -> None:
    """Show the page of a dialog that contains a widget."""
    places = [row for row in range(pages.count()) if _is_on(pages.widget(row), page)]
    pages.setCurrentIndex(places[0])


def _is_on(page: QWidget, widget: QWidget) -> bool:
    return page is widget or page.isAncestorOf(widget)
