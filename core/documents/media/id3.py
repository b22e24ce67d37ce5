"""The tags of MP3 files: ID3v2 at the beginning (2.2 to 2.4), ID3v1 at the end.

https://id3.org/id3v2.4.0-structure, id3v2.4.0-frames; id3v2.3.0; id3v2-00.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, Final

from core.documents.media.boxes import read_part
from core.documents.media.tags import LONGEST, Tags, words

MAGIC: Final = b"ID3"
_OLD_MAGIC, _OLD_BYTES = b"TAG", 128
_ENCODINGS: Final = ("cp1252", "utf-16", "utf-16-be", "utf-8")
_MOST_FRAMES: Final = 3_000
_KINDS: Final = {
    "TIT2": "title",
    "TIT3": "subtitle",
    "TPE1": "artist",
    "TPE2": "album_artist",
    "TPE3": "with",
    "TALB": "album",
    "TCOM": "composer",
    "TEXT": "composer",
    "TCON": "genre",
    "TYER": "date",
    "TDRC": "date",
    "TDRL": "date",
    "TPUB": "publisher",
    "TIT1": "tags",
    "TDES": "description",
    "TKWD": "tags",
    "TT2": "title",
    "TT3": "subtitle",
    "TP1": "artist",
    "TP2": "album_artist",
    "TAL": "album",
    "TCM": "composer",
    "TXT": "composer",
    "TCO": "genre",
    "TYE": "date",
    "TPB": "publisher",
}
_SAID: Final = {"COMM": "comment", "COM": "comment", "USLT": "lyrics", "ULT": "lyrics"}
# What programs put into a comment: their own numbers, for volume and for pauses.
_PROGRAMS: Final = re.compile(r"iTun|ID3v1|Songs-DB|MusicMatch|iTunes", re.IGNORECASE)
_GENRES: Final = (  # noqa: SIM905 - as Winamp numbers them, and not a line each
    "Blues|Classic Rock|Country|Dance|Disco|Funk|Grunge|Hip-Hop|Jazz|Metal|New Age|Oldies|Other|Pop"
    "|R&B|Rap|Reggae|Rock|Techno|Industrial|Alternative|Ska|Death Metal|Pranks|Soundtrack"
    "|Euro-Techno|Ambient|Trip-Hop|Vocal|Jazz+Funk|Fusion|Trance|Classical|Instrumental|Acid|House"
    "|Game|Sound Clip|Gospel|Noise|Alternative Rock|Bass|Soul|Punk|Space|Meditative"
    "|Instrumental Pop|Instrumental Rock|Ethnic|Gothic|Darkwave|Techno-Industrial|Electronic"
    "|Pop-Folk|Eurodance|Dream|Southern Rock|Comedy|Cult|Gangsta|Top 40|Christian Rap|Pop/Funk"
    "|Jungle|Native US|Cabaret|New Wave|Psychedelic|Rave|Showtunes|Trailer|Lo-Fi|Tribal"
    "|Acid Punk|Acid Jazz|Polka|Retro|Musical|Rock & Roll|Hard Rock"
).split("|")


def take(file: BinaryIO, start: int, size: int, tags: Tags) -> None:
    """Take what the tag at `start` says, and where there is none, the old one at the file's end."""
    header = read_part(file, start, size, 10)
    if header.startswith(MAGIC) and len(header) == 10 and header[3] in {2, 3, 4}:
        version, flags = header[3], header[5]
        length = _without_top_bits(header[6:10])
        content = _Frames(file, start + 10, min(start + 10 + length, size), version, flags)
        for kind, frame in content.frames():
            _take_frame(kind, frame, version, tags)
    if not tags.told:
        _take_old(read_part(file, max(size - _OLD_BYTES, 0), size, _OLD_BYTES), tags)


def is_behind(file: BinaryIO, size: int) -> bool:
    """Return whether the old tag stands at the end of a file."""
    return read_part(file, max(size - _OLD_BYTES, 0), size, 3) == _OLD_MAGIC


def _without_top_bits(raw: bytes) -> int:
    r"""Return a number of which each byte has seven bits.

    >>> _without_top_bits(b"\0\0\x02\x01")
    257
    """
    number = 0
    for byte in raw:
        number = number << 7 | byte & 0x7F
    return number


