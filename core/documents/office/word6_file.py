"""The binary Word 6 and Word 95 format: a document's paragraphs, from where they lie in its file.

It is what Word 97's (`doc_file.py`) grew from: all structures lie in one stream, text is in code
pages, and the numbers of properties have one byte. Source: Microsoft Word 6.0 Binary File Format,
whose names of structures stand in the comments.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from operator import itemgetter
from typing import Final

from core.documents.office.doc_file import (
    PAGE_BYTES,
    Paragraph,
    Parts,
    Piece,
    WordFile,
    level_of,
    parts_of,
    pieces_of,
    styles_of,
)
from core.documents.office.rtf import CHARSETS

_IS_IN_PIECES, _IS_WIDE = 0x0004, 0x1000
# FIB: where things stand in it.
_LANGUAGE_AT, _FLAGS_AT, _CHARSET_AT, _TEXT_AT, _COUNTS_AT = 0x06, 0x0A, 0x14, 0x18, 0x34
_STYLES_AT, _CHARACTERS_AT, _PARAGRAPHS_AT, _FONTS_AT, _PIECES_AT = 0x60, 0xB8, 0xC0, 0xD0, 0x160
_MACINTOSH: Final = 256
_STANDARD_FONT_AT: Final = 14  # in the stylesheet
# Code pages by languages, of their lowest ten bits those that are not written in the western one.
_CODE_PAGES: Final = {
    0x01: "cp1256", 0x04: "cp936", 0x05: "cp1250", 0x08: "cp1253", 0x0D: "cp1255", 0x0E: "cp1250",
    0x11: "cp932", 0x12: "cp949", 0x15: "cp1250", 0x18: "cp1250", 0x19: "cp1251", 0x1A: "cp1250",
    0x1B: "cp1250", 0x1E: "cp874", 0x1F: "cp1254", 0x22: "cp1251", 0x23: "cp1251", 0x24: "cp1250",
    0x25: "cp1257", 0x26: "cp1257", 0x27: "cp1257", 0x29: "cp1256", 0x2A: "cp1258", 0x2F: "cp1251",
}  # fmt: skip
_TRADITIONAL_CHINESE: Final = frozenset({0x0404, 0x0C04})
# Sprms: properties that differ from the style's.
_LIST, _LIST_LEVEL, _IN_TABLE, _ENDS_ROW = 12, 13, 24, 25
_DELETED, _SYMBOL, _HIDDEN, _FONT = 65, 74, 92, 93
# How many bytes follow their numbers; 0 for as many as the first one says.
_OPERAND_BYTES: Final = {
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
    """A document of Word 6 or Word 95.

    Args:
        word: its stream "WordDocument".
    """

    def __init__(self, word: bytes) -> None:
        self._word = word
        self._styles = dict(styles_of(self._part(_STYLES_AT)))
        self._fonts = list(self._read_fonts())
        self._encoding = self._usual_encoding()
        self._pieces = list(self._read_pieces())
        self._paragraphs = self._runs_of(_PARAGRAPHS_AT, entry_bytes=7)
        self._looks = [
            (start, end, *self._seen_as(dict(_properties(data))))
            for start, end, data in self._runs_of(_CHARACTERS_AT, entry_bytes=1)
        ]

    def parts(self) -> Parts:
        """Return where the parts of the document are."""
        return parts_of(self._word[_COUNTS_AT:])

    def _paragraph(self, text: str, at: int) -> Paragraph:
        number = bisect_right(self._paragraphs, at, key=itemgetter(0)) - 1
        if number < 0 or at >= self._paragraphs[number][1]:
            return Paragraph(text, chr(self._word[at]))
        data = self._paragraphs[number][2]
        properties = dict(_properties(data[2:]))
        return Paragraph(
            text,
            chr(self._word[at]),
            level_of(int.from_bytes(data[:2], "little"), self._styles),
            is_item=bool(properties.get(_LIST) or properties.get(_LIST_LEVEL)),
            is_in_table=properties.get(_IN_TABLE) == 1,
            ends_row=properties.get(_ENDS_ROW) == 1,
        )

    def _seen(self, start: int, stop: int, width: int) -> str:
        pieces: list[str] = []
        number = max(bisect_right(self._looks, start, key=itemgetter(0)) - 1, 0)
        while start < stop and number < len(self._looks) and self._looks[number][0] < stop:
            first, end, mark, encoding = self._looks[number]
            if end > start:
                pieces.append(self._decoded(start, first, width, self._encoding))
                start = max(start, first)
                if mark is None:
                    pieces.append(self._decoded(start, min(end, stop), width, encoding))
                else:
                    pieces.append(mark)
                start = min(end, stop)
            number += 1
        pieces.append(self._decoded(start, stop, width, self._encoding))
        return "".join(pieces)

    def _decoded(self, start: int, stop: int, width: int, encoding: str) -> str:
        return self._word[start:stop].decode("utf-16-le" if width == 2 else encoding, "replace")

    def _seen_as(self, properties: dict[int, int]) -> tuple[str | None, str]:
        """Return what is seen of characters, None for themselves, and how they are encoded."""
        if properties.get(_DELETED) == 1 or properties.get(_HIDDEN) == 1:
            return "", self._encoding
        if _SYMBOL in properties:
            return "•", self._encoding
        return None, self._encoding_of(properties.get(_FONT), self._encoding)

    # The structures

    def _number(self, at: int) -> int:
        (number,) = struct.unpack_from("<H", self._word, at)
        return int(number)

    def _part(self, at: int) -> bytes:
        """Return one of the structures that the header tells the places of."""
        offset, size = struct.unpack_from("<II", self._word, at)
        return self._word[offset : offset + size]

    def _read_pieces(self) -> Iterator[Piece]:
        flags = self._number(_FLAGS_AT)
        width = 2 if flags & _IS_WIDE else 1
        if flags & _IS_IN_PIECES:
            for first, end, place in pieces_of(self._part(_PIECES_AT)):
                yield Piece(first, end, place, width)
        else:
            (start,) = struct.unpack_from("<I", self._word, _TEXT_AT)
            yield Piece(0, self.parts().text_boxes[1], start, width)

    def _runs_of(self, at: int, *, entry_bytes: int) -> list[tuple[int, int, bytes]]:
        """Return stretches of the stream with the properties that they have (PLCFBTE, FKP)."""
        data = self._part(at)
        count = max(len(data) - 4, 0) // 6
        numbers = struct.unpack_from(f"<{count}H", data, 4 * (count + 1)) if count else ()
        found: list[tuple[int, int, bytes]] = []
        for number in numbers:
            page = self._word[number * PAGE_BYTES : (number + 1) * PAGE_BYTES]
            if len(page) == PAGE_BYTES:
                found += _runs_on(page, entry_bytes)
        return sorted(found, key=itemgetter(0))

    def _read_fonts(self) -> Iterator[int]:
        """Give the character set of each font (STTBFFFN, FFN)."""
        data = self._part(_FONTS_AT)
        at = 2
        while at + 5 <= len(data):
            yield data[at + 4]
            at += data[at] + 1

    def _encoding_of(self, font: int | None, otherwise: str) -> str:
        """Return how text in a font is encoded; western ones are in whatever the document is in."""
        charset = self._fonts[font] if font is not None and font < len(self._fonts) else 0
        return CHARSETS.get(charset, otherwise) if charset > 2 else otherwise

    def _usual_encoding(self) -> str:
        if self._number(_CHARSET_AT) == _MACINTOSH:
            return "mac-roman"
        language = self._number(_LANGUAGE_AT)
        encoding = _CODE_PAGES.get(language & 0x3FF, "cp1252")
        if language in _TRADITIONAL_CHINESE:
            encoding = "cp950"
        styles = self._part(_STYLES_AT)[_STANDARD_FONT_AT:][:2]
        return self._encoding_of(int.from_bytes(styles, "little"), encoding)


def _runs_on(page: bytes, entry_bytes: int) -> Iterator[tuple[int, int, bytes]]:
    """Give the stretches that one page describes (FKP)."""
    count = page[-1]
    if 4 * (count + 1) + entry_bytes * count > PAGE_BYTES:
        return
    borders = struct.unpack_from(f"<{count + 1}I", page)
    for number, (start, end) in enumerate(pairwise(borders)):
        at = 2 * page[4 * (count + 1) + entry_bytes * number]
        # The size is in bytes for characters, in words for paragraphs.
        size = page[at] * (1 if entry_bytes == 1 else 2) if at else 0
        yield start, end, page[at + 1 : at + 1 + size]


def _properties(data: bytes) -> Iterator[tuple[int, int]]:
    """Give the properties in a list of them (grpprl) that are known, each as a number."""
    at = 0
    while at + 2 <= len(data):
        number = data[at]
        at += 1
        if number == _NO_OPERAND:
            continue
        size = _OPERAND_BYTES.get(number)
        if size is None:
            return  # of tables and sections, and nothing behind it is of use
        if size:
            yield number, int.from_bytes(data[at : at + min(size, 2)], "little")
        else:
            yield number, data[at]
            size = 1 + data[at]
        at += size
