"""Every screen of the window with the library in memory, for tests that apply to all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QTabWidget, QWidget

from app.main_window import MainWindow
from app.search.box import QueryHelp
from core.catalog.documents import DocumentState, Failure, NamedDocument
from core.catalog.files.folders import Folder, FolderRules
from tests.app.library_double import LibraryDouble
from tests.app.person import page_of, press, search

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

Open = Callable[["QtBot", MainWindow, LibraryDouble], QWidget]

NAMES = (
    "window", "results", "results with all optional strips", "folders", "removal", "files",
    "duplicates", "maintenance", "add folder", "appearance", "search", "indexing", "advanced",
    "teaching", "inspector", "help", "history", "menu",
)  # fmt: skip


def open_screen(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, name: str
) -> Iterator[QWidget]:
    """Yield the top-level widget of the screen, and close it afterwards."""
    screen = _OPEN[name](qtbot, window, library)
    qtbot.waitUntil(lambda: not window.session.is_reading)
    yield screen
    if screen is not window:
        screen.close()


def _window(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    return window


def _results(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    search(qtbot, window, "wheat dry")
    return window


def _all(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    library.notice = "The query is long; only its beginning was compared by meaning."
    path = library.books[2].path
    library.named = (NamedDocument(3, path, "", DocumentState.FAILED, "Password required"),)
    library.sync_gate.clear()
    window.session.sync()
    qtbot.waitUntil(library.in_sync.is_set)
    window.progress.show_stopped()
    window.teaching.bar.show()
    search(qtbot, window, "usefulness")
    library.sync_gate.set()
    return window


def _folders(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    library.list_of_failures[:] = [Failure(Path("/srv/a.pdf"), "Password required")]
    library.list_of_folders[1:] = [Folder(2, Path("/srv/papers"), 4, 1, True)]
    window.session.sync()
    window.folders.present()
    qtbot.waitUntil(lambda: len(window.folders.folders.lines) == 2)
    return window.folders


def _removal(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    dialog = _folders(qtbot, window, library)
    label = QCoreApplication.translate("FoldersPage", "Remo&ve…")
    press(qtbot, dialog, label.replace("&", ""))
    return dialog


def _page(
    open_dialog: Open, number: int, qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> QWidget:
    dialog = open_dialog(qtbot, window, library)
    dialog.findChild(QTabWidget).setCurrentIndex(number)
    return dialog


def _add(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    folder = library.list_of_folders[0]
    window.adding.change(replace(folder, rules=FolderRules(exclude=("*.bak",))))
    return page_of(qtbot, window, folder.path)


def _settings(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    window.preferences.present()
    return window.preferences


def _teaching(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    for query in ("wheat", "oats"):
        search(qtbot, window, query)
        window.teaching.toggle_chosen()
        qtbot.waitUntil(lambda: not window.session.is_reading)
    window.teaching.show_dialog()
    return window.teaching.dialog


def _inspector(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    search(qtbot, window, "wheat dry")
    window.inspector.open()
    qtbot.waitUntil(lambda: not window.inspector.dialog.message)
    return window.inspector.dialog


def _help(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    window.box.help_wanted.emit()
    qtbot.waitUntil(lambda: bool(window.findChildren(QueryHelp)))
    return window.findChildren(QueryHelp)[-1]


def _history(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    window.tools.history.note("wheat")
    return window.tools.history.show_menu(window.box)


def _menu(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> QWidget:
    return next(one for one in window.findChildren(QMenu) if len(one.actions()) > 5)


_OPEN = dict(
    zip(
        NAMES,
        (_window, _results, _all, _folders, _removal,
         *(partial(_page, _folders, number) for number in (1, 2, 3)), _add,
         *(partial(_page, _settings, number) for number in range(4)), _teaching, _inspector, _help,
         _history, _menu),
        strict=True,
    )
)  # fmt: skip
