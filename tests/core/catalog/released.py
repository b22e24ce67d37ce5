"""Catalogs as each released version of the tables left them, written down as SQL.

A change of the tables is not released without its own: `python -m tests.core.catalog.released`
writes `released/NN.sql` for the newest version, once. Those that are there are never changed.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from core.catalog import normalisation, schema, sums
from core.catalog.schema import VERSION

FOLDER: Final = Path(__file__).with_name("released")
DOCUMENTS: Final = "/docs"
"""In the files stands this folder; a test puts its own in its place."""

# What is in each catalog, as far as its tables have room for it.
_CONTENT: Final = {
    "folders": {"id": 1, "path": DOCUMENTS, "is_collection": 0},
    "documents": {
        "id": 7, "folder_id": 1, "path": f"{DOCUMENTS}/Owl letters.txt", "size_bytes": 5,
        "mtime_ns": 1, "hash": "0a", "state": "read", "title": "To the owl", "pages": 1,
        "author": "A. Mouse", "date": "2024-05-01",
    },
    "segments": {
        "id": 3, "file": "gone.safetensors", "model": "m-1", "codec": "m-1/2", "passages": 1,
        "tokens": 5, "size_bytes": 9, "checksum": "c",
    },
    "passages": {
        "id": 21, "document_id": 7, "page": 1, "start": 0, "end": 20, "context": "Letters",
        "text": "Owls hunt mice 東京に住む", "tokens": 5, "segment_id": 3, "vectors": 5,
        "digest": 5,
    },
    "indexes": {
        "id": 1, "source": "m", "name": "m", "fingerprint": "1", "bits": 2, "codebook": "",
        "is_chosen": 0, "is_live": 1, "keeping": "all",
    },
    "recognised": {"hash": "0a", "page": 1, "layout": b"\x01"},
    "judgements": {
        "id": 1, "query": "who hunts", "hash": "0a", "path": f"{DOCUMENTS}/Owl letters.txt",
        "page": 1, "start": 0, "end": 20, "digest": "d", "judged_at": "2026-01-01T00:00:00",
    },
    "adopted": {
        "id": 1, "model": "m-1/2", "alignment": "topk:2", "adopted_at": "2026-01-01T00:00:00",
    },
    "rereads": {"document_id": 7},
}  # fmt: skip


def path_of(version: int) -> Path:
    return FOLDER / f"{version:02}.sql"


def versions() -> list[int]:
    """The versions that are written down."""
    return sorted(int(path.stem) for path in FOLDER.glob("*.sql"))


def make(version: int, path: Path, documents: Path) -> None:
    """Make the catalog of a version, whose one folder is `documents`."""
    connection = sqlite3.connect(path)
    normalisation.add_functions(connection)
    sums.add_functions(connection)
    connection.execute("PRAGMA synchronous = OFF")  # each statement is a transaction of its own
    script = path_of(version).read_text(encoding="utf-8")
    connection.executescript(script.replace(DOCUMENTS, str(documents)))
    connection.close()


def make_older(path: Path, before: str, *statements: str) -> None:
    """Make a catalog as it was before the step of this name, and put something into it."""
    connection = sqlite3.connect(path)
    schema.apply(connection, stop_before=before)
    normalisation.add_functions(connection)
    sums.add_functions(connection)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def written() -> str:
    """The newest version, with something in each of its tables, as SQL."""
    with closing(sqlite3.connect(":memory:")) as connection:
        normalisation.add_functions(connection)
        sums.add_functions(connection)
        schema.apply(connection)
        for table, fields in _CONTENT.items():
            there = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            kept = {name: value for name, value in fields.items() if name in there}
            marks = ", ".join("?" * len(kept))
            if kept:
                connection.execute(
                    f"INSERT INTO {table}({', '.join(kept)}) VALUES ({marks})", list(kept.values())
                )
        lines = [f"-- The catalog of version {VERSION}."]
        for name, made in connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        ):
            # FTS5 makes its own tables, and SQLite the one that counts.
            if not re.search(r"_fts_\w+$|^sqlite_sequence$", name):
                lines.append(f"{made};")
        # The totals come after what they count, which the triggers would count once more.
        for table in ("_sqlite_migrations", "kept", *_CONTENT, "passage_totals"):
            for row in connection.execute(f"SELECT * FROM {table}"):
                values = [connection.execute("SELECT quote(?)", [one]).fetchone()[0] for one in row]
                lines.append(f"INSERT INTO {table} VALUES ({', '.join(values)});")
        lines.append(f"PRAGMA user_version = {VERSION};")
    # When the steps were taken says nothing, and would be different each time.
    return re.sub(r"'\d{4}-\d\d-\d\d \d\d:[^']*'", "'2026-01-01 00:00:00'", "\n".join(lines)) + "\n"


if __name__ == "__main__":
    path_of(VERSION).write_text(written(), encoding="utf-8")
