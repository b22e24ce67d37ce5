"""Where documents lie: paths, of which one below another lies in it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path


def below(db: sqlite3.Connection, path: Path) -> list[int]:
    """The numbers of all documents that lie in the one at a path, at any depth."""
    rows = db.execute("SELECT id FROM documents WHERE path > ? AND path < ?", range_below(path))
    return [row["id"] for row in rows]


def range_below(path: Path | str) -> tuple[str, str]:
    """Between which two strings all paths below `path` are.

    >>> range_below("/docs"), range_below("/")
    (('/docs/', '/docs0'), ('/', '0'))
    """
    # A root ends in a separator, other folders do not.
    above = str(path).rstrip(os.sep)
    return f"{above}{os.sep}", f"{above}{chr(ord(os.sep) + 1)}"


def move(db: sqlite3.Connection, number: int, path: Path) -> None:
    """Give a document, with all that lies in it, another path; what was there is set aside."""
    row = db.execute("SELECT path FROM documents WHERE id = ?", [number]).fetchone()
    if row is None or row["path"] == str(path):
        return
    old = row["path"]
    inside = db.execute(
        "SELECT id, path FROM documents WHERE path > ? AND path < ?", range_below(old)
    ).fetchall()
    _set_path(db, number, path)
    for member in inside:
        _set_path(db, member["id"], Path(str(path) + member["path"][len(old) :]))


def make_room(db: sqlite3.Connection, path: Path, number: int = 0) -> None:
    """Set aside the document at `path`, if it is another one than that of this number.

    It keeps its name, so that it can still be found until it gets its new place or is removed.
    """
    row = db.execute(
        "SELECT id FROM documents WHERE path = ? AND id != ?", [str(path), number]
    ).fetchone()
    if row is not None:
        move(db, row["id"], path.parent / f"earlier {row['id']}" / path.name)


def _set_path(db: sqlite3.Connection, number: int, path: Path) -> None:
    make_room(db, path, number)
    db.execute("UPDATE documents SET path = ? WHERE id = ?", [str(path), number])
