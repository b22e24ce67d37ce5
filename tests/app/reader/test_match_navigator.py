"""Stepping through the highlights of a document and through the matches of the find bar."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtWidgets import QLabel, QLineEdit

from app.highlighting import qt_offset
from app.main_window import MainWindow
from app.palette import scheme_of
from app.reader import document_view
from app.reader.marks import Marks, Part, Spot
from app.reader.match_navigator import find
from app.reader.reader import ReaderView
from app.reader.text_view import TextView
from app.reader.typesetting import Typesetting, typesetting_of
from core.documents.document import Page
from core.progress import Job
from tests.app import person
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import press
from tests.app.reader.shown_pages import drawing_of
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

Search = Callable[[str], ReaderView]
AddBook = Callable[..., Book]
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def label_texts(reader: ReaderView) -> list[str]:
    parts = (reader.header, reader.find_bar)
    return [
        label.text() for part in parts for label in part.findChildren(QLabel) if label.isVisible()
    ]


def line(reader: ReaderView) -> QLineEdit:
    return reader.find_bar.line


def at(reader: ReaderView) -> str:
    """Return the words inside the frame of the current match."""
    view = reader.view.text
    current = view.marks.current
    return view.toPlainText()[slice(*current)] if current is not None else ""


@pytest.fixture
def long(add_book: AddBook) -> None:
    filler = [f"Paragraph {number} says little. " * 8 for number in range(40)]
    add_book("long.txt", [["The needle is first.", *filler, "A NEEDLE is\nlast.", *filler]])


def test_f3_steps_through_the_highlights(
    search: Search, qtbot: QtBot, window: MainWindow, long: None
) -> None:
    reader = search("needle")
    bar = reader.view.text.verticalScrollBar()
    bar.setValue(0)
    assert any(text.startswith("2 match") for text in label_texts(reader))

    qtbot.keyClick(window.main_view.results, Qt.Key.Key_F3)
    assert at(reader).lower() == "needle"
    assert "1 of 2" in label_texts(reader) or "2 of 2" in label_texts(reader)
    first = at(reader)
    qtbot.keyClick(reader.view.text, Qt.Key.Key_F3)
    assert at(reader) != first, "the other one"
    places = {bar.value()}
    qtbot.keyClick(reader.view.text, Qt.Key.Key_F3)
    assert at(reader) == first, "after the last comes the first"
    assert len(places | {bar.value()}) == 2, "it was scrolled to"
    press(qtbot, reader, "Previous match (Shift+F3)")
    assert at(reader) != first


def test_words_are_found_while_they_are_typed(
    search: Search, qtbot: QtBot, window: MainWindow, long: None
) -> None:
    reader = search("needle")
    reader.view.text.setFocus()
    qtbot.keyClick(reader.view.text, Qt.Key.Key_F, CONTROL)
    assert line(reader).hasFocus() or reader.find_bar.isVisible()

    qtbot.keyClicks(line(reader), "needle is l")
    qtbot.waitUntil(lambda: "1 of 1" in label_texts(reader))
    assert at(reader) == "NEEDLE is\nl", "case and line ends are ignored"
    line(reader).clear()
    qtbot.keyClicks(line(reader), "paragraph 3")
    qtbot.waitUntil(lambda: any(text.endswith("of 176") for text in label_texts(reader)))
    before = at(reader), label_texts(reader)
    qtbot.keyClick(line(reader), Qt.Key.Key_Return)
    assert at(reader) == "Paragraph 3"
    assert label_texts(reader) != before[1]
    qtbot.keyClick(line(reader), Qt.Key.Key_Return, SHIFT)
    assert label_texts(reader) == before[1]

    qtbot.keyClicks(line(reader), "x")
    qtbot.waitUntil(lambda: "No matches" in label_texts(reader))
    qtbot.keyClick(line(reader), Qt.Key.Key_Escape)
    assert not reader.find_bar.isVisible()
    assert window.focusWidget() is reader.view.text
    assert reader.view.text.marks.matches == ()
    assert person.line(window).text() == "needle", "the query is still there"


def test_ctrl_f_outside_the_reader_selects_the_query(
    search: Search, qtbot: QtBot, window: MainWindow
) -> None:
    reader = search("oats")
    window.main_view.results.setFocus()
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_F, CONTROL)
    assert not reader.find_bar.isVisible()


def test_pages_are_searched_like_texts(
    search: Search, qtbot: QtBot, library: LibraryDouble
) -> None:
    reader = search("usefulness")
    view = reader.view.pages
    qtbot.waitUntil(lambda: drawing_of(view) is not None)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_F, CONTROL)
    qtbot.keyClicks(line(reader), "introduction")
    qtbot.waitUntil(lambda: "1 of 1" in label_texts(reader))
    qtbot.waitUntil(lambda: view.index == 0)
    qtbot.waitUntil(lambda: drawing_of(view) is not None and (3, 15) in drawing_of(view).boxes)
    assert "1 / 2" in label_texts(reader)


def test_the_next_document_is_searched_for_the_same_words(
    search: Search, qtbot: QtBot, window: MainWindow, add_book: AddBook
) -> None:
    add_book("one.txt", [["Spelt and rye, rye, rye."]])
    add_book("two.txt", [["Spelt and one rye."]])
    reader = search("spelt")
    qtbot.keyClick(reader.view.text, Qt.Key.Key_F, CONTROL)
    qtbot.keyClicks(line(reader), "rye")
    qtbot.waitUntil(lambda: "1 of 3" in label_texts(reader) or "1 of 1" in label_texts(reader))
    other = "1 of 1" if "1 of 3" in label_texts(reader) else "1 of 3"
    window.main_view.results.setFocus()
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: other in label_texts(reader))


def test_the_next_document_is_searched_before_its_styles_are_loaded(
    search: Search,
    qtbot: QtBot,
    window: MainWindow,
    add_book: AddBook,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_book("one.md", [["Spelt and rye, rye, rye."]])
    add_book("two.md", [["Spelt and one rye."]])
    reader = search("spelt")
    qtbot.keyClick(reader.view.text, Qt.Key.Key_F, CONTROL)
    qtbot.keyClicks(line(reader), "rye")
    qtbot.waitUntil(lambda: "1 of 3" in label_texts(reader) or "1 of 1" in label_texts(reader))
    other = "1 of 1" if "1 of 3" in label_texts(reader) else "1 of 3"
    gate = threading.Event()

    def none_after_a_while(*_: object) -> tuple[Page, ...]:
        assert gate.wait(patience())
        return ()

    monkeypatch.setattr("app.reader.reader.styles_of", none_after_a_while)
    window.main_view.results.setFocus()
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: other in label_texts(reader), timeout=20_000)
    gate.set()
    qtbot.waitUntil(lambda: not window.session.is_reading)
    assert other in label_texts(reader)


def test_blanks_have_no_matches_and_the_number_of_matches_is_limited() -> None:
    pages = (Page(1, "Ab ab"), Page(2, "a\nb.* AB"))
    assert find(pages, "  ", Job()) == ()
    assert find(pages, "ab", Job()) == (Spot(1, 0, 2), Spot(1, 3, 5), Spot(2, 6, 8))
    assert find(pages, "a b", Job()) == (Spot(2, 0, 3),)
    assert find(pages, ".*", Job()) == (Spot(2, 3, 5),)
    assert len(find((Page(1, "a" * 20_000),), "a", Job())) == 10_000


def test_a_part_is_typeset_once_while_stepping_through_its_matches(
    search: Search, qtbot: QtBot, long: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = search("needle")
    typeset: list[int] = []

    def counted(page: Page, part: Part, *, is_code: bool) -> Typesetting:
        typeset.append(part.start)
        return typesetting_of(page, part, is_code=is_code)

    monkeypatch.setattr(document_view, "typesetting_of", counted)
    qtbot.keyClick(reader.view.text, Qt.Key.Key_F, CONTROL)
    qtbot.keyClicks(line(reader), "little")
    qtbot.waitUntil(lambda: at(reader) == "little")
    qtbot.keyClick(line(reader), Qt.Key.Key_Return)
    assert "2 of 640" in label_texts(reader)
    assert typeset == []


@pytest.mark.parametrize("between", [" ", "\n"])
def test_matches_are_marked_at_any_scroll_position(qtbot: QtBot, between: str) -> None:
    view = TextView()
    qtbot.addWidget(view)
    view.resize(420, 300)
    view.show()
    text = "🌾 " + between.join(["wheat and oats"] * 400)
    found = tuple(spot.span for spot in find((Page(1, text),), "oats", Job()))
    view.show_text(text, Marks((), None, found))
    color = QColor(scheme_of(view.palette()).match)

    for number in (0, 130, 390):
        view.scroll_to(found[number])
        image = view.viewport().grab().toImage()
        cursor = QTextCursor(view.document())
        seen = []
        for start, _ in found:
            cursor.setPosition(qt_offset(text, start))
            corner = view.cursorRect(cursor).topLeft() + QPoint(2, 2)
            if image.rect().contains(corner):
                seen.append(image.pixelColor(corner).name())
        assert len(seen) > 5
        assert set(seen) == {color.name()}


def test_the_passage_stays_in_view_while_the_window_is_resized(
    search: Search, add_book: AddBook, window: MainWindow, qtbot: QtBot
) -> None:
    filler = [f"Paragraph {number} says little, and at some length. " * 9 for number in range(60)]
    add_book("novel.txt", [[*filler, "Here is the needle.", *filler]])
    view = search("needle").view.text

    def top() -> int:
        cursor = view.textCursor()
        cursor.setPosition(view.highlights[0].start)
        return view.cursorRect(cursor).top()

    before = top()
    assert 0 < before < view.viewport().height()
    width = window.width()
    for narrower in (*range(0, 300, 20), *range(300, 0, -20), 0):
        window.resize(width - narrower, window.height())
        assert abs(top() - before) <= 1

    # The scroll position is the anchor, not the passage.
    bar = view.verticalScrollBar()
    bar.setValue(bar.value() // 3)
    first = view.cursorForPosition(QPoint(0, 0)).position()
    for narrower in (*range(0, 300, 20), *range(300, 0, -20), 0):
        window.resize(width - narrower, window.height())
    assert abs(view.cursorForPosition(QPoint(0, 0)).position() - first) < 120
