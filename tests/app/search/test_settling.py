"""The list is reranked once by all tokens, unless the person has chosen a row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.main_window import MainWindow
from core.errors import ModelError
from core.progress import Job
from core.requests import Search
from core.responses import MEANING, ScoreTerm, SearchResults
from tests.app.library_double import LibraryDouble
from tests.app.person import search, search_again, titles

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def turned(library: LibraryDouble, monkeypatch: pytest.MonkeyPatch) -> LibraryDouble:
    """A library that reverses its answers when they are refined, after the gate is opened."""
    library.refining_gate.clear()
    find = library.answers[Search]

    def found(request: Search, job: Job | None) -> SearchResults:
        results: SearchResults = find(request, job)
        if not request.is_refined or not results.tokens:
            return results
        term = ScoreTerm(MEANING, "Meaning", 1.0, 0.5, is_exact=True)
        hits = tuple(
            replace(hit, passages=tuple(replace(one, terms=(term,)) for one in hit.passages))
            for hit in reversed(results.hits)
        )
        return replace(results, hits=hits)

    monkeypatch.setitem(library.answers, Search, found)
    return library


def settle(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> None:
    with qtbot.waitSignal(window.searcher.settled):
        library.refining_gate.set()


def test_the_list_is_reranked_once_before_a_row_is_chosen(
    qtbot: QtBot, window: MainWindow, turned: LibraryDouble
) -> None:
    search(qtbot, window, "wheat dry")
    first = titles(window)
    assert len(first) > 1
    assert window.searcher.is_settling
    settle(qtbot, window, turned)
    assert titles(window) == first[::-1]
    # The reader shows the new first result.
    results = window.main_view.results
    assert results.currentIndex().row() == 0
    assert results.chosen is not None
    assert results.chosen.title in first[-1]
    assert turned.refined == ["wheat dry"]


def test_a_reranked_list_keeps_its_order(
    qtbot: QtBot, window: MainWindow, turned: LibraryDouble
) -> None:
    search(qtbot, window, "wheat dry")
    settle(qtbot, window, turned)
    settled = titles(window)
    search_again(qtbot, window)
    assert titles(window) == settled
    assert not window.searcher.is_settling
    assert turned.refined == ["wheat dry"]


def test_an_earlier_search_does_not_undo_the_reranking(
    qtbot: QtBot, window: MainWindow, turned: LibraryDouble
) -> None:
    search(qtbot, window, "wheat dry")
    first = titles(window)
    assert window.searcher.is_settling
    turned.search_gate.clear()
    searches = len(turned.searches)
    window.searcher.refresh()
    qtbot.waitUntil(lambda: len(turned.searches) > searches)
    settle(qtbot, window, turned)
    turned.search_gate.set()
    qtbot.waitUntil(lambda: not window.searcher.is_waiting and not window.searcher.is_settling)
    assert titles(window) == first[::-1]


def test_a_chosen_row_keeps_the_list_as_it_is(
    qtbot: QtBot, window: MainWindow, turned: LibraryDouble
) -> None:
    search(qtbot, window, "wheat dry")
    first = titles(window)
    results = window.main_view.results
    results.setCurrentIndex(results.model().index(1, 0))
    chosen = results.chosen
    settle(qtbot, window, turned)
    assert titles(window) == first
    assert results.chosen is chosen
    assert results.currentIndex().row() == 1


def test_another_query_cancels_the_reranking(
    qtbot: QtBot, window: MainWindow, turned: LibraryDouble
) -> None:
    search(qtbot, window, "wheat dry")
    search(qtbot, window, "oats dry")
    settle(qtbot, window, turned)
    answer = window.main_view.results.answer
    assert answer is not None
    assert answer.results.query == "oats dry"


def test_a_failed_reranking_keeps_the_list_and_is_reported(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = library.answers[Search]

    def found(request: Search, job: Job | None) -> SearchResults:
        if request.is_refined and "wheat" in request.query:
            raise ModelError("The model's files are missing; install Winnow again.")
        results: SearchResults = find(request, job)
        return results

    monkeypatch.setitem(library.answers, Search, found)
    search(qtbot, window, "wheat dry")
    qtbot.waitUntil(window.remark.isVisible)
    assert len(titles(window)) > 1
    assert "model's files are missing" in window.remark.accessibleName()
