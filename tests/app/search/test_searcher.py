"""Searches by words, by meaning or by both."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from app.main_window import MainWindow
from core.errors import ModelError
from core.progress import Job
from core.requests import CountFacets
from core.responses import Facets
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import line, search
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_words_answer_first_if_meaning_is_slow(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.search_gate.clear()
    search(qtbot, window, "wheat dry")
    assert library.searches == [("wheat dry", "hybrid"), ("wheat dry", "words")]
    assert window.main_view.shows_results

    library.search_gate.set()
    qtbot.waitUntil(lambda: not window.searcher.is_waiting)
    assert window.main_view.shows_results


def test_words_do_not_answer_if_meaning_is_quick(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    window.searcher._words_timer.setInterval(5000)
    search(qtbot, window, "wheat dry")
    assert library.searches == [("wheat dry", "hybrid")]


def test_until_the_model_is_loaded_words_are_searched(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.warm_gate.clear()
    window = make_window()
    search(qtbot, window, "wheat dry")
    # Possibly searched once more after the sync.
    assert set(library.searches) == {("wheat dry", "words")}
    assert [chip.text for chip in window.chips.chips] == ["wheat", "dry"]
    assert "Loading search by meaning" in window.status_line.library.whole

    library.warm_gate.set()
    qtbot.waitUntil(lambda: library.searches[-1] == ("wheat dry", "hybrid"))
    qtbot.waitUntil(lambda: "Loading search by meaning" not in window.status_line.library.whole)


@pytest.mark.parametrize("is_there", [True, False])
def test_the_vocabulary_is_computed_once_the_model_has_loaded_or_failed(
    qtbot: QtBot,
    make_window: MakeWindow,
    library: LibraryDouble,
    monkeypatch: pytest.MonkeyPatch,
    is_there: bool,
) -> None:
    learned: list[bool] = []
    monkeypatch.setattr(library, "background_vocabulary", lambda: lambda _job: learned.append(True))
    if not is_there:
        library.warm_error = ModelError("The model's files are missing; install Winnow again.")
    library.warm_gate.clear()
    window = make_window()
    with qtbot.waitSignal(window.session.synced):
        pass
    # Anything the sync would have learned is known by now.
    qtbot.waitUntil(lambda: window.session.files.is_empty)
    assert not learned

    library.warm_gate.set()
    qtbot.waitUntil(lambda: bool(learned))


def test_the_vocabulary_is_computed_after_the_counts(
    qtbot: QtBot,
    make_window: MakeWindow,
    library: LibraryDouble,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_count = threading.Event()
    learned: list[bool] = []
    count = library.answers[CountFacets]

    def facets(request: CountFacets, job: Job | None) -> Facets:
        assert may_count.wait(patience())
        counted: Facets = count(request, job)
        return counted

    monkeypatch.setitem(library.answers, CountFacets, facets)
    monkeypatch.setattr(library, "background_vocabulary", lambda: lambda _job: learned.append(True))
    window = make_window()
    with qtbot.waitSignals([window.session.warmed, window.session.synced]):
        pass
    # It would have begun by now: tasks begin in the order in which they are started.
    with qtbot.waitSignal(window.session.reads.start(lambda _job: None).succeeded):
        pass
    assert not learned
    may_count.set()
    qtbot.waitUntil(lambda: bool(learned))
    assert not window.tools.filtering.is_counting


def test_without_a_model_words_are_searched_and_the_reason_shown(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.warm_error = ModelError("The model's files are missing; install Winnow again.")
    window = make_window()
    qtbot.waitUntil(lambda: window.trouble.isVisible())
    assert "model's files are missing" in window.trouble.accessibleName()
    search(qtbot, window, "wheat")

    assert library.searches[-1] == ("wheat", "words")
    assert "Searching by words only" in window.status_line.library.whole


@pytest.fixture
def warmed(library: LibraryDouble, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of searches before each time the model was loaded."""
    noted: list[int] = []
    monkeypatch.setattr(library, "warm_up", lambda: noted.append(len(library.searches)))
    return noted


@pytest.fixture
def opening(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, warmed: list[int]
) -> MainWindow:
    """The window of a library that opens on the first search; searches by words wait at a gate."""
    may_open = threading.Event()

    def open_engine() -> LibraryDouble:
        assert may_open.wait(patience())
        return library

    library.words_gate.clear()
    window = make_window(open_engine)
    window.session._grace.setInterval(60_000)
    qtbot.keyClicks(line(window), "wheat")
    qtbot.waitUntil(lambda: not window.searcher.is_waiting)
    may_open.set()
    qtbot.waitUntil(lambda: library.searches == [("wheat", "words")])
    return window


def test_the_first_answer_by_words_comes_before_the_model_is_loaded(
    qtbot: QtBot, opening: MainWindow, library: LibraryDouble, warmed: list[int]
) -> None:
    assert opening.session._grace.isActive()
    assert warmed == []
    library.words_gate.set()
    qtbot.waitUntil(lambda: warmed == [1])


def test_the_model_does_not_wait_long_for_the_first_answer(
    qtbot: QtBot, opening: MainWindow, warmed: list[int]
) -> None:
    opening.session._grace.start(10)
    qtbot.waitUntil(lambda: warmed == [1])


def test_without_a_query_the_model_is_loaded_immediately(
    qtbot: QtBot, make_window: MakeWindow, warmed: list[int]
) -> None:
    window = make_window()
    qtbot.waitUntil(lambda: warmed == [0])
    assert not window.session._grace.isActive()


def test_a_closing_window_loads_no_model(
    qtbot: QtBot, opening: MainWindow, library: LibraryDouble, warmed: list[int]
) -> None:
    with qtbot.waitSignal(opening.closed):
        opening.quit()
        library.words_gate.set()
        opening.session._grace.start(0)
    assert warmed == []
