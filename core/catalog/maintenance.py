"""What is done to the catalog as a whole: purging what was removed, indexes made again, rereads."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from typing import Final

from core.catalog.catalog import Catalog
from core.progress import Job

_PAGES: Final = 64
"""Of some 4 kB, which a step writes: hundredths of a second."""


def purge_words(catalog: Catalog, job: Job) -> None:
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


def set_purge_due(db: sqlite3.Connection) -> None:
    """Remember that files beside the catalog hold something that is to go."""
    db.execute("INSERT INTO purges DEFAULT VALUES")


def last_purge_due(db: sqlite3.Connection) -> int:
    """The number of the last thing that is to be done; 0 for none."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM purges").fetchone()[0])


def set_purge_done(db: sqlite3.Connection, last: int) -> None:
    """Remember that all is done up to the thing of this number; what came since is due still."""
    db.execute("DELETE FROM purges WHERE id <= ?", [last])


def rebuild_indexes(db: sqlite3.Connection) -> None:
    """Make what is derived from the tables again, inside a transaction: indexes, words, names.

    Raises:
        sqlite3.DatabaseError: the tables are damaged.
    """
    db.execute("REINDEX")
    for table in ("passages_fts", "names_fts"):
        db.execute(f"INSERT INTO {table}({table}) VALUES ('rebuild')")  # noqa: S608 - ours


def set_rereads(db: sqlite3.Connection, folders: Iterable[int]) -> None:
    """Have all documents in these folders read once more, each with all that lies in its file."""
    db.executemany(
        "INSERT OR IGNORE INTO rereads(document_id)"
        " SELECT id FROM documents WHERE folder_id = ? AND container_id IS NULL",
        ((number,) for number in folders),
    )


def forget_rereads(db: sqlite3.Connection) -> None:
    """Leave those that have not been read yet as they are."""
    db.execute("DELETE FROM rereads")


def count_rereads(db: sqlite3.Connection) -> int:
    """How many documents are still to be read once more."""
    return int(db.execute("SELECT count(*) FROM rereads").fetchone()[0])
