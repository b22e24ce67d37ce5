"""From right to left: what is painted by hand stands where a reader of Arabic looks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage

from app.search.delegate import ResultDelegate
from app.search.rows import PassageRow, arrange
from app.search.view import ResultsView
from app.theme import ThemeSwitch
from tests.app.library_double import LibraryDouble

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

DIRECTIONS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft)


def shown(qtbot: QtBot, library: LibraryDouble, direction: Qt.LayoutDirection) -> ResultsView:
    view = ResultsView()
    qtbot.addWidget(view)
    view.setLayoutDirection(direction)
    view.resize(700, 500)
    view.show()
    view.show_answer(arrange(library.search("usefulness")))
    return view


def inked_columns(image: QImage) -> set[int]:
    background = image.pixelColor(image.width() // 2, 0)
    return {
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y) != background for y in range(image.height()))
    }


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_title_begins_its_line_and_the_page_ends_it(
    qtbot: QtBot, library: LibraryDouble, theme: ThemeSwitch, direction: Qt.LayoutDirection
) -> None:
    view = shown(qtbot, library, direction)
    place = view.visualRect(view.model().index(0, 0))
    # Without the frame of the row that is chosen.
    view.selectionModel().clear()
    place.setTop(place.top() + 12)
    place.setHeight(22)
    columns = inked_columns(view.viewport().grab(place).toImage())
    middle = place.width() // 2

    before, after = {x for x in columns if x < middle}, {x for x in columns if x > middle}
    title, page = (before, after) if direction is DIRECTIONS[0] else (after, before)
    assert max(title) - min(title) > 120, "the title"
    assert max(page) - min(page) < 40, "p. 2"


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_lit_word_is_pointed_at_where_it_is_painted(
    qtbot: QtBot, library: LibraryDouble, theme: ThemeSwitch, direction: Qt.LayoutDirection
) -> None:
    view = shown(qtbot, library, direction)
    index = view.model().index(0, 0)
    view.viewport().grab()
    row, delegate, place = view.model().row_at(index), view.itemDelegate(), view.visualRect(index)
    assert isinstance(row, PassageRow)
    assert isinstance(delegate, ResultDelegate)
    height = place.height() - 20
    lit = [x for x in range(place.width()) if delegate.lit_at(row, QPointF(x, height))]

    # "Usefulness" begins the one line of the snippet, which stands on the side one reads from.
    if direction is DIRECTIONS[0]:
        assert 15 < min(lit) < 25
    else:
        assert min(lit) > 200
        assert len(lit) > 50
