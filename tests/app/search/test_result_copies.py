"""Copies and versions of a document, collapsed below it and expanded to results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu

from app.main_window import MainWindow
from app.search.results_model import ResultsModel
from app.search.rows import MoreRow, PassageRow, arrange, with_copies
from core.requests import Search
from tests.app.conftest import MakeWindow
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import line, search, search_again, shown_query

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot

FIRST, SECOND, THIRD = (Path(f"/docs/lease {name}.txt") for name in ("a", "b", "c"))


@pytest.fixture
def leases(library: LibraryDouble) -> LibraryDouble:
    library.books = [
        Book(FIRST, "Lease", [["The lease ends in March and the tenant pays.", "A lease more."]]),
        Book(SECOND, "Lease again", [["The lease ends in April."]]),
        Book(THIRD, "Deed", [["Nothing of that word stands here."]]),
        Book(Path("/docs/other.txt"), "Other", [["Another lease of a boat."]]),
    ]
    library.family = frozenset({FIRST, SECOND, THIRD})
    return library


def rows(window: MainWindow) -> list[str]:
    model = window.main_view.results.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def place_of(window: MainWindow, text: str) -> int:
    return next(row for row, shown in enumerate(rows(window)) if text in shown)


def go_to(window: MainWindow, text: str) -> None:
    results = window.main_view.results
    results.setCurrentIndex(results.model().index(place_of(window, text), 0))


def test_copies_expand_and_collapse_by_keyboard_and_are_results(
    qtbot: QtBot, make_window: MakeWindow, leases: LibraryDouble
) -> None:
    window = make_window()
    results = window.main_view.results
    search(qtbot, window, "lease")
    qtbot.waitUntil(lambda: not window.searcher.is_waiting and not window.searcher.is_settling)
    before = rows(window)
    assert sum("Lease again" in row for row in before) == 0
    go_to(window, "2 more copies or versions")
    qtbot.keyClick(results, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: len(rows(window)) == len(before) + 2)
    shown_rows = rows(window)
    start = place_of(window, "Hide 2 copies and versions")
    # One of them lacks the query's word and is listed all the same.
    assert ["Lease again" in shown_rows[start + 1], "Deed" in shown_rows[start + 2]] == [True, True]
    assert str(SECOND) in shown_rows[start + 1]

    qtbot.keyClick(results, Qt.Key.Key_Down)
    assert results.chosen is not None
    assert results.chosen.document.path == SECOND
    qtbot.keyClick(results, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert str(SECOND) in QGuiApplication.clipboard().text()
    with qtbot.waitSignal(results.document_opened) as opened:
        qtbot.keyClick(results, Qt.Key.Key_Return)
    assert opened.args[0].document.path == SECOND

    # Another answer to the same query keeps them expanded without another request.
    search_again(qtbot, window)
    assert len(rows(window)) == len(before) + 2

    go_to(window, "Hide 2 copies")
    qtbot.keyClick(results, Qt.Key.Key_Left)
    assert rows(window) == before


def test_the_menu_lists_all_copies_and_versions(
    qtbot: QtBot, make_window: MakeWindow, leases: LibraryDouble
) -> None:
    window = make_window()
    results = window.main_view.results
    search(qtbot, window, "lease")
    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    QApplication.sendEvent(results.viewport(), event)
    menu = next(one for one in results.findChildren(QMenu) if one.isVisible())
    next(one for one in menu.actions() if one.text() == "Show copies and versions").trigger()
    menu.close()
    query = f'same:"{FIRST}"'
    qtbot.waitUntil(lambda: shown_query(window) == query)
    assert {row.document.path for row in results.answer.rows} == leases.family  # type: ignore[union-attr] # it is there


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester, leases: LibraryDouble) -> None:
    model = ResultsModel()
    qtmodeltester.check(model)
    answer = arrange(leases.answer(Search("lease", is_refined=False)))
    model.show_answer(answer)
    copies = next(
        model.index(row)
        for row in range(model.rowCount())
        if isinstance(shown := model.row_at(model.index(row)), MoreRow) and shown.is_of_copies
    )
    count = model.rowCount()
    document = answer.documents[0].best.document
    # Collapsed before they arrived, so they are not inserted.
    model.toggle(copies)
    model.toggle(copies)
    copies_found = leases.answer(Search(f'same:"{FIRST}" lease')).hits
    unfolded = with_copies(answer, document.document_id, copies_found)
    model.show_copies(unfolded, document.document_id)
    assert model.rowCount() == count
    model.toggle(copies)
    assert model.rowCount() == count + len(unfolded.documents[0].copies)
    assert all(
        isinstance(row := model.row_at(model.index(copies.row() + 1 + place)), PassageRow)
        and row.is_copy
        for place in range(len(unfolded.documents[0].copies))
    )
