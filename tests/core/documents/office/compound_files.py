"""Writes compound files for tests: the parts of [MS-CFB] for small streams in storages."""

from __future__ import annotations

import struct
from collections.abc import Mapping

Streams = Mapping[str, bytes]
"""Contents by name; storages stand before the name, with slashes."""

_SECTOR, _MINI = 512, 64
_FREE, _END, _FAT, _NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
_MINI_CUTOFF = 4096


def compound_bytes(streams: Streams) -> bytes:
    """A compound file with these streams."""
    entries = [_Entry("Root Entry", 5)]
    storages = {"": entries[0]}
    mini = b""
    mini_fat: list[int] = []
    sectors: list[bytes] = []
    fat: list[int] = []

    def place(data: bytes) -> int:
        """Write data to new sectors; return the number of the first."""
        first = len(sectors)
        pieces = [data[i : i + _SECTOR].ljust(_SECTOR, b"\0") for i in range(0, len(data), _SECTOR)]
        sectors.extend(pieces)
        fat.extend([*range(first + 1, first + len(pieces)), _END] if pieces else [])
        return first if pieces else _END

    for path, data in streams.items():
        *folders, name = path.split("/")
        parent = ""
        for folder in folders:
            here = f"{parent}/{folder}".lstrip("/")
            if here not in storages:
                storages[here] = _Entry(folder, 1)
                storages[parent].add(storages[here], entries)
            parent = here
        entry = _Entry(name, 2, size=len(data))
        storages[parent].add(entry, entries)
        if len(data) < _MINI_CUTOFF:
            count = -(-len(data) // _MINI)
            first = len(mini) // _MINI
            entry.start = first if count else _END
            mini += data.ljust(count * _MINI, b"\0")
            mini_fat += [*range(first + 1, first + count), _END] if count else []
        else:
            entry.start = place(data)
    entries[0].start, entries[0].size = place(mini), len(mini)
    mini_fat_start = place(struct.pack(f"<{len(mini_fat)}I", *mini_fat).ljust(_SECTOR, b"\xff"))
    directory = b"".join(entry.packed() for entry in entries)
    directory_start = place(directory.ljust(-(-len(directory) // _SECTOR) * _SECTOR, b"\0"))
    # The FAT describes its own sectors, too.
    fat_sectors = 1
    while (len(fat) + fat_sectors) * 4 > fat_sectors * _SECTOR:
        fat_sectors += 1
    fat_start = len(fat)
    fat += [_FAT] * fat_sectors
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(fat_sectors * _SECTOR, b"\xff")
    header = struct.pack(
        "<8s16x5H6x9I",
        bytes.fromhex("d0cf11e0a1b11ae1"), 0x3E, 3, 0xFFFE, 9, 6, 0, fat_sectors, directory_start,
        0, _MINI_CUTOFF, mini_fat_start, -(-len(mini_fat) * 4 // _SECTOR), _END, 0,
    )  # fmt: skip
    numbers = [*range(fat_start, fat_start + fat_sectors)]
    header += struct.pack("<109I", *numbers, *[_FREE] * (109 - fat_sectors))
    return header + b"".join(sectors) + table


class _Entry:
    """A directory entry; siblings form a chain to the right."""

    def __init__(self, name: str, kind: int, size: int = 0) -> None:
        self.name = name
        self.kind = kind
        self.size = size
        self.start = 0
        self.child = self.right = _NONE
        self._last: _Entry | None = None

    def add(self, entry: _Entry, entries: list[_Entry]) -> None:
        if self._last is None:
            self.child = len(entries)
        else:
            self._last.right = len(entries)
        self._last = entry
        entries.append(entry)

    def packed(self) -> bytes:
        name = (self.name + "\0").encode("utf-16-le")
        return struct.pack(
            "<64sHBBIII16xI8x8xIQ",
            name, len(name), self.kind, 1, _NONE, self.right, self.child, 0, self.start, self.size,
        )  # fmt: skip


def summary_stream(
    title: str = "",
    author: str = "",
    *,
    code_page: int = 1252,
    encoding: str = "cp1252",
    times: Mapping[int, int] | None = None,
    topics: Mapping[int, str] | None = None,
) -> bytes:
    """The summary stream; `times` are those of creation (12) and saving (13).

    The `topics` are the subject (3), the keywords (5) and the comments (6).
    """
    properties = {1: struct.pack("<IH2x", 2, code_page % 65536)}
    for number, ticks in (times or {}).items():
        properties[number] = struct.pack("<IQ", 0x40, ticks)
    for number, text in ((2, title), (4, author), *(topics or {}).items()):
        if text:
            data = f"{text}\0".encode(encoding)
            padded = data.ljust(-(-len(data) // 4) * 4, b"\0")
            properties[number] = struct.pack("<II", 0x1E, len(data)) + padded
    offset = 8 + 8 * len(properties)
    places = values = b""
    for number, value in properties.items():
        places += struct.pack("<II", number, offset + len(values))
        values += value
    section = struct.pack("<II", 8 + len(places) + len(values), len(properties)) + places + values
    format_id = bytes.fromhex("e0859ff2f94f6810ab9108002b27b3d9")
    return struct.pack("<HHI16xI16sI", 0xFFFE, 0, 0, 1, format_id, 48) + section
