"""The divider above less likely results, and "No close matches" if all are unlikely."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.main_window import MainWindow
from app.search.results_header import in_order
from app.search.rows import arrange
from core.requests import Search
from core.settings import Order
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import line, search, search_again

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot


def spoken(window: MainWindow) -> list[str]:
    model = window.main_view.results.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_less_likely_results_are_below_a_divider(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "wheat dry")
    view = window.main_view.results
    heights = [view.visualRect(view.model().index(row, 0)).height() for row in (0, 2)]
    search(qtbot, window, "wheat")
    library.unlikely = {"Acceptance of software"}
    search(qtbot, window, "wheat dry")
    assert window.main_view.shows_results
    first, _, last = spoken(window)
    assert window.main_view.header.count.text() == "2 documents"
    assert window.status_line.answer.text().startswith("1 close match · ")
    assert first.startswith("Storing grain, ")
    assert last.startswith("Less likely: Acceptance of software, ")
    qtbot.waitUntil(lambda: view.visualRect(view.model().index(2, 0)).height() > heights[1])
    assert view.visualRect(view.model().index(0, 0)).height() == heights[0]


def test_without_close_matches_the_less_likely_results_are_listed(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.unlikely = {book.title for book in library.books}
    search(qtbot, window, "wheat dry")
    qtbot.waitUntil(lambda: window.main_view.header.count.text() == "No close matches")
    assert window.main_view.shows_results
    assert spoken(window)[0].startswith("Less likely: Storing grain, ")
    assert window.status_line.answer.text().startswith("0 close matches · ")
    view = window.main_view.results
    assert view.visualRect(view.model().index(0, 0)).top() == 0, "directly below the header"


def test_new_results_leave_the_line_and_the_first_row_in_place(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    """As while files are read: twenty answers to one query, each with two more documents."""
    library.unlikely = {"Acceptance of software"}
    search(qtbot, window, "wheat dry silo")
    view = window.main_view.results
    for turn in range(20):
        better = Book(Path(f"/new/{turn}.txt"), f"Silo {turn}", [["Dry wheat in a dry silo."]])
        other = Book(Path(f"/new/dry {turn}.txt"), f"Dry {turn}", [["A dry summer."]])
        library.unlikely.add(other.title)
        library.books[:0] = [better] if turn % 2 else []
        library.books += [other]
        search_again(qtbot, window)
        qtbot.waitUntil(lambda: not window.searcher.is_settling)
        assert view.currentIndex().row() == 0
        assert view.verticalScrollBar().value() == 0
        assert view.answer is not None
        assert view.chosen is view.answer.documents[0].best
        close = view.answer.likely
        assert window.status_line.answer.text().startswith(f"{close} close match")
        assert not any(row.startswith("Less likely") for row in spoken(window)[:close])
    assert (view.answer.likely, len(view.answer.documents)) == (11, 20)


def test_less_likely_results_can_be_opened(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    monkeypatch.setattr(window.opener, "open", lambda *arguments: opened.append(arguments))
    library.unlikely = {book.title for book in library.books}
    search(qtbot, window, "wheat")
    qtbot.waitUntil(lambda: window.main_view.header.count.text() == "No close matches")
    qtbot.keyClick(line(window), Qt.Key.Key_Return)
    assert len(opened) == 1


def test_another_answer_to_the_query_does_not_hide_the_shown_results(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    """As when a document has changed in the meantime."""
    search(qtbot, window, "wheat")
    library.unlikely = {book.title for book in library.books}
    window.searcher.refresh()
    qtbot.waitUntil(lambda: spoken(window)[0].startswith("Less likely: "))
    assert window.main_view.shows_results


def test_interim_results_by_words_are_replaced(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.unlikely = {book.title for book in library.books}
    library.search_gate.clear()
    qtbot.keyClicks(line(window), "wheat")
    qtbot.waitUntil(lambda: window.main_view.shows_results)
    assert spoken(window)[0].startswith("Storing grain, ")
    library.search_gate.set()
    qtbot.waitUntil(lambda: window.main_view.header.count.text() == "No close matches")
    assert spoken(window)[0].startswith("Less likely: Storing grain, ")


def test_less_likely_results_come_last_in_any_order(library: LibraryDouble) -> None:
    answer = arrange(library.answer(Search("wheat dry")))
    best, *rest = answer.documents
    unlikely = replace(
        best, best=replace(best.best, document=replace(best.best.document, is_likely=False))
    )
    marked = replace(answer, documents=(unlikely, *rest))
    for order in Order:
        assert in_order(marked, order).documents[-1] is unlikely
