"""The metadata blocks of picture files: EXIF, XMP, IPTC and comments.

Only these blocks are read, never the pixels.
"""

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from core.documents.damage import DamageError
from core.documents.files import open_file, unreadable
from core.documents.media.boxes import MediaBox, boxes, read_part, riff, size_of_file

# TIFF directories and EXIF (TIFF 6.0, section 2; CIPA DC-008)


# Tags that point to the EXIF and GPS directories.
EXIF, GPS = 0x8769, 0x8825
_ORDERS: Final = {b"II*\0": "<", b"MM\0*": ">"}
_SIZES: Final = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 13: 4}
# Tags that are read; skipping all others bounds the cost of a file.
_WANTED_TAGS: Final = (
    *(0x010E, 0x010F, 0x0110, 0x0132, 0x013B, 0x02BC, 0x83BB, 0x8649, EXIF, GPS),
    *(0x9003, 0x9004, 0x9011, 0x9286, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F),
    *(1, 2, 3, 4),
)
_MOST_ENTRIES: Final = 1_000
_MOST_PAGES: Final = 2_001
# Bytes of one value or block; the rest of longer ones is not read.
LONGEST: Final = 1_000_000
# Likewise of a JPEG's extended XMP, where phones also store pictures.
_LONGEST_EXTENDED: Final = 16 * LONGEST


@dataclass(frozen=True, slots=True)
class Directories:
    """The values of a TIFF file by tag.

    Attributes:
        first: Those of the first page.
        exif: Those about the exposure.
        gps: Those about the location.
        pages: The number of pages.
        order: The byte order as a `struct` prefix.
        is_cut: Whether a value of the first page was too long to be read to its end.
    """

    first: dict[int, bytes] = field(default_factory=dict)
    exif: dict[int, bytes] = field(default_factory=dict)
    gps: dict[int, bytes] = field(default_factory=dict)
    pages: int = 1
    order: str = "<"
    is_cut: bool = False

    def rationals(self, raw: bytes) -> list[float]:
        """Return the rational numbers in `raw`, such as degrees, minutes and seconds."""
        values = []
        for at in range(0, len(raw) - 7, 8):
            above, below = struct.unpack_from(f"{self.order}II", raw, at)
            values.append(above / below if below else 0.0)
        return values


def directories(file: BinaryIO, size: int) -> Directories:
    """Return the directories of a TIFF file or an EXIF block.

    Raises:
        DamageError: It has no TIFF header.
    """
    start = read_part(file, 0, size, 8)
    order = _ORDERS.get(start[:4])
    if order is None or len(start) < 8:
        raise DamageError("Damaged: not an image")
    (at,) = struct.unpack_from(f"{order}I", start, 4)
    first, following, is_cut = _directory(file, size, at, order)
    seen = {at}
    pages = 1
    while following and following not in seen and pages < _MOST_PAGES:
        seen.add(following)
        pages += 1
        _, following, _ = _directory(file, size, following, order, is_read=False)
    further = []
    for directory_id in (EXIF, GPS):
        pointer = first.get(directory_id, b"")
        offset = struct.unpack(f"{order}I", pointer)[0] if len(pointer) == 4 else 0
        further.append(_directory(file, size, offset, order)[0] if offset else {})
    return Directories(first, further[0], further[1], pages, order, is_cut)


def _directory(
    file: BinaryIO, size: int, at: int, order: str, *, is_read: bool = True
) -> tuple[dict[int, bytes], int, bool]:
    """Return the values of a directory by tag, the next one's offset or 0, and if one was cut."""
    start = read_part(file, at, min(at + 2, size), 2)
    count = struct.unpack(f"{order}H", start)[0] if len(start) == 2 else 0
    if not 0 < count <= _MOST_ENTRIES:
        return {}, 0, False
    raw = read_part(file, at + 2, size, 12 * count + 4)
    values: dict[int, bytes] = {}
    is_cut = False
    for entry in range(0, min(12 * count, len(raw) - 11) if is_read else 0, 12):
        tag_id, kind, amount = struct.unpack_from(f"{order}HHI", raw, entry)
        length = amount * _SIZES.get(kind, 0)
        if tag_id not in _WANTED_TAGS or tag_id in values or not length:
            continue
        is_cut = is_cut or length > LONGEST
        length = min(length, LONGEST)
        value = raw[entry + 8 : entry + 12]
        if length > 4:
            (offset,) = struct.unpack(f"{order}I", value)
            value = read_part(file, offset, min(offset + length, size), length)
        values[tag_id] = value[:length]
    following = raw[12 * count : 12 * count + 4]
    return values, int.from_bytes(following, "little" if order == "<" else "big"), is_cut


