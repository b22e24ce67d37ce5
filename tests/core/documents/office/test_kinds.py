from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import docx
import pptx
import pytest
import xlsxwriter

from core.documents.formats import format_of, load_function
from core.errors import DocumentError
from tests.core.documents.mutations import packed
from tests.core.documents.office.compound_files import compound_bytes
from tests.core.documents.office.records import cell, text, workbook
from tests.core.documents.office.word_files import P, word_bytes

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"


def _docx() -> bytes:
    office_file, out = docx.Document(), io.BytesIO()
    office_file.add_paragraph("Crows")
    office_file.save(out)
    return out.getvalue()


def _pptx() -> bytes:
    office_file, out = pptx.Presentation(), io.BytesIO()
    office_file.slides.add_slide(office_file.slide_layouts[5]).shapes.title.text = "Crows"
    office_file.save(out)
    return out.getvalue()


def _xlsx() -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        book.add_worksheet("Nests").write(0, 0, "Crows")
    return out.getvalue()


def _xls() -> bytes:
    label = cell(0x0204, 0, 0, text("Crows"))
    return compound_bytes({"Workbook": workbook([("Nests", label)])})


def _odt() -> bytes:
    return packed(
        {
            "content.xml": f'<o:document-content xmlns:o="{_OFFICE}" xmlns:t="{_TEXT}"><o:body>'
            "<o:text><t:p>Crows</t:p></o:text></o:body></o:document-content>"
        }
    )


_MAKERS: dict[str, Callable[[], bytes]] = {
    "docx": _docx,
    "pptx": _pptx,
    "xlsx": _xlsx,
    "doc": lambda: word_bytes([P("Crows\r")]),
    "xls": _xls,
    "odt": _odt,
    "rtf": lambda: rb"{\rtf1 Crows}",
    "page": lambda: b"<!DOCTYPE html><title>x</title><table><tr><td>Crows</td></tr></table>",
    "xml": lambda: (
        b'<?xml version="1.0"?><w:wordDocument xmlns:w="w"><w:p>Crows</w:p></w:wordDocument>'
    ),
}
_NAMES = ("docx", "docm", "pptx", "xlsx", "xls", "doc", "ppt", "rtf", "odt", "ods")


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize("kind", _MAKERS)
def test_an_office_document_is_read_as_what_it_holds(tmp_path: Path, kind: str, name: str) -> None:
    path = tmp_path / f"birds.{name}"
    path.write_bytes(_MAKERS[kind]())
    assert "Crows" in _read(path).split()


@pytest.mark.parametrize(
    ("name", "data", "lines"),
    [
        ("a.xls", b"tree;eggs\r\noak;4\r\n", "tree | eggs\noak | 4"),
        ("a.xls", "tree\teggs\r\noak\t4\r\n".encode("utf-16"), "tree | eggs\noak | 4"),
        ("a.doc", b"Just text.", "Just text."),
    ],
)
def test_files_that_old_programs_open_as_text_are_read_as_text(
    tmp_path: Path, name: str, data: bytes, lines: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert _read(path) == lines


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.xlsx", b"tree;eggs", r"^Damaged: not a \.xlsx file$"),
        ("a.xls", b"\x01\x02\x03" * 200, r"^Damaged: not a \.xls file$"),
        ("a.docx", compound_bytes({"EncryptedPackage": b"x"}), "^Password required$"),
        ("a.docx", compound_bytes({"WordDocument": b"x"}), "^Damaged"),
        ("a.rtf", packed({"a": "b"}), r"^Damaged: not an RTF file$"),
    ],
)
def test_an_unrecognised_file_fails_with_the_reason_for_its_suffix(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=reason):
        _read(path)


def _read(path: Path) -> str:
    kind = format_of(path)
    assert kind is not None
    return "\n\n".join(page.text for page in load_function(kind.reader)(path).pages)
