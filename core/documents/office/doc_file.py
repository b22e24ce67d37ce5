"""The binary Word 97 format: a document's paragraphs, from where they lie scattered in its file.

Source: [MS-DOC] Word (.doc) Binary File Format, whose names of structures stand in the comments.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from core.errors import DocumentError

_WORD_97: Final = 0xA5EC
_WORD_6: Final = 0xA5DC
_OLDER: Final = frozenset({0xA59B, 0xA59C, 0xA5DB, 0xDBA5})
_FIRST_6_VERSION, _LAST_95_VERSION = 0x65, 0x69
_IS_ENCRYPTED, _IS_TABLE_1 = 0x0100, 0x0200
# FibRgLw97: how many characters there are of each part.
_COUNTS: Final = struct.Struct("<3I4x3I")
_COUNTS_AT: Final = 76
# FibRgFcLcb97: where in the table stream the structures are.
_PLACES_OFFSET: Final = 154
_STYLES, _CHARACTER_PAGES, _PARAGRAPH_PAGES, _PIECES = 1, 12, 13, 33
PAGE_BYTES: Final = 512
# The stylesheet's numbers for built-in styles; headings have the same places in it.
_LAST_HEADING, _TITLE = 9, 62
_NO_STYLE: Final = 0xFFF
_MOST_BASES: Final = 20
# Sprms: properties that differ from the style's.
_IN_TABLE, _ENDS_ROW, _OUTLINE_LEVEL, _LIST = 0x2416, 0x2417, 0x2640, 0x460B
_DELETED, _HIDDEN, _SYMBOL = 0x0800, 0x083C, 0x6A09
_TABS, _TABLE = 0xC615, 0xD608
_OPERAND_BYTES: Final = (1, 1, 2, 4, 2, 2, 0, 3)  # by the kind in the highest bits
_BODY_TEXT: Final = 9  # as an outline level
_PARAGRAPH_END: Final = re.compile(rb"[\r\x07\x0c]")
_WIDE_PARAGRAPH_END: Final = re.compile(rb"[\r\x07\x0c]\x00")


@dataclass(frozen=True, slots=True)
class Paragraph:
    r"""A paragraph's raw text and how it ends: with "\r", "\f", or "\x07" for a cell or a row.

    `level` is that of a heading, 0 for a title, None for other text; an item is one of a list.
    """

    text: str
    end: str
    level: int | None = None
    is_item: bool = False
    is_in_table: bool = False
    ends_row: bool = False


@dataclass(frozen=True, slots=True)
class Parts:
    """Where the parts of the document begin and end, counted in characters."""

    main: tuple[int, int]
    footnotes: tuple[int, int]
    comments: tuple[int, int]
    endnotes: tuple[int, int]
    text_boxes: tuple[int, int]


class Piece(NamedTuple):
    """A stretch of text: from which character on, where in the file, at how many bytes each."""

    first: int
    end: int
    offset: int
    width: int


def is_of_word_6(word: bytes) -> bool:
    """Whether a stream "WordDocument" is of Word 6 or 95, and not of Word 97 or a newer one.

    Raises:
        DocumentError: The document needs a password, or is of an older version.
    """
    magic, version, flags = struct.unpack_from("<HH6xH", word)
    if magic in _OLDER or (magic in {_WORD_6, _WORD_97} and version < _FIRST_6_VERSION):
        raise DocumentError("is of a version of Word before 1993, which Winnow does not read")
    if magic not in {_WORD_6, _WORD_97}:
        raise DocumentError("is damaged: the document's beginning is not Word's")
    if flags & _IS_ENCRYPTED:
        raise DocumentError("needs a password")
    return bool(version <= _LAST_95_VERSION)


def table_name(word: bytes) -> str:
    """Return the name of the stream that a Word 97 document's structures are in."""
    (flags,) = struct.unpack_from("<10xH", word)
    return "1Table" if flags & _IS_TABLE_1 else "0Table"


