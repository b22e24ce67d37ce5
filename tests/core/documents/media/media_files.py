"""Writes pictures and media files with metadata for tests."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence

Values = Mapping[int, str | bytes | Sequence[tuple[int, int]]]
_ASCII, _BYTES, _LONG, _RATIONAL = 2, 7, 4, 5


def exif_bytes(
    first: Values, exif_values: Values | None = None, place: Values | None = None, order: str = "<"
) -> bytes:
    """Return directories of a TIFF file: texts, bytes and rational numbers by tag."""
    start = b"II*\0" if order == "<" else b"MM\0*"
    data = bytearray(start + struct.pack(f"{order}I", 8))
    led: dict[int, int] = {}
    wholes = [(0x8769, exif_values), (0x8825, place)]
    size = _directory_size(first, sum(whole is not None for _, whole in wholes))
    behind = 8 + size
    parts = []
    for number, whole in wholes:
        if whole is not None:
            led[number] = behind
            parts.append(_directory(whole, {}, behind, order))
            behind += len(parts[-1])
    data += _directory(first, led, 8, order)
    for part in parts:
        data += part
    return bytes(data)


def _directory_size(values: Values, further: int) -> int:
    return 2 + 12 * (len(values) + further) + 4 + sum(len(_raw(v, "<")[2]) for v in values.values())


def _raw(value: object, order: str) -> tuple[int, int, bytes]:
    if isinstance(value, str):
        raw = value.encode() + b"\0"
        kind, count = _ASCII, len(raw)
    elif isinstance(value, bytes):
        raw, kind, count = value, _BYTES, len(value)
    else:
        assert isinstance(value, Sequence)
        raw = b"".join(struct.pack(f"{order}II", *pair) for pair in value)
        kind, count = _RATIONAL, len(value)
    return kind, count, raw.ljust(4, b"\0") if len(raw) < 4 else raw


def _directory(values: Values, led: Mapping[int, int], at: int, order: str) -> bytes:
    numbers = sorted([*values, *led])
    behind = at + 2 + 12 * len(numbers) + 4
    entries, contents = bytearray(struct.pack(f"{order}H", len(numbers))), bytearray()
    for number in numbers:
        if number in led:
            entries += struct.pack(f"{order}HHII", number, _LONG, 1, led[number])
            continue
        kind, count, raw = _raw(values[number], order)
        entries += struct.pack(f"{order}HHI", number, kind, count)
        if len(raw) == 4:
            entries += raw
            contents += raw  # as large as the other way, so that sizes are easy to tell
        else:
            entries += struct.pack(f"{order}I", behind + len(contents))
            contents += raw
    return bytes(entries + struct.pack(f"{order}I", 0) + contents)


def xmp_text(inner: str, attributes: str = "") -> bytes:
    """Return XMP with properties as elements, and as attributes."""
    spaces = (
        'xmlns:dc="http://purl.org/dc/elements/1.1/"'
        ' xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"'
        ' xmlns:exif="http://ns.adobe.com/exif/1.0/"'
        ' xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"'
        ' xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"'
    )
    return (
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f'<rdf:Description rdf:about="" {spaces} {attributes}>{inner}</rdf:Description>'
        '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    ).encode()


def iptc_bytes(values: Sequence[tuple[int, str]]) -> bytes:
    """Return IPTC records (record 2) in UTF-8, as declared by the first one."""
    raw = [(1, 90, b"\x1b%G"), *((2, number, text.encode()) for number, text in values)]
    return b"".join(
        struct.pack(">BBBH", 0x1C, record, number, len(text)) + text for record, number, text in raw
    )


def jpeg_bytes(
    exif: bytes = b"", xmp: bytes = b"", iptc: bytes = b"", comment: bytes = b""
) -> bytes:
    """Return a JPEG file without pixels."""
    resource = b"8BIM" + struct.pack(">HBBI", 0x0404, 0, 0, len(iptc)) + iptc
    segments = (
        (0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"),
        (0xE1, exif and b"Exif\0\0" + exif),
        (0xE1, xmp and b"http://ns.adobe.com/xap/1.0/\0" + xmp),
        (0xED, iptc and b"Photoshop 3.0\0" + resource),
        (0xFE, comment),
    )
    written = b"".join(
        struct.pack(">BBH", 0xFF, mark, len(content) + 2) + content
        for mark, content in segments
        if content
    )
    return b"\xff\xd8" + written + b"\xff\xda\0\2..\xff\xd9"


def png_bytes(*chunks: tuple[bytes, bytes]) -> bytes:
    """Return a PNG file of one pixel, followed by these chunks."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixel = zlib.compress(b"\0\0")
    every = ((b"IHDR", header), (b"IDAT", pixel), *chunks, (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in every
    )


def webp_bytes(*chunks: tuple[bytes, bytes]) -> bytes:
    """Return a WebP file of these chunks."""
    return riff_bytes(b"WEBP", *chunks)


def riff_bytes(kind: bytes, *chunks: tuple[bytes, bytes]) -> bytes:
    """Return a RIFF file of these chunks."""
    content = kind + b"".join(riff_chunk(*chunk) for chunk in chunks)
    return b"RIFF" + struct.pack("<I", len(content)) + content


def riff_chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk, padded to an even size."""
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def box(kind: bytes, *contents: bytes) -> bytes:
    """Return a box of an ISO media file."""
    content = b"".join(contents)
    return struct.pack(">I", 8 + len(content)) + kind + content


def heif_bytes(exif: bytes, xmp: bytes, brand: bytes = b"heic") -> bytes:
    """Return a HEIF file without a picture, with EXIF and XMP items."""
    first, second = b"\0\0\0\6Exif\0\0" + exif, xmp
    kinds = [
        box(b"infe", b"\2\0\0\0", struct.pack(">HH", 1, 0), b"Exif\0"),
        box(b"infe", b"\2\0\0\0", struct.pack(">HH", 2, 0), b"mime\0application/rdf+xml\0"),
    ]
    start = box(b"ftyp", brand, b"\0\0\0\0", brand, b"mif1")

    def meta(at: int) -> bytes:
        places = b"".join(
            struct.pack(">HHHII", number, 0, 1, place, len(content))
            for number, place, content in ((1, at, first), (2, at + len(first), second))
        )
        return box(
            b"meta",
            b"\0\0\0\0",
            box(b"iinf", b"\0\0\0\0", struct.pack(">H", 2), *kinds),
            box(b"iloc", b"\0\0\0\0\x44\0", struct.pack(">H", 2), places),
        )

    data_at = len(start) + len(meta(0)) + 8
    return start + meta(data_at) + box(b"mdat", first, second)
