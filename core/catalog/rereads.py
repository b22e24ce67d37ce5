"""Documents that are to be read from their files once more, though these have not changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable


def set_due(db: sqlite3.Connection, folders: Iterable[int]) -> None:
    """Have all documents in these folders read once more, each with all that lies in its file."""
    db.executemany(
        "INSERT OR IGNORE INTO rereads(document_id)"
        " SELECT id FROM documents WHERE folder_id = ? AND container_id IS NULL",
        ((number,) for number in folders),
    )


def set_none_due(db: sqlite3.Connection) -> None:
    """Leave those that have not been read yet as they are."""
    db.execute("DELETE FROM rereads")


def count(db: sqlite3.Connection) -> int:
    """How many are still to be read."""
    return int(db.execute("SELECT count(*) FROM rereads").fetchone()[0])
