"""MP4 and QuickTime: tags, chapters and subtitle tracks.

Source: ISO/IEC 14496-12 (boxes), 3GPP TS 26.245 (text), Apple's QuickTime File Format (tags).
"""

import io
import itertools
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import BinaryIO, Final

from core.documents.damage import CUT, TOO_MANY_PARTS, TRUNCATED
from core.documents.media.boxes import MediaBox, boxes, inside, read_part
from core.documents.media.tags import LONGEST, Tags, kinds_of, words
from core.documents.text_formats.subtitles import Cue

_KINDS: Final = {name.encode("latin-1"): kind for name, kind in kinds_of("mp4").items()}
_APPLE: Final = "com.apple.quicktime."
_UTF_8, _UTF_16, _IMPLICIT = 1, 2, 0
_LONGEST_TABLE: Final = 8_000_000
_MOST_TRACKS: Final = 100
_MOST_SAMPLES: Final = 100_000
_LARGEST_SAMPLE: Final = 64_000
_SINCE_1904: Final = 2_082_844_800
_COORDINATES: Final = re.compile(r"([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)")
_TEXT_TRACKS: Final = {b"tx3g", b"text", b"wvtt"}


def read_tags(file: BinaryIO, size: int, tags: Tags) -> None:
    """Add the tags, chapters and subtitles of a file to `tags`."""
    has_movie = False
    for box in boxes(file, 0, size):
        if box.is_cut:
            tags.note(TRUNCATED)
        if box.kind == b"moov":
            has_movie = True
            _read_movie(file, box, tags)
    if not has_movie:
        tags.note(TRUNCATED)


def _read_movie(file: BinaryIO, movie: MediaBox, tags: Tags) -> None:
    for header in inside(file, movie, b"mvhd"):
        raw = read_part(file, header.start, header.end, 12)
        created = int.from_bytes(raw[4:12] if raw[:1] == b"\1" else raw[4:8], "big") - _SINCE_1904
        if 0 < created < 1 << 33:
            tags.add("made", datetime.fromtimestamp(created, UTC).isoformat())
    for user in inside(file, movie, b"udta"):
        for box in boxes(file, user.start, user.end):
            if box.kind == b"meta":
                _read_item_list(file, box, tags)
            elif box.kind == b"chpl":
                _read_chapters(read_part(file, box.start, box.end, LONGEST), tags)
            elif box.kind in _KINDS:
                _read_user_data(box, read_part(file, box.start, box.end, LONGEST), tags)
    for meta in inside(file, movie, b"meta"):
        _read_item_list(file, meta, tags)
    tracks = list(itertools.islice(inside(file, movie, b"trak"), _MOST_TRACKS + 1))
    if len(tracks) > _MOST_TRACKS:
        tracks.pop()
        tags.note(TOO_MANY_PARTS)
    of_chapters = {track_id for track in tracks for track_id in _references(file, track)}
    for track in tracks:
        _read_track(file, track, of_chapters, tags)


def _read_item_list(file: BinaryIO, meta: MediaBox, tags: Tags) -> None:
    """Read an item list as written by iTunes, or with a list of keys as written by iPhones."""
    # QuickTime's "meta" box has no version field.
    is_plain = read_part(file, meta.start + 4, meta.end, 4) == b"hdlr"
    inner = list(boxes(file, meta.start + (0 if is_plain else 4), meta.end))
    names: list[str] = []
    for keys in (box for box in inner if box.kind == b"keys"):
        listed = boxes(file, keys.start + 8, keys.end)
        names += (
            read_part(file, key.start, key.end, 300).decode("utf-8", errors="replace")
            for key in listed
        )
    for item_list in (box for box in inner if box.kind == b"ilst"):
        for item in boxes(file, item_list.start, item_list.end):
            item_index = int.from_bytes(item.kind, "big")
            text = _value(file, item)
            if item.kind == b"----":
                named = b"".join(
                    read_part(file, box.start + 4, box.end, 300)
                    for box in inside(file, item, b"name")
                )
                tags.add_named(words(named), text)
            elif item.kind in _KINDS:
                _add(tags, _KINDS[item.kind], text)
            elif 0 < item_index <= len(names):
                name = names[item_index - 1].removeprefix(_APPLE)
                if name == "location.ISO6709":
                    _add(tags, "point", text)
                elif name == "creationdate":
                    tags.add("made", text)
                else:
                    tags.add_named(name, text)


