"""Marking, listing and removing results, and proposing, adopting and undoing a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QTreeWidgetItem

from app.main_window import MainWindow
from app.search.results_model import RIGHT_ROLE
from app.teaching.dialog import JudgedList
from core.alignment.pairwise import AlignmentStrategy
from core.errors import LibraryError
from tests.app.library_double import LibraryDouble
from tests.app.person import line, search
from tests.app.teaching_double import FOUR

if TYPE_CHECKING:
    from PySide6.QtGui import QAccessibleAnnouncementEvent
    from pytestqt.qtbot import QtBot


def marked(window: MainWindow) -> list[str]:
    """Return the rows with a visible mark, as a screen reader announces them."""
    model = window.main_view.results.model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    return [index.data() for index in rows if index.data(RIGHT_ROLE)]


def press_mark(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)


def mark(qtbot: QtBot, window: MainWindow, query: str) -> None:
    search(qtbot, window, query)
    press_mark(qtbot, window)
    qtbot.waitUntil(lambda: len(marked(window)) == 1)


def button(window: MainWindow, text: str) -> QPushButton:
    """Return the visible button with this text."""
    (found,) = [
        one for one in window.findChildren(QPushButton) if one.text() == text and one.isVisible()
    ]
    return found


def open_menu(qtbot: QtBot, window: MainWindow, index: QModelIndex | None = None) -> QMenu:
    """Open a row's menu with the mouse, or the current row's menu with the keyboard."""
    results = window.main_view.results
    reason = QContextMenuEvent.Reason.Keyboard
    place = QPoint()
    if index is not None:
        reason, place = QContextMenuEvent.Reason.Mouse, results.visualRect(index).center()
    event = QContextMenuEvent(reason, place, results.viewport().mapToGlobal(place))
    QApplication.sendEvent(results.viewport(), event)
    menus = [one for one in results.findChildren(QMenu) if one.isVisible()]
    assert len(menus) == 1
    return menus[0]


def choose(qtbot: QtBot, menu: QMenu, text: str) -> None:
    (action,) = [one for one in menu.actions() if one.text() == text]
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def test_a_key_marks_the_selected_result_and_removes_the_mark(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "wheat")
    assert marked(window) == []
    press_mark(qtbot, window)
    qtbot.waitUntil(lambda: len(marked(window)) == 1)
    assert marked(window)[0].startswith("Marked as correct: Storing grain, grain.txt")
    (one,) = library.teaching.judged
    chosen = window.main_view.results.chosen
    assert chosen is not None
    assert (one.query, one.passages) == ("wheat", (chosen.passage_id,))
    press_mark(qtbot, window)
    qtbot.waitUntil(lambda: marked(window) == [])
    assert library.teaching.judged == []


def test_the_key_works_in_the_search_box(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "wheat")
    qtbot.keyClick(line(window), Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(marked(window)) == 1)
    assert line(window).text() == "wheat"


def test_marks_are_restored_with_their_query(qtbot: QtBot, window: MainWindow) -> None:
    mark(qtbot, window, "wheat")
    search(qtbot, window, "oats")
    assert marked(window) == []
    search(qtbot, window, "wheat")
    qtbot.waitUntil(lambda: len(marked(window)) == 1)


def test_the_menu_of_a_result_marks_it(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "year")
    results = window.main_view.results
    index = results.model().index(0, 0)
    menu = open_menu(qtbot, window, index)
    (right,) = [one for one in menu.actions() if one.text() == "Mark as correct"]
    assert right.isCheckable()
    assert not right.isChecked()
    choose(qtbot, menu, "Mark as correct")
    qtbot.waitUntil(lambda: len(marked(window)) == 1)
    qtbot.waitUntil(lambda: not results.findChildren(QMenu))
    menu = open_menu(qtbot, window)
    (right,) = [one for one in menu.actions() if one.text() == "Mark as correct"]
    assert right.isChecked()
    choose(qtbot, menu, "Mark as correct")
    qtbot.waitUntil(lambda: marked(window) == [])


def test_a_row_that_is_no_passage_has_no_menu(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat")
    results = window.main_view.results
    more = results.model().index(1, 0)
    assert "more passage" in more.data()
    place = results.visualRect(more).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, results.mapToGlobal(place))
    QApplication.sendEvent(results.viewport(), event)
    assert not results.findChildren(QMenu)


def test_a_further_passage_is_marked_and_has_room_for_it(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat")
    results = window.main_view.results
    results.setCurrentIndex(results.model().index(1, 0))
    qtbot.keyClick(results, Qt.Key.Key_Space)
    further = results.model().index(2, 0)
    results.setCurrentIndex(further)
    before = results.visualRect(further).height()
    press_mark(qtbot, window)
    qtbot.waitUntil(lambda: len(marked(window)) == 1)
    assert further.data(RIGHT_ROLE)
    qtbot.waitUntil(lambda: results.visualRect(further).height() > before)


def test_a_proposal_is_announced_politely_shown_and_adopted(
    qtbot: QtBot,
    window: MainWindow,
    library: LibraryDouble,
    announced: list[QAccessibleAnnouncementEvent],
) -> None:
    teaching = window.teaching
    mark(qtbot, window, "wheat")
    qtbot.waitUntil(lambda: library.teaching.proposals == 1)
    assert not teaching.bar.isVisible()
    mark(qtbot, window, "oats")
    qtbot.waitUntil(teaching.bar.isVisible)
    assert not teaching.dialog.isVisible()
    [event] = announced
    assert event.message() == teaching.bar.accessibleName()
    qtbot.mouseClick(button(window, "Show"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: teaching.dialog.accept_button.isVisible())
    assert not teaching.bar.isVisible()
    dialog = teaching.dialog
    assert "the best 4 words of a passage instead of the best word" in dialog.details.text()
    # The marks and the lesson are computed in parallel.
    qtbot.waitUntil(lambda: not dialog.ranks.is_empty)
    ranks = [dialog.ranks.topLevelItem(row) for row in range(dialog.ranks.topLevelItemCount())]
    assert [[item.text(column) for column in range(3)] for item in ranks] == [
        ["wheat", "3", "1"],
        ["oats", "3", "1"],
    ]
    assert not dialog.undo_button.isVisible()
    searches = len(library.searches)
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.undo_button.isVisible)
    assert library.teaching.adopted == [FOUR]
    assert not dialog.accept_button.isVisible()
    assert dialog.headline.text() == "No change suggested"
    assert "the best 4 words" in dialog.details.text()
    # The shown answer is ranked again.
    qtbot.waitUntil(lambda: len(library.searches) > searches)
    qtbot.mouseClick(dialog.undo_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.accept_button.isVisible)
    assert library.teaching.adopted == []
    assert not dialog.undo_button.isVisible()


@pytest.mark.parametrize("way", ["bar", "dialog"])
def test_not_now_dismisses_the_proposal_until_more_is_marked(
    way: str, qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    bar, dialog = window.teaching.bar, window.teaching.dialog
    mark(qtbot, window, "wheat")
    mark(qtbot, window, "oats")
    qtbot.waitUntil(bar.isVisible)
    if way == "bar":
        bar.dismissed.emit()
    else:
        qtbot.mouseClick(button(window, "Show"), Qt.MouseButton.LeftButton)
        qtbot.waitUntil(dialog.accept_button.isVisible)
        assert dialog.close_button.text() == "Not now"
        qtbot.mouseClick(dialog.close_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    assert not dialog.isVisible()
    assert library.teaching.adopted == []
    search(qtbot, window, "silo")
    assert not bar.isVisible()
    mark(qtbot, window, "porridge")
    qtbot.waitUntil(bar.isVisible)


def test_the_menu_explains_teaching_before_anything_is_marked(
    qtbot: QtBot, window: MainWindow
) -> None:
    (action,) = [
        one
        for menu in window.findChildren(QMenu)
        for one in menu.actions()
        if one.text() == "Teach Winnow…"
    ]
    action.trigger()
    dialog = window.teaching.dialog
    qtbot.waitUntil(lambda: "Press Ctrl+D to mark" in dialog.details.text())
    assert "After 2 more queries, Winnow tests" in dialog.details.text()
    assert not dialog.accept_button.isVisible()
    assert not dialog.ranks.isVisible()
    assert dialog.close_button.text() == "Close"
    mark(qtbot, window, "wheat")
    qtbot.waitUntil(lambda: "After 1 more query" in dialog.details.text())
    qtbot.waitUntil(lambda: not dialog.ranks.is_empty)
    item = dialog.ranks.topLevelItem(0)
    assert [item.text(column) for column in range(2)] == ["wheat", "3"]
    assert dialog.ranks.isColumnHidden(2)


def test_errors_are_shown_where_they_happened(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.teaching.judge_error = LibraryError("This passage is no longer in the library.")
    search(qtbot, window, "wheat")
    press_mark(qtbot, window)
    qtbot.waitUntil(window.trouble.isVisible)
    assert marked(window) == []
    library.teaching.judge_error = None
    library.teaching.adopt_error = LibraryError("The disk is full.")
    mark(qtbot, window, "wheat")
    mark(qtbot, window, "oats")
    qtbot.waitUntil(window.teaching.bar.isVisible)
    qtbot.mouseClick(button(window, "Show"), Qt.MouseButton.LeftButton)
    dialog = window.teaching.dialog
    qtbot.waitUntil(dialog.accept_button.isVisible)
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.notice.isVisible)
    notice = dialog.notice.notice
    assert notice is not None
    assert notice.text == "The disk is full."
    qtbot.waitUntil(dialog.accept_button.isVisible)


def test_a_mark_without_a_result_does_nothing(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    qtbot.keyClick(line(window), Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert library.teaching.judged == []
    assert library.teaching.proposals == 0


@pytest.mark.parametrize(
    ("alignment", "words"),
    [
        ("topk:1", "the best word of a passage"),
        ("topk:8", "the best 8 words of a passage"),
        ("topp:0.015", "the best 1.5% of a passage’s words"),
        ("topp:0.02", "the best 2% of a passage’s words"),
    ],
)
def test_alignments_are_described_in_words(alignment: str, words: str) -> None:
    from app import texts

    assert texts.compared_words(AlignmentStrategy.parse(alignment)) == words


@pytest.fixture
def judged(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> JudgedList:
    """The dialog's list, with two right passages for "wheat" and one for "oats"."""
    search(qtbot, window, "wheat")
    rows = window.main_view.results.answer
    assert rows is not None
    for query, passage in (
        *(("wheat", row.passage_id) for row in rows.rows),
        ("oats", 1050),
    ):
        library.teaching.judge(query, passage)
    window.main_view.results.model().modelReset.emit()
    window.teaching.show_dialog()
    ranks = window.teaching.dialog.ranks
    qtbot.waitUntil(lambda: lines(ranks) == [("wheat", 2), ("oats", 1)])
    return ranks


