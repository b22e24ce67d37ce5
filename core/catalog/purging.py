"""What is still to be done so that nothing is left of folders that were removed."""

from __future__ import annotations

import sqlite3
import time
from typing import Final

from core.catalog.catalog import Catalog
from core.progress import Job

_PAGES: Final = 64
"""Of some 4 kB, which a step writes: hundredths of a second."""


def forget_words(catalog: Catalog, job: Job) -> None:
    """Write the indexes of words and names anew without those of what is gone.

    Until then they stand in them, marked as gone. Goes in steps, each a transaction; between them
    whoever else wants to write has as much time.

    Raises:
        Cancelled: the job was cancelled; from the next time on it begins anew.
    """
    for table in ("passages_fts", "names_fts"):
        # The first has all parts of the index be merged into one, the others go on with it.
        pages = -_PAGES
        is_done = False
        while not is_done:
            began_s = time.monotonic()
            with catalog.transaction() as db:
                is_done = not _merge(db, table, pages)
            pages = _PAGES
            # SQLite lets a writer that has to wait look again only now and then.
            job.rest(time.monotonic() - began_s)


def _merge(db: sqlite3.Connection, table: str, pages: int) -> bool:
    """Go on with merging an index; whether anything was left to merge.

    Source: https://www.sqlite.org/fts5.html#the_merge_command
    """
    before = db.total_changes
    db.execute(f"INSERT INTO {table}({table}, rank) VALUES ('merge', ?)", [pages])  # noqa: S608 - ours
    # The statement itself counts as a change.
    return db.total_changes - before > 1


def set_due(db: sqlite3.Connection) -> None:
    """Remember that files beside the catalog hold something that is to go."""
    db.execute("INSERT INTO purges DEFAULT VALUES")


def last_due(db: sqlite3.Connection) -> int:
    """The number of the last thing that is to be done; 0 for none."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM purges").fetchone()[0])


def set_done(db: sqlite3.Connection, last: int) -> None:
    """Remember that all is done up to the thing of this number; what came since is due still."""
    db.execute("DELETE FROM purges WHERE id <= ?", [last])
