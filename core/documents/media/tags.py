"""Tags of sound and film in one form, and the readers of ID3 tags and Vorbis comments.

Source: ID3 v2.2, v2.3 and v2.4 (https://id3.org), RFC 9639 (FLAC), RFC 3533 (Ogg), RFC 7845 (Opus).
"""

import io
import json
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from core.documents.damage import CUT, TOO_MANY_PARTS
from core.documents.media.boxes import read_part
from core.documents.metadata import shorten
from core.documents.text import one_line
from core.documents.text_formats.subtitles import Cue
from core.files.paths import RESOURCES

# Bytes of one value; longer ones are covers.
LONGEST: Final = 1_000_000
_MOST_VALUES: Final = 1_000
LONGEST_LINE: Final = 500
TEXT_KINDS: Final = ("comment", "description", "summary", "lyrics")
# Names of tags by their kind, for each form of tags.
_TABLES: Final[dict[str, dict[str, str]]] = json.loads(
    (RESOURCES / "media_tags.json").read_text("utf-8")
)


def kinds_of(form: str) -> dict[str, str]:
    """Return the kinds of tags by their names.

    >>> kinds_of("id3")["TIT2"], kinds_of("riff")["IART"]
    ('title', 'artist')
    """
    return {name: kind for kind, names in _TABLES[form].items() for name in names.split()}


_NAMES: Final = kinds_of("names")


@dataclass(slots=True)
class Tags:
    """Tags by kind, chapters as (seconds, title), and the subtitles of each track."""

    values: dict[str, list[str]] = field(default_factory=dict)
    chapters: list[tuple[int, str]] = field(default_factory=list)
    subtitles: list[list[Cue]] = field(default_factory=list)
    unread: str = ""

    def add(self, kind: str, text: str) -> None:
        values = self.values.get(kind, [])
        text = (
            text.replace("\0", " / ").strip(" /") if kind not in TEXT_KINDS else text.strip("\0 \n")
        )
        if not text or text in values:
            return
        if len(values) < _MOST_VALUES:
            self.values.setdefault(kind, values).append(text[:LONGEST])
            if len(text) > LONGEST:
                self.note(CUT)
        else:
            self.note(TOO_MANY_PARTS)

    def add_named(self, name: str, text: str) -> None:
        """Add a value under a Vorbis or Matroska tag name; unknown names are ignored."""
        plain = name.strip().lower().replace(" ", "_")
        if kind := _NAMES.get(plain) or _NAMES.get(plain.replace("_", "")):
            self.add(kind, text)

    def note(self, reason: str) -> None:
        self.unread = reason

    def add_chapter(self, start_s: int, title: str) -> None:
        """Add a chapter unless its title is empty."""
        title = one_line(title)
        if title and len(self.chapters) < 10 * _MOST_VALUES:
            self.chapters.append((start_s, shorten(title, LONGEST_LINE)))
        elif title:
            self.note(TOO_MANY_PARTS)


# Three letters in a row are hardly ever all beyond ASCII in Western languages.
_BEYOND_ASCII: Final = re.compile(r"[^\W\d_\x00-\x7f\u2000-\uffff]{3}")
# Words in two alphabets, capitals after small letters, letters and signs that Russian lacks.
_NOT_RUSSIAN: Final = re.compile(
    "[A-Za-z][А-Яа-яЁё]|[А-Яа-яЁё][A-Za-z]|[а-яё][А-ЯЁ]|[^\x00-\x7fА-Яа-яЁё«»–—„“”…№’\xa0\xa9]",
    re.ASCII,
)


def words(raw: bytes) -> str:
    r"""Decode a text as UTF-8, else as Windows-1252 or, if it has Russian words, Windows-1251.

    Players on Russian systems write Windows-1251 and declare Latin-1.

    >>> words("Grüße".encode()), words(b"Gr\xfc\xdfe"), words("Кино".encode("cp1251"))
    ('Grüße', 'Grüße', 'Кино')
    """
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        western = raw.decode("cp1252", errors="replace").strip()
    for encoding in ("cp1251", "koi8_r"):
        russian = raw.decode(encoding, errors="replace").strip()
        if _BEYOND_ASCII.search(western) and not _NOT_RUSSIAN.search(russian):
            return russian
    return western


# ID3


ID3_MAGIC: Final = b"ID3"
_ID3V1_MAGIC, _ID3V1_BYTES = b"TAG", 128
_ENCODINGS: Final = ("latin-1", "utf-16", "utf-16-be", "utf-8")
_MOST_FRAMES: Final = 3_000
_ID3_KINDS: Final = kinds_of("id3")
_COMMENT_KINDS: Final = {"COMM": "comment", "COM": "comment", "USLT": "lyrics", "ULT": "lyrics"}
# Comments in which programs store volume and gap settings.
_PROGRAM_COMMENTS: Final = re.compile(r"iTun|ID3v1|Songs-DB|MusicMatch|iTunes", re.IGNORECASE)
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


