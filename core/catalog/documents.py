"""The documents of the catalog: their states and contents.

Queries are in `document_queries`, moves in `document_paths`, members of containers in `members`.
"""

import hashlib
import sqlite3
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass
from enum import StrEnum
from pathlib import Path

from core.catalog.integrity import checksums
from core.catalog.text.normalisation import moment_ns
from core.errors import UsageError, packed_text
from core.files.filesystems import FileStamp


class DocumentState(StrEnum):
    """The processing state of a document."""

    # Seen in its folder, but not read yet, or changed since.
    FOUND = "found"
    # Its text is in the catalog and can be searched by words.
    READ = "read"
    # It was read, but has no text, for example a scan.
    NO_TEXT = "no_text"
    # It has no text, but its members are in the catalog.
    OPENED = "opened"
    # Not read, or not completely; the column `reason` says why.
    FAILED = "failed"
    # Its file's content is in the cloud; any text is of an earlier content.
    IN_CLOUD = "in_cloud"


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document whose text is in the catalog, with its number of pages.

    `author` and `date` (ISO 8601) come from its metadata, "" if absent.
    """

    id: int
    path: Path
    title: str
    pages: int
    author: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a document states about itself; see `core.documents.document.Document`."""

    author: str = ""
    date: str = ""
    tags: str = ""
    aliases: str = ""
    senders: str = ""
    recipients: str = ""
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document found by its file name, whether or not it has been read.

    `reason` says why it could not be read; "" otherwise.
    """

    id: int
    path: Path
    title: str
    state: DocumentState
    reason: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether it is waiting to be read, for the first time or again."""
        return self.state is DocumentState.FOUND

    @property
    def has_no_text(self) -> bool:
        """Whether it was read, but contains no text."""
        return self.state is DocumentState.NO_TEXT


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be read, and the reason in words."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class NewPassage:
    """A passage to be stored; see the table `passages` for the meaning of `text`.

    `first_line` and `last_line` are line numbers in the file, None if unknown. It `is_quoted` if
    most of it repeats another mail.
    """

    page: int
    start: int
    end: int
    text: str
    context: str
    first_line: int | None = None
    last_line: int | None = None
    is_quoted: bool = False

    @property
    def position(self) -> tuple[int, int, int, int | None, int | None, bool]:
        """The page, the characters on it, the lines of the file, and whether it is quoted."""
        return self.page, self.start, self.end, self.first_line, self.last_line, self.is_quoted


def add_new(db: sqlite3.Connection, files: Iterable[tuple[int, str, FileStamp]]) -> None:
    """Add files found in folders (by folder id), to be read later.

    Files in a folder that was removed in the meantime are skipped.
    """
    db.executemany(
        "INSERT INTO documents(folder_id, path, size_bytes, mtime_ns, state)"
        " SELECT id, ?, ?, ?, ? FROM folders WHERE id = ? ON CONFLICT(path) DO NOTHING",
        (
            (path, stamp.size_bytes, stamp.mtime_ns, DocumentState.FOUND, folder_id)
            for folder_id, path, stamp in files
        ),
    )


def add_in_cloud(
    db: sqlite3.Connection, files: Iterable[tuple[int, str, FileStamp]], reason: str
) -> None:
    """Add files as `add_found` does, but with their content in the cloud."""
    db.executemany(
        "INSERT INTO documents(folder_id, path, size_bytes, mtime_ns, state, reason)"
        " SELECT id, ?, ?, ?, ?, ? FROM folders WHERE id = ? ON CONFLICT(path) DO NOTHING",
        (
            (
                path,
                stamp.size_bytes,
                stamp.mtime_ns,
                DocumentState.IN_CLOUD,
                packed_text(reason),
                folder_id,
            )
            for folder_id, path, stamp in files
        ),
    )


def add_program_document(db: sqlite3.Connection, collection_id: int, key: str) -> int:
    """Add a document from a program to a collection; return its id.

    Raises:
        UsageError: a document with this key exists.
    """
    if db.execute("SELECT 1 FROM documents WHERE path = ?", [key]).fetchone():
        raise UsageError("A document with the key {0} already exists. Use a unique key.", key)
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
        "UPDATE documents SET reason = iif(state = ?, '', reason), state = ?, size_bytes = ?,"
        " mtime_ns = ? WHERE id = ?",
        (
            (
                DocumentState.IN_CLOUD,
                DocumentState.FOUND,
                stamp.size_bytes,
                stamp.mtime_ns,
                document_id,
            )
            for document_id, stamp in changed
        ),
    )


