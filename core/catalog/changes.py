"""Which documents have changed since a moment: the catalog notes the last of them, one by one.

What is kept in memory of all documents is brought up to date by it, without reading them all.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple


class Change(NamedTuple):
    """One change of a document.

    A catalog that was begun anew, or put back from a copy, counts once more from where it stood:
    `token` is by chance and tells its changes from others of the same number.
    """

    number: int
    token: int


def newest(db: sqlite3.Connection) -> Change:
    """Return the last change that there is; takes no time."""
    row = db.execute(
        "SELECT number, token FROM document_changes ORDER BY number DESC LIMIT 1"
    ).fetchone()
    return Change(0, 0) if row is None else Change(*row)


def since(db: sqlite3.Connection, change: Change) -> list[int] | None:
    """Return the documents that were added, removed or changed since, each once.

    None where that is not known: too much has changed, or the change was in another catalog.
    """
    if change.number:
        row = db.execute(
            "SELECT token FROM document_changes WHERE number = ?", [change.number]
        ).fetchone()
        if row is None or row[0] != change.token:
            return None
    elif db.execute("SELECT min(number) > 1 FROM document_changes").fetchone()[0]:
        return None
    rows = db.execute(
        "SELECT DISTINCT document_id FROM document_changes WHERE number > ?", [change.number]
    )
    return [row[0] for row in rows]
