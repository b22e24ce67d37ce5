"""The query's words as chips: significant ones stand out, and each can isolate its highlights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QToolTip

from app.main_window import MainWindow
from app.search.chips import ChipButton
from app.search.rows import arrange
from core.requests import Search
from core.responses import Mode
from tests.app.library_double import LibraryDouble
from tests.app.person import line, search
from tests.app.reader.shown_pages import highlight_boxes, highlight_rects

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

QUERY = "the wheat is dry"


@pytest.fixture
def library(library: LibraryDouble) -> LibraryDouble:
    """A library whose model treats "the" and "is" as insignificant."""
    library.unsalient = {"the", "is"}
    library.alike = {("the", "in"): 0.9, ("is", "for"): 0.8}
    return library


def chip(window: MainWindow, text: str) -> ChipButton:
    return next(one for one in window.chips.buttons if one.text() == text)


def leave(window: MainWindow) -> None:
    """Move the mouse away; the offscreen platform does not always notify the widget."""
    for button in window.chips.buttons:
        QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))


def point_at(qtbot: QtBot, button: ChipButton) -> None:
    qtbot.mouseMove(button, QPoint(5, 5))
    qtbot.mouseMove(button, button.rect().center())


def highlighted_in_reader(window: MainWindow) -> list[str]:
    view = window.main_view.reader.view.text
    text = view.toPlainText()
    return [text[one.start : one.end] for one in view.highlights]


def highlights_in_list(window: MainWindow) -> set[str]:
    """Return the highlighted words of the first result, found by hovering over each point."""
    results = window.main_view.results
    results.viewport().grab()
    area = results.visualRect(results.model().index(0, 0))
    return {
        text
        for x in range(area.left(), area.right(), 4)
        for y in range(area.top(), area.bottom(), 4)
        if (text := tip(results, QPoint(x, y)).split("\n")[0])
    }


def tip(view: QAbstractScrollArea, point: QPoint) -> str:
    """Return the tooltip at `place`, or "" for none or for the path."""
    QToolTip.showText(QPoint(0, 0), "nothing")
    viewport = view.viewport()
    event = QHelpEvent(QEvent.Type.ToolTip, point, viewport.mapToGlobal(point))
    QApplication.sendEvent(viewport, event)
    return QToolTip.text() if "“" in QToolTip.text() else ""


@pytest.fixture
def shown(qtbot: QtBot, window: MainWindow) -> MainWindow:
    search(qtbot, window, QUERY)
    qtbot.waitUntil(lambda: len(highlighted_in_reader(window)) == 3)
    return window


def test_insignificant_words_are_faded_and_have_no_highlights(shown: MainWindow) -> None:
    assert [(one.text, one.is_significant) for one in shown.chips.chips] == [
        ("the", False),
        ("wheat", True),
        ("is", False),
        ("dry", True),
    ]
    assert highlighted_in_reader(shown) == ["Wheat", "dry", "wheat"]
    assert highlights_in_list(shown) == {"“wheat”: similarity 0.95", "“dry”: similarity 0.95"}


def test_words_that_no_result_contains_are_struck_through(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat zeppelin")
    assert [(one.chip.text, one.chip.is_absent) for one in window.chips.buttons] == [
        ("wheat", False),
        ("zeppelin", True),
    ]
    absent = chip(window, "zeppelin")
    assert absent.toolTip().startswith("No result contains this word")
    assert absent.accessibleDescription() == absent.toolTip()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("wheat zeppelin", {"wheat": False, "zeppelin": True}),
        ("wheat раньше", {"wheat": False, "раньше": True}),
        ("wheat the", {"wheat": False}),
        ("wheat heat", {"wheat": False, "heat": True}),
        ("wheat type:text -zeppelin", {"wheat": False}),
        ("zeppelin", {}),
    ],
)
def test_words_without_a_match_stay_in_answers_by_words(
    library: LibraryDouble, query: str, words: dict[str, bool]
) -> None:
    answer = arrange(library.answer(Search(query, Mode.WORDS)))
    assert {one.text: one.index in answer.absent_words for one in answer.words} == words


def test_a_hovered_chip_shows_only_its_own_highlights(qtbot: QtBot, shown: MainWindow) -> None:
    point_at(qtbot, chip(shown, "dry"))
    assert highlighted_in_reader(shown) == ["dry"]
    assert highlights_in_list(shown) == {"“dry”: similarity 0.95"}

    leave(shown)
    point_at(qtbot, chip(shown, "the"))
    assert highlighted_in_reader(shown) == ["in"]

    leave(shown)
    assert highlighted_in_reader(shown) == ["Wheat", "dry", "wheat"]


def test_the_keyboard_goes_from_chip_to_chip(qtbot: QtBot, shown: MainWindow) -> None:
    qtbot.keyClick(line(shown), Qt.Key.Key_Tab)
    while not isinstance(shown.focusWidget(), ChipButton):
        qtbot.keyClick(shown.focusWidget(), Qt.Key.Key_Tab)
    assert highlighted_in_reader(shown) == ["in"]
    qtbot.keyClick(shown.focusWidget(), Qt.Key.Key_Right)
    assert highlighted_in_reader(shown) == ["Wheat", "wheat"]
    qtbot.keyClick(shown.focusWidget(), Qt.Key.Key_Left)
    qtbot.keyClick(shown.focusWidget(), Qt.Key.Key_Left)
    assert shown.focusWidget() is chip(shown, "the"), "there is none before the first"

    qtbot.keyClick(shown.focusWidget(), Qt.Key.Key_Tab)
    assert not isinstance(shown.focusWidget(), ChipButton), "the row is one stop"
    assert highlighted_in_reader(shown) == ["Wheat", "dry", "wheat"]


def test_a_chip_is_pinned_and_unpinned_by_a_click(qtbot: QtBot, shown: MainWindow) -> None:
    button = chip(shown, "dry")
    point_at(qtbot, button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    leave(shown)
    assert highlighted_in_reader(shown) == ["dry"]

    other = chip(shown, "wheat")
    other.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(other, Qt.Key.Key_Space)
    shown.main_view.results.setFocus()
    assert highlighted_in_reader(shown) == ["Wheat", "wheat"]
    assert not button.isChecked()

    qtbot.keyClick(other, Qt.Key.Key_Return)
    assert highlighted_in_reader(shown) == ["Wheat", "dry", "wheat"]


def test_another_query_releases_a_pinned_chip(qtbot: QtBot, shown: MainWindow) -> None:
    chip(shown, "dry").click()
    assert highlighted_in_reader(shown) == ["dry"]
    with qtbot.waitSignal(shown.searcher.answered):
        shown.searcher.refresh()
    assert highlighted_in_reader(shown) == ["dry"], (
        "a newer answer to the same query changes nothing"
    )

    qtbot.keyClicks(line(shown), " silo")
    qtbot.waitUntil(lambda: highlighted_in_reader(shown) == ["Wheat", "dry", "silo", "wheat"])


def test_a_highlight_in_the_reader_has_a_tooltip(qtbot: QtBot, shown: MainWindow) -> None:
    view = shown.main_view.reader.view.text
    cursor = view.textCursor()
    cursor.setPosition(view.toPlainText().index("dry") + 1)
    assert tip(view, view.cursorRect(cursor).center()) == (
        "“dry”: similarity 0.95\n40% of the query weight"
    )
    cursor.setPosition(view.toPlainText().index("keeps") + 1)
    assert tip(view, view.cursorRect(cursor).center()) == ""


def test_a_highlight_on_a_page_has_a_tooltip(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "usefulness")
    view = window.main_view.reader.view.pages
    qtbot.waitUntil(lambda: bool(highlight_boxes(view)))
    (highlight, (place,)), *_ = highlight_rects(view)
    assert tip(view, place.center().toPoint()).startswith("“usefulness”: similarity 0.95")
    assert tip(view, QPoint(2, 2)) == ""

    view.show_only(highlight.word + 1)
    assert highlight_boxes(view) == []


def test_chips_have_accessible_descriptions(shown: MainWindow) -> None:
    spoken = {}
    for button in shown.chips.buttons:
        found = QAccessible.queryAccessibleInterface(button)
        assert found.role() in (QAccessible.Role.Button, QAccessible.Role.CheckBox)
        spoken[found.text(QAccessible.Text.Name)] = found.text(QAccessible.Text.Description)
    assert spoken["the"] == (
        "Carries little weight in this query; not highlighted\nthe: 10% of the query weight"
    )
    assert spoken["dry"].startswith("Hover to show only this word’s matches")


def test_chips_that_do_not_fit_are_counted_and_reached_by_keyboard(
    qtbot: QtBot, window: MainWindow
) -> None:
    words = [f"word{number}" for number in range(40)]
    search(qtbot, window, " ".join(["wheat", *words]))
    buttons = window.chips.buttons
    assert len(buttons) == 41
    assert not buttons[-1].isVisible()
    buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
    for _ in words:
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    assert window.focusWidget() is buttons[-1]
    assert buttons[-1].isVisible()
    assert window.chips.rect().contains(buttons[-1].geometry())
    assert not buttons[0].isVisible()


def test_a_pasted_page_has_chips_for_its_first_words_and_a_count_of_the_rest(
    qtbot: QtBot, window: MainWindow
) -> None:
    words = ["wheat", *(f"word{number}" for number in range(999))]
    line(window).setText(" ".join(words))
    # An answer by words may come first.
    qtbot.waitUntil(lambda: len(window.chips.buttons) > 1)
    chips = window.chips
    assert [button.text() for button in chips.buttons] == words[: len(chips.buttons)]
    assert len(chips.findChildren(ChipButton)) < 100
    assert chips.hidden == len(words) - sum(button.isVisible() for button in chips.buttons)
