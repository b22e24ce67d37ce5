"""The documents of the catalog: which there are, how far they have come, what failed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.catalog import places, sums
from core.catalog.dates import moment_ns
from core.catalog.records import DocumentState, Failure, ReadDocument
from core.errors import UsageError

_GREATEST: Final = 2**63 - 1
"""Of what SQLite takes."""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What tells without reading that a file has not changed.

    Sizes and times that SQLite has no whole number for are put at the end of those that it has: a
    clock that is wrong, a mail and an archive's header may say the year 2500.
    """

    size_bytes: int
    mtime_ns: int

    def __post_init__(self) -> None:
        for name, value in (("size_bytes", self.size_bytes), ("mtime_ns", self.mtime_ns)):
            if abs(value) > _GREATEST:
                object.__setattr__(self, name, _GREATEST if value > 0 else -_GREATEST)


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage to be stored; see the table `passages` for the meaning of `text`."""

    page: int
    start: int
    end: int
    text: str
    context: str


def add_found(db: sqlite3.Connection, found: Iterable[tuple[int, str, FileStamp]]) -> None:
    """Add files that were found in folders (by their numbers) and are to be read.

    Those of a folder that was removed meanwhile are left out.
    """
    db.executemany(
        "INSERT INTO documents(folder_id, path, size_bytes, mtime_ns, state)"
        " SELECT id, ?, ?, ?, ? FROM folders WHERE id = ? ON CONFLICT(path) DO NOTHING",
        (
            (path, stamp.size_bytes, stamp.mtime_ns, DocumentState.FOUND, folder_id)
            for folder_id, path, stamp in found
        ),
    )


def add_given(db: sqlite3.Connection, collection_id: int, key: str) -> int:
    """Add a document that a program gives to a collection, and give its number.

    Raises:
        UsageError: there is one of that key.
    """
    if db.execute("SELECT 1 FROM documents WHERE path = ?", [key]).fetchone():
        raise UsageError(f"There is a document {key} already; each needs a key of its own.")
    cursor = db.execute(
        "INSERT INTO documents(folder_id, path, size_bytes, mtime_ns, state)"
        " VALUES (?, ?, 0, 0, ?)",
        [collection_id, key, DocumentState.FOUND],
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def set_changed(db: sqlite3.Connection, changed: Iterable[tuple[int, FileStamp]]) -> None:
    """Mark documents whose files have changed: they keep their text until they are read again."""
    db.executemany(
        "UPDATE documents SET state = ?, size_bytes = ?, mtime_ns = ? WHERE id = ?",
        (
            (DocumentState.FOUND, stamp.size_bytes, stamp.mtime_ns, number)
            for number, stamp in changed
        ),
    )


def set_moved(
    db: sqlite3.Connection, number: int, folder_id: int, path: Path, stamp: FileStamp
) -> None:
    """Give a document whose file was renamed or moved, and all in it, its new place.

    It stays where it was if that is in a folder that was removed meanwhile.
    """
    updated = db.execute(
        "UPDATE documents SET folder_id = folders.id, size_bytes = ?, mtime_ns = ?"
        " FROM folders WHERE documents.id = ? AND folders.id = ?",
        [stamp.size_bytes, stamp.mtime_ns, number, folder_id],
    )
    if updated.rowcount:
        places.move(db, number, path)
        db.executemany(
            "UPDATE documents SET folder_id = ? WHERE id = ?",
            ((folder_id, member) for member in places.below(db, path)),
        )


def set_unread(db: sqlite3.Connection, number: int) -> None:
    """Mark a document, which keeps its text, as one that has not been read to its end."""
    db.execute("UPDATE documents SET hash = NULL WHERE id = ?", [number])


def set_whole(
    db: sqlite3.Connection, number: int, content_hash: str | None, state: DocumentState
) -> None:
    """Mark a document as read to its end: its text, if it has any (`state`), and all in it."""
    db.execute(
        "UPDATE documents SET state = ?, hash = ?, reason = '' WHERE id = ?",
        [state, content_hash, number],
    )


def set_failed(db: sqlite3.Connection, number: int, content_hash: str | None, reason: str) -> None:
    """Record why a document could not be read; what was known of its text is gone."""
    db.execute("DELETE FROM passages WHERE document_id = ?", [number])
    db.execute(
        "UPDATE documents SET state = ?, hash = ?, reason = ?, title = '', author = '', date = '',"
        " said_ns = NULL, pages = 0, gaps = '', pictures = 0, text_sum = NULL WHERE id = ?",
        [DocumentState.FAILED, content_hash, reason, number],
    )


def set_read(
    db: sqlite3.Connection,
    number: int,
    content_hash: str | None,
    title: str,
    pages: int,
    passages: Sequence[PassageRow],
    state: DocumentState = DocumentState.READ,
) -> None:
    """Store a document's text in place of what was known of it; its words can be found at once.

    Nothing is stored for a document that was removed meanwhile. One that waits to be read to its
    end, for the documents in it, keeps its `state`. Where the text is what it was, its passages
    stay, with their vectors.
    """
    updated = db.execute(
        "UPDATE documents SET state = ?, hash = ?, reason = '', title = ?, pages = ?, text_sum = ?"
        " WHERE id = ?",
        [state, content_hash, title, pages, sums.of_text(map(_part, passages)), number],
    )
    if updated.rowcount == 0:
        return
    rows = db.execute(
        "SELECT page, start, end, text, context FROM passages WHERE document_id = ? ORDER BY id",
        [number],
    )
    if [PassageRow(*row) for row in rows] == list(passages):
        return
    db.execute("DELETE FROM passages WHERE document_id = ?", [number])
    db.executemany(
        "INSERT INTO passages(document_id, page, start, end, text, context)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        ((number, row.page, row.start, row.end, row.text, row.context) for row in passages),
    )


def _part(row: PassageRow) -> sums.Part:
    text, context = (one.encode("utf-8", "surrogatepass") for one in (row.text, row.context))
    return row.page, row.start, row.end, text, context


def set_said(db: sqlite3.Connection, number: int, author: str, date: str) -> None:
    """Store what a document says of its making; "" for what it does not say."""
    db.execute(
        "UPDATE documents SET author = ?, date = ?, said_ns = ? WHERE id = ?",
        [author, date, moment_ns(date), number],
    )


def set_gaps(db: sqlite3.Connection, number: int, gaps: str, pictures: int) -> None:
    """Store what of a document was not read, in words, and how many pages of it are pictures."""
    db.execute("UPDATE documents SET gaps = ?, pictures = ? WHERE id = ?", [gaps, pictures, number])


def set_pictures_waiting(db: sqlite3.Connection) -> None:
    """Have documents with pages that are pictures read once more, now that their text counts."""
    _set_waiting(db, "pictures > 0", [])


def set_failed_waiting(db: sqlite3.Connection) -> None:
    """Have documents that could not be read tried once more."""
    _set_waiting(db, "state = ?", [DocumentState.FAILED])


def _set_waiting(db: sqlite3.Connection, condition: str, values: list[str]) -> None:
    """Have documents read again, with all that they lie in."""
    db.execute(
        f"""
        WITH RECURSIVE up(id, container_id) AS (
            SELECT id, container_id FROM documents WHERE {condition}
            UNION
            SELECT documents.id, documents.container_id
            FROM documents JOIN up ON documents.id = up.container_id
        )
        UPDATE documents SET hash = NULL, state = iif(container_id IS NULL, ?, state)
        WHERE id IN (SELECT id FROM up)
        """,  # noqa: S608 - ours
        [*values, DocumentState.FOUND],
    )


def with_gaps(db: sqlite3.Connection) -> tuple[Failure, ...]:
    """The documents of which not all was read, with what was not, by path."""
    rows = db.execute(
        "SELECT path, gaps FROM documents WHERE state = ? AND gaps != '' ORDER BY path",
        [DocumentState.READ],
    )
    return tuple(Failure(Path(row["path"]), row["gaps"]) for row in rows)


def remove(db: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Forget documents and all that is known of them."""
    db.executemany("DELETE FROM documents WHERE id = ?", ((number,) for number in numbers))


