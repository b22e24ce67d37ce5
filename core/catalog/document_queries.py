"""Queries of the catalog's documents: the known files and members, and what has changed."""

import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from core.catalog.document_paths import path_range
from core.catalog.documents import DocumentState, ReadDocument
from core.catalog.text.normalisation import Condition
from core.errors import Message
from core.files.filesystems import FileStamp


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A row of a document; `path_text` is its path, as a string to save memory.

    `container_id` is the document that contains it, None for a file. The `hash` of a member is None
    until all of its own members are read. `is_due` means that it is read again although it is
    unchanged.
    """

    id: int
    path_text: str
    stamp: FileStamp
    hash: str | None
    state: DocumentState
    title: str
    author: str
    date: str
    reason: str
    container_id: int | None
    is_due: bool

    @property
    def path(self) -> Path:
        return Path(self.path_text)

    @property
    def was_read(self) -> bool:
        """Whether the hashed content was read completely, including its members."""
        return self.hash is not None and not self.reason and not self.is_due


_KNOWN = (
    "SELECT id, path, size_bytes, mtime_ns, ctime_ns, inode, hash, state, title, author, date,"
    " reason, container_id, id IN (SELECT document_id FROM rereads) AS is_due"
    " FROM documents LEFT JOIN file_identities ON document_id = id "
)
# The unary plus signs make SQLite use the index of paths instead of scanning all files.
_FILES_OF = "WHERE +folder_id = ? AND +container_id IS NULL "


def authors(db: sqlite3.Connection) -> list[str]:
    """Return the different names of authors, each as it is stored."""
    return [row[0] for row in db.execute("SELECT DISTINCT author FROM documents")]


def read(db: sqlite3.Connection) -> tuple[ReadDocument, ...]:
    """Return the documents that were read, by path, including those without text."""
    rows = db.execute(
        "SELECT id, path, title, pages, author, date FROM documents WHERE state IN (?, ?)"
        " ORDER BY path",
        [DocumentState.READ, DocumentState.NO_TEXT],
    )
    return tuple(ReadDocument(row[0], Path(row[1]), *row[2:]) for row in rows)


def at(db: sqlite3.Connection, path: Path) -> tuple[DocumentState, str, ReadDocument] | None:
    """Return the document at a path, with its state and the reason if unreadable, or None."""
    row = db.execute(
        "SELECT state, reason, id, path, title, pages, author, date FROM documents WHERE path = ?",
        [str(path)],
    ).fetchone()
    if row is None:
        return None
    state, reason, document_id, path_text, *described = row
    return (
        DocumentState(state),
        Message.unpacked(reason),
        ReadDocument(document_id, Path(path_text), *described),
    )


def count(db: sqlite3.Connection) -> dict[DocumentState, int]:
    """Return the number of documents in each state, from stored totals."""
    rows = db.execute("SELECT state, sum(documents) FROM document_totals GROUP BY state")
    counted = {DocumentState(state): documents for state, documents in rows}
    return {state: counted.get(state, 0) for state in DocumentState}


def in_folder(db: sqlite3.Connection, folder_id: int) -> Iterator[KnownDocument]:
    """Return the documents of a folder that are files; there may be a million."""
    rows = db.execute(_KNOWN + "WHERE folder_id = ? AND container_id IS NULL", [folder_id])
    return map(_known, rows)


def at_paths(
    db: sqlite3.Connection, folder_id: int, whole: Iterable[str], listed: Iterable[str]
) -> Iterator[KnownDocument]:
    """Return the documents of a folder that are files at the given paths.

    Args:
        db: the catalog.
        folder_id: the folder's id.
        whole: paths of documents, and of folders including all their subfolders.
        listed: folders without their subfolders.
    """
    seen: set[int] = set()
    for condition, values in chain(map(_in_whole, whole), map(_directly_in, listed)):
        for row in db.execute(_KNOWN + _FILES_OF + condition, [folder_id, *values]):
            if row["id"] not in seen:
                seen.add(row["id"])
                yield _known(row)


def _in_whole(path: str) -> Condition:
    return "AND (path = ? OR (path > ? AND path < ?))", [path, *path_range(path)]


def _directly_in(folder: str) -> Condition:
    below = path_range(folder)
    condition = "AND path > ? AND path < ? AND instr(substr(path, ?), ?) = 0"
    return condition, [*below, len(below[0]) + 1, os.sep]


def paths_in(db: sqlite3.Connection, folder_id: int, path: Path) -> Iterator[str]:
    """Return the paths of a folder's files below a path, at any depth."""
    rows = db.execute(
        f"SELECT path FROM documents {_FILES_OF} AND path > ? AND path < ?",  # noqa: S608 - ours
        [folder_id, *path_range(path)],
    )
    return (row["path"] for row in rows)


