"""Versions of stored texts: which folding the word indexes have, and which readers.

A library keeps its text when Winnow learns to fold letters or to read files better. Its word
indexes answer until the next sync builds them again (`core.indexing.text_updates`), and files whose
readers have changed are read again. Until then nothing is deleted from the word indexes: SQLite
removes the words that it computes now, which are not those that were indexed.
"""

import sqlite3
from typing import Final

from core.progress import Job, Progress, Stage

# Version of the letters and words in the word indexes. Raise it when `letters`, `normalisation` or
# `joined_forms` change the indexed words.
FOLDING: Final = 7
# SQL condition that the word indexes have this version's words.
IS_CURRENT: Final = "(SELECT folding FROM text_versions) = folding_version()"
# Passages indexed between two checks for cancellation.
_AT_ONCE: Final = 500


def folding(db: sqlite3.Connection) -> int:
    """Return the version of the words in the word indexes."""
    return int(db.execute("SELECT folding FROM text_versions").fetchone()[0])


def readers(db: sqlite3.Connection) -> int:
    """Return the version of the readers that the stored text is of."""
    return int(db.execute("SELECT readers FROM text_versions").fetchone()[0])


def set_readers(db: sqlite3.Connection, version: int) -> None:
    """Store that the text is of this version of the readers, or due to be read again."""
    db.execute("UPDATE text_versions SET readers = ?", [version])


def set_folding_current(db: sqlite3.Connection) -> None:
    """Store that the word indexes were built by this version."""
    db.execute("UPDATE text_versions SET folding = ?", [FOLDING])


def rebuild_words(db: sqlite3.Connection, job: Job) -> None:
    """Build the indexes of words and names again from the stored text, inside a transaction.

    Readers have the old ones until it is committed.

    Raises:
        Cancelled: the job was cancelled; roll back.
    """
    db.execute("INSERT INTO names_fts(names_fts) VALUES ('rebuild')")
    db.execute("INSERT INTO passages_fts(passages_fts) VALUES ('delete-all')")
    db.execute("DELETE FROM joined_forms")
    total = int(db.execute("SELECT passages FROM passage_totals").fetchone()[0])
    done = last = 0
    while True:
        job.checkpoint()
        job.report(Progress(Stage.UPDATING, done, total))
        count, end = db.execute(
            "SELECT count(*), max(id) FROM"
            " (SELECT id FROM passages WHERE id > ? ORDER BY id LIMIT ?)",
            [last, _AT_ONCE],
        ).fetchone()
        if not count:
            break
        db.execute(
            "INSERT INTO passages_fts(rowid, text, context, joined)"
            " SELECT id, text, context, joined FROM passage_words WHERE id > ? AND id <= ?",
            [last, end],
        )
        db.execute(
            f"INSERT INTO joined_forms SELECT form, parts, passages FROM ({_JOINED}"  # noqa: S608 - ours
            " WHERE passages.id > ? AND passages.id <= ? GROUP BY form, parts) WHERE true"
            " ON CONFLICT(form, parts) DO UPDATE SET passages = passages + excluded.passages",
            [last, end],
        )
        done, last = done + count, end
    set_folding_current(db)


# The rows of `joined_forms`, to be grouped.
_JOINED: Final = (
    "SELECT json_extract(value, '$[0]') AS form, json_extract(value, '$[1]') AS parts,"
    " count(*) AS passages"
    " FROM passages, json_each(joined_rows(context, text))"
)


def rebuild_joined_forms(db: sqlite3.Connection) -> None:
    """Compute the joined forms of all passages again, inside a transaction."""
    db.execute("DELETE FROM joined_forms")
    db.execute(f"INSERT INTO joined_forms {_JOINED} GROUP BY form, parts")


def has_true_joined_forms(db: sqlite3.Connection) -> bool:
    """Return whether the stored joined forms are those of the passages."""
    differing = (
        f"SELECT 1 FROM ({_JOINED} GROUP BY form, parts"  # noqa: S608 - ours
        " UNION ALL SELECT form, parts, -passages FROM joined_forms)"
        " GROUP BY form, parts HAVING sum(passages) != 0 LIMIT 1"
    )
    return db.execute(differing).fetchone() is None
