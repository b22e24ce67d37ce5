"""Parsing of nested boxes: the ISO base media file format and RIFF.

MP4, HEIF and AVIF use the first (ISO/IEC 14496-12), WAV, AVI and WebP the second. Only the headers
of boxes are read.
"""

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from core.documents.damage import TOO_MANY_PARTS
from core.errors import DocumentError

# Boxes read within one box. Fragmented films have about one per second.
_MOST_BOXES: Final = 100_000
_USER_KIND: Final = 16


class TooManyBoxesError(DocumentError):
    """A box has so many others in it that the rest is not read."""

    def __init__(self) -> None:
        super().__init__(TOO_MANY_PARTS)


@dataclass(frozen=True, slots=True)
class MediaBox:
    """A box; its content spans the offsets `start` to `end`, or ends there if it `is_cut`."""

    kind: bytes
    start: int
    end: int
    is_cut: bool = field(default=False, compare=False, repr=False)


def size_of_file(file: BinaryIO) -> int:
    return file.seek(0, os.SEEK_END)


def read_part(file: BinaryIO, start: int, end: int, most_bytes: int) -> bytes:
    """Return at most `most_bytes` from `start` to `end`, fewer at the end of the file."""
    if start < 0 or end <= start:
        return b""
    file.seek(start)
    return file.read(min(end - start, most_bytes))


def boxes(file: BinaryIO, start: int, end: int) -> Iterator[MediaBox]:
    r"""Yield the boxes of an ISO media file between two offsets, up to the first damaged one.

    Raises:
        TooManyBoxesError: There are more than 100,000.

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
        elif size == 0:  # to the end of the parent
            size = end - start
        if kind == b"uuid":
            content += _USER_KIND
        if size < content:
            return
        yield MediaBox(kind, start + content, min(start + size, end), start + size > end)
        start += size
    if read_part(file, start, end, 8):
        raise TooManyBoxesError


def inside(
    file: BinaryIO, box: MediaBox, *path: bytes, header_bytes: int = 0
) -> Iterator[MediaBox]:
    """Yield the boxes below `box` at `path`.

    Args:
        file: The file to read.
        box: The outermost box.
        path: The kinds from the outside in; boxes of the last kind are yielded.
        header_bytes: Bytes of the content of `box` before its first box.
    """
    kind, *rest = path
    for inner in boxes(file, box.start + header_bytes, box.end):
        if inner.kind == kind:
            if rest:
                yield from inside(file, inner, *rest)
            else:
                yield inner


def riff(file: BinaryIO, start: int, end: int) -> Iterator[MediaBox]:
    r"""Yield the chunks of a RIFF file between two offsets, aligned to two bytes.

    Raises:
        TooManyBoxesError: There are more than 100,000.

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
    if read_part(file, start, end, 8):
        raise TooManyBoxesError
