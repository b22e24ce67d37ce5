"""The first answers of a window that is opening, with and without the background service."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from app import main_window
from app.main_window import MainWindow
from core.daemon_client.client import ServiceAnswerer
from core.progress import Job
from core.requests import Search
from core.responses import SearchResults
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import line, titles
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class ServiceDouble:
    """A service that searches like the library while it is running."""

    def __init__(self, library: LibraryDouble) -> None:
        # The same books, with separate gates and logs.
        self._other = LibraryDouble(home=library.home, books=library.books)
        self.is_there = True
        self.requests: list[tuple[str, bool]] = []

    def search(self, request: Search, job: Job | None = None) -> SearchResults | None:
        self.requests.append((request.query, request.is_refined))
        if not self.is_there:
            return None
        return self._other.answer(request, job)


@pytest.fixture
def service(library: LibraryDouble, monkeypatch: pytest.MonkeyPatch) -> ServiceDouble:
    double = ServiceDouble(library)
    monkeypatch.setattr(main_window, "existing_addresses", lambda _home: ["a socket"])
    monkeypatch.setattr(
        ServiceAnswerer,
        "answer_if_running",
        lambda _self, request, job=None: double.search(request, job),
    )
    return double


@pytest.fixture
def may_open() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def opening(
    service: ServiceDouble,
    make_window: MakeWindow,
    library: LibraryDouble,
    may_open: threading.Event,
) -> Callable[[], MainWindow]:
    """Make a window whose library opens, and whose model loads, when allowed."""
    library.warm_gate.clear()

    def open_engine() -> LibraryDouble:
        assert may_open.wait(patience())
        return library

    return lambda: make_window(open_engine)


def test_the_service_answers_by_meaning_before_the_library_is_open(
    qtbot: QtBot,
    opening: Callable[[], MainWindow],
    library: LibraryDouble,
    may_open: threading.Event,
) -> None:
    window = opening()
    qtbot.keyClicks(line(window), "wheat dry")
    qtbot.waitUntil(lambda: window.main_view.shows_results)
    qtbot.waitUntil(lambda: not window.searcher.is_settling)
    found = titles(window)
    assert len(found) > 1
    assert window.chips.chips
    assert library.searches == []

    # The library is open but its model is not loaded: no answer by words replaces the service's.
    may_open.set()
    reader = window.main_view.reader
    qtbot.waitUntil(lambda: bool(reader.view.text.toPlainText()))
    assert titles(window) == found
    assert library.searches == []
    assert library.aligned == []

    library.warm_gate.set()
    qtbot.waitUntil(lambda: ("wheat dry", "hybrid") in library.searches)
    assert ("wheat dry", "words") not in library.searches
    qtbot.waitUntil(lambda: not window.searcher.is_waiting)
    assert titles(window) == found
    # Now each word is highlighted.
    qtbot.waitUntil(lambda: bool(library.aligned))


def test_the_service_is_not_used_once_the_model_is_loaded(
    qtbot: QtBot,
    opening: Callable[[], MainWindow],
    service: ServiceDouble,
    library: LibraryDouble,
    may_open: threading.Event,
) -> None:
    may_open.set()
    library.warm_gate.set()
    window = opening()
    with qtbot.waitSignal(window.session.warmed):
        pass
    qtbot.keyClicks(line(window), "wheat dry")
    qtbot.waitUntil(lambda: window.main_view.shows_results)
    assert service.requests == []


def test_a_stopped_service_is_not_missed(
    qtbot: QtBot,
    opening: Callable[[], MainWindow],
    service: ServiceDouble,
    library: LibraryDouble,
    may_open: threading.Event,
) -> None:
    service.is_there = False
    window = opening()
    qtbot.keyClicks(line(window), "wheat dry")
    qtbot.waitUntil(lambda: ("wheat dry", False) in service.requests)
    qtbot.waitUntil(lambda: not window.searcher.is_waiting)
    assert not window.main_view.shows_results
    may_open.set()
    qtbot.waitUntil(lambda: window.main_view.shows_results)
    assert set(library.searches) == {("wheat dry", "words")}
    assert not window.remark.isVisible()
    assert not window.trouble.isVisible()


def test_a_service_that_stops_in_between_is_not_missed(
    qtbot: QtBot,
    opening: Callable[[], MainWindow],
    service: ServiceDouble,
    library: LibraryDouble,
    may_open: threading.Event,
) -> None:
    window = opening()
    qtbot.keyClicks(line(window), "wheat dry")
    qtbot.waitUntil(lambda: window.main_view.shows_results)
    qtbot.waitUntil(lambda: not window.searcher.is_settling)
    found = titles(window)
    service.is_there = False
    count = len(service.requests)
    may_open.set()
    # The service's answer stays until the model is loaded, and can be read at once.
    qtbot.waitUntil(lambda: len(service.requests) > count)
    qtbot.waitUntil(lambda: bool(window.main_view.reader.view.text.toPlainText()))
    assert titles(window) == found
    library.warm_gate.set()
    qtbot.waitUntil(lambda: ("wheat dry", "hybrid") in library.searches)
    assert ("wheat dry", "words") not in library.searches
    qtbot.waitUntil(lambda: not (window.searcher.is_waiting or window.searcher.is_settling))
    assert titles(window) == found
    assert not window.remark.isVisible()
    assert not window.trouble.isVisible()
