"""Reference scope masks: by the scope's own SQL, a document at a time."""

from __future__ import annotations

import sqlite3

from core.catalog.scope import Scope


def passages_in(db: sqlite3.Connection, scope: Scope) -> list[int]:
    """Return the numbers of the passages in the scope, ascending."""
    condition, values = scope.condition()
    rows = db.execute(
        "SELECT passages.id FROM documents JOIN passages ON document_id = documents.id"
        f" WHERE {condition} ORDER BY passages.id",
        values,
    )
    return [row[0] for row in rows]


def with_words(db: sqlite3.Connection, expression: str, scope: Scope) -> set[int]:
    """The numbers of the documents in the scope that fulfil an FTS5 expression; "" asks nothing."""
    condition, values = scope.condition()
    tables = "documents JOIN passages ON passages.document_id = documents.id"
    if expression:
        tables += " JOIN passages_fts ON passages_fts.rowid = passages.id"
        condition, values = f"passages_fts MATCH ? AND {condition}", [expression, *values]
    rows = db.execute(f"SELECT DISTINCT documents.id FROM {tables} WHERE {condition}", values)
    return {row[0] for row in rows}
