"""Sound and film, told by how they begin: what they say of themselves, and their subtitles."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, Final

from core.documents.damage import DamageError
from core.documents.document import Document
from core.documents.files import open_file, unreadable
from core.documents.media import id3, matroska, mp4, vorbis
from core.documents.media.boxes import read_part, riff, size_of_file
from core.documents.media.tags import LONGEST, Tags, document_of, words

_RIFF: Final = b"RIFF"
_RIFF_TOLD: Final = {
    b"INAM": "title",
    b"IART": "artist",
    b"IPRD": "album",
    b"ICMT": "comment",
    b"ICRD": "date",
    b"IGNR": "genre",
    b"IKEY": "tags",
    b"ISBJ": "description",
    b"IWRI": "composer",
    b"ISTR": "with",
    b"IMUS": "composer",
    b"IPUB": "publisher",
}
_BOXES: Final = {b"ftyp", b"moov", b"mdat", b"free", b"wide", b"skip", b"pnot"}
_FRAME: Final = 0xE0FF
"""The bits that are set where a frame of MPEG sound begins, read as a number of two bytes."""


def read(path: Path) -> Document:
    """Read tags, lyrics and chapters as one page, and subtitles as one page a track.

    The sound and the pictures are never read. What a program wrote alone, such as where a phone
    was, makes no text.

    Raises:
        DocumentError: It is no such file, or cannot be read.
    """
    tags = Tags()
    try:
        with open_file(path) as file:
            size = size_of_file(file)
            if not size:
                raise DamageError("is empty: not even a recording without a word")
            _take(file, size, tags)
    except OSError as error:
        raise unreadable(error) from error
    return document_of(tags)


def _take(file: BinaryIO, size: int, tags: Tags) -> None:
    start = read_part(file, 0, size, 12)
    behind = _behind_id3(start)
    inner = read_part(file, behind, size, 4)
    if start.startswith(matroska.MAGIC):
        matroska.take(file, size, tags)
    elif start.startswith(vorbis.OGG):
        vorbis.take_ogg(file, size, tags)
    elif start.startswith(vorbis.FLAC) or (behind and inner == vorbis.FLAC):
        vorbis.take_flac(file, behind, size, tags)
    elif start.startswith(_RIFF) and start[8:12] in {b"WAVE", b"AVI "}:
        _take_riff(file, size, tags)
    elif start[4:8] in _BOXES:
        mp4.take(file, size, tags)
    elif behind or _is_sound(file, size) or id3.is_behind(file, size):
        id3.take(file, 0, size, tags)
    else:
        raise DamageError("is damaged: it is no sound and no film of a kind that Winnow knows")


def _behind_id3(start: bytes) -> int:
    """Return where what a tag stands before begins; 0 where there is no tag."""
    if not start.startswith(id3.MAGIC) or len(start) < 10:
        return 0
    return 10 + sum((byte & 0x7F) << 7 * (3 - place) for place, byte in enumerate(start[6:10]))


def _is_sound(file: BinaryIO, size: int) -> bool:
    """Return whether MPEG sound begins among the first kilobytes, maybe behind zeros."""
    start = read_part(file, 0, size, 8_192).lstrip(b"\0")
    begins = start[:2]
    return len(begins) == 2 and int.from_bytes(begins, "little") & _FRAME == _FRAME


def _take_riff(file: BinaryIO, size: int, tags: Tags) -> None:
    """Take the list of what a WAV or AVI file tells, which may stand last, and a tag in it."""
    for chunk in riff(file, 12, size):
        if chunk.kind == b"LIST" and read_part(file, chunk.start, chunk.end, 4) == b"INFO":
            for told in riff(file, chunk.start + 4, chunk.end):
                raw = read_part(file, told.start, told.end, LONGEST).partition(b"\0")[0]
                if told.kind in _RIFF_TOLD:
                    tags.add(_RIFF_TOLD[told.kind], words(raw))
        elif chunk.kind.lower() == b"id3 ":
            id3.take(file, chunk.start, chunk.end, tags)
        elif chunk.kind == b"bext":  # of broadcasters: what it is, and who made it
            raw = read_part(file, chunk.start, chunk.end, 338)
            tags.add("description", words(raw[:256].partition(b"\0")[0]))
            tags.add("artist", words(raw[256:288].partition(b"\0")[0]))
            tags.add("made", words(raw[320:330]))