def set_in_cloud(
    db: sqlite3.Connection, left: Iterable[tuple[int, FileStamp]], reason: str
) -> None:
    """Mark documents whose changed content is in the cloud; they keep their text.

    They are read once their content is on this computer.
    """
    db.executemany(
        "UPDATE documents SET state = ?, reason = ?, size_bytes = ?, mtime_ns = ? WHERE id = ?",
        (
            (
                DocumentState.IN_CLOUD,
                packed_text(reason),
                stamp.size_bytes,
                stamp.mtime_ns,
                document_id,
            )
            for document_id, stamp in left
        ),
    )


def leave_in_cloud(db: sqlite3.Connection, document_id: int, reason: str) -> None:
    """Mark a waiting document as in the cloud, as `set_in_cloud` does.

    An unchanged document that was waiting to be read again keeps its state.
    """
    db.execute(
        "UPDATE documents SET reason = iif(state = :found, :reason, reason),"
        " state = iif(state = :found, :in_cloud, state) WHERE id = :document_id",
        {
            "found": DocumentState.FOUND,
            "in_cloud": DocumentState.IN_CLOUD,
            "reason": packed_text(reason),
            "document_id": document_id,
        },
    )


def set_unread(db: sqlite3.Connection, document_id: int) -> None:
    """Mark a document as incompletely read; it keeps its text."""
    db.execute("UPDATE documents SET hash = NULL WHERE id = ?", [document_id])


def set_whole(
    db: sqlite3.Connection, document_id: int, content_hash: str | None, state: DocumentState
) -> None:
    """Mark a document as completely read, including its members.

    It has no text if it has no passages or, if it was `OPENED`, no members. Text of an `OPENED` one
    is of a version of Winnow that read the whole file as text; it is deleted.
    """
    if state is DocumentState.OPENED:
        db.execute("DELETE FROM passages WHERE document_id = ?", [document_id])
        db.execute(
            "UPDATE documents SET title = '', author = '', date = '', said_ns = NULL, pages = 0,"
            " text_sum = NULL WHERE id = ? AND text_sum IS NOT NULL",
            [document_id],
        )
    table, column = (
        ("documents", "container_id")
        if state is DocumentState.OPENED
        else ("passages", "document_id")
    )
    db.execute(
        f"UPDATE documents SET hash = ?, reason = '', state = iif(EXISTS"  # noqa: S608 - ours
        f" (SELECT 1 FROM {table} AS one WHERE one.{column} = documents.id), ?, ?) WHERE id = ?",
        [content_hash, state, DocumentState.NO_TEXT, document_id],
    )


def set_failed(
    db: sqlite3.Connection, document_id: int, content_hash: str | None, reason: str
) -> None:
    """Record why a document could not be read, and delete its text."""
    db.execute("DELETE FROM passages WHERE document_id = ?", [document_id])
    db.execute(
        "UPDATE documents SET state = ?, hash = ?, reason = ?, title = '', author = '', date = '',"
        " tags = '', aliases = '', senders = '', recipients = '',"
        " said_ns = NULL, pages = 0, gaps = '', pictures = 0, text_sum = NULL WHERE id = ?",
        [DocumentState.FAILED, content_hash, packed_text(reason), document_id],
    )


