"""The records and strings that .xls files are made of (BIFF 5 to 8).

Source: [MS-XLS], sections 2.1.4 (records), 2.5.293 to 2.5.296 (strings), 2.5.217 (RK numbers).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

_CONTINUE: Final = 0x3C
_HEADER: Final = struct.Struct("<HH")
_RICH: Final = 0x08
_WITH_READING: Final = 0x04
_WIDE: Final = 0x01
ERRORS: Final = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!",
    0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A", 0x2B: "#GETTING_DATA",
}  # fmt: skip


class Record:
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
        """Whether there is anything left to take."""
        return self.left > 0 or self._chunk + 1 < len(self._chunks)

    def number(self, form: str) -> int:
        """Take a number in the form that `struct` knows it by, such as "<H"."""
        (value,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return int(value)

    def double(self) -> float:
        """Take a floating point number."""
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
        """Take `count` bytes."""
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


def records(data: bytes, start: int = 0) -> Iterator[Record]:
    """Give the records from byte `start` to the end, each with those that continue it."""
    held: Record | None = None
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
        held = Record(kind, contents)
    if held is not None:
        yield held
