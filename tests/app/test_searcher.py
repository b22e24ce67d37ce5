"""Whether words, meaning or both are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.main_window import MainWindow
from core.errors import ModelError
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import search

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_words_answer_first_where_meaning_takes_its_time(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.search_gate.clear()
    search(qtbot, window, "wheat dry")
    assert library.searches == [("wheat dry", "hybrid"), ("wheat dry", "words")]
    assert window.body.shows_results

    library.search_gate.set()
    qtbot.waitUntil(lambda: not window.searcher.is_waiting)
    assert window.body.shows_results


def test_words_do_not_answer_where_meaning_is_quick(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    window.searcher._patience.setInterval(5000)
    search(qtbot, window, "wheat dry")
    assert library.searches == [("wheat dry", "hybrid")]


def test_until_the_model_is_loaded_words_are_searched(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.warm_gate.clear()
    window = make_window()
    search(qtbot, window, "wheat dry")
    assert library.searches == [("wheat dry", "words")]
    assert [chip.text for chip in window.chips.chips] == ["wheat", "dry"]
    assert "Getting ready" in window.status_line.library_text

    library.warm_gate.set()
    qtbot.waitUntil(lambda: library.searches[-1] == ("wheat dry", "hybrid"))
    qtbot.waitUntil(lambda: "Getting ready" not in window.status_line.library_text)


def test_without_a_model_words_are_searched_and_it_is_said_why(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.warm_error = ModelError("The model's files are missing; install Winnow again.")
    window = make_window()
    qtbot.waitUntil(lambda: window.trouble.isVisible())
    assert "model's files are missing" in window.trouble.accessibleName()
    search(qtbot, window, "wheat")

    assert library.searches[-1] == ("wheat", "words")
    assert "Searching by words only" in window.status_line.library_text
