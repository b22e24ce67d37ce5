"""Page images as PNG: written in one format, and read from untrusted servers."""

import struct
import zlib
from typing import Final

import numpy as np

from core.documents.document import PageImage

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = ">IIBBBBB"
# RGB with eight bits per channel, not interlaced.
_RGB: Final = (8, 2, 0, 0, 0)


def png(image: PageImage) -> bytes:
    """Return a page image as a PNG file; blank areas compress well.

    >>> png(PageImage(1, 1, bytes(3), ()))[:8] == _SIGNATURE
    True
    """
    rows = np.frombuffer(image.rgb, np.uint8).reshape(image.height, image.width * 3)
    # Each row begins with its filter type: 0, none.
    raw = np.pad(rows, ((0, 0), (1, 0))).tobytes()
    header = struct.pack(_HEADER, image.width, image.height, *_RGB)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(raw, 6)), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def read_png(data: bytes, widest: int, highest: int) -> tuple[int, int, bytes]:
    """Return width, height and pixels, row by row, of an image without filters.

    Raises:
        ValueError: it has another format, is too large, or is damaged.
    """
    if not data.startswith(_SIGNATURE):
        raise ValueError("not a PNG")
    offset = len(_SIGNATURE)
    contents = []
    # One chunk of each kind, as written by `png`: very many small ones would take forever.
    for expected_kind in (b"IHDR", b"IDAT", b"IEND"):
        kind, content, offset = _chunk(data, offset)
        if kind != expected_kind:
            raise ValueError("unsupported type")
        contents.append(content)
    header, packed, end = contents
    if len(header) != struct.calcsize(_HEADER) or end or offset != len(data):
        raise ValueError("unsupported type")
    width, height, *kind_of = struct.unpack(_HEADER, header)
    if tuple(kind_of) != _RGB or not (0 < width <= widest and 0 < height <= highest):
        raise ValueError("unsupported type or size")
    expected = height * (1 + width * 3)
    try:
        # One more byte detects excess data.
        raw = zlib.decompressobj().decompress(packed, expected + 1)
    except zlib.error as error:
        raise ValueError("damaged") from error
    if len(raw) != expected:
        raise ValueError("damaged")
    rows = np.frombuffer(raw, np.uint8).reshape(height, 1 + width * 3)
    if rows[:, 0].any():
        raise ValueError("unsupported filters")
    return width, height, rows[:, 1:].tobytes()


def _chunk(data: bytes, offset: int) -> tuple[bytes, bytes, int]:
    """Return the kind and content of the chunk at a position, and the next position."""
    start = offset + 8
    end = start + int.from_bytes(data[offset : offset + 4], "big")
    if end + 4 > len(data):
        raise ValueError("truncated")
    return data[offset + 4 : start], data[start:end], end + 4
