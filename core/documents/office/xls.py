"""Reads Excel workbooks of 1993 to 2003 (.xls).

Source: [MS-XLS], sections 2.1.7 (substreams) and 2.4 (records).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.documents.charsets import codec_of_page
from core.documents.damage import OtherKindError, as_damage
from core.documents.document import Document, Page
from core.documents.metadata import with_topics
from core.documents.office.date_formats import system_codes
from core.documents.office.ole import compound_file, reason_not_a_package, stream, summary_of
from core.documents.office.sheets import BUILT_IN, GENERAL, add_rows, format_number
from core.documents.text import PageText
from core.errors import DocumentError

_BOF, _EOF = 0x0809, 0x0A
_FILEPASS, _CODEPAGE, _DATEMODE, _COUNTRY = 0x2F, 0x42, 0x22, 0x8C
_BOUNDSHEET, _FORMAT, _XF, _SST = 0x85, 0x041E, 0xE0, 0xFC
_FORMULA, _STRING, _NUMBER, _RK, _MULRK = 0x06, 0x0207, 0x0203, 0x027E, 0xBD
_LABELSST, _LABEL, _RSTRING, _BOOLERR = 0xFD, 0x0204, 0xD6, 0x0205
_TXO, _SERIESTEXT, _HLINK = 0x01B6, 0x100D, 0x01B8
_BIFF_8: Final = 0x0600
_VERY_HIDDEN: Final = 2
_WORKSHEET: Final = 0
_NAMES: Final = {32768: "mac_roman", 32769: "cp1252"}


def read_xls(path: Path) -> Document:
    """Read the workbook at `path`: a page per sheet.

    Raises:
        DocumentError: It is damaged, encrypted, or another kind of document.
    """
    with compound_file(path) as ole:
        data = stream(ole, "Workbook") or stream(ole, "Book")
        about = summary_of(ole)
    if not data:
        raise OtherKindError(reason_not_a_package(path))
    with as_damage("a part cannot be read", EOFError):
        workbook = _Workbook()
        workbook.read(data)
        pages: list[Page] = []
        for sheet in workbook.sheets:
            if sheet.state == _VERY_HIDDEN or sheet.start >= len(data):
                continue
            pages.append(_sheet_page(workbook, sheet, data).page(len(pages) + 1))
    return Document(about.title, with_topics(pages, about.topics), about.author, about.date)


@dataclass(frozen=True, slots=True)
class _Sheet:
    name: str
    start: int
    state: int
    kind: int


@dataclass(slots=True)
class _Workbook:
    """The data of the first substream, which all sheets share."""

    sheets: list[_Sheet] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    formats: dict[int, str] = field(default_factory=lambda: dict(BUILT_IN))
    styles: list[int] = field(default_factory=list)
    codepage: str | None = None
    is_1904: bool = False

    def read(self, data: bytes) -> None:
        """Read the records of the first substream."""
        for record in records(data):
            kind = record.kind
            if kind == _BOF:
                self.codepage = None if record.integer("<H") >= _BIFF_8 else "cp1252"
            elif kind == _FILEPASS:
                raise DocumentError("Password required")
            elif kind == _CODEPAGE and self.codepage is not None:
                self.codepage = _codepage(record.integer("<H"))
            elif kind == _DATEMODE:
                self.is_1904 = record.integer("<H") == 1
            elif kind == _COUNTRY:
                record.take(2)
                self.formats |= system_codes(country=record.integer("<H"))
            elif kind == _BOUNDSHEET:
                start, state, kind = (record.integer(form) for form in ("<I", "<B", "<B"))
                name = record.text("<B", self.codepage)
                self.sheets.append(_Sheet(name, start, state & 3, kind))
            elif kind == _FORMAT:
                value = record.integer("<H")
                # Truncated formats occur in practice, and only affect how numbers look.
                with suppress(EOFError):
                    form = "<H" if self.codepage is None else "<B"
                    self.formats[value] = record.text(form, self.codepage)
            elif kind == _XF:
                record.take(2)
                self.styles.append(record.integer("<H"))
            elif kind == _SST:
                record.take(8)
                while record:
                    self.strings.append(record.text("<H", None))
            elif kind == _EOF:
                return

    def format_number(self, value: float, style: int) -> str:
        """Format the number in a cell of `style`."""
        format_id = self.styles[style] if style < len(self.styles) else 0
        return format_number(value, self.formats.get(format_id, GENERAL), is_1904=self.is_1904)


def _codepage(code_page: int) -> str:
    return _NAMES.get(code_page) or codec_of_page(code_page) or "cp1252"


def _sheet_page(workbook: _Workbook, sheet: _Sheet, data: bytes) -> PageText:
    """Return the page of a sheet: its cells, then the texts of its charts, boxes and comments."""
    page = PageText()
    rows: dict[int, dict[int, str]] = {}
    texts: list[str] = []
    depth = 0
    formula: tuple[int, int] | None = None  # the cell whose text result comes in the next record
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
        elif record.kind == _HLINK:
            with suppress(EOFError):
                page.link(_link_target(record))
        elif depth == 1 and sheet.kind == _WORKSHEET:
            if record.kind == _STRING and formula is not None:
                row, column = formula
                rows.setdefault(row, {})[column] = record.text("<H", workbook.codepage)
            for row, column, text in _cells(workbook, record):
                formula = (row, column) if record.kind == _FORMULA else None
                rows.setdefault(row, {})[column] = text
    add_rows(page, sheet.name, _counted(rows))
    for text in dict.fromkeys(texts):
        page.add(text)
    return page


def _counted(rows: dict[int, dict[int, str]]) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Yield the rows in order, counted from 1 as in Excel; the file counts from 0."""
    for row, cells in sorted(rows.items()):
        yield row + 1, [(column + 1, text) for column, text in sorted(cells.items())]


