"""The directories that TIFF files consist of, and cameras' notes (EXIF), which are such, too.

A directory has a number for each thing that it tells (TIFF 6.0, section 2; CIPA DC-008).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from core.documents.damage import DamageError
from core.documents.media.boxes import read_part

EXIF, GPS = 0x8769, 0x8825
"""What leads to another directory: that of the taking of a photo, and that of its place."""
_ORDERS: Final = {b"II*\0": "<", b"MM\0*": ">"}
_SIZES: Final = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 13: 4}
_WORDS: Final = (
    *(0x010E, 0x010F, 0x0110, 0x0132, 0x013B, 0x02BC, 0x83BB, 0x8649, EXIF, GPS),
    *(0x9003, 0x9004, 0x9011, 0x9286, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F),
    *(1, 2, 3, 4),
)
"""The numbers of what is read; others are never looked at, so that no file costs much."""
_MOST_ENTRIES: Final = 1_000
_MOST_PAGES: Final = 2_001
LONGEST: Final = 1_000_000
"""Bytes of one thing that a directory tells; longer ones are no words."""


@dataclass(frozen=True, slots=True)
class Directories:
    """What a file's directories tell, by numbers: the first, and those that it leads to.

    Attributes:
        first: of the first page.
        taking: of the taking of the photo.
        place: of where that was.
        pages: how many directories follow each other, the first among them.
        order: of bytes, as `struct` writes it.
    """

    first: dict[int, bytes] = field(default_factory=dict)
    taking: dict[int, bytes] = field(default_factory=dict)
    place: dict[int, bytes] = field(default_factory=dict)
    pages: int = 1
    order: str = "<"

    def numbers(self, raw: bytes) -> list[float]:
        """Return fractions: those of places, in degrees, minutes and seconds."""
        found = []
        for at in range(0, len(raw) - 7, 8):
            above, below = struct.unpack_from(f"{self.order}II", raw, at)
            found.append(above / below if below else 0.0)
        return found


def directories(file: BinaryIO, size: int) -> Directories:
    """Return what the directories of a TIFF file tell, or of the notes that a camera wrote.

    Raises:
        DamageError: It does not begin as such a file does.
    """
    start = read_part(file, 0, size, 8)
    order = _ORDERS.get(start[:4])
    if order is None or len(start) < 8:
        raise DamageError("is damaged: it is no picture")
    (at,) = struct.unpack_from(f"{order}I", start, 4)
    first, following = _directory(file, size, at, order)
    seen = {at}
    pages = 1
    while following and following not in seen and pages < _MOST_PAGES:
        seen.add(following)
        pages += 1
        _, following = _directory(file, size, following, order, is_read=False)
    further = []
    for number in (EXIF, GPS):
        place = first.get(number, b"")
        led = struct.unpack(f"{order}I", place)[0] if len(place) == 4 else 0
        further.append(_directory(file, size, led, order)[0] if led else {})
    return Directories(first, further[0], further[1], pages, order)


def _directory(
    file: BinaryIO, size: int, at: int, order: str, *, is_read: bool = True
) -> tuple[dict[int, bytes], int]:
    """Return what one directory tells, as bytes by numbers, and where the next one is, or 0."""
    start = read_part(file, at, min(at + 2, size), 2)
    count = struct.unpack(f"{order}H", start)[0] if len(start) == 2 else 0
    if not 0 < count <= _MOST_ENTRIES:
        return {}, 0
    raw = read_part(file, at + 2, size, 12 * count + 4)
    told: dict[int, bytes] = {}
    for place in range(0, min(12 * count, len(raw) - 11) if is_read else 0, 12):
        number, kind, amount = struct.unpack_from(f"{order}HHI", raw, place)
        length = amount * _SIZES.get(kind, 0)
        if number not in _WORDS or number in told or not 0 < length <= LONGEST:
            continue
        value = raw[place + 8 : place + 12]
        if length > 4:
            (led,) = struct.unpack(f"{order}I", value)
            value = read_part(file, led, min(led + length, size), length)
        told[number] = value[:length]
    following = raw[12 * count : 12 * count + 4]
    return told, struct.unpack(f"{order}I", following)[0] if len(following) == 4 else 0
