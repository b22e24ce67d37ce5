"""The divider above less likely results, and "No close matches" if all are unlikely."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.main_window import MainWindow
from app.search.results_header import in_order
from app.search.rows import arrange
from core.requests import Search
from core.settings import Order
from tests.app.library_double import LibraryDouble
from tests.app.person import line, search, titles

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
    assert window.main_view.header.text == "2 documents"
    assert window.status_line.answer_text.startswith("1 close match · ")
    assert first.startswith("Storing grain, ")
    assert last.startswith("Less likely: Acceptance of software, ")
    qtbot.waitUntil(lambda: view.visualRect(view.model().index(2, 0)).height() > heights[1])
    assert view.visualRect(view.model().index(0, 0)).height() == heights[0]


def test_unlikely_results_are_shown_on_request(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.unlikely = {book.title for book in library.books}
    qtbot.keyClicks(line(window), "wheat dry")
    empty = window.main_view.empty
    qtbot.waitUntil(lambda: empty.headline == "No close matches for “wheat dry”")
    qtbot.waitUntil(lambda: not window.searcher.is_waiting and not window.searcher.is_settling)
    assert empty.isVisible()
    assert not window.main_view.shows_results
    assert not titles(window)
    assert window.status_line.answer_text.startswith("0 close matches · ")
    button = next(one for one in empty.findChildren(QPushButton) if one.isVisible())
    assert button.text() == "Show less likely results"
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert window.main_view.shows_results
    assert window.main_view.results.hasFocus()
    assert spoken(window)[0].startswith("Less likely: Storing grain, ")

    line(window).clear()
    qtbot.keyClicks(line(window), "wheat")
    qtbot.waitUntil(lambda: empty.headline == "No close matches for “wheat”")
    assert not window.main_view.shows_results, "the choice applies to one query"


def test_hidden_results_are_not_opened(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    monkeypatch.setattr(window.opener, "open", lambda *arguments: opened.append(arguments))
    library.unlikely = {book.title for book in library.books}
    qtbot.keyClicks(line(window), "wheat")
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "No close matches for “wheat”")
    qtbot.keyClick(line(window), Qt.Key.Key_Return)
    assert not opened


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
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "No close matches for “wheat”")
    qtbot.waitUntil(window.main_view.empty.isVisible)


def test_less_likely_results_come_last_in_any_order(library: LibraryDouble) -> None:
    answer = arrange(library.answer(Search("wheat dry")))
    best, *rest = answer.found
    unlikely = replace(
        best, best=replace(best.best, document=replace(best.best.document, is_likely=False))
    )
    marked = replace(answer, found=(unlikely, *rest))
    for order in Order:
        assert in_order(marked, order).found[-1] is unlikely