def _box_text(record: BiffRecord) -> str:
    """Return the text of a text box or a comment."""
    record.take(10)
    length = record.integer("<H")
    if not length:
        return ""
    record.skip_to_continuation()
    return record.characters(length)


# Flags of a link's record, and the kinds of its target ([MS-OSHARED], 2.3.7).
_HAS_TARGET, _HAS_NAME, _HAS_FRAME, _IS_TEXT = 0x01, 0x10, 0x80, 0x100
_ADDRESS: Final = bytes.fromhex("e0c9ea79f9bace118c8200aa004ba90b")


def _link_target(record: BiffRecord) -> str:
    """Return the address or the path of the file that a link's record leads to.

    Raises:
        EOFError: It ends within a field.
    """
    record.take(8 + 16 + 4)  # the cells, the kind of the record, its version
    flags = record.integer("<I")
    for flag in (_HAS_NAME, _HAS_FRAME):
        if flags & flag:
            record.take(2 * record.integer("<I"))
    if not flags & _HAS_TARGET:
        return ""
    if flags & _IS_TEXT:
        raw = record.take(2 * record.integer("<I"))
    elif record.take(16) == _ADDRESS:
        raw = record.take(record.integer("<I"))
    else:  # a file: its short path, then perhaps its path in Unicode
        record.take(2)
        short = record.take(record.integer("<I"))
        record.take(24)
        if not record.integer("<I"):
            return short.partition(b"\0")[0].decode("cp1252", errors="replace")
        size = record.integer("<I")
        record.take(2)
        raw = record.take(size)
    return raw.decode("utf-16-le", errors="replace").partition("\0")[0]


def _cells(workbook: _Workbook, record: BiffRecord) -> Iterator[tuple[int, int, str]]:
    """Yield the cells in a record as (row, column, text)."""
    if record.kind not in _VALUES and record.kind != _MULRK:
        return
    row, column, style = (record.integer("<H") for _ in range(3))
    if record.kind != _MULRK:
        yield row, column, _VALUES[record.kind](workbook, record, style)
        return
    yield row, column, workbook.format_number(record.rk(), style)
    # The record ends with the number of the last column.
    while record.left > 2:
        column += 1
        style = record.integer("<H")
        yield row, column, workbook.format_number(record.rk(), style)


def _number_text(workbook: _Workbook, record: BiffRecord, style: int) -> str:
    return workbook.format_number(record.double(), style)


def _rk(workbook: _Workbook, record: BiffRecord, style: int) -> str:
    return workbook.format_number(record.rk(), style)