def lines(judged: JudgedList) -> list[tuple[str, int]]:
    items = [judged.topLevelItem(row) for row in range(judged.topLevelItemCount())]
    return [(item.text(0), item.childCount()) for item in items if item is not None]


def item(judged: JudgedList, row: int) -> QTreeWidgetItem:
    found = judged.topLevelItem(row)
    assert found is not None
    return found


def marked_count(window: MainWindow) -> int:
    model = window.main_view.results.model()
    return sum(bool(model.index(row, 0).data(RIGHT_ROLE)) for row in range(model.rowCount()))


def test_one_mark_is_removed_and_restored(
    qtbot: QtBot, window: MainWindow, judged: JudgedList, library: LibraryDouble
) -> None:
    dialog = window.teaching.dialog
    assert not dialog.remove_button.isEnabled()
    assert dialog.restore_button.isHidden()
    before = marked_count(window)
    judged.setCurrentItem(item(judged, 0).child(0))
    dialog.remove_button.click()
    qtbot.waitUntil(lambda: lines(judged) == [("wheat", 1), ("oats", 1)])
    qtbot.waitUntil(lambda: marked_count(window) == before - 1)
    assert len(library.teaching.judged) == 2

    dialog.restore_button.click()
    qtbot.waitUntil(lambda: lines(judged) == [("wheat", 2), ("oats", 1)])
    qtbot.waitUntil(lambda: marked_count(window) == before)
    qtbot.waitUntil(dialog.restore_button.isHidden)


