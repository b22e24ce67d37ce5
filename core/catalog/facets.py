"""Documents as they are counted by place, kind, day and author."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.catalog.dates import DATED
from core.catalog.records import DocumentState
from core.catalog.scope import Scope


class Described(NamedTuple):
    """A document, and in which of some scopes it lies."""

    id: int
    path: str
    dated_ns: int
    author: str
    lies_in: tuple[bool, ...]


def described(db: sqlite3.Connection, scopes: Sequence[Scope]) -> Iterator[Described]:
    """All documents that can be found; the scopes say nothing of passages."""
    conditions = [scope.condition() for scope in scopes]
    columns = "".join(f", {condition}" for condition, _ in conditions)
    rows = db.execute(
        f"SELECT id, path, {DATED}, author{columns} FROM documents WHERE state = ?"  # noqa: S608 - ours
        " AND EXISTS (SELECT 1 FROM passages WHERE document_id = documents.id)",
        [*(value for _, values in conditions for value in values), DocumentState.READ],
    )
    for row in rows:
        yield Described(row[0], row[1], row[2], row[3], tuple(map(bool, row[4:])))


def with_words(db: sqlite3.Connection, expression: str, scope: Scope) -> set[int]:
    """The numbers of the documents in the scope that fulfil an FTS5 expression; "" asks nothing."""
    condition, values = scope.condition()
    tables = "documents JOIN passages ON passages.document_id = documents.id"
    if expression:
        tables += " JOIN passages_fts ON passages_fts.rowid = passages.id"
        condition, values = f"passages_fts MATCH ? AND {condition}", [expression, *values]
    rows = db.execute(f"SELECT DISTINCT documents.id FROM {tables} WHERE {condition}", values)  # noqa: S608 - ours
    return {row[0] for row in rows}
