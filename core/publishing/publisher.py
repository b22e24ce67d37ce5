"""Publishing a library: new data is uploaded in chunks, and the snapshot is switched atomically."""

import contextlib
import hashlib
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import core
from core import errors
from core.catalog import document_queries, manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.catalog_file import sentences
from core.catalog.documents import DocumentState
from core.catalog.integrity import checksums
from core.catalog.manifest import GenerationRow
from core.catalog.schema import VERSION
from core.catalog.text import sql_functions
from core.files import own_files, paths
from core.printable import label
from core.progress import Job, Progress, Stage
from core.publishing.claim import PublishClaim, claimed
from core.publishing.snapshot import (
    CATALOG,
    CHUNK_BYTES,
    CURRENT,
    MOST_BYTES,
    MOST_CURRENT_BYTES,
    Current,
    PublishedFile,
    PublishedModel,
    Replaced,
    Snapshot,
    chunk_name,
    damaged,
    pack_current,
    pack_snapshot,
    snapshot_name,
    unpack_current,
    unpack_snapshot,
)
from core.publishing.store import NotStoredError, Store, UnexpectedPieceError

# How long a replaced snapshot is kept.
GRACE: Final = timedelta(days=1)
# Attempts: a segment may be merged away while it is copied.
_TRIES: Final = 3
# Private tables, and the queue of work for this machine.
_PRIVATE: Final = (
    "DELETE FROM judgements",
    "DELETE FROM adopted",
    "DELETE FROM rereads",
    "DELETE FROM purges",
    "DELETE FROM generations WHERE NOT is_live",
    "DELETE FROM staged",
    "DELETE FROM closed",
    "DELETE FROM file_identities",
    "UPDATE seen SET without_text = 0, unreadable = 0",
    "UPDATE folders SET rules = '{}', mounts = '[]', is_offline = 0",
    "UPDATE folders SET description = '', left_out = '{}'",
    "DELETE FROM recognised WHERE hash NOT IN (SELECT hash FROM documents WHERE hash IS NOT NULL)",
    "UPDATE kept SET changes = 0",
)


@dataclass(frozen=True, slots=True)
class PublishReport:
    """The result of publishing.

    Attributes:
        snapshot: the current one.
        is_new: whether it differs from the one before.
        size_bytes: of all its files.
        written_bytes: of newly written chunks.
        written: number of newly written chunks.
        removed: number of removed chunks, which no snapshot contains.
    """

    snapshot: Snapshot
    is_new: bool
    size_bytes: int
    written_bytes: int
    written: int
    removed: int


def publish(
    catalog: Catalog,
    store: Store,
    name: str,
    model_of: Callable[[GenerationRow], PublishedModel],
    job: Job,
    *,
    usual_name: str = "",
    grace: timedelta = GRACE,
    checks: bool = False,
    chunk_bytes: int = CHUNK_BYTES,
) -> PublishReport:
    """Publish the library's current state; indexing and searching continue meanwhile.

    May be cancelled or killed at any time: the previous snapshot stays, and chunks already copied
    are reused.

    Args:
        catalog: the library's.
        store: the destination.
        name: the library's displayed name; "" to keep the previous one.
        model_of: returns the model of the live generation.
        job: receives progress, in chunks.
        usual_name: the name if nothing was published there before.
        grace: how long replaced snapshots are kept.
        checks: whether existing chunks are read and compared.
        chunk_bytes: the length of a chunk.

    Raises:
        Cancelled: the job was cancelled.
        LibraryBusyError: another program publishes there, or indexing changes the files too fast.
        LibraryTooNewError: a newer Winnow published there.
        StoreError: the store does not respond, or denies access.
        DiskFullError: the store is full, or this disk, which needs space for a copy of the catalog.
    """
    with claimed(store) as claim, catalog.until_closed(job):
        store.sweep()
        before = _before(store)
        # Shortened as for readers.
        name = label(name or (before[1].name if before is not None else usual_name))
        publishing = _Publishing(catalog, store, claim, job, before, checks, chunk_bytes)
        for _ in range(_TRIES):
            try:
                return publishing.publish(name, model_of, grace)
            except FileNotFoundError:
                job.checkpoint()
    raise errors.LibraryBusyError(
        "The library in {0} is changing too fast to be published. Try again after indexing has "
        "finished.",
        catalog.path.parent,
    )


def newest(store: Store, job: Job | None = None) -> tuple[Current, Snapshot]:
    """Return the current snapshot.

    Raises:
        Cancelled: the job was cancelled.
        NotStoredError: nothing was published there.
        LibraryDamagedError: its file is damaged.
        LibraryTooNewError: a newer Winnow published it.
        StoreError: the store does not respond.
    """
    for is_last in (False, True):
        try:
            data = store.read(CURRENT, MOST_CURRENT_BYTES, job)
        except UnexpectedPieceError as error:
            raise damaged(store.address) from error
        current = unpack_current(data, store.address)
        try:
            data = store.read(snapshot_name(current.id), MOST_BYTES, job)
        except UnexpectedPieceError as error:
            raise damaged(store.address) from error
        except NotStoredError as error:
            # It may have just been replaced and removed.
            if is_last:
                raise damaged(store.address) from error
            continue
        if hashlib.sha256(data).hexdigest() == current.sha256:
            return current, unpack_snapshot(data, store.address)
    raise damaged(store.address)


