"""Files made of boxes, one behind and inside another: ISO's media files, and RIFF.

A box has a kind, a size and a content. MP4, HEIF and AVIF are of the one sort (ISO/IEC 14496-12),
WAV, AVI and WebP of the other. Only headers are read here, however large a box is.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

_MOST_BOXES: Final = 10_000
"""In one box: a film that is written as it is recorded has one for each second or so."""
_USER_KIND: Final = 16


@dataclass(frozen=True, slots=True)
class MediaBox:
    """A box, whose content is between two places in the file."""

    kind: bytes
    start: int
    end: int


def size_of_file(file: BinaryIO) -> int:
    return file.seek(0, os.SEEK_END)


def read_part(file: BinaryIO, start: int, end: int, most_bytes: int) -> bytes:
    """Return what is between two places, as far as it is there and no more than `most_bytes`."""
    if start < 0 or end <= start:
        return b""
    file.seek(start)
    return file.read(min(end - start, most_bytes))


def boxes(file: BinaryIO, start: int, end: int) -> Iterator[MediaBox]:
    r"""Yield the boxes of an ISO media file between two places; damage ends them.

    >>> import io
    >>> list(boxes(io.BytesIO(b"\0\0\0\x0cfree1234" + b"\0\0\0\0mdat12"), 0, 22))
    [MediaBox(kind=b'free', start=8, end=12), MediaBox(kind=b'mdat', start=20, end=22)]
    """
    for _ in range(_MOST_BOXES):
        header = read_part(file, start, end, 16)
        if len(header) < 8:
            return
        size, kind = struct.unpack_from(">I4s", header)
        content = 8
        if size == 1:  # the size does not fit into four bytes
            if len(header) < 16:
                return
            (size,) = struct.unpack_from(">Q", header, 8)
            content = 16
        elif size == 0:  # up to the end
            size = end - start
        if kind == b"uuid":
            content += _USER_KIND
        if size < content:
            return
        yield MediaBox(kind, start + content, min(start + size, end))
        start += size


def inside(file: BinaryIO, box: MediaBox, *path: bytes, skipped: int = 0) -> Iterator[MediaBox]:
    """Yield the boxes that lie in `box` where `path` leads, a kind a step.

    Args:
        file: that it lies in.
        box: where to begin.
        path: of kinds; the last one's boxes are given.
        skipped: bytes before the first of them.
    """
    kind, *rest = path
    for found in boxes(file, box.start + skipped, box.end):
        if found.kind == kind:
            if rest:
                yield from inside(file, found, *rest)
            else:
                yield found


def riff(file: BinaryIO, start: int, end: int) -> Iterator[MediaBox]:
    r"""Yield the chunks of a RIFF file between two places, likewise; each begins at an even place.

    >>> import io
    >>> list(riff(io.BytesIO(b"IART\3\0\0\0Bo\0\0INAM\1\0\0\0a"), 0, 21))
    [MediaBox(kind=b'IART', start=8, end=11), MediaBox(kind=b'INAM', start=20, end=21)]
    """
    for _ in range(_MOST_BOXES):
        header = read_part(file, start, end, 8)
        if len(header) < 8:
            return
        kind, size = struct.unpack("<4sI", header)
        yield MediaBox(kind, start + 8, min(start + 8 + size, end))
        start += 8 + size + size % 2
