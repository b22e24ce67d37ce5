"""The page without results: what to open, which filter left nothing, and hints that apply."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from app.main_window import MainWindow
from app.search.limits import Limits, limits_of
from core.errors import LibraryError, ModelError
from core.progress import Job, Progress, Stage
from core.search.near_misses import near_misses
from tests.app.library_double import LibraryDouble
from tests.app.person import line, press, search, titles

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    MakeWindow = Callable[..., MainWindow]


def buttons(page: QWidget) -> list[str]:
    found = page.findChildren(QAbstractButton)
    return [one.accessibleName() for one in found if one.isVisible()]


def entries(page: QWidget) -> list[str]:
    """Return the buttons of a list without those that change an entry."""
    return [name for name in buttons(page) if not name.startswith(("Remove ", "Rename "))]


def labels(page: QWidget) -> list[str]:
    return [one.text() for one in page.findChildren(QLabel) if one.isVisible() and one.text()]


# The empty box


def test_the_newest_documents_are_listed_and_opened(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(window.opener, "open", lambda path, *_: opened.append(path))
    start = window.main_view.start_lists
    qtbot.waitUntil(lambda: "Oats" in entries(start))
    assert "Newest documents" in labels(start)
    assert set(entries(start)) == {book.title for book in library.books}
    kinds = {text.split(" · ")[0] for text in labels(start) if " · " in text}
    assert kinds == {"MD", "PDF", "TXT"}
    press(qtbot, start, "Oats")
    assert opened == [library.books[1].path]


def test_saved_and_recent_searches_are_listed_and_repeated_by_keys(
    qtbot: QtBot, window: MainWindow
) -> None:
    history = window.tools.history
    for query in ("wheat dry", "oats", "porridge"):
        history.note(query)
    history.toggle("oats")
    start = window.main_view.start_lists
    qtbot.waitUntil(lambda: "Oats" in entries(start))
    assert entries(start)[:3] == ["oats", "porridge", "wheat dry"]
    assert labels(start)[0] == "Saved searches"
    button = next(
        one for one in start.findChildren(QAbstractButton) if one.accessibleName() == "porridge"
    )
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert line(window).text() == "porridge"
    qtbot.waitUntil(lambda: "Oats" in titles(window))
    assert not start.isVisible()
    window.box.clear()
    qtbot.waitUntil(start.isVisible)


def test_one_search_is_removed_from_its_list_and_returns_by_undo(
    qtbot: QtBot, window: MainWindow
) -> None:
    history = window.tools.history
    for query in ("wheat dry", "oats"):
        history.note(query)
    start = window.main_view.start_lists
    qtbot.waitUntil(lambda: "wheat dry" in entries(start))
    press(qtbot, start, "Remove wheat dry")
    assert history.recent == ("oats",)
    assert "wheat dry" not in entries(start)
    press(qtbot, window.brief, "Undo")
    assert history.recent == ("oats", "wheat dry")
    assert not window.brief.isVisible()


def test_the_lists_have_the_width_of_their_text_size(window: MainWindow) -> None:
    start = window.main_view.start_lists
    before = start.maximumWidth()
    window.appearance.choose_size(200)
    assert start.maximumWidth() == 2 * before
    window.appearance.choose_size(100)
    assert start.maximumWidth() == before


# Filters


@pytest.fixture
def by_anna(library: LibraryDouble) -> LibraryDouble:
    library.books[1].author = "anna"
    return library


def test_each_filter_is_counted_alone_and_removed(
    qtbot: QtBot, window: MainWindow, by_anna: LibraryDouble
) -> None:
    line(window).setText("wheat author:anna type:pdf")
    filters = window.main_view.filter_lists
    qtbot.waitUntil(lambda: len(buttons(filters)) == 2)
    assert window.main_view.empty.headline == "No results with these filters"
    assert buttons(filters) == ["Remove author:anna", "Remove type:pdf"]
    assert labels(filters) == ["author:anna", "1 document", "type:pdf", "1 document"]
    press(qtbot, filters, "Remove type:pdf")
    assert window.box.text() == "wheat author:anna"
    qtbot.waitUntil(lambda: buttons(filters) == ["Remove author:anna"])
    assert labels(filters) == ["author:anna", "1 document · 1 document without it"]
    press(qtbot, filters, "Remove author:anna")
    qtbot.waitUntil(lambda: "Storing grain" in titles(window))
    assert not filters.isVisible()


def test_a_filter_that_matches_nothing_comes_first(
    qtbot: QtBot, window: MainWindow, by_anna: LibraryDouble
) -> None:
    line(window).setText("wheat type:pdf author:zoe")
    filters = window.main_view.filter_lists
    qtbot.waitUntil(lambda: len(buttons(filters)) == 2)
    assert labels(filters)[:2] == ["author:zoe", "0 documents"]


def test_filters_are_counted_by_words(by_anna: LibraryDouble) -> None:
    counts = near_misses(by_anna, "wheat  author:anna", Job())
    assert [(one.text, one.alone, one.without, one.query) for one in counts] == [
        ("author:anna", 1, 1, "wheat")
    ]


# Hints


@pytest.mark.parametrize(
    ("query", "limits"),
    [
        ("owls", Limits(1, has_phrases=False, has_filters=False)),
        ("owls at night", Limits(3, has_phrases=False, has_filters=False)),
        ('"owls at night"', Limits(0, has_phrases=True, has_filters=False)),
        ("owls type:pdf", Limits(1, has_phrases=False, has_filters=True)),
        ("type:pdf OR type:word", Limits(0, has_phrases=False, has_filters=True)),
    ],
)
def test_the_parts_of_a_query_are_known(query: str, limits: Limits) -> None:
    assert limits_of(query) == limits


@pytest.mark.parametrize(
    ("query", "hints"),
    [
        ("quagga", "Try different words."),
        ("quagga dodo", "Try fewer or different words."),
        ('"quagga dodo"', "Remove the quotation marks to find the words anywhere."),
        ("quagga type:pdf", ""),
    ],
)
def test_only_hints_that_apply_are_given(
    qtbot: QtBot, window: MainWindow, query: str, hints: str
) -> None:
    line(window).setText(query)
    qtbot.waitUntil(lambda: "No results" in window.main_view.empty.headline)
    assert window.main_view.empty.sentence == hints


def test_while_only_vectors_are_missing_nothing_is_still_being_read(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.progress = [Progress(Stage.READING, 1, 3)]
    library.sync_gate.clear()
    window = make_window()
    line(window).setText('"quagga dodo"')
    empty = window.main_view.empty
    qtbot.waitUntil(lambda: "still being read" in empty.sentence)
    # Otherwise the double's own progress could arrive after the next one.
    qtbot.waitUntil(lambda: window.progress.text.startswith("Reading documents"))
    window.session.sync_progressed.emit(Progress(Stage.ENCODING, 1, 3))
    assert empty.sentence == "Remove the quotation marks to find the words anywhere."
    line(window).setText("quagga")
    qtbot.waitUntil(lambda: "by meaning is still being prepared" in empty.sentence)
    library.sync_gate.set()
    qtbot.waitUntil(lambda: empty.sentence == "Try different words.")


# Solved errors


def test_a_model_that_can_be_loaded_again_removes_the_error_and_repeats_the_search(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.warm_error = ModelError("The model needs the package sentencepiece.")
    window = make_window()
    qtbot.waitUntil(window.trouble.isVisible)
    search(qtbot, window, "wheat")
    assert library.searches[-1] == ("wheat", "words")
    library.warm_error = None
    window.session.sync()
    qtbot.waitUntil(lambda: not window.trouble.isVisible())
    qtbot.waitUntil(lambda: library.searches[-1] == ("wheat", "hybrid"))


def test_a_failed_search_is_repeated_when_the_person_returns(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.search_error = LibraryError("The model needs a package.")
    line(window).setText("wheat")
    qtbot.waitUntil(window.remark.isVisible)
    library.search_error = None
    monkeypatch.setattr(window, "isActiveWindow", lambda: True)
    QApplication.sendEvent(window, QEvent(QEvent.Type.ActivationChange))
    qtbot.waitUntil(lambda: "Storing grain" in titles(window))
    assert not window.remark.isVisible()


def test_another_error_stays_when_the_model_is_loaded(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.warm_error = ModelError("The model needs the package sentencepiece.")
    window = make_window()
    qtbot.waitUntil(window.trouble.isVisible)
    window.session.failed.emit(LibraryError("The disk is full."))
    library.warm_error = None
    with qtbot.waitSignal(window.session.warmed):
        window.session.sync()
    assert window.trouble.accessibleName() == "The disk is full."


# One bar at the bottom


def test_progress_takes_the_place_of_the_figures(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.progress = [Progress(Stage.READING, 1, 3)]
    library.sync_gate.clear()
    window = make_window()
    qtbot.waitUntil(window.progress.isVisible)
    assert window.status_line.isAncestorOf(window.progress)
    assert "3 documents" not in " ".join(labels(window.status_line))
    library.sync_gate.set()
    qtbot.waitUntil(lambda: not window.progress.isVisible())
    qtbot.waitUntil(lambda: "3 documents" in " ".join(labels(window.status_line)))
