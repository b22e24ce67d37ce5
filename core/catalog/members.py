"""The documents inside other ones: they lie below their container's path, and go when it goes."""

from __future__ import annotations

import sqlite3
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from core.catalog.documents import FileStamp
from core.catalog.places import below, make_room, move, range_below
from core.catalog.records import DocumentState


@dataclass(frozen=True, slots=True)
class KnownMember:
    """A member as the catalog has it; its `hash` is None until all that lies in it was read."""

    id: int
    container_id: int
    path: Path
    stamp: FileStamp
    hash: str | None
    state: DocumentState
    reason: str
    title: str


_KNOWN = (
    "SELECT id, container_id, path, size_bytes, mtime_ns, hash, state, reason, title"
    " FROM documents WHERE container_id IS NOT NULL "
)


def at(db: sqlite3.Connection, path: Path) -> KnownMember | None:
    """The member at a path."""
    row = db.execute(_KNOWN + "AND path = ?", [str(path)]).fetchone()
    return _known(row) if row else None


def inside(db: sqlite3.Connection, container_id: int) -> list[KnownMember]:
    """The members that lie in a container and not deeper, in the order they were found in."""
    rows = db.execute(_KNOWN + "AND container_id = ? ORDER BY id", [container_id])
    return [_known(row) for row in rows]


def alike(db: sqlite3.Connection, holder: Path, content_hash: str) -> list[KnownMember]:
    """The members of a content that lie, at any depth, in the file at `holder`."""
    rows = db.execute(
        _KNOWN + "AND hash = ? AND path > ? AND path < ? ORDER BY path",
        [content_hash, *range_below(holder)],
    )
    return [_known(row) for row in rows]


def add(db: sqlite3.Connection, container_id: int, path: Path, stamp: FileStamp) -> int | None:
    """Add a member without text as yet and give its number; None if its container is gone.

    Whatever was at its path is set aside.
    """
    make_room(db, path)
    cursor = db.execute(
        "INSERT INTO documents(folder_id, container_id, path, size_bytes, mtime_ns, state)"
        " SELECT folder_id, id, ?, ?, ?, ? FROM documents WHERE id = ?",
        [str(path), stamp.size_bytes, stamp.mtime_ns, DocumentState.OPENED, container_id],
    )
    return cursor.lastrowid if cursor.rowcount else None


def place(
    db: sqlite3.Connection, number: int, container_id: int, path: Path, stamp: FileStamp
) -> None:
    """Give a member, with all that lies in it, its place in a container."""
    move(db, number, path)
    db.execute(
        "UPDATE documents SET container_id = ?, size_bytes = ?, mtime_ns = ? WHERE id = ?",
        [container_id, stamp.size_bytes, stamp.mtime_ns, number],
    )


def remove_others(db: sqlite3.Connection, holder: Path, kept: AbstractSet[int]) -> None:
    """Forget what lies in the file at `holder`, at any depth, but for the documents `kept`."""
    gone = [number for number in below(db, holder) if number not in kept]
    db.executemany("DELETE FROM documents WHERE id = ?", ((number,) for number in gone))


def _known(row: sqlite3.Row) -> KnownMember:
    return KnownMember(
        id=row["id"],
        container_id=row["container_id"],
        path=Path(row["path"]),
        stamp=FileStamp(row["size_bytes"], row["mtime_ns"]),
        hash=row["hash"],
        state=DocumentState(row["state"]),
        reason=row["reason"],
        title=row["title"],
    )
