"""One immutable file of compressed token vectors, mapped into memory.

The file is in the safetensors format (eight bytes of length, a JSON header, the arrays), so that
other programs can read it: `passages` (p,) int64, `starts` (p + 1,) int64, and over all tokens
`centroids`, `residuals` and `scales` as in `core.index.codec.Codes`. A passage's vectors stand
together, in the order in which the tokens stand in the text.

Where vectors stand for several tokens, there are also `members` (c,), the tokens' places in their
passages, vector by vector; `counts` (t,), how many are of each vector; and `firsts` (p + 1,) int64,
where each passage's members begin. Both are uint8, or uint16 where a passage is long.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.alignment.pooling import offsets_of
from core.errors import DiskFullError, LibraryDamagedError, LibraryError
from core.index.codec import Codes
from core.index.keeping import Members

_DTYPES: Final = {"I64": np.int64, "U16": np.uint16, "U8": np.uint8, "F16": np.float16}
_NO_ROOM: Final = (28, 122)  # ENOSPC, EDQUOT


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """What the manifest keeps of a file."""

    size_bytes: int
    checksum: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A passage as it is written: its number, its compressed vectors, and what they stand for."""

    passage: int
    codes: Codes
    members: Members | None = None


@dataclass(frozen=True, slots=True)
class StoredMembers:
    """The mapped arrays of what t vectors of p passages stand for."""

    positions: npt.NDArray[np.integer[Any]]
    counts: npt.NDArray[np.integer[Any]]
    firsts: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Segment:
    """The mapped arrays of one file: p passages, t vectors.

    `members` is None where each token has a vector of its own.
    """

    passages: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    codes: Codes
    members: StoredMembers | None = None

    def codes_of(self, place: int) -> Codes:
        """The compressed vectors of the passage at `place` in `passages`."""
        return self.codes[slice(int(self.starts[place]), int(self.starts[place + 1]))]

    def members_of(self, place: int) -> Members | None:
        """What these stand for; None where each token has its own."""
        if self.members is None:
            return None
        stored = self.members
        return Members(
            stored.positions[stored.firsts[place] : stored.firsts[place + 1]].astype(np.int64),
            stored.counts[self.starts[place] : self.starts[place + 1]].astype(np.int64),
        )


def write(path: Path, passages: Sequence[Stored]) -> WrittenFile:
    """Write passages whole to a new file at `path`, and onto the disk.

    Raises:
        ValueError: a passage has no vectors: it could never be found; or only some have members.
        DiskFullError: there is no room; nothing is left behind.
        LibraryError: the file cannot be written for another reason.
    """
    if any(len(one.codes) == 0 for one in passages):
        raise ValueError("a passage without vectors")
    from safetensors.numpy import save

    every = [one.codes for one in passages]
    arrays = {
        "passages": np.array([one.passage for one in passages], dtype=np.int64),
        "starts": offsets_of([len(codes) for codes in every]),
        "centroids": np.concatenate([codes.centroids for codes in every]),
        "residuals": np.concatenate([codes.residuals for codes in every]),
        "scales": np.concatenate([codes.scales for codes in every]),
    }
    data = save(arrays | _member_arrays([one.members for one in passages]))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _flush_folder(path.parent)
    except OSError as error:
        if not isinstance(error, FileExistsError):  # that one was there before
            path.unlink(missing_ok=True)
        if error.errno in _NO_ROOM:
            raise DiskFullError(
                f"The disk that holds the library in {path.parent.parent} is full; "
                "make room and try again. Nothing that was stored is lost."
            ) from error
        raise LibraryError(
            f"The index file {path} cannot be written ({error.strerror}); "
            "check the disk and your rights to that folder."
        ) from error
    return WrittenFile(len(data), checksum(data))


def _member_arrays(every: Sequence[Members | None]) -> dict[str, npt.NDArray[Any]]:
    members = [one for one in every if one is not None]
    if not members:
        return {}
    if len(members) < len(every):
        raise ValueError("some passages have members, and some have none")
    arrays = {
        "members": np.concatenate([one.positions for one in members]),
        "counts": np.concatenate([one.counts for one in members]),
    }
    largest = max(int(array.max(initial=0)) for array in arrays.values())
    kind = np.uint8 if largest < 1 << 8 else np.uint16
    return {name: array.astype(kind) for name, array in arrays.items()} | {
        "firsts": offsets_of([len(one.positions) for one in members])
    }


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
    """The checksum of a file's bytes as the manifest keeps it."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def read(path: Path, expected: WrittenFile) -> Segment:
    """Map the file at `path` into memory, after checking every byte of it.

    Raises:
        LibraryDamagedError: the file is missing, cut, or not what was written.
    """
    try:
        data = np.memmap(path, dtype=np.uint8, mode="r")
    except (OSError, ValueError) as error:
        raise LibraryDamagedError(_damaged(path, "it cannot be read")) from error
    if len(data) != expected.size_bytes:
        raise LibraryDamagedError(
            _damaged(path, f"it has {len(data)} bytes in place of {expected.size_bytes}")
        )
    if checksum(data.data) != expected.checksum:
        raise LibraryDamagedError(_damaged(path, "its bytes have changed"))
    header_bytes = int(data[:8].view(np.uint64)[0])
    header: dict[str, Any] = json.loads(data[8 : 8 + header_bytes].tobytes())

    def array(name: str) -> npt.NDArray[Any]:
        entry = header[name]
        start, end = (8 + header_bytes + offset for offset in entry["data_offsets"])
        return data[start:end].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"])

    codes = Codes(array("centroids"), array("residuals"), array("scales"))
    members = None
    if "members" in header:
        members = StoredMembers(array("members"), array("counts"), array("firsts"))
    return Segment(array("passages"), array("starts"), codes, members)


def _damaged(path: Path, how: str) -> str:
    return (
        f"The index file {path} is damaged ({how}); run `winnow index` or start Winnow to have it "
        "made again."
    )
