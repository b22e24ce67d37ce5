"""Excel workbooks of 1993 to 2003 (.xls).

Source: [MS-XLS], sections 2.1.7 (substreams) and 2.4 (records).
"""

from __future__ import annotations

import codecs
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.documents.damage import OtherKindError, as_damage
from core.documents.document import Document, Page
from core.documents.office.biff import ERRORS, Record, records
from core.documents.office.cell_formats import BUILT_IN, GENERAL, shown
from core.documents.office.ole import compound_file, stream, summary_of, what_is_inside
from core.documents.office.sheets import add_rows
from core.documents.text import PageText
from core.errors import DocumentError

_BOF, _EOF = 0x0809, 0x0A
_FILEPASS, _CODEPAGE, _DATEMODE = 0x2F, 0x42, 0x22
_BOUNDSHEET, _FORMAT, _XF, _SST = 0x85, 0x041E, 0xE0, 0xFC
_FORMULA, _STRING, _NUMBER, _RK, _MULRK = 0x06, 0x0207, 0x0203, 0x027E, 0xBD
_LABELSST, _LABEL, _RSTRING, _BOOLERR = 0xFD, 0x0204, 0xD6, 0x0205
_TXO, _SERIESTEXT = 0x01B6, 0x100D
_BIFF_8: Final = 0x0600
_VERY_HIDDEN: Final = 2
_WORKSHEET: Final = 0
_NAMES: Final = {10000: "mac-roman", 32768: "mac-roman", 32769: "cp1252", 65001: "utf-8"}


def read_xls(path: Path) -> Document:
    """Read the workbook at `path`: a page for each sheet.

    Raises:
        DocumentError: It is damaged, needs a password, or is another kind of document inside.
    """
    with compound_file(path) as ole:
        data = stream(ole, "Workbook") or stream(ole, "Book")
        said = summary_of(ole)
    if not data:
        raise OtherKindError(what_is_inside(path))
    with as_damage("a part of it cannot be read", EOFError):
        workbook = _Workbook()
        workbook.read(data)
        pages: list[Page] = []
        for sheet in workbook.sheets:
            if sheet.state == _VERY_HIDDEN or sheet.start >= len(data):
                continue
            pages.append(_sheet_page(workbook, sheet, data).page(len(pages) + 1))
    return Document(said.title, tuple(pages), said.author, said.date)


@dataclass(frozen=True, slots=True)
class _Sheet:
    name: str
    start: int
    state: int
    kind: int


@dataclass(slots=True)
class _Workbook:
    """What the first substream says of all sheets."""

    sheets: list[_Sheet] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    formats: dict[int, str] = field(default_factory=lambda: dict(BUILT_IN))
    styles: list[int] = field(default_factory=list)
    codepage: str | None = None
    is_1904: bool = False

    def read(self, data: bytes) -> None:
        """Fill in what the records up to the first end say."""
        for record in records(data):
            kind = record.kind
            if kind == _BOF:
                self.codepage = None if record.number("<H") >= _BIFF_8 else "cp1252"
            elif kind == _FILEPASS:
                raise DocumentError("needs a password")
            elif kind == _CODEPAGE and self.codepage is not None:
                self.codepage = _codepage(record.number("<H"))
            elif kind == _DATEMODE:
                self.is_1904 = record.number("<H") == 1
            elif kind == _BOUNDSHEET:
                start, state, kind = (record.number(form) for form in ("<I", "<B", "<B"))
                name = record.text("<B", self.codepage)
                self.sheets.append(_Sheet(name, start, state & 3, kind))
            elif kind == _FORMAT:
                number = record.number("<H")
                # One that is cut short is met; it only changes how numbers look.
                with suppress(EOFError):
                    form = "<H" if self.codepage is None else "<B"
                    self.formats[number] = record.text(form, self.codepage)
            elif kind == _XF:
                record.take(2)
                self.styles.append(record.number("<H"))
            elif kind == _SST:
                record.take(8)
                while record:
                    self.strings.append(record.text("<H", None))
            elif kind == _EOF:
                return

    def shown(self, value: float, style: int) -> str:
        """Return a number as a cell of `style` shows it."""
        number = self.styles[style] if style < len(self.styles) else 0
        return shown(value, self.formats.get(number, GENERAL), is_1904=self.is_1904)


