"""What distinguishes a file from another one of the same size and time at its path."""

import sqlite3
from collections.abc import Iterable

from core.files.filesystems import FileStamp


def put(db: sqlite3.Connection, files: Iterable[tuple[str, FileStamp]]) -> None:
    """Store the identities of files, by path; those without a document are left out."""
    db.executemany(
        "INSERT INTO file_identities(document_id, ctime_ns, inode)"
        " SELECT id, ?, ? FROM documents WHERE path = ?"
        " ON CONFLICT(document_id)"
        " DO UPDATE SET ctime_ns = excluded.ctime_ns, inode = excluded.inode",
        ((stamp.ctime_ns, stamp.inode, path) for path, stamp in files),
    )
