"""Brings the words and texts of a library up to this version's folding and readers."""

import sqlite3
from pathlib import Path

from core.catalog import maintenance
from core.catalog.catalog import Catalog
from core.catalog.text import text_version
from core.documents.reader_changes import READER_CHANGES, suffixes_since
from core.progress import Job


def update_texts(catalog: Catalog, job: Job) -> None:
    """Build the word indexes again if they are of an older version; mark files to be read again.

    In one transaction: searches use the old indexes until it is done, and a killed update starts
    over.

    Raises:
        Cancelled: the job was cancelled; the next call starts over.
    """
    with catalog.reading() as db:
        if is_current(db):
            return
    with catalog.transaction() as db:
        if text_version.folding(db) != text_version.FOLDING:
            text_version.rebuild_words(db, job)
        suffixes = suffixes_since(text_version.readers(db))
        if suffixes:
            rows = db.execute(
                "SELECT documents.id, documents.path FROM documents"
                " JOIN folders ON folders.id = folder_id WHERE NOT is_collection"
            )
            changed = [row["id"] for row in rows if Path(row["path"]).suffix.lower() in suffixes]
            maintenance.set_rereads_of(db, changed)
        text_version.set_readers(db, len(READER_CHANGES))


def is_current(db: sqlite3.Connection) -> bool:
    """Return whether the library's words and texts are of this version."""
    return text_version.folding(db) == text_version.FOLDING and text_version.readers(db) == len(
        READER_CHANGES
    )
