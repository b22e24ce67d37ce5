"""The file format of snapshots: files in chunks named by content, with checksums."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Final, TypeVar

import msgspec

from core import json_input
from core.catalog.schema import VERSION
from core.errors import LibraryDamagedError, LibraryTooNewError
from core.printable import label

_Kind = TypeVar("_Kind")
FORMAT: Final = 1
# Length of the chunks of each file; see docs/measurements/publishing.md.
CHUNK_BYTES: Final = 1 << 18
# The only file that is replaced: it names the current snapshot.
CURRENT: Final = "current.json"
CATALOG: Final = "catalog.sqlite"
# Largest file of a snapshot: a library of about 200 GB, in chunks of the default length.
MOST_BYTES: Final = 64 << 20
# Largest `current.json`.
MOST_CURRENT_BYTES: Final = 1 << 20
# Most values in a snapshot's file, mainly names of chunks.
_MOST_VALUES: Final = 2_000_000
_LARGEST_CHUNK: Final = 64 << 20
_PATH: Final = re.compile(r"catalog\.sqlite|(index|codebooks)/[A-Za-z0-9_][A-Za-z0-9_.-]{0,250}")
# The types of values, which are checked because the files are untrusted.
Text = Annotated[str, msgspec.Meta(max_length=1000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]
Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
SnapshotId = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{8}-[0-9a-f]{12}\Z")]


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file of a snapshot.

    Attributes:
        path: in the library's folder.
        size_bytes: of the whole file.
        sha256: of the whole file.
        chunks: the SHA-256 of each chunk of `CHUNK_BYTES`, which is also its name.
    """

    path: Text
    size_bytes: Count
    sha256: Text
    chunks: tuple[Digest, ...]


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """The model of a snapshot's vectors, so that scores can be compared across libraries.

    Attributes:
        name: of the model.
        fingerprint: of all its files.
        weights_sha256: of its weights.
        words: the weight of the score by words.
    """

    name: str
    fingerprint: Text
    weights_sha256: Text
    words: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of a library.

    Attributes:
        id: its number and a part of its checksum, which is also its file's name.
        name: of the library, as its publisher calls it.
        winnow: the version of Winnow that published it.
        catalog: the version of the catalog's tables.
        published_at: ISO 8601, in UTC.
        model: None while the library has no vectors.
        codec: of the vectors, as named in segments, with the epoch.
        documents: number of readable documents.
        passages: number of searchable passages.
        chunk_bytes: the length of every chunk but a file's last.
        files: its files.
    """

    id: SnapshotId
    name: str
    winnow: str
    catalog: Count
    published_at: Text
    model: PublishedModel | None
    codec: Text
    documents: Count
    passages: Count
    chunk_bytes: Count
    files: tuple[PublishedFile, ...]

    @property
    def size_bytes(self) -> int:
        """The total size of all files."""
        return sum(file.size_bytes for file in self.files)

    @property
    def chunks(self) -> Mapping[str, int]:
        """The chunks' lengths by their names."""
        return dict(self._chunks())

    def _chunks(self) -> Iterator[tuple[str, int]]:
        for file in self.files:
            left = file.size_bytes
            for chunk in file.chunks:
                yield chunk, min(left, self.chunk_bytes)
                left -= self.chunk_bytes

    def file(self, path: str) -> PublishedFile | None:
        """Return the file of that path, if there is one."""
        return next((file for file in self.files if file.path == path), None)


@dataclass(frozen=True, slots=True)
class Replaced:
    """An older snapshot, and when another took its place, ISO 8601 in UTC."""

    id: SnapshotId
    replaced_at: str


@dataclass(frozen=True, slots=True)
class Current:
    """The current snapshot, and the older ones that still exist."""

    id: SnapshotId
    sha256: Text
    older: tuple[Replaced, ...] = ()


def snapshot_name(snapshot_id: str) -> str:
    """Return the file name of a snapshot in the store."""
    return f"snapshots/{snapshot_id}.json"