def test_the_key_removes_a_query_with_all_that_is_right_for_it(
    qtbot: QtBot, window: MainWindow, judged: JudgedList
) -> None:
    qtbot.waitUntil(lambda: item(judged, 0).text(1) == "3")
    judged.setCurrentItem(item(judged, 0))
    qtbot.keyClick(judged, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: lines(judged) == [("oats", 1)])
    qtbot.waitUntil(lambda: "few correct results" in window.teaching.dialog.headline.text())
    window.teaching.dialog.restore_button.click()
    qtbot.waitUntil(lambda: lines(judged) == [("wheat", 2), ("oats", 1)])


def test_closed_rows_stay_closed_and_missing_passages_are_labelled(
    qtbot: QtBot, window: MainWindow, judged: JudgedList, library: LibraryDouble
) -> None:
    from dataclasses import replace

    item(judged, 0).setExpanded(False)
    library.teaching.judged[2] = replace(library.teaching.judged[2], passages=())
    judged.setCurrentItem(item(judged, 0).child(0))
    item(judged, 0).setExpanded(False)
    window.teaching.dialog.remove_button.click()
    qtbot.waitUntil(lambda: lines(judged) == [("wheat", 1), ("oats", 1)])
    assert not item(judged, 0).isExpanded()
    assert "not in the library" in item(judged, 1).child(0).text(0)
