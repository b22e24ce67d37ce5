"""A long list of results: laid out, highlighted and counted only as far as it is scrolled."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt

from app.highlighting import HighlightedText
from app.main_window import MainWindow
from app.search import results_delegate
from app.search.results_delegate import measures_of
from app.search.rows import PassageRow
from core.search.output.match import snippet_of, width_in_letters
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import search

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

DOCUMENTS = 120
FILLER = "It says little and takes a while to reach its end. "


@pytest.fixture
def library(library: LibraryDouble, tmp_path: Path) -> LibraryDouble:
    library.books.clear()
    for number in range(DOCUMENTS):
        path = tmp_path / f"{number}.txt"
        path.write_text("x", encoding="utf-8")
        texts = [f"Wheat {number}. {FILLER * (number % 9)}", "More wheat."]
        library.books.append(Book(path, f"Field {number}", [texts]))
    return library


def show_all(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat")
    for count in (60, DOCUMENTS):
        window.searcher.ask_for_more()
        qtbot.waitUntil(partial(has_shown, window, count))


def has_shown(window: MainWindow, count: int) -> bool:
    return shown(window) == count


def shown(window: MainWindow) -> int:
    answer = window.main_view.results.answer
    return len(answer.documents) if answer is not None else 0


def test_more_results_are_loaded_if_the_end_is_reached_during_a_search(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.search_gate.clear()
    search(qtbot, window, "wheat")
    assert window.searcher.is_waiting, "the answer by words is shown until the one by meaning"
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_End)
    library.search_gate.set()
    qtbot.waitUntil(lambda: shown(window) == 60)


def test_only_visible_rows_are_laid_out(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid_out: list[str] = []

    def counted(text: str, *arguments: Any, **named: Any) -> HighlightedText:
        laid_out.append(text)
        return HighlightedText(text, *arguments, **named)

    monkeypatch.setattr(results_delegate, "HighlightedText", counted)
    show_all(qtbot, window)
    window.main_view.results.viewport().repaint()
    # A title and a snippet each, twice, because the window was narrower for a moment.
    assert len(laid_out) < 4 * len(window.main_view.results.in_view()) + 40


def test_far_rows_get_exact_highlights_when_scrolled_into_view(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    show_all(qtbot, window)
    results = window.main_view.results

    def exact_passages() -> set[int]:
        answer = results.answer
        assert answer is not None
        return {row.passage_id for row in answer.rows if row.is_exact}

    qtbot.waitUntil(lambda: len(exact_passages()) == 80)
    assert not exact_passages() & {1000 * (DOCUMENTS - 1) + 50}
    qtbot.keyClick(results, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: results.in_view() <= exact_passages())
    assert len(exact_passages()) < DOCUMENTS


def test_further_passages_open_and_close_by_mouse_and_keyboard(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "wheat")
    results = window.main_view.results
    model = results.model()
    before = model.rowCount()
    more = model.index(1, 0)
    assert more.data() == "1 more passage"
    qtbot.mouseClick(
        results.viewport(), Qt.MouseButton.LeftButton, pos=results.visualRect(more).center()
    )
    assert model.rowCount() == before + 1
    results.setCurrentIndex(more)
    for key, rows in (
        (Qt.Key.Key_Left, before),
        (Qt.Key.Key_Right, before + 1),
        (Qt.Key.Key_Space, before),
        (Qt.Key.Key_Return, before + 1),
    ):
        qtbot.keyClick(results, key)
        assert model.rowCount() == rows
    qtbot.keyClick(results, Qt.Key.Key_Down)
    assert results.chosen is not None
    assert results.chosen.hit.passage.text == "More wheat."


def test_the_lines_of_a_snippet_are_estimated_without_layout(
    qtbot: QtBot, window: MainWindow
) -> None:
    show_all(qtbot, window)
    answer = window.main_view.results.answer
    assert answer is not None
    measures = measures_of(window.main_view.results.font())
    found = {
        measures.lines(row, 480)
        for row in answer.rows
        if isinstance(row, PassageRow) and row.is_best
    }
    assert found == {1, 2, 3}
    assert width_in_letters(snippet_of("流れ", (), 80)) == 4
