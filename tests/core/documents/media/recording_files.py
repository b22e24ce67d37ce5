"""Writes sound and film files with tags for tests."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from tests.core.documents.media.media_files import box, riff_bytes, riff_chunk

Cues = Sequence[tuple[int, int, str]]


def id3_bytes(*frames: tuple[str, bytes], version: int = 4, sound: bytes = b"\xff\xfb") -> bytes:
    """Return an MP3 file that begins with an ID3v2 tag of these frames."""
    content = b""
    for kind, frame in frames:
        size = _sevens(len(frame)) if version == 4 else struct.pack(">I", len(frame))
        header = kind.encode() + (size[1:] if version == 2 else size + b"\0\0")
        content += header + frame
    return b"ID3" + bytes([version, 0, 0]) + _sevens(len(content)) + content + sound


def _sevens(number: int) -> bytes:
    return bytes(number >> 7 * place & 0x7F for place in (3, 2, 1, 0))


def old_tag(title: str, artist: str, genre: int = 255) -> bytes:
    """Return an ID3v1 tag of 128 bytes."""
    fields = (b"TAG", title.encode("latin-1").ljust(30, b"\0"), artist.encode().ljust(30, b"\0"))
    return b"".join(fields).ljust(127, b"\0") + bytes([genre])


def comments(*entries: str) -> bytes:
    """Return Vorbis comments of the form "NAME=value"."""
    texts = [text.encode() for text in entries]
    return (
        struct.pack("<I", 4)
        + b"test"
        + struct.pack("<I", len(texts))
        + b"".join(struct.pack("<I", len(text)) + text for text in texts)
    )


def flac_bytes(*entries: str) -> bytes:
    """Return a FLAC file without sound."""
    raw = comments(*entries)
    blocks = ((0, bytes(34)), (0x84, raw))
    return b"fLaC" + b"".join(
        bytes([kind]) + len(content).to_bytes(3, "big") + content for kind, content in blocks
    )


def ogg_bytes(*entries: str, kind: bytes = b"\3vorbis", room: int = 250) -> bytes:
    """Return an Ogg file without sound, with `room` segments of comments per page."""
    packets = (b"\1vorbis" + bytes(20), kind + comments(*entries), b"sound")
    pages, number = b"", 0
    for packet in packets:
        pieces = [packet[at : at + 255] for at in range(0, len(packet), 255)]
        pieces += [b""] * (len(packet) % 255 == 0)
        for at in range(0, len(pieces), room):
            own = pieces[at : at + room]
            pages += struct.pack("<4sBBqIIIB", b"OggS", 0, 0, 0, 7, number, 0, len(own))
            pages += bytes(map(len, own)) + b"".join(own)
            number += 1
    return pages


def wav_bytes(*chunks: tuple[bytes, str]) -> bytes:
    """Return a WAV file without sound, with an INFO list at its end."""
    listed = b"INFO" + b"".join(riff_chunk(kind, text.encode() + b"\0") for kind, text in chunks)
    return riff_bytes(b"WAVE", (b"fmt ", bytes(16)), (b"data", bytes(4)), (b"LIST", listed))


def _data(text: str) -> bytes:
    return box(b"data", struct.pack(">II", 1, 0), text.encode())


def mp4_bytes(
    *chunks: tuple[bytes, str],
    named: Sequence[tuple[str, str]] = (),
    nero: Sequence[tuple[int, str]] = (),
    subtitles: Cues = (),
    chapters: Cues = (),
) -> bytes:
    """Return an MP4 file without video: tags, both forms of chapters, and text tracks."""
    listed = b"".join(box(kind, _data(text)) for kind, text in chunks)
    for name, text in named:
        full = (box(b"mean", bytes(4), b"com.apple.iTunes"), box(b"name", bytes(4), name.encode()))
        listed += box(b"----", *full, _data(text))
    handler = box(b"hdlr", bytes(8), b"mdirappl", bytes(9))
    user = box(b"meta", bytes(4), handler, box(b"ilst", listed))
    if nero:
        points = b"".join(
            struct.pack(">QB", seconds * 10_000_000, len(name.encode())) + name.encode()
            for seconds, name in nero
        )
        user += box(b"chpl", b"\1", bytes(7), bytes([len(nero)]), points)
    start = box(b"ftyp", b"M4V ", bytes(4), b"M4V mp42")
    tracks = [(1, b"", ()), *((2, b"", subtitles),) * bool(subtitles)]
    tracks += [(3, b"", chapters)] * bool(chapters)
    content = b"".join(_sample(text) for _, _, cues in tracks for _, _, text in cues)
    at = len(start) + 8
    written = b""
    for number, _, cues in tracks:
        refers = box(b"tref", box(b"chap", struct.pack(">I", 3))) if number == 1 else b""
        written += _track(number, cues, at, refers)
        at += sum(len(_sample(text)) for _, _, text in cues)
    movie = box(b"moov", box(b"mvhd", bytes(100)), written, box(b"udta", user))
    return start + box(b"mdat", content) + movie


def _sample(text: str) -> bytes:
    return struct.pack(">H", len(text.encode())) + text.encode()


def _track(number: int, cues: Cues, at: int, refers: bytes) -> bytes:
    """Return a track of consecutive samples, one per chunk; a pause is an empty sample."""
    samples = [len(_sample(text)) for _, _, text in cues]
    places = [at + sum(samples[:index]) for index in range(len(samples))]
    lasting = [(1, 1000 * (end - start)) for start, end, _ in cues]
    table = box(
        b"stbl",
        box(b"stsd", bytes(4), struct.pack(">I", 1), box(b"tx3g" if cues else b"avc1", bytes(30))),
        box(b"stts", bytes(4), struct.pack(">I", len(cues)), _pairs(lasting)),
        box(b"stsc", bytes(4), struct.pack(">IIII", 1, 1, 1, 1)),
        box(b"stsz", bytes(8), struct.pack(f">{len(samples) + 1}I", len(samples), *samples)),
        box(b"stco", bytes(4), struct.pack(f">{len(places) + 1}I", len(places), *places)),
    )
    header = box(b"tkhd", bytes(12), struct.pack(">I", number), bytes(64))
    chunks = box(b"mdhd", bytes(12), struct.pack(">II", 1000, 0), bytes(4))
    return box(b"trak", header, refers, box(b"mdia", chunks, box(b"minf", table)))


def _pairs(pairs: Sequence[tuple[int, int]]) -> bytes:
    return b"".join(struct.pack(">II", *pair) for pair in pairs)


def element(kind: int, *contents: bytes, is_open: bool = False) -> bytes:
    """Return a Matroska element; an open one has an unknown size."""
    content = b"".join(contents)
    size = b"\x01" + b"\xff" * 7 if is_open else (len(content) | 1 << 56).to_bytes(8, "big")
    return kind.to_bytes((kind.bit_length() + 7) // 8, "big") + size + content


def _number(kind: int, number: int) -> bytes:
    return element(kind, number.to_bytes(8, "big"))


def mkv_bytes(
    title: str = "",
    entries: Sequence[tuple[str, str]] = (),
    chapters: Sequence[tuple[int, str]] = (),
    cues: Cues = (),
    codec: str = "S_TEXT/UTF8",
    *,
    is_listed: bool = False,
    is_open: bool = False,
) -> bytes:
    """Return a Matroska file without video, with a cluster per cue that includes a sound block."""
    tracks = element(
        0x1654AE6B,
        element(0xAE, _number(0xD7, 1), _number(0x83, 1), element(0x86, b"V_AV1")),
        element(0xAE, _number(0xD7, 2), _number(0x83, 17), element(0x86, codec.encode())),
    )
    info = element(0x1549A966, _number(0x2AD7B1, 1_000_000), element(0x7BA9, title.encode()))
    before = info + tracks
    clusters, places = b"", []
    for start, end, text in cues:
        places.append(len(before) + len(clusters))
        block = element(0xA1, b"\x82\0\0\0", text.encode())
        clusters += element(
            0x1F43B675,
            _number(0xE7, 1000 * start),
            element(0xA3, b"\x81\0\0\0", b"sound"),
            element(0xA0, block, _number(0x9B, 1000 * (end - start))),
            is_open=is_open,
        )
    listed = element(
        0x1C53BB6B,
        *(
            element(0xBB, element(0xB7, _number(0xF7, 2), _number(0xF1, place)))
            for place in places[: len(places) if is_listed else 0]
        ),
    )
    tags = element(
        0x1254C367,
        element(
            0x7373,
            *(
                element(0x67C8, element(0x45A3, name.encode()), element(0x4487, text.encode()))
                for name, text in entries
            ),
        ),
    )
    atoms = (
        element(
            0xB6, _number(0x91, 1_000_000_000 * start), element(0x80, element(0x85, name.encode()))
        )
        for start, name in chapters
    )
    edition = element(0x1043A770, element(0x45B9, *atoms))
    segment = element(0x18538067, before, clusters, listed, tags, edition)
    return element(0x1A45DFA3, element(0x4282, b"matroska")) + segment
