"""The index of files' names: documents are found by it before they are read, and if they fail."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from core.catalog.folding import quoted
from core.catalog.records import DocumentState, NamedDocument
from core.catalog.scope import EVERYWHERE, Scope

_COMPARED: Final = 2000
"""Names, the newest in the catalog: to rank all of a million that begin with two letters takes more
than a second, and a person who sees the first five types on."""


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
        Those in which the last word stands whole first, and of these the short ones, in which the
        words make up most; of like ones the newest.
    """
    if not words or scope.minds_words:
        return ()
    expression = " ".join(quoted(word) for word in words)
    found = _ranked(db, expression, limit + len(but), scope)
    if len(words[-1]) > 1 and len(found) < limit + len(but):
        beginning = _ranked(db, f"{expression}*", limit + len(but), scope)
        found = {**found, **{one: name for one, name in beginning.items() if one not in found}}
    return tuple(named for number, named in found.items() if number not in but)[:limit]


def _ranked(
    db: sqlite3.Connection, expression: str, limit: int, scope: Scope
) -> dict[int, NamedDocument]:
    """The documents whose names fulfil an FTS5 expression, by their numbers, short names first."""
    condition, values = scope.condition()
    # Not by bm25, which counts for each word all names that have it, before it gives the first.
    rows = db.execute(
        "SELECT id, path, title, state, reason FROM ("  # noqa: S608 - ours
        "SELECT documents.*, length(file_name(path)) AS letters FROM names_fts"
        " CROSS JOIN documents ON documents.id = names_fts.rowid"
        f" WHERE names_fts MATCH ? AND {condition} ORDER BY names_fts.rowid DESC LIMIT ?"
        ") ORDER BY letters, mtime_ns DESC, id LIMIT ?",
        [expression, *values, _COMPARED, limit],
    )
    return {
        row["id"]: NamedDocument(
            row["id"], Path(row["path"]), row["title"], DocumentState(row["state"]), row["reason"]
        )
        for row in rows
    }
