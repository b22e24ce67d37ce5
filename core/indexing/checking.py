"""Verification of all stored data of a library, and repair of damage.

The catalog contains the text of the documents; other damaged data is recomputed from it.
"""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from core.catalog import maintenance, manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.catalog_file import damaged
from core.catalog.integrity import checksums
from core.catalog.text import sql_functions, text_version
from core.encoders.folders.checkpoint import Checkpoint
from core.errors import LibraryDamagedError, Message, ModelError
from core.index import segment as segment_file
from core.index.generation import codebook_folder, is_intact
from core.index.segment import WrittenFile
from core.progress import Job, Progress, Stage
from core.settings import repair_settings, settings_problem

# Instructions of SQLite's virtual machine between two checks for cancellation: milliseconds.
_STEPS: Final = 100_000

# Errors that prevent the check of a word index, which SQLite treats as a write.
_NO_DAMAGE: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
}


@dataclass(frozen=True, slots=True)
class Problems:
    """The problems found, one sentence each, and the data to recreate.

    Attributes:
        sentences: for the person.
        segments: ids of damaged segments.
        documents: ids of documents to read again.
        is_of_catalog: whether the catalog itself is damaged.
    """

    sentences: tuple[str, ...]
    segments: tuple[int, ...] = ()
    documents: frozenset[int] = frozenset()
    is_of_catalog: bool = False


def check(home: Path, catalog: Catalog, checkpoint: Checkpoint, job: Job) -> Problems:
    """Read every byte of the library in `home`, and return the problems.

    Call it under the library's lock, unless the disk is read-only.

    Raises:
        Cancelled: the job was cancelled.
        LibraryDamagedError: the catalog cannot be read.
        LibraryBusyError: another process keeps the catalog locked for writing.
    """
    db = catalog.connection()
    with _cancellable(db, job), _changeable(db, catalog) as changeable:
        in_tables = [*_of_catalog(db, changeable, catalog.path)]
        documents = frozenset(checksums.changed_documents(db))
        if documents:
            in_tables.append(_of_documents(catalog.path, len(documents)))
        if pages := checksums.changed_pages(db):
            in_tables.append(_of_pages(catalog.path, len(pages)))
        if state := catalog.user_data_backup.state(db):
            in_tables.append(
                _of_user_data_backup(catalog.path, catalog.user_data_backup.path, state)
            )
        in_files = [] if in_tables else [*_of_files(home, db)]
    if problem := settings_problem(home / "settings.json"):
        in_files.append(problem)
    job.checkpoint()
    damaged = []
    rows = [row for row in manifest.segments(db) if row.passages]
    for segment_index, row in enumerate(rows):
        job.report(Progress(Stage.CHECKING, segment_index, len(rows), row.file))
        job.checkpoint()
        if problem := _of_segment(home / "index" / row.file, row, db):
            in_files.append(problem)
            damaged.append(row.id)
    try:
        checkpoint.verify()
    except ModelError as error:
        in_files.append(error.message)
    problems = (*in_tables, *in_files)
    return Problems(problems, tuple(damaged), documents, bool(in_tables))


def size(catalog: Catalog) -> tuple[int, int]:
    """Return the number of index files and their total size."""
    rows = [row for row in manifest.segments(catalog.connection()) if row.passages]
    return len(rows), sum(row.size_bytes for row in rows)


@contextlib.contextmanager
def _cancellable(db: sqlite3.Connection, job: Job) -> Iterator[None]:
    """Interrupt SQLite's long queries of the catalog when the job is cancelled."""
    db.set_progress_handler(lambda: job.is_cancelled, _STEPS)
    try:
        yield
    except sqlite3.OperationalError:
        job.checkpoint()
        raise
    finally:
        db.set_progress_handler(None, 0)


@contextlib.contextmanager
def _changeable(db: sqlite3.Connection, catalog: Catalog) -> Iterator[sqlite3.Connection]:
    """Yield a connection that may write, which SQLite needs to compare an index of words.

    On a read-only disk, this is a temporary copy of the catalog.
    """
    if catalog.is_writable:
        yield db
        return
    with (
        tempfile.TemporaryDirectory(prefix="winnow-check-") as folder,
        contextlib.closing(sqlite3.connect(Path(folder, "catalog.sqlite"))) as copy,
    ):
        sql_functions.add_functions(copy)
        checksums.add_functions(copy)
        db.backup(copy)
        yield copy


def repair(catalog: Catalog, home: Path, problems: Problems) -> None:
    """Remove damaged data, so that a sync recreates it.

    Raises:
        LibraryDamagedError: the catalog is damaged beyond repair.
    """
    repair_settings(home / "settings.json")
    db = catalog.connection()
    try:
        with catalog.transaction():
            if problems.is_of_catalog:
                db.execute("REINDEX")
                if not maintenance.repair(db, catalog.user_data_backup, problems.documents):
                    raise _beyond_repair(home, "its tables have changed")
            maintenance.rebuild_indexes(db)
            for segment_id in problems.segments:
                manifest.remove_segment(db, segment_id)
    except sqlite3.DatabaseError as error:
        # An error without a message of ours is damage for which SQLite has no code.
        raise _beyond_repair(home, str(error)) from error
    catalog.user_data_backup.write(db)
    if left := list(_of_catalog(db, db, catalog.path)):
        raise _beyond_repair(home, left[0])