def _formula(workbook: _Workbook, record: BiffRecord, style: int) -> str:
    """Return the cached result of a formula; a text result is in the next record."""
    result = record.take(8)
    if not result.endswith(b"\xff\xff"):
        (value,) = struct.unpack("<d", result)
        return workbook.format_number(value, style)
    kind, flag = result[0], result[2]
    return {1: "TRUE" if flag else "FALSE", 2: ERRORS.get(flag, "")}.get(kind, "")


def _label(workbook: _Workbook, record: BiffRecord, _style: int) -> str:
    return record.text("<H", workbook.codepage)


def _shared(workbook: _Workbook, record: BiffRecord, _style: int) -> str:
    index = record.integer("<I")
    return workbook.strings[index] if index < len(workbook.strings) else ""


def _flag(_workbook: _Workbook, record: BiffRecord, _style: int) -> str:
    value, is_error = record.integer("<B"), record.integer("<B")
    return ERRORS.get(value, "") if is_error else "TRUE" if value else "FALSE"


_VALUES: Final[dict[int, Callable[[_Workbook, BiffRecord, int], str]]] = {
    _NUMBER: _number_text, _RK: _rk, _FORMULA: _formula, _BOOLERR: _flag,
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
    """A record: its `kind`, and its content followed by that of its continuation records.

    Fields are read in sequence, as from a stream.

    Raises:
        EOFError: The content ends within a field.
    """

    def __init__(self, kind: int, contents: bytes) -> None:
        self.kind = kind
        self._chunks = [contents]
        self._chunk = 0
        self._at = 0

    def add_continuation(self, contents: bytes) -> None:
        """Add the content of a continuation record."""
        if contents:
            self._chunks.append(contents)

    def __bool__(self) -> bool:
        """Return whether any content is left."""
        return self.left > 0 or self._chunk + 1 < len(self._chunks)

    def integer(self, form: str) -> int:
        """Read a number in a `struct` format."""
        (value,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return int(value)

    def double(self) -> float:
        (value,) = struct.unpack("<d", self.take(8))
        return float(value)

    def rk(self) -> float:
        """Read an RK number: the upper 30 bits of a double or an integer."""
        bits = self.integer("<i")
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
        """Bytes left before the next continuation."""
        return len(self._chunks[self._chunk]) - self._at

    def skip_to_continuation(self) -> None:
        """Skip to the next continuation."""
        self._next_chunk()

    def text(self, length_form: str, codepage: str | None) -> str:
        """Read a string with its length before it; in a code page before BIFF 8."""
        length = self.integer(length_form)
        if codepage is not None:
            return self.take(length).decode(codepage, errors="replace")
        flags = self.integer("<B")
        runs = self.integer("<H") if flags & _RICH else 0
        reading = self.integer("<I") if flags & _WITH_READING else 0
        text = self.characters(length, flags)
        self.take(4 * runs + reading)
        return text

    def characters(self, length: int, flags: int | None = None) -> str:
        """Read `length` characters; without `flags`, these come first."""
        is_wide = (self.integer("<B") if flags is None else flags) & _WIDE
        pieces = []
        while length:
            if not self.left:
                self._next_chunk()
                # A continued string repeats its flags.
                is_wide = self.integer("<B") & _WIDE
                continue
            piece = self._piece(length * 2 if is_wide else length)
            pieces.append(piece.decode("utf-16-le" if is_wide else "latin-1", errors="replace"))
            length -= (len(piece) + 1) // 2 if is_wide else len(piece)
        return "".join(pieces)

    def _piece(self, most: int) -> bytes:
        """Read between one and `most` bytes from one chunk."""
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
    """Yield the records from the offset `start` on, each with its continuations."""
    held: BiffRecord | None = None
    while start + _HEADER.size <= len(data):
        kind, size = _HEADER.unpack_from(data, start)
        start += _HEADER.size
        contents = data[start : start + size]
        start += size
        if kind == _CONTINUE:
            if held is not None:
                held.add_continuation(contents)
            continue
        if held is not None:
            yield held
        held = BiffRecord(kind, contents)
    if held is not None:
        yield held