def set_read(
    db: sqlite3.Connection,
    document_id: int,
    content_hash: str | None,
    title: str,
    pages: int,
    passages: Sequence[NewPassage],
    state: DocumentState = DocumentState.READ,
) -> None:
    """Replace a document's text; its words are searchable at once.

    Does nothing for a document that was removed in the meantime. A document with unread members
    keeps its `state`. Passages that still occur anywhere in the document keep their vectors.
    """
    if state is DocumentState.READ and not passages:
        state = DocumentState.NO_TEXT
    # In document order, as in the check that compares the sums.
    passages = sorted(passages, key=lambda passage: (passage.page, passage.start))
    updated = db.execute(
        "UPDATE documents SET state = ?, hash = ?, reason = '', title = ?, pages = ?, text_sum = ?"
        " WHERE id = ?",
        [state, content_hash, title, pages, checksums.of_text(map(_part, passages)), document_id],
    )
    if updated.rowcount == 0:
        return
    rows = db.execute(
        "SELECT id, page, start, end, text, context, first_line, last_line, is_quoted"
        " FROM passages WHERE document_id = ? ORDER BY page, start",
        [document_id],
    )
    known: dict[tuple[str, str, int], deque[sqlite3.Row]] = defaultdict(deque)
    for row in rows:
        known[row["text"], row["context"], row["end"] - row["start"]].append(row)
    new, moved = [], []
    for passage in passages:
        alike = known[passage.text, passage.context, passage.end - passage.start]
        if not alike:
            new.append(passage)
        elif (row := alike.popleft())[1:] != astuple(passage):
            moved.append((*passage.position, row["id"]))
    removed = [(row["id"],) for alike in known.values() for row in alike]
    db.executemany("DELETE FROM passages WHERE id = ?", removed)
    db.executemany(
        "UPDATE passages SET page = ?, start = ?, end = ?, first_line = ?, last_line = ?,"
        " is_quoted = ? WHERE id = ?",
        moved,
    )
    db.executemany(
        "INSERT INTO passages"
        "(page, start, end, first_line, last_line, is_quoted, document_id, text, context, digest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (*passage.position, document_id, passage.text, passage.context, digest_of(passage))
            for passage in new
        ),
    )


def digest_of(passage: NewPassage) -> int:
    """Return the digest of a passage's context and text, by which equal passages are found.

    >>> one = NewPassage(1, 0, 5, "Owls. ", "Birds")
    >>> digest_of(one) == digest_of(NewPassage(7, 20, 25, "Owls.", "Birds"))
    True
    """
    text = passage.text[: passage.end - passage.start]
    encoded = f"{passage.context}\0{text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(encoded, digest_size=8).digest(), "big", signed=True)


def _part(row: NewPassage) -> checksums.Part:
    text, context = (part.encode("utf-8", "surrogatepass") for part in (row.text, row.context))
    return row.page, row.start, row.end, text, context, row.first_line, row.last_line


def set_metadata(
    db: sqlite3.Connection, document_id: int, metadata: Metadata, gaps: str = "", pictures: int = 0
) -> None:
    """Store what a document states about itself, its unread parts and number of picture pages."""
    columns = asdict(metadata) | {"said_ns": moment_ns(metadata.date)}
    columns |= {"gaps": packed_text(gaps), "pictures": pictures}
    changes = ", ".join(f"{name} = :{name}" for name in columns)
    db.execute(f"UPDATE documents SET {changes} WHERE id = :id", columns | {"id": document_id})  # noqa: S608 - ours


def set_pictures_waiting(db: sqlite3.Connection) -> None:
    """Mark documents with picture pages to be read again, with text recognition."""
    _set_waiting(db, "pictures > 0 AND state != ?", [DocumentState.IN_CLOUD])


def set_failed_waiting(db: sqlite3.Connection, path: Path | None = None) -> int:
    """Mark documents that could not be read to be read again; return their document_id.

    With `path`, only the document there.
    """
    condition, values = "state = ?", [str(DocumentState.FAILED)]
    if path is not None:
        condition = "state IN (?, ?) AND path = ?"
        values += [DocumentState.NO_TEXT, str(path)]
    rows = db.execute(f"SELECT count(*) FROM documents WHERE {condition}", values)  # noqa: S608 - ours
    count = int(rows.fetchone()[0])
    _set_waiting(db, condition, values)
    return count


def _set_waiting(db: sqlite3.Connection, condition: str, values: list[str]) -> None:
    """Mark documents, and all containers they are in, to be read again."""
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


def remove(db: sqlite3.Connection, document_ids: Iterable[int]) -> None:
    """Delete documents and all their data."""
    db.executemany(
        "DELETE FROM documents WHERE id = ?", ((document_id,) for document_id in document_ids)
    )
