"""Menus on folders, results and documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.main_window import MainWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import line, search

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def menu_at(view: QWidget, point: QPoint) -> QMenu:
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, view.mapToGlobal(point))
    QApplication.sendEvent(view, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def entries(menu: QMenu) -> dict[str, QAction]:
    return {one.text(): one for one in menu.actions() if one.text()}


def choose(menu: QMenu, entry: str) -> None:
    entries(menu)[entry].trigger()
    menu.close()


def folder_menu(qtbot: QtBot, window: MainWindow, folder: Path) -> QMenu:
    tree = window.main_view.filters.tree
    qtbot.waitUntil(lambda: tree.filters.index_of(folder).isValid())
    return menu_at(tree.viewport(), tree.visualRect(tree.filters.index_of(folder)).center())


def test_a_folder_of_the_library_can_be_searched_copied_and_removed(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    folder = library.list_of_folders[0].path
    search(qtbot, window, "wheat type:text")
    choose(folder_menu(qtbot, window, folder), "Only this folder")
    qtbot.waitUntil(lambda: "in:" in window.box.text())
    assert window.box.text().startswith("wheat type:text in:")

    choose(folder_menu(qtbot, window, folder), "Copy path")
    assert QGuiApplication.clipboard().text() == str(folder)

    menu = folder_menu(qtbot, window, folder)
    assert "Exclude this folder" not in entries(menu)
    choose(menu, "Remove from library…")
    assert window.folders.isVisible()
    assert library.list_of_folders, "it asks before"
    window.folders.close()


def test_the_page_of_folders_has_the_menu(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    window.folders.present()
    view = window.folders.folders.view
    qtbot.waitUntil(lambda: view.model().rowCount() > 0)
    syncs = library.syncs
    menu = menu_at(view.viewport(), view.visualRect(view.model().index(0, 0)).center())
    names = ["Only this folder", "Update this folder", "Show in folder", "Copy path"]
    assert list(entries(menu)) == [*names, "Remove from library…"]
    choose(menu, "Update this folder")
    qtbot.waitUntil(lambda: library.syncs > syncs)
    window.folders.close()


def test_the_menu_of_a_result_shows_its_keys(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "porridge")
    results = window.main_view.results
    place = results.visualRect(results.model().index(0, 0)).center()
    menu = menu_at(results.viewport(), place)
    keys = {name: action.shortcut().toString() for name, action in entries(menu).items()}
    assert keys["Open document"] == "Enter"
    assert keys["Show in folder"] == "Ctrl+Enter"
    assert "Only this folder" in keys
    choose(menu, "Copy path")
    assert QGuiApplication.clipboard().text().endswith("oats.md")


def test_a_selection_in_the_reader_is_searched_for(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "porridge")
    text = window.main_view.reader.view.text
    qtbot.waitUntil(lambda: "Rolled oats" in text.toPlainText())
    menu = menu_at(text.viewport(), QPoint(30, 20))
    assert not entries(menu)["Search for selection"].isEnabled()
    menu.close()
    cursor = text.textCursor()
    cursor.setPosition(text.toPlainText().index("Rolled oats"))
    cursor.movePosition(cursor.MoveOperation.Right, cursor.MoveMode.KeepAnchor, 11)
    text.setTextCursor(cursor)
    choose(menu_at(text.viewport(), QPoint(30, 20)), "Search for selection")
    qtbot.waitUntil(lambda: line(window).text() == "Rolled oats")


def test_popups_are_rounded(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "porridge")
    results = window.main_view.results
    menu = menu_at(results.viewport(), results.visualRect(results.model().index(0, 0)).center())
    assert menu.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    assert menu.grab().toImage().pixelColor(0, 0).alpha() < 255
    menu.close()
