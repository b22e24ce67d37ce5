"""What was marked as right, looked over in the dialog: one mark removed, and brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidgetItem

from app.main_window import MainWindow
from app.search.results_model import RIGHT_ROLE
from app.teaching.dialog import JudgedList
from tests.app.library_double import LibraryDouble
from tests.app.person import search

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def judged(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> JudgedList:
    """The dialog's list, of "wheat" with two right passages and "oats" with one."""
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
    made = window.teaching.dialog.ranks
    qtbot.waitUntil(lambda: lines(made) == [("wheat", 2), ("oats", 1)])
    return made


def lines(judged: JudgedList) -> list[tuple[str, int]]:
    items = [judged.topLevelItem(row) for row in range(judged.topLevelItemCount())]
    return [(item.text(0), item.childCount()) for item in items if item is not None]


def item(judged: JudgedList, row: int) -> QTreeWidgetItem:
    found = judged.topLevelItem(row)
    assert found is not None
    return found


def marked(window: MainWindow) -> int:
    model = window.main_view.results.model()
    return sum(bool(model.index(row, 0).data(RIGHT_ROLE)) for row in range(model.rowCount()))


def test_one_mark_is_removed_and_brought_back(
    qtbot: QtBot, window: MainWindow, judged: JudgedList, library: LibraryDouble
) -> None:
    dialog = window.teaching.dialog
    assert not dialog.remove_button.isEnabled()
    assert dialog.restore_button.isHidden()
    before = marked(window)
    judged.setCurrentItem(item(judged, 0).child(0))
    dialog.remove_button.click()
    qtbot.waitUntil(lambda: lines(judged) == [("wheat", 1), ("oats", 1)])
    qtbot.waitUntil(lambda: marked(window) == before - 1)
    assert len(library.teaching.judged) == 2

    dialog.restore_button.click()
    qtbot.waitUntil(lambda: lines(judged) == [("wheat", 2), ("oats", 1)])
    qtbot.waitUntil(lambda: marked(window) == before)
    qtbot.waitUntil(dialog.restore_button.isHidden)


def test_the_key_removes_a_query_with_all_that_is_right_for_it(
    qtbot: QtBot, window: MainWindow, judged: JudgedList
) -> None:
    qtbot.waitUntil(lambda: item(judged, 0).text(1) == "3")
    judged.setCurrentItem(item(judged, 0))
    qtbot.keyClick(judged, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: lines(judged) == [("oats", 1)])
    qtbot.waitUntil(lambda: "few queries" in window.teaching.dialog.headline.text())
    window.teaching.dialog.restore_button.click()
    qtbot.waitUntil(lambda: lines(judged) == [("wheat", 2), ("oats", 1)])


def test_what_is_closed_stays_closed_and_what_is_gone_is_told(
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
    assert "not in the library now" in item(judged, 1).child(0).text(0)