# File formats

_JPEG, _PNG, _RIFF, _GIFS = b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF", (b"GIF87a", b"GIF89a")
_TIFFS: Final = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
_BITMAP: Final = b"BM"
_EXIF_START, _XMP_START = b"Exif\0\0", b"http://ns.adobe.com/xap/1.0/\0"
_EXTENDED_START: Final = b"http://ns.adobe.com/xmp/extension/\0"
_PHOTOSHOP_START, _RESOURCE, _IPTC_RESOURCE = b"Photoshop 3.0\0", b"8BIM", 0x0404
_MOST_SEGMENTS: Final = 3_000
_XMP_TAG, _IPTC_TAG = 0x02BC, 0x83BB
_BRANDS: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1", b"hevc", b"avif"})
_OTHER_BRANDS: Final = frozenset({b"avis", b"miaf", b"MA1B", b"MA1A"})


@dataclass(slots=True)
class Blocks:
    """The metadata blocks of a picture.

    Attributes:
        directories: EXIF, or the directories of a TIFF file.
        xmp: XMP as XML.
        extended_xmp: The second part of a JPEG's XMP, likewise.
        iptc: IPTC IIM records.
        texts: PNG text chunks by lower-case keyword.
        comments: JPEG comments.
        pages: The number of pages.
        is_cut: Whether the end of a long block was not read.
    """

    directories: Directories = field(default_factory=Directories)
    xmp: bytes = b""
    extended_xmp: bytes = b""
    iptc: bytes = b""
    texts: dict[str, str] = field(default_factory=dict)
    comments: list[bytes] = field(default_factory=list)
    pages: int = 1
    is_cut: bool = False


def blocks_of(path: Path) -> Blocks:
    """Return the metadata blocks of a picture, whose format is detected from its content.

    Raises:
        DocumentError: The file is not a picture, or cannot be read.
    """
    try:
        with open_file(path) as file:
            size = size_of_file(file)
            return _reader(read_part(file, 0, size, 12))(file, size)
    except OSError as error:
        raise unreadable(error) from error


def _reader(start: bytes) -> Callable[[BinaryIO, int], Blocks]:
    if start.startswith(_JPEG):
        return _read_jpeg
    if start.startswith(_PNG):
        return _read_png
    if start.startswith(_TIFFS):
        return _read_tiff
    if start.startswith(_RIFF) and start[8:12] == b"WEBP":
        return _read_webp
    if start[4:8] == b"ftyp":
        return _read_heif
    if start.startswith((_BITMAP, *_GIFS)):
        return lambda _file, _size: Blocks()
    raise DamageError("Damaged: not an image")


def _read_jpeg(file: BinaryIO, size: int) -> Blocks:
    """Read the segments before the pixels (ISO/IEC 10918-1, B.1)."""
    blocks = Blocks()
    extended: dict[int, bytes] = {}
    for mark, content in _segments(file, size):
        if mark == 0xE1 and content.startswith(_EXIF_START):
            _read_exif(blocks, content[len(_EXIF_START) :])
        elif mark == 0xE1 and content.startswith(_XMP_START):
            blocks.xmp = blocks.xmp or content[len(_XMP_START) :]
        elif mark == 0xE1 and content.startswith(_EXTENDED_START):
            # A digest, the size of the whole, and the offset of this part (XMP, part 3, 1.1.3).
            at = len(_EXTENDED_START) + 40
            offset, part = int.from_bytes(content[at - 4 : at], "big"), content[at:]
            if offset + len(part) <= _LONGEST_EXTENDED:
                extended.setdefault(offset, part)
            else:
                blocks.is_cut = True
        elif mark == 0xED and content.startswith(_PHOTOSHOP_START):
            blocks.iptc = blocks.iptc or _iptc_in(content[len(_PHOTOSHOP_START) :])
        elif mark == 0xFE:
            blocks.comments.append(content)
    blocks.extended_xmp = b"".join(part for _, part in sorted(extended.items()))
    return blocks


