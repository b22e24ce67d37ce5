"""Mails, workbooks, code and Markdown in the reader, with their highlights in place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QTextCursor, QTextFormat
from PySide6.QtWidgets import QApplication, QLabel, QTabBar

from app.highlighting import qt_offset
from app.main_window import MainWindow
from app.palette import LIGHT
from app.reader import typesetting
from app.reader.controls import MailStrip
from app.reader.reader import ReaderView
from app.reader.sheet_view import SheetModel, letters_of
from app.translation import install_language
from core.documents.document import Heading, Page, SheetRow, Style, StyledSpan
from core.documents.text_formats import html, markdown
from core.responses import Inner
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import press

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot

Search = Callable[[str], ReaderView]
AddBook = Callable[..., Book]


def fixed_family() -> str:
    return typesetting.fixed_font(QFont()).family()


def highlighted(reader: ReaderView) -> list[str]:
    view = reader.view.text
    found = []
    for one in view.highlights:
        cursor = QTextCursor(view.document())
        cursor.setPosition(one.start)
        cursor.setPosition(one.end, QTextCursor.MoveMode.KeepAnchor)
        found.append(cursor.selectedText())
    return found


def format_at(reader: ReaderView, words: str) -> QTextCursor:
    view = reader.view.text
    cursor = QTextCursor(view.document())
    text = view.toPlainText()
    cursor.setPosition(qt_offset(text, text.index(words)) + 1)
    return cursor


def test_markdown_is_typeset_with_exact_highlights(
    search: Search, add_book: AddBook, tmp_path: Path
) -> None:
    path = tmp_path / "source.md"
    path.write_text("# Grain\n\n- 🌾 **spelt**\n- rye\n\n```\nspelt = 1\n```\n", encoding="utf-8")
    (page,) = markdown.read(path).pages
    add_book("guide.md", [[page.text]], (page,))
    reader = search("spelt")

    assert reader.view.text.toPlainText() == page.text
    assert highlighted(reader) == ["spelt", "spelt"]
    assert format_at(reader, "Grain").charFormat().font().pointSizeF() > 1.3 * (
        format_at(reader, "rye").charFormat().font().pointSizeF()
    )
    assert format_at(reader, "spelt").charFormat().fontWeight() > 500
    assert format_at(reader, "rye").currentList() is not None
    assert format_at(reader, "= 1").charFormat().font().family() == fixed_family()


def test_highlights_in_a_block_of_code_are_visible(
    search: Search, add_book: AddBook, tmp_path: Path
) -> None:
    path = tmp_path / "source.md"
    path.write_text("# Grain\n\n```\nspelt = 1\n```\n", encoding="utf-8")
    (page,) = markdown.read(path).pages
    add_book("guide.md", [[page.text]], (page,))
    reader = search("spelt")
    view = reader.view.text
    seen = view.viewport().grab().toImage()

    def colors(start: str, end: str) -> set[str]:
        """Return the colours painted between the left edges of two letters."""
        left, right = (view.cursorRect(format_at(reader, words)) for words in (start, end))
        assert right.left() - left.left() > 4
        return {
            seen.pixelColor(x, y).name()
            for x in range(left.left() + 1, right.left() - 1)
            for y in range(left.top() + 1, left.bottom())
        }

    ground = QColor(LIGHT.hover).name()
    assert ground in colors("= 1", "1"), "the block has a background"
    assert ground not in colors("pelt", "t = 1"), "and highlights are above it"


def rows_of(text: str) -> Page:
    """Return a page of a table, whose lines are its rows."""
    styles, start = [], 0
    for line in text.split("\n"):
        styles.append(StyledSpan(start, start + len(line), Style.ROW, int(start == 0)))
        start += len(line) + 1
    return Page(1, text, styles=tuple(styles))


def edges_of(reader: ReaderView, words: str) -> list[float]:
    """Return the right edges of the columns of the row with these words."""
    shape = format_at(reader, words).blockFormat()
    return [float(edge) for edge in (shape.property(typesetting.COLUMNS) or "").split()]


def test_a_table_is_a_grid_with_exact_highlights(search: Search, add_book: AddBook) -> None:
    text = "Task | Who\nOrder the spelt | Ann\nRead | Benjamin"
    add_book("plan.docx", [[text]], (rows_of(text),))
    reader = search("spelt")
    assert highlighted(reader) == ["spelt"]
    assert reader.view.text.toPlainText() == text.replace(" | ", " \t ")
    first, second = edges_of(reader, "Task"), edges_of(reader, "Benjamin")
    assert first == second
    assert 0 < first[0] < first[1]
    tabs = format_at(reader, "Ann").blockFormat().tabPositions()
    assert len(tabs) == 1
    assert first[0] - 20 < tabs[0].position <= first[0]


def test_a_table_with_rows_of_other_lengths_keeps_its_bars(
    search: Search, add_book: AddBook
) -> None:
    text = "2023 | 2024\nSpelt | 3 | 4"
    add_book("prices.docx", [[text]], (rows_of(text),))
    reader = search("spelt")
    assert reader.view.text.toPlainText() == text
    assert edges_of(reader, "Spelt") == []


def test_a_web_page_loads_nothing_and_runs_nothing(search: Search, add_book: AddBook) -> None:
    (page,) = html.document_of(
        "<h1>Silo</h1><p onclick='x()'>spelt <img src='http://127.0.0.1:9/a.png' alt='a fan'>"
        "<script>fetch('http://127.0.0.1:9/')</script><p>&lt;b>no mark-up&lt;/b> "
        "&lt;img src='http://127.0.0.1:9/b.png'>"
    ).pages
    add_book("page.html", [[page.text]], (page,))
    resources: list[object] = []
    reader = search("oats")
    reader.view.text.loadResource = lambda *about: resources.append(about)  # type: ignore[method-assign]
    reader = search("spelt")

    assert reader.view.text.toPlainText() == page.text
    assert "<b>no mark-up</b>" in page.text, "mark-up in the text is text"
    assert resources == []
    assert highlighted(reader) == ["spelt"]


def test_a_web_page_is_shown_with_its_styles(search: Search, add_book: AddBook) -> None:
    (page,) = html.document_of(
        "<p>Dry <b>spelt, <i>never</i> wet: <code>f(x)</code><br>bold</b>, "
        "<a href=x><em>all</em> about</a> plain"
    ).pages
    add_book("page.html", [[page.text]], (page,))
    reader = search("spelt")
    assert reader.view.text.toPlainText() == page.text
    assert highlighted(reader) == ["spelt"]
    styles = {}
    for word in ("Dry", "spelt", "never", "wet", "f(x)", "bold", "all", "about", "plain"):
        char = format_at(reader, word).charFormat()
        is_fixed = char.font().family() == fixed_family()
        is_link = char.foreground().color() == QColor(LIGHT.accent)
        traits = {"b": char.fontWeight() > 500, "i": char.fontItalic(), "c": is_fixed, "a": is_link}
        assert not char.hasProperty(QTextFormat.Property.BackgroundBrush), "it hides highlights"
        styles[word] = "".join(name for name, is_so in traits.items() if is_so)
    assert styles == {
        "Dry": "", "spelt": "b", "never": "bi", "wet": "b", "f(x)": "bc", "bold": "b",
        "all": "ia", "about": "a", "plain": "",
    }  # fmt: skip


def test_styles_of_another_text_are_ignored(search: Search, add_book: AddBook) -> None:
    other = Page(1, "Something else", styles=(StyledSpan(0, 9, Style.STRONG),))
    add_book("guide.md", [["Just spelt."]], (other,))
    reader = search("spelt")
    assert reader.view.text.toPlainText() == "Just spelt."
    assert highlighted(reader) == ["spelt"]


def test_code_has_line_numbers(search: Search, add_book: AddBook) -> None:
    text = "import os\n\ndef spelt():\n    pass"
    styles = (StyledSpan(0, 0, Style.LINE, 3), StyledSpan(11, 11, Style.LINE, 7))
    add_book("a.py", [[text]], (Page(1, text, styles=styles),))
    reader = search("spelt")
    assert reader.view.text.line_numbers == [3, 4, 7, 8]
    assert format_at(reader, "def").charFormat().font().family() == fixed_family()
    assert highlighted(reader) == ["spelt"]
    search("oats")
    assert reader.view.text.line_numbers == []


def test_an_attachment_is_opened_and_closed(
    search: Search, qtbot: QtBot, window: MainWindow, library: LibraryDouble, add_book: AddBook
) -> None:
    text = "From: Anna\nAttachments: notes.txt, b.raw\n\nSpelt is attached."
    styles = (StyledSpan(0, 10, Style.FIELD, 4), StyledSpan(24, 33, Style.ATTACHMENT))
    mail = add_book("harvest.eml", [[text]], (Page(1, text, styles=styles),))
    add_book("notes.txt", [["What is in the notes."]])
    inner = Inner(len(library.books) - 1, mail.path / "notes.txt", "", True, "", False)
    closed = Inner(99, mail.path / "b.raw", "", False, "Password required", False)
    mail.inside = (inner, closed)
    reader = search("spelt")

    assert reader.mail_strip.isVisible()
    assert highlighted(reader) == ["Spelt"]
    name, value = (
        format_at(reader, words).charFormat().foreground().color() for words in ("rom:", "Anna")
    )
    assert name != value
    notes, raw = reader.mail_strip.buttons
    assert (raw.isEnabled(), raw.toolTip()) == (False, "b.raw: Password required")
    qtbot.mouseClick(notes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: reader.view.text.toPlainText() == "What is in the notes.")
    assert not reader.mail_strip.isVisible()

    with qtbot.waitSignal(window.searcher.answered):
        window.searcher.refresh()
    qtbot.waitUntil(lambda: not window.session.is_reading)
    assert reader.view.text.toPlainText() == "What is in the notes.", "the text stays"
    qtbot.keyClick(reader.view.text, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: reader.view.text.toPlainText() == text)
    qtbot.mouseClick(reader.mail_strip.buttons[0], Qt.MouseButton.LeftButton)
    press(qtbot, reader, "Back to harvest.eml (Alt+Left)")
    qtbot.waitUntil(lambda: reader.view.text.toPlainText() == text)


def workbook(rows: int) -> Page:
    lines = ["Silos"]
    sheet_rows = []
    start = 7
    for number in range(2, rows + 2):
        line = f"N-{number} | {'spelt' if number == rows else 'rye'}"
        bar = start + line.index(" | ")
        sheet_rows.append(
            SheetRow(start, number, ((1, start, bar), (3, bar + 3, start + len(line))))
        )
        lines.append(line)
        start += len(line) + 1
    text = lines[0] + "\n\n" + "\n".join(lines[1:]) + "\n\nA note on rye."
    return Page(1, text, (Heading(0, 1, "Silos"),), rows=tuple(sheet_rows))


def test_a_workbook_is_a_table_with_highlights(
    search: Search, qtbot: QtBot, add_book: AddBook
) -> None:
    page, other = workbook(3000), Page(2, "Prices", (Heading(0, 1, "Prices"),))
    add_book("silos.xlsx", [[page.text], [other.text]], (page, other))
    reader = search("spelt")
    table = reader.view.sheet.table

    qtbot.waitUntil(table.isVisible)
    model = table.model()
    assert (model.rowCount(), model.columnCount()) == (3001, 3)
    qtbot.keyClick(table, Qt.Key.Key_F3)
    index = model.index(2998, 2)
    assert index.data() == "spelt"
    assert model.index(2998, 1).data() is None
    assert model.index(3000, 0).data() == "A note on rye."
    headings = [model.headerData(2, Qt.Orientation.Horizontal)]
    headings += [model.headerData(row, Qt.Orientation.Vertical) for row in (2998, 3000)]
    assert headings == ["C", "3000", ""]
    assert table.viewport().rect().contains(table.visualRect(index).center()), "it is in view"
    assert [page.text[one.start : one.end] for one in table.highlights] == ["spelt"]
    area = table.visualRect(index)
    image = table.viewport().grab(area).toImage()
    colors = {image.pixelColor(x, y).hsvSaturation() > 60 for x in range(40) for y in range(20)}
    assert True in colors, "the cell is highlighted"

    tabs = reader.view.sheet.findChild(QTabBar)
    assert [tabs.tabText(number) for number in range(tabs.count())] == ["Silos", "Prices"]
    tabs.setCurrentIndex(1)
    assert table.model().rowCount() == 0
    press(qtbot, reader, "Previous page")
    assert table.model().rowCount() == 3001


def test_the_cells_pass_qts_own_test(qtmodeltester: ModelTester) -> None:
    model = SheetModel(workbook(20))
    qtmodeltester.check(model)
    assert model.at(len(workbook(20).text) - 1) == (20, 0)
    assert [letters_of(number) for number in (1, 28, 702)] == ["A", "AB", "ZZ"]


def test_words_in_a_workbook_are_found_in_their_cells(
    search: Search, qtbot: QtBot, add_book: AddBook
) -> None:
    page = workbook(500)
    add_book("silos.xlsx", [[page.text]], (page,))
    reader = search("spelt")
    table = reader.view.sheet.table
    qtbot.waitUntil(table.isVisible)
    qtbot.keyClick(table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(reader.find_bar.line, "N-17 ")
    qtbot.waitUntil(lambda: table.currentIndex().data() == "N-17")


def test_the_full_text_of_a_cell_is_shown_only_with_its_sheet(
    search: Search, qtbot: QtBot, add_book: AddBook
) -> None:
    long = "Spelt is stored in silos that are dry, cool and dark. " * 12
    first = Page(1, long, rows=(SheetRow(0, 1, ((1, 0, len(long)),)),))
    second = Page(2, "Rye", rows=(SheetRow(0, 1, ((1, 0, 3),)),))
    add_book("grain.xlsx", [[long], ["Rye"]], (first, second))
    reader = search("spelt")
    full_text = reader.view.sheet.findChild(QLabel, "cellText")
    qtbot.waitUntil(lambda: full_text.isVisible() and full_text.text() == long)

    reader.view.sheet.findChild(QTabBar).setCurrentIndex(1)

    assert reader.view.sheet.table.model().index(0, 0).data() == "Rye"
    assert not full_text.isVisible()


def test_the_find_bar_closes_after_the_focused_widget_was_deleted(
    search: Search, qtbot: QtBot, library: LibraryDouble, add_book: AddBook
) -> None:
    for name in ("spelt", "emmer"):
        mail = add_book(f"{name}.eml", [[f"{name} is attached."]])
        mail.inside = (Inner(0, mail.path / "notes.txt", "", True, "", False),)
    reader = search("spelt")
    reader.mail_strip.buttons[0].setFocus()
    qtbot.keyClick(reader.mail_strip.buttons[0], Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    search("emmer")
    qtbot.wait(0)
    qtbot.keyClick(reader.find_bar.line, Qt.Key.Key_Escape)
    assert not reader.find_bar.isVisible()


def test_the_reason_for_an_unread_attachment_is_translated(
    qtbot: QtBot, qapp: QApplication
) -> None:
    install_language(qapp, "de")
    strip = MailStrip()
    qtbot.addWidget(strip)
    strip.show_mail("", (Inner(1, Path("b.raw"), "", False, "Password required", False),))
    assert strip.buttons[0].toolTip() == "b.raw: Passwort erforderlich"
