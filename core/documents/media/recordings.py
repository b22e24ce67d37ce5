"""Reads sound and film, detected by content: tags, chapters, lyrics and subtitles."""

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

from core.documents.damage import CUT, TOO_MANY_PARTS, DamageError
from core.documents.document import Document, Style
from core.documents.files import open_file, unreadable
from core.documents.media import matroska, mp4
from core.documents.media.boxes import TooManyBoxesError, read_part, riff, size_of_file
from core.documents.media.tags import (
    FLAC,
    ID3_MAGIC,
    LONGEST,
    LONGEST_LINE,
    OGG,
    TEXT_KINDS,
    Tags,
    has_id3v1,
    kinds_of,
    read_flac,
    read_id3,
    read_ogg,
    words,
)
from core.documents.metadata import properties, shorten
from core.documents.text import PageText, one_line
from core.documents.text_formats.subtitles import Cue, clock, page_of

_RIFF: Final = b"RIFF"
_FIELDS: Final = (
    ("By", "artist"),
    ("Album by", "album_artist"),
    ("Album", "album"),
    ("Composer", "composer"),
    ("With", "with"),
    ("Show", "show"),
    ("When", "date"),
    ("Genre", "genre"),
    ("Tags", "tags"),
    ("Where", "place"),
    ("Publisher", "publisher"),
)
# Kinds written by devices, which do not make text on their own.
_PROGRAMS_OWN: Final = {"made", "point"}
_RIFF_KINDS: Final = {name.encode(): kind for name, kind in kinds_of("riff").items()}
_MP4_BOXES: Final = {b"ftyp", b"moov", b"mdat", b"free", b"wide", b"skip", b"pnot"}
# The bits set in the first two bytes of an MPEG audio frame, as a little-endian number.
_FRAME_BITS: Final = 0xE0FF


def read(path: Path) -> Document:
    """Read tags, lyrics and chapters as one page, and subtitles as one page per track.

    Audio and video are not decoded. Values that only devices write, such as a location, make no
    text on their own.

    Raises:
        DocumentError: The format is not supported, or the file cannot be read.
    """
    tags = Tags()
    try:
        with open_file(path) as file:
            size = size_of_file(file)
            if not size:
                raise DamageError("Empty file")
            try:
                _read_tags(file, size, tags)
            except TooManyBoxesError:
                tags.note(TOO_MANY_PARTS)
    except OSError as error:
        raise unreadable(error) from error
    return _document_of(tags)


def _read_tags(file: BinaryIO, size: int, tags: Tags) -> None:
    start = read_part(file, 0, size, 12)
    id3_end = _end_of_id3(start)
    inner = read_part(file, id3_end, size, 4)
    if start.startswith(matroska.MAGIC):
        matroska.read_tags(file, size, tags)
    elif start.startswith(OGG):
        read_ogg(file, size, tags)
    elif start.startswith(FLAC) or (id3_end and inner == FLAC):
        read_flac(file, id3_end, size, tags)
    elif start.startswith(_RIFF) and start[8:12] in {b"WAVE", b"AVI "}:
        _read_riff(file, size, tags)
    elif start[4:8] in _MP4_BOXES:
        mp4.read_tags(file, size, tags)
    elif id3_end or _is_sound(file, size) or has_id3v1(file, size):
        read_id3(file, 0, size, tags)
    else:
        raise DamageError("Damaged: not a supported audio or video file")


def _end_of_id3(start: bytes) -> int:
    """Return the offset after an ID3v2 tag; 0 if there is none."""
    if not start.startswith(ID3_MAGIC) or len(start) < 10:
        return 0
    return 10 + sum((byte & 0x7F) << 7 * (3 - index) for index, byte in enumerate(start[6:10]))


def _is_sound(file: BinaryIO, size: int) -> bool:
    """Return whether an MPEG audio frame begins in the first kilobytes, ignoring leading zeros."""
    start = read_part(file, 0, size, 8_192).lstrip(b"\0")
    begins = start[:2]
    return len(begins) == 2 and int.from_bytes(begins, "little") & _FRAME_BITS == _FRAME_BITS


def _read_riff(file: BinaryIO, size: int, tags: Tags) -> None:
    """Read the INFO list, ID3 tag and broadcast extension of a WAV or AVI file."""
    for chunk in riff(file, 12, size):
        if chunk.kind == b"LIST" and read_part(file, chunk.start, chunk.end, 4) == b"INFO":
            for entry in riff(file, chunk.start + 4, chunk.end):
                raw = read_part(file, entry.start, entry.end, LONGEST).partition(b"\0")[0]
                if entry.kind in _RIFF_KINDS:
                    tags.add(_RIFF_KINDS[entry.kind], words(raw))
        elif chunk.kind.lower() == b"id3 ":
            read_id3(file, chunk.start, chunk.end, tags)
        elif chunk.kind == b"bext":  # broadcast extension: description, originator, date
            raw = read_part(file, chunk.start, chunk.end, 338)
            tags.add("description", words(raw[:256].partition(b"\0")[0]))
            tags.add("artist", words(raw[256:288].partition(b"\0")[0]))
            tags.add("made", words(raw[320:330]))


def _document_of(tags: Tags) -> Document:
    """Return a document with the tags as its first page and a page per subtitle track."""
    values = tags.values
    title = one_line(_first(values.get("title", ())))
    dates = values.get("date") or values.get("made") or []
    about = properties(title, values.get("artist", ()), dates)
    if values.keys() - _PROGRAMS_OWN:
        values = {**values, "place": [*values.get("place", ()), *values.get("point", ())]}
    page = PageText()
    page.heading(1, shorten(title, LONGEST_LINE))
    page.add(one_line(_first(values.get("subtitle", ()))))
    gap = 2
    for label, kind in _FIELDS:
        separator = "; " if kind != "date" else ", "
        whole = one_line(separator.join(values.get(kind, ())))
        text = shorten(whole, LONGEST_LINE)
        if text != whole:
            tags.note(CUT)
        if text:
            page.add(f"{label}: {text}", gap=gap, styles=[(Style.FIELD, len(label))])
            gap = 1
    for kind in TEXT_KINDS:
        for text in values.get(kind, ()):
            page.add(text)
    page.lines(f"{clock(start_s)} {name}" for start_s, name in sorted(set(tags.chapters)))
    first = page.page(1, tags.unread)
    tracks = (page_of(sorted(cues, key=_start)) for cues in tags.subtitles if cues)
    return Document(
        about.title,
        (first, *(track.page(page_number) for page_number, track in enumerate(tracks, 2))),
        about.author,
        about.date,
    )


def _first(texts: Iterable[str]) -> str:
    return next(iter(texts), "")


def _start(cue: Cue) -> int:
    return cue.start_s