def _before(store: Store) -> tuple[Current, Snapshot] | None:
    """Return the previous snapshot, if it can be built upon."""
    try:
        return newest(store)
    except (NotStoredError, errors.LibraryDamagedError):
        return None
    except errors.LibraryTooNewError as error:
        raise errors.LibraryTooNewError(
            "{0} was published by a newer version of Winnow. Update Winnow to publish there.",
            store.address,
        ) from error


class _Publishing:
    """A run of publishing: which chunks exist, and which were written."""

    def __init__(
        self,
        catalog: Catalog,
        store: Store,
        claim: PublishClaim,
        job: Job,
        before: tuple[Current, Snapshot] | None,
        checks: bool,
        chunk_bytes: int,
    ) -> None:
        self._catalog = catalog
        self._home = catalog.path.parent
        self._store = store
        self._claim = claim
        self._job = job
        self._before = before
        self._checks = checks
        self._chunk_bytes = chunk_bytes
        self._stored = {name: file.size_bytes for name, file in store.files("data").items()}
        self._written = self._written_bytes = 0
        self._done = self._total = 0

    def publish(
        self, name: str, model_of: Callable[[GenerationRow], PublishedModel], grace: timedelta
    ) -> PublishReport:
        """Publish; raises FileNotFoundError if a segment was removed in the meantime."""
        with _copy(self._catalog) as copied:
            snapshot, file_paths = _described(copied, name, model_of, self._chunk_bytes)
            paths = {CATALOG: copied, **{path: self._home / path for path in file_paths}}
            sizes = [file.stat().st_size for file in paths.values()]
            self._done, self._total = 0, sum(-(-size // self._chunk_bytes) for size in sizes)
            files = tuple(self._put(path, file) for path, file in paths.items())
        snapshot = replace(snapshot, files=files)
        if self._before is not None and _is_same(self._before[1], snapshot):
            current, snapshot = self._before
            is_new = False
        else:
            snapshot = self._numbered(snapshot)
            data = pack_snapshot(snapshot)
            self._store.write(snapshot_name(snapshot.id), data)
            current = Current(snapshot.id, hashlib.sha256(data).hexdigest(), self._older(snapshot))
            is_new = True
        current, expired = _without_expired(current, grace)
        if is_new or expired:
            self._claim.check()
            self._store.write(CURRENT, pack_current(current))
        removed = self._clean(current, snapshot)
        return PublishReport(
            snapshot, is_new, snapshot.size_bytes, self._written_bytes, self._written, removed
        )

    def _put(self, path: str, source: Path) -> PublishedFile:
        """Write the missing chunks of a file to the store."""
        known = self._known(path, source.stat().st_size)
        if known is not None:
            self._report(path, len(known.chunks))
            return known
        whole, chunks = hashlib.sha256(), []
        size = 0
        with source.open("rb") as file:
            while data := file.read(self._chunk_bytes):
                whole.update(data)
                size += len(data)
                chunks.append(self._put_chunk(data))
                self._report(path, 1)
        return PublishedFile(path, size, whole.hexdigest(), tuple(chunks))

    def _known(self, path: str, size_bytes: int) -> PublishedFile | None:
        """Return a file's previous entry, if the file need not be read again."""
        if self._before is None or self._checks or path == CATALOG:
            return None
        before = self._before[1]
        known = before.file(path)
        # Segments and codebooks are never changed, and no two have the same name.
        if known is None or (known.size_bytes, before.chunk_bytes) != (
            size_bytes,
            self._chunk_bytes,
        ):
            return None
        chunks = replace(before, files=(known,)).chunks
        is_there = all(self._is_stored(chunk, length) for chunk, length in chunks.items())
        return known if is_there else None

    def _put_chunk(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        is_there = self._is_stored(digest, len(data))
        if not is_there or (self._checks and self._is_damaged(digest, len(data))):
            self._claim.renew()
            self._store.write(chunk_name(digest), data)
            self._stored[chunk_name(digest)] = len(data)
            self._written += 1
            self._written_bytes += len(data)
        return digest

    def _is_stored(self, digest: str, length: int) -> bool:
        return self._stored.get(chunk_name(digest)) == length

    def _is_damaged(self, digest: str, length: int) -> bool:
        try:
            data = self._store.read(chunk_name(digest), length, self._job)
        except (NotStoredError, UnexpectedPieceError):
            return True
        return hashlib.sha256(data).hexdigest() != digest

    def _report(self, path: str, chunks: int) -> None:
        self._job.checkpoint()
        self._done += chunks
        self._job.report(Progress(Stage.PUBLISHING, self._done, self._total, path))

    def _numbered(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot with a number above all existing ones."""
        names = self._store.files("snapshots")
        snapshot_numbers = [
            int(stem[:8]) for name in names if (stem := Path(name).stem)[:8].isdigit()
        ]
        digest = hashlib.sha256(pack_snapshot(replace(snapshot, id=""))).hexdigest()
        return replace(snapshot, id=f"{max(snapshot_numbers, default=0) + 1:08d}-{digest[:12]}")

    def _older(self, snapshot: Snapshot) -> tuple[Replaced, ...]:
        if self._before is None:
            return ()
        current, _ = self._before
        return (Replaced(current.id, snapshot.published_at), *current.older)

    def _clean(self, current: Current, snapshot: Snapshot) -> int:
        """Remove expired snapshots, and chunks that no remaining one contains."""
        used = {chunk_name(chunk) for chunk in snapshot.chunks}
        named = {snapshot_name(current.id)}
        for older in current.older:
            name = snapshot_name(older.id)
            try:
                data = self._store.read(name, MOST_BYTES, self._job)
                chunks = unpack_snapshot(data, self._store.address).chunks
            except (NotStoredError, UnexpectedPieceError, errors.LibraryError):
                continue
            named.add(name)
            used.update(map(chunk_name, chunks))
        for name in self._store.files("snapshots"):
            if name not in named:
                self._store.remove(name)
        expired = [name for name in self._stored if name not in used]
        for name in expired:
            self._job.checkpoint()
            self._store.remove(name)
        return len(expired)


def _without_expired(current: Current, grace: timedelta) -> tuple[Current, bool]:
    """Return the current snapshot without expired older ones, and whether there were any."""
    now = datetime.now(UTC)
    used = []
    for older in current.older:
        try:
            replaced_at = datetime.fromisoformat(older.replaced_at)
        except ValueError:
            continue
        # It was replaced by a clock that was ahead: count from now.
        replaced_at = min(replaced_at, now)
        if now - replaced_at < grace:
            used.append(replace(older, replaced_at=replaced_at.isoformat()))
    return replace(current, older=tuple(used)), len(used) < len(current.older)


def _is_same(before: Snapshot, snapshot: Snapshot) -> bool:
    return replace(before, id="", published_at="", winnow="") == replace(
        snapshot, id="", published_at="", winnow=""
    )


def _described(
    copied: Path, name: str, model_of: Callable[[GenerationRow], PublishedModel], chunk_bytes: int
) -> tuple[Snapshot, list[str]]:
    """Return the snapshot's description of a copied catalog, and its other files."""
    with contextlib.closing(sqlite3.connect(copied)) as db:
        db.row_factory = sqlite3.Row
        row = manifest.live(db)
        segments = [each for each in manifest.segments(db) if row and each.codec == row.codec]
        counted, states = passages.counts(db), document_queries.count(db)
    files = [f"index/{segment.file}" for segment in segments if segment.passages]
    if row is not None and row.spec.codebook:
        files.append(f"codebooks/{row.spec.codebook}")
    snapshot = Snapshot(
        id="",
        name=name,
        winnow=core.__version__,
        catalog=VERSION,
        published_at=datetime.now(UTC).isoformat(timespec="seconds"),
        model=model_of(row) if row is not None else None,
        codec=row.codec if row is not None else "",
        documents=states[DocumentState.READ],
        passages=counted.passages,
        chunk_bytes=chunk_bytes,
        files=(),
    )
    return snapshot, files


@contextlib.contextmanager
def _copy(catalog: Catalog) -> Iterator[Path]:
    """Copy the catalog's current state, without private tables.

    Pages keep their positions, and deleted data is overwritten, so that the chunks of two copies
    are equal wherever the catalog is unchanged.
    """
    folder = paths.cache() / "publishing"
    path = folder / f".winnow-{os.getpid()}-{secrets.token_hex(4)}.making"
    try:
        own_files.make_folder(folder)
        own_files.sweep(folder)
        own_files.make_file(path)
    except OSError as error:
        raise _no_copy(folder, error) from error
    try:
        with sentences(path), contextlib.closing(sqlite3.connect(path)) as db:
            with catalog.reading() as whole:
                # In one step, which is a consistent snapshot and does not block writers.
                whole.backup(db)
            db.row_factory = sqlite3.Row
            db.isolation_level = None
            sql_functions.add_functions(db)
            checksums.add_functions(db)
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute("PRAGMA synchronous = OFF")
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA secure_delete = ON")
            db.execute("BEGIN")
            for statement in _PRIVATE:
                db.execute(statement)
            manifest.drop_unnamed_segments(db)
            # A model's folder is a path on this machine; its name and fingerprint suffice.
            rows = db.execute("SELECT id, source, name FROM generations").fetchall()
            for row in rows:
                if any(mark in row["source"] for mark in "/\\"):
                    db.execute(
                        "UPDATE generations SET source = ? WHERE id = ?", [row["name"], row["id"]]
                    )
            db.execute("COMMIT")
        yield path
    finally:
        own_files.discard(path)


def _no_copy(folder: Path, error: OSError) -> errors.LibraryError:
    if own_files.is_out_of_room(error):
        return errors.DiskFullError(
            "The disk of {0} is full. Publishing needs space there for a copy of the catalog.",
            folder,
        )
    return errors.LibraryError(
        "{0} cannot be written to ({1}). Set WINNOW_CACHE to a writable folder.",
        folder,
        error.strerror,
    )
