"""Filters as pills in the search box, and their completion while they are typed."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from app.filters.completion import completions
from app.main_window import MainWindow
from core.responses import Facets
from tests.app.library_double import LibraryDouble
from tests.app.person import line, shown_query, titles

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def library(library: LibraryDouble) -> LibraryDouble:
    for number, book in enumerate(library.books):
        book.changed = date(2023 + number, 5, 1)
    library.books[0].author = "Ann Bell"
    return library


def pills(window: MainWindow) -> list[str]:
    return [button.pill.text for button in window.box.pills]


def type_query(qtbot: QtBot, window: MainWindow, text: str) -> None:
    window.activateWindow()
    line(window).setFocus()
    qtbot.keyClicks(line(window), text)


def offered(qtbot: QtBot, window: MainWindow, text: str) -> tuple[str, ...]:
    """Return the values that are offered after a text was typed."""
    type_query(qtbot, window, text)
    completer = window.tools.completer
    qtbot.waitUntil(lambda: not completer.is_looking_up)
    return completer.offered


def test_a_typed_filter_becomes_a_pill_after_a_space(qtbot: QtBot, window: MainWindow) -> None:
    type_query(qtbot, window, "wheat type:text")
    qtbot.waitUntil(lambda: shown_query(window) == "wheat type:text")
    assert (pills(window), line(window).text()) == ([], "wheat type:text")
    type_query(qtbot, window, " ")
    qtbot.waitUntil(lambda: pills(window) == ["type:text"])
    assert line(window).text() == "wheat "
    type_query(qtbot, window, "dry")
    qtbot.waitUntil(lambda: shown_query(window) == "type:text wheat dry")
    assert pills(window) == ["type:text"]
    assert titles(window) == ["Storing grain"]


def test_a_pill_is_removed_by_its_button(qtbot: QtBot, window: MainWindow) -> None:
    window.box.set_text("dry type:pdf")
    qtbot.waitUntil(lambda: pills(window) == ["type:pdf"])
    qtbot.waitUntil(lambda: titles(window) == ["Acceptance of software"])
    remove = window.box.pills[0].remove
    assert remove.accessibleName() == "Remove type:pdf"
    qtbot.mouseClick(remove, Qt.MouseButton.LeftButton)
    assert (pills(window), window.box.text()) == ([], "dry")
    qtbot.waitUntil(lambda: "Storing grain" in titles(window))


def test_a_pill_has_the_count_of_the_side_bar(qtbot: QtBot, window: MainWindow) -> None:
    window.box.set_text("dry type:pdf")
    qtbot.waitUntil(lambda: [button.pill.document_count for button in window.box.pills] == [1])


def test_backspace_before_the_text_makes_the_last_pill_text(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.box.set_text("type:text date:2023 wheat")
    qtbot.waitUntil(lambda: pills(window) == ["type:text", "date:2023"])
    line(window).setFocus()
    qtbot.keyClick(line(window), Qt.Key.Key_Home)
    qtbot.keyClick(line(window), Qt.Key.Key_Backspace)
    assert (pills(window), line(window).text()) == (["type:text"], "date:2023 wheat")
    qtbot.keyClicks(line(window), "\b")
    qtbot.waitUntil(lambda: shown_query(window) == "type:text date:202 wheat")


def test_undo_restores_the_filters(qtbot: QtBot, window: MainWindow) -> None:
    window.box.set_text("wheat type:text")
    qtbot.waitUntil(lambda: pills(window) == ["type:text"])
    window.box.clear()
    assert (pills(window), window.box.text()) == ([], "")
    qtbot.keyClick(line(window), Qt.Key.Key_Z, CONTROL)
    assert window.box.text() == "wheat type:text"
    qtbot.waitUntil(lambda: pills(window) == ["type:text"])


def test_alternatives_and_names_stay_in_the_text(qtbot: QtBot, window: MainWindow) -> None:
    query = "type:pdf OR type:text name:grain"
    window.box.set_text(query)
    qtbot.waitUntil(lambda: shown_query(window) == query)
    assert (pills(window), line(window).text()) == ([], query)


def test_filters_without_room_stay_in_the_text(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(400, 500)
    query = "wheat type:text date:2023 author:ann"
    window.box.set_text(query)
    qtbot.waitUntil(lambda: shown_query(window) == query)
    qtbot.waitUntil(lambda: window.session.is_idle)
    assert window.box.text() == query
    assert (pills(window), line(window).text()) == ([], query)
    window.resize(1240, 500)
    window.box.set_text(f"{query} ")
    qtbot.waitUntil(lambda: len(pills(window)) == 3)


def test_a_value_is_offered_while_typing_and_chosen_by_key(
    qtbot: QtBot, window: MainWindow
) -> None:
    assert offered(qtbot, window, "wheat type:") == ("markdown", "pdf", "text")
    qtbot.keyClicks(line(window), "p")
    qtbot.waitUntil(lambda: window.tools.completer.offered == ("pdf", "text"))
    qtbot.keyClick(window.tools.completer.popup, Qt.Key.Key_Tab)
    assert window.box.text().startswith("wheat type:pdf")
    qtbot.waitUntil(lambda: pills(window) == ["type:pdf"])
    assert window.tools.completer.offered == ()


def test_the_arrow_keys_choose_a_value(qtbot: QtBot, window: MainWindow) -> None:
    assert offered(qtbot, window, "author:a") == ("Ann Bell",)
    popup = window.tools.completer.popup
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pills(window) == ['author:"Ann Bell"'])
    assert not popup.isVisible()


def test_nothing_is_offered_for_words_and_complete_values(qtbot: QtBot, window: MainWindow) -> None:
    assert offered(qtbot, window, "wheat") == ()
    assert offered(qtbot, window, " type:pdf") == ()


def test_values_match_by_name_and_by_words_in_it() -> None:
    folders = {Path("/home/tax 2024"): 3, Path("/home/old/tax"): 2, Path("/home/empty"): 0}
    facets = Facets(
        5,
        (Path("/home"),),
        folders,
        {"pdf": 4, "presentation": 1, "text": 0},
        {date(2025, 6, 3): 2, date(2024, 1, 1): 1},
        {"Marie Curie": 2, "Tom": 1},
        tags={"home": 2, "home/garden": 1, "old": 0},
    )

    def values(key: str, typed: str) -> list[str]:
        return [completion.value for completion in completions(facets, key, typed)]

    assert values("type", "pres") == ["presentation"]
    assert values("type", "") == ["pdf", "presentation"]
    assert values("author", "cur") == ["Marie Curie"]
    assert values("from", "cur") == values("to", "marie") == ["Marie Curie"]
    assert values("tag", "") == ["home", "home/garden"]
    assert values("tag", "gard") == ["home/garden"]
    assert values("in", "ta") == ["tax 2024", "tax"]
    assert values("in", "2024") == ["tax 2024"]
    assert values("after", "june") == ["2025-06"]
    assert values("date", "")[:4] == ["7d", "30d", "2025", "2024"]
    assert values("date", "2024") == ["2024-01"]
