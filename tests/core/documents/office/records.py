"""Records of binary workbooks (.xls, .xlsb), for tests."""

from __future__ import annotations

import struct
from collections.abc import Sequence


def biff(kind: int, contents: bytes = b"") -> bytes:
    """Return a record of an .xls file."""
    return struct.pack("<HH", kind, len(contents)) + contents


def text(value: str, length_form: str = "<H", *, wide: bool = False) -> bytes:
    """Return a string of BIFF 8."""
    encoded = value.encode("utf-16-le" if wide else "latin-1")
    return struct.pack(length_form, len(value)) + bytes([wide]) + encoded


def workbook(
    sheets: Sequence[tuple[str, bytes]],
    *,
    version: int = 0x0600,
    before: bytes = b"",
    kinds: Sequence[tuple[int, int]] = (),
) -> bytes:
    """Return the stream of an .xls file: `sheets` are names and records, `before` is for all.

    `kinds` are the states (0 shown, 1 hidden, 2 very hidden) and kinds (0 cells, 2 chart) of the
    sheets.
    """
    states = [*kinds, *((0, 0) for _ in sheets)]
    begin, end = biff(0x0809, struct.pack("<HH12x", version, 5)), biff(0x0A)

    def name(value: str) -> bytes:
        if version >= 0x0600:
            return text(value, "<B", wide=True)
        return bytes([len(value)]) + value.encode("cp1251")

    names = [name(sheet) for sheet, _ in sheets]
    start = len(begin + before + end) + sum(4 + 6 + len(name) for name in names)
    entries = substreams = b""
    for (_, records), encoded, (state, kind) in zip(sheets, names, states, strict=False):
        at = start + len(substreams)
        entries += biff(0x85, struct.pack("<IBB", at, state, kind) + encoded)
        substreams += biff(0x0809, struct.pack("<HH12x", version, 0x10)) + records + end
    return begin + before + entries + end + substreams


def cell(kind: int, row: int, column: int, contents: bytes, style: int = 0) -> bytes:
    """Return a cell's record of an .xls file."""
    return biff(kind, struct.pack("<HHH", row, column, style) + contents)


def xlsb(kind: int, contents: bytes = b"") -> bytes:
    """Return a record of an .xlsb part."""
    number = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size = b""
    left = len(contents)
    while True:
        size += bytes([left & 0x7F | (0x80 if left > 0x7F else 0)])
        left >>= 7
        if not left:
            return number + size + contents


def wide(value: str) -> bytes:
    """Return a string of an .xlsb part."""
    return struct.pack("<I", len(value)) + value.encode("utf-16-le")
