"""Bulk reads of rows of documents and passages.

Python's lock is released at each step of SQLite. Threads that fetch rows one by one wake each other
for every row, and at start the window reads in three places at once: a hundred thousand rows took
ten times as long as without other threads. SQLite therefore joins thousands of rows into one text.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from core.catalog.documents import DocumentState
from core.catalog.scope import Scope, holders_of
from core.catalog.text.normalisation import DATED

if TYPE_CHECKING:
    from core.arrays import Numbers

# Rows per step: they take some milliseconds to parse, during which no other thread runs.
AT_ONCE: Final = 10_000


def columns_of(
    db: sqlite3.Connection, columns: Sequence[str], rows: str, values: Sequence[Any] = ()
) -> list[list[Any]]:
    """Return columns of a query's rows, fetched in one step of SQLite.

    >>> from contextlib import closing
    >>> with closing(sqlite3.connect(":memory:")) as db:
    ...     columns_of(db, ("a", "b"), "SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'y'")
    [[1, 2], ['x', 'y']]
    """
    arrays = ", ".join(f"json_group_array({column})" for column in columns)
    row = db.execute(f"SELECT {arrays} FROM ({rows})", values).fetchone()  # noqa: S608 - ours
    return [json.loads(array) for array in row]


class DocumentRows(NamedTuple):
    """Attributes of documents, as columns.

    `dated_ns` is the time that date filters compare. Documents that are `findable` appear in
    results and counts; the others are being read again, and old passages of them remain.
    """

    document_ids: list[int]
    paths: list[str]
    dated_ns: list[int]
    authors: list[str]
    tags: list[str]
    sizes: list[int]
    changed_ns: list[int]
    findable: list[int]


def described(
    db: sqlite3.Connection, document_ids: Collection[int] | None = None
) -> Iterator[DocumentRows]:
    """Yield documents in batches of thousands, by ascending id.

    They include all documents that may have text. With `document_ids`, only those.
    """
    states = [DocumentState.READ, DocumentState.IN_CLOUD]
    # The unary plus signs make SQLite scan the table in its order on disk.
    rows = (
        f"SELECT id, path, {DATED} AS dated, author, tags, size_bytes,"  # noqa: S608 - ours
        " mtime_ns, state IN (?, ?) AS is_findable FROM documents WHERE (+state != ? OR EXISTS"
        " (SELECT 1 FROM passages WHERE document_id = documents.id))"
    )
    values = [*states, DocumentState.FOUND]
    names = ("id", "path", "dated", "author", "tags", "size_bytes", "mtime_ns", "is_findable")
    if document_ids is not None:
        for some in _some(document_ids):
            chosen = f"{rows} AND {_among('id')} ORDER BY id LIMIT ?"
            yield DocumentRows(*columns_of(db, names, chosen, [*values, some, AT_ONCE]))
        return
    last = 0
    while True:
        following = f"{rows} AND id > ? ORDER BY id LIMIT ?"
        batch = DocumentRows(*columns_of(db, names, following, [*values, last, AT_ONCE]))
        yield batch
        if len(batch.document_ids) < AT_ONCE:
            return
        last = batch.document_ids[-1]


def named(
    db: sqlite3.Connection, document_ids: Collection[int]
) -> Iterator[tuple[list[int], list[str], list[str], list[str]]]:
    """Yield ids, paths, authors and tags of documents in batches of thousands."""
    for some in _some(document_ids):
        rows = f"SELECT id, path, author, tags FROM documents WHERE {_among('id')}"  # noqa: S608 - ours
        ids, paths, authors, tags = columns_of(db, ("id", "path", "author", "tags"), rows, [some])
        yield ids, paths, authors, tags


_RUNS: Final = (
    "SELECT document_id, min(id) AS first, max(id) AS last, count(*) AS passages FROM passages"
)


def passage_runs(
    db: sqlite3.Connection, document_ids: Collection[int] | None = None
) -> Iterator[list[tuple[int, int, int]]]:
    """Yield runs of passages as (document, first, last), in batches of thousands.

    The ids of a document's passages are mostly consecutive; all ids between the first and the last
    of a run belong to the document. With `document_ids`, only those.
    """
    names = ("document_id", "first", "last", "passages")
    scattered: list[int] = []

    def whole(batch: list[list[Any]]) -> list[tuple[int, int, int]]:
        rows = list(zip(*batch, strict=True))
        scattered.extend(row[0] for row in rows if row[2] - row[1] + 1 != row[3])
        return [row[:3] for row in rows if row[2] - row[1] + 1 == row[3]]

    if document_ids is not None:
        for some in _some(document_ids):
            chosen = f"{_RUNS} WHERE {_among('document_id')} GROUP BY document_id"
            yield whole(columns_of(db, names, chosen, [some]))
    else:
        last = 0
        while True:
            following = f"{_RUNS} WHERE document_id > ? GROUP BY document_id ORDER BY 1 LIMIT ?"
            batch = columns_of(db, names, following, [last, AT_ONCE])
            yield whole(batch)
            if len(batch[0]) < AT_ONCE:
                break
            last = batch[0][-1]
    for some in _some(scattered):
        single = f"SELECT document_id, id FROM passages WHERE {_among('document_id')}"  # noqa: S608 - ours
        holders, ids = columns_of(db, ("document_id", "id"), single, [some])
        yield list(zip(holders, ids, ids, strict=True))


def _some(document_ids: Collection[int]) -> Iterator[str]:
    """Yield JSON arrays of thousands of the numbers."""
    ordered = sorted(document_ids)
    for start in range(0, len(ordered), AT_ONCE):
        yield json.dumps(ordered[start : start + AT_ONCE])


def _among(column: str) -> str:
    return f"{column} IN (SELECT value FROM json_each(?))"  # noqa: S608 - ours


def documents_in(db: sqlite3.Connection, scope: Scope) -> Numbers:
    """Return the ids of the documents in a scope without conditions on passages."""
    condition, values = scope.condition()
    return _integers(db, f"SELECT id AS number FROM documents WHERE {condition}", values)  # noqa: S608 - ours


def containers(db: sqlite3.Connection) -> Numbers:
    """Return the ids of the documents that contain others, such as mails with attachments."""
    rows = "SELECT DISTINCT container_id AS number FROM documents WHERE container_id NOT NULL"
    return _integers(db, rows, [])


def passages_with(db: sqlite3.Connection, expression: str) -> Numbers:
    """Return the ids of all passages that match an FTS5 expression."""
    rows = "SELECT rowid AS number FROM passages_fts WHERE passages_fts MATCH ?"
    return _integers(db, rows, [expression])


def first_passages_with(db: sqlite3.Connection, expression: str, most: int) -> list[int]:
    """Return the ids of the first `most` passages that match an FTS5 expression, ascending."""
    rows = "SELECT rowid FROM passages_fts WHERE passages_fts MATCH ? LIMIT ?"
    return columns_of(db, ("rowid",), rows, [expression, most])[0]


def passages_with_any(db: sqlite3.Connection, words: Sequence[str]) -> Numbers:
    """Return the ids of all passages with any of some words."""
    return _integers(db, *holders_of(words))


def _integers(db: sqlite3.Connection, rows: str, values: Sequence[Any]) -> Numbers:
    import numpy as np

    (text,) = db.execute(f"SELECT group_concat(number) FROM ({rows})", values).fetchone()  # noqa: S608 - ours
    return np.fromstring(text or "", dtype=np.int64, sep=",")
