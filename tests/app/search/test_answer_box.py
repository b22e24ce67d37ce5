"""The sentence that answers a question stands above the results."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from app.main_window import MainWindow
from core.progress import Job
from core.requests import Search
from core.responses import SearchResults
from tests.app.library_double import LibraryDouble
from tests.app.person import search

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def answering(library: LibraryDouble, monkeypatch: pytest.MonkeyPatch) -> LibraryDouble:
    """A library whose refined answers begin with a sentence of the first passage."""
    find = library.answers[Search]

    def found(request: Search, job: Job | None) -> SearchResults:
        results: SearchResults = find(request, job)
        if not (request.is_refined and results.hits and "who" in request.query):
            return results
        first, *others = results.hits
        best, *further = first.passages
        best = replace(best, answer=(0, best.passage.text.index(".") + 1))
        return replace(results, hits=(replace(first, passages=(best, *further)), *others))

    monkeypatch.setitem(library.answers, Search, found)
    return library


def ask(qtbot: QtBot, window: MainWindow, query: str) -> None:
    with qtbot.waitSignal(window.searcher.settled):
        search(qtbot, window, query)


def test_the_sentence_is_shown_with_its_file(
    qtbot: QtBot, window: MainWindow, answering: LibraryDouble
) -> None:
    ask(qtbot, window, "who dries wheat")
    box = window.main_view.answer
    assert box.isVisible()
    passage = window.main_view.results.answer.rows[0].hit.passage
    assert box.sentence == passage.text[: passage.text.index(".") + 1]
    name = window.main_view.results.answer.rows[0].document.path.name
    assert box.accessibleName().startswith(f"{box.sentence} {name}")


def test_it_is_copied_with_its_source(
    qtbot: QtBot, window: MainWindow, answering: LibraryDouble
) -> None:
    ask(qtbot, window, "who dries wheat")
    box = window.main_view.answer
    copy = next(each for each in box.findChildren(QPushButton) if "Copy" in each.text())
    copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(box.sentence)
    assert "—" in copied


def test_it_goes_with_the_question(
    qtbot: QtBot, window: MainWindow, answering: LibraryDouble
) -> None:
    ask(qtbot, window, "who dries wheat")
    ask(qtbot, window, "oats")
    assert not window.main_view.answer.isVisible()
