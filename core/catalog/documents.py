"""The documents of the catalog: their paths, states and contents.

A member of a container has a path below the container's, and is removed with it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import astuple, dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from core.catalog import checksums
from core.catalog.normalisation import Condition, moment_ns
from core.errors import Message, UsageError, packed_text
from core.filesystems import FileStamp


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

    `first_line` and `last_line` are line numbers in the file, None if unknown.
    """

    page: int
    start: int
    end: int
    text: str
    context: str
    first_line: int | None = None
    last_line: int | None = None

    @property
    def place(self) -> tuple[int, int, int, int | None, int | None]:
        """The position: the page, the characters on it, and the lines of the file."""
        return self.page, self.start, self.end, self.first_line, self.last_line


def add_found(db: sqlite3.Connection, found: Iterable[tuple[int, str, FileStamp]]) -> None:
    """Add files found in folders (by folder id), to be read later.

    Files in a folder that was removed in the meantime are skipped.
    """
    db.executemany(
        "INSERT INTO documents(folder_id, path, size_bytes, mtime_ns, state)"
        " SELECT id, ?, ?, ?, ? FROM folders WHERE id = ? ON CONFLICT(path) DO NOTHING",
        (
            (path, stamp.size_bytes, stamp.mtime_ns, DocumentState.FOUND, folder_id)
            for folder_id, path, stamp in found
        ),
    )


def add_in_cloud(
    db: sqlite3.Connection, found: Iterable[tuple[int, str, FileStamp]], reason: str
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
            for folder_id, path, stamp in found
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
                number,
            )
            for number, stamp in changed
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
                number,
            )
            for number, stamp in left
        ),
    )


def leave_in_cloud(db: sqlite3.Connection, number: int, reason: str) -> None:
    """Mark a waiting document as in the cloud, as `set_in_cloud` does.

    An unchanged document that was waiting to be read again keeps its state.
    """
    db.execute(
        "UPDATE documents SET reason = iif(state = :found, :reason, reason),"
        " state = iif(state = :found, :in_cloud, state) WHERE id = :number",
        {
            "found": DocumentState.FOUND,
            "in_cloud": DocumentState.IN_CLOUD,
            "reason": packed_text(reason),
            "number": number,
        },
    )


def set_moved(
    db: sqlite3.Connection, number: int, folder_id: int, path: Path, stamp: FileStamp
) -> None:
    """Set the new path of a renamed or moved document and of its members.

    Does nothing if the new path is in a folder that was removed in the meantime.
    """
    updated = db.execute(
        "UPDATE documents SET folder_id = folders.id, size_bytes = ?, mtime_ns = ?"
        " FROM folders WHERE documents.id = ? AND folders.id = ?",
        [stamp.size_bytes, stamp.mtime_ns, number, folder_id],
    )
    if updated.rowcount:
        move(db, number, path)
        db.executemany(
            "UPDATE documents SET folder_id = ? WHERE id = ?",
            ((folder_id, member) for member in numbers_below(db, path)),
        )


def set_unread(db: sqlite3.Connection, number: int) -> None:
    """Mark a document as incompletely read; it keeps its text."""
    db.execute("UPDATE documents SET hash = NULL WHERE id = ?", [number])


def set_whole(
    db: sqlite3.Connection, number: int, content_hash: str | None, state: DocumentState
) -> None:
    """Mark a document as completely read, including its members.

    It has no text if it has no passages or, if it was `OPENED`, no members.
    """
    table, column = (
        ("documents", "container_id")
        if state is DocumentState.OPENED
        else ("passages", "document_id")
    )
    db.execute(
        f"UPDATE documents SET hash = ?, reason = '', state = iif(EXISTS"  # noqa: S608 - ours
        f" (SELECT 1 FROM {table} AS one WHERE one.{column} = documents.id), ?, ?) WHERE id = ?",
        [content_hash, state, DocumentState.NO_TEXT, number],
    )


def set_failed(db: sqlite3.Connection, number: int, content_hash: str | None, reason: str) -> None:
    """Record why a document could not be read, and delete its text."""
    db.execute("DELETE FROM passages WHERE document_id = ?", [number])
    db.execute(
        "UPDATE documents SET state = ?, hash = ?, reason = ?, title = '', author = '', date = '',"
        " said_ns = NULL, pages = 0, gaps = '', pictures = 0, text_sum = NULL WHERE id = ?",
        [DocumentState.FAILED, content_hash, packed_text(reason), number],
    )