def _value(file: BinaryIO, item: MediaBox) -> str:
    texts = []
    for data in inside(file, item, b"data"):
        # Covers have a kind of their own, and are not read here.
        raw = read_part(file, data.start, data.end, LONGEST + 9)
        kind = int.from_bytes(raw[:4], "big")
        if kind in {_UTF_8, _UTF_16}:
            is_wide = kind == _UTF_16
            texts.append(raw[8:].decode("utf-16-be", "replace") if is_wide else words(raw[8:]))
        elif kind == _IMPLICIT and item.kind in {b"----", b"desc"}:
            texts.append(words(raw[8:]))
    return "; ".join(texts)


def _read_user_data(box: MediaBox, raw: bytes, tags: Tags) -> None:
    """Read a QuickTime tag, which begins with size and language, or a 3GPP tag."""
    if box.kind[:1] == b"\xa9":
        length = int.from_bytes(raw[:2], "big")
        text = raw[4 : 4 + length]
    else:
        text = raw[6:]
    if text[:2] in {b"\xfe\xff", b"\xff\xfe"}:
        _add(tags, _KINDS[box.kind], text.decode("utf-16", errors="replace").strip("\0"))
    else:
        _add(tags, _KINDS[box.kind], text.partition(b"\0")[0].decode("utf-8", errors="replace"))


def _add(tags: Tags, kind: str, text: str) -> None:
    if kind == "point":
        match = _COORDINATES.match(text)
        text = f"{float(match[1]):.3f}, {float(match[2]):.3f}" if match else ""
    tags.add(kind, text)


