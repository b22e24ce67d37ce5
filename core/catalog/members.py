"""Members of containers: documents in archives, mailboxes and mails.

A member has a path below its container's, and is removed with it.
"""

import sqlite3
from collections.abc import Set as AbstractSet
from pathlib import Path

from core.catalog import documents
from core.catalog.document_paths import ids_below, make_room, move, path_range
from core.catalog.documents import DocumentState
from core.files.filesystems import FileStamp


def members_alike(
    db: sqlite3.Connection, holder: Path, content_hash: str, newest: int
) -> list[int]:
    """Return the ids, up to `newest`, of members of the file at `holder` with a content.

    At any depth, sorted by path.
    """
    rows = db.execute(
        "SELECT id FROM documents WHERE container_id IS NOT NULL AND hash = ? AND path > ?"
        " AND path < ? AND id <= ? ORDER BY path",
        [content_hash, *path_range(holder), newest],
    )
    return [row["id"] for row in rows]


def newest_id(db: sqlite3.Connection) -> int:
    """Return the highest document id; 0 if there are no documents."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM documents").fetchone()[0])


def member_hashes(db: sqlite3.Connection, holder: Path) -> frozenset[str]:
    """Return the content hashes of all members, at any depth, of the file at `holder`."""
    rows = db.execute(
        "SELECT DISTINCT hash FROM documents WHERE container_id IS NOT NULL AND hash NOT NULL"
        " AND path > ? AND path < ?",
        path_range(holder),
    )
    return frozenset(row["hash"] for row in rows)


def add_member(
    db: sqlite3.Connection, container_id: int, path: Path, stamp: FileStamp
) -> int | None:
    """Add a member without text and return its id; None if its container no longer exists.

    Another document at its path is set aside.
    """
    make_room(db, path)
    cursor = db.execute(
        "INSERT INTO documents(folder_id, container_id, path, size_bytes, mtime_ns, state)"
        " SELECT folder_id, id, ?, ?, ?, ? FROM documents WHERE id = ?",
        [str(path), stamp.size_bytes, stamp.mtime_ns, DocumentState.OPENED, container_id],
    )
    return cursor.lastrowid if cursor.rowcount else None


def move_member(
    db: sqlite3.Connection, document_id: int, container_id: int, path: Path, stamp: FileStamp
) -> None:
    """Move a member, with all its members, to a path in a container."""
    move(db, document_id, path)
    db.execute(
        "UPDATE documents SET container_id = ?, size_bytes = ?, mtime_ns = ? WHERE id = ?",
        [container_id, stamp.size_bytes, stamp.mtime_ns, document_id],
    )


def remove_other_members(db: sqlite3.Connection, holder: Path, keep: AbstractSet[int]) -> None:
    """Remove all members of the file at `holder`, at any depth, except the documents `keep`."""
    removed = (document_id for document_id in ids_below(db, holder) if document_id not in keep)
    documents.remove(db, removed)