def read_id3(file: BinaryIO, start: int, size: int, tags: Tags) -> None:
    """Read the ID3v2 tag at `start`, or else the ID3v1 tag at the end of the file."""
    header = read_part(file, start, size, 10)
    if header.startswith(ID3_MAGIC) and len(header) == 10 and header[3] in {2, 3, 4}:
        version, flags = header[3], header[5]
        length = _synchsafe(header[6:10])
        content = _Id3Frames(file, start + 10, min(start + 10 + length, size), version, flags)
        for kind, frame in content.frames():
            _read_frame(kind, frame, version, tags)
        if content.is_cut:
            tags.note(TOO_MANY_PARTS)
    if not tags.values:
        _read_id3v1(read_part(file, max(size - _ID3V1_BYTES, 0), size, _ID3V1_BYTES), tags)


def has_id3v1(file: BinaryIO, size: int) -> bool:
    """Return whether a file ends with an ID3v1 tag."""
    return read_part(file, max(size - _ID3V1_BYTES, 0), size, 3) == _ID3V1_MAGIC


def _synchsafe(raw: bytes) -> int:
    r"""Return a synchsafe integer: seven bits per byte.

    >>> _synchsafe(b"\0\0\x02\x01")
    257
    """
    size = 0
    for byte in raw:
        size = size << 7 | byte & 0x7F
    return size


class _Id3Frames:
    """The frames of an ID3v2 tag; covers are skipped. It `is_cut` if there were too many."""

    def __init__(self, file: BinaryIO, start: int, end: int, version: int, flags: int) -> None:
        self.is_cut = False
        self._file = file
        self._version = version
        if flags & 0x80 and version < 4:  # unsynchronisation
            content = read_part(file, start, end, 16 * LONGEST).replace(b"\xff\0", b"\xff")
            self._file, start, end = io.BytesIO(content), 0, len(content)
        if flags & 0x40 and version > 2:  # extended header
            raw = read_part(self._file, start, end, 4)
            more = int.from_bytes(raw, "big") + 4 if version == 3 else _synchsafe(raw)
            start += more
        self._start, self._end = start, end

    def frames(self) -> Iterator[tuple[str, bytes]]:
        """Yield the kind and content of each text frame."""
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
            elif kind[:1] in {"T", "C", "U"} and size:
                self.is_cut = True
            at += size
        self.is_cut = True

    def _size(self, header: bytes) -> int:
        if self._version == 2:
            return int.from_bytes(header[3:6], "big")
        raw = header[4:8]
        # iTunes wrote plain sizes into v2.4 tags.
        is_plain = self._version == 3 or any(byte & 0x80 for byte in raw)
        return int.from_bytes(raw, "big") if is_plain else _synchsafe(raw)

    def _whole(self, raw: bytes, flags: int) -> bytes:
        if self._version == 4:
            raw = raw[4:] if flags & 0x01 else raw  # data length indicator
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


def _read_frame(kind: str, frame: bytes, version: int, tags: Tags) -> None:
    if kind in _COMMENT_KINDS:
        name, text = _comment_of(frame)
        if not _PROGRAM_COMMENTS.match(name):
            tags.add(_COMMENT_KINDS[kind], text)
    elif kind in {"TXXX", "TXX"}:
        name, _, text = _frame_text(frame).partition("\0")
        tags.add_named(name, text)
    elif kind == "CHAP":
        _read_chapter(frame, version, tags)
    elif kind in _ID3_KINDS:
        text = _frame_text(frame)
        what = _ID3_KINDS[kind]
        if what == "genre":
            text = _genre(text)
        tags.add(what, text)


def _frame_text(frame: bytes) -> str:
    """Decode the text of a frame, whose first byte is its encoding."""
    encoding = _ENCODINGS[frame[0]] if frame[:1] < b"\4" and frame else "latin-1"
    if encoding == "latin-1":  # or whatever the writer's system uses
        return "\0".join(map(words, frame[1:].strip(b"\0").split(b"\0")))
    text = frame[1:].decode(encoding, errors="replace")
    return text.replace("\ufeff", "").strip("\0")


def _comment_of(frame: bytes) -> tuple[str, str]:
    """Return the description and the text of a comment frame."""
    name, separator, text = _frame_text(frame[:1] + frame[4:]).partition("\0")
    return (name, text.strip("\0")) if separator else ("", name)


def _genre(text: str) -> str:
    """Return a genre, which may be a number, or a number and a name.

    >>> _genre("(17)"), _genre("(4)Eurodisco"), _genre("8"), _genre("Field recording")
    ('Rock', 'Eurodisco', 'Jazz', 'Field recording')
    """
    match = re.fullmatch(r"\(?(\d{1,3})\)?(.*)", text, re.DOTALL)
    if match is None:
        return text
    genre = int(match[1])
    return match[2] or (_GENRES[genre] if genre < len(_GENRES) else "")


