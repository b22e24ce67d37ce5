"""Maintenance of the whole catalog: purging, finding damage, repair.

The former values of a damaged row are unknown: its document is removed, to be read from its file
again.
"""

import re
import sqlite3
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Final

from core.catalog import schema
from core.catalog.integrity import checksums
from core.catalog.integrity.user_data_backup import UserDataBackup
from core.catalog.text import sql_functions, text_version


def merge(db: sqlite3.Connection, table: str, pages: int) -> bool:
    """Merge parts of a full-text index; return whether there was anything to merge.

    Source: https://www.sqlite.org/fts5.html#the_merge_command
    """
    before = db.total_changes
    db.execute(f"INSERT INTO {table}({table}, rank) VALUES ('merge', ?)", [pages])  # noqa: S608 - ours
    # The statement itself counts as a change.
    return db.total_changes - before > 1


def set_purge_due(db: sqlite3.Connection) -> None:
    """Store that files next to the catalog contain data that must be removed."""
    db.execute("INSERT INTO purges DEFAULT VALUES")


def last_purge_due(db: sqlite3.Connection) -> int:
    """Return the number of the last due purge; 0 for none."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM purges").fetchone()[0])


def set_purge_done(db: sqlite3.Connection, last: int) -> None:
    """Mark the purges up to this number as done; later ones stay due."""
    db.execute("DELETE FROM purges WHERE id <= ?", [last])


def rebuild_indexes(db: sqlite3.Connection) -> None:
    """Rebuild derived data inside a transaction: indexes, words, totals.

    Raises:
        sqlite3.DatabaseError: the tables are damaged.
    """
    db.execute("REINDEX")
    for table in ("passages_fts", "names_fts"):
        db.execute(f"INSERT INTO {table}({table}) VALUES ('rebuild')")  # noqa: S608 - ours
    text_version.rebuild_joined_forms(db)
    text_version.set_folding_current(db)
    for table, counting in _TOTALS.items():
        db.execute(f"DELETE FROM {table}")  # noqa: S608 - ours
        db.execute(f"INSERT INTO {table} {counting}")


_TOTALS: Final = {
    "passage_totals": (
        "SELECT count(*), count(*) FILTER (WHERE segment_id IS NULL),"
        " ifnull(sum(tokens) FILTER (WHERE segment_id IS NOT NULL), 0),"
        " ifnull(sum(vectors) FILTER (WHERE segment_id IS NOT NULL), 0) FROM passages"
    ),
    "document_totals": (
        "SELECT folder_id, state, count(*), sum(iif(container_id IS NULL, size_bytes, 0))"
        " FROM documents GROUP BY folder_id, state"
    ),
}


def has_true_totals(db: sqlite3.Connection) -> bool:
    """Return whether all totals match a full count, which is slow."""
    return all(
        {tuple(row) for row in db.execute(f"SELECT * FROM {table}")}  # noqa: S608 - ours
        == {tuple(row) for row in db.execute(counting)}
        for table, counting in _TOTALS.items()
    )


def set_rereads(db: sqlite3.Connection, folders: Iterable[int]) -> None:
    """Mark all files in these folders to be read again, with their members."""
    db.executemany(
        "INSERT OR IGNORE INTO rereads(document_id)"
        " SELECT id FROM documents WHERE folder_id = ? AND container_id IS NULL",
        ((folder_id,) for folder_id in folders),
    )


def set_rereads_of(db: sqlite3.Connection, document_ids: Collection[int]) -> None:
    """Mark the files that these documents are in to be read again, with their members."""
    db.executemany(
        "INSERT OR IGNORE INTO rereads(document_id) VALUES (?)",
        ((number,) for number in sorted(_holders(db, document_ids))),
    )


def forget_rereads(db: sqlite3.Connection) -> None:
    """Cancel reading files again; those not read yet keep their text."""
    db.execute("DELETE FROM rereads")


def count_rereads(db: sqlite3.Connection) -> int:
    """Return the number of documents waiting to be read again."""
    return int(db.execute("SELECT count(*) FROM rereads").fetchone()[0])


# The SQL of tables, views, indexes and triggers, by type and name.
Schema = dict[tuple[str, str], str]
_COMMENT: Final = re.compile("--.*")
_REPLACEABLE: Final = frozenset({"trigger", "view", "index"})


def schema_of(db: sqlite3.Connection) -> Schema:
    """Return the schema of the catalog, without comments and superfluous white space."""
    rows = db.execute("SELECT type, name, CAST(sql AS BLOB) AS made FROM sqlite_master")
    return {
        (kind, name): " ".join(_COMMENT.sub("", sql.decode(errors="replace")).split())
        for kind, name, sql in rows
        # FTS5 and SQLite create tables and indexes themselves.
        if sql is not None and not name.startswith("sqlite_") and "_fts_" not in name
    }


@cache
def schema_written() -> Schema:
    """Return the schema of this version."""
    db = sqlite3.connect(":memory:")
    try:
        sql_functions.add_functions(db)
        schema.apply(db)
        return schema_of(db)
    finally:
        db.close()


def has_written_tables(db: sqlite3.Connection) -> bool:
    """Return whether the schema is that of this version."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    return version == schema.VERSION and schema_of(db) == schema_written()


