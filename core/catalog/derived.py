"""What the catalog derives from its tables: indexes, those of words and of names among them."""

from __future__ import annotations

import sqlite3


def make_again(db: sqlite3.Connection) -> None:
    """Make all of it again from the tables, inside a transaction.

    Raises:
        sqlite3.DatabaseError: the tables are damaged.
    """
    db.execute("REINDEX")
    for table in ("passages_fts", "names_fts"):
        db.execute(f"INSERT INTO {table}({table}) VALUES ('rebuild')")  # noqa: S608 - ours
