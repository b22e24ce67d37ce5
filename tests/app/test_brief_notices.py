"""Short notices of what an action did, and banners that end with their cause."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMenu

from core.catalog.files.folders import Folder
from core.errors import WinnowError
from tests.app.person import is_at_rest, line, press, search

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot

    from app.main_window import MainWindow
    from tests.app.library_double import LibraryDouble


def test_copying_a_passage_is_confirmed_for_a_while(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat dry")
    window.main_view.results.setFocus()
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert window.brief.text == "Copied with its source"
    assert "Wheat keeps" in QGuiApplication.clipboard().text()
    qtbot.waitUntil(lambda: window.brief.text == "")


def test_a_notice_stays_at_the_bottom_of_the_window(qtbot: QtBot, window: MainWindow) -> None:
    window.tools.history.toggle("wheat")
    for height in (700, 560):
        window.resize(900, height)
        qtbot.waitUntil(
            lambda height=height: height // 2 < window.brief.geometry().bottom() < height
        )


def test_saving_a_search_is_confirmed_and_undone(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat")
    press(qtbot, window.box, "Save search")
    assert window.tools.history.saved == {"wheat": ""}
    assert window.brief.text == "Search saved as “wheat”"
    press(qtbot, window.brief, "Undo")
    assert window.tools.history.saved == {}


def test_clearing_the_recent_searches_is_undone(qtbot: QtBot, window: MainWindow) -> None:
    window.tools.history.note("wheat")
    window.tools.history.clear()
    press(qtbot, window.brief, "Undo")
    assert window.tools.history.recent == ("wheat",)


def test_a_missing_folder_is_reported_in_the_window_until_it_is_back(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    present = library.list_of_folders[0]
    library.list_of_folders[:] = [present, Folder(2, Path("/media/stick"), 4, 0, is_there=False)]
    window.session.sync()
    qtbot.waitUntil(lambda: window.status_line.missing_text == "Folder missing: stick")
    press(qtbot, window.status_line, "Folder missing: stick")
    assert window.folders.isVisible()
    window.folders.close()

    library.list_of_folders[:] = [replace(folder, is_there=True) for folder in library.folders()]
    window.session.sync()
    qtbot.waitUntil(lambda: window.status_line.missing_text == "")


def test_a_full_disk_is_no_longer_reported_once_a_sync_succeeds(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.sync_error = WinnowError("The disk is full.")
    window.session.sync()
    qtbot.waitUntil(lambda: window.trouble.isVisible() and is_at_rest(window))
    library.sync_error = None
    window.session.sync()
    qtbot.waitUntil(lambda: not window.trouble.isVisible() and is_at_rest(window))


def test_a_problem_of_a_sync_ends_with_the_sync_without_it(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.sync_problem = "The folder is not available."
    window.session.sync()
    qtbot.waitUntil(lambda: window.trouble.isVisible() and is_at_rest(window))
    library.sync_problem = ""
    window.session.sync()
    qtbot.waitUntil(lambda: not window.trouble.isVisible() and is_at_rest(window))


def test_an_update_without_news_says_so(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.sync_gate.clear()
    for sentence in ("", "Your folders are being read already"):
        qtbot.keyClick(window, Qt.Key.Key_F5)
        qtbot.waitUntil(lambda sentence=sentence: window.brief.text == sentence)
        qtbot.waitUntil(library.in_sync.is_set)
    library.sync_gate.set()
    qtbot.waitUntil(lambda: window.brief.text == "Your documents are up to date")
    assert library.syncs == 2


def test_the_menu_of_a_result_opens_by_its_key(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat")
    results = window.main_view.results
    results.setFocus()
    qtbot.keyClick(results, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    (menu,) = (menu for menu in results.findChildren(QMenu) if menu.isVisible())
    assert menu.actions()[0].text() == "Open document"
    menu.close()


def test_the_search_box_has_the_focus_after_the_library(qtbot: QtBot, window: MainWindow) -> None:
    window.main_view.filters.tree.setFocus()
    window.show_library()
    qtbot.keyClick(window.folders, Qt.Key.Key_Escape)
    assert window.focusWidget() is line(window)


def test_the_text_returns_to_its_normal_size(window: MainWindow) -> None:
    for name, percent in (("Larger text", 110), ("Normal text size", 100)):
        actions = (action for menu in window.findChildren(QMenu) for action in menu.actions())
        next(action for action in actions if action.text() == name).trigger()
        assert window.appearance.percent == percent


def test_a_missing_application_is_reported_until_the_next_query(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    search(qtbot, window, "wheat")
    qtbot.keyClick(line(window), Qt.Key.Key_Return)
    qtbot.waitUntil(window.trouble.isVisible)
    qtbot.keyClicks(line(window), " d")
    assert not window.trouble.isVisible()
