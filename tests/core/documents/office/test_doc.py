from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.office import doc
from core.errors import DocumentError
from tests.core.documents.office.compound_files import compound_bytes
from tests.core.documents.office.word_files import (
    DELETED,
    HIDDEN,
    IN_TABLE,
    ITEM,
    SYMBOL,
    P,
    outline,
    row,
    word_bytes,
)


def read(tmp_path: Path, data: bytes) -> Document:
    path = tmp_path / "a.doc"
    path.write_bytes(data)
    return doc.read(path)


def text(tmp_path: Path, *paragraphs: P, **options) -> str:
    return read(tmp_path, word_bytes(paragraphs, **options)).pages[0].text


@pytest.mark.parametrize("is_wide", [False, True])
@pytest.mark.parametrize("pieces", [1, 3])
def test_text_is_put_together_from_its_pieces(tmp_path: Path, is_wide: bool, pieces: int) -> None:
    paragraphs = [P("Crows are “clever”.\r"), P("Owls — hunt.\r"), P("Über alles\x0bzwei\r")]
    found = text(tmp_path, *paragraphs, is_wide=is_wide, pieces=pieces)
    assert found == "Crows are “clever”.\n\nOwls — hunt.\n\nÜber alles\nzwei"


def test_characters_of_any_script_are_read(tmp_path: Path) -> None:
    assert text(tmp_path, P("罪と罰 🐦 Что делать?\r"), is_wide=True) == "罪と罰 🐦 Что делать?"


def test_headings_are_recognised_by_style_and_outline_level(tmp_path: Path) -> None:
    styles = {0: (0, 0xFFF), 1: (0xFFF, 0), 2: (2, 0), 12: (0xFFE, 2), 13: (62, 0), 14: (0xFFE, 14)}
    data = word_bytes(
        [
            P("On Birds\r", 13),
            P("Crows\r", 1),
            P("Food\r", 12),
            P("Text.\r", 14),
            P("Owls\r", 0, outline(0)),
            P("No heading\r", 1, outline(9)),
        ],
        styles=styles,
    )
    document = read(tmp_path, data)
    levels = [(heading.level, heading.text) for heading in document.pages[0].headings]
    assert levels == [
        (1, "On Birds"),
        (1, "Crows"),
        (2, "Food"),
        (1, "Owls"),
        (1, "No heading"),
    ]
    assert document.title == "On Birds"


def test_the_file_metadata_is_read(tmp_path: Path) -> None:
    data = word_bytes([P("Crows\r", 1)], title="A Theory of Crows", author="Anna Rook")
    document = read(tmp_path, data)
    assert (document.title, document.author) == ("A Theory of Crows", "Anna Rook")
    assert read(tmp_path, word_bytes([P("Crows\r", 1)], title="Microsoft Word - x.doc")).title == (
        "Crows"
    )


def test_tables_are_read_row_by_row(tmp_path: Path) -> None:
    paragraphs = [
        P("Before.\r"),
        *row("Bird", "Food"),
        P("One of\r", own=IN_TABLE),
        *row("the crows", ""),
        P("After.\r"),
    ]
    assert text(tmp_path, *paragraphs) == "Before.\n\nBird | Food\nOne of the crows\n\nAfter."


def test_items_of_a_list_stand_close(tmp_path: Path) -> None:
    items = [P("Birds:\r"), P("Crows\r", own=ITEM), P("Owls\r", own=ITEM), P("End.\r")]
    assert text(tmp_path, *items) == "Birds:\n\nCrows\nOwls\n\nEnd."


def test_notes_boxes_and_comments_come_last(tmp_path: Path) -> None:
    found = text(
        tmp_path,
        P("Crows\x02 are clever\x05.\r"),
        footnotes=[P("\x02 A footnote.\r")],
        comments=[P("\x05A comment.\r")],
        endnotes=[P("\x02 An endnote.\r")],
        text_boxes=[P("A box.\r")],
    )
    assert found == "Crows are clever.\n\nA box.\n\nA footnote.\n\nAn endnote.\n\nA comment."


def test_fields_are_read_by_their_results(tmp_path: Path) -> None:
    link = 'See \x13 HYPERLINK "http://x" \x14the page\x15, '
    nested = "\x13 IF \x13 DATE \x14now\x15 \x14yes\x15!\r"
    found = text(tmp_path, P(link + nested), P("\x13 TOC \x14One\t1\r"), P("Two\t2\x15\r"))
    assert found == "See the page, yes!\n\nOne\t1\n\nTwo\t2\n\nhttp://x"


@pytest.mark.parametrize("pieces", [1, 4])
@pytest.mark.parametrize("is_wide", [False, True])
def test_hidden_and_deleted_text_is_not_read(tmp_path: Path, pieces: int, is_wide: bool) -> None:
    runs = ((0, 6, HIDDEN), (12, 17, DELETED), (22, 23, SYMBOL))
    paragraph = P("hiddenCrows dead are (clever.\r", runs=runs[:2])
    symbols = P("a ( b\r", runs=((2, 3, SYMBOL),))
    found = text(tmp_path, paragraph, symbols, pieces=pieces, is_wide=is_wide)
    assert found == "Crows are (clever.\n\na • b"


def test_marks_that_are_no_text_go(tmp_path: Path) -> None:
    assert text(tmp_path, P("co\x1foperate non\x1ebreaking\x01\x08.\x0cNext page\r")) == (
        "cooperate non-breaking.\n\nNext page"
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"flags": 0x0100}, "Password required"),
        ({"flags": 0x8300}, "Password required"),
        ({"version": 0x2D, "magic": 0xA5DB}, "Unsupported Word version"),
        ({"version": 0x64, "magic": 0xA5DC}, "Unsupported Word version"),
        ({"magic": 0x1234}, "Damaged"),
    ],
)
def test_an_unreadable_file_has_a_reason(tmp_path: Path, options, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read(tmp_path, word_bytes([P("x\r")], **options))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "Empty file"),
        (compound_bytes({"Other": b"x"}), "Not a Word document despite"),
        (compound_bytes({"EncryptedPackage": b"x" * 9}), "Password required"),
        (compound_bytes({"WordDocument": b"x"}), "Damaged"),
        (word_bytes([P("x\r")])[:1000], "Damaged"),
        (b"\x01\x02\x03" * 200, "Damaged, or not a Word document"),
    ],
)
def test_files_that_are_none_have_a_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read(tmp_path, data)


def test_a_mislabelled_word_document_is_read_by_its_content(tmp_path: Path) -> None:
    import docx

    word = docx.Document()
    word.add_paragraph("Crows")
    word.save(str(tmp_path / "new.doc"))
    assert doc.read(tmp_path / "new.doc").pages[0].text == "Crows"
    assert read(tmp_path, b"<html><title>On Birds</title><p>Owls").title == "On Birds"
    assert read(tmp_path, b"Just text.").pages[0].text == "Just text."


def test_a_missing_file_has_a_reason(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="No longer exists"):
        doc.read(tmp_path / "gone.doc")