def set_read(
    db: sqlite3.Connection,
    number: int,
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
        [state, content_hash, title, pages, checksums.of_text(map(_part, passages)), number],
    )
    if updated.rowcount == 0:
        return
    rows = db.execute(
        "SELECT id, page, start, end, text, context, first_line, last_line FROM passages"
        " WHERE document_id = ? ORDER BY page, start",
        [number],
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
            moved.append((*passage.place, row["id"]))
    removed = [(row["id"],) for alike in known.values() for row in alike]
    db.executemany("DELETE FROM passages WHERE id = ?", removed)
    db.executemany(
        "UPDATE passages SET page = ?, start = ?, end = ?, first_line = ?, last_line = ?"
        " WHERE id = ?",
        moved,
    )
    db.executemany(
        "INSERT INTO passages"
        "(page, start, end, first_line, last_line, document_id, text, context, digest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (*passage.place, number, passage.text, passage.context, digest_of(passage))
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


def set_metadata(db: sqlite3.Connection, number: int, author: str, date: str) -> None:
    """Store a document's author and date; "" if absent."""
    db.execute(
        "UPDATE documents SET author = ?, date = ?, said_ns = ? WHERE id = ?",
        [author, date, moment_ns(date), number],
    )


def set_gaps(db: sqlite3.Connection, number: int, gaps: str, pictures: int) -> None:
    """Store a description of the unread parts of a document, and its number of picture pages."""
    db.execute(
        "UPDATE documents SET gaps = ?, pictures = ? WHERE id = ?",
        [packed_text(gaps), pictures, number],
    )


def set_pictures_waiting(db: sqlite3.Connection) -> None:
    """Mark documents with picture pages to be read again, with text recognition."""
    _set_waiting(db, "pictures > 0 AND state != ?", [DocumentState.IN_CLOUD])


def set_failed_waiting(db: sqlite3.Connection, path: Path | None = None) -> int:
    """Mark documents that could not be read to be read again; return their number.

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


def remove(db: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Delete documents and all their data."""
    db.executemany("DELETE FROM documents WHERE id = ?", ((number,) for number in numbers))


def authors(db: sqlite3.Connection) -> list[str]:
    """Return the different names of authors, each as it is stored."""
    return [row[0] for row in db.execute("SELECT DISTINCT author FROM documents")]


def read(db: sqlite3.Connection) -> tuple[ReadDocument, ...]:
    """Return the documents that were read, by path, including those without text."""
    rows = db.execute(
        "SELECT id, path, title, pages, author, date FROM documents WHERE state IN (?, ?)"
        " ORDER BY path",
        [DocumentState.READ, DocumentState.NO_TEXT],
    )
    return tuple(ReadDocument(row[0], Path(row[1]), *row[2:]) for row in rows)


def at(db: sqlite3.Connection, path: Path) -> tuple[DocumentState, str, ReadDocument] | None:
    """Return the document at a path, with its state and the reason if unreadable, or None."""
    row = db.execute(
        "SELECT state, reason, id, path, title, pages, author, date FROM documents WHERE path = ?",
        [str(path)],
    ).fetchone()
    if row is None:
        return None
    state, reason, number, place, *described = row
    return (
        DocumentState(state),
        Message.unpacked(reason),
        ReadDocument(number, Path(place), *described),
    )


def count(db: sqlite3.Connection) -> dict[DocumentState, int]:
    """Return the number of documents in each state, from stored totals."""
    rows = db.execute("SELECT state, sum(documents) FROM document_totals GROUP BY state")
    counted = {DocumentState(state): number for state, number in rows}
    return {state: counted.get(state, 0) for state in DocumentState}


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A row of a document; `place` is its path, as a string to save memory.

    `container_id` is the document that contains it, None for a file. The `hash` of a member is None
    until all of its own members are read. `is_due` means that it is read again although it is
    unchanged.
    """

    id: int
    place: str
    stamp: FileStamp
    hash: str | None
    state: DocumentState
    title: str
    author: str
    date: str
    reason: str
    container_id: int | None
    is_due: bool

    @property
    def path(self) -> Path:
        return Path(self.place)

    @property
    def was_read(self) -> bool:
        """Whether the hashed content was read completely, including its members."""
        return self.hash is not None and not self.reason and not self.is_due


_KNOWN = (
    "SELECT id, path, size_bytes, mtime_ns, ctime_ns, inode, hash, state, title, author, date,"
    " reason, container_id, id IN (SELECT document_id FROM rereads) AS is_due"
    " FROM documents LEFT JOIN file_identities ON document_id = id "
)
# The unary plus signs make SQLite use the index of paths instead of scanning all files.
_FILES_OF = "WHERE +folder_id = ? AND +container_id IS NULL "


def in_folder(db: sqlite3.Connection, folder_id: int) -> Iterator[KnownDocument]:
    """Return the documents of a folder that are files; there may be a million."""
    rows = db.execute(_KNOWN + "WHERE folder_id = ? AND container_id IS NULL", [folder_id])
    return map(_known, rows)


def in_places(
    db: sqlite3.Connection, folder_id: int, whole: Iterable[str], listed: Iterable[str]
) -> Iterator[KnownDocument]:
    """Return the documents of a folder that are files at the given paths.

    Args:
        db: the catalog.
        folder_id: the folder's id.
        whole: paths of documents, and of folders including all their subfolders.
        listed: folders without their subfolders.
    """
    seen: set[int] = set()
    for condition, values in chain(map(_in_whole, whole), map(_directly_in, listed)):
        for row in db.execute(_KNOWN + _FILES_OF + condition, [folder_id, *values]):
            if row["id"] not in seen:
                seen.add(row["id"])
                yield _known(row)


def _in_whole(path: str) -> Condition:
    return "AND (path = ? OR (path > ? AND path < ?))", [path, *path_range(path)]


def _directly_in(folder: str) -> Condition:
    below = path_range(folder)
    condition = "AND path > ? AND path < ? AND instr(substr(path, ?), ?) = 0"
    return condition, [*below, len(below[0]) + 1, os.sep]


def paths_in(db: sqlite3.Connection, folder_id: int, place: Path) -> Iterator[str]:
    """Return the paths of a folder's files below a path, at any depth."""
    rows = db.execute(
        f"SELECT path FROM documents {_FILES_OF} AND path > ? AND path < ?",  # noqa: S608 - ours
        [folder_id, *path_range(place)],
    )
    return (row["path"] for row in rows)


def stamps_below(db: sqlite3.Connection, folder: Path) -> dict[str, FileStamp]:
    """Return the files in a folder, at any depth, that are not waiting to be read."""
    rows = db.execute(
        "SELECT path, size_bytes, mtime_ns FROM documents WHERE +container_id IS NULL"
        " AND state != ? AND path > ? AND path < ?",
        [DocumentState.FOUND, *path_range(folder)],
    )
    return {row["path"]: FileStamp(row["size_bytes"], row["mtime_ns"]) for row in rows}


def waiting(db: sqlite3.Connection) -> list[KnownDocument]:
    """Return the documents to be read: small ones first, then the newest first."""
    rows = db.execute(
        _KNOWN + "WHERE state = ? OR is_due"
        " ORDER BY is_due, size_bytes > 20000000, size_bytes > 1000000, mtime_ns DESC, path",
        [DocumentState.FOUND],
    )
    return [_known(row) for row in rows]


def fetch(db: sqlite3.Connection, number: int) -> KnownDocument | None:
    """Return a document by id; None if it no longer exists."""
    row = db.execute(_KNOWN + "WHERE id = ?", [number]).fetchone()
    return _known(row) if row else None


def files_of(db: sqlite3.Connection, numbers: Collection[int]) -> dict[int, Path]:
    """Return the path of the file of each document: its own, or its outermost container's."""
    rows = db.execute(
        """
        WITH RECURSIVE up(inner_id, id, container_id) AS (
            SELECT id, id, container_id FROM documents
            WHERE id IN (SELECT value FROM json_each(?))
            UNION ALL
            SELECT inner_id, documents.id, documents.container_id
            FROM documents JOIN up ON documents.id = up.container_id
        )
        SELECT inner_id, path FROM up JOIN documents ON documents.id = up.id
        WHERE up.container_id IS NULL
        """,
        [json.dumps(list(numbers))],
    )
    return {row["inner_id"]: Path(row["path"]) for row in rows}


def holder(db: sqlite3.Connection, number: int) -> KnownDocument | None:
    """Return the document's file: the document itself, or its outermost container."""
    row = db.execute(
        """
        WITH RECURSIVE up(id, container_id) AS (
            SELECT id, container_id FROM documents WHERE id = ?
            UNION ALL
            SELECT documents.id, documents.container_id
            FROM documents JOIN up ON documents.id = up.container_id
        )
        SELECT id FROM up WHERE container_id IS NULL
        """,
        [number],
    ).fetchone()
    return fetch(db, row["id"]) if row else None


def _known(row: sqlite3.Row) -> KnownDocument:
    number, place, size_bytes, mtime_ns, ctime_ns, inode, content_hash, state, *rest = row
    title, author, date, reason, *rest = rest
    return KnownDocument(
        number,
        place,
        FileStamp(size_bytes, mtime_ns, ctime_ns or 0, inode or 0),
        content_hash,
        DocumentState(state),
        title,
        author,
        date,
        Message.unpacked(reason),
        *rest,
    )


def member_at(db: sqlite3.Connection, path: Path) -> KnownDocument | None:
    """Return the member at a path."""
    row = db.execute(_KNOWN + "WHERE container_id IS NOT NULL AND path = ?", [str(path)]).fetchone()
    return _known(row) if row else None


def members_in(db: sqlite3.Connection, container_id: int) -> list[KnownDocument]:
    """Return the direct members of a container, in the order they were found in."""
    rows = db.execute(_KNOWN + "WHERE container_id = ? ORDER BY id", [container_id])
    return [_known(row) for row in rows]


def members_alike(
    db: sqlite3.Connection, holder: Path, content_hash: str, newest: int
) -> list[int]:
    """Return the ids, up to `newest`, of members of the file at `holder` with a content.

    At any depth, sorted by path.
    """
    rows = db.execute(
        "SELECT id FROM documents WHERE container_id IS NOT NULL AND hash = ? AND path > ?"
        " AND path < ? AND id <= ? ORDER BY path",
        [content_hash, *path_range(holder), newest],
    )
    return [row["id"] for row in rows]


def newest_number(db: sqlite3.Connection) -> int:
    """Return the highest document id; 0 if there are no documents."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM documents").fetchone()[0])


def member_hashes(db: sqlite3.Connection, holder: Path) -> frozenset[str]:
    """Return the content hashes of all members, at any depth, of the file at `holder`."""
    rows = db.execute(
        "SELECT DISTINCT hash FROM documents WHERE container_id IS NOT NULL AND hash NOT NULL"
        " AND path > ? AND path < ?",
        path_range(holder),
    )
    return frozenset(row["hash"] for row in rows)


def add_member(
    db: sqlite3.Connection, container_id: int, path: Path, stamp: FileStamp
) -> int | None:
    """Add a member without text and return its id; None if its container no longer exists.

    Another document at its path is set aside.
    """
    make_room(db, path)
    cursor = db.execute(
        "INSERT INTO documents(folder_id, container_id, path, size_bytes, mtime_ns, state)"
        " SELECT folder_id, id, ?, ?, ?, ? FROM documents WHERE id = ?",
        [str(path), stamp.size_bytes, stamp.mtime_ns, DocumentState.OPENED, container_id],
    )
    return cursor.lastrowid if cursor.rowcount else None


def place_member(
    db: sqlite3.Connection, number: int, container_id: int, path: Path, stamp: FileStamp
) -> None:
    """Move a member, with all its members, to a path in a container."""
    move(db, number, path)
    db.execute(
        "UPDATE documents SET container_id = ?, size_bytes = ?, mtime_ns = ? WHERE id = ?",
        [container_id, stamp.size_bytes, stamp.mtime_ns, number],
    )


def remove_other_members(db: sqlite3.Connection, holder: Path, keep: AbstractSet[int]) -> None:
    """Remove all members of the file at `holder`, at any depth, except the documents `keep`."""
    removed = [number for number in numbers_below(db, holder) if number not in keep]
    remove(db, removed)


def numbers_below(db: sqlite3.Connection, path: Path) -> list[int]:
    """Return the ids of all members of the document at a path, at any depth."""
    rows = db.execute("SELECT id FROM documents WHERE path > ? AND path < ?", path_range(path))
    return [row["id"] for row in rows]


def path_range(path: Path | str) -> tuple[str, str]:
    """Return two strings between which all paths below `path` sort.

    >>> path_range("/docs"), path_range("/")
    (('/docs/', '/docs0'), ('/', '0'))
    """
    # A root ends in a separator, other folders do not.
    above = str(path).rstrip(os.sep)
    return f"{above}{os.sep}", f"{above}{chr(ord(os.sep) + 1)}"


def move(db: sqlite3.Connection, number: int, path: Path) -> None:
    """Set the path of a document and its members; another document at this path is set aside."""
    row = db.execute("SELECT path FROM documents WHERE id = ?", [number]).fetchone()
    if row is None or row["path"] == str(path):
        return
    old = row["path"]
    inside = db.execute(
        "SELECT id, path FROM documents WHERE path > ? AND path < ?", path_range(old)
    ).fetchall()
    _set_path(db, number, path)
    for member in inside:
        _set_path(db, member["id"], Path(str(path) + member["path"][len(old) :]))


def make_room(db: sqlite3.Connection, path: Path, number: int = 0) -> None:
    """Set aside the document at `path`, unless it has this id.

    It keeps its name, so that it can be found until it gets its new path or is removed.
    """
    row = db.execute(
        "SELECT id FROM documents WHERE path = ? AND id != ?", [str(path), number]
    ).fetchone()
    if row is not None:
        move(db, row["id"], path.parent / f"earlier {row['id']}" / path.name)


def _set_path(db: sqlite3.Connection, number: int, path: Path) -> None:
    make_room(db, path, number)
    db.execute("UPDATE documents SET path = ? WHERE id = ?", [str(path), number])


def recognised_page(db: sqlite3.Connection, content_hash: str, page: int) -> bytes | None:
    """Return the stored text recognition of a page, or None."""
    row = db.execute(
        "SELECT layout FROM recognised WHERE hash = ? AND page = ?", [content_hash, page]
    ).fetchone()
    return row["layout"] if row else None


def put_recognised_page(
    db: sqlite3.Connection, content_hash: str, page: int, layout: bytes
) -> None:
    """Store the recognition of a page."""
    db.execute(
        "INSERT OR REPLACE INTO recognised(hash, page, layout, checksum) VALUES (?, ?, ?, ?)",
        [content_hash, page, layout, checksums.of_bytes(layout)],
    )


def forget_unused_pages(db: sqlite3.Connection) -> None:
    """Delete recognised pages whose content no document has.

    Nothing is deleted while documents wait to be read, for example because a drive is unplugged:
    their hashes are unknown, and some of their pages may have been recognised.
    """
    db.execute(
        "DELETE FROM recognised"
        " WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.hash = recognised.hash)"
        " AND NOT EXISTS (SELECT 1 FROM documents WHERE state = ?)",
        [DocumentState.FOUND],
    )


class DocumentChange(NamedTuple):
    """An entry of the log of changed documents.

    A recreated or restored catalog repeats numbers; the random `token` distinguishes its entries.
    """

    number: int
    token: int


def newest_change(db: sqlite3.Connection) -> DocumentChange:
    """Return the latest entry of the log."""
    row = db.execute(
        "SELECT number, token FROM document_changes ORDER BY number DESC LIMIT 1"
    ).fetchone()
    return DocumentChange(0, 0) if row is None else DocumentChange(*row)


def changed_since(db: sqlite3.Connection, change: DocumentChange) -> list[int] | None:
    """Return the ids of the documents added, removed or changed since, without duplicates.

    None if unknown: the log is too short, or the change is from another catalog.
    """
    if change.number:
        row = db.execute(
            "SELECT token FROM document_changes WHERE number = ?", [change.number]
        ).fetchone()
        if row is None or row[0] != change.token:
            return None
    elif db.execute("SELECT min(number) > 1 FROM document_changes").fetchone()[0]:
        return None
    rows = db.execute(
        "SELECT DISTINCT document_id FROM document_changes WHERE number > ?", [change.number]
    )
    return [row[0] for row in rows]
