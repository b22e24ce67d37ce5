"""Families of documents: copies of one content, or versions of one text.

A family is identified by the number of its head document. Families are computed from signatures
(`core.catalog.text.minhash`) after reading; until then a document has no family.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from core.catalog.documents import DocumentState
from core.catalog.scope import Scope


@dataclass(frozen=True, slots=True)
class Copy:
    """A document that is a copy of another one, or a version of its text.

    `is_exact` means that their contents are equal byte for byte. `changed_ns` is the modification
    time of its file. `is_quoting` is a mail of the conversation that only quotes the passage found.
    """

    document_id: int
    path: Path
    title: str
    is_exact: bool
    size_bytes: int
    changed_ns: int
    is_quoting: bool = False


@dataclass(frozen=True, slots=True)
class CopiedFile:
    """A file with copies or versions."""

    path: Path
    size_bytes: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class CopyGroup:
    """Files of one content (`is_exact`), or versions of one text, the newest first.

    `room_bytes` is the size of all but the largest of them.
    """

    is_exact: bool
    files: tuple[CopiedFile, ...]
    room_bytes: int


@dataclass(frozen=True, slots=True)
class CopyTotals:
    """The number of groups and of their files, and the size of all but one file of each."""

    groups: int = 0
    files: int = 0
    room_bytes: int = 0


@dataclass(frozen=True, slots=True)
class CopiesReport:
    """Files stored more than once in the library's folders, in total and by group.

    Of versions with the same content, only one counts: the others are copies. `groups` are the
    largest ones, copies before versions. `waiting` documents have not been compared yet.
    """

    exact: CopyTotals
    versions: CopyTotals
    groups: tuple[CopyGroup, ...]
    waiting: int


# In a search


def families(db: sqlite3.Connection, documents: Iterable[int]) -> dict[int, int]:
    """Return the families of documents, by document id; documents without a family are left out."""
    rows = db.execute(
        "SELECT document_id, family FROM signatures WHERE family IS NOT NULL"
        " AND document_id IN (SELECT value FROM json_each(?))",
        [json.dumps(list(documents))],
    )
    return {row[0]: row[1] for row in rows}


# Most copies listed with one result.
_MOST_OF_A_FAMILY: Final = 1000


def family_members(
    db: sqlite3.Connection, documents: Sequence[int], scope: Scope
) -> dict[int, tuple[Copy, ...]]:
    """Return the other members in a scope of the documents' families, by path.

    Only documents with text are included. Documents without a family are left out.
    """
    family_of = families(db, documents)
    if not family_of:
        return {}
    condition, values = scope.condition()
    if scope.constrains_text:
        of_it = "SELECT 1 FROM passages WHERE document_id = documents.id"
        condition = f"EXISTS ({of_it} AND {condition})"
    rows = db.execute(
        "SELECT family, documents.id, path, title, hash, size_bytes, mtime_ns"  # noqa: S608 - ours
        " FROM signatures JOIN documents ON documents.id = document_id"
        f" WHERE family IN (SELECT value FROM json_each(?)) AND {condition} ORDER BY path",
        [json.dumps(sorted(set(family_of.values()))), *values],
    ).fetchall()
    members: dict[int, list[sqlite3.Row]] = defaultdict(list)
    for row in rows:
        members[row["family"]].append(row)
    copies_of = {}
    for document in documents:
        if document not in family_of:
            continue
        family = members[family_of[document]]
        own = next((row["hash"] for row in family if row["id"] == document), None)
        copies = tuple(
            [
                _copy(row, is_exact=own is not None and row["hash"] == own)
                for row in family[: _MOST_OF_A_FAMILY + 1]
                if row["id"] != document
            ]
        )
        if copies:
            copies_of[document] = copies
    return copies_of


def quoting_mails(db: sqlite3.Connection, documents: Sequence[int]) -> tuple[Copy, ...]:
    """Return the mails folded below a document that has the passage which they quote."""
    rows = db.execute(
        "SELECT documents.id, documents.path, title, size_bytes, mtime_ns FROM documents"
        " JOIN json_each(?) AS given ON given.value = documents.id ORDER BY given.key",
        [json.dumps(documents)],
    )
    return tuple([_copy(row, is_exact=False, is_quoting=True) for row in rows])


def _copy(row: sqlite3.Row, *, is_exact: bool, is_quoting: bool = False) -> Copy:
    return Copy(
        row["id"],
        Path(row["path"]),
        row["title"],
        is_exact,
        row["size_bytes"],
        row["mtime_ns"],
        is_quoting,
    )


def preferred(db: sqlite3.Connection, documents: Sequence[int]) -> int:
    """Return the representative of equally ranked copies.

    Prefer a file to a member of an archive or a mail, since it can be opened and shown in its
    folder; then the most recently changed one; then the first path.
    """
    row = db.execute(
        "SELECT id FROM documents WHERE id IN (SELECT value FROM json_each(?))"
        " ORDER BY container_id IS NOT NULL, mtime_ns DESC, path LIMIT 1",
        [json.dumps(list(documents))],
    ).fetchone()
    return int(row["id"]) if row is not None else documents[0]


# While families are found


class Unsigned(NamedTuple):
    """A document without a signature."""

    id: int
    path: Path
    author: str
    date: str


class Signed(NamedTuple):
    """A document with its signature, and its content hash if known."""

    id: int
    signature: bytes
    hash: str | None


def unsigned(db: sqlite3.Connection, limit: int) -> list[Unsigned]:
    """Return the first `limit` documents that have been read and have no signature."""
    rows = db.execute(
        "SELECT id, path, author, date FROM documents WHERE state = ?"
        " AND NOT EXISTS (SELECT 1 FROM signatures WHERE document_id = documents.id)"
        " ORDER BY id LIMIT ?",
        [DocumentState.READ, limit],
    )
    return [Unsigned(row[0], Path(row[1]), row[2], row[3]) for row in rows]


def texts(db: sqlite3.Connection, document: int) -> list[str]:
    """Return a document's text, passage by passage."""
    rows = db.execute(
        "SELECT text FROM passages WHERE document_id = ? ORDER BY page, start", [document]
    )
    return [row[0] for row in rows]


