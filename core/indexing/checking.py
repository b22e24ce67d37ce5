"""Whether all that a library has stored is as it was written, and what to do where it is not.

The text of documents lies in the catalog; whatever else is damaged can be made again from it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from core.catalog import derived, indexes, passages, segments
from core.catalog.catalog import Catalog
from core.catalog.records import CheckReport
from core.encoders.checkpoint import Checkpoint
from core.errors import LibraryDamagedError, LibraryError, ModelError
from core.index import segment as segment_file
from core.index.edition import codebook_folder, is_intact
from core.index.segment import WrittenFile
from core.indexing.editions import Editions
from core.progress import Job, Progress, Stage

_STEPS: Final = 100_000
"""Of SQLite's machine, between two looks whether somebody waits for its end: milliseconds."""

_NO_DAMAGE: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
}
"""What keeps SQLite from looking at an index of words, which is a change to it."""


def check(
    home: Path, catalog: Catalog, editions: Editions, job: Job, *, repairs: bool
) -> CheckReport:
    """Read every byte of the library in `home`; where asked, make anew what is damaged.

    Call it under the library's lock.

    Raises:
        Cancelled: the job was cancelled.
        LibraryError: the catalog cannot be read, or is damaged beyond repair.
        LibraryBusyError: somebody else changes the catalog, and for long.
    """
    rows = [row for row in segments.all_of(catalog.connection()) if row.passages]
    found, damaged = _problems(home, catalog, editions.checkpoint, job)
    left = found
    if found and repairs:
        _take_out(home, catalog, damaged)
        editions.clean()
        editions.encode(job)
        left, _ = _problems(home, catalog, editions.checkpoint, job)
    return CheckReport(
        problems=tuple(found),
        is_repaired=bool(found) and not left,
        files=len(rows),
        size_bytes=sum(row.size_bytes for row in rows),
    )


@contextlib.contextmanager
def _cancellable(db: sqlite3.Connection, job: Job) -> Iterator[None]:
    """Have SQLite give up its long looks at the catalog when the job is cancelled."""
    db.set_progress_handler(lambda: job.is_cancelled, _STEPS)
    try:
        yield
    except sqlite3.OperationalError:
        job.checkpoint()
        raise
    finally:
        db.set_progress_handler(None, 0)


def _problems(
    home: Path, catalog: Catalog, checkpoint: Checkpoint, job: Job
) -> tuple[list[str], list[int]]:
    """All that is wrong, a sentence each, and the numbers of the segments that are damaged."""
    db = catalog.connection()
    with _cancellable(db, job):
        found = [*_of_catalog(db, catalog.path), *_of_files(home, db)]
    job.checkpoint()
    damaged = []
    rows = [row for row in segments.all_of(db) if row.passages]
    for number, row in enumerate(rows):
        job.report(Progress(Stage.CHECKING, number, len(rows), row.file))
        job.checkpoint()
        if problem := _of_segment(home / "index" / row.file, row, db):
            found.append(problem)
            damaged.append(row.id)
    try:
        checkpoint.verify()
    except ModelError as error:
        found.append(str(error))
    return found, damaged


def _take_out(home: Path, catalog: Catalog, damaged: Sequence[int]) -> None:
    """Have what is damaged made again: passages want their vectors, words are indexed anew."""
    db = catalog.connection()
    with catalog.transaction():
        derived.make_again(db)
        for number in damaged:
            segments.remove(db, number)
    if left := list(_of_catalog(db, catalog.path)):
        raise LibraryError(
            f"{left[0]} This cannot be repaired: move {home} away and index your folders again. "
            "Your documents are untouched."
        )


def _of_catalog(db: sqlite3.Connection, path: Path) -> Iterator[str]:
    found = [str(row[0]) for row in db.execute("PRAGMA integrity_check(3)")]
    if found != ["ok"]:
        yield f"The catalog {path} is damaged ({'; '.join(found)})."
    strangers = {str(row[0]) for row in db.execute("PRAGMA foreign_key_check")}
    if strangers:
        yield f"The catalog {path} is damaged ({', '.join(sorted(strangers))} name what is gone)."
    if not _agrees(db, "passages_fts"):
        yield f"The index of words in {path} does not agree with the text."
    if not _agrees(db, "names_fts"):
        yield f"The index of names in {path} does not agree with the documents."


def _agrees(db: sqlite3.Connection, table: str) -> bool:
    """Whether an index of words holds what it was made of, and nothing else."""
    try:
        db.execute(f"INSERT INTO {table}({table}, rank) VALUES ('integrity-check', 1)")  # noqa: S608 - ours
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NO_DAMAGE:
            raise
        return False
    return True


def _of_files(home: Path, db: sqlite3.Connection) -> Iterator[str]:
    for row in (indexes.live(db), indexes.making(db)):
        if row is not None and row.codebook:
            codebook = codebook_folder(home) / row.codebook
            if not is_intact(codebook):
                yield f"The library's codebook {codebook} is missing or damaged."
    named = {row.file for row in segments.all_of(db)}
    folder = home / "index"
    there = [path.name for path in folder.iterdir() if path.is_file()] if folder.exists() else []
    stray = [name for name in there if name not in named]
    if stray:
        yield f"Files of an indexing that was killed are left over in {folder}: {len(stray)}."


def _of_segment(path: Path, row: segments.SegmentRow, db: sqlite3.Connection) -> str:
    """What is wrong with a file of the index; "" for nothing."""
    try:
        data = segment_file.read(path, WrittenFile(row.size_bytes, row.checksum))
    except LibraryDamagedError as error:
        return str(error)
    if not np.isin(passages.in_segment(db, row.id), data.passages).all():
        return f"The index file {path} lacks passages that the catalog says it holds."
    return ""