def failures(db: sqlite3.Connection) -> tuple[Failure, ...]:
    """What could not be read, by path."""
    rows = db.execute(
        "SELECT path, reason FROM documents WHERE state = ? ORDER BY path", [DocumentState.FAILED]
    )
    return tuple(Failure(Path(row["path"]), row["reason"]) for row in rows)


def read(db: sqlite3.Connection) -> tuple[ReadDocument, ...]:
    """What was read, by path."""
    rows = db.execute(
        "SELECT id, path, title, pages, author, date FROM documents WHERE state = ? ORDER BY path",
        [DocumentState.READ],
    )
    return tuple(
        ReadDocument(
            row["id"], Path(row["path"]), row["title"], row["pages"], row["author"], row["date"]
        )
        for row in rows
    )


def at(db: sqlite3.Connection, path: Path) -> tuple[DocumentState, str, ReadDocument] | None:
    """The document at a path, with its state and why it could not be read; None for none."""
    row = db.execute(
        "SELECT id, path, state, reason, title, pages, author, date FROM documents WHERE path = ?",
        [str(path)],
    ).fetchone()
    if row is None:
        return None
    document = ReadDocument(
        row["id"], Path(row["path"]), row["title"], row["pages"], row["author"], row["date"]
    )
    return DocumentState(row["state"]), row["reason"], document


def without_text(db: sqlite3.Connection) -> tuple[Path, ...]:
    """The documents that were read and have no passage, by path."""
    rows = db.execute(
        "SELECT path FROM documents WHERE state = ? AND NOT EXISTS"
        " (SELECT 1 FROM passages WHERE document_id = documents.id) ORDER BY path",
        [DocumentState.READ],
    )
    return tuple(Path(row["path"]) for row in rows)


def count(db: sqlite3.Connection) -> dict[DocumentState, int]:
    """How many documents are in each state."""
    rows = db.execute("SELECT state, count(*) FROM documents GROUP BY state")
    counted = {DocumentState(state): number for state, number in rows}
    return {state: counted.get(state, 0) for state in DocumentState}