def put_signatures(db: sqlite3.Connection, signatures: Iterable[tuple[int, bytes]]) -> None:
    """Store signatures, except of documents that were removed in the meantime."""
    db.executemany(
        "INSERT OR REPLACE INTO signatures(document_id, signature)"
        " SELECT id, ? FROM documents WHERE id = ?",
        ((signature, document) for document, signature in signatures),
    )


def part_families(db: sqlite3.Connection) -> None:
    """Reset the family of documents whose family has lost its head document."""
    db.execute(
        "UPDATE signatures SET family = NULL WHERE family IS NOT NULL AND family NOT IN"
        " (SELECT document_id FROM signatures WHERE family = document_id)"
    )


def without_family(db: sqlite3.Connection) -> list[Signed]:
    """Return the documents without a family, by ascending id."""
    return [Signed(*row) for row in db.execute(_SIGNED + "WHERE family IS NULL ORDER BY id")]


def heads(db: sqlite3.Connection) -> list[Signed]:
    """Return the head documents of families, by ascending id."""
    return [Signed(*row) for row in db.execute(_SIGNED + "WHERE family = id ORDER BY id")]


_SIGNED: Final = "SELECT id, signature, hash FROM signatures JOIN documents ON id = document_id "


def families_of_contents(db: sqlite3.Connection, hashes: Collection[str]) -> dict[str, int]:
    """Return families by content hash."""
    rows = db.execute(
        "SELECT hash, min(family) FROM documents JOIN signatures ON document_id = id"
        " WHERE family IS NOT NULL AND hash IN (SELECT value FROM json_each(?)) GROUP BY hash",
        [json.dumps(sorted(hashes))],
    )
    return {row[0]: row[1] for row in rows}


def set_families(db: sqlite3.Connection, families: Iterable[tuple[int, int]]) -> None:
    """Store families, as pairs of document id and family."""
    db.executemany(
        "UPDATE signatures SET family = ? WHERE document_id = ?",
        ((family, document) for document, family in families),
    )


# Duplicates

_IS_FILE: Final = "container_id IS NULL AND hash IS NOT NULL AND size_bytes > 0"


def report(db: sqlite3.Connection, most: int) -> CopiesReport:
    """Return files stored more than once, limited in groups of copies and of versions.

    Only files count: members of an archive take no space of their own, nor do empty files.
    """
    exact = _groups(
        db.execute(
            "SELECT hash, path, size_bytes, mtime_ns, hash FROM documents"  # noqa: S608 - ours
            f" WHERE {_IS_FILE} AND hash IN (SELECT hash FROM documents WHERE {_IS_FILE}"
            " GROUP BY hash HAVING count(*) > 1)"
        ),
        is_exact=True,
    )
    versions = _groups(
        db.execute(
            "SELECT family, path, size_bytes, mtime_ns, hash FROM signatures"  # noqa: S608 - ours
            f" JOIN documents ON documents.id = document_id WHERE {_IS_FILE} AND family IN"
            " (SELECT family FROM signatures GROUP BY family HAVING count(*) > 1)"
        ),
        is_exact=False,
    )
    (waiting,) = db.execute(
        "SELECT count(*) FROM documents LEFT JOIN signatures ON document_id = documents.id"
        " WHERE state = ? AND family IS NULL",
        [DocumentState.READ],
    ).fetchone()
    return CopiesReport(
        _totals(exact), _totals(versions), (*exact[:most], *versions[:most]), waiting
    )


def _groups(rows: Iterable[sqlite3.Row], *, is_exact: bool) -> list[CopyGroup]:
    """Return groups of files, the largest first; of versions, one file per content."""
    copies: dict[str | int, list[tuple[CopiedFile, str]]] = defaultdict(list)
    for key, path, size_bytes, mtime_ns, content in rows:
        copies[key].append((CopiedFile(Path(path), size_bytes, mtime_ns), content))
    groups = []
    for members in copies.values():
        members.sort(key=lambda copy: (-copy[0].changed_ns, copy[0].path))
        if not is_exact:
            members = list(
                {content: (file, content) for file, content in reversed(members)}.values()
            )
            members.reverse()
        if len(members) > 1:
            files = tuple(file for file, _ in members)
            sizes = [file.size_bytes for file in files]
            groups.append(CopyGroup(is_exact, files, sum(sizes) - max(sizes)))
    return sorted(groups, key=lambda group: (-group.room_bytes, group.files[0].path))


def _totals(groups: Sequence[CopyGroup]) -> CopyTotals:
    return CopyTotals(
        len(groups),
        sum(len(group.files) for group in groups),
        sum(group.room_bytes for group in groups),
    )
