"""Writes RAR archives with uncompressed members for tests.

The form of 2002 is described in technote.txt, that of 2013 at https://www.rarlab.com/technote.htm.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping

_TIME = 1_719_741_900


def rar5_bytes(members: Mapping[str, bytes], *, is_locked: bool = False) -> bytes:
    """Return a RAR 5 archive; a locked one has encrypted headers."""
    start = b"Rar!\x1a\x07\x01\x00"
    if is_locked:
        return start + _block5(4, 0, _number(0) + _number(0) + bytes([15]) + bytes(16))
    data = start + _block5(1, 0, _number(0))
    for name, content in members.items():
        raw = name.encode()
        fields = _number(2 | 4) + _number(len(content)) + _number(0o100644)
        fields += struct.pack("<II", _TIME, zlib.crc32(content)) + _number(0) + _number(1)
        data += _block5(2, 2, fields + _number(len(raw)) + raw, content)
    return data + _block5(5, 0, _number(0))


def _block5(kind: int, flags: int, fields: bytes, content: bytes = b"") -> bytes:
    size = _number(len(content)) if flags & 2 else b""
    header = _number(kind) + _number(flags) + size + fields
    header = _number(len(header)) + header
    return struct.pack("<I", zlib.crc32(header)) + header + content


def _number(value: int) -> bytes:
    """Return a variable-length integer: seven bits per byte, the lowest first."""
    raw = bytearray()
    while value > 0x7F:
        raw.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*raw, value])


def rar4_bytes(members: Mapping[str, bytes], *, is_locked: bool = False) -> bytes:
    """Return a RAR 4 archive; a locked one has encrypted members."""
    data = b"Rar!\x1a\x07\x00" + _block4(0x73, 0, bytes(6))
    for name, content in members.items():
        raw = name.encode("ascii")
        flags = 0x8000 | 0x04 * is_locked
        fields = struct.pack(
            "<IIBIIBBHI",
            *(len(content), len(content), 3, zlib.crc32(content), 0x58DE60A0, 29, 0x30),
            *(len(raw), 0o100644),
        )
        data += _block4(0x74, flags, fields + raw) + content
    return data + _block4(0x7B, 0x4000, b"")


def _block4(kind: int, flags: int, fields: bytes) -> bytes:
    header = struct.pack("<BHH", kind, flags, 7 + len(fields)) + fields
    return struct.pack("<H", zlib.crc32(header) & 0xFFFF) + header