def _codepage(number: int) -> str:
    name = _NAMES.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


def _sheet_page(workbook: _Workbook, sheet: _Sheet, data: bytes) -> PageText:
    """Return a sheet's page: its cells, then what is written in its charts, boxes and comments."""
    rows: dict[int, dict[int, str]] = {}
    texts: list[str] = []
    depth = 0
    formula: tuple[int, int] | None = None  # the cell whose text is to come
    for record in records(data, sheet.start):
        if record.kind == _BOF:
            depth += 1
        elif record.kind == _EOF:
            depth -= 1
            if depth <= 0:
                break
        elif record.kind == _TXO:
            texts.append(_box_text(record))
        elif record.kind == _SERIESTEXT:
            record.take(2)
            texts.append(record.text("<B", workbook.codepage))
        elif depth == 1 and sheet.kind == _WORKSHEET:
            if record.kind == _STRING and formula is not None:
                row, column = formula
                rows.setdefault(row, {})[column] = record.text("<H", workbook.codepage)
            for row, column, text in _cells(workbook, record):
                formula = (row, column) if record.kind == _FORMULA else None
                rows.setdefault(row, {})[column] = text
    page = PageText()
    add_rows(page, sheet.name, _counted(rows))
    for text in dict.fromkeys(texts):
        page.add(text)
    return page


def _counted(rows: dict[int, dict[int, str]]) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Give the rows in order, with numbers as Excel shows them: the file counts from 0."""
    for row, cells in sorted(rows.items()):
        yield row + 1, [(column + 1, text) for column, text in sorted(cells.items())]


def _box_text(record: Record) -> str:
    """Return what is written in a text box or a comment."""
    record.take(10)
    length = record.number("<H")
    if not length:
        return ""
    record.skip_to_continuation()
    return record.characters(length)


def _cells(workbook: _Workbook, record: Record) -> Iterator[tuple[int, int, str]]:
    """Give the cells that a record holds, with their rows and columns."""
    if record.kind not in _VALUES and record.kind != _MULRK:
        return
    row, column, style = (record.number("<H") for _ in range(3))
    if record.kind != _MULRK:
        yield row, column, _VALUES[record.kind](workbook, record, style)
        return
    yield row, column, workbook.shown(record.rk(), style)
    # The number of the last column stands at the end.
    while record.left > 2:
        column += 1
        style = record.number("<H")
        yield row, column, workbook.shown(record.rk(), style)


def _number(workbook: _Workbook, record: Record, style: int) -> str:
    return workbook.shown(record.double(), style)


def _rk(workbook: _Workbook, record: Record, style: int) -> str:
    return workbook.shown(record.rk(), style)


def _formula(workbook: _Workbook, record: Record, style: int) -> str:
    """Return a formula's last result; a text follows in a record of its own."""
    result = record.take(8)
    if not result.endswith(b"\xff\xff"):
        (value,) = struct.unpack("<d", result)
        return workbook.shown(value, style)
    kind, flag = result[0], result[2]
    return {1: "TRUE" if flag else "FALSE", 2: ERRORS.get(flag, "")}.get(kind, "")


def _label(workbook: _Workbook, record: Record, _style: int) -> str:
    return record.text("<H", workbook.codepage)


def _shared(workbook: _Workbook, record: Record, _style: int) -> str:
    index = record.number("<I")
    return workbook.strings[index] if index < len(workbook.strings) else ""


def _flag(_workbook: _Workbook, record: Record, _style: int) -> str:
    value, is_error = record.number("<B"), record.number("<B")
    return ERRORS.get(value, "") if is_error else "TRUE" if value else "FALSE"


_VALUES: Final[dict[int, Callable[[_Workbook, Record, int], str]]] = {
    _NUMBER: _number, _RK: _rk, _FORMULA: _formula, _BOOLERR: _flag,
    _LABEL: _label, _RSTRING: _label, _LABELSST: _shared,
}  # fmt: skip
