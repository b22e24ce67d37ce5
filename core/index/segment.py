"""One immutable file of compressed token vectors, mapped into memory.

The file is in the safetensors format (eight bytes of length, a JSON header, the arrays), so that
other programs can read it. The arrays are those of `core.index.inverted_lists.InvertedLists`, with
the owners packed to some ten bits each (Elias-Fano): pairs of a list and an owner are one ascending
sequence of integers. The lowest byte of each is stored directly, the high bits in unary: a 0 for
each increment, a 1 for each number. The offsets of the lists follow from this.

A large segment stores the unpacked owners, the lists' offsets, and the list of each vector, about
three bytes more per vector, so that opening it computes nothing and uses no memory. Only the
consistency of its arrays is checked then, not every byte: a damaged one can give wrong scores until
it is checked, merged or copied, but nothing worse.

The arrays of a refinement store (`core.index.refinement_store`), if the index has one, follow in
the same file, so that both are written, verified and removed together.

A checksum proves that a file is unchanged, not who wrote it: the publisher of a library also writes
the checksum. So the arrays are checked even if it matches.

Source: Elias, "Efficient storage and retrieval by content and address of static files", 1974.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from core.arrays import Flags, Integers, Numbers
from core.catalog.manifest import SegmentRow
from core.errors import DiskFullError, LibraryDamagedError, LibraryError, Message
from core.files import own_files
from core.files.mapped_files import Bytes, MappedFile
from core.files.stored_arrays import stored_arrays
from core.index import scoring
from core.index.codec import Codec
from core.index.inverted_lists import MOST_PASSAGES, InvertedLists
from core.index.refinement_store import RefinementStore


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
    keys = list_ids * passages + owners
    steps = keys >> 8
    positions = steps + np.arange(len(steps))
    bits = np.zeros(int(positions[-1]) + 1 if len(positions) else 0, dtype=np.uint8)
    bits[positions] = 1
    return PackedOwners((keys & 0xFF).astype(np.uint8), np.packbits(bits))


def unpack_owners(
    packed: PackedOwners, count: int, passages: int
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint32]]:
    """Return the (t,) owners and the (K + 1,) starts of `count` lists.

    >>> packed = pack_owners(np.array([0, 2, 1]), np.array([0, 2, 2, 3]), 3)
    >>> owners, lists = unpack_owners(packed, 3, 3)
    >>> owners.tolist(), lists.tolist()
    ([0, 2, 1], [0, 2, 2, 3])

    Raises:
        ValueError: the packed owners do not fit these numbers of lists and passages.
    """
    if not 0 < count <= _MOST_LISTS or not 0 < passages <= MOST_PASSAGES:
        raise ValueError(f"{count} lists of {passages} passages")
    most = len(packed.low) + (count * passages >> 8)
    if packed.high.ndim != 1 or packed.low.ndim != 1 or len(packed.high) > most // 8 + 1:
        raise ValueError(f"{len(packed.high)} bytes for {len(packed.low)} owners")
    # `flatnonzero` is several times as fast on booleans as on bytes.
    positions = np.flatnonzero(np.unpackbits(packed.high).view(np.bool_))
    if len(positions) != len(packed.low):
        raise ValueError(f"{len(positions)} numbers, {len(packed.low)} low bytes")
    keys = (positions - np.arange(len(positions))) << 8 | packed.low
    firsts = np.arange(count + 1, dtype=np.int64) * passages
    if (keys[1:] < keys[:-1]).any() or (keys[-1:] >= firsts[-1]).any():
        raise ValueError("owners that do not ascend, or are no passages")
    lists = np.searchsorted(keys, firsts)
    owners = keys - np.repeat(firsts[:-1], np.diff(lists))
    return owners.astype(np.uint16), lists.astype(np.uint32)


_DTYPES: Final = {"I64": np.int64, "U32": np.uint32, "U16": np.uint16, "U8": np.uint8}
# Arrays in the file of every segment, by field name.
_ARRAYS: Final = ("passage_ids", "passage_offsets", "positions", "residuals", "scales")
_LOW: Final = "owners.low"
_HIGH: Final = "owners.high"
# The number of lists, needed to unpack the owners.
_LISTS: Final = "lists"
# The arrays of the refinement store, by field name, with this prefix.
_STORE: Final = "store."
_STORE_ARRAYS: Final = ("offsets", "centroids", "residuals", "scales", "positions")
# The arrays of a large segment that replace these three.
_LARGE_ARRAYS: Final = ("owners", "list_offsets", "stored_list_ids")
_MOST_LISTS: Final = 1 << 16
_MOST_HEADER_BYTES: Final = 1 << 16
# Passages of a large segment, as those of the last merge tier are.
_LARGE: Final = 32_768


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """The size and checksum of a file, for the manifest."""

    size_bytes: int
    checksum: str


def write(path: Path, lists: InvertedLists) -> WrittenFile:
    """Write a segment to a new file at `path` and flush it to disk.

    Raises:
        DiskFullError: the disk is full; the file is removed.
        LibraryError: the file cannot be written for another reason.
    """
    from safetensors.numpy import save

    arrays = {name: getattr(lists, name) for name in _ARRAYS}
    if len(lists.passage_ids) < _LARGE and lists.stored_list_ids is None:
        packed = pack_owners(lists.owners, lists.list_offsets, len(lists.passage_ids))
        arrays |= {_LOW: packed.low, _HIGH: packed.high}
        arrays[_LISTS] = np.array([len(lists.list_offsets) - 1], dtype=np.uint32)
    else:
        lists = replace(lists, stored_list_ids=lists.list_ids)
        arrays |= {name: getattr(lists, name) for name in _LARGE_ARRAYS}
    if lists.store is not None:
        arrays |= {f"{_STORE}{name}": getattr(lists.store, name) for name in _STORE_ARRAYS}
    data = save(arrays)
    try:
        own_files.make_folder(path.parent)
        with open(path, "xb", opener=_private) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _flush_folder(path.parent)
    except OSError as error:
        if not isinstance(error, FileExistsError):  # it existed before
            own_files.discard(path)
        if own_files.is_out_of_room(error):
            raise DiskFullError(
                "The disk with the library in {0} is full. Free up space and try again; no "
                "stored data was lost.",
                path.parent.parent,
            ) from error
        raise LibraryError(
            "The index file {0} cannot be written ({1}). Check the disk and your permissions for "
            "the folder.",
            path,
            error.strerror,
        ) from error
    return WrittenFile(len(data), checksum(data))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, own_files.OWN_FILE)


def _flush_folder(folder: Path) -> None:
    """Flush a new name in `folder` to disk; Windows does this automatically."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def checksum(data: bytes | memoryview) -> str:
    """Return the checksum of a file's bytes, as in the manifest."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def read(path: Path, expected: WrittenFile, *, checks_all: bool = True) -> InvertedLists:
    """Map the file at `path` into memory, after checking it.

    Args:
        path: of the file.
        expected: size and checksum of the file as written.
        checks_all: whether to check every byte; otherwise only the consistency of a large segment's
            arrays is checked.

    Raises:
        LibraryDamagedError: the file is missing, truncated or changed.
        LibraryError: too many files are open; the file may be intact.
    """
    try:
        mapped = MappedFile(path)
    except OSError as error:
        if own_files.is_out_of_files(error):
            raise own_files.out_of_files_error(path) from error
        raise LibraryDamagedError(_damaged(path, "cannot be read")) from error
    data = mapped.data
    if len(data) != expected.size_bytes:
        sizes = Message("{0} bytes instead of {1}", len(data), expected.size_bytes)
        raise LibraryDamagedError(_damaged(path, sizes))
    arrays = _arrays(data)
    is_large = arrays.keys() >= {*_ARRAYS, *_LARGE_ARRAYS}
    if (checks_all or not is_large) and checksum(data.data) != expected.checksum:
        raise LibraryDamagedError(_damaged(path, "its bytes have changed"))
    if not is_large and not arrays.keys() >= {*_ARRAYS, _LOW, _HIGH, _LISTS}:
        raise LibraryDamagedError(_damaged(path, "unexpected layout"))
    fields = {name: arrays[name] for name in _ARRAYS}
    try:
        if is_large:
            fields |= {name: arrays[name] for name in _LARGE_ARRAYS}
        else:
            packed = PackedOwners(arrays[_LOW], arrays[_HIGH])
            (count,) = arrays[_LISTS].tolist()
            fields["owners"], fields["list_offsets"] = unpack_owners(
                packed, count, len(fields["passage_ids"])
            )
        lists = InvertedLists(**fields, store=_store_in(arrays), mapped=mapped)
        if checks_all and is_large:
            lists.check()
    except (ValueError, TypeError) as error:
        raise LibraryDamagedError(_damaged(path, "its arrays do not match")) from error
    # A search reads only parts of it.
    lists.rest()
    return lists


def _store_in(arrays: Mapping[str, npt.NDArray[Any]]) -> RefinementStore | None:
    """Return the refinement store in a file's arrays; None if the file has none.

    Raises:
        ValueError: its arrays are incomplete, or do not match.
    """
    packed = {
        name: arrays[f"{_STORE}{name}"] for name in _STORE_ARRAYS if f"{_STORE}{name}" in arrays
    }
    if not packed:
        return None
    if len(packed) < len(_STORE_ARRAYS):
        raise ValueError(f"the store has only {', '.join(packed)}")
    return RefinementStore(**packed)


def _arrays(data: Bytes) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file by name; none if its header is invalid."""
    try:
        return {
            name: array.data.view(_DTYPES[array.dtype]).reshape(array.shape)
            for name, array in stored_arrays(data, _MOST_HEADER_BYTES).items()
        }
    except (ValueError, KeyError, TypeError):
        return {}


