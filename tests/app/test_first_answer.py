"""The first response arrives before the rest of the window is built and the library is open."""

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

    Ask = Callable[[str], MainWindow]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable time limits that a busy machine would exceed."""
    monkeypatch.setattr("app.window.building._FIRST_RESULTS_MS", 600_000)


@pytest.fixture
def catalog(tmp_path: Path) -> None:
    """A library in the window's home, replaced by a double once it is open."""
    with Library.open(tmp_path / "home") as library:
        pages = [Page(1, "Herons wait in the reeds.")]
        library.add_collection("notes", [("heron", Document("Herons", pages))])


@pytest.fixture
def ask(qtbot: QtBot, make_window: MakeWindow) -> Ask:
    """Return a function that opens a complete window with a query, before its library is open."""

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
def test_it_is_shown_before_the_reader_is_built(
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
def test_all_parts_know_the_query_that_was_typed_early(
    qtbot: QtBot, make_window: MakeWindow
) -> None:
    saved = LoadedSettings(Settings(saved_searches={"heron": ""}))
    window = make_window(loaded=saved, is_whole=False)
    window.box.set_text("heron")
    with qtbot.waitSignal(window.furnished):
        window.show()
    names = {button.accessibleName() for button in window.box.findChildren(IconButton)}
    assert "Remove saved search" in names


@pytest.mark.usefixtures("catalog")
def test_the_library_does_not_repeat_the_query_and_adds_meaning(
    qtbot: QtBot, ask: Ask, library: LibraryDouble
) -> None:
    window = ask("heron")
    assert titles(window) == ["Herons"]
    waits: list[bool] = []
    window.session.opened.connect(lambda _: waits.append(window.searcher.is_waiting))
    window.start()
    qtbot.waitUntil(lambda: ("heron", "hybrid") in library.searches)
    assert waits == [False]


@pytest.mark.usefixtures("catalog")
def test_a_selected_result_is_read_once_the_library_is_open(
    qtbot: QtBot, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = ask("heron")
    reader = window.main_view.reader
    seen: list[str] = []
    show = reader.header.show_document

    def noted(title: str, path: Path, *, has_pages: bool) -> None:
        seen.append(title)
        show(title, path, has_pages=has_pages)

    # Only briefly: the double has other documents, and reports them soon.
    monkeypatch.setattr(reader.header, "show_document", noted)
    assert reader.isVisible()
    label_texts = {
        label.text() for label in reader.view.empty.findChildren(QLabel) if label.isVisible()
    }
    assert set(texts.opening()) <= label_texts
    window.start()
    qtbot.waitUntil(lambda: seen[:1] == ["Herons"])


def test_without_a_catalog_nothing_waits_for_it(
    qtbot: QtBot, ask: Ask, library: LibraryDouble
) -> None:
    window = ask("oats")
    assert not titles(window)
    window.start()
    qtbot.waitUntil(lambda: titles(window) != [])


@pytest.mark.usefixtures("catalog")
def test_an_invalid_query_is_reported_without_delay(qtbot: QtBot, ask: Ask) -> None:
    window = ask("heron " * 2000)
    assert window.remark.isVisible()


@pytest.mark.usefixtures("catalog")
def test_missing_results_are_searched_in_the_library(qtbot: QtBot, ask: Ask) -> None:
    window = ask("oats")
    assert not window.main_view.shows_results
    window.start()
    qtbot.waitUntil(lambda: titles(window) != [])


@pytest.mark.usefixtures("catalog")
def test_the_first_response_arrives_soon(
    qtbot: QtBot, make_window: MakeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.window.building._FIRST_RESULTS_MS", 1)
    window = make_window(is_whole=False)
    window.box.set_text("heron")
    with qtbot.waitSignal(window.furnished):
        window.show()
    qtbot.waitUntil(lambda: titles(window) == ["Herons"])


def test_shortcuts_work_before_the_menu_is_built(qtbot: QtBot, make_window: MakeWindow) -> None:
    window = make_window(is_whole=False)
    with qtbot.waitSignal(window.furnished):
        window.show()
        qtbot.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
        qtbot.keyClick(window, Qt.Key.Key_F3)
    assert window.preferences.isVisible()
