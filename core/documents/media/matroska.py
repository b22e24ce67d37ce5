"""Matroska and WebM: tags, chapters and subtitle tracks.

Source: RFC 8794 (EBML), RFC 9559 (Matroska), https://www.matroska.org/technical/subtitles.
"""

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import BinaryIO, Final

from core.documents.damage import SOME_TEXT, TOO_MANY_PARTS, TRUNCATED
from core.documents.media.boxes import read_part
from core.documents.media.tags import LONGEST, Tags
from core.documents.text_formats.subtitles import Cue

MAGIC: Final = b"\x1a\x45\xdf\xa3"
_HEADER, _SEGMENT, _INFO, _TRACKS = 0x1A45DFA3, 0x18538067, 0x1549A966, 0x1654AE6B
_CLUSTER, _CUES, _CHAPTERS, _TAGS = 0x1F43B675, 0x1C53BB6B, 0x1043A770, 0x1254C367
_TITLE, _DATE, _SCALE = 0x7BA9, 0x4461, 0x2AD7B1
_TRACK, _TRACK_NUMBER, _KIND, _CODEC = 0xAE, 0xD7, 0x83, 0x86
_ENCODINGS, _ENCODING, _PACKING, _ALGORITHM, _SETTINGS = 0x6D80, 0x6240, 0x5034, 0x4254, 0x4255
_TAG, _SIMPLE, _NAME, _STRING = 0x7373, 0x67C8, 0x45A3, 0x4487
_EDITION, _ATOM, _CHAPTER_START, _DISPLAY, _CHAPTER_TITLE = 0x45B9, 0xB6, 0x91, 0x80, 0x85
_CUE, _CUE_POSITION, _CUE_TRACK, _CUE_CLUSTER = 0xBB, 0xB7, 0xF7, 0xF1
_TIME, _SIMPLE_BLOCK, _GROUP, _BLOCK, _BLOCK_DURATION = 0xE7, 0xA3, 0xA0, 0xA1, 0x9B
_SUBTITLES: Final = 17
_TEXTS: Final = (b"S_TEXT/", b"D_WEBVTT")
# Elements read of one file. A film of three hours whose cues do not list its subtitles has up to
# 300,000 blocks of five elements.
_MOST_ELEMENTS: Final = 2_000_000
_LARGEST_BLOCK: Final = 64_000
_DEEPEST: Final = 8
# Bytes of a file that are searched for the next part after damage.
_MOST_SEARCHED_BYTES: Final = 64_000_000
_ERA: Final = datetime(2001, 1, 1, tzinfo=UTC)
# The only elements whose size a program may leave open (RFC 9559, 5.1).
_OPEN_KINDS: Final = {_SEGMENT, _CLUSTER}
_PART: Final = re.compile(
    b"|".join(
        re.escape(kind.to_bytes(4, "big")) for kind in (_CLUSTER, _CUES, _CHAPTERS, _TAGS, _TRACKS)
    )
)
# An open segment ends before these.
_OUTERMOST: Final = {_HEADER, _SEGMENT}


@dataclass(frozen=True, slots=True)
class _Element:
    """An element; its content spans `start` to `end`. One of unknown size is open."""

    kind: int
    start: int
    end: int
    is_open: bool = False


@dataclass(slots=True)
class _TextTrack:
    """A subtitle track: its codec, and the bytes stripped from the start of each block."""

    codec: bytes
    is_packed: bool = False
    prefix: bytes = b""
    cues: list[Cue] = field(default_factory=list)


def read_tags(file: BinaryIO, size: int, tags: Tags) -> None:
    """Add the tags, chapters and subtitles of a file to `tags`."""
    elements = _Elements(file, size)
    for segment in elements.between(0, size):
        if segment.kind == _SEGMENT:
            _Segment(elements, segment, tags).take()
    if elements.is_cut:
        tags.note(TOO_MANY_PARTS)
    elif elements.is_truncated:
        tags.note(TRUNCATED)
    elif elements.is_damaged:
        tags.note(SOME_TEXT)


