from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.office import doc
from core.errors import DocumentError
from tests.core.documents.mutations import mutations, read_all
from tests.core.documents.office.word_files import (
    DELETED_6,
    ENDS_ROW_6,
    HIDDEN_6,
    IN_TABLE_6,
    ITEM_6,
    SYMBOL_6,
    P,
    font_6,
    word6_bytes,
)

_ROW = [
    P("oak\x07", own=IN_TABLE_6),
    P("4\x07", own=IN_TABLE_6),
    P("\x07", own=ENDS_ROW_6),
]
_BIRDS = [
    P("On Crows\r", style=20),
    P("Clever.\r", style=21),
    P("They a\x02re not secretly few.\r", runs=((14, 18, HIDDEN_6), (18, 23, DELETED_6))),
    P("\x28 nests\r", own=ITEM_6, runs=((0, 1, SYMBOL_6),)),
    P("eggs\r", own=ITEM_6),
    *_ROW,
    *_ROW,
    P("\x13 PAGEREF x \x147\x15 “End”\r"),
]
_TEXT = (
    "On Crows\n\nClever.\n\nThey are not few.\n\n• nests\neggs\n\noak | 4\noak | 4\n\n7 “End”"
    "\n\nA note."
)
_STYLES = {20: (62, 0xFFF), 21: (0x20, 1)}


def read(tmp_path: Path, data: bytes) -> Document:
    path = tmp_path / "birds.doc"
    path.write_bytes(data)
    return doc.read(path)


@pytest.mark.parametrize("version", [0x65, 0x68])
@pytest.mark.parametrize("pieces", [0, 1, 3])
def test_the_text_is_read_wherever_its_pieces_lie(
    tmp_path: Path, version: int, pieces: int
) -> None:
    data = word6_bytes(
        _BIRDS, footnotes=[P("\x02A note.\r")], styles=_STYLES, pieces=pieces, version=version
    )
    document = read(tmp_path, data)
    assert document.pages[0].text == _TEXT
    headings = [(heading.level, heading.text) for heading in document.pages[0].headings]
    assert headings == [(1, "On Crows"), (1, "Clever.")]
    assert document.title == "On Crows"


@pytest.mark.parametrize(
    "options",
    [
        {"language": 0x0419},
        {"fonts": [0, 204], "standard_font": 1},
        {"fonts": [204], "language": 0x0407},
    ],
)
def test_text_is_in_the_code_page_of_its_language_or_font(tmp_path: Path, options) -> None:
    data = word6_bytes([P("Вороны\r")], encoding="cp1251", **options)
    assert read(tmp_path, data).pages[0].text == "Вороны"


def test_a_font_of_another_writing_is_read_in_its_own_code_page(tmp_path: Path) -> None:
    greek = "Κοράκι".encode("cp1253").decode("cp1252")
    data = word6_bytes([P(f"Crow: {greek}, née\r", runs=((6, 12, font_6(1)),))], fonts=[0, 161])
    assert read(tmp_path, data).pages[0].text == "Crow: Κοράκι, née"


def test_text_of_a_macintosh_is_read_in_its_own_code_page(tmp_path: Path) -> None:
    data = word6_bytes([P("Zwölf “Krähen”\r")], encoding="mac-roman", charset=256)
    assert read(tmp_path, data).pages[0].text == "Zwölf “Krähen”"


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"flags": 0x0100}, "^Password required$"), ({"magic": 0x1234}, "^Damaged")],
)
def test_an_unreadable_file_has_a_reason(tmp_path: Path, options, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read(tmp_path, word6_bytes([P("x\r")], **options))


def test_damage_of_any_kind_has_a_reason(tmp_path: Path) -> None:
    data = word6_bytes(_BIRDS, styles=_STYLES, pieces=2)
    path = tmp_path / "birds.doc"
    read_all(doc.read, path, mutations(data))
