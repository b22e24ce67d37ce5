"""Right-to-left layout of custom-painted parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QTextLayout, QTextLine, QTextOption
from PySide6.QtWidgets import QApplication, QWidget

from app import texts
from app.highlighting import goes_both_ways, marks_beneath
from app.palette import LIGHT
from app.reader.marks import NO_MARKS, Marks
from app.reader.sheet_view import SheetTable
from app.reader.text_view import TextView
from app.reader.typesetting import Typesetting
from app.search.results_delegate import (
    SIDE,
    ResultDelegate,
    RowLayout,
    RowSetting,
    measures_of,
    picture_room,
)
from app.search.results_view import ResultsView
from app.search.rows import PassageRow, arrange
from app.theme import ThemeSwitch, every_widget_kept
from app.translation import install_language
from app.widgets.controls import ElidedLabel
from app.widgets.icons import IconButton
from core.documents.document import Page, SheetRow
from core.requests import Search
from core.search.output.match import Highlight, QueryWord
from tests.app.library_double import LibraryDouble

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.main_window import MainWindow

DIRECTIONS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft)


def shown(qtbot: QtBot, library: LibraryDouble, direction: Qt.LayoutDirection) -> ResultsView:
    view = ResultsView()
    qtbot.addWidget(view)
    view.setLayoutDirection(direction)
    view.resize(700, 500)
    view.show()
    view.show_answer(arrange(library.answer(Search("usefulness"))))
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
    # Without the frame of the selected row.
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
def test_a_highlighted_word_is_hovered_where_it_is_painted(
    qtbot: QtBot, library: LibraryDouble, theme: ThemeSwitch, direction: Qt.LayoutDirection
) -> None:
    view = shown(qtbot, library, direction)
    index = view.model().index(0, 0)
    view.viewport().grab()
    row, delegate, place = view.model().row_at(index), view.itemDelegate(), view.visualRect(index)
    assert isinstance(row, PassageRow)
    assert isinstance(delegate, ResultDelegate)
    height = place.height() - 20
    highlighted = [
        x for x in range(place.width()) if delegate.highlight_at(row, QPointF(x, height))
    ]

    # "Usefulness" begins the only line of the snippet, which is aligned to the leading side.
    if direction is DIRECTIONS[0]:
        assert 15 < min(highlighted) < 25
    else:
        assert min(highlighted) > 200
        assert len(highlighted) > 50


def shown_small(qtbot: QtBot, widget: QWidget, direction: Qt.LayoutDirection) -> QImage:
    qtbot.addWidget(widget)
    widget.setLayoutDirection(direction)
    widget.resize(400, 30)
    widget.show()
    return widget.grab().toImage()


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_path_starts_at_the_leading_side(qtbot: QtBot, direction: Qt.LayoutDirection) -> None:
    label = ElidedLabel(Qt.TextElideMode.ElideMiddle)
    label.set_text("~/Documents")
    columns = inked_columns(shown_small(qtbot, label, direction))
    assert (max(columns) < 200) == (direction is DIRECTIONS[0])

    trailing = ElidedLabel(Qt.TextElideMode.ElideRight, is_trailing=True)
    trailing.set_text("15 documents")
    columns = inked_columns(shown_small(qtbot, trailing, direction))
    assert (max(columns) < 200) == (direction is DIRECTIONS[1])


def leans(qtbot: QtBot, drawing: str, direction: Qt.LayoutDirection) -> float:
    """Return how far right of the centre most pixels of a button are."""
    button = IconButton(drawing, "Go")
    qtbot.addWidget(button)
    button.setLayoutDirection(direction)
    image = button.icon().pixmap(72).toImage()
    columns = [
        x - (image.width() - 1) / 2
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() > 128
    ]
    return sum(columns) / len(columns)


@pytest.mark.parametrize(("drawing", "side"), [("back", -1), ("previous", -1), ("next", 1)])
def test_arrows_point_along_the_lines(
    qtbot: QtBot, theme: ThemeSwitch, drawing: str, side: int
) -> None:
    left, right = (side * leans(qtbot, drawing, direction) for direction in DIRECTIONS)
    assert left > 0.2
    assert right < -0.2


def test_icons_without_a_direction_are_not_mirrored(qtbot: QtBot, theme: ThemeSwitch) -> None:
    left, right = (leans(qtbot, "folder-add", direction) for direction in DIRECTIONS)
    assert left == right


@pytest.fixture
def from_right_to_left(qapp: QApplication) -> Iterator[None]:
    with every_widget_kept():
        qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    with every_widget_kept():
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.mark.usefixtures("from_right_to_left")
@pytest.mark.parametrize(
    ("write", "signs"),
    [
        (lambda: texts.shown_path(Path("/srv/Documents (old)")), "sD("),
        (lambda: texts.size(12_000), "2kB"),
    ],
    ids=["path", "size"],
)
def test_a_text_keeps_its_order_among_lines_from_right_to_left(
    qtbot: QtBot, write: Callable[[], str], signs: str
) -> None:
    layout = QTextLayout(write())
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.RightToLeft)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    text = layout.text()
    places = [line.cursorToX(text.index(sign))[0] for sign in signs]  # type: ignore[index]
    assert places == sorted(places)


def code_shown(qtbot: QtBot) -> QImage:
    view = TextView()
    qtbot.addWidget(view)
    view.words = (QueryWord(0, "honey"),)
    view.resize(300, 120)
    view.show()
    text = "def take(honey: float) -> float:\n    return honey * 0.4  # " + "a long line " * 9
    start = text.index("honey")
    highlights = (Highlight(start, start + 5, 0, 1.0),)
    view.show_text(text, Marks(highlights, None), Typesetting(is_code=True))
    return view.grab().toImage()


def test_code_is_left_to_right_in_every_window(
    qtbot: QtBot, qapp: QApplication, theme: ThemeSwitch, request: pytest.FixtureRequest
) -> None:
    left = code_shown(qtbot)
    request.getfixturevalue("from_right_to_left")
    assert qapp.layoutDirection() is DIRECTIONS[1]
    assert code_shown(qtbot) == left


@pytest.mark.parametrize("written", ["Month", "שלום"])
def test_a_sheet_follows_the_direction_of_its_texts(
    qtbot: QtBot, theme: ThemeSwitch, from_right_to_left: None, written: str
) -> None:
    table = SheetTable()
    qtbot.addWidget(table)
    text = f"1 | {written}"
    cells = ((1, 0, 1), (2, 4, len(text)))
    table.show_page(Page(1, text, rows=(SheetRow(0, 1, cells),)), NO_MARKS)
    table.resize(400, 100)
    table.show()
    first, second = (table.columnViewportPosition(column) for column in (0, 1))
    assert (first < second) == (written == "Month")


WAYS = [
    "שלום bees עולם",
    "bees שלום עולם",
    "שלום עולם bees",
    "one שלום two",
    "one שלום",
    "שלום two",
]


@pytest.mark.parametrize("text", WAYS)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_each_word_of_a_bidirectional_line_is_highlighted_in_place(
    qapp: QApplication, text: str, number: int
) -> None:
    word = text.split()[min(number, text.count(" "))]
    start = text.index(word)
    end = start + len(word)
    layout = QTextLayout(text)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1000)
    layout.endLayout()

    highlighted = [Highlight(start, end, 0, 1.0)]
    (mark,) = marks_beneath(layout, highlighted, LIGHT, both_ways=goes_both_ways(text))
    on_character = QTextLine.CursorPosition.CursorOnCharacter
    inside = {
        line.xToCursor(x, on_character)
        for x in range(round(mark.box.left()) + 2, round(mark.box.right()) - 1)
    }
    assert inside == set(range(start, end))


def width_marked(qtbot: QtBot, text: str, marks: Marks) -> int:
    """Return the number of pixel columns that `marks` change."""
    view = TextView()
    qtbot.addWidget(view)
    view.resize(300, 60)
    view.show()
    view.show_text(text, NO_MARKS)
    before = view.grab().toImage()
    view.show_text(text, marks)
    after = view.grab().toImage()
    size = range(after.width()), range(after.height())
    return sum(
        any(before.pixelColor(x, y) != after.pixelColor(x, y) for y in size[1]) for x in size[0]
    )


@pytest.mark.parametrize(
    "marks", [Marks((Highlight(5, 9, 0, 1.0),), None), Marks((), None, matches=((5, 9),))]
)
def test_highlights_in_bidirectional_text_have_the_same_width(
    qtbot: QtBot, theme: ThemeSwitch, marks: Marks
) -> None:
    usual = width_marked(qtbot, "more bees here", marks)
    assert usual > 15
    assert abs(width_marked(qtbot, "שלום bees", marks) - usual) <= 2


def chip_texts(window: MainWindow) -> list[str]:
    return [chip.text for chip in window.chips.chips]


def test_chips_follow_the_direction_of_the_query(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    for query, is_mirrored in (("wheat dry", False), ("שלום עולם", True)):
        library.books[0].pages[0][0] = f"Wheat is dry. {query}"
        # Not typed: QTest has no keys for these letters.
        window.box.set_text(query)
        qtbot.waitUntil(lambda query=query: chip_texts(window) == query.split())
        first, second = (button.geometry().left() for button in window.chips.buttons)
        assert (first > second) is is_mirrored


def test_snippets_are_aligned_by_their_text(theme: ThemeSwitch, library: LibraryDouble) -> None:
    answer = arrange(library.answer(Search("usefulness")))
    setting = RowSetting(600, is_right=False, direction=Qt.LayoutDirection.LeftToRight)
    measures = measures_of(QApplication.font())
    for text, is_mirrored in (("bees", False), ("שלום", True)):
        row = answer.rows[0]
        highlights = (Highlight(0, len(text), 0, 1.0),)
        snippet = replace(row.snippet, text=text, highlights=highlights)
        layout = RowLayout.of(replace(row, snippet=snippet), setting, measures)
        top = layout.snippet_point.y() + layout.snippet.height / 2
        at_left = layout.highlight_at(QPointF(SIDE + 5, top))
        end = 600 - SIDE - picture_room(row, 600)
        at_right = layout.highlight_at(QPointF(end - 5, top))
        assert (at_right is not None) is is_mirrored
        assert (at_left is not None) is not is_mirrored


def bar_place(view: TextView, text: str) -> int:
    """Return the column of the bar next to the passage, as painted."""
    view.show_text(text, Marks((), (0, len(text))))
    with_bar = view.viewport().grab().toImage()
    view.show_text(text, NO_MARKS)
    without = view.viewport().grab().toImage()
    columns = range(without.width())
    rows = range(without.height())
    return next(
        x
        for x in columns
        if any(with_bar.pixelColor(x, y) != without.pixelColor(x, y) for y in rows)
    )


def test_the_bar_of_the_passage_is_where_its_lines_begin(qtbot: QtBot, theme: ThemeSwitch) -> None:
    view = TextView()
    qtbot.addWidget(view)
    view.resize(400, 100)
    view.show()
    assert bar_place(view, "bees") < 5
    assert bar_place(view, "שלום") > view.viewport().width() - 10


@pytest.mark.parametrize(("language", "direction"), [("en", 0), ("ar", 1), ("he", 1)])
def test_the_window_is_mirrored_in_a_language_from_right_to_left(
    qapp: QApplication, language: str, direction: int
) -> None:
    with every_widget_kept():
        install_language(qapp, language)
        assert qapp.layoutDirection() is DIRECTIONS[direction]
        install_language(qapp, "en")
    assert qapp.layoutDirection() is DIRECTIONS[0]
