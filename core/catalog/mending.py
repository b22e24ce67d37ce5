"""Whether the catalog's tables and rows are as they were written, and how they are mended.

Where a row has changed nobody can tell how: its document goes, to be read from its file again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Final

from core.catalog import folding, second_file, sums
from core.catalog.version import VERSION

Schema = dict[tuple[str, str], str]
"""The SQL of tables, views, indexes and triggers, by kind and name."""

_REPLACEABLE: Final = frozenset({"trigger", "view", "index"})


def schema_of(db: sqlite3.Connection) -> Schema:
    """The tables as they are."""
    rows = db.execute("SELECT type, name, CAST(sql AS BLOB) AS made FROM sqlite_master")
    return {
        (kind, name): made.decode(errors="replace")
        for kind, name, made in rows
        # FTS5 and SQLite make some of their own.
        if made is not None and not name.startswith("sqlite_") and "_fts_" not in name
    }


@cache
def schema_written() -> Schema:
    """The tables as this Winnow writes them."""
    from sqlite_utils import Database

    from core.catalog import schema

    db = sqlite3.connect(":memory:")
    try:
        folding.add_functions(db)
        schema.migrations.apply(Database(db))
        return schema_of(db)
    finally:
        db.close()


def has_written_tables(db: sqlite3.Connection) -> bool:
    """Whether the tables are as they were written."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    return version == VERSION and schema_of(db) == schema_written()


def state_of_second_file(db: sqlite3.Connection, path: Path) -> str:
    """How the second file differs from the catalog: "damaged", "behind", "different" or ""."""
    try:
        kept = second_file.read(path)
    except (OSError, second_file.SecondFileError):
        return "damaged"
    if kept is None:
        return "damaged"
    if kept["changes"] != second_file.count_changes(db):
        return "behind"
    try:
        return "" if kept == second_file.of(db) else "different"
    except sqlite3.OperationalError:  # text that is none any more
        return "different"


def has_changed(path: Path) -> bool:
    """Whether the tables of the catalog at `path`, or rows that matter, are not as written."""
    db = sqlite3.connect(path)
    try:
        sums.add_functions(db)
        return (
            not has_written_tables(db)
            or bool(sums.changed_rows(db))
            or state_of_second_file(db, path.with_name(second_file.NAME)) == "different"
        )
    except (sqlite3.Error, LookupError, TypeError, ValueError):
        return True
    finally:
        db.close()


def mend(db: sqlite3.Connection, second: Path, changed: Collection[int]) -> bool:
    """Mend tables and rows, inside a transaction, but for what is derived from them.

    Args:
        db: the catalog.
        second: the second file.
        changed: the documents whose text or row has changed; they go with the file they lie in.

    Returns:
        Whether it could be done; if not, the catalog has to be made anew.
    """
    written = schema_written()
    tables = {key: made for key, made in written.items() if key[0] not in _REPLACEABLE}
    there = schema_of(db)
    if tables != {key: made for key, made in there.items() if key[0] not in _REPLACEABLE}:
        return False
    # Triggers index words and names: of damaged text they could not.
    for kind, name in there:
        if kind in _REPLACEABLE and (kind == "trigger" or written.get((kind, name)) is None):
            db.execute(f'DROP {kind} "{name}"')
    if state_of_second_file(db, second) == "different":
        kept = second_file.read(second)
        assert kept is not None
        second_file.put(db, kept)
    holders = _holders(db, changed)
    _remove(db, holders)
    for content in sums.changed_pages(db):
        db.execute("DELETE FROM recognised WHERE CAST(hash AS BLOB) = ?", [content.encode()])
    for (kind, name), made in written.items():
        if kind in _REPLACEABLE and (kind == "trigger" or (kind, name) not in there):
            db.execute(made)
    return True


def _remove(db: sqlite3.Connection, numbers: Collection[int]) -> None:
    """Remove documents, while no trigger notes which vectors are then nobody's."""
    db.execute(
        "CREATE TEMP TABLE held AS SELECT segment_id, id AS passage_id FROM passages"
        " WHERE segment_id IS NOT NULL UNION ALL SELECT segment_id, passage_id FROM staged"
    )
    db.executemany("DELETE FROM documents WHERE id = ?", ((number,) for number in numbers))
    db.execute("DELETE FROM staged WHERE passage_id NOT IN (SELECT id FROM passages)")
    db.execute(
        "INSERT INTO tombstones(segment_id, passage_id) SELECT segment_id, passage_id FROM held"
        " WHERE passage_id NOT IN (SELECT id FROM passages)"
    )
    db.execute("DROP TABLE held")


def _holders(db: sqlite3.Connection, numbers: Collection[int]) -> set[int]:
    """The files in which documents lie, as documents."""
    above = dict(db.execute("SELECT id, container_id FROM documents").fetchall())
    found = set()
    for number in numbers:
        seen = {number}
        top = number
        while (container := above.get(top)) is not None and container not in seen:
            top = int(container)
            seen.add(top)
        found.add(top)
    return found
