"""Mobipocket's and Kindle's books (.mobi, .azw, .azw3, .prc): a page for each part.

A book is a Palm database: record 0 says how the text is packed, and the next records hold it, as
HTML (https://wiki.mobileread.com/wiki/MOBI). What Kindle Format 8 adds stands behind the text.
"""

from __future__ import annotations

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
from core.documents.metadata import Properties, properties
from core.documents.text_formats.html import closed, document_of
from core.documents.text_formats.plain import as_it_stands
from core.errors import DocumentError

_BOOK, _TEXT = b"BOOKMOBI", b"TEXtREAd"
_KINDS_AT, _COUNT_AT, _RECORDS_AT = 60, 76, 78
_LOCKED_KFX: Final = b"\xeaDRMION"
_PLAIN, _PAIRS, _CODES = 1, 2, 17480  # how text is packed
_UTF_8: Final = 65001
_KINDLE_8: Final = 8
_AUTHOR, _PUBLISHED, _NEWER_TITLE = 100, 106, 503
# Where one part ends and another begins: Mobipocket's own mark, and the next file of Kindle's.
_BORDER: Final = re.compile(
    r"<\s*mbp:pagebreak\b[^>]*>|(?=<\?xml\b)|(?<!\?>)(?=<html\b)", re.IGNORECASE
)
_MOST_PARTS: Final = 2_000
"""Dictionaries have a mark behind each of their entries."""
_MARKUP: Final = re.compile(r"<(?:html|p|body)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Header:
    """What record 0 says.

    Attributes:
        packing: how the records of text are packed.
        records: how many there are.
        is_locked: whether they are encrypted.
        encoding: of the text.
        codes: the first record of those by which packed text is read, and how many; 0, 0: none.
        extras: a bit for each thing that stands behind the text of a record.
        sections: the record that tells where the text ends, 0 for none.
    """

    packing: int
    records: int
    is_locked: bool
    encoding: str = "cp1252"
    codes: tuple[int, int] = (0, 0)
    extras: int = 0
    sections: int = 0


def read(path: Path) -> Document:
    """Read a book: each of its parts is a page with headings; pictures have no text.

    Raises:
        DocumentError: It is damaged, locked by a copy protection, or no such book.
    """
    data = read_bytes(path)
    if data.startswith(_LOCKED_KFX):
        raise DocumentError("is locked by its seller's copy protection (DRM)")
    kind = data[_KINDS_AT : _KINDS_AT + 8]
    if kind not in {_BOOK, _TEXT}:
        raise OtherKindError("is no e-book inside, whatever its name says")
    with as_damage("a part of it cannot be read", struct.error, IndexError):
        records = _records(data)
        header = _header(records[0])
    if header.is_locked:
        raise DocumentError("is locked by its seller's copy protection (DRM)")
    losses = Losses()
    text = _text(records, header, losses)
    if kind == _TEXT and not _MARKUP.search(text):
        document = as_it_stands(text)
        losses.check(document.pages)
        return document
    pages = tuple(_pages(text, losses.unread))
    losses.check(pages)
    said = _properties(records[0], header)
    return Document(said.title, pages, said.author, said.date)


def _records(data: bytes) -> list[bytes]:
    (count,) = struct.unpack_from(">H", data, _COUNT_AT)
    places = [*struct.unpack_from(">" + "L4x" * count, data, _RECORDS_AT), len(data)]
    return [data[begin:end] for begin, end in itertools.pairwise(places)]


def _header(record: bytes) -> _Header:
    packing, _, _, count, _, locks = struct.unpack_from(">HHLHHH", record)
    if record[16:20] != b"MOBI":
        return _Header(packing, count, bool(locks))
    length, _, encoding = struct.unpack_from(">LLL", record, 20)
    (version,) = struct.unpack_from(">L", record, 36)
    codes = struct.unpack_from(">LL", record, 112)
    extras = struct.unpack_from(">H", record, 242)[0] if length >= 228 else 0
    has_sections = version >= _KINDLE_8 and length >= 184
    return _Header(
        packing,
        count,
        bool(locks),
        "utf-8" if encoding == _UTF_8 else "cp1252",
        codes,
        extras,
        struct.unpack_from(">L", record, 192)[0] if has_sections else 0,
    )


def _text(records: Sequence[bytes], header: _Header, losses: Losses) -> str:
    unpack = _unpacker(records, header)
    data = bytearray()
    texts = records[1 : header.records + 1]
    for record in texts:
        packed = record[: _text_length(record, header.extras)]
        with losses.of(SOME_TEXT):
            data += unpack(packed)
        limits.DEFAULT.check_characters(len(data) // 4)  # a character has so many bytes at most
    if len(texts) < header.records or not all(texts):
        losses.note(SOME_TEXT, DamageError("is damaged: {0}", "a part of it cannot be read"))
    end = _end_of_text(records, header.sections)
    text = bytes(data[:end] if end else data)
    return decode_as(text, header.encoding) or ""


def _unpacker(records: Sequence[bytes], header: _Header) -> Callable[[bytes], bytes]:
    if header.packing == _PLAIN:
        return bytes
    if header.packing == _PAIRS:
        return unpack_pairs
    if header.packing == _CODES:
        first, count = header.codes
        tables = records[first : first + min(count, len(records))]
        if not first or not tables:
            raise DamageError("is damaged: {0}", "a part of it cannot be unpacked")
        return HuffmanPhrases(tables[0], tables[1:]).unpack
    raise DamageError("is damaged: {0}", "a part of it cannot be unpacked")


def _text_length(record: bytes, extras: int) -> int:
    r"""Return how long the text is in a record, without what stands behind it.

    Each thing ends with its own size, read from its end to the byte with the highest bit; the
    last, nearest to the text, completes a character, and has the size less one in two bits.

    >>> _text_length(b"crows" + b"..\x83" + b"\x81", 0b110), _text_length(b"crows\xc3\x01", 1)
    (5, 5)
    """
    size = len(record)
    for _ in range((extras >> 1).bit_count()):
        value = 0
        for place, byte in enumerate(record[:size][-4:][::-1]):
            value |= (byte & 0x7F) << 7 * place
            if byte & 0x80:
                break
        size = max(size - value, 0)
    if extras & 1 and size:
        size -= (record[size - 1] & 3) + 1
    return max(size, 0)


def _end_of_text(records: Sequence[bytes], sections: int) -> int:
    """Return where the first section ends, behind which styles and drawings stand; 0 if unknown."""
    if not 0 < sections < len(records) or records[sections][:4] != b"FDST":
        return 0
    record = records[sections]
    return int(struct.unpack_from(">L", record, 16)[0]) if len(record) >= 20 else 0


def _pages(text: str, unread: str) -> Iterator[Page]:
    parts = _BORDER.split(text)
    if len(parts) > _MOST_PARTS:
        parts = [_BORDER.sub("<hr>", text)]
    number = 0
    for part in parts:
        (page,) = document_of(closed(part)).pages
        if page.text:
            number += 1
            yield Page(number, page.text, page.headings, unread, styles=page.styles)
    if not number:
        yield Page(1, "", unread=unread)


def _properties(record: bytes, header: _Header) -> Properties:
    """Return what record 0 tells of the book: its name, and what is listed behind the header."""
    if record[16:20] != b"MOBI":
        return Properties()
    said: dict[int, list[str]] = {}
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
            said.setdefault(kind, []).append(value)
            at += max(size, 8)
    begin, size = struct.unpack_from(">LL", record, 84)
    name = decode_as(record[begin : begin + size], header.encoding) or ""
    title = (said.get(_NEWER_TITLE) or [name])[0]
    return properties(title, said.get(_AUTHOR, []), said.get(_PUBLISHED, []))


_LONGEST_RECORD: Final = 1 << 20
"""Bytes that one record of text unpacks to; books have 4,096."""
_DEEPEST: Final = 32
"""Phrases that are packed in phrases."""
_WHAT: Final = "a part of it cannot be unpacked"


def unpack_pairs(data: bytes) -> bytes:
    r"""Return what PalmDOC packed: bytes, runs of them, repetitions, and spaces before letters.

    Raises:
        DamageError: it repeats what is not there.

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
                raise DamageError("is damaged: {0}", _WHAT)
            for _ in range(length):  # what is repeated may be longer than what is there yet
                out.append(out[-distance])
        else:
            out += bytes((0x20, code ^ 0x80))
    return bytes(out)


class HuffmanPhrases:
    """Unpacks records by one HUFF record, the codes, and the CDIC records, the phrases.

    Raises:
        DamageError: the records are not whole.
    """

    def __init__(self, codes: bytes, phrases: Sequence[bytes]) -> None:
        with as_damage(_WHAT, struct.error, IndexError):
            self._read_codes(codes)
            self._phrases: list[tuple[bytes, bool]] = []
            for record in phrases:
                self._read_phrases(record)
        self._unpacked: dict[int, bytes] = {}

    def _read_codes(self, record: bytes) -> None:
        """Read two tables: of codes by their first 8 bits, and of the longer ones by their length.

        An entry of the first is a code's length in 5 bits, whether it ends there in 1, and in 24
        the greatest code of that length; the second has the least and the greatest of 1 to 32.
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
        """Read phrases: behind their places a length in 15 bits, and whether one is not packed."""
        count, bits = struct.unpack_from(">LL", record, 8)
        here = max(0, min(1 << min(bits, 16), count - len(self._phrases)))
        for place in struct.unpack_from(f">{here}H", record, 16):
            (size,) = struct.unpack_from(">H", record, 16 + place)
            begin = 18 + place
            self._phrases.append((record[begin : begin + (size & 0x7FFF)], bool(size & 0x8000)))

    def unpack(self, data: bytes) -> bytes:
        """Return what a record holds.

        Raises:
            DamageError: it has codes that stand for nothing, or unpacks without measure.
        """
        return self._unpack(data, 0)

    def _unpack(self, data: bytes, depth: int) -> bytes:
        if depth > _DEEPEST:
            raise DamageError("is damaged: {0}", _WHAT)
        # Behind the end stand zeros, so that the last code can be looked at like any other.
        bits = int.from_bytes(data) << 32
        left = 8 * len(data)
        out = bytearray()
        while left > 0:
            # All but what is left is cut off: the number never gets longer than it is.
            code = bits >> left & 0xFFFFFFFF
            length, ends, most = self._short[code >> 24]
            if not ends:
                while 0 < length <= 32 and code < self._least[length]:
                    length += 1
                most = self._most[length] if length <= 32 else 0
            if not 0 < length <= 32:
                raise DamageError("is damaged: {0}", _WHAT)
            left -= length
            if left < 0:
                break
            out += self._phrase(most - code >> 32 - length, depth)
            if len(out) > _LONGEST_RECORD:
                raise DamageError("is damaged: {0}", _WHAT)
        return bytes(out)

    def _phrase(self, number: int, depth: int) -> bytes:
        if not 0 <= number < len(self._phrases):
            raise DamageError("is damaged: {0}", _WHAT)
        phrase, is_plain = self._phrases[number]
        if is_plain:
            return phrase
        if number not in self._unpacked:
            self._unpacked[number] = self._unpack(phrase, depth + 1)
        return self._unpacked[number]
