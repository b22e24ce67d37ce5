"""The cache of published libraries: verified chunks, limited in size, readable offline."""

import contextlib
import hashlib
import os
import secrets
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import DiskFullError, LibraryError
from core.files import foreign_files, own_files, paths
from core.progress import Job, Progress, Stage
from core.publishing.snapshot import (
    CATALOG,
    MOST_BYTES,
    PublishedFile,
    Snapshot,
    chunk_name,
    damaged,
    pack_snapshot,
    unpack_snapshot,
)
from core.publishing.store import NotStoredError, Store, UnexpectedPieceError
from core.settings import chosen

_MANIFEST: Final = "snapshot.json"
# A file whose modification time is when the snapshot was last opened.
_USED: Final = "used"
_IN_USE: Final = "in-use-"


class SnapshotMissingError(Exception):
    """A chunk no longer exists: the snapshot was replaced long ago."""


@dataclass(frozen=True, slots=True)
class CachedSnapshot:
    """A snapshot's folder, which is a library's home once its files are fetched."""

    snapshot: Snapshot
    folder: Path

    def has(self, file: PublishedFile) -> bool:
        """Return whether a file was fetched; it is renamed only when complete and verified."""
        return (self.folder / file.path).is_file()

    @property
    def has_catalog(self) -> bool:
        """Whether it can be searched by words."""
        return (self.folder / CATALOG).is_file()

    @property
    def is_whole(self) -> bool:
        """Whether it can be searched by meaning, too."""
        return all(self.has(file) for file in self.snapshot.files)