class WordFile:
    """A Word 97 document.

    Args:
        word: its stream "WordDocument".
        table: the stream that `table_name` names.
    """

    def __init__(self, word: bytes, table: bytes) -> None:
        self._word = word
        self._table = table
        self._pieces = list(self._read_pieces())
        self._styles = dict(styles_of(self._structure(_STYLES)))
        self._paragraphs = self._read_runs(_PARAGRAPH_PAGES)
        self._runs = [
            (start, end, mark)
            for start, end, properties in self._read_runs(_CHARACTER_PAGES)
            if (mark := _seen_as(properties)) is not None
        ]

    def parts(self) -> Parts:
        """Return where the parts of the document are."""
        return parts_of(self._word[_COUNTS_AT:])

    def paragraphs(self, part: tuple[int, int]) -> Iterator[Paragraph]:
        """Give the paragraphs of a part."""
        before: list[str] = []
        for piece in self._pieces:
            first, end = max(piece.first, part[0]), min(piece.end, part[1])
            if first >= end:
                continue
            start = piece.offset + (first - piece.first) * piece.width
            stop = min(start + (end - first) * piece.width, len(self._word))
            for at in self._paragraph_ends(start, stop, piece.width):
                before.append(self._seen(start, at, piece.width))
                yield self._paragraph("".join(before), at)
                before.clear()
                start = at + piece.width
            before.append(self._seen(start, stop, piece.width))
        if any(before):
            yield Paragraph("".join(before), "\r")

    def _paragraph_ends(self, start: int, stop: int, width: int) -> Iterator[int]:
        """Give where in the stream the characters are that end paragraphs."""
        pattern = _PARAGRAPH_END if width == 1 else _WIDE_PARAGRAPH_END
        for match in pattern.finditer(self._word, start, stop):
            if (match.start() - start) % width == 0:
                yield match.start()

    def _paragraph(self, text: str, at: int) -> Paragraph:
        """Return the paragraph that ends at a place in the stream, with what is said of it."""
        number = bisect_right(self._paragraphs, at, key=itemgetter(0)) - 1
        level = None
        properties: dict[int, int] = {}
        if number >= 0 and at < self._paragraphs[number][1]:
            data = self._paragraphs[number][2]
            style = int.from_bytes(data[:2], "little")
            level = level_of(style, self._styles)
            properties = dict(_properties(data[2:]))
        outline = properties.get(_OUTLINE_LEVEL, _BODY_TEXT)
        return Paragraph(
            text,
            chr(self._word[at]),
            outline + 1 if outline < _BODY_TEXT else level,
            is_item=properties.get(_LIST, 0) != 0,
            is_in_table=properties.get(_IN_TABLE) == 1,
            ends_row=properties.get(_ENDS_ROW) == 1,
        )

    def _seen(self, start: int, stop: int, width: int) -> str:
        """Return the text from one place to another without what is hidden or was deleted."""
        encoding = "cp1252" if width == 1 else "utf-16-le"
        pieces: list[str] = []
        number = max(bisect_right(self._runs, start, key=itemgetter(0)) - 1, 0)
        while number < len(self._runs) and self._runs[number][0] < stop:
            first, end, mark = self._runs[number]
            if end > start:
                pieces.append(self._word[start:first].decode(encoding, errors="replace"))
                pieces.append(mark)
                start = min(end, stop)
            number += 1
        pieces.append(self._word[start:stop].decode(encoding, errors="replace"))
        return "".join(pieces)

    # The structures

    def _structure(self, number: int) -> bytes:
        """Return one of the structures in the table stream."""
        offset, size = struct.unpack_from("<II", self._word, _PLACES_OFFSET + 8 * number)
        return self._table[offset : offset + size]

    def _read_pieces(self) -> Iterator[Piece]:
        """Give the pieces that the text is in (Clx, Pcdt, PlcPcd)."""
        for first, end, place in pieces_of(self._structure(_PIECES)):
            offset = place & 0x3FFFFFFF
            is_narrow = place & 0x40000000
            yield Piece(first, end, offset // 2 if is_narrow else offset, 1 if is_narrow else 2)

    def _read_runs(self, structure: int) -> list[tuple[int, int, bytes]]:
        """Return stretches of the stream with the properties that they have (PlcBte, Fkp)."""
        data = self._structure(structure)
        count = max(len(data) - 4, 0) // 8
        numbers = struct.unpack_from(f"<{count}I", data, 4 * (count + 1)) if count else ()
        found: list[tuple[int, int, bytes]] = []
        for number in numbers:
            start = (number & 0x3FFFFF) * PAGE_BYTES
            page = self._word[start : start + PAGE_BYTES]
            if len(page) == PAGE_BYTES:
                found += _runs_of(page, is_of_characters=structure == _CHARACTER_PAGES)
        return sorted(found, key=itemgetter(0))


def parts_of(counts: bytes) -> Parts:
    """Return where the parts of the document are, from the numbers of their characters."""
    borders = [0]
    for count in _COUNTS.unpack_from(counts):
        borders.append(borders[-1] + count)
    spans = list(pairwise(borders))
    return Parts(spans[0], spans[1], spans[3], spans[4], spans[5])


def pieces_of(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Give from which character to which each piece goes, and its place (Clx, Pcdt, PlcPcd)."""
    at = 0
    while data[at : at + 1] == b"\x01":
        (size,) = struct.unpack_from("<H", data, at + 1)
        at += 3 + size
    if data[at : at + 1] != b"\x02":
        raise DocumentError("is damaged: it does not say where its text is")
    (size,) = struct.unpack_from("<I", data, at + 1)
    data = data[at + 5 : at + 5 + size]
    count = (len(data) - 4) // 12
    borders = struct.unpack_from(f"<{count + 1}I", data)
    for number, (first, end) in enumerate(pairwise(borders)):
        (place,) = struct.unpack_from("<I", data, 4 * (count + 1) + 8 * number + 2)
        yield first, end, place


def styles_of(data: bytes) -> Iterator[tuple[int, tuple[int, int]]]:
    """Give for each style which built-in one it is, and which it is based on (STSH)."""
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


def level_of(style: int, styles: dict[int, tuple[int, int]]) -> int | None:
    """Return the level of the heading that a style, or one that it is based on, is for."""
    for _ in range(_MOST_BASES):
        # The first ones have fixed places, whatever number a program gave them in the file.
        if 1 <= style <= _LAST_HEADING:
            return style
        number, style = styles.get(style, (_NO_STYLE, _NO_STYLE))
        if number == _TITLE:
            return 0
    return None


def _runs_of(page: bytes, *, is_of_characters: bool) -> Iterator[tuple[int, int, bytes]]:
    """Give the stretches that one page describes (ChpxFkp, PapxFkp)."""
    count = page[-1]
    entry_size = 1 if is_of_characters else 13
    if 4 * (count + 1) + entry_size * count > PAGE_BYTES:
        return
    borders = struct.unpack_from(f"<{count + 1}I", page)
    for number, (start, end) in enumerate(pairwise(borders)):
        at = 2 * page[4 * (count + 1) + entry_size * number]
        if not at:
            yield start, end, b""
        elif is_of_characters:
            yield start, end, page[at + 1 : at + 1 + page[at]]
        elif page[at]:
            yield start, end, page[at + 1 : at + 2 * page[at]]
        else:
            yield start, end, page[at + 2 : at + 2 + 2 * page[at + 1]]


def _properties(data: bytes) -> Iterator[tuple[int, int]]:
    """Give the properties in a list of them (grpprl), each with its first byte as a number."""
    at = 0
    while at + 3 <= len(data):
        (number,) = struct.unpack_from("<H", data, at)
        at += 2
        size = _OPERAND_BYTES[number >> 13]
        yield number, data[at]
        if number == _TABLE:
            size = int.from_bytes(data[at : at + 2], "little") + 1
        elif number == _TABS and data[at] == 0xFF:
            return  # its length is told in a way of its own, and nothing behind it is of use
        elif not size:
            size = 1 + data[at]
        at += size


def _seen_as(data: bytes) -> str | None:
    """Return what is seen of characters with these properties; None for themselves."""
    for number, value in _properties(data):
        if number in {_HIDDEN, _DELETED} and value == 1:
            return ""
        if number == _SYMBOL:
            return "•"
    return None