class _Frames:
    """The frames of a tag; covers are passed over, and never read."""

    def __init__(self, file: BinaryIO, start: int, end: int, version: int, flags: int) -> None:
        self._file = file
        self._version = version
        if flags & 0x80 and version < 4:  # ones are written as if zeros stood behind them
            content = read_part(file, start, end, 16 * LONGEST).replace(b"\xff\0", b"\xff")
            self._file, start, end = io.BytesIO(content), 0, len(content)
        if flags & 0x40 and version > 2:  # a header more
            raw = read_part(self._file, start, end, 4)
            more = int.from_bytes(raw, "big") + 4 if version == 3 else _without_top_bits(raw)
            start += more
        self._start, self._end = start, end

    def frames(self) -> Iterator[tuple[str, bytes]]:
        """Yield the frames that are not too long for words, each with its kind."""
        is_short = self._version == 2
        wide = 6 if is_short else 10
        at = self._start
        for _ in range(_MOST_FRAMES):
            header = read_part(self._file, at, self._end, wide)
            if len(header) < wide or not header[0]:
                return
            kind = header[: 3 if is_short else 4].decode("latin-1")
            size = self._size(header)
            at += wide
            if kind[:1] in {"T", "C", "U"} and 0 < size <= LONGEST:
                flags = 0 if is_short else header[9]
                yield kind, self._whole(read_part(self._file, at, at + size, size), flags)
            at += size

    def _size(self, header: bytes) -> int:
        if self._version == 2:
            return int.from_bytes(header[3:6], "big")
        raw = header[4:8]
        # iTunes wrote sizes of eight bits a byte into the newest tags, too.
        is_plain = self._version == 3 or any(byte & 0x80 for byte in raw)
        return int.from_bytes(raw, "big") if is_plain else _without_top_bits(raw)

    def _whole(self, raw: bytes, flags: int) -> bytes:
        if self._version == 4:
            raw = raw[4:] if flags & 0x01 else raw  # how long it would be
            raw = raw.replace(b"\xff\0", b"\xff") if flags & 0x02 else raw
            is_packed = flags & 0x08
        else:
            is_packed = flags & 0x80
            raw = raw[4:] if is_packed else raw
        if is_packed:
            with suppress(zlib.error):
                return zlib.decompressobj().decompress(raw, LONGEST)
            return b""
        return raw


def _take_frame(kind: str, frame: bytes, version: int, tags: Tags) -> None:
    if kind in _SAID:
        name, text = _described(frame)
        if not _PROGRAMS.match(name):
            tags.add(_SAID[kind], text)
    elif kind in {"TXXX", "TXX"}:
        name, _, text = _text(frame).partition("\0")
        tags.add_named(name, text)
    elif kind == "CHAP":
        _take_chapter(frame, version, tags)
    elif kind in _KINDS:
        text = _text(frame)
        what = _KINDS[kind]
        if what == "genre":
            text = _genre(text)
        tags.add(what, text)


def _text(frame: bytes) -> str:
    """Return the text of a frame, whose first byte tells its encoding."""
    encoding = _ENCODINGS[frame[0]] if frame[:1] < b"\4" and frame else "cp1252"
    text = frame[1:].decode(encoding, errors="replace")
    return text.replace("\ufeff", "").strip("\0")


def _described(frame: bytes) -> tuple[str, str]:
    """Return what a comment is called, and the comment; before both stands the language."""
    name, found, text = _text(frame[:1] + frame[4:].lstrip(b"")).partition("\0")
    if found:
        return name, text.strip("\0")
    return "", name


def _genre(text: str) -> str:
    """Return a genre, which may be a number, or a number and a word.

    >>> _genre("(17)"), _genre("(4)Eurodisco"), _genre("8"), _genre("Field recording")
    ('Rock', 'Eurodisco', 'Jazz', 'Field recording')
    """
    match = re.fullmatch(r"\(?(\d{1,3})\)?(.*)", text, re.DOTALL)
    if match is None:
        return text
    number = int(match[1])
    return match[2] or (_GENRES[number] if number < len(_GENRES) else "")


def _take_chapter(frame: bytes, version: int, tags: Tags) -> None:
    """Take a chapter (id3v2-chapters-1.0): its times, and frames in the frame."""
    _, found, rest = frame.partition(b"\0")
    if not found or len(rest) < 16:
        return
    (start_ms,) = struct.unpack_from(">I", rest)
    inner = _Frames(io.BytesIO(rest), 16, len(rest), version, 0)
    for kind, content in inner.frames():
        if kind == "TIT2":
            tags.add_chapter(start_ms // 1000, _text(content))


def _take_old(raw: bytes, tags: Tags) -> None:
    if len(raw) < _OLD_BYTES or not raw.startswith(_OLD_MAGIC):
        return
    for kind, first, last in (
        ("title", 3, 33),
        ("artist", 33, 63),
        ("album", 63, 93),
        ("date", 93, 97),
        ("comment", 97, 125),
    ):
        tags.add(kind, words(raw[first:last].partition(b"\0")[0]))
    tags.add("genre", _GENRES[raw[127]] if raw[127] < len(_GENRES) else "")
