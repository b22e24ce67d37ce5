"""Writes parts of mails that wrap others for tests: CMS (S/MIME) and TNEF (winmail.dat)."""

from __future__ import annotations

import struct


def der(tag: int, *parts: bytes, endless: bool = False) -> bytes:
    content = b"".join(parts)
    if endless:
        return bytes([tag, 0x80]) + content + b"\0\0"
    size = len(content)
    length = bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")
    return bytes([tag]) + length + content


def cms(content: bytes, *, endless: bool = False, packed: bool = False) -> bytes:
    kind = "2a864886f70d0109100109" if packed else "2a864886f70d010702"
    pieces = [der(4, content[start : start + 9]) for start in range(0, len(content), 9)]
    octets = der(0x24, *pieces, endless=True) if endless else der(4, content)
    inner = der(
        0x30, der(6, bytes.fromhex("2a864886f70d010701")), der(0xA0, octets, endless=endless),
        endless=endless,
    )  # fmt: skip
    data = der(0x30, der(2, b"\1"), der(0x31), inner, der(0x31), endless=endless)
    oid = der(6, bytes.fromhex(kind))
    return der(0x30, oid, der(0xA0, data, endless=endless), endless=endless)


def tnef(*attributes: tuple[int, bytes]) -> bytes:
    parts = (
        struct.pack("<BHHI", 1, number, 0, len(data)) + data + b"\0\0"
        for number, data in attributes
    )
    return b"\x78\x9f\x3e\x22\1\0" + b"".join(parts)


def properties(**texts: str) -> bytes:
    found = struct.pack("<I", len(texts))
    for number, text in texts.items():
        data = text.encode("utf-16-le") + b"\0\0"
        found += struct.pack("<HHII", 0x1F, int(number[1:], 16), 1, len(data))
        found += data + bytes(-len(data) % 4)
    return found
