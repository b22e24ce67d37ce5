"""The first answer: it is there before the rest of the window, and before the library is open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app import texts
from app.main_window import MainWindow
from app.reader.reader import ReaderView
from app.widgets.icons import IconButton
from core.documents.document import Document, Page
from core.library.library import Library
from core.settings import LoadedSettings, Settings
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from app.background import Lane

    Asked = Callable[[str], MainWindow]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing goes on because the machine is busy."""
    monkeypatch.setattr("app.main_window._FIRST_RESULTS_MS", 600_000)


@pytest.fixture
def catalog(tmp_path: Path) -> None:
    """A library in the window's home, which a double stands for once it is open."""
    with Library.open(tmp_path / "home") as library:
        pages = [Page(1, "Herons wait in the reeds.")]
        library.add_collection("notes", [("heron", Document("Herons", pages))])


@pytest.fixture
def ask(qtbot: QtBot, make_window: MakeWindow) -> Asked:
    """Gives a window that begins with a query, whole; its library is not open yet."""

    def ask(query: str) -> MainWindow:
        window = make_window(is_whole=False)
        window.box.set_text(query)
        with qtbot.waitSignal(window.furnished):
            window.show()
        return window

    return ask


def titles(window: MainWindow) -> list[str]:
    answer = window.main_view.results.answer
    return [] if answer is None else [row.title for row in answer.rows]


@pytest.mark.usefixtures("catalog")
def test_it_is_shown_before_the_reader_is_made(
    qtbot: QtBot, make_window: MakeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window(is_whole=False)
    seen: list[str] = []

    def make(lane: Lane) -> ReaderView:
        seen.extend(titles(window))
        assert window.main_view.shows_results
        return ReaderView(lane)

    monkeypatch.setattr("app.reader.reader.ReaderView", make)
    window.box.set_text("heron")
    with qtbot.waitSignal(window.furnished):
        window.show()
    assert seen == ["Herons"]
    assert [chip.text for chip in window.chips.chips] == ["heron"]


@pytest.mark.usefixtures("catalog")
def test_all_that_follows_the_box_knows_what_was_asked(
    qtbot: QtBot, make_window: MakeWindow
) -> None:
    saved = LoadedSettings(Settings(saved_searches=("heron",)))
    window = make_window(loaded=saved, is_whole=False)
    window.box.set_text("heron")
    with qtbot.waitSignal(window.furnished):
        window.show()
    names = {button.accessibleName() for button in window.box.findChildren(IconButton)}
    assert "Remove saved search" in names


@pytest.mark.usefixtures("catalog")
def test_the_library_is_not_asked_the_same_and_takes_over_by_meaning(
    qtbot: QtBot, ask: Asked, library: LibraryDouble
) -> None:
    window = ask("heron")
    assert titles(window) == ["Herons"]
    waits: list[bool] = []
    window.session.opened.connect(lambda _: waits.append(window.searcher.is_waiting))
    window.start()
    qtbot.waitUntil(lambda: ("heron", "hybrid") in library.searches)
    assert waits == [False]


@pytest.mark.usefixtures("catalog")
def test_what_is_chosen_in_it_is_read_once_the_library_is_open(
    qtbot: QtBot, ask: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = ask("heron")
    reader = window.main_view.reader
    seen: list[str] = []
    show = reader.header.show_document

    def noted(title: str, path: Path, *, has_pages: bool) -> None:
        seen.append(title)
        show(title, path, has_pages=has_pages)

    # For a moment only: what stands for the library has other documents, and says so soon.
    monkeypatch.setattr(reader.header, "show_document", noted)
    assert reader.isVisible()
    said = {label.text() for label in reader.view.empty.findChildren(QLabel) if label.isVisible()}
    assert set(texts.opening()) <= said
    window.start()
    qtbot.waitUntil(lambda: seen[:1] == ["Herons"])


def test_where_there_is_no_catalog_nothing_waits_for_it(
    qtbot: QtBot, ask: Asked, library: LibraryDouble
) -> None:
    window = ask("oats")
    assert not titles(window)
    window.start()
    qtbot.waitUntil(lambda: titles(window) != [])


@pytest.mark.usefixtures("catalog")
def test_what_cannot_be_asked_is_said_and_keeps_nobody_waiting(qtbot: QtBot, ask: Asked) -> None:
    window = ask("heron " * 2000)
    assert window.remark.isVisible()


@pytest.mark.usefixtures("catalog")
def test_what_it_lacks_is_looked_for_in_the_library(qtbot: QtBot, ask: Asked) -> None:
    window = ask("oats")
    assert not window.main_view.shows_results
    window.start()
    qtbot.waitUntil(lambda: titles(window) != [])


@pytest.mark.usefixtures("catalog")
def test_nobody_waits_long_for_it(
    qtbot: QtBot, make_window: MakeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.main_window._FIRST_RESULTS_MS", 1)
    window = make_window(is_whole=False)
    window.box.set_text("heron")
    with qtbot.waitSignal(window.furnished):
        window.show()
    qtbot.waitUntil(lambda: titles(window) == ["Herons"])


def test_keys_of_the_menu_are_heeded_before_it_is_there(
    qtbot: QtBot, make_window: MakeWindow
) -> None:
    window = make_window(is_whole=False)
    with qtbot.waitSignal(window.furnished):
        window.show()
        qtbot.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
        qtbot.keyClick(window, Qt.Key.Key_F3)
    assert window.preferences.isVisible()
