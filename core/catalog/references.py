"""Descriptions of files in the libraries of reference managers: Calibre and Zotero.

A book next to Calibre's `metadata.opf`, and a file in Zotero's `storage`, have the title, author,
date and tags of their entry, whichever of both is read first.
"""

import os
import sqlite3
from collections.abc import Iterator
from functools import lru_cache
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
        row = db.execute(
            "SELECT id, (SELECT max(id) FROM documents WHERE container_id = library.id) AS newest"
            " FROM documents AS library WHERE path = ?",
            [str(folder.parent.parent / ZOTERO)],
        ).fetchone()
        if row is not None:
            entry_id = _entries(db, row["id"], row["newest"]).get(folder.name)
            if entry_id is not None:
                return entry_id
    entry = str(folder / _CALIBRE)
    row = db.execute("SELECT id FROM documents WHERE path = ? AND title != ''", [entry]).fetchone()
    return None if row is None else int(row["id"])


@lru_cache(maxsize=1)
def _entries(db: sqlite3.Connection, library_id: int, _newest: int | None) -> dict[str, int]:
    """Return the entry of each file in Zotero's storage, by the name of the file's folder.

    Ids are not reused, so another newest entry means that entries have changed.
    """
    rows = db.execute("SELECT id, path FROM documents WHERE container_id = ?", [library_id])
    return {name: row["id"] for row in rows for name in _folders_of(Path(row["path"]))}


def _folders_of(entry: Path) -> list[str]:
    """Return the names of the folders with the files of an entry of Zotero."""
    return entry.parent.name.split("+")[1:]


def _files_of(db: sqlite3.Connection, path: Path) -> Iterator[int]:
    """Yield the files of an entry."""
    if path.name == _CALIBRE:
        folders = [path.parent]
    else:
        library = next(folder for folder in path.parents if folder.name == ZOTERO)
        folders = [library.parent / _STORAGE / name for name in _folders_of(path)]
    for folder in folders:
        rows = db.execute(
            "SELECT id FROM documents WHERE path > ? AND path < ? AND instr(substr(path, ?), ?) = 0"
            " AND path != ?",
            [*path_range(folder), len(str(folder)) + 2, os.sep, str(path)],
        )
        yield from [row["id"] for row in rows]