class SnapshotCache:
    """The folder of published libraries opened here, with least recently used eviction.

    Processes share it: each marks the snapshots it uses with a file that contains its process id.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        """Keep at most this many bytes, but always the snapshots in use."""
        self._folder = folder
        self._most_bytes = most_bytes
        self._guard = threading.Lock()
        self._marks: dict[Path, list[Path]] = {}

    # Contents

    def known(self, address: str) -> CachedSnapshot | None:
        """Return the newest snapshot of a library that can be searched without a connection."""
        snapshots = [
            cached
            for folder in self._library(address).glob("*")
            if (cached := self._read(folder, address)) is not None and cached.has_catalog
        ]
        return max(
            snapshots, key=lambda cached: (cached.is_whole, cached.snapshot.id), default=None
        )

    def find(self, address: str, snapshot_id: str) -> CachedSnapshot | None:
        """Return a snapshot with an existing folder, whose files may be incomplete."""
        return self._read(self._library(address) / snapshot_id, address)

    def folder_for(self, address: str, snapshot: Snapshot) -> CachedSnapshot:
        """Return the folder for a snapshot; make room for it if necessary.

        Raises:
            LibraryError: it does not fit in the cache, or the cache cannot be written.
        """
        if snapshot.size_bytes > self._most_bytes:
            raise LibraryError(
                "The library {0} needs {1} MB, but published libraries may use only {2} MB on "
                "this computer. Raise libraries_cache_mb in settings.json.",
                address,
                -(-snapshot.size_bytes // 1_000_000),
                self._most_bytes // 1_000_000,
            )
        folder = self._library(address) / snapshot.id
        with self._sentences():
            own_files.make_folder(folder)
            if self._read(folder, address) is None:
                own_files.write(folder / _MANIFEST, pack_snapshot(snapshot))
        return CachedSnapshot(snapshot, folder)

    @contextlib.contextmanager
    def in_use(self, cached: CachedSnapshot) -> Iterator[None]:
        """Protect a snapshot from eviction, by any process, during the block."""
        self.hold(cached)
        try:
            yield
        finally:
            self.let_go(cached)

    def hold(self, cached: CachedSnapshot) -> None:
        """Mark a snapshot as in use; each call needs its own `let_go`."""
        mark = cached.folder / f"{_IN_USE}{os.getpid()}-{secrets.token_hex(4)}"
        with self._sentences():
            own_files.make_file(mark)
            (cached.folder / _USED).touch()
        with self._guard:
            self._marks.setdefault(cached.folder, []).append(mark)

    def let_go(self, cached: CachedSnapshot) -> None:
        """End a use of a snapshot."""
        with self._guard:
            mark = self._marks[cached.folder].pop()
        own_files.discard(mark)

    # Fetching

    def fetch(
        self, store: Store, cached: CachedSnapshot, job: Job, *, catalog_only: bool = False
    ) -> None:
        """Fetch the missing files, with each chunk verified; existing files are kept.

        Args:
            store: the source.
            cached: the snapshot, which is in use.
            job: receives progress, in chunks; fetched files stay if it is cancelled.
            catalog_only: whether the catalog suffices, which allows searches by words.

        Raises:
            Cancelled: the job was cancelled.
            SnapshotMissingError: the snapshot no longer exists.
            LibraryDamagedError: a chunk has a wrong hash.
            StoreError: the store does not respond.
            DiskFullError: the disk is full.
        """
        self.trim()
        wanted = [
            file
            for file in cached.snapshot.files
            if not cached.has(file) and (file.path == CATALOG or not catalog_only)
        ]
        total, done = sum(len(file.chunks) for file in wanted), 0
        candidates = self._other_snapshots(cached, store.address)
        for file in wanted:
            with self._sentences():
                if not self._take_over(file, cached, candidates):
                    self._put_together(store, file, cached, candidates, job, done, total)
            done += len(file.chunks)

    def _put_together(
        self,
        store: Store,
        file: PublishedFile,
        cached: CachedSnapshot,
        candidates: list[CachedSnapshot],
        job: Job,
        done: int,
        total: int,
    ) -> None:
        """Write a file, reusing chunks of older snapshots, and rename it when complete."""
        path = cached.folder / file.path
        own_files.make_folder(path.parent)
        partial_file = path.with_name(f"{path.name}.part")
        old = _pieces_of(file.path, candidates)
        whole = hashlib.sha256()
        length = cached.snapshot.chunk_bytes
        with partial_file.open("r+b" if partial_file.exists() else "w+b") as written:
            for index, chunk in enumerate(file.chunks):
                job.checkpoint()
                job.report(Progress(Stage.FETCHING, done + index, total, file.path))
                # Chunks from an interrupted download.
                written.seek(index * length)
                data = written.read(length)
                if hashlib.sha256(data).hexdigest() != chunk:
                    left = min(length, file.size_bytes - index * length)
                    data = _old_piece(old, chunk) or _piece(store, chunk, left, job)
                    written.seek(index * length)
                    written.write(data)
                whole.update(data)
            written.truncate(file.size_bytes)
            written.flush()
            os.fsync(written.fileno())
        if whole.hexdigest() != file.sha256 or partial_file.stat().st_size != file.size_bytes:
            own_files.discard(partial_file)
            raise damaged(store.address)
        try:
            partial_file.replace(path)
        except FileNotFoundError:
            # Another process fetched the same file, and was faster.
            if not path.is_file():
                raise

    def _take_over(
        self, file: PublishedFile, cached: CachedSnapshot, candidates: list[CachedSnapshot]
    ) -> bool:
        """Link an identical file of an older snapshot."""
        if file.path == CATALOG:
            return False  # it may be upgraded in place
        for other in candidates:
            if other.snapshot.file(file.path) == file and other.has(file):
                target = cached.folder / file.path
                own_files.make_folder(target.parent)
                try:
                    os.link(other.folder / file.path, target)
                except OSError:
                    return False
                return True
        return False

    def _other_snapshots(self, cached: CachedSnapshot, address: str) -> list[CachedSnapshot]:
        snapshots = [self._read(folder, address) for folder in cached.folder.parent.glob("*")]
        return [other for other in snapshots if other is not None and other.folder != cached.folder]

    # Room

    def trim(self) -> None:
        """Evict the least recently used snapshots until the cache fits; never those in use."""
        folders = [folder for folder in self._folder.glob("*/*") if folder.is_dir()]
        sizes = {folder: _size_of(folder) for folder in folders}
        left = sum(sizes.values())
        for folder in sorted(folders, key=_used_s):
            if left <= self._most_bytes:
                break
            if not _is_in_use(folder):
                shutil.rmtree(folder, ignore_errors=True)
                left -= sizes[folder]

    def forget(self, address: str) -> None:
        """Remove all fetched snapshots of a library that are not in use."""
        for folder in self._library(address).glob("*"):
            if not _is_in_use(folder):
                shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(OSError):
            self._library(address).rmdir()

    # The parts

    def _library(self, address: str) -> Path:
        return self._folder / hashlib.sha256(address.encode()).hexdigest()[:16]

    def _read(self, folder: Path, address: str) -> CachedSnapshot | None:
        try:
            data = foreign_files.read(folder / _MANIFEST, MOST_BYTES)
            snapshot = unpack_snapshot(data, address)
        except (OSError, LibraryError):
            return None
        return CachedSnapshot(snapshot, folder)

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if own_files.is_out_of_room(error):
                raise DiskFullError(
                    "The disk of {0} is full. Free up space, or lower libraries_cache_mb in "
                    "settings.json.",
                    self._folder,
                ) from error
            raise LibraryError(
                "{0} cannot be written to ({1}). Set WINNOW_CACHE to a writable folder.",
                self._folder,
                error.strerror or error,
            ) from error


def _piece(store: Store, chunk: str, length: int, job: Job) -> bytes:
    try:
        data = store.read(chunk_name(chunk), length, job)
    except NotStoredError as error:
        raise SnapshotMissingError(chunk) from error
    except UnexpectedPieceError as error:
        raise damaged(store.address) from error
    if hashlib.sha256(data).hexdigest() != chunk:
        raise damaged(store.address)
    return data


def _pieces_of(path: str, candidates: list[CachedSnapshot]) -> dict[str, tuple[Path, int, int]]:
    """Return the positions of chunks in files of that name in other snapshots."""
    chunk_offsets = {}
    for other in candidates:
        file = other.snapshot.file(path)
        if file is not None and other.has(file):
            length = other.snapshot.chunk_bytes
            for index, chunk in enumerate(file.chunks):
                chunk_offsets[chunk] = (other.folder / path, index * length, length)
    return chunk_offsets


def _old_piece(old: dict[str, tuple[Path, int, int]], chunk: str) -> bytes | None:
    """Return a chunk from an older file, if its hash matches."""
    if chunk not in old:
        return None
    path, offset, length = old[chunk]
    try:
        with path.open("rb") as file:
            file.seek(offset)
            data = file.read(length)
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == chunk else None


def _size_of(folder: Path) -> int:
    """Return the bytes that deleting a folder would free, counting shared files once."""
    size = 0
    with contextlib.suppress(OSError):
        for path in folder.rglob("*"):
            status = path.stat()
            if path.is_file():
                size += status.st_size // max(status.st_nlink, 1)
    return size


def _used_s(folder: Path) -> float:
    try:
        return min((folder / _USED).stat().st_mtime, time.time())
    except OSError:
        return 0.0


def _is_in_use(folder: Path) -> bool:
    import psutil

    for mark in folder.glob(f"{_IN_USE}*"):
        process_id = mark.name.removeprefix(_IN_USE).partition("-")[0]
        if process_id.isdigit() and psutil.pid_exists(int(process_id)):
            return True
        own_files.discard(mark)
    return False


def default_cache() -> SnapshotCache:
    """Return the cache of published libraries, with the size of the settings."""
    most_mb = chosen(paths.home() / "settings.json").libraries_cache_mb
    return SnapshotCache(paths.cache() / "libraries", most_mb * 1_000_000)
