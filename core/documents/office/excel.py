"""Reads Excel workbooks, whose format is detected by content because suffixes are often wrong.

Includes the XML format of 2003, which many programs still export.

Source: [MS-OFFXML], "XML Spreadsheet Reference", Office 2003.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from core.documents.damage import OtherKindError
from core.documents.document import Document
from core.documents.files import read_bytes, start_of
from core.documents.metadata import properties, with_topics
from core.documents.office.kinds import EXCEL_XML, by_content
from core.documents.office.ole import OLE_MAGIC
from core.documents.office.ooxml import main_part
from core.documents.office.packages import open_package, parse_xml
from core.documents.office.sheets import add_rows, format_plain
from core.documents.office.xls import read_xls
from core.documents.office.xlsb import read_xlsb
from core.documents.office.xlsx import read_xlsx
from core.documents.text import PageText
from core.documents.text_formats import html
from core.errors import DocumentError

# First records of workbooks of Excel 2, 3 and 4.
_BEFORE_1993 = (b"\x09\0\x04\0", b"\x09\x02\x06\0", b"\x09\x04\x06\0")
_START_BYTES = 2_000


@by_content
def read(path: Path) -> Document:
    """Read a workbook: a page per sheet with its name as heading, a line per row.

    Raises:
        DocumentError: It is damaged, encrypted, not a workbook, or too large when unpacked.
    """
    start = start_of(path, _START_BYTES)
    if start.startswith(OLE_MAGIC):
        return read_xls(path)
    if start.startswith(_BEFORE_1993):
        raise DocumentError("Unsupported Excel version (before 1993)")
    if not start.startswith(b"PK"):
        # Programs export tables as XML or HTML with Excel's suffixes.
        if EXCEL_XML in start:
            return _read_xml(read_bytes(path))
        if b"<html" in start.lower() or b"<table" in start.lower():
            return html.read(path)
    with open_package(path) as package:
        main = main_part(package)
        is_binary = main.lower().endswith(".bin")
        return read_xlsb(package, main) if is_binary else read_xlsx(package, main)


_SS: Final = f"{{{EXCEL_XML.decode()}}}"
_O: Final = "{urn:schemas-microsoft-com:office:office}"
_TOPICS: Final = ("Keywords", "Subject", "Category", "Description")


def _read_xml(data: bytes) -> Document:
    """Read an XML workbook.

    Raises:
        DocumentError: It is not well-formed, or not a workbook.
    """
    root = parse_xml(data, "it")
    if root.tag != f"{_SS}Workbook":
        raise OtherKindError("Not an Excel workbook despite its name")
    pages = []
    for sheet_number, sheet in enumerate(root.iterchildren(f"{_SS}Worksheet"), 1):
        page = PageText()
        add_rows(page, sheet.get(f"{_SS}Name") or "", _rows(sheet))
        for comment in sheet.iter(f"{_SS}Comment"):
            page.add("".join(comment.itertext()))
        pages.append(page.page(sheet_number))
    about = root.find(f"{_O}DocumentProperties")
    title, author, saved, created = (
        None if about is None else about.findtext(f"{_O}{name}")
        for name in ("Title", "Author", "LastSaved", "Created")
    )
    topics = () if about is None else (about.findtext(f"{_O}{name}") for name in _TOPICS)
    metadata = properties(title, [author], [saved, created], topics)
    pages = list(with_topics(pages, metadata.topics))
    return Document(metadata.title, tuple(pages), metadata.author, metadata.date)


def _rows(sheet: Any) -> Iterator[tuple[int, Iterator[tuple[int, str]]]]:
    row_number = 0
    for row in sheet.iter(f"{_SS}Row"):
        row_number = _index(row) or row_number + 1
        yield row_number, _cells(row)


def _cells(row: Any) -> Iterator[tuple[int, str]]:
    column = 0
    for cell in row.iterchildren(f"{_SS}Cell"):
        column = _index(cell) or column + 1
        if (data := cell.find(f"{_SS}Data")) is not None:
            yield column, _shown(data)


def _index(element: Any) -> int:
    """Return the explicit number of a row or cell; 0 for none."""
    index = element.get(f"{_SS}Index") or ""
    return int(index) if index.isdecimal() and len(index) < 8 else 0


def _shown(data: Any) -> str:
    text = "".join(data.itertext())
    kind = data.get(f"{_SS}Type")
    if kind == "Boolean":
        return "TRUE" if text.strip() == "1" else "FALSE"
    if kind == "DateTime":
        return text.removesuffix("T00:00:00.000").replace("T", " ").removesuffix(".000")
    if kind == "Number":
        try:
            return format_plain(float(text))
        except ValueError:
            return text
    return text
