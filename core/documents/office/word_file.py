"""The structure of Word documents of 1993 to 2003: pieces of text, properties and styles."""

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from core.documents import superscripts
from core.documents.charsets import codec_of_language, decode_with
from core.documents.office.rtf import CHARSETS
from core.errors import DocumentError

_WORD_97: Final = 0xA5EC
_WORD_6: Final = 0xA5DC
_OLDER: Final = frozenset({0xA59B, 0xA59C, 0xA5DB, 0xDBA5})
_FIRST_6_VERSION, _LAST_95_VERSION = 0x65, 0x69
_IS_ENCRYPTED, _IS_TABLE_1 = 0x0100, 0x0200
# FibRgLw97: the number of characters of each part.
_COUNTS: Final = struct.Struct("<3I4x3I")
_COUNTS_AT: Final = 76
# FibRgFcLcb97: offsets in the header of the places of structures in the table stream.
_STYLES, _CHARACTER_PAGES, _PARAGRAPH_PAGES, _PIECES = (154 + 8 * n for n in (1, 12, 13, 33))
_PAGE_BYTES: Final = 512
_PARAGRAPH_ENTRY_BYTES, _PARAGRAPH_ENTRY_BYTES_6 = 13, 7
# Identifiers of built-in styles; those of headings are also their indexes in the stylesheet.
_LAST_HEADING, _TITLE = 9, 62
_NO_STYLE: Final = 0xFFF
_MOST_BASES: Final = 20
# Sprms: properties that differ from those of the style.
_IN_TABLE, _ENDS_ROW, _OUTLINE_LEVEL, _LIST = 0x2416, 0x2417, 0x2640, 0x460B
_DELETED, _HIDDEN, _SYMBOL = 0x0800, 0x083C, 0x6A09
_SCRIPT, _POSITION, _SUPERSCRIPT = 0x2A48, 0x4845, 1
_LEAST_UP: Final = 3  # half points of a raised run
_TABS, _TABLE = 0xC615, 0xD608
_OPERAND_BYTES: Final = (1, 1, 2, 4, 2, 2, 0, 3)  # by the top three bits of the sprm
_BODY_TEXT: Final = 9  # as an outline level
_PARAGRAPH_END: Final = re.compile(rb"[\r\x07\x0c]")
_WIDE_PARAGRAPH_END: Final = re.compile(rb"[\r\x07\x0c]\x00")


@dataclass(frozen=True, slots=True)
class Paragraph:
    r"""The raw text of a paragraph and its end mark: "\r", "\f", or "\x07" for a cell or a row.

    `level` is that of a heading, 0 for a title, None for other text.
    """

    text: str
    end: str
    level: int | None = None
    is_item: bool = False
    is_in_table: bool = False
    ends_row: bool = False


@dataclass(frozen=True, slots=True)
class _Parts:
    """The character ranges of the parts of a document."""

    main: tuple[int, int]
    footnotes: tuple[int, int]
    comments: tuple[int, int]
    endnotes: tuple[int, int]
    text_boxes: tuple[int, int]


class _Look(Enum):
    """How characters are read: not at all, as a bullet, as a raised run, or as they are."""

    HIDDEN = auto()
    SYMBOL = auto()
    RAISED = auto()
    PLAIN = auto()


class _TextPiece(NamedTuple):
    """A piece of the text: its character range, its offset, and the bytes per character."""

    first: int
    end: int
    offset: int
    width: int


def is_word_6(word: bytes) -> bool:
    """Return whether a "WordDocument" stream is of Word 6 or 95 rather than Word 97 or later.

    Raises:
        DocumentError: The document is encrypted, or of an older version.
    """
    magic, version, flags = struct.unpack_from("<HH6xH", word)
    if magic in _OLDER or (magic in {_WORD_6, _WORD_97} and version < _FIRST_6_VERSION):
        raise DocumentError("Unsupported Word version (before 1993)")
    if magic not in {_WORD_6, _WORD_97}:
        raise DocumentError("Damaged: not a Word header")
    if flags & _IS_ENCRYPTED:
        raise DocumentError("Password required")
    return bool(version <= _LAST_95_VERSION)