def stamps_below(db: sqlite3.Connection, folder: Path) -> dict[str, FileStamp]:
    """Return the files in a folder, at any depth, that are not waiting to be read."""
    rows = db.execute(
        "SELECT path, size_bytes, mtime_ns FROM documents WHERE +container_id IS NULL"
        " AND state != ? AND path > ? AND path < ?",
        [DocumentState.FOUND, *path_range(folder)],
    )
    return {row["path"]: FileStamp(row["size_bytes"], row["mtime_ns"]) for row in rows}


def waiting(db: sqlite3.Connection) -> list[KnownDocument]:
    """Return the documents to be read: small ones first, then the newest first."""
    rows = db.execute(
        _KNOWN + "WHERE state = ? OR is_due"
        " ORDER BY is_due, size_bytes > 20000000, size_bytes > 1000000, mtime_ns DESC, path",
        [DocumentState.FOUND],
    )
    return [_known(row) for row in rows]


def fetch(db: sqlite3.Connection, document_id: int) -> KnownDocument | None:
    """Return a document by id; None if it no longer exists."""
    row = db.execute(_KNOWN + "WHERE id = ?", [document_id]).fetchone()
    return _known(row) if row else None


def files_of(db: sqlite3.Connection, document_ids: Collection[int]) -> dict[int, Path]:
    """Return the path of the file of each document: its own, or its outermost container's."""
    rows = db.execute(
        """
        WITH RECURSIVE up(inner_id, id, container_id) AS (
            SELECT id, id, container_id FROM documents
            WHERE id IN (SELECT value FROM json_each(?))
            UNION ALL
            SELECT inner_id, documents.id, documents.container_id
            FROM documents JOIN up ON documents.id = up.container_id
        )
        SELECT inner_id, path FROM up JOIN documents ON documents.id = up.id
        WHERE up.container_id IS NULL
        """,
        [json.dumps(list(document_ids))],
    )
    return {row["inner_id"]: Path(row["path"]) for row in rows}


def holder(db: sqlite3.Connection, document_id: int) -> KnownDocument | None:
    """Return the document's file: the document itself, or its outermost container."""
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
        [document_id],
    ).fetchone()
    return fetch(db, row["id"]) if row else None


def member_at(db: sqlite3.Connection, path: Path) -> KnownDocument | None:
    """Return the member at a path."""
    row = db.execute(_KNOWN + "WHERE container_id IS NOT NULL AND path = ?", [str(path)]).fetchone()
    return _known(row) if row else None


def members_in(db: sqlite3.Connection, container_id: int) -> list[KnownDocument]:
    """Return the direct members of a container, in the order they were found in."""
    rows = db.execute(_KNOWN + "WHERE container_id = ? ORDER BY id", [container_id])
    return [_known(row) for row in rows]


def _known(row: sqlite3.Row) -> KnownDocument:
    document_id, path_text, size_bytes, mtime_ns, ctime_ns, inode, content_hash, state, *rest = row
    title, author, date, reason, *rest = rest
    return KnownDocument(
        document_id,
        path_text,
        FileStamp(size_bytes, mtime_ns, ctime_ns or 0, inode or 0),
        content_hash,
        DocumentState(state),
        title,
        author,
        date,
        Message.unpacked(reason),
        *rest,
    )


class DocumentChange(NamedTuple):
    """An entry of the log of changed documents.

    A recreated or restored catalog repeats its numbers; the random `token` distinguishes the
    entries.
    """

    number: int
    token: int


def newest_change(db: sqlite3.Connection) -> DocumentChange:
    """Return the latest entry of the log."""
    row = db.execute(
        "SELECT number, token FROM document_changes ORDER BY number DESC LIMIT 1"
    ).fetchone()
    return DocumentChange(0, 0) if row is None else DocumentChange(*row)


def changed_since(db: sqlite3.Connection, change: DocumentChange) -> list[int] | None:
    """Return the ids of the documents added, removed or changed since, without duplicates.

    None if unknown: the log is too short, or the change is from another catalog.
    """
    if change.number:
        row = db.execute(
            "SELECT token FROM document_changes WHERE number = ?", [change.number]
        ).fetchone()
        if row is None or row[0] != change.token:
            return None
    elif db.execute("SELECT min(number) > 1 FROM document_changes").fetchone()[0]:
        return None
    rows = db.execute(
        "SELECT DISTINCT document_id FROM document_changes WHERE number > ?", [change.number]
    )
    return [row[0] for row in rows]
