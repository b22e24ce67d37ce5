"""The library dialog stays responsive with thousands of folders and 100,000 documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.library.folders_dialog import FolderColumn
from core.catalog.documents import Failure
from core.catalog.files.file_lists import FileList
from core.catalog.files.folders import Folder
from core.catalog.reports import Shares
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import press, turn_to
from tests.app.test_watchdog import assert_quick, watched

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

_FOLDERS = 5_000
_FAILURES = 100_000


def test_thousands_of_folders_are_added_changed_and_scrolled(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    library.list_of_folders = [
        Folder(number, tmp_path / f"{number}", 20, number % 3, True, waiting=number % 7)
        for number in range(_FOLDERS)
    ]
    library.list_of_failures = [
        Failure(tmp_path / f"{number}.pdf", "Password required") for number in range(_FAILURES)
    ]
    library.stored_shares = Shares(1, 1, {number: number * 1000 for number in range(_FOLDERS)})
    window = make_window()
    pages = window.folders.pages
    qtbot.waitUntil(lambda: library.syncs == 1 and not window.progress.is_running)
    model = window.folders.folders.model
    qtbot.waitUntil(lambda: model.rowCount() == _FOLDERS)
    # The first display of any dialog is expensive.
    window.folders.show()
    qtbot.waitExposed(window.folders)
    window.folders.hide()
    with watched() as dog:
        press(qtbot, window, "Library")
        size_cell = model.index(_FOLDERS - 1, FolderColumn.INDEX)
        qtbot.waitUntil(lambda: size_cell.data() != "")
        turn_to(pages, window.folders.files)
        window.folders.files.choose(FileList.UNREADABLE)
        qtbot.waitUntil(lambda: window.folders.files.model.rowCount() > 1)
        turn_to(pages, window.folders.maintenance)
        turn_to(pages, window.folders.folders)
        window.folders.folders.view.scrollToBottom()
        library.list_of_folders = [replace(one, waiting=0) for one in library.list_of_folders]
        library.list_of_failures.pop()
        syncs = library.syncs
        window.session.sync()
        qtbot.waitUntil(lambda: library.syncs > syncs and not window.progress.is_running)
        state = model.index(1, FolderColumn.STATE)
        qtbot.waitUntil(lambda: "to index" not in state.data())
    assert_quick(dog)
