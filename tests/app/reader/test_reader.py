"""The reader shows the passage in place, on the printed page or in the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton

from app.main_window import MainWindow
from app.reader.marks import part_with, parts_of
from app.reader.reader import ReaderView
from core.documents.document import IS_PICTURE, Page
from core.documents.pages import recognition
from core.errors import DocumentError, LibraryDamagedError, Message
from core.requests import DrawPage, ReadPages
from tests.app.library_double import Book, LibraryDouble
from tests.app.reader.shown_pages import drawing_of, highlight_boxes, wanted_width

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

Search = Callable[[str], ReaderView]
AddBook = Callable[..., Book]


def press(qtbot: QtBot, reader: ReaderView, name: str) -> None:
    button = next(
        found for found in reader.findChildren(QToolButton) if found.accessibleName() == name
    )
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def labels(reader: ReaderView) -> list[str]:
    return [label.text() for label in reader.header.findChildren(QLabel) if label.isVisible()]


def test_a_text_is_shown_with_its_highlights(search: Search) -> None:
    view = search("mould").view.text

    assert view.isVisible()
    text = view.toPlainText()
    assert text.startswith("Wheat keeps for years")
    assert [text[highlight.start : highlight.end] for highlight in view.highlights] == ["Mould"]


def test_other_passages_of_the_document_are_highlighted_too(search: Search) -> None:
    view = search("dry wet").view.text

    text = view.toPlainText()
    assert [text[highlight.start : highlight.end] for highlight in view.highlights] == [
        "dry",
        "wet",
    ]


def test_letters_beyond_the_first_plane_do_not_shift_highlights(
    search: Search, add_book: AddBook
) -> None:
    add_book("emoji.txt", [["🌾🌾🌾 and then spelt."]])
    view = search("spelt").view.text

    cursor = view.textCursor()
    cursor.setPosition(view.highlights[0].start)
    cursor.setPosition(view.highlights[0].end, cursor.MoveMode.KeepAnchor)
    assert cursor.selectedText() == "spelt"


def test_a_long_text_is_scrolled_to_the_passage(search: Search, add_book: AddBook) -> None:
    filler = [f"Paragraph {number} says little. " * 8 for number in range(60)]
    add_book("long.txt", [[*filler, "Here is the needle.", *filler]])
    view = search("needle").view.text

    cursor = view.textCursor()
    cursor.setPosition(view.highlights[0].start)
    assert view.verticalScrollBar().value() > 500
    assert view.viewport().rect().contains(view.cursorRect(cursor).center())


def test_a_very_long_text_is_shown_in_parts(
    search: Search, qtbot: QtBot, add_book: AddBook
) -> None:
    filler = [f"Paragraph {number} says little. " * 20 for number in range(150)]
    add_book("novel.txt", [[*filler, "Here is the needle.", *filler]])
    reader = search("needle")

    assert "needle" in reader.view.text.toPlainText()
    place = next(text for text in labels(reader) if " / " in text)
    number, count = (int(part) for part in place.split(" / "))
    assert 1 < number <= count
    press(qtbot, reader, "Previous page")
    assert f"{number - 1} / {count}" in labels(reader)
    assert "needle" not in reader.view.text.toPlainText()
    assert reader.view.text.highlights == ()


def test_a_page_in_several_parts_counts_as_one(
    search: Search, add_book: AddBook, qtbot: QtBot
) -> None:
    long = [f"Chapter two, paragraph {number}. {'Rye. ' * 40}" for number in range(160)]
    add_book("novel.epub", [["A first chapter."], [*long, "Spelt."], ["A last chapter."]])
    reader = search("spelt")
    assert "2 / 3" in labels(reader)
    press(qtbot, reader, "Previous page")
    assert "Spelt." not in reader.view.text.toPlainText()
    assert "Chapter two" in reader.view.text.toPlainText()
    assert "2 / 3" in labels(reader)
    for _ in range(2):
        press(qtbot, reader, "Next page")
    assert "3 / 3" in labels(reader)
    assert "A last chapter." in reader.view.text.toPlainText()


def test_the_header_keeps_its_height(
    search: Search, add_book: AddBook, library: LibraryDouble
) -> None:
    reader = search("oats")
    assert any(" match" in label for label in labels(reader))
    high = reader.header.height()
    reader.header.show_hit(None, 0)
    reader.header.show_position(1, 1)
    reader.header.layout().activate()
    assert reader.header.sizeHint().height() == high


def test_parts_make_up_the_document() -> None:
    pages = (Page(1, "short"), Page(2, "word " * 20_000 + "x" * 60_000), Page(3, ""))
    parts = parts_of(pages)

    for page in pages:
        assert "".join(part.text for part in parts if part.page == page.number) == page.text
    assert max(len(part.text) for part in parts) <= 24_000
    assert [part_with(parts, 1, 3), part_with(parts, 3, 0)] == [0, len(parts) - 1]
    found = parts[part_with(parts, 2, 120_000)]
    assert found.start <= 120_000 < found.end


def test_a_page_is_drawn_at_the_sharpness_of_the_view(
    search: Search, library: LibraryDouble
) -> None:
    reader = search("usefulness software")
    view = reader.view.pages

    assert view.isVisible()
    assert library.images[0] == (2, 2, wanted_width(view)), "the page with the passage comes first"
    assert drawing_of(view) is not None
    assert drawing_of(view).image.width() == wanted_width(view)
    assert [highlight.word for highlight, _ in highlight_boxes(view)] == [0, 1]
    assert len(drawing_of(view).boxes) == 3, "including those of the passage"
    assert "2 / 2" in labels(reader)


def test_a_page_is_drawn_again_after_the_window_was_resized(
    search: Search, qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    view = search("usefulness").view.pages
    count = len(library.images)
    before = wanted_width(view)
    for step in range(5):
        window.resize(window.width() - 10 * (step + 1), window.height())
    qtbot.waitUntil(
        lambda: (
            drawing_of(view) is not None and drawing_of(view).image.width() == wanted_width(view)
        )
    )

    qtbot.waitUntil(lambda: not window.session.is_reading)
    assert wanted_width(view) < before
    assert len(library.images) == count + 2, "each page once for five steps"


def test_a_page_is_not_drawn_again_when_a_new_answer_marks_the_same(
    search: Search, qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search("usefulness")
    count = len(library.images)
    with qtbot.waitSignal(window.searcher.answered):
        window.searcher.refresh()
    qtbot.waitUntil(lambda: not window.session.is_reading)

    assert len(library.images) == count


def test_pages_are_turned(search: Search, qtbot: QtBot, library: LibraryDouble) -> None:
    reader = search("usefulness")
    press(qtbot, reader, "Previous page")
    assert "1 / 2" in labels(reader)
    qtbot.waitUntil(lambda: {image[1] for image in library.images} == {1, 2})
    assert highlight_boxes(reader.view.pages) == []

    press(qtbot, reader, "Next page")
    assert "2 / 2" in labels(reader)
    qtbot.waitUntil(lambda: highlight_boxes(reader.view.pages) != [])


def test_the_text_of_a_page_can_be_shown_instead(search: Search, qtbot: QtBot) -> None:
    reader = search("usefulness")
    press(qtbot, reader, "Show text")
    assert reader.view.text.isVisible()
    assert reader.view.text.toPlainText().startswith("Usefulness predicts")

    press(qtbot, reader, "Show page")
    assert reader.view.pages.isVisible()


def test_the_text_of_a_deleted_file_is_shown(search: Search, library: LibraryDouble) -> None:
    library.books[2].path.unlink()
    reader = search("usefulness")

    assert "File not found" in reader.notice.accessibleName()
    assert reader.notice.isVisible()
    assert reader.view.text.isVisible()
    assert reader.view.text.toPlainText().startswith("Usefulness predicts")


def test_a_page_that_cannot_be_drawn_is_shown_as_text(
    search: Search, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise DocumentError("Damaged: page 2 cannot be displayed")

    monkeypatch.setitem(library.answers, DrawPage, fail)
    reader = search("usefulness")

    assert reader.notice.accessibleName() == (
        "model.pdf: Damaged: page 2 cannot be displayed. Showing the text from the index."
    )
    assert reader.view.text.isVisible()


def test_a_document_removed_from_the_library_is_reported(
    search: Search, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(library.answers, ReadPages, lambda *_: ())
    for query in ("oats", "usefulness"):
        reader = search(query)
        assert reader.view.empty.isVisible()
        assert reader.view.empty.headline == "Cannot show this document"


def test_a_text_that_cannot_be_loaded_shows_the_reason(
    search: Search, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LibraryDamagedError("The catalog is damaged; run winnow check.")

    monkeypatch.setitem(library.answers, ReadPages, fail)
    reader = search("oats")

    assert reader.view.empty.headline == "Cannot show this document"
    assert reader.notice.accessibleName() == "The catalog is damaged; run winnow check."


def test_a_document_that_lacks_parts_says_which(
    search: Search, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(1, "Rolled oats are flat.", unread="Damaged notes were skipped")
    monkeypatch.setitem(library.answers, ReadPages, lambda *_: (page,))
    reader = search("oats")

    assert reader.notice.isVisible()
    assert reader.notice.accessibleName() == (
        "Not all of this document was read. Damaged notes were skipped"
    )
    assert reader.view.text.toPlainText().startswith("Rolled oats")


@pytest.mark.parametrize("is_installed", [True, False])
def test_text_of_pages_that_are_pictures_is_recognised_by_one_click(
    is_installed: bool, search: Search, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    unread = Message("Incomplete. {0}", Message("Pages {0}: {1}", "2-9", Message(IS_PICTURE)))
    page = Page(1, "Rolled oats are flat.", unread=unread)
    monkeypatch.setitem(library.answers, ReadPages, lambda *_: (page,))
    monkeypatch.setattr(recognition, "is_installed", lambda: is_installed)
    reader = search("oats")
    requests: list[None] = []
    reader.recognition_wanted.connect(lambda: requests.append(None))
    notice = reader.notice.notice
    assert notice is not None
    assert notice.text.endswith("Pages 2-9: Image: turn on text recognition to read it")
    assert bool(notice.action) is is_installed
    notice.act()
    assert len(requests) == is_installed


def test_without_a_selection_the_reader_shows_a_hint(window: MainWindow) -> None:
    assert window.main_view.reader.view.empty.headline == "No result selected"


def test_the_next_document_hides_the_notice(search: Search, library: LibraryDouble) -> None:
    library.books[2].path.unlink()
    search("usefulness")
    reader = search("oats")

    assert not reader.notice.isVisible()
    assert reader.view.text.toPlainText().startswith("Rolled oats")


def test_the_text_of_the_document_before_goes_while_the_next_is_loaded(
    search: Callable[[str], ReaderView], qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    reader = search("wheat oats")
    qtbot.waitUntil(lambda: bool(reader.view.text.toPlainText()))
    library.read_gate.clear()
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: not reader.view.text.toPlainText())
    library.read_gate.set()
    qtbot.waitUntil(lambda: bool(reader.view.text.toPlainText()))