def _read_chapters(raw: bytes, tags: Tags) -> None:
    """Read Nero chapters, whose times are in units of 100 ns."""
    at = 8 if raw[:1] == b"\1" else 4
    count = raw[at] if at < len(raw) else 0
    at += 1
    for _ in range(count):
        if at + 9 > len(raw):
            return
        (start,) = struct.unpack_from(">Q", raw, at)
        length = raw[at + 8]
        name = raw[at + 9 : at + 9 + length].decode("utf-8", errors="replace")
        tags.add_chapter(start // 10_000_000, name)
        at += 9 + length


def _references(file: BinaryIO, track: MediaBox) -> list[int]:
    """Return the numbers of the tracks with the chapters of a track."""
    references: list[int] = []
    for box in inside(file, track, b"tref", b"chap"):
        raw = read_part(file, box.start, box.end, 400)
        references += struct.unpack(f">{len(raw) // 4}I", raw[: len(raw) // 4 * 4])
    return references


def _read_track(file: BinaryIO, track: MediaBox, of_chapters: set[int], tags: Tags) -> None:
    header = _first_content(file, track, b"tkhd", most=24)
    track_id = int.from_bytes(header[20:24] if header[:1] == b"\1" else header[12:16], "big")
    described = _first_content(file, track, b"mdia", b"minf", b"stbl", b"stsd", most=16)
    kind = described[12:16]
    if kind not in _TEXT_TRACKS:
        return
    media_header = _first_content(file, track, b"mdia", b"mdhd", most=24)
    scale = (
        int.from_bytes(
            media_header[20:24] if media_header[:1] == b"\1" else media_header[12:16], "big"
        )
        or 1000
    )
    cues = []
    for sample_index, sample in enumerate(_samples(file, track)):
        if sample_index == _MOST_SAMPLES or sample.size > _LARGEST_SAMPLE:
            tags.note(TOO_MANY_PARTS if sample_index == _MOST_SAMPLES else CUT)
        if sample_index == _MOST_SAMPLES:
            break
        raw = read_part(file, sample.at, sample.at + sample.size, _LARGEST_SAMPLE)
        text = _payload(raw) if kind == b"wvtt" else _text(raw)
        if not text.strip():
            continue
        start_s, end_s = sample.start // scale, sample.end // scale
        if track_id in of_chapters:
            tags.add_chapter(start_s, text)
        else:
            cues.append(Cue(start_s, end_s, text.splitlines()))
    tags.subtitles.append(cues)


def _first_content(
    file: BinaryIO, box: MediaBox, *path: bytes, most: int = _LONGEST_TABLE
) -> bytes:
    content = next(inside(file, box, *path), None)
    return b"" if content is None else read_part(file, content.start, content.end, most)


@dataclass(frozen=True, slots=True)
class _Sample:
    """A sample: its offset and size in bytes, its start and end in the track's time scale."""

    at: int
    size: int
    start: int
    end: int


def _samples(file: BinaryIO, track: MediaBox) -> Iterator[_Sample]:
    """Yield the samples of a track from its tables (ISO/IEC 14496-12, 8.6 and 8.7)."""
    table = (b"mdia", b"minf", b"stbl")
    sizes = _sizes(_first_content(file, track, *table, b"stsz"))
    chunks = _integers(_first_content(file, track, *table, b"stco"), 8, "I")
    chunks = chunks or _integers(_first_content(file, track, *table, b"co64"), 8, "Q")
    runs = _integers(_first_content(file, track, *table, b"stsc"), 8, "I")
    times = _integers(_first_content(file, track, *table, b"stts"), 8, "I")
    durations = itertools.chain.from_iterable(
        itertools.repeat(each, min(count, _MOST_SAMPLES))
        for count, each in zip(times[::2], times[1::2], strict=False)
    )
    in_chunks = dict(zip(runs[::3], runs[1::3], strict=False))
    time = 0
    count = 0
    for chunk_number, chunk in enumerate(chunks, 1):
        count = in_chunks.get(chunk_number, count)
        at = chunk
        for size in itertools.islice(sizes, min(count, _MOST_SAMPLES + 1)):
            duration = next(durations, 0)
            yield _Sample(at, size, time, time + duration)
            at += size
            time += duration


def _sizes(raw: bytes) -> Iterator[int]:
    if len(raw) < 12:
        return iter(())
    same, count = struct.unpack_from(">II", raw, 4)
    each = itertools.repeat(same, min(count, _MOST_SAMPLES + 1))
    return each if same else iter(_integers(raw, 12, "I"))


def _integers(raw: bytes, start: int, form: str) -> tuple[int, ...]:
    size = struct.calcsize(f">{form}")
    count = max(len(raw) - start, 0) // size
    return struct.unpack_from(f">{count}{form}", raw, start) if count else ()


def _text(raw: bytes) -> str:
    r"""Return the text of a sample, between its length and its styles.

    >>> _text(b"\0\5Crows\0\0\0\x08styl"), _text(b"\0\4\xfe\xff\0A")
    ('Crows', 'A')
    """
    text = raw[2 : 2 + int.from_bytes(raw[:2], "big")]
    if text[:2] in {b"\xfe\xff", b"\xff\xfe"}:
        return text.decode("utf-16", errors="replace")
    return text.decode("utf-8", errors="replace")


def _payload(raw: bytes) -> str:
    """Return the text of the WebVTT cues in a sample (ISO/IEC 14496-30)."""
    content = io.BytesIO(raw)
    cues = inside(content, MediaBox(b"", 0, len(raw)), b"vttc", b"payl")
    texts = (read_part(content, cue.start, cue.end, _LARGEST_SAMPLE) for cue in cues)
    return "\n".join(text.decode("utf-8", errors="replace") for text in texts)
