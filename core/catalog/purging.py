"""What is still to be done so that nothing is left of folders that were removed."""

from __future__ import annotations

import sqlite3


def forget_words(db: sqlite3.Connection) -> None:
    """Write the indexes of words and names anew without those of what is gone.

    Until then they stand in them, marked as gone.
    """
    db.execute("INSERT INTO passages_fts(passages_fts) VALUES ('optimize')")
    db.execute("INSERT INTO names_fts(names_fts) VALUES ('optimize')")


def set_due(db: sqlite3.Connection) -> None:
    """Remember that files beside the catalog hold something that is to go."""
    db.execute("INSERT INTO purges DEFAULT VALUES")


def last_due(db: sqlite3.Connection) -> int:
    """The number of the last thing that is to be done; 0 for none."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM purges").fetchone()[0])


def set_done(db: sqlite3.Connection, last: int) -> None:
    """Remember that all is done up to the thing of this number; what came since is due still."""
    db.execute("DELETE FROM purges WHERE id <= ?", [last])
