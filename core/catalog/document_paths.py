"""Paths of the catalog's documents, and their moves.

A member of a container has a path below the container's, and moves with it.
"""

import os
import sqlite3
from pathlib import Path

from core.files.filesystems import FileStamp


def path_range(path: Path | str) -> tuple[str, str]:
    """Return two strings between which all paths below `path` sort.

    >>> path_range("/docs"), path_range("/")
    (('/docs/', '/docs0'), ('/', '0'))
    """
    # A root ends in a separator, other folders do not.
    above = str(path).rstrip(os.sep)
    return f"{above}{os.sep}", f"{above}{chr(ord(os.sep) + 1)}"


def ids_below(db: sqlite3.Connection, path: Path) -> list[int]:
    """Return the ids of all members of the document at a path, at any depth."""
    rows = db.execute("SELECT id FROM documents WHERE path > ? AND path < ?", path_range(path))
    return [row["id"] for row in rows]


def set_moved(
    db: sqlite3.Connection, document_id: int, folder_id: int, path: Path, stamp: FileStamp
) -> None:
    """Set the new path of a renamed or moved document and of its members.

    Does nothing if the new path is in a folder that was removed in the meantime.
    """
    updated = db.execute(
        "UPDATE documents SET folder_id = folders.id, size_bytes = ?, mtime_ns = ?"
        " FROM folders WHERE documents.id = ? AND folders.id = ?",
        [stamp.size_bytes, stamp.mtime_ns, document_id, folder_id],
    )
    if updated.rowcount:
        move(db, document_id, path)
        db.executemany(
            "UPDATE documents SET folder_id = ? WHERE id = ?",
            ((folder_id, member) for member in ids_below(db, path)),
        )


def move(db: sqlite3.Connection, document_id: int, path: Path) -> None:
    """Set the path of a document and its members; another document at this path is set aside."""
    row = db.execute("SELECT path FROM documents WHERE id = ?", [document_id]).fetchone()
    if row is None or row["path"] == str(path):
        return
    old = row["path"]
    inside = db.execute(
        "SELECT id, path FROM documents WHERE path > ? AND path < ?", path_range(old)
    ).fetchall()
    _set_path(db, document_id, path)
    for member in inside:
        _set_path(db, member["id"], Path(str(path) + member["path"][len(old) :]))


def make_room(db: sqlite3.Connection, path: Path, document_id: int = 0) -> None:
    """Set aside the document at `path`, unless it has this id.

    It keeps its name, so that it can be found until it gets its new path or is removed.
    """
    row = db.execute(
        "SELECT id FROM documents WHERE path = ? AND id != ?", [str(path), document_id]
    ).fetchone()
    if row is not None:
        move(db, row["id"], path.parent / f"earlier {row['id']}" / path.name)


def _set_path(db: sqlite3.Connection, document_id: int, path: Path) -> None:
    make_room(db, path, document_id)
    db.execute("UPDATE documents SET path = ? WHERE id = ?", [str(path), document_id])