def _segments(file: BinaryIO, size: int) -> Iterator[tuple[int, bytes]]:
    at = 2
    for _ in range(_MOST_SEGMENTS):
        header = read_part(file, at, size, 4)
        if len(header) < 4 or header[0] != 0xFF:
            return
        mark = header[1]
        if mark == 0xFF:  # padding
            at += 1
            continue
        if mark in {0xDA, 0xD9}:  # start of scan, end of image
            return
        if mark == 0x01 or 0xD0 <= mark <= 0xD8:
            at += 2
            continue
        (length,) = struct.unpack_from(">H", header, 2)
        if mark in {0xE1, 0xED, 0xFE}:
            yield mark, read_part(file, at + 4, min(at + 2 + length, size), 65_535)
        at += 2 + max(length, 2)


def _iptc_in(resources: bytes) -> bytes:
    """Return the IPTC records among Photoshop's resources, or b""."""
    at = 0
    while resources[at : at + 4] == _RESOURCE and at + 7 <= len(resources):
        (resource_id, length) = struct.unpack_from(">HB", resources, at + 4)
        at += 7 + length + (1 - length % 2)
        if at + 4 > len(resources):
            break
        (size,) = struct.unpack_from(">I", resources, at)
        if resource_id == _IPTC_RESOURCE:
            return resources[at + 4 : at + 4 + size]
        at += 4 + size + size % 2
    return b""


def _read_png(file: BinaryIO, size: int) -> Blocks:
    """Read the chunks (PNG, third edition, 11.3); text chunks may come last."""
    blocks = Blocks()
    at = len(_PNG)
    for _ in range(_MOST_SEGMENTS):
        header = read_part(file, at, size, 8)
        if len(header) < 8:
            break
        length, kind = struct.unpack(">I4s", header)
        if kind in {b"tEXt", b"zTXt", b"iTXt", b"eXIf"}:
            blocks.is_cut = blocks.is_cut or length > LONGEST
            content = read_part(file, at + 8, min(at + 8 + length, size), LONGEST)
            if kind == b"eXIf":
                _read_exif(blocks, content)
            else:
                _read_text_chunk(blocks, kind, content)
        at += 12 + length
    return blocks


def _read_text_chunk(blocks: Blocks, kind: bytes, content: bytes) -> None:
    name, _, rest = content.partition(b"\0")
    if kind == b"tEXt":
        text = rest.decode("latin-1")
    elif kind == b"zTXt":
        text = _inflated(blocks, rest[1:]).decode("latin-1")
    else:
        is_packed, rest = rest[:1] == b"\1", rest[2:]
        packed = rest.split(b"\0", 2)[-1]  # after the language and the translated keyword
        raw = _inflated(blocks, packed) if is_packed else packed
        text = raw.decode("utf-8", errors="replace")
    if name == b"XML:com.adobe.xmp":
        blocks.xmp = blocks.xmp or text.encode("utf-8")
    else:
        blocks.texts.setdefault(name.decode("latin-1").lower(), text)


def _inflated(blocks: Blocks, packed: bytes) -> bytes:
    """Decompress up to `LONGEST` bytes; return b"" if damaged."""
    with suppress(zlib.error):
        inflater = zlib.decompressobj()
        inflated = inflater.decompress(packed, LONGEST)
        blocks.is_cut = blocks.is_cut or bool(inflater.unconsumed_tail)
        return inflated
    return b""


def _read_webp(file: BinaryIO, size: int) -> Blocks:
    blocks = Blocks()
    for chunk in riff(file, 12, size):
        if chunk.kind == b"EXIF":
            content = read_part(file, chunk.start, chunk.end, LONGEST)
            _read_exif(blocks, content.removeprefix(_EXIF_START))
        elif chunk.kind == b"XMP ":
            blocks.xmp = blocks.xmp or read_part(file, chunk.start, chunk.end, LONGEST)
            blocks.is_cut = blocks.is_cut or chunk.end - chunk.start > LONGEST
    return blocks


def _read_tiff(file: BinaryIO, size: int) -> Blocks:
    if read_part(file, 2, 4, 2) in {b"+\0", b"\0+"}:  # BigTIFF
        return Blocks()
    tiff = directories(file, size)
    xmp, iptc = tiff.first.get(_XMP_TAG, b""), tiff.first.get(_IPTC_TAG, b"")
    return Blocks(tiff, xmp, iptc=iptc, pages=tiff.pages, is_cut=tiff.is_cut)


