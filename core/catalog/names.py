"""The index of files' names: documents are found by it before they are read, and if they fail."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from pathlib import Path

from core.catalog.folding import quoted
from core.catalog.records import DocumentState, NamedDocument
from core.catalog.scope import EVERYWHERE, Scope


def find(
    db: sqlite3.Connection,
    words: Sequence[str],
    limit: int,
    scope: Scope = EVERYWHERE,
    *,
    but: Collection[int] = (),
) -> tuple[NamedDocument, ...]:
    """The best `limit` documents in whose files' names all words stand.

    Args:
        db: the catalog.
        words: the last one may be the beginning of a word, if it is of two characters or more.
        limit: how many at most.
        scope: where to look. Nothing is found where it says which words may not stand in a
            document: a name does not tell.
        but: numbers of documents that are to be left out.

    Returns:
        Short names first, in which the words make up most; of like ones the newest.
    """
    if not words or scope.minds_words:
        return ()
    expression = " ".join(quoted(word) for word in words)
    if len(words[-1]) > 1:
        expression += "*"
    condition, values = scope.condition()
    rows = db.execute(
        "SELECT documents.id, path, title, state, reason FROM names_fts"  # noqa: S608 - ours
        " JOIN documents ON documents.id = names_fts.rowid"
        f" WHERE names_fts MATCH ? AND {condition}"
        " ORDER BY rank, mtime_ns DESC, documents.id LIMIT ?",
        [expression, *values, limit + len(but)],
    )
    found = (
        NamedDocument(
            row["id"], Path(row["path"]), row["title"], DocumentState(row["state"]), row["reason"]
        )
        for row in rows
        if row["id"] not in but
    )
    return tuple(found)[:limit]
