"""Reads Mobipocket and Kindle books (.mobi, .azw, .azw3, .prc): a page per part.

A book is a Palm database. Record 0 is the header, the next records contain the text as HTML,
compressed with PalmDOC or HUFF/CDIC. The additions of Kindle Format 8 follow the text.

Source: https://wiki.mobileread.com/wiki/MOBI, https://wiki.mobileread.com/wiki/PalmDOC.
"""

import itertools
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.documents import limits
from core.documents.damage import SOME_TEXT, DamageError, Losses, OtherKindError, as_damage
from core.documents.decoding import decode_as
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.metadata import Properties, properties, with_topics
from core.documents.text_formats.html import closed, document_of
from core.documents.text_formats.plain import plain_document
from core.errors import DocumentError

_BOOK, _TEXT = b"BOOKMOBI", b"TEXtREAd"
_KINDS_AT, _COUNT_AT, _RECORDS_AT = 60, 76, 78
_LOCKED_KFX: Final = b"\xeaDRMION"
_PLAIN, _PAIRS, _CODES = 1, 2, 17480  # compression: none, PalmDOC, HUFF/CDIC
_UTF_8: Final = 65001
_KINDLE_8: Final = 8
_AUTHOR, _PUBLISHED, _NEWER_TITLE = 100, 106, 503
_TOPICS: Final = (105, 103)  # EXTH: subject, description
# Boundaries of parts: Mobipocket's page break, and the beginning of the next Kindle file.
_BORDER: Final = re.compile(
    r"<\s*mbp:pagebreak\b[^>]*>|(?=<\?xml\b)|(?<!\?>)(?=<html\b)", re.IGNORECASE
)
# Parts of a book. With more, page breaks are ignored: dictionaries have one after each entry.
_MOST_PARTS: Final = 2_000
_MARKUP: Final = re.compile(r"<(?:html|p|body)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _MobiHeader:
    """The header in record 0.

    Attributes:
        packing: The compression of the text.
        records: The number of text records.
        is_locked: Whether they are encrypted.
        encoding: The encoding of the text.
        codes: The first record of the HUFF/CDIC tables and their number; 0, 0 for none.
        extras: A bit for each kind of trailing data in a text record.
        sections: The record with the offsets of sections, 0 for none.
    """

    packing: int
    records: int
    is_locked: bool
    encoding: str = "cp1252"
    codes: tuple[int, int] = (0, 0)
    extras: int = 0
    sections: int = 0


def read(path: Path) -> Document:
    """Read a book: a page with headings per part.

    Raises:
        DocumentError: It is damaged, copy-protected, or another type of file.
    """
    data = read_bytes(path)
    if data.startswith(_LOCKED_KFX):
        raise DocumentError("Copy-protected (DRM)")
    kind = data[_KINDS_AT : _KINDS_AT + 8]
    if kind not in {_BOOK, _TEXT}:
        raise OtherKindError("Not an e-book despite its name")
    with as_damage("a part cannot be read", struct.error, IndexError):
        records = _records(data)
        header = _header(records[0])
    if header.is_locked:
        raise DocumentError("Copy-protected (DRM)")
    losses = Losses()
    text = _text(records, header, losses)
    if kind == _TEXT and not _MARKUP.search(text):
        document = plain_document(text)
        losses.check(document.pages)
        return document
    pages = tuple(_pages(text, losses.unread))
    losses.check(pages)
    about = _properties(records[0], header)
    return Document(about.title, with_topics(pages, about.topics), about.author, about.date)


def _records(data: bytes) -> list[bytes]:
    (count,) = struct.unpack_from(">H", data, _COUNT_AT)
    offsets = [*struct.unpack_from(">" + "L4x" * count, data, _RECORDS_AT), len(data)]
    return [data[begin:end] for begin, end in itertools.pairwise(offsets)]


def _header(record: bytes) -> _MobiHeader:
    packing, _, _, count, _, locks = struct.unpack_from(">HHLHHH", record)
    if record[16:20] != b"MOBI":
        return _MobiHeader(packing, count, bool(locks))
    length, _, encoding = struct.unpack_from(">LLL", record, 20)
    (version,) = struct.unpack_from(">L", record, 36)
    codes = struct.unpack_from(">LL", record, 112)
    extras = struct.unpack_from(">H", record, 242)[0] if length >= 228 else 0
    has_sections = version >= _KINDLE_8 and length >= 184
    return _MobiHeader(
        packing,
        count,
        bool(locks),
        "utf-8" if encoding == _UTF_8 else "cp1252",
        codes,
        extras,
        struct.unpack_from(">L", record, 192)[0] if has_sections else 0,
    )


def _text(records: Sequence[bytes], header: _MobiHeader, losses: Losses) -> str:
    unpack = _unpacker(records, header)
    data = bytearray()
    texts = records[1 : header.records + 1]
    for record in texts:
        packed = record[: _text_length(record, header.extras)]
        with losses.of(SOME_TEXT):
            data += unpack(packed)
        limits.DEFAULT.check_characters(len(data) // 4)  # at most 4 bytes per character
    if len(texts) < header.records or not all(texts):
        losses.note(SOME_TEXT, DamageError("Damaged: {0}", "a part cannot be read"))
    end = _end_of_text(records, header.sections)
    text = bytes(data[:end] if end else data)
    return decode_as(text, header.encoding) or ""


def _unpacker(records: Sequence[bytes], header: _MobiHeader) -> Callable[[bytes], bytes]:
    if header.packing == _PLAIN:
        return bytes
    if header.packing == _PAIRS:
        return unpack_pairs
    if header.packing == _CODES:
        first, count = header.codes
        tables = records[first : first + min(count, len(records))]
        if not first or not tables:
            raise DamageError("Damaged: {0}", "a part cannot be unpacked")
        return HuffmanPhrases(tables[0], tables[1:]).unpack
    raise DamageError("Damaged: {0}", "a part cannot be unpacked")


def _text_length(record: bytes, extras: int) -> int:
    r"""Return the length of the text in a record without its trailing data.

    Each trailing entry ends with its size, to be read backwards up to the byte with the top bit
    set. The entry nearest to the text completes a character; its size minus one is in two bits.

    >>> _text_length(b"crows" + b"..\x83" + b"\x81", 0b110), _text_length(b"crows\xc3\x01", 1)
    (5, 5)
    """
    size = len(record)
    for _ in range((extras >> 1).bit_count()):
        value = 0
        for index, byte in enumerate(record[:size][-4:][::-1]):
            value |= (byte & 0x7F) << 7 * index
            if byte & 0x80:
                break
        size = max(size - value, 0)
    if extras & 1 and size:
        size -= (record[size - 1] & 3) + 1
    return max(size, 0)


def _end_of_text(records: Sequence[bytes], sections: int) -> int:
    """Return the end of the first section, the text; 0 if unknown. Styles and drawings follow."""
    if not 0 < sections < len(records) or records[sections][:4] != b"FDST":
        return 0
    record = records[sections]
    return int(struct.unpack_from(">L", record, 16)[0]) if len(record) >= 20 else 0


def _pages(text: str, unread: str) -> Iterator[Page]:
    parts = _BORDER.split(text)
    if len(parts) > _MOST_PARTS:
        parts = [_BORDER.sub("<hr>", text)]
    page_number = 0
    for part in parts:
        (page,) = document_of(closed(part)).pages
        if page.text:
            page_number += 1
            yield Page(page_number, page.text, page.headings, unread, styles=page.styles)
    if not page_number:
        yield Page(1, "", unread=unread)


def _properties(record: bytes, header: _MobiHeader) -> Properties:
    """Return the properties in record 0: the name, and the EXTH records after the header."""
    if record[16:20] != b"MOBI":
        return Properties()
    listed: dict[int, list[str]] = {}
    (length,) = struct.unpack_from(">L", record, 20)
    at = 16 + length
    if record[at : at + 4] == b"EXTH" and len(record) >= at + 12:
        (count,) = struct.unpack_from(">L", record, at + 8)
        at += 12
        for _ in range(count):
            if at + 8 > len(record):
                break
            kind, size = struct.unpack_from(">LL", record, at)
            value = decode_as(record[at + 8 : at + size], header.encoding) or ""
            listed.setdefault(kind, []).append(value)
            at += max(size, 8)
    begin, size = struct.unpack_from(">LL", record, 84)
    name = decode_as(record[begin : begin + size], header.encoding) or ""
    title = (listed.get(_NEWER_TITLE) or [name])[0]
    topics = [topic for kind in _TOPICS for topic in listed.get(kind, [])]
    return properties(title, listed.get(_AUTHOR, []), listed.get(_PUBLISHED, []), topics)


# Bytes of one decompressed text record; usual are 4,096.
_LONGEST_RECORD: Final = 1 << 20
# Depth of compressed phrases within phrases.
_DEEPEST: Final = 32
_CANNOT_UNPACK: Final = "a part cannot be unpacked"


def unpack_pairs(data: bytes) -> bytes:
    r"""Decompress PalmDOC: literals, runs of literals, repetitions, and spaces before letters.

    Raises:
        DamageError: A repetition refers to data before the beginning.

    >>> unpack_pairs(b"\x02\xffacrow" + bytes([0x80, 4 << 3 | 1]) + b"\xf3")
    b'\xffacrowcrow s'
    """
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        at += 1
        if 1 <= code <= 8:
            out += data[at : at + code]
            at += code
        elif code < 0x80:
            out.append(code)
        elif code < 0xC0:
            if at == len(data):
                break
            pair = (code << 8 | data[at]) & 0x3FFF
            at += 1
            distance, length = pair >> 3, (pair & 7) + 3
            if not 0 < distance <= len(out):
                raise DamageError("Damaged: {0}", _CANNOT_UNPACK)
            for _ in range(length):  # the repetition may overlap its own output
                out.append(out[-distance])
        else:
            out += bytes((0x20, code ^ 0x80))
    return bytes(out)


class HuffmanPhrases:
    """Decompresses records with a HUFF record (codes) and CDIC records (phrases).

    Raises:
        DamageError: The records are incomplete.
    """

    def __init__(self, codes: bytes, phrases: Sequence[bytes]) -> None:
        with as_damage(_CANNOT_UNPACK, struct.error, IndexError):
            self._read_codes(codes)
            self._phrases: list[tuple[bytes, bool]] = []
            for record in phrases:
                self._read_phrases(record)
        self._unpacked: dict[int, bytes] = {}

    def _read_codes(self, record: bytes) -> None:
        """Read two tables: codes by their first 8 bits, and bounds of longer codes by length.

        An entry of the first has the length of a code (5 bits), whether it is complete (1 bit), and
        the greatest code of that length (24 bits). The second has the least and the greatest code
        of the lengths 1 to 32.
        """
        first, second = struct.unpack_from(">LL", record, 8)
        self._short: list[tuple[int, bool, int]] = []
        for entry in struct.unpack_from(">256L", record, first):
            length = entry & 0x1F
            most = ((entry >> 8) + 1 << 32 - length) - 1
            self._short.append((length, bool(entry & 0x80), most))
        bounds = struct.unpack_from(">64L", record, second)
        self._least = [0, *(bounds[2 * n - 2] << 32 - n for n in range(1, 33))]
        self._most = [0, *((bounds[2 * n - 1] + 1 << 32 - n) - 1 for n in range(1, 33))]

    def _read_phrases(self, record: bytes) -> None:
        """Read phrases: their offsets, then a 15-bit length and whether each is uncompressed."""
        count, bits = struct.unpack_from(">LL", record, 8)
        here = max(0, min(1 << min(bits, 16), count - len(self._phrases)))
        for offset in struct.unpack_from(f">{here}H", record, 16):
            (size,) = struct.unpack_from(">H", record, 16 + offset)
            begin = 18 + offset
            self._phrases.append((record[begin : begin + (size & 0x7FFF)], bool(size & 0x8000)))

    def unpack(self, data: bytes) -> bytes:
        """Decompress a record.

        Raises:
            DamageError: A code is undefined, or the result is too large.
        """
        return self._unpack(data, 0)

    def _unpack(self, data: bytes, depth: int) -> bytes:
        if depth > _DEEPEST:
            raise DamageError("Damaged: {0}", _CANNOT_UNPACK)
        # Pad with zeros so that the last code can be read like any other.
        bits = int.from_bytes(data) << 32
        left = 8 * len(data)
        out = bytearray()
        while left > 0:
            # Mask to 32 bits.
            code = bits >> left & 0xFFFFFFFF
            length, ends, most = self._short[code >> 24]
            if not ends:
                while 0 < length <= 32 and code < self._least[length]:
                    length += 1
                most = self._most[length] if length <= 32 else 0
            if not 0 < length <= 32:
                raise DamageError("Damaged: {0}", _CANNOT_UNPACK)
            left -= length
            if left < 0:
                break
            out += self._phrase(most - code >> 32 - length, depth)
            if len(out) > _LONGEST_RECORD:
                raise DamageError("Damaged: {0}", _CANNOT_UNPACK)
        return bytes(out)

    def _phrase(self, phrase_index: int, depth: int) -> bytes:
        if not 0 <= phrase_index < len(self._phrases):
            raise DamageError("Damaged: {0}", _CANNOT_UNPACK)
        phrase, is_plain = self._phrases[phrase_index]
        if is_plain:
            return phrase
        if phrase_index not in self._unpacked:
            self._unpacked[phrase_index] = self._unpack(phrase, depth + 1)
        return self._unpacked[phrase_index]
