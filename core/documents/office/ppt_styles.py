"""Raised runs in the text of a PowerPoint 97 presentation.

Source: [MS-PPT], sections 2.9.20 (TextPFException), 2.9.44 (StyleTextPropAtom), 2.9.45 and 2.9.46
(TextPFRun, TextCFRun), 2.9.14 (TextCFException).
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Final

from core.documents import superscripts

# The bits of a mask, any of which announces a field, and the bytes of the field. In file order.
_PARAGRAPH_FIELDS: Final = (
    *((0x0000000F, 2), (0x00000080, 2), (0x00000010, 2), (0x00000040, 2), (0x00000020, 4)),
    *((0x00000800, 2), (0x00001000, 2), (0x00002000, 2), (0x00004000, 2), (0x00000100, 2)),
    *((0x00000400, 2), (0x00008000, 2)),
)
_TAB_STOPS: Final = 0x00100000
_FIELDS_AFTER_TABS: Final = ((0x00010000, 2), (0x000E0000, 2), (0x00200000, 2))
_CHARACTER_FIELDS: Final = (
    *((0x000003FF, 2), (0x00010000, 2), (0x00200000, 2), (0x00400000, 2), (0x00800000, 2)),
    *((0x00020000, 2), (0x00040000, 4)),
)
_POSITION: Final = 0x00080000


def with_raised(text: str, styles: memoryview) -> str:
    """Return a text with marks around its raised runs.

    Args:
        text: The text before a StyleTextPropAtom.
        styles: The content of the atom. A truncated one marks the runs before its end.
    """
    pieces: list[str] = []
    done = 0
    try:
        for count, position in _character_runs(bytes(styles), len(text)):
            run = text[done : done + count]
            pieces.append(superscripts.marked(run) if position > 0 and run else run)
            done += count
    except struct.error:
        pass
    return "".join([*pieces, text[done:]])


def _character_runs(data: bytes, length: int) -> Iterator[tuple[int, int]]:
    """Yield the characters of each run, and its position in percent of the height."""
    at = covered = 0
    # Both kinds of runs include the end of the last paragraph.
    while covered <= length:
        count, mask = struct.unpack_from("<I2xI", data, at)
        at = _after(_PARAGRAPH_FIELDS, mask, at + 10)
        if mask & _TAB_STOPS:
            (stops,) = struct.unpack_from("<H", data, at)
            at += 2 + 4 * stops
        at = _after(_FIELDS_AFTER_TABS, mask, at)
        covered += max(count, 1)
    covered = 0
    while covered <= length:
        count, mask = struct.unpack_from("<II", data, at)
        at = _after(_CHARACTER_FIELDS, mask, at + 8)
        position = 0
        if mask & _POSITION:
            (position,) = struct.unpack_from("<h", data, at)
            at += 2
        yield count, position
        covered += max(count, 1)


def _after(fields: Sequence[tuple[int, int]], mask: int, at: int) -> int:
    """Return the offset after the fields of a mask."""
    return at + sum(size for bits, size in fields if mask & bits)