def _beyond_repair(home: Path, how: str) -> LibraryDamagedError:
    return LibraryDamagedError(damaged(home, how))


def _of_documents(path: Path, count: int) -> str:
    return Message(
        "Document data in {0} has changed since the documents were read: {1}.", path, count
    )


def _of_pages(path: Path, count: int) -> str:
    return Message(
        "The recognised text of pages in {0} has changed since it was stored: {1}.", path, count
    )


def _of_user_data_backup(path: Path, second: Path, state: str) -> str:
    if state == "different":
        return Message("The folders, rules or judgements in {0} and {1} differ.", path, second)
    return Message(
        "The backup of folders, rules and judgements in {0} is missing, damaged or outdated.",
        second,
    )


def _of_catalog(
    db: sqlite3.Connection, changeable: sqlite3.Connection, path: Path
) -> Iterator[str]:
    problems = _sqlite_problems(db)
    if problems != ["ok"]:
        yield Message("The catalog {0} is damaged ({1}).", path, "; ".join(problems))
    has_tables = maintenance.has_written_tables(db)
    if not has_tables:
        yield Message("The tables of the catalog {0} do not match Winnow's schema.", path)
    strangers = {str(row[0]) for row in db.execute("PRAGMA foreign_key_check")}
    if strangers:
        yield Message(
            "The catalog {0} is damaged ({1} refer to missing rows).",
            path,
            ", ".join(sorted(strangers)),
        )
    # Those of an older version match other words, until the next sync builds them again.
    has_current_words = not has_tables or text_version.folding(db) == text_version.FOLDING
    if has_current_words and not (
        _agrees(changeable, "passages_fts")
        and (not has_tables or text_version.has_true_joined_forms(db))
    ):
        yield Message("The word index in {0} does not match the text.", path)
    if has_current_words and not _agrees(changeable, "names_fts"):
        yield Message("The name index in {0} does not match the documents.", path)
    if not maintenance.has_true_totals(db):
        yield Message("The totals in {0} do not match its passages.", path)


def _sqlite_problems(db: sqlite3.Connection) -> list[str]:
    """Return the problems that SQLite finds in the catalog, or ["ok"]."""
    try:
        return [str(row[0]) for row in db.execute("PRAGMA integrity_check(3)")]
    except sqlite3.DatabaseError as error:
        # Since 3.44, SQLite also checks full-text indexes, and fails if it cannot read them.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NO_DAMAGE:
            raise
        return [str(error)]


def _agrees(db: sqlite3.Connection, table: str) -> bool:
    """Return whether a word index matches its source table."""
    try:
        db.execute(f"INSERT INTO {table}({table}, rank) VALUES ('integrity-check', 1)")  # noqa: S608 - ours
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NO_DAMAGE:
            raise
        return False
    return True


def _of_files(home: Path, db: sqlite3.Connection) -> Iterator[str]:
    for row in (manifest.live(db), manifest.building(db)):
        if row is not None and row.spec.codebook:
            codebook = codebook_folder(home) / row.spec.codebook
            if not is_intact(codebook):
                yield Message("The library's codebook {0} is missing or damaged.", codebook)
    named = {row.file for row in manifest.segments(db)}
    folder = home / "index"
    there = [path.name for path in folder.iterdir() if path.is_file()] if folder.exists() else []
    stray = [name for name in there if name not in named]
    if stray:
        yield Message(
            "Temporary files of an interrupted indexing run remain in {0}: {1}.", folder, len(stray)
        )


def _of_segment(path: Path, row: manifest.SegmentRow, db: sqlite3.Connection) -> str:
    """Return the problem with a file of the index; "" for none."""
    try:
        data = segment_file.read(path, WrittenFile(row.size_bytes, row.checksum))
    except LibraryDamagedError as error:
        return error.message
    there = passages.in_segment(db, row.id)
    if not np.isin(there, data.passage_ids).all():
        return Message("Passages listed in the catalog are missing from the index file {0}.", path)
    vectors = passages.vectors_in_segment(db, row.id)
    tombstones = manifest.tombstones(db).get(row.id, [])
    alive = ~np.isin(data.passage_ids, tombstones)
    stored = dict(
        zip(data.passage_ids.tolist(), np.diff(data.passage_offsets).tolist(), strict=True)
    )
    if set(data.passage_ids[alive].tolist()) != set(there) or any(
        stored[passage_id] != count for passage_id, count in vectors.items()
    ):
        return Message("The catalog does not match the contents of the index file {0}.", path)
    return ""
