"""Documents as the catalog has them, to be compared with the files that there are."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from core.catalog import places
from core.catalog.documents import FileStamp
from core.catalog.records import DocumentState

if TYPE_CHECKING:
    from core.catalog.scope import Condition


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A document as the catalog has it; `place` is its path, as text because there are many.

    `was_read` tells whether what the hash is of was read to its end, with all that lies in it;
    `is_due` that it is to be read once more although it has not changed.
    """

    id: int
    place: str
    stamp: FileStamp
    hash: str | None
    state: DocumentState
    title: str
    was_read: bool
    author: str = ""
    date: str = ""
    is_due: bool = False

    @property
    def path(self) -> Path:
        return Path(self.place)


_KNOWN = (
    "SELECT id, path, size_bytes, mtime_ns, hash, state, reason, title, author, date,"
    " id IN (SELECT document_id FROM rereads) AS is_due FROM documents "
)
_PATHS = "SELECT path FROM documents "
# The signs have SQLite look for paths, and not go through all documents that are files.
_FILES_OF = "WHERE +folder_id = ? AND +container_id IS NULL "


def in_folder(db: sqlite3.Connection, folder_id: int) -> Iterator[KnownDocument]:
    """The documents of a folder that are files; they may be a million."""
    rows = db.execute(_KNOWN + "WHERE folder_id = ? AND container_id IS NULL", [folder_id])
    return map(_known, rows)


def in_places(
    db: sqlite3.Connection, folder_id: int, whole: Iterable[str], listed: Iterable[str]
) -> Iterator[KnownDocument]:
    """Of the documents of a folder that are files those in some places of it.

    Args:
        db: the catalog.
        folder_id: the folder's number.
        whole: paths of documents, and of folders that are meant with all that lies in them.
        listed: folders that are meant with what lies in them directly.
    """
    given: set[int] = set()
    for condition, values in chain(map(_in_whole, whole), map(_directly_in, listed)):
        for row in db.execute(_KNOWN + _FILES_OF + condition, [folder_id, *values]):
            if row["id"] not in given:
                given.add(row["id"])
                yield _known(row)


def _in_whole(path: str) -> Condition:
    return "AND (path = ? OR (path > ? AND path < ?))", [path, *places.range_below(path)]


def _directly_in(folder: str) -> Condition:
    below = places.range_below(folder)
    condition = "AND path > ? AND path < ? AND instr(substr(path, ?), ?) = 0"
    return condition, [*below, len(below[0]) + 1, os.sep]


def paths_in(db: sqlite3.Connection, folder_id: int, place: Path) -> Iterator[str]:
    """The paths of a folder's files that lie in a place of it, at any depth."""
    rows = db.execute(
        _PATHS + _FILES_OF + "AND path > ? AND path < ?",
        [folder_id, *places.range_below(place)],
    )
    return (row["path"] for row in rows)


def stamps_below(db: sqlite3.Connection, folder: Path) -> dict[str, FileStamp]:
    """The files in a folder, at any depth, that do not wait to be read."""
    rows = db.execute(
        "SELECT path, size_bytes, mtime_ns FROM documents WHERE +container_id IS NULL"
        " AND state != ? AND path > ? AND path < ?",
        [DocumentState.FOUND, *places.range_below(folder)],
    )
    return {row["path"]: FileStamp(row["size_bytes"], row["mtime_ns"]) for row in rows}


def waiting(db: sqlite3.Connection) -> list[KnownDocument]:
    """The documents that are to be read: small ones first, and of these the newest first."""
    rows = db.execute(
        _KNOWN + "WHERE state = ? OR is_due"
        " ORDER BY is_due, size_bytes > 20000000, size_bytes > 1000000, mtime_ns DESC, path",
        [DocumentState.FOUND],
    )
    return [_known(row) for row in rows]


def fetch(db: sqlite3.Connection, number: int) -> KnownDocument | None:
    """A document by its number; None if it is gone."""
    row = db.execute(_KNOWN + "WHERE id = ?", [number]).fetchone()
    return _known(row) if row else None


def holder(db: sqlite3.Connection, number: int) -> KnownDocument | None:
    """The document whose file holds a document: its own, or that of the outermost container."""
    row = db.execute(
        """
        WITH RECURSIVE up(id, container_id) AS (
            SELECT id, container_id FROM documents WHERE id = ?
            UNION ALL
            SELECT documents.id, documents.container_id
            FROM documents JOIN up ON documents.id = up.container_id
        )
        SELECT id FROM up WHERE container_id IS NULL
        """,
        [number],
    ).fetchone()
    return fetch(db, row["id"]) if row else None


def _known(row: sqlite3.Row) -> KnownDocument:
    return KnownDocument(
        id=row["id"],
        place=row["path"],
        stamp=FileStamp(row["size_bytes"], row["mtime_ns"]),
        hash=row["hash"],
        state=DocumentState(row["state"]),
        title=row["title"],
        was_read=row["hash"] is not None and not row["reason"] and not row["is_due"],
        author=row["author"],
        date=row["date"],
        is_due=bool(row["is_due"]),
    )
