"""Text recognised on pages, kept by the content of its file."""

import sqlite3

from core.catalog.documents import DocumentState
from core.catalog.integrity import checksums


def recognised_page(db: sqlite3.Connection, content_hash: str, page: int) -> bytes | None:
    """Return the stored text recognition of a page, or None."""
    row = db.execute(
        "SELECT layout FROM recognised WHERE hash = ? AND page = ?", [content_hash, page]
    ).fetchone()
    return row["layout"] if row else None


def put_recognised_page(
    db: sqlite3.Connection, content_hash: str, page: int, layout: bytes
) -> None:
    """Store the recognition of a page."""
    db.execute(
        "INSERT OR REPLACE INTO recognised(hash, page, layout, checksum) VALUES (?, ?, ?, ?)",
        [content_hash, page, layout, checksums.of_bytes(layout)],
    )


def forget_unused_pages(db: sqlite3.Connection) -> None:
    """Delete recognised pages whose content no document has.

    Nothing is deleted while documents wait to be read, for example because a drive is unplugged:
    their hashes are unknown, and some of their pages may have been recognised.
    """
    db.execute(
        "DELETE FROM recognised"
        " WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.hash = recognised.hash)"
        " AND NOT EXISTS (SELECT 1 FROM documents WHERE state = ?)",
        [DocumentState.FOUND],
    )
