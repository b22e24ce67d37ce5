"""Descriptions of files in the libraries of reference managers: Calibre and Zotero.

A book next to Calibre's `metadata.opf`, and a file in Zotero's `storage`, have the title, author,
date and tags of their entry, whichever of both is read first.
"""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.catalog.document_paths import path_range

_CALIBRE: Final = "metadata.opf"
ZOTERO: Final = "zotero.sqlite"
_STORAGE: Final = "storage"
_DESCRIPTION: Final = ("title", "author", "date", "said_ns", "tags")


def describe(db: sqlite3.Connection, document_id: int) -> None:
    """Give a file the description of its entry; of an entry, give it to its files."""
    row = db.execute("SELECT path FROM documents WHERE id = ?", [document_id]).fetchone()
    if row is None:
        return
    path = Path(row["path"])
    if path.name == _CALIBRE or ZOTERO in path.parts:
        for file_id in _files_of(db, path):
            _describe(db, file_id, document_id)
    elif (entry_id := _entry_of(db, path)) is not None:
        _describe(db, document_id, entry_id)


def _describe(db: sqlite3.Connection, file_id: int, entry_id: int) -> None:
    """Copy what an entry states to its file."""
    columns = ", ".join(
        f"{name} = coalesce(nullif(entry.{name}, ''), documents.{name})" for name in _DESCRIPTION
    )
    db.execute(
        f"UPDATE documents SET {columns} FROM documents AS entry"  # noqa: S608 - ours
        " WHERE entry.id = ? AND documents.id = ?",
        [entry_id, file_id],
    )


def _entry_of(db: sqlite3.Connection, path: Path) -> int | None:
    """Return the entry of a file; None if there is none."""
    folder = path.parent
    if folder.parent.name == _STORAGE:
        library = folder.parent.parent / ZOTERO
        row = db.execute(
            "SELECT id FROM documents WHERE path > ? AND path < ? AND instr(path, ?)"
            " AND title != ''",
            [*path_range(library), f"+{folder.name}"],
        ).fetchone()
        if row is not None:
            return int(row["id"])
    entry = str(folder / _CALIBRE)
    row = db.execute("SELECT id FROM documents WHERE path = ? AND title != ''", [entry]).fetchone()
    return None if row is None else int(row["id"])


def _files_of(db: sqlite3.Connection, path: Path) -> Iterator[int]:
    """Yield the files of an entry."""
    if path.name == _CALIBRE:
        folders = [path.parent]
    else:
        library = next(folder for folder in path.parents if folder.name == ZOTERO)
        keys = path.parent.name.split("+")[1:]
        folders = [library.parent / _STORAGE / key for key in keys]
    for folder in folders:
        rows = db.execute(
            "SELECT id FROM documents WHERE path > ? AND path < ? AND instr(substr(path, ?), ?) = 0"
            " AND path != ?",
            [*path_range(folder), len(str(folder)) + 2, os.sep, str(path)],
        )
        yield from [row["id"] for row in rows]
