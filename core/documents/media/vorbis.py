"""Vorbis comments, which FLAC files keep in a block, and Ogg files in a packet (RFC 9639, 7845)."""

from __future__ import annotations

import re
import struct
from typing import BinaryIO, Final

from core.documents.media.boxes import read_part
from core.documents.media.tags import LONGEST, Tags

FLAC, OGG = b"fLaC", b"OggS"
_COMMENT_BLOCK: Final = 4
_MOST_BLOCKS: Final = 200
_MOST_PAGES: Final = 2_000
_MOST_BYTES: Final = 16 * LONGEST
"""Of comments: covers stand among them."""
_MOST_COMMENTS: Final = 10_000
# How the packet of comments begins, by what the file holds; FLAC in Ogg has its own blocks.
_PACKETS: Final = (b"\3vorbis", b"OpusTags", b"\x81theora", b"\x84\0\0", b"Speex   ")
_CHAPTER: Final = re.compile(r"CHAPTER(\d{1,4})(NAME)?", re.IGNORECASE)
_CLOCK: Final = re.compile(r"(\d{1,3}):(\d{1,2}):(\d{1,2})(?:\.\d+)?")


def take_flac(file: BinaryIO, start: int, size: int, tags: Tags) -> None:
    """Take what the block of comments in a FLAC file says."""
    at = start + len(FLAC)
    for _ in range(_MOST_BLOCKS):
        header = read_part(file, at, size, 4)
        if len(header) < 4:
            return
        length = int.from_bytes(header[1:], "big")
        if header[0] & 0x7F == _COMMENT_BLOCK:
            _take(read_part(file, at + 4, min(at + 4 + length, size), _MOST_BYTES), tags)
        if header[0] & 0x80:  # the last one
            return
        at += 4 + length


def take_ogg(file: BinaryIO, size: int, tags: Tags) -> None:
    """Take what the second packet of each stream in an Ogg file says; the pages are near the begin.

    The packet goes on from page to page, and those of several streams take turns (RFC 3533).
    """
    packets: dict[int, bytearray] = {}
    number: dict[int, int] = {}
    at = 0
    for _ in range(_MOST_PAGES):
        header = read_part(file, at, size, 27)
        if len(header) < 27 or not header.startswith(OGG):
            break
        (stream,) = struct.unpack_from("<I", header, 14)
        sizes = read_part(file, at + 27, size, header[26])
        content = read_part(file, at + 27 + len(sizes), size, sum(sizes))
        at += 27 + len(sizes) + sum(sizes)
        place = 0
        for length in sizes:
            if number.get(stream, 0) == 1:
                packets.setdefault(stream, bytearray()).extend(content[place : place + length])
            place += length
            if length < 255:
                number[stream] = number.get(stream, 0) + 1
        is_over = all(count > 1 for count in number.values())
        if (is_over and number) or sum(map(len, packets.values())) > _MOST_BYTES:
            break
    for packet in packets.values():
        _take_packet(bytes(packet), tags)


def _take_packet(packet: bytes, tags: Tags) -> None:
    for start in _PACKETS:
        if packet.startswith(start):
            _take(packet[len(start) :], tags)
            return
    if packet[:1] == b"\x04" or packet[:1] == b"\x84":
        _take(packet[4:], tags)
    elif len(packet) > 8:  # Speex has nothing before them
        _take(packet, tags)


def _take(raw: bytes, tags: Tags) -> None:
    """Take comments, each a name and what it is, with "=" between."""
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
        name, found, text = comment[:LONGEST].decode("utf-8", errors="replace").partition("=")
        if not found:
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
