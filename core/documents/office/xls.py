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
from core.documents.office.ole import compound_file, stream, summary_of, what_is_inside
from core.documents.office.sheets import BUILT_IN, GENERAL, add_rows, shown
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
    """Yield the rows in order, with numbers as Excel shows them: the file counts from 0."""
    for row, cells in sorted(rows.items()):
        yield row + 1, [(column + 1, text) for column, text in sorted(cells.items())]


def _box_text(record: BiffRecord) -> str:
    """Return what is written in a text box or a comment."""
    record.take(10)
    length = record.number("<H")
    if not length:
        return ""
    record.skip_to_continuation()
    return record.characters(length)


def _cells(workbook: _Workbook, record: BiffRecord) -> Iterator[tuple[int, int, str]]:
    """Yield the cells that a record holds, with their rows and columns."""
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


def _number(workbook: _Workbook, record: BiffRecord, style: int) -> str:
    return workbook.shown(record.double(), style)


def _rk(workbook: _Workbook, record: BiffRecord, style: int) -> str:
    return workbook.shown(record.rk(), style)


def _formula(workbook: _Workbook, record: BiffRecord, style: int) -> str:
    """Return a formula's last result; a text follows in a record of its own."""
    result = record.take(8)
    if not result.endswith(b"\xff\xff"):
        (value,) = struct.unpack("<d", result)
        return workbook.shown(value, style)
    kind, flag = result[0], result[2]
    return {1: "TRUE" if flag else "FALSE", 2: ERRORS.get(flag, "")}.get(kind, "")


def _label(workbook: _Workbook, record: BiffRecord, _style: int) -> str:
    return record.text("<H", workbook.codepage)


def _shared(workbook: _Workbook, record: BiffRecord, _style: int) -> str:
    index = record.number("<I")
    return workbook.strings[index] if index < len(workbook.strings) else ""


def _flag(_workbook: _Workbook, record: BiffRecord, _style: int) -> str:
    value, is_error = record.number("<B"), record.number("<B")
    return ERRORS.get(value, "") if is_error else "TRUE" if value else "FALSE"


_VALUES: Final[dict[int, Callable[[_Workbook, BiffRecord, int], str]]] = {
    _NUMBER: _number, _RK: _rk, _FORMULA: _formula, _BOOLERR: _flag,
    _LABEL: _label, _RSTRING: _label, _LABELSST: _shared,
}  # fmt: skip


_CONTINUE: Final = 0x3C
_HEADER: Final = struct.Struct("<HH")
_RICH: Final = 0x08
_WITH_READING: Final = 0x04
_WIDE: Final = 0x01
ERRORS: Final = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!",
    0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A", 0x2B: "#GETTING_DATA",
}  # fmt: skip


class BiffRecord:
    """A record: its `kind`, and its contents in chunks, of which the first is its own.

    What does not fit into a record goes on in records that continue it. Fields are taken one
    after another, as a stream.

    Raises:
        EOFError: The contents end before what is asked for.
    """

    def __init__(self, kind: int, contents: bytes) -> None:
        self.kind = kind
        self._chunks = [contents]
        self._chunk = 0
        self._at = 0

    def go_on(self, contents: bytes) -> None:
        """Add the contents of a record that continues this one."""
        if contents:
            self._chunks.append(contents)

    def __bool__(self) -> bool:
        """Return whether there is anything left to take."""
        return self.left > 0 or self._chunk + 1 < len(self._chunks)

    def number(self, form: str) -> int:
        """Take a number in the form that `struct` knows it by, such as "<H"."""
        (value,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return int(value)

    def double(self) -> float:
        (value,) = struct.unpack("<d", self.take(8))
        return float(value)

    def rk(self) -> float:
        """Take a number in the short form: the upper 30 bits of a double or of an integer."""
        bits = self.number("<i")
        if bits & 2:
            value = float(bits >> 2)
        else:
            (value,) = struct.unpack("<d", struct.pack("<iI", 0, bits & 0xFFFFFFFC))
        return value / 100 if bits & 1 else value

    def take(self, count: int) -> bytes:
        pieces = []
        while count:
            piece = self._piece(count)
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)

    @property
    def left(self) -> int:
        """How many bytes there are left before the record is continued."""
        return len(self._chunks[self._chunk]) - self._at

    def skip_to_continuation(self) -> None:
        """Pass over what is left before the record is continued."""
        self._next_chunk()

    def text(self, length_form: str, codepage: str | None) -> str:
        """Take a string with its length before it; in a code page before BIFF 8."""
        length = self.number(length_form)
        if codepage is not None:
            return self.take(length).decode(codepage, errors="replace")
        flags = self.number("<B")
        runs = self.number("<H") if flags & _RICH else 0
        reading = self.number("<I") if flags & _WITH_READING else 0
        text = self.characters(length, flags)
        self.take(4 * runs + reading)
        return text

    def characters(self, length: int, flags: int | None = None) -> str:
        """Take `length` characters; without `flags`, those stand before the characters."""
        is_wide = (self.number("<B") if flags is None else flags) & _WIDE
        pieces = []
        while length:
            if not self.left:
                self._next_chunk()
                # A string that is cut in two says again how it is written.
                is_wide = self.number("<B") & _WIDE
                continue
            piece = self._piece(length * 2 if is_wide else length)
            pieces.append(piece.decode("utf-16-le" if is_wide else "latin-1", errors="replace"))
            length -= (len(piece) + 1) // 2 if is_wide else len(piece)
        return "".join(pieces)

    def _piece(self, most: int) -> bytes:
        """Take bytes from one chunk, at most `most` and at least one."""
        if not self.left:
            self._next_chunk()
        piece = self._chunks[self._chunk][self._at : self._at + most]
        self._at += len(piece)
        return piece

    def _next_chunk(self) -> None:
        if self._chunk + 1 >= len(self._chunks):
            raise EOFError
        self._chunk += 1
        self._at = 0


def records(data: bytes, start: int = 0) -> Iterator[BiffRecord]:
    """Yield the records from byte `start` to the end, each with those that continue it."""
    held: BiffRecord | None = None
    while start + _HEADER.size <= len(data):
        kind, size = _HEADER.unpack_from(data, start)
        start += _HEADER.size
        contents = data[start : start + size]
        start += size
        if kind == _CONTINUE:
            if held is not None:
                held.go_on(contents)
            continue
        if held is not None:
            yield held
        held = BiffRecord(kind, contents)
    if held is not None:
        yield held
