"""Writes small Mobipocket and Kindle books for tests."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

PLAIN, PAIRS, CODES = 1, 2, 17480
_UTF_8, _CP1252 = 65001, 1252
_HEADER_BYTES = 232


def book_bytes(
    text: str,
    *,
    packing: int = PLAIN,
    encoding: str = "utf-8",
    name: str = "",
    extra: Mapping[int, str] | None = None,
    extras: int = 0,
    behind: str = "",
    version: int = 6,
    locks: int = 0,
    phrases: Sequence[tuple[bytes, bool]] = (),
    record_bytes: int = 64,
) -> bytes:
    """Return a book.

    Args:
        text: as HTML.
        packing: of its records; `PAIRS` packs each byte for itself, `CODES` by `phrases`.
        encoding: of the text.
        name: in the header.
        extra: more of it, by kinds.
        extras: bits for the data after the text of each record.
        behind: what follows the text in the same records, as styles do in Kindle's books.
        version: of the format.
        locks: the kind of encryption.
        phrases: phrases of bytes from 255 down in records of `CODES`, and whether plain.
        record_bytes: of text in a record, before packing.
    """
    data = (text + behind).encode(encoding)
    parts = [data[at : at + record_bytes] for at in range(0, len(data), record_bytes)]
    if packing == CODES:
        parts = [_coded(part, phrases) for part in parts]
    elif packing == PAIRS:
        parts = [b"".join(b"\x01" + bytes([byte]) for byte in part) for part in parts]
    parts = [part + _behind(extras) for part in parts]
    extra_headers = [_codes(), _phrases(phrases)] if packing == CODES else []
    first_other = 1 + len(parts)
    sections = struct.pack(">4sLLLL", b"FDST", 12, 1, 0, len(text.encode(encoding)))
    header = bytearray(_HEADER_BYTES)
    struct.pack_into(
        ">4sLLLLL", header, 0, b"MOBI", _HEADER_BYTES, 2, _number(encoding), 0, version
    )
    listed = b"".join(
        struct.pack(">LL", kind, 8 + len(value.encode(encoding))) + value.encode(encoding)
        for kind, value in (extra or {}).items()
    )
    exth = struct.pack(">4sLL", b"EXTH", 12 + len(listed), len(extra or {})) + listed
    place = 16 + _HEADER_BYTES + len(exth)
    struct.pack_into(">LL", header, 84 - 16, place, len(name.encode(encoding)))
    struct.pack_into(
        ">LL", header, 112 - 16, first_other if extra_headers else 0, len(extra_headers)
    )
    struct.pack_into(">L", header, 192 - 16, first_other + len(extra_headers) if behind else 0)
    struct.pack_into(">H", header, 242 - 16, extras)
    begin = struct.pack(">HHLHHHH", packing, 0, len(data), len(parts), record_bytes, locks, 0)
    first = begin + bytes(header) + exth + name.encode(encoding)
    return database_bytes([first, *parts, *extra_headers, sections])


def database_bytes(records: Sequence[bytes], kind: bytes = b"BOOKMOBI") -> bytes:
    """Return a Palm database of such records."""
    begin = 78 + 8 * len(records) + 2
    places = []
    for record in records:
        places.append(struct.pack(">LL", begin, 0))
        begin += len(record)
    header = bytearray(78)
    header[60:68] = kind
    struct.pack_into(">H", header, 76, len(records))
    return bytes(header) + b"".join(places) + b"\0\0" + b"".join(records)


def _number(encoding: str) -> int:
    return _UTF_8 if encoding == "utf-8" else _CP1252


def _behind(extras: int) -> bytes:
    """Return trailing data: an empty multibyte entry, and entries of three bytes."""
    return b"\0" * (extras & 1) + b"??\x83" * (extras >> 1).bit_count()


def _codes() -> bytes:
    """Return a table in which each byte is a whole code."""
    entry = 8 | 0x80 | 0xFF << 8
    return struct.pack(">4sLLL", b"HUFF", 24, 24, 24 + 1024) + b"\0" * 8 + (
        struct.pack(">256L", *[entry] * 256) + struct.pack(">64L", *[0] * 64)
    )  # fmt: skip


def _phrases(phrases: Sequence[tuple[bytes, bool]]) -> bytes:
    places, data = [], b""
    for phrase, is_plain in phrases:
        places.append(2 * len(phrases) + len(data))
        data += struct.pack(">H", len(phrase) | 0x8000 * is_plain) + phrase
    head = struct.pack(">4sLLL", b"CDIC", 16, len(phrases), 8)
    return head + struct.pack(f">{len(places)}H", *places) + data


def _coded(part: bytes, phrases: Sequence[tuple[bytes, bool]]) -> bytes:
    """Return the codes of single bytes, each of which must be a phrase."""
    plain = [phrase for phrase, is_plain in phrases if is_plain or phrase]
    return bytes(255 - plain.index(bytes([byte])) for byte in part)
