"""Excel workbooks in the XML of 2003, which many programs still export under Excel's names.

Source: [MS-OFFXML], "XML Spreadsheet Reference", Office 2003.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from core.documents.damage import OtherKindError
from core.documents.document import Document
from core.documents.office.cell_formats import plain
from core.documents.office.kinds import EXCEL_XML
from core.documents.office.sheets import add_rows
from core.documents.office.xml_parts import parse_xml
from core.documents.properties import properties
from core.documents.text import PageText

_SS: Final = f"{{{EXCEL_XML.decode()}}}"
_O: Final = "{urn:schemas-microsoft-com:office:office}"


def read_excel_xml(data: bytes) -> Document:
    """Read a workbook: a page for each sheet.

    Raises:
        DocumentError: It is not well-formed, or no workbook.
    """
    root = parse_xml(data, "it")
    if root.tag != f"{_SS}Workbook":
        raise OtherKindError("is not an Excel workbook inside, whatever its name says")
    pages = []
    for number, sheet in enumerate(root.iterchildren(f"{_SS}Worksheet"), 1):
        page = PageText()
        add_rows(page, sheet.get(f"{_SS}Name") or "", _rows(sheet))
        for comment in sheet.iter(f"{_SS}Comment"):
            page.add("".join(comment.itertext()))
        pages.append(page.page(number))
    said = root.find(f"{_O}DocumentProperties")
    title, author, saved, made = (
        None if said is None else said.findtext(f"{_O}{name}")
        for name in ("Title", "Author", "LastSaved", "Created")
    )
    own = properties(title, [author], [saved, made])
    return Document(own.title, tuple(pages), own.author, own.date)


def _rows(sheet: Any) -> Iterator[tuple[int, Iterator[tuple[int, str]]]]:
    number = 0
    for row in sheet.iter(f"{_SS}Row"):
        number = _index(row) or number + 1
        yield number, _cells(row)


def _cells(row: Any) -> Iterator[tuple[int, str]]:
    column = 0
    for cell in row.iterchildren(f"{_SS}Cell"):
        column = _index(cell) or column + 1
        if (data := cell.find(f"{_SS}Data")) is not None:
            yield column, _shown(data)


def _index(element: Any) -> int:
    """Return the number that a row or a cell tells of itself; 0 for none."""
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
            return plain(float(text))
        except ValueError:
            return text
    return text
