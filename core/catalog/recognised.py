"""Pages whose text was recognised: kept by their content, for it takes seconds a page."""

from __future__ import annotations

import sqlite3

from core.catalog import sums
from core.catalog.records import DocumentState


def get(db: sqlite3.Connection, content_hash: str, page: int) -> bytes | None:
    """What was recognised on a page of a file of this content; None if nothing was yet."""
    row = db.execute(
        "SELECT layout FROM recognised WHERE hash = ? AND page = ?", [content_hash, page]
    ).fetchone()
    return row["layout"] if row else None


def put(db: sqlite3.Connection, content_hash: str, page: int, layout: bytes) -> None:
    """Keep what was recognised on a page."""
    db.execute(
        "INSERT OR REPLACE INTO recognised(hash, page, layout, checksum) VALUES (?, ?, ?, ?)",
        [content_hash, page, layout, sums.of_bytes(layout)],
    )


def forget_others(db: sqlite3.Connection) -> None:
    """Forget pages of contents that no document has any more.

    All are kept while a document waits to be read, because its drive is away for example: of what
    content it is stands nowhere until then, and some of its pages may be done.
    """
    db.execute(
        "DELETE FROM recognised"
        " WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.hash = recognised.hash)"
        " AND NOT EXISTS (SELECT 1 FROM documents WHERE state = ?)",
        [DocumentState.FOUND],
    )