def _read_heif(file: BinaryIO, size: int) -> Blocks:
    """Read the EXIF and XMP items of a HEIF or AVIF file (ISO/IEC 23008-12)."""
    blocks = Blocks()
    top = {box.kind: box for box in boxes(file, 0, size)}
    kinds = read_part(file, 8, top[b"ftyp"].end if b"ftyp" in top else 0, 400)
    brands = {kinds[at : at + 4] for at in range(0, len(kinds), 4) if at != 4}
    if not brands & (_BRANDS | _OTHER_BRANDS):
        raise DamageError("Damaged: not an image")
    if b"meta" not in top:
        return blocks
    meta = top[b"meta"]
    inner = {box.kind: box for box in boxes(file, meta.start + 4, meta.end)}
    if b"iinf" not in inner or b"iloc" not in inner:
        return blocks
    kinds_of = _item_kinds(file, inner[b"iinf"])
    for item_id, ranges in _item_ranges(file, inner[b"iloc"], inner.get(b"idat")):
        kind = kinds_of.get(item_id)
        if kind is None:
            continue
        content = b"".join(read_part(file, *byte_range, LONGEST) for byte_range in ranges)[:LONGEST]
        if kind == b"Exif" and len(content) > 4:
            (skipped_bytes,) = struct.unpack_from(">I", content)
            _read_exif(blocks, content[4 + skipped_bytes :].removeprefix(_EXIF_START))
        elif kind == b"mime":
            blocks.xmp = blocks.xmp or content
            length = sum(end - start for start, end in ranges)
            blocks.is_cut = blocks.is_cut or length > LONGEST
    return blocks


def _item_kinds(file: BinaryIO, box: MediaBox) -> dict[int, bytes]:
    """Return the kinds of the metadata items by number (ISO/IEC 14496-12, 8.11.6)."""
    version = read_part(file, box.start, box.end, 1)
    skipped_bytes = 6 if version == b"\0" else 8
    kinds: dict[int, bytes] = {}
    for entry in boxes(file, box.start + skipped_bytes, box.end):
        raw = read_part(file, entry.start, entry.end, 200)
        form = ">H2x4s" if raw[:1] == b"\2" else ">I2x4s"
        if entry.kind != b"infe" or len(raw) < 4 + struct.calcsize(form):
            continue
        item_id, kind = struct.unpack_from(form, raw, 4)
        if kind == b"Exif" or (kind == b"mime" and b"application/rdf+xml" in raw):
            kinds[item_id] = kind
    return kinds


def _item_ranges(
    file: BinaryIO, box: MediaBox, data: MediaBox | None
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield the number and the byte ranges of each item (ISO/IEC 14496-12, 8.11.3)."""
    raw = read_part(file, box.start, box.end, LONGEST)
    if len(raw) < 8:
        return
    version = raw[0]
    sizes = raw[4] >> 4, raw[4] & 15, raw[5] >> 4, (raw[5] & 15) * (version in {1, 2})
    if any(size not in {0, 4, 8} for size in sizes):
        return
    of_offset, of_length, of_base, of_index = sizes
    integers = _Integers(raw, 6)
    wide = 4 if version == 2 else 2
    for _ in range(integers.take(wide)):
        item_id = integers.take(wide)
        is_in_idat = version in {1, 2} and integers.take(2) & 15 == 1
        integers.take(2)
        base = integers.take(of_base)
        if is_in_idat and data is not None:
            base += data.start
        ranges = []
        for _ in range(integers.take(2)):
            integers.take(of_index)
            start = base + integers.take(of_offset)
            ranges.append((start, start + integers.take(of_length)))
            if integers.is_over:
                return
        yield item_id, ranges


class _Integers:
    """Reads big-endian numbers of a given size in sequence; past the end all are 0."""

    def __init__(self, raw: bytes, at: int) -> None:
        self._raw = raw
        self._at = at

    @property
    def is_over(self) -> bool:
        return self._at > len(self._raw)

    def take(self, size: int) -> int:
        self._at += size
        return int.from_bytes(self._raw[self._at - size : self._at], "big")


def _read_exif(blocks: Blocks, content: bytes) -> None:
    """Read an EXIF block, ignoring a damaged one."""
    with suppress(DamageError):
        blocks.directories = directories(io.BytesIO(content), len(content))