def table_name(word: bytes) -> str:
    """Return the name of the table stream of a Word 97 document."""
    (flags,) = struct.unpack_from("<10xH", word)
    return "1Table" if flags & _IS_TABLE_1 else "0Table"


class WordFile:
    """A Word 97 document.

    Args:
        word: The "WordDocument" stream.
        table: The table stream.
    """

    _encoding = "cp1252"
    # Properties of paragraphs in a list, in a table, and at the end of a row.
    _in_list: tuple[int, ...] = (_LIST,)
    _in_table, _ends_row = _IN_TABLE, _ENDS_ROW

    def __init__(self, word: bytes, table: bytes) -> None:
        self._word = word
        self._table = table
        self._pieces = list(self._read_pieces())
        self._styles = dict(_styles_of(self._structure(_STYLES)))
        pages = self._structure(_PARAGRAPH_PAGES)
        self._paragraphs = _runs(word, pages, "I", _PARAGRAPH_ENTRY_BYTES)
        # Start, end, look and encoding of character runs.
        self._character_runs: list[tuple[int, int, _Look, str]] = [
            (start, end, look, self._encoding)
            for start, end, data in _runs(word, self._structure(_CHARACTER_PAGES), "I", 1)
            if (look := _look_of(dict(_properties(data)))) is not _Look.PLAIN
        ]

    def parts(self) -> _Parts:
        return _parts_of(self._word[_COUNTS_AT:])

    def paragraphs(self, part: tuple[int, int]) -> Iterator[Paragraph]:
        before: list[str] = []
        for piece in self._pieces:
            first, end = max(piece.first, part[0]), min(piece.end, part[1])
            if first >= end:
                continue
            start = piece.offset + (first - piece.first) * piece.width
            stop = min(start + (end - first) * piece.width, len(self._word))
            for at in self._paragraph_ends(start, stop, piece.width):
                before.append(self._visible_text(start, at, piece.width))
                yield self._paragraph("".join(before), at)
                before.clear()
                start = at + piece.width
            before.append(self._visible_text(start, stop, piece.width))
        if any(before):
            yield Paragraph("".join(before), "\r")

    def _paragraph_ends(self, start: int, stop: int, width: int) -> Iterator[int]:
        """Yield the offsets of the characters that end paragraphs."""
        pattern = _PARAGRAPH_END if width == 1 else _WIDE_PARAGRAPH_END
        for match in pattern.finditer(self._word, start, stop):
            if (match.start() - start) % width == 0:
                yield match.start()

    def _paragraph(self, text: str, at: int) -> Paragraph:
        """Return the paragraph that ends at an offset, with its properties."""
        index = bisect_right(self._paragraphs, at, key=itemgetter(0)) - 1
        if index < 0 or at >= self._paragraphs[index][1]:
            return Paragraph(text, chr(self._word[at]))
        data = self._paragraphs[index][2]
        properties = self._properties(data[2:])
        outline = properties.get(_OUTLINE_LEVEL, _BODY_TEXT)
        level = _level_of(int.from_bytes(data[:2], "little"), self._styles)
        return Paragraph(
            text,
            chr(self._word[at]),
            outline + 1 if outline < _BODY_TEXT else level,
            is_item=any(properties.get(property_id) for property_id in self._in_list),
            is_in_table=properties.get(self._in_table) == 1,
            ends_row=properties.get(self._ends_row) == 1,
        )

    def _properties(self, data: bytes) -> dict[int, int]:
        return dict(_properties(data))

    def _visible_text(self, start: int, stop: int, width: int) -> str:
        """Return the text between two offsets without hidden and deleted characters."""
        pieces: list[str] = []
        index = max(bisect_right(self._character_runs, start, key=itemgetter(0)) - 1, 0)
        while (
            start < stop
            and index < len(self._character_runs)
            and self._character_runs[index][0] < stop
        ):
            first, end, look, encoding = self._character_runs[index]
            if end > start:
                pieces.append(self._decoded(start, first, width, self._encoding))
                start = max(start, first)
                text = self._decoded(start, min(end, stop), width, encoding)
                pieces.append(_seen(text, look))
                start = min(end, stop)
            index += 1
        pieces.append(self._decoded(start, stop, width, self._encoding))
        return "".join(pieces)

    def _decoded(self, start: int, stop: int, width: int, encoding: str) -> str:
        data = self._word[start:stop]
        return data.decode("utf-16-le", "replace") if width == 2 else decode_with(data, encoding)

    # The structures

    def _structure(self, at: int) -> bytes:
        """Return the structure whose place is stored at the offset `at` of the header."""
        offset, size = struct.unpack_from("<II", self._word, at)
        return self._table[offset : offset + size]

    def _read_pieces(self) -> Iterator[_TextPiece]:
        """Yield the pieces of the text (Clx, Pcdt, PlcPcd)."""
        for first, end, position in _pieces_of(self._structure(_PIECES)):
            offset = position & 0x3FFFFFFF
            is_narrow = position & 0x40000000
            yield _TextPiece(
                first, end, offset // 2 if is_narrow else offset, 1 if is_narrow else 2
            )


