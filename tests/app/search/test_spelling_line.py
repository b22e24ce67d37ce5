"""The line with a spelling suggestion, or with the correction that was searched for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.main_window import MainWindow
from core.responses import Mode, SearchResults, SpellingSuggestion
from tests.app.library_double import LibraryDouble
from tests.app.person import press, search, titles

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def library(library: LibraryDouble) -> LibraryDouble:
    library.meant = {
        "wheet dry": ("wheat dry", False),
        "wheet": ("wheat", True),
        "wheet type:text": ("wheat type:text", True),
        "a&b wheet " + "x" * 300: ("a&b wheat " + "x" * 300, False),
    }
    return library


def line(window: MainWindow) -> str:
    shown = window.main_view.spelling
    assert shown.isVisible() == bool(shown.text)
    return shown.text


def link(window: MainWindow) -> QPushButton:
    button = window.main_view.spelling.findChild(QPushButton)
    assert button is not None
    return button


def test_a_suggestion_is_searched_for_by_a_click(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "wheat")
    assert line(window) == ""
    search(qtbot, window, "wheet dry")
    assert line(window) == "Did you mean “wheat dry”?"
    assert link(window).text() == "wheat dry"
    press(qtbot, window.main_view.spelling, "Did you mean “wheat dry”?")
    assert window.box.text() == "wheat dry"
    qtbot.waitUntil(lambda: line(window) == "")
    assert library.searches[-1][0] == "wheat dry"


def test_filters_for_a_sentence_are_offered_with_the_number_of_documents(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "wheat")
    results = SearchResults(
        "wheat from 2024",
        Mode.WORDS,
        (),
        (),
        1.0,
        suggestion=SpellingSuggestion("wheat date:2024", is_filter=True, documents=12),
    )
    window.main_view.spelling.show_results(results)
    assert line(window) == "With filters: wheat date:2024 (12)"
    assert link(window).text() == "wheat date:2024 (12)"
    window.main_view.spelling.show_results(replace(results, suggestion=SpellingSuggestion("wheel")))
    assert line(window) == "Did you mean “wheel”?"


def test_a_correction_is_shown_and_undone_by_a_click(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheet")
    assert line(window) == "Showing results for “wheat”."
    assert window.box.text() == "wheet", "the typed text stays in the box"
    assert "Storing grain" in titles(window)
    press(qtbot, window.main_view.spelling, "Search for “wheet” instead")
    qtbot.waitUntil(lambda: line(window) == "Did you mean “wheat”?")
    assert titles(window) == []
    # A search as typed applies to this query only.
    search(qtbot, window, "wheat")
    search(qtbot, window, "wheet")
    assert line(window).startswith("Showing results for “wheat”")


def test_the_link_is_reached_and_pressed_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheet dry")
    assert link(window).focusPolicy() & Qt.FocusPolicy.TabFocus
    link(window).setFocus()
    qtbot.keyClick(link(window), Qt.Key.Key_Space)
    assert window.box.text() == "wheat dry"


def test_the_line_is_hidden_with_the_query(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheet dry")
    window.box.clear()
    qtbot.waitUntil(lambda: line(window) == "")


def test_a_very_long_query_does_not_widen_the_window(qtbot: QtBot, window: MainWindow) -> None:
    width = window.minimumSizeHint().width()
    search(qtbot, window, "a&b wheet " + "x" * 300)
    assert line(window)
    assert link(window).text().startswith("a&&b wheat")
    assert window.minimumSizeHint().width() <= width + link(window).width()
    assert len(link(window).text()) < 70