def _read_chapter(frame: bytes, version: int, tags: Tags) -> None:
    """Read a chapter frame (id3v2-chapters-1.0): its start, and its title in an embedded frame."""
    _, separator, rest = frame.partition(b"\0")
    if not separator or len(rest) < 16:
        return
    (start_ms,) = struct.unpack_from(">I", rest)
    inner = _Id3Frames(io.BytesIO(rest), 16, len(rest), version, 0)
    for kind, content in inner.frames():
        if kind == "TIT2":
            tags.add_chapter(start_ms // 1000, _frame_text(content))


def _read_id3v1(raw: bytes, tags: Tags) -> None:
    if len(raw) < _ID3V1_BYTES or not raw.startswith(_ID3V1_MAGIC):
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


# Vorbis comments


FLAC, OGG = b"fLaC", b"OggS"
_COMMENT_BLOCK: Final = 4
_MOST_BLOCKS: Final = 200
_MOST_PAGES: Final = 2_000
# Bytes of all comments, which may include covers.
_MOST_BYTES: Final = 16 * LONGEST
_MOST_COMMENTS: Final = 10_000
# How the comment packet begins, by codec; FLAC in Ogg has its own blocks.
_COMMENT_PACKETS: Final = (b"\3vorbis", b"OpusTags", b"\x81theora", b"\x84\0\0", b"Speex   ")
_CHAPTER: Final = re.compile(r"CHAPTER(\d{1,4})(NAME)?", re.IGNORECASE)
_CLOCK: Final = re.compile(r"(\d{1,3}):(\d{1,2}):(\d{1,2})(?:\.\d+)?")


def read_flac(file: BinaryIO, start: int, size: int, tags: Tags) -> None:
    """Read the comment block of a FLAC file."""
    at = start + len(FLAC)
    for _ in range(_MOST_BLOCKS):
        header = read_part(file, at, size, 4)
        if len(header) < 4:
            return
        length = int.from_bytes(header[1:], "big")
        if header[0] & 0x7F == _COMMENT_BLOCK:
            _read_comments(read_part(file, at + 4, min(at + 4 + length, size), _MOST_BYTES), tags)
        if header[0] & 0x80:  # the last one
            return
        at += 4 + length
    tags.note(TOO_MANY_PARTS)


def read_ogg(file: BinaryIO, size: int, tags: Tags) -> None:
    """Read the second packet of each stream in an Ogg file.

    A packet may span pages, and the pages of several streams are interleaved (RFC 3533).
    """
    packets: dict[int, bytearray] = {}
    page_of: dict[int, int] = {}
    at = 0
    for _ in range(_MOST_PAGES):
        header = read_part(file, at, size, 27)
        if len(header) < 27 or not header.startswith(OGG):
            break
        (stream,) = struct.unpack_from("<I", header, 14)
        sizes = read_part(file, at + 27, size, header[26])
        content = read_part(file, at + 27 + len(sizes), size, sum(sizes))
        at += 27 + len(sizes) + sum(sizes)
        offset = 0
        for length in sizes:
            if page_of.get(stream, 0) == 1:
                packets.setdefault(stream, bytearray()).extend(content[offset : offset + length])
            offset += length
            if length < 255:
                page_of[stream] = page_of.get(stream, 0) + 1
        is_over = all(count > 1 for count in page_of.values())
        if (is_over and page_of) or sum(map(len, packets.values())) > _MOST_BYTES:
            break
    else:
        tags.note(TOO_MANY_PARTS)
    for packet in packets.values():
        _read_packet(bytes(packet), tags)


def _read_packet(packet: bytes, tags: Tags) -> None:
    for start in _COMMENT_PACKETS:
        if packet.startswith(start):
            _read_comments(packet[len(start) :], tags)
            return
    if packet[:1] == b"\x04" or packet[:1] == b"\x84":
        _read_comments(packet[4:], tags)
    elif len(packet) > 8:  # Speex has no header
        _read_comments(packet, tags)


def _read_comments(raw: bytes, tags: Tags) -> None:
    """Read comments of the form "NAME=value"."""
    if len(raw) < 8:
        return
    at = 4 + struct.unpack_from("<I", raw)[0]
    count = int.from_bytes(raw[at : at + 4], "little")
    at += 4
    starts: dict[str, int] = {}
    for _ in range(min(count, _MOST_COMMENTS)):
        length = int.from_bytes(raw[at : at + 4], "little")
        comment = raw[at + 4 : at + 4 + length]
        at += 4 + length
        if at > len(raw):
            return
        name, separator, text = (
            comment[: 2 * LONGEST].decode("utf-8", errors="replace").partition("=")
        )
        if not separator:
            continue
        if match := _CHAPTER.fullmatch(name):
            time = _CLOCK.fullmatch(text)
            if match[2]:
                tags.add_chapter(starts.get(match[1], 0), text)
            elif time:
                hours, minutes, seconds = map(int, time.groups())
                starts[match[1]] = hours * 3600 + minutes * 60 + seconds
        else:
            tags.add_named(name, text)
    if count > _MOST_COMMENTS:
        tags.note(TOO_MANY_PARTS)
