"""How pages look, as their readers tell it: places in the text, and nothing besides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Page, PageSize, SheetRow, Style, StyledSpan, pack_rows
from core.documents.formats import format_of, load_function
from core.documents.reader import Reader
from core.documents.sandbox import protocol
from core.documents.text import PageText
from core.documents.text_formats.html import add_markup
from core.errors import DocumentError

Read = Callable[[str, str], Page]

MAIL = """From: Anna <anna@example.org>
To: bob@example.org
Subject: Crows
Date: Mon, 1 Jan 2024 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain

They are clever.
--x
Content-Type: text/plain; name="a, b.txt"
Content-Disposition: attachment; filename="a, b.txt"

notes
--x
Content-Type: text/plain
Content-Disposition: attachment; filename="c.txt"

more
--x--
"""


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def go(name: str, content: str) -> Page:
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        format_ = format_of(path)
        assert format_ is not None
        return load_function(format_.reader)(path).pages[0]

    return go


def shown(page: Page) -> list[tuple[str, Style, int]]:
    return [(page.text[one.start : one.end], one.style, one.level) for one in page.styles]


def test_markdown_tells_lists_quotes_code_and_words(read: Read) -> None:
    page = read(
        "a.md",
        "# Birds\n\n- **Crows** are *very* `clever`\n  1. deeper\n\n> [said](http://x) so\n\n"
        "```\nx = 1\n```\n\nﬁne **ﬁsh**\n",
    )
    assert shown(page) == [
        ("Crows are very clever", Style.ITEM, 1),
        ("Crows", Style.STRONG, 0),
        ("very", Style.EMPHASIS, 0),
        ("clever", Style.LITERAL, 0),
        ("deeper", Style.NUMBERED, 2),
        ("said so", Style.QUOTE, 1),
        ("said", Style.LINK, 0),
        ("x = 1", Style.CODE, 0),
        ("fish", Style.STRONG, 0),
        ("http://x", Style.LINK, 0),
    ]


def test_a_web_page_tells_lists_quotes_code_and_tables(read: Read) -> None:
    page = read(
        "a.html",
        "<p>Plain</p><ul><li>one<ol><li>two</ol></ul><blockquote>said</blockquote>"
        "<pre>x\n  y</pre><table><tr><td>a<td>b</table>",
    )
    assert shown(page) == [
        ("one", Style.ITEM, 1),
        ("two", Style.NUMBERED, 2),
        ("said", Style.QUOTE, 1),
        ("x\n  y", Style.CODE, 0),
        ("a | b", Style.ROW, 1),
    ]


def test_a_web_page_tells_how_words_look(read: Read) -> None:
    page = read(
        "a.html",
        "<p>Crows  are <b>very\n <i>much</i> </b> <em>clever</em>:<br> <code>x = 1</code>,"
        " <a href=b>see</a> <a name=c>here</a>"
        "<strong><p>all<p>bold</strong>"
        "<pre>a <b>b</b>  <code>c</code></pre>"
        "<h1>A <i>title</i></h1><p><strong> </strong><i></i>end"
        "<table><tr><td>a <b>b</b><td>c</table><b>d</b>",
    )
    assert page.text == (
        "Crows are very much clever:\nx = 1, see here\n\nall\n\nbold\n\na b  c\n\nA title\n\nend"
        "\n\na b | c\n\nd"
    )
    assert [one for one in shown(page) if one[1] not in {Style.CODE, Style.ROW}] == [
        ("much", Style.EMPHASIS, 0),
        ("very much ", Style.STRONG, 0),
        ("clever", Style.EMPHASIS, 0),
        ("x = 1", Style.LITERAL, 0),
        ("see", Style.LINK, 0),
        ("all", Style.STRONG, 0),
        ("bold", Style.STRONG, 0),
        ("b", Style.STRONG, 0),
        ("d", Style.STRONG, 0),
    ]


@given(
    st.lists(
        st.tuples(st.sampled_from(["", "b", "i", "code", "p"]), st.text("ab \n\u00ad", max_size=6)),
        max_size=8,
    )
)
def test_styles_of_words_leave_the_text_as_it_is(pieces: list[tuple[str, str]]) -> None:
    def text_of(markup: str) -> str:
        page = PageText()
        add_markup(page, markup)
        return page.finish()[0]

    plain = "".join(f"<p>{text}</p>" if tag == "p" else text for tag, text in pieces)
    marked = "".join(f"<{tag}>{text}</{tag}>" if tag else text for tag, text in pieces)
    assert text_of(marked) == text_of(plain)


def test_a_mail_tells_its_headers_and_attachments(read: Read) -> None:
    page = read("a.eml", MAIL)
    assert sorted(shown(page), key=lambda one: (one[1], one[0])) == [
        ("a, b.txt", Style.ATTACHMENT, 0),
        ("c.txt", Style.ATTACHMENT, 0),
        ("Attachments: a, b.txt, c.txt", Style.FIELD, 11),
        ("Date: 2024-01-01 10:00", Style.FIELD, 4),
        ("From: Anna <anna@example.org>", Style.FIELD, 4),
        ("To: bob@example.org", Style.FIELD, 2),
    ]


def test_code_tells_where_the_count_of_its_lines_jumps(read: Read) -> None:
    page = read("a.py", "\n\nimport os\n\n\n\ndef f():\n    pass\n")
    assert page.text == "import os\n\ndef f():\n    pass"
    assert [(one.start, one.level) for one in page.styles] == [(0, 3), (11, 7)]


def test_a_table_of_text_tells_its_cells(read: Read) -> None:
    page = read("a.csv", "Name,Born,Died\nAnn,,1999\n,1820,\n")
    assert page.text == "Name | Born | Died\nAnn |  | 1999\n1820"
    assert [cells(page, row) for row in page.rows] == [
        (1, {1: "Name", 2: "Born", 3: "Died"}),
        (2, {1: "Ann", 3: "1999"}),
        (3, {2: "1820"}),
    ]


def test_a_workbook_tells_rows_and_columns_as_its_program_does(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        sheet = book.add_worksheet("Sheet")
        for cell, text in (("B2", "crow"), ("D2", "a | b"), ("A7", "owl")):
            sheet.write(cell, text)
    kind = format_of(tmp_path / "a.xlsx")
    assert kind is not None
    page = load_function(kind.reader)(tmp_path / "a.xlsx").pages[0]
    assert page.text == "Sheet\n\ncrow |  | a | b\nowl"
    assert [cells(page, row) for row in page.rows] == [
        (2, {2: "crow", 4: "a | b"}),
        (7, {1: "owl"}),
    ]


def cells(page: Page, row: SheetRow) -> tuple[int, dict[int, str]]:
    return row.number, {column: page.text[start:end] for column, start, end in row.cells}


def test_styles_pass_only_where_they_are_requested(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("*Crows*\n\n| a | b |\n|---|---|\n", encoding="utf-8")
    assert reader.read(path).pages[0].styles == ()
    styles = reader.read_with_styles(path).pages[0].styles
    assert styles == (StyledSpan(0, 5, Style.EMPHASIS), StyledSpan(7, 12, Style.ROW, 1))


def test_rows_pass_unchanged() -> None:
    page = Page(1, "a | b", rows=(SheetRow(0, 3, ((1, 0, 1), (2, 4, 5))),))
    fields = protocol.document_fields(Document("", (page,)), with_styles=True)
    passed = protocol.document_from(protocol.unpack(protocol.pack(fields))).pages[0].rows
    assert list(passed) == list(page.rows)


@pytest.mark.parametrize(
    "styles",
    [
        [[[[0, 9, "item", 1]], []]],
        [[[[2, 1, "item", 1]], []]],
        [[[[0, 1, "blinking", 1]], []]],
        [[[[0, 1]], []]],
        [[[], pack_rows([SheetRow(0, 1, ((1, 0, 9),))])]],
        [[[], pack_rows([SheetRow(9, 1, ())])]],
        [[[], pack_rows([SheetRow(2, 1, ()), SheetRow(0, 2, ())])]],
        [[[], pack_rows([SheetRow(0, 1, ((1, 3, 2),))])]],
        [[[], ["AAAA", "AAAA"]]],
        [[[], ["", "?"]]],
        [[[], [7, 7]]],
        [],
        7,
    ],
)
def test_styles_that_lie_elsewhere_are_refused(styles: object) -> None:
    fields = protocol.document_fields(Document("", (Page(1, "crow"),))) | {"styles": styles}
    with pytest.raises(protocol.ProtocolError):
        protocol.document_from(fields)


def test_pages_have_sizes_as_they_are_shown(
    reader: Reader, write_pdf: Callable[..., Path], tmp_path: Path
) -> None:
    turned = write_pdf([[], []], page_entries="/Rotate 90")
    assert reader.page_sizes(turned) == (PageSize(600, 400), PageSize(600, 400))
    assert reader.page_sizes(tmp_path / "a.txt") == ()
    with pytest.raises(DocumentError):
        reader.page_sizes(tmp_path / "gone.pdf")


@pytest.mark.parametrize("sizes", [[[1]], [["a", 1]], [[float("inf"), 1]], None])
def test_sizes_that_are_none_are_refused(sizes: object) -> None:
    with pytest.raises(protocol.ProtocolError):
        protocol.sizes_from({"sizes": sizes})
