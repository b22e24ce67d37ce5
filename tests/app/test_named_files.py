"""Files whose names are what is looked for are shown above the results, read or not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton

from app.main_window import MainWindow
from core.catalog.documents import DocumentState, NamedDocument
from tests.app.library_double import LibraryDouble
from tests.app.person import press, search, titles

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def locked(library: LibraryDouble) -> Path:
    path = library.books[0].path.with_name("locked wheat.pdf")
    path.write_bytes(b"%PDF")
    library.named = (
        NamedDocument(7, path, "", DocumentState.FAILED, "needs a password"),
        NamedDocument(8, path.with_name("wheat.txt"), "", DocumentState.FOUND),
        NamedDocument(9, path.with_name("wheat.md"), "Wheat", DocumentState.READ),
        NamedDocument(10, path.with_name("wheat.rst"), "Wheat", DocumentState.READ),
    )
    return path


def test_files_are_named_above_the_results_with_what_became_of_them(
    qtbot: QtBot, window: MainWindow, locked: Path
) -> None:
    assert not window.main_view.named.isVisible()
    search(qtbot, window, "wheat")
    assert titles(window) == ["Storing grain"]
    assert window.main_view.named.isVisible()
    assert window.main_view.named.lines == [
        "locked wheat.pdf, needs a password",
        "wheat.txt, not read yet",
        "wheat.md",
    ]
    window.box.clear()
    assert not window.main_view.named.isVisible()


def test_a_named_file_is_opened_by_a_click(
    qtbot: QtBot, window: MainWindow, locked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []

    def open_url(url: QUrl) -> bool:
        opened.append(Path(url.toLocalFile()))
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    search(qtbot, window, "wheat")
    press(qtbot, window.main_view.named, "locked wheat.pdf")
    qtbot.waitUntil(lambda: opened == [locked])


def test_where_only_names_are_found_it_says_so(
    qtbot: QtBot, window: MainWindow, locked: Path
) -> None:
    search_nothing = "locked quagga"
    window.box.type_on(search_nothing)
    qtbot.waitUntil(
        lambda: window.main_view.empty.headline == f"No text found for “{search_nothing}”"
    )
    assert window.main_view.named.isVisible()


def test_a_name_with_an_ampersand_is_shown_as_it_is(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    path = library.books[0].path.with_name("R&D wheat.pdf")
    library.named = (NamedDocument(7, path, "", DocumentState.READ),)
    search(qtbot, window, "wheat")
    button = window.main_view.named.findChild(QPushButton)
    assert button.text().replace("&&", "\0").count("&") == 0, "no letter is underlined instead"
    assert button.shortcut().isEmpty()
    assert window.main_view.named.lines == ["R&D wheat.pdf"]
