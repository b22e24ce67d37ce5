"""Fuzz target: open, search and read the catalog of a foreign library folder."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.catalog.integrity import checksums
from core.catalog.text import sql_functions
from core.documents.document import Document, Page
from core.federation.folder_source import FolderSource
from core.library.library import Library
from core.progress import Job
from core.requests import (
    CountFacets,
    GetDocument,
    LocateLines,
    ReadPage,
    ReadPages,
    ReadPassage,
    Search,
)
from core.responses import Mode

KIND: Final = "catalog"
_NAME: Final = "catalog.sqlite"
_VALUES: Final = (
    *("NULL", "-1", "1 << 62", "1e308", "''", "'x'", "x'ff00'", "'../../../../etc/passwd'"),
    *(
        "'[{\"a\": [1e999]}]'",
        "char(27) || '[2J'",
        "cast(x'ff' AS TEXT)",
        "printf('%.70000c', 'y')",
    ),
)
_TEXTS: Final = (
    ("owl", "Owls hunt mice at night, and hear where these are."),
    ("heron", "The heron wades in shallow water and waits for fish."),
    ("tokyo", "東京に住む梟は夜に鼠を狩る。"),
)


def seeds(folder: Path) -> list[bytes]:
    """Return a small catalog, and copies of it with one column set to an invalid value."""
    home = folder / "seed"
    shutil.rmtree(home, ignore_errors=True)
    with Library.open(home) as library:
        library.add_collection(
            "birds",
            (
                (
                    name,
                    Document(name.title(), (Page(1, text), Page(2, text)), "A. Mouse", "2024-05"),
                )
                for name, text in _TEXTS
            ),
        )
    path = home / _NAME
    with contextlib.closing(_connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA page_size = 1024")
        db.execute("VACUUM")
    original = path.read_bytes()
    return [original, *_corrupted(path, original)]


def attempt(data: bytes, folder: Path) -> None:
    """Search a library folder with this catalog, and read the results."""
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    (home / _NAME).write_bytes(data)
    source = FolderSource("stick", home)
    try:
        source.refresh(Job())
        results = source.answer(Search("owls hunt 東京", Mode.WORDS))
        source.answer(CountFacets("heron", Mode.WORDS))
        source.answer(Search("birds", Mode.WORDS))
        for hit in results.hits:
            source.answer(ReadPages(hit.document_id))
            source.answer(GetDocument(hit.document_id))
            source.answer(ReadPage(hit.document_id, 1))
            source.answer(ReadPassage(hit.passages[0].passage.id, 1, 1))
            source.answer(LocateLines((hit.passages[0].passage.id,)))
    finally:
        source.close()


def _corrupted(path: Path, original: bytes) -> Iterator[bytes]:
    with contextlib.closing(_connect(path)) as db:
        tables = db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"
            " AND name != '_sqlite_migrations'"
        ).fetchall()
        columns = [
            (table, column[1])
            for (table,) in tables
            for column in db.execute(f"PRAGMA table_info({table})")
        ]
    for place, (table, column) in enumerate(columns):
        for value in _VALUES[place % 3 :: 3]:
            path.write_bytes(original)
            # Triggers may reject the change; then the file is unchanged and skipped.
            with contextlib.closing(_connect(path)) as db, contextlib.suppress(sqlite3.Error):
                db.execute(f"UPDATE {table} SET {column} = {value}")
            if (data := path.read_bytes()) != original:
                yield data


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    sql_functions.add_functions(db)
    checksums.add_functions(db)
    return db