class _Elements:
    """Reads the elements of a file, a limited number in all."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._left = _MOST_ELEMENTS
        self._left_to_search = _MOST_SEARCHED_BYTES
        self.is_cut = False
        self.is_damaged = False
        self.is_truncated = False

    def between(self, start: int, end: int) -> Iterator[_Element]:
        """Yield the elements between two offsets; a damaged part is skipped."""
        while raw := read_part(self._file, start, end, 12):
            if not self._left:
                self.is_cut = True
                return
            self._left -= 1
            wide = _vint_width(raw[:1], 4)
            kind = int.from_bytes(raw[:wide], "big")
            size, width = _size(raw[wide:]) if wide else (0, 0)
            if not width:
                if not any(raw):  # padding
                    return
                self.is_damaged = True
                start = self._next_part(start + 1, end)
                continue
            content = start + wide + width
            if size is not None:
                if kind == _SEGMENT and content + size > self._size:
                    self.is_truncated = True
                yield _Element(kind, content, min(content + size, end))
                start = content + size
            else:
                yield _Element(kind, content, end, is_open=True)
                if kind not in _OPEN_KINDS:
                    return  # damaged: where it ends is unknown
                start = content  # its children follow as if they were siblings

    def _next_part(self, start: int, end: int) -> int:
        """Return where the next part of a segment begins after damage; `end` if none is found."""
        while start < end and self._left_to_search > 0:
            raw = read_part(self._file, start, end, 1 << 20)
            self._left_to_search -= len(raw)
            if match := _PART.search(raw):
                return start + match.start()
            if len(raw) < 4:
                break
            start += len(raw) - 3
        return end

    def inside(self, element: _Element, kind: int) -> Iterator[_Element]:
        """Yield the children of a kind."""
        for child in self.between(element.start, element.end):
            if child.kind == kind:
                yield child

    def content(self, element: _Element, most_bytes: int) -> bytes:
        return read_part(self._file, element.start, element.end, most_bytes)

    def bytes_of(self, element: _Element, kind: int, most_bytes: int = LONGEST) -> bytes:
        """Return the content of the first child of a kind, or b""."""
        child = next(self.inside(element, kind), None)
        return b"" if child is None else self.content(child, most_bytes)

    def integer(self, element: _Element, kind: int) -> int:
        return int.from_bytes(self.bytes_of(element, kind, 8), "big")

    def text(self, element: _Element, kind: int) -> str:
        return self.bytes_of(element, kind).decode("utf-8", errors="replace").strip("\0")


def _vint_width(first: bytes, most_bytes: int) -> int:
    """Return the length in bytes of a variable-length integer; 0 if invalid."""
    width = 9 - first[0].bit_length() if first and first[0] else 0
    return width if width <= most_bytes else 0


def _size(raw: bytes) -> tuple[int | None, int]:
    r"""Return a size and its length in bytes; None is the unknown size.

    >>> _size(b"\x83"), _size(b"\x40\x02"), _size(b"\xff"), _size(b"")
    ((3, 1), (2, 2), (None, 1), (0, 0))
    """
    width = _vint_width(raw[:1], 8)
    if not width or len(raw) < width:
        return 0, 0
    size = int.from_bytes(raw[:width], "big") & ((1 << 7 * width) - 1)
    return (None if size == (1 << 7 * width) - 1 else size), width


class _Segment:
    """Reads a segment, whose parts may come in any order."""

    def __init__(self, elements: _Elements, segment: _Element, tags: Tags) -> None:
        self._elements = elements
        self._segment = segment
        self._tags = tags
        self._scale = 1_000_000  # nanoseconds
        self._tracks: dict[int, _TextTrack] = {}
        self._clusters: list[_Element] = []
        self._listed: dict[int, set[int]] = {}

    def take(self) -> None:
        for element in self._elements.between(self._segment.start, self._segment.end):
            kind = element.kind
            if self._segment.is_open and kind in _OUTERMOST:
                break
            if kind == _INFO:
                self._read_info(element)
            elif kind == _TRACKS:
                for track in self._elements.inside(element, _TRACK):
                    self._read_track(track)
            elif kind == _CLUSTER:
                self._clusters.append(element)
            elif kind == _CUES:
                self._read_cues(element)
            elif kind == _CHAPTERS:
                for edition in self._elements.inside(element, _EDITION):
                    self._read_chapters(edition, 0)
            elif kind == _TAGS:
                for tag in self._elements.inside(element, _TAG):
                    self._read_tags(tag, 0)
        if self._tracks:
            self._read_subtitles()

    def _read_info(self, info: _Element) -> None:
        self._tags.add("title", self._elements.text(info, _TITLE))
        self._scale = self._elements.integer(info, _SCALE) or self._scale
        created = int.from_bytes(self._elements.bytes_of(info, _DATE, 8), "big", signed=True)
        with suppress(OverflowError):
            if created:
                self._tags.add("made", (_ERA + timedelta(microseconds=created // 1000)).isoformat())

    def _read_track(self, track: _Element) -> None:
        codec = self._elements.bytes_of(track, _CODEC, 100)
        if self._elements.integer(track, _KIND) != _SUBTITLES or not codec.startswith(_TEXTS):
            return
        new_track = _TextTrack(codec)
        for encodings in self._elements.inside(track, _ENCODINGS):
            for encoding in self._elements.inside(encodings, _ENCODING):
                for packing in self._elements.inside(encoding, _PACKING):
                    algorithm = self._elements.integer(packing, _ALGORITHM)
                    new_track.is_packed = algorithm == 0
                    new_track.prefix = (
                        self._elements.bytes_of(packing, _SETTINGS, 1000) if algorithm == 3 else b""
                    )
        self._tracks[self._elements.integer(track, _TRACK_NUMBER)] = new_track

    def _read_cues(self, cues: _Element) -> None:
        """Read the index that lists the clusters of each track."""
        for cue in self._elements.inside(cues, _CUE):
            for position in self._elements.inside(cue, _CUE_POSITION):
                clusters = self._listed.setdefault(
                    self._elements.integer(position, _CUE_TRACK), set()
                )
                clusters.add(self._elements.integer(position, _CUE_CLUSTER))

    def _read_chapters(self, outer: _Element, depth: int) -> None:
        for atom in self._elements.inside(outer, _ATOM):
            start_s = self._elements.integer(atom, _CHAPTER_START) // 1_000_000_000
            for display in self._elements.inside(atom, _DISPLAY):
                self._tags.add_chapter(start_s, self._elements.text(display, _CHAPTER_TITLE))
            if depth < _DEEPEST:
                self._read_chapters(atom, depth + 1)

    def _read_tags(self, outer: _Element, depth: int) -> None:
        for tag in self._elements.inside(outer, _SIMPLE):
            self._tags.add_named(self._elements.text(tag, _NAME), self._elements.text(tag, _STRING))
            if depth < _DEEPEST:
                self._read_tags(tag, depth + 1)

    def _read_subtitles(self) -> None:
        """Read the subtitles, from the listed clusters only if the index covers all tracks."""
        listed: set[int] | None = set()
        for track_number in self._tracks:
            text_track = self._listed.get(track_number)
            listed = None if listed is None or text_track is None else listed | text_track
        for cluster in self._clusters:
            if listed is None or self._is_listed(cluster, listed):
                self._read_cluster(cluster)
        self._tags.subtitles += (track.cues for track in self._tracks.values())

    def _is_listed(self, cluster: _Element, listed: set[int]) -> bool:
        """Return whether a cluster begins at one of the listed offsets in the segment."""
        content = cluster.start - self._segment.start
        return any(content - header in listed for header in range(5, 13))

    def _read_cluster(self, cluster: _Element) -> None:
        time = 0
        for element in self._elements.between(cluster.start, cluster.end):
            if element.kind == _CLUSTER:
                return
            if element.kind == _TIME:
                time = int.from_bytes(self._elements.content(element, 8), "big")
            elif element.kind == _SIMPLE_BLOCK:
                self._read_block(element, time, 0)
            elif element.kind == _GROUP:
                block = next(self._elements.inside(element, _BLOCK), None)
                if block is not None and self._track_of(block) is not None:
                    self._read_block(block, time, self._elements.integer(element, _BLOCK_DURATION))

    def _track_of(self, block: _Element) -> _TextTrack | None:
        track_number, width = _size(self._elements.content(block, 4))
        return self._tracks.get(track_number) if width and track_number is not None else None

    def _read_block(self, block: _Element, time: int, duration: int) -> None:
        track = self._track_of(block)
        if track is None:
            return
        raw = self._elements.content(block, _LARGEST_BLOCK)
        _, width = _size(raw)
        start = time + int.from_bytes(raw[width : width + 2], "big", signed=True)
        content = raw[width + 3 :]
        if track.is_packed:
            with suppress(zlib.error):
                content = zlib.decompressobj().decompress(content, _LARGEST_BLOCK)
        text = _subtitle_text(track.prefix + content, track.codec)
        start_s, end_s = (
            max(at, 0) * self._scale // 1_000_000_000 for at in (start, start + duration)
        )
        if text.strip():
            track.cues.append(Cue(start_s, end_s, text.splitlines()))


def _subtitle_text(content: bytes, codec: bytes) -> str:
    """Return the text of a block; SSA blocks have eight fields before the text.

    >>> _subtitle_text(b"0,0,Default,,0,0,0,,Crows, and rooks", b"S_TEXT/ASS")
    'Crows, and rooks'
    """
    text = content.decode("utf-8", errors="replace").strip("\0")
    if codec in {b"S_TEXT/ASS", b"S_TEXT/SSA"}:
        return text.split(",", 8)[-1].replace("\\N", "\n")
    return text