def _parts_of(counts: bytes) -> _Parts:
    """Return the ranges of the parts from their character counts."""
    borders = [0]
    for count in _COUNTS.unpack_from(counts):
        borders.append(borders[-1] + count)
    spans = list(pairwise(borders))
    return _Parts(spans[0], spans[1], spans[3], spans[4], spans[5])


def _pieces_of(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the character range and the place of each piece (Clx, Pcdt, PlcPcd)."""
    at = 0
    while data[at : at + 1] == b"\x01":
        (size,) = struct.unpack_from("<H", data, at + 1)
        at += 3 + size
    if data[at : at + 1] != b"\x02":
        raise DocumentError("Damaged: its text cannot be located")
    (size,) = struct.unpack_from("<I", data, at + 1)
    data = data[at + 5 : at + 5 + size]
    count = (len(data) - 4) // 12
    borders = struct.unpack_from(f"<{count + 1}I", data)
    for index, (first, end) in enumerate(pairwise(borders)):
        (offset,) = struct.unpack_from("<I", data, 4 * (count + 1) + 8 * index + 2)
        yield first, end, offset


def _styles_of(data: bytes) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield each style with its built-in identifier and its base style (STSH)."""
    if len(data) < 6:
        return
    header_size, count, base_size = struct.unpack_from("<HHH", data)
    at = 2 + header_size
    for style in range(count):
        if at + 6 > len(data):
            return
        size, first, second = struct.unpack_from("<HHH", data, at)
        if size >= 4 and base_size >= 4:
            yield style, (first & 0xFFF, second >> 4)
        at += 2 + size + size % 2


def _level_of(style: int, styles: dict[int, tuple[int, int]]) -> int | None:
    """Return the heading level of a style or the styles it is based on; None for body text."""
    for _ in range(_MOST_BASES):
        # Headings have fixed indexes, whatever identifiers a program wrote.
        if 1 <= style <= _LAST_HEADING:
            return style
        based_on, style = styles.get(style, (_NO_STYLE, _NO_STYLE))
        if based_on == _TITLE:
            return 0
    return None


def _runs(word: bytes, data: bytes, form: str, entry_bytes: int) -> list[tuple[int, int, bytes]]:
    """Return runs of the "WordDocument" stream as (start, end, properties).

    Args:
        word: The "WordDocument" stream.
        data: The list of the pages that describe the runs (PlcBte).
        form: The `struct` format of a page number.
        entry_bytes: The size of the entry of a run on a page.
    """
    count = max(len(data) - 4, 0) // (4 + struct.calcsize(form))
    page_numbers = struct.unpack_from(f"<{count}{form}", data, 4 * (count + 1)) if count else ()
    runs: list[tuple[int, int, bytes]] = []
    for page_number in page_numbers:
        start = (page_number & 0x3FFFFF) * _PAGE_BYTES
        page = word[start : start + _PAGE_BYTES]
        if len(page) == _PAGE_BYTES:
            runs += _runs_on(page, entry_bytes)
    return sorted(runs, key=itemgetter(0))


def _runs_on(page: bytes, entry_bytes: int) -> Iterator[tuple[int, int, bytes]]:
    """Yield the runs that a page describes (ChpxFkp, PapxFkp)."""
    count = page[-1]
    if 4 * (count + 1) + entry_bytes * count > _PAGE_BYTES:
        return
    borders = struct.unpack_from(f"<{count + 1}I", page)
    for index, (start, end) in enumerate(pairwise(borders)):
        at = 2 * page[4 * (count + 1) + entry_bytes * index]
        yield start, end, _properties_at(page, at, entry_bytes) if at else b""


def _properties_at(page: bytes, at: int, entry_bytes: int) -> bytes:
    """Return the properties at an offset; their size is in bytes for characters, else in words."""
    size = page[at]
    if entry_bytes == 1:
        return page[at + 1 : at + 1 + size]
    if entry_bytes == _PARAGRAPH_ENTRY_BYTES_6:
        return page[at + 1 : at + 1 + 2 * size]
    # A size of 0 means that it is in the next byte; else it counts words including the size byte.
    return page[at + 1 : at + 2 * size] if size else page[at + 2 : at + 2 + 2 * page[at + 1]]


def _properties(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the properties in a list (grpprl) with the first byte of their operands."""
    at = 0
    while at + 3 <= len(data):
        (property_id,) = struct.unpack_from("<H", data, at)
        at += 2
        size = _OPERAND_BYTES[property_id >> 13]
        yield property_id, data[at]
        if property_id == _TABLE:
            size = int.from_bytes(data[at : at + 2], "little") + 1
        elif property_id == _TABS and data[at] == 0xFF:
            return  # of variable length; no property after it is needed
        elif not size:
            size = 1 + data[at]
        at += size


def _look_of(properties: dict[int, int]) -> _Look:
    """Return the look of characters with these properties."""
    if properties.get(_HIDDEN) == 1 or properties.get(_DELETED) == 1:
        return _Look.HIDDEN
    if _SYMBOL in properties:
        return _Look.SYMBOL
    return _raised_or_plain(properties.get(_SCRIPT, 0), properties.get(_POSITION, 0))


def _raised_or_plain(script: int, position: int) -> _Look:
    """Return the look of characters with these properties (sprmCIss, sprmCHpsPos).

    Args:
        script: 1 for superscript, 2 for subscript.
        position: The lowest byte of the shift in half points, which is negative below the line.
    """
    is_up = _LEAST_UP <= position < 0x80
    return _Look.RAISED if script == _SUPERSCRIPT or is_up else _Look.PLAIN


def _seen(text: str, look: _Look) -> str:
    """Return the text that is read of characters with a look."""
    if look is _Look.HIDDEN:
        return ""
    if look is _Look.SYMBOL:
        return "•"
    return superscripts.marked(text) if look is _Look.RAISED and text else text


_IS_IN_PIECES, _IS_WIDE = 0x0004, 0x1000
# Offsets in the FIB.
_LANGUAGE_AT, _FLAGS_AT, _CHARSET_AT, _TEXT_AT, _COUNTS_AT_6 = 0x06, 0x0A, 0x14, 0x18, 0x34
_STYLES_AT, _CHARACTERS_AT, _PARAGRAPHS_AT, _FONTS_AT, _PIECES_AT = 0x60, 0xB8, 0xC0, 0xD0, 0x160
_MACINTOSH: Final = 256
_STANDARD_FONT_AT: Final = 14  # in the stylesheet
# Sprms: properties that differ from those of the style.
_LIST_6, _LIST_LEVEL, _IN_TABLE_6, _ENDS_ROW_6 = 12, 13, 24, 25
_DELETED_6, _SYMBOL_6, _HIDDEN_6, _FONT = 65, 74, 92, 93
_SCRIPT_6, _POSITION_6 = 104, 101
# Operand bytes by sprm; 0: the first byte is their number.
_OPERAND_BYTES_6: Final = {
    **dict.fromkeys((4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 24, 25, 29, 37, 44, 50, 51), 1),
    **dict.fromkeys((2, 16, 17, 18, 19, 21, 22, 26, 27, 28, *range(30, 37)), 2),
    **dict.fromkeys((*range(38, 44), 45, 46, 47, 48, 49), 2),
    **dict.fromkeys((65, 66, 67, 71, 75, *range(85, 93), 94, 98, 100, 102, 104, 117, 118), 1),
    **dict.fromkeys((69, 72, 80, 93, 96, 97, 99, 101, 107, 109, 110), 2),
    **dict.fromkeys((3, 12, 15, 23, 68, 74, 81, 82, 103, 105, 106, 108), 0),
    20: 4,
    70: 4,
    73: 3,
    95: 3,
}
_NO_OPERAND: Final = 83


class Word6File(WordFile):
    """A document of Word 6 or Word 95."""

    _in_list = (_LIST_6, _LIST_LEVEL)
    _in_table, _ends_row = _IN_TABLE_6, _ENDS_ROW_6

    def __init__(self, word: bytes) -> None:
        self._word = self._table = word
        self._styles = dict(_styles_of(self._structure(_STYLES_AT)))
        self._fonts = list(self._read_fonts())
        self._encoding = self._default_encoding()
        self._pieces = list(self._read_pieces())
        pages = self._structure(_PARAGRAPHS_AT)
        self._paragraphs = _runs(word, pages, "H", _PARAGRAPH_ENTRY_BYTES_6)
        self._character_runs = [
            (start, end, *self._look_of(self._properties(data)))
            for start, end, data in _runs(word, self._structure(_CHARACTERS_AT), "H", 1)
        ]

    def parts(self) -> _Parts:
        return _parts_of(self._word[_COUNTS_AT_6:])

    def _properties(self, data: bytes) -> dict[int, int]:
        return dict(_properties_6(data))

    def _look_of(self, properties: dict[int, int]) -> tuple[_Look, str]:
        """Return the look and the encoding of characters."""
        if properties.get(_DELETED_6) == 1 or properties.get(_HIDDEN_6) == 1:
            return _Look.HIDDEN, self._encoding
        if _SYMBOL_6 in properties:
            return _Look.SYMBOL, self._encoding
        look = _raised_or_plain(properties.get(_SCRIPT_6, 0), properties.get(_POSITION_6, 0))
        return look, self._encoding_of(properties.get(_FONT), self._encoding)

    # The structures

    def _integer(self, at: int) -> int:
        (value,) = struct.unpack_from("<H", self._word, at)
        return int(value)

    def _read_pieces(self) -> Iterator[_TextPiece]:
        flags = self._integer(_FLAGS_AT)
        width = 2 if flags & _IS_WIDE else 1
        if flags & _IS_IN_PIECES:
            for first, end, offset in _pieces_of(self._structure(_PIECES_AT)):
                yield _TextPiece(first, end, offset, width)
        else:
            (start,) = struct.unpack_from("<I", self._word, _TEXT_AT)
            yield _TextPiece(0, self.parts().text_boxes[1], start, width)

    def _read_fonts(self) -> Iterator[int]:
        """Yield the character set of each font (STTBFFFN, FFN)."""
        data = self._structure(_FONTS_AT)
        at = 2
        while at + 5 <= len(data):
            yield data[at + 4]
            at += data[at] + 1

    def _encoding_of(self, font: int | None, default: str) -> str:
        """Return the encoding of text in a font; Western fonts use the default."""
        charset = self._fonts[font] if font is not None and font < len(self._fonts) else 0
        return CHARSETS.get(charset, default) if charset > 2 else default

    def _default_encoding(self) -> str:
        if self._integer(_CHARSET_AT) == _MACINTOSH:
            return "mac-roman"
        encoding = codec_of_language(self._integer(_LANGUAGE_AT)) or self._encoding
        styles = self._structure(_STYLES_AT)[_STANDARD_FONT_AT:][:2]
        return self._encoding_of(int.from_bytes(styles, "little"), encoding)


def _properties_6(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the known properties in a list (grpprl) with their operands as numbers."""
    at = 0
    while at + 2 <= len(data):
        property_id = data[at]
        at += 1
        if property_id == _NO_OPERAND:
            continue
        size = _OPERAND_BYTES_6.get(property_id)
        if size is None:
            return  # a table or section property; no property after it is needed
        if size:
            yield property_id, int.from_bytes(data[at : at + min(size, 2)], "little")
        else:
            yield property_id, data[at]
            size = 1 + data[at]
        at += size