def _damaged(path: Path, how: str) -> str:
    return Message(
        "The index file {0} is damaged ({1}). Start Winnow or run `winnow index` to rebuild it.",
        path,
        how,
    )


@dataclass(frozen=True, slots=True)
class OpenSegment:
    """An open segment, with a mask of its existing passages.

    `is_checked` means that every byte was verified; `dead` is the number of deleted passages.
    """

    row: SegmentRow
    data: InvertedLists
    is_alive: Flags
    is_checked: bool = True
    dead: int = 0

    @classmethod
    def of(cls, folder: Path, row: SegmentRow, codec: Codec, *, checks_all: bool = False) -> Self:
        """Open the segment of a row of the manifest, without deleted passages.

        Raises:
            LibraryDamagedError: the file is missing, truncated, changed, or of another
                codec.
        """
        expected = WrittenFile(row.size_bytes, row.checksum)
        path = folder / row.file
        data = read(path, expected, checks_all=checks_all)
        if not data.fits(codec):
            raise LibraryDamagedError(_damaged(path, "made with another codebook"))
        is_alive = np.ones(len(data.passage_ids), dtype=np.bool_)
        return cls(row, data, is_alive, checks_all or data.stored_list_ids is None)

    @property
    def alive(self) -> int:
        """Number of existing passages."""
        return len(self.is_alive) - self.dead

    @property
    def sizes(self) -> Numbers:
        """(K,) the number of vectors in each list."""
        return np.diff(self.data.list_offsets).astype(np.int64)

    def without(self, removed: Sequence[int] | Numbers) -> Self:
        """Return the segment with exactly these passages deleted."""
        if not len(removed) and not self.dead:
            return self
        rows, is_there = scoring.rows_of(np.array(removed, np.int64), self.data.passage_ids)
        # Deleted passages never return: an equal number means the same passages.
        if np.count_nonzero(is_there) == self.dead:
            return self
        is_alive = np.ones_like(self.is_alive)
        is_alive[rows[is_there]] = False
        return replace(self, is_alive=is_alive, dead=int(np.count_nonzero(~is_alive)))

    def rows(self, wanted: Numbers | None) -> Numbers:
        """Return the rows of the wanted passages that exist (ascending; None: all)."""
        if wanted is None or not len(wanted):
            return np.flatnonzero(self.is_alive) if wanted is None else wanted
        # Few of millions of wanted passages are in this segment.
        ends = [self.data.passage_ids[0], self.data.passage_ids[-1] + 1]
        wanted = wanted[slice(*np.searchsorted(wanted, ends))]
        rows, is_there = scoring.rows_of(wanted, self.data.passage_ids)
        rows = rows[is_there]
        return rows[self.is_alive[rows]]

    def allowed(self, wanted: Numbers | None) -> Flags:
        """Return (p,) which passages exist and are wanted (None: all)."""
        if wanted is None:
            return self.is_alive
        is_allowed = np.zeros_like(self.is_alive)
        is_allowed[self.rows(wanted)] = True
        return is_allowed
