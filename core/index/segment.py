"""One immutable file of compressed token vectors, mapped into memory.

The file is in the safetensors format (eight bytes of length, a JSON header, the arrays), so that
other programs can read it. The arrays are those of `core.index.inverted_lists.InvertedLists`, the
owners packed in some ten bits each: list by list and ascending within each, the pairs of a list and
an owner make one ascending sequence of whole numbers. Of each its lowest byte is stored as it is;
the rest, which hardly grows from one to the next, in unary: a 0 for each step up, a 1 for each
number. Where the lists begin follows.

Source: Elias, "Efficient storage and retrieval by content and address of static files", 1974.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import own_files
from core.arrays import Flags, Integers, Numbers
from core.catalog.manifest import SegmentRow
from core.errors import DiskFullError, LibraryDamagedError, LibraryError, Message
from core.index import scoring
from core.index.inverted_lists import InvertedLists

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PackedOwners:
    """The owners of t vectors in K lists.

    Attributes:
        low: (t,) the lowest byte of each number.
        high: the rest of all, packed eight bits a byte, the first in the highest bit.
    """

    low: Bytes
    high: Bytes


def pack_owners(owners: Integers, lists: Integers, passages: int) -> PackedOwners:
    """Pack (t,) owners, each below `passages`, of lists that begin at (K + 1,) `lists`.

    >>> packed = pack_owners(np.array([0, 2, 1]), np.array([0, 2, 2, 3]), 3)
    >>> packed.low.tolist(), packed.high.tolist()
    ([0, 2, 7], [224])
    """
    list_ids = np.repeat(np.arange(len(lists) - 1, dtype=np.int64), np.diff(lists))
    numbers = list_ids * passages + owners
    steps = numbers >> 8
    places = steps + np.arange(len(steps))
    bits = np.zeros(int(places[-1]) + 1 if len(places) else 0, dtype=np.uint8)
    bits[places] = 1
    return PackedOwners((numbers & 0xFF).astype(np.uint8), np.packbits(bits))


def unpack_owners(
    packed: PackedOwners, count: int, passages: int
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint32]]:
    """Return the (t,) owners and the (K + 1,) beginnings of `count` lists.

    >>> packed = pack_owners(np.array([0, 2, 1]), np.array([0, 2, 2, 3]), 3)
    >>> owners, lists = unpack_owners(packed, 3, 3)
    >>> owners.tolist(), lists.tolist()
    ([0, 2, 1], [0, 2, 2, 3])
    """
    # Of flags the places are found several times as fast as of bytes.
    places = np.flatnonzero(np.unpackbits(packed.high).view(np.bool_))
    numbers = (places - np.arange(len(places))) << 8 | packed.low
    firsts = np.arange(count + 1, dtype=np.int64) * passages
    lists = np.searchsorted(numbers, firsts)
    owners = numbers - np.repeat(firsts[:-1], np.diff(lists))
    return owners.astype(np.uint16), lists.astype(np.uint32)


_DTYPES: Final = {"I64": np.int64, "U32": np.uint32, "U16": np.uint16, "U8": np.uint8}
_AS_THEY_ARE: Final = {
    "passages": "passage_ids",
    "starts": "passage_offsets",
    "positions": "positions",
    "residuals": "residuals",
    "gains": "scales",
}
"""What arrays are called in the file, and here."""
_LOW: Final = "owners.low"
_HIGH: Final = "owners.high"
_LISTS: Final = "lists"
"""The number of lists, by which the owners are taken apart."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """What the manifest keeps of a file."""

    size_bytes: int
    checksum: str


def write(path: Path, lists: InvertedLists) -> WrittenFile:
    """Write a segment whole to a new file at `path`, and onto the disk.

    Raises:
        DiskFullError: there is no room; nothing is left behind.
        LibraryError: the file cannot be written for another reason.
    """
    from safetensors.numpy import save

    packed = pack_owners(lists.owners, lists.list_offsets, len(lists.passage_ids))
    arrays = {name: getattr(lists, field) for name, field in _AS_THEY_ARE.items()}
    arrays |= {_LOW: packed.low, _HIGH: packed.high}
    arrays[_LISTS] = np.array([len(lists.list_offsets) - 1], dtype=np.uint32)
    data = save(arrays)
    try:
        own_files.make_folder(path.parent)
        with open(path, "xb", opener=_private) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _flush_folder(path.parent)
    except OSError as error:
        if not isinstance(error, FileExistsError):  # that one was there before
            own_files.discard(path)
        if own_files.is_out_of_room(error):
            raise DiskFullError(
                "The disk that holds the library in {0} is full; make room and "
                "try again. Nothing that was stored is lost.",
                path.parent.parent,
            ) from error
        raise LibraryError(
            "The index file {0} cannot be written ({1}); check the disk and your "
            "rights to that folder.",
            path,
            error.strerror,
        ) from error
    return WrittenFile(len(data), checksum(data))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, own_files.OWN_FILE)


def _flush_folder(folder: Path) -> None:
    """Make a new name in `folder` last; Windows does so by itself and opens no folders."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def checksum(data: bytes | memoryview) -> str:
    """Return the checksum of a file's bytes as the manifest keeps it."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def read(path: Path, expected: WrittenFile) -> InvertedLists:
    """Map the file at `path` into memory, after checking every byte of it.

    Raises:
        LibraryDamagedError: the file is missing, cut, or not what was written.
    """
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise LibraryDamagedError(_damaged(path, "it cannot be read")) from error
    data = np.frombuffer(mapped, dtype=np.uint8)
    if len(data) != expected.size_bytes:
        sizes = Message("it has {0} bytes in place of {1}", len(data), expected.size_bytes)
        raise LibraryDamagedError(_damaged(path, sizes))
    if checksum(data.data) != expected.checksum:
        raise LibraryDamagedError(_damaged(path, "its bytes have changed"))
    header_bytes = int(data[:8].view(np.uint64)[0])
    header: dict[str, Any] = json.loads(data[8 : 8 + header_bytes].tobytes())

    def array(name: str) -> npt.NDArray[Any]:
        entry = header[name]
        start, end = (8 + header_bytes + offset for offset in entry["data_offsets"])
        return data[start:end].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"])

    if not {*_AS_THEY_ARE, _LOW, _HIGH, _LISTS} <= header.keys():
        raise LibraryDamagedError(_damaged(path, "it is laid out as no Winnow of today does it"))
    arrays = {field: array(name) for name, field in _AS_THEY_ARE.items()}
    packed = PackedOwners(array(_LOW), array(_HIGH))
    owners, list_offsets = unpack_owners(packed, int(array(_LISTS)[0]), len(arrays["passage_ids"]))
    lists = InvertedLists(**arrays, owners=owners, list_offsets=list_offsets, mapped=mapped)
    # A search looks at little of what was checked.
    lists.rest()
    return lists


def _damaged(path: Path, how: str) -> str:
    return Message(
        "The index file {0} is damaged ({1}); run `winnow index` or start Winnow "
        "to have it made again.",
        path,
        how,
    )


@dataclass(frozen=True, slots=True)
class OpenSegment:
    """A segment, and which of its passages still exist.

    `sizes` (K,) are those of its lists.
    """

    row: SegmentRow
    data: InvertedLists
    is_alive: Flags
    sizes: Numbers

    @classmethod
    def of(cls, folder: Path, row: SegmentRow) -> OpenSegment:
        """Open the segment of a row of the manifest; all of its passages are taken to exist.

        Raises:
            LibraryDamagedError: the file is missing, cut, or not what was written.
        """
        data = read(folder / row.file, WrittenFile(row.size_bytes, row.checksum))
        is_alive = np.ones(len(data.passage_ids), dtype=np.bool_)
        sizes: Numbers = np.diff(data.list_offsets).astype(np.int64)
        return cls(row, data, is_alive, sizes)

    def places(self, wanted: Numbers | None) -> Numbers:
        """Return where those of the wanted passages (ascending; None: all) lie that still exist."""
        if wanted is None or not len(wanted):
            return np.flatnonzero(self.is_alive) if wanted is None else wanted
        places, is_there = scoring.places_of(wanted, self.data.passage_ids)
        places = places[is_there]
        return places[self.is_alive[places]]

    def allowed(self, wanted: Numbers | None) -> Flags:
        """(p,) which passages still exist and are among the wanted (None: all)."""
        if wanted is None:
            return self.is_alive
        is_allowed = np.zeros_like(self.is_alive)
        is_allowed[self.places(wanted)] = True
        return is_allowed