def chunk_name(digest: str) -> str:
    """Return the file name of a chunk in the store.

    >>> chunk_name("ab" * 32)[:8]
    'data/ab/'
    """
    return f"data/{digest[:2]}/{digest}"


def packed(fields: Mapping[str, Any]) -> bytes:
    """Return JSON that includes its own checksum."""
    body = {"format": FORMAT, **fields}
    return _json({**body, "sum": hashlib.sha256(_json(body)).hexdigest()})


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1).encode()


def _unpacked(data: bytes, address: str) -> dict[str, Any]:
    """Return the unpacked contents.

    Raises:
        LibraryTooNewError: a newer Winnow wrote it.
        LibraryDamagedError: it is damaged.
    """
    try:
        fields = json_input.loads(data, most_bytes=MOST_BYTES, most_values=_MOST_VALUES)
    except ValueError as error:
        raise damaged(address) from error
    if not isinstance(fields, dict):
        raise damaged(address)
    version = fields.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise too_new(address)
    checksum = fields.pop("sum", "")
    if version != FORMAT or checksum != hashlib.sha256(_json(fields)).hexdigest():
        raise damaged(address)
    return fields


def damaged(address: str) -> LibraryDamagedError:
    """Return the error for a damaged published library."""
    return LibraryDamagedError(
        "The published library {0} is damaged. Publish it again with winnow publish.", address
    )


def too_new(address: str) -> LibraryTooNewError:
    """Return the error for a library published by a newer version."""
    return LibraryTooNewError(
        "The library {0} was published by a newer version of Winnow. Update Winnow to open it.",
        address,
    )


def pack_current(current: Current) -> bytes:
    """Return the file that names the snapshot to be read."""
    return packed(asdict(current))


def unpack_current(data: bytes, address: str) -> Current:
    """Parse the file that names the current snapshot; raises the errors of `unpack_snapshot`."""
    current = _read(Current, data, address)
    older = (replace(older, replaced_at=label(older.replaced_at)) for older in current.older)
    return replace(current, older=tuple(older))


def _read(kind: type[_Kind], data: bytes, address: str) -> _Kind:
    """Return the value in a file; raises the errors of `unpack_snapshot`."""
    fields = _unpacked(data, address)
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise damaged(address) from error


def pack_snapshot(snapshot: Snapshot) -> bytes:
    """Return a snapshot's file."""
    return packed(asdict(snapshot))


def unpack_snapshot(data: bytes, address: str) -> Snapshot:
    """Return the snapshot that a file describes, with names verified to stay in its folder.

    Args:
        data: the file's contents.
        address: of the store, for errors.

    Raises:
        LibraryTooNewError: a newer Winnow published it.
        LibraryDamagedError: it is damaged.
    """
    snapshot = _read(Snapshot, data, address)
    if snapshot.catalog > VERSION:
        raise too_new(address)
    try:
        published_at = datetime.fromisoformat(snapshot.published_at).isoformat(timespec="seconds")
    except ValueError as error:
        raise damaged(address) from error
    if not _is_sound(snapshot):
        raise damaged(address)
    return replace(
        snapshot,
        name=label(snapshot.name),
        winnow=label(snapshot.winnow),
        published_at=published_at,
        model=snapshot.model and replace(snapshot.model, name=label(snapshot.model.name)),
    )


def _is_sound(snapshot: Snapshot) -> bool:
    """Return whether names and sizes are plausible: the file is untrusted."""
    paths = [file.path for file in snapshot.files]
    return (
        0 < snapshot.chunk_bytes <= _LARGEST_CHUNK
        and paths.count(CATALOG) == 1
        and len(set(paths)) == len(paths)
        and all(
            _PATH.fullmatch(file.path)
            and len(file.chunks) == -(-file.size_bytes // snapshot.chunk_bytes)
            for file in snapshot.files
        )
    )
