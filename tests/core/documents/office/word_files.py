"""Writes Word 97 documents for tests: the parts of [MS-DOC] for text, styles and properties."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.core.documents.office.compound_files import compound_bytes, summary_stream

TEXT_OFFSET = 2048
_PAGE_BYTES = 512


@dataclass(frozen=True)
class P:
    r"""A paragraph: `text` includes its end mark, `runs` are runs with properties.

    Properties (`own` ones of the paragraph) are sprms with their operands, packed.
    """

    text: str
    style: int = 0
    own: bytes = b""
    runs: tuple[tuple[int, int, bytes], ...] = ()


IN_TABLE = struct.pack("<HB", 0x2416, 1)
ENDS_ROW = IN_TABLE + struct.pack("<HB", 0x2417, 1)
ITEM = struct.pack("<HH", 0x460B, 1)
HIDDEN = struct.pack("<HB", 0x083C, 1)
DELETED = struct.pack("<HB", 0x0800, 1)
SYMBOL = struct.pack("<HHH", 0x6A09, 1, 0xF0B7)


def outline(level: int) -> bytes:
    return struct.pack("<HB", 0x2640, level)


def row(*cells: str) -> list[P]:
    return [*(P(f"{cell}\x07", own=IN_TABLE) for cell in cells), P("\x07", own=ENDS_ROW)]


def word_bytes(
    main: Sequence[P],
    *,
    footnotes: Sequence[P] = (),
    endnotes: Sequence[P] = (),
    comments: Sequence[P] = (),
    text_boxes: Sequence[P] = (),
    styles: Mapping[int, tuple[int, int]] | None = None,
    title: str = "",
    author: str = "",
    topics: Mapping[int, str] | None = None,
    category: str = "",
    is_wide: bool = False,
    pieces: int = 1,
    flags: int = 0,
    magic: int = 0xA5EC,
    version: int = 0xC1,
) -> bytes:
    """A Word document.

    Args:
        main: the paragraphs of its text; the other parts follow it.
        footnotes: likewise, and so on.
        endnotes: likewise.
        comments: likewise.
        text_boxes: likewise.
        styles: by number, the number that built-in ones have, and that of the style it is based on.
        title: that the file says it has.
        author: likewise.
        topics: of the summary.
        category: of the second summary.
        is_wide: whether characters take two bytes.
        pieces: in how many the text lies, the last one first.
        flags: of its header.
        magic: of its header.
        version: of its header.
    """
    parts = [main, footnotes, (), comments, endnotes, text_boxes]
    counts = [sum(len(paragraph.text) for paragraph in part) for part in parts]
    paragraphs = [paragraph for part in parts for paragraph in part]
    text = "".join(paragraph.text for paragraph in paragraphs)
    width = 2 if is_wide else 1
    encoded = text.encode("utf-16-le" if is_wide else "cp1252")
    size = -(-len(text) // pieces) if text else 0
    stretches = [(first, min(first + size, len(text))) for first in range(0, len(text), size or 1)]
    # The offset of each piece of text in the stream: the last one comes first.
    offsets: dict[int, int] = {}
    stream = b""
    for first, end in reversed(stretches):
        offsets[first] = TEXT_OFFSET + len(stream)
        stream += encoded[first * width : end * width]

    def place(character: int) -> int:
        first = max((one for one in offsets if one <= character), default=0)
        return offsets.get(first, TEXT_OFFSET) + (character - first) * width

    paragraph_runs, character_runs = [], []
    at = 0
    for paragraph in paragraphs:
        last = at + len(paragraph.text) - 1
        data = struct.pack("<H", paragraph.style) + paragraph.own
        paragraph_runs.append((place(last), place(last) + width, data))
        for start, end, data in paragraph.runs:
            character_runs.append((place(at + start), place(at + end - 1) + width, data))
        at += len(paragraph.text)
    stream = stream.ljust(-(-len(stream) // _PAGE_BYTES) * _PAGE_BYTES, b"\0")
    first_page = (TEXT_OFFSET + len(stream)) // _PAGE_BYTES
    pages: list[bytes] = []
    tables = [_pages(sorted(character_runs), False, pages, first_page)]
    tables.append(_pages(sorted(paragraph_runs), True, pages, first_page))
    borders = [first for first, _ in stretches] + [len(text)]
    descriptors = b"".join(
        struct.pack(
            "<HIH", 0, offsets[first] * (1 if is_wide else 2) | (0 if is_wide else 1 << 30), 0
        )
        for first, _ in stretches
    )
    pcdt = struct.pack(f"<{len(borders)}I", *borders) + descriptors
    clx = b"\x01\x02\x00\x00\x00" + b"\x02" + struct.pack("<I", len(pcdt)) + pcdt
    table = b""
    places = bytearray(8 * 34)
    for number, data in ((1, _styles(styles or {})), (12, tables[0]), (13, tables[1]), (33, clx)):
        struct.pack_into("<II", places, 8 * number, len(table), len(data))
        table += data
    header = bytearray(154)
    struct.pack_into("<HH6xH", header, 0, magic, version, flags)
    main_count, footnote_count, header_count, comment_count, endnote_count, box_count = counts
    struct.pack_into("<3I4x3I", header, 76, main_count, footnote_count, header_count,
                     comment_count, endnote_count, box_count)  # fmt: skip
    word = (bytes(header) + bytes(places)).ljust(TEXT_OFFSET, b"\0") + stream + b"".join(pages)
    return compound_bytes(
        {
            "WordDocument": word,
            "1Table" if flags & 0x0200 else "0Table": table,
            "\x05SummaryInformation": summary_stream(title, author, topics=topics),
            "\x05DocumentSummaryInformation": summary_stream(category),
        }
    )


# In Word 6, property numbers have one byte.
IN_TABLE_6 = bytes([24, 1])
ENDS_ROW_6 = IN_TABLE_6 + bytes([25, 1])
ITEM_6 = bytes([13, 1])
HIDDEN_6 = bytes([92, 1])
DELETED_6 = bytes([65, 1])
SYMBOL_6 = bytes([74, 3, 1, 0, 0xB7])


def font_6(number: int) -> bytes:
    return bytes([85, 1, 93]) + struct.pack("<H", number)


def word6_bytes(
    main: Sequence[P],
    *,
    footnotes: Sequence[P] = (),
    styles: Mapping[int, tuple[int, int]] | None = None,
    fonts: Sequence[int] = (0,),
    standard_font: int = 0,
    encoding: str = "cp1252",
    language: int = 0x0409,
    charset: int = 0,
    pieces: int = 0,
    flags: int = 0,
    magic: int = 0xA5DC,
    version: int = 0x68,
    title: str = "",
) -> bytes:
    """A document of Word 6 or Word 95, which has one stream.

    Args:
        main: the paragraphs of its text; the footnotes follow it.
        footnotes: likewise.
        styles: as for `word_bytes`.
        fonts: the character set of each.
        standard_font: of all text that names no other.
        encoding: of its text.
        language: of its header.
        charset: likewise.
        pieces: in how many the text lies, the last one first; 0 for one without a table of them.
        flags: of its header.
        magic: likewise.
        version: likewise.
        title: that the file says it has.
    """
    paragraphs = [*main, *footnotes]
    counts = [sum(len(p.text.encode(encoding)) for p in part) for part in (main, footnotes)]
    encoded = "".join(p.text for p in paragraphs).encode(encoding)
    size = -(-len(encoded) // (pieces or 1)) or 1
    stretches = [(at, min(at + size, len(encoded))) for at in range(0, len(encoded), size)]
    offsets: dict[int, int] = {}
    stream = b""
    for first, end in reversed(stretches):
        offsets[first] = TEXT_OFFSET + len(stream)
        stream += encoded[first:end]

    def place(character: int) -> int:
        first = max((one for one in offsets if one <= character), default=0)
        return offsets.get(first, TEXT_OFFSET) + character - first

    paragraph_runs, character_runs = [], []
    at = 0
    for paragraph in paragraphs:
        length = len(paragraph.text.encode(encoding))
        data = struct.pack("<H", paragraph.style) + paragraph.own
        paragraph_runs.append((place(at + length - 1), place(at + length - 1) + 1, data))
        for start, end, data in paragraph.runs:
            character_runs.append((place(at + start), place(at + end - 1) + 1, data))
        at += length
    stream = stream.ljust(-(-len(stream) // _PAGE_BYTES) * _PAGE_BYTES, b"\0")
    pages: list[bytes] = []
    first_page = (TEXT_OFFSET + len(stream)) // _PAGE_BYTES
    tables = [
        _pages(sorted(character_runs), False, pages, first_page, version=6),
        _pages(sorted(paragraph_runs), True, pages, first_page, version=6),
    ]
    stylesheet = bytearray(_styles(styles or {}))
    stylesheet[0:2] = struct.pack("<H", 14)
    stylesheet[6:6] = bytes(8) + struct.pack("<H", standard_font)
    names = b"".join(struct.pack("<BBHBB", 8, 0, 400, one, 0) + b"Cr\0" for one in fonts)
    font_table = struct.pack("<H", 2 + len(names)) + names
    borders = [first for first, _ in stretches] + [len(encoded)]
    pcd = b"".join(struct.pack("<HIH", 0, offsets[first], 0) for first, _ in stretches)
    pcdt = struct.pack(f"<{len(borders)}I", *borders) + pcd
    clx = b"\x01\x02\x00\x00\x00" + b"\x02" + struct.pack("<I", len(pcdt)) + pcdt
    header = bytearray(TEXT_OFFSET)
    struct.pack_into("<HHHH", header, 0, magic, version, 0, language)
    struct.pack_into("<H", header, 0x0A, flags | (4 if pieces else 0))
    struct.pack_into("<H", header, 0x14, charset)
    struct.pack_into("<II", header, 0x18, TEXT_OFFSET, TEXT_OFFSET + len(encoded))
    struct.pack_into("<II", header, 0x34, *counts)
    structures = b""
    begin = TEXT_OFFSET + len(stream) + sum(map(len, pages))
    for where, data in (
        *((0x60, bytes(stylesheet)), (0xB8, tables[0]), (0xC0, tables[1])),
        *((0xD0, font_table), (0x160, clx if pieces else b"")),
    ):
        struct.pack_into("<II", header, where, begin + len(structures), len(data))
        structures += data
    return compound_bytes(
        {
            "WordDocument": bytes(header) + stream + b"".join(pages) + structures,
            "\x05SummaryInformation": summary_stream(title, ""),
        }
    )


def _styles(styles: Mapping[int, tuple[int, int]]) -> bytes:
    data = struct.pack("<HHH", 4, max(styles, default=-1) + 1, 10)
    for number in range(max(styles, default=-1) + 1):
        if number in styles:
            own, base = styles[number]
            style = struct.pack("<HH6x", own, base << 4 | 1)
            data += struct.pack("<H", len(style)) + style
        else:
            data += b"\0\0"
    return data


def _pages(
    runs: Sequence[tuple[int, int, bytes]],
    is_of_paragraphs: bool,
    pages: list[bytes],
    first: int,
    *,
    version: int = 97,
) -> bytes:
    """Write descriptions of runs to pages, a few each; return the table of the pages."""
    borders, numbers = [], []
    for at in range(0, len(runs), 4):
        page = bytearray(_PAGE_BYTES)
        some = _without_gaps(runs[at : at + 4])
        entry_size = (7 if version == 6 else 13) if is_of_paragraphs else 1
        end = _PAGE_BYTES - 1
        for number, (start, stop, data) in enumerate(some):
            struct.pack_into("<II", page, 4 * number, start, stop)
            if data:
                if is_of_paragraphs and version == 6:
                    data = bytes([-(-len(data) // 2)]) + data
                elif is_of_paragraphs:
                    data += b"\0" * (len(data) % 2 == 0)
                    data = bytes([(len(data) + 1) // 2]) + data
                else:
                    data = bytes([len(data)]) + data
                end = (end - len(data)) & ~1
                page[end : end + len(data)] = data
                page[4 * (len(some) + 1) + entry_size * number] = end // 2
        page[-1] = len(some)
        borders.append(some[0][0])
        numbers.append(first + len(pages))
        pages.append(bytes(page))
    if not runs:
        return b""
    form = "H" if version == 6 else "I"
    return struct.pack(f"<{len(borders) + 1}I{len(numbers)}{form}", *borders, runs[-1][1], *numbers)


def _without_gaps(runs: Sequence[tuple[int, int, bytes]]) -> list[tuple[int, int, bytes]]:
    filled: list[tuple[int, int, bytes]] = []
    for start, end, data in runs:
        if filled and filled[-1][1] < start:
            filled.append((filled[-1][1], start, b""))
        filled.append((start, end, data))
    return filled