def has_changed(path: Path) -> bool:
    """Return whether the schema or important rows of the catalog at `path` are damaged."""
    if not path.is_file():
        return True  # SQLite would create it
    db = sqlite3.connect(path)
    try:
        checksums.add_functions(db)
        return (
            not has_written_tables(db)
            or bool(checksums.changed_rows(db))
            or UserDataBackup(path).state(db) == "different"
        )
    except (sqlite3.Error, LookupError, TypeError, ValueError):
        return True
    finally:
        db.close()


def repair(db: sqlite3.Connection, second: UserDataBackup, changed: Collection[int]) -> bool:
    """Repair tables and rows inside a transaction, except derived data.

    Args:
        db: the catalog.
        second: the backup of the user's data.
        changed: the documents with a wrong checksum of text or row; they are removed with their
            files.

    Returns:
        Whether it succeeded; if not, the catalog must be recreated.
    """
    written = schema_written()
    tables = {key: sql for key, sql in written.items() if key[0] not in _REPLACEABLE}
    there = schema_of(db)
    if tables != {key: sql for key, sql in there.items() if key[0] not in _REPLACEABLE}:
        return False
    # Triggers index words and names, which fails for damaged text.
    for kind, name in there:
        if kind in _REPLACEABLE and (kind == "trigger" or written.get((kind, name)) is None):
            db.execute(f'DROP {kind} "{name}"')
    if second.state(db) == "different":
        second.restore(db)
    holders = _holders(db, changed)
    _remove_documents(db, holders)
    for content in checksums.changed_pages(db):
        db.execute("DELETE FROM recognised WHERE CAST(hash AS BLOB) = ?", [content.encode()])
    for (kind, name), sql in written.items():
        if kind in _REPLACEABLE and (kind == "trigger" or (kind, name) not in there):
            db.execute(sql)
    return True


def _remove_documents(db: sqlite3.Connection, document_ids: Collection[int]) -> None:
    """Remove documents, and leave tombstones for their vectors, without triggers."""
    db.execute(
        "CREATE TEMP TABLE held AS SELECT segment_id, id AS passage_id FROM passages"
        " WHERE segment_id IS NOT NULL UNION ALL SELECT segment_id, passage_id FROM staged"
    )
    db.executemany(
        "DELETE FROM documents WHERE id = ?", ((document_id,) for document_id in document_ids)
    )
    db.execute("DELETE FROM staged WHERE passage_id NOT IN (SELECT id FROM passages)")
    db.execute(
        "INSERT INTO tombstones(segment_id, passage_id) SELECT segment_id, passage_id FROM held"
        " WHERE passage_id NOT IN (SELECT id FROM passages)"
    )
    db.execute("DROP TABLE held")


def _holders(db: sqlite3.Connection, document_ids: Collection[int]) -> set[int]:
    """Return the ids of the files that contain documents."""
    above = dict(db.execute("SELECT id, container_id FROM documents").fetchall())
    holders = set()
    for document_id in document_ids:
        seen = {document_id}
        top = document_id
        while (container := above.get(top)) is not None and container not in seen:
            top = int(container)
            seen.add(top)
        holders.add(top)
    return holders
