"""Scopes: parts of the library as conditions in SQL."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from core.catalog.documents import DocumentState, NamedDocument
from core.catalog.text.index_terms import indexed
from core.catalog.text.joined_forms import with_joined_forms
from core.catalog.text.letters import plain
from core.catalog.text.normalisation import DATED, NS, Condition, any_of, fold, local, quoted
from core.errors import Message
from core.files.locations import Location

if TYPE_CHECKING:
    from core.arrays import Numbers

_SIZE: str = "documents.size_bytes"
_CHANGED: str = "documents.mtime_ns"
_GREATEST: int = 2**63 - 1  # largest integer in SQLite
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Scope:
    """Conditions on documents and passages, which must all be met; an empty scope is everything.

    Attributes:
        paths: folders with their contents, or single files; any of them.
        folders: names of folders, or the last parts of a path ("work/notes"); any of them. Case
            and accents are ignored, here and in names and authors.
        suffixes: of file names, with the dot (".pdf"), or whole names without one ("makefile");
            any of them, ignoring case.
        names: parts of file names, or patterns of whole names with * and ?; all of them.
        authors: parts of the authors' names; all of them.
        tags: tags, or the outer ones of nested tags; all of them.
        titles: parts of the title; all of them.
        senders: parts of the names and addresses of a mail's senders; all of them.
        recipients: the same of its recipients.
        since: the first day, in local time, of the document's own date, or of its file's
            modification if it has none.
        until: the last such day.
        changed_since: the first day of the file's modification.
        changed_until: the last such day.
        least_bytes: of the file.
        most_bytes: of the file.
        has_members: whether to include only documents that contain others, such as mails with
            attachments.
        same: paths of documents, the last parts of a path, or file names, for these documents,
            their copies and versions; all of them.
        seen: the scope of the documents that `same` names; None for everywhere.
        without_words: words that the passage, its title and headings must not contain.
        every: further scopes that must match.
        either: scopes of which at least one must match, if any.
        neither: scopes that must not match.
    """

    paths: tuple[Path, ...] = ()
    folders: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    changed_since: date | None = None
    changed_until: date | None = None
    least_bytes: int | None = None
    most_bytes: int | None = None
    has_members: bool = False
    same: tuple[str, ...] = ()
    seen: Scope | None = None
    without_words: tuple[str, ...] = ()
    every: tuple[Scope, ...] = ()
    either: tuple[Scope, ...] = ()
    neither: tuple[Scope, ...] = ()

    @property
    def is_everything(self) -> bool:
        """Whether there are no conditions."""
        return self == Scope()

    @property
    def constrains_text(self) -> bool:
        """Whether the scope depends on the text of passages."""
        parts = (*self.every, *self.either, *self.neither)
        return bool(self.without_words) or any(part.constrains_text for part in parts)

    @property
    def includes_copies(self) -> bool:
        """Whether copies and versions of a document are searched for."""
        parts = (*self.every, *self.either, *self.neither)
        return bool(self.same) or any(part.includes_copies for part in parts)

    @property
    def includes_names(self) -> bool:
        """Whether documents with certain file names are searched for."""
        parts = (*self.every, *self.either)
        return bool(self.names) or any(part.includes_names for part in parts)

    def seen_from(self, viewpoint: Scope) -> Scope:
        """Return the scope restricted to what `viewpoint` shows, also in `same`."""
        if viewpoint.is_everything or not self.includes_copies:
            return self
        return replace(
            self,
            seen=viewpoint if self.same else None,
            every=tuple(part.seen_from(viewpoint) for part in self.every),
            either=tuple(part.seen_from(viewpoint) for part in self.either),
            neither=tuple(part.seen_from(viewpoint) for part in self.neither),
        )

    def __and__(self, other: Scope) -> Scope:
        """Return the intersection of both."""
        if self.is_everything or other.is_everything:
            return other if self.is_everything else self
        return Scope(every=(self, other))

    def condition(self) -> Condition:
        """Return SQL, with parameters, for a row of `documents` joined with `passages`.

        >>> Scope(most_bytes=9).condition()
        ('documents.size_bytes <= ?', [9])
        """
        if self.is_everything:
            return "1", []
        parts = [
            *_any_of(self.paths, lambda path: _in_path(str(path))),
            *_any_of(self.folders, _in_folder),
            *_with_suffix(self.suffixes),
            *map(_named, self.names),
            *map(_part_of("author"), self.authors),
            *map(_part_of("title"), self.titles),
            *map(_part_of("senders"), self.senders),
            *map(_part_of("recipients"), self.recipients),
            *map(_tagged, self.tags),
            *(_same(name, self.seen or EVERYWHERE) for name in self.same),
            *_compared(DATED, ">=", start_of(self.since)),
            *_compared(DATED, "<", start_of(self.until, 1)),
            *_compared(_CHANGED, ">=", start_of(self.changed_since)),
            *_compared(_CHANGED, "<", start_of(self.changed_until, 1)),
            *_compared(_SIZE, ">=", self.least_bytes),
            *_compared(_SIZE, "<=", self.most_bytes),
            *([(_HAS_MEMBERS, [])] if self.has_members else []),
            *([_without(self.without_words)] if self.without_words else []),
            *(scope.condition() for scope in self.every),
            *_any_of(self.either, Scope.condition),
            *(_not(scope.condition()) for scope in self.neither),
        ]
        return _joined("AND", parts)


EVERYWHERE = Scope()


@dataclass(frozen=True, slots=True)
class PassageMask:
    """A mask of passages that SQL can use: a byte per id from `first` on, 1 for those in the mask.

    Looking up a byte takes a tenth of the time of looking up a passage's document. Passages added
    later are not in the mask.
    """

    first: int
    flags: bytes

    def condition(self, id_expression: str) -> Condition:
        """Return the condition that an SQL expression is the id of one of them."""
        last = self.first + len(self.flags) - 1
        return (
            f"({id_expression} BETWEEN ? AND ? AND substr(?, {id_expression} - ?, 1) = x'01')",
            [self.first, last, self.flags, self.first - 1],
        )

    def ids(self) -> Numbers:
        """Return their ids, ascending."""
        # Imported here, so that searches by words alone load no numpy.
        import numpy as np

        return np.flatnonzero(np.frombuffer(self.flags, dtype=np.bool_)) + self.first


def _joined(word: str, parts: Sequence[Condition]) -> Condition:
    """Join conditions by AND or OR as a balanced tree, because SQLite limits the depth."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    left, right = _joined(word, parts[:middle]), _joined(word, parts[middle:])
    return f"({left[0]} {word} {right[0]})", left[1] + right[1]


def _any_of(values: Sequence[Value], condition: Callable[[Value], Condition]) -> list[Condition]:
    """Return the condition that one of the values matches, if there are any."""
    return [_joined("OR", [condition(value) for value in values])] if values else []


def _not(condition: Condition) -> Condition:
    return f"NOT ({condition[0]})", condition[1]


def _compared(column: str, comparison: str, value: int | None) -> list[Condition]:
    return [] if value is None else [(f"{column} {comparison} ?", [in_reach(value)])]


def in_reach(value: int) -> int:
    """Clamp a number to SQLite's integers."""
    return max(-_GREATEST, min(value, _GREATEST))


def _in_path(path: str) -> Condition:
    # Not LIKE: a folder's name may contain its wildcards, and case may matter.
    inside = path.rstrip(os.sep) + os.sep
    return (
        "(documents.path = ? OR substr(documents.path, 1, ?) = ?)",
        [path, len(inside), inside],
    )


def inside_of(folder: str) -> str:
    """Return the part of the folded paths of a folder's contents, with its separators."""
    return os.sep + fold(folder.replace("/", os.sep).strip(os.sep)) + os.sep


def _in_folder(folder: str) -> Condition:
    return "instr(? || fold(folder_of(documents.path)), ?) > 0", [os.sep, inside_of(folder)]


def _with_suffix(suffixes: Sequence[str]) -> list[Condition]:
    """Return the condition that a path has one of the suffixes, with one comparison per length."""
    by_length: dict[int, list[str]] = {}
    for suffix in suffixes:
        ending = suffix if suffix.startswith(".") else os.sep + suffix
        by_length.setdefault(len(ending), []).append(ending)
    parts: list[Condition] = []
    for length, endings in by_length.items():
        lowered = ", ".join(["lower(?)"] * len(endings))
        parts.append((f"lower(substr(documents.path, ?)) IN ({lowered})", [-length, *endings]))
    return [_joined("OR", parts)] if parts else []


def _named(name: str) -> Condition:
    if not set("*?") & set(name):
        return "instr(fold(file_name(documents.path)), ?) > 0", [fold(name)]
    return "fold(file_name(documents.path)) GLOB ?", [fold(name).replace("[", "[[]")]


def _part_of(column: str) -> Callable[[str], Condition]:
    return lambda value: (f"instr(fold(documents.{column}), ?) > 0", [fold(value)])


def tag_forms(tag: str) -> tuple[str, str]:
    """Return what the folded tags of a document contain, between "; ", if one is `tag` or in it.

    >>> tag_forms("#Home/Garden")
    ('; home/garden;', '; home/garden/')
    """
    start = "; " + fold(tag.strip().strip("#/"))
    return f"{start};", f"{start}/"


def _tagged(tag: str) -> Condition:
    tags = "'; ' || fold(documents.tags) || ';'"
    return (
        f"(documents.tags != '' AND (instr({tags}, ?) > 0 OR instr({tags}, ?) > 0))",
        [*tag_forms(tag)],
    )


_HAS_MEMBERS: Final = (
    "EXISTS (SELECT 1 FROM documents AS inside WHERE inside.container_id = documents.id)"
)


def _same(name: str, seen: Scope) -> Condition:
    condition, values = seen.condition()
    its_values: list[str | int | bytes] = [name]
    if Location.of(name).is_absolute:
        named = "documents.path = ?"
    else:
        end = os.sep + fold(name.replace("/", os.sep).strip(os.sep))
        # Query the index of names first: folding a hundred thousand paths takes half a second.
        named = (
            "documents.id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ?)"
            " AND substr(? || fold(documents.path), ?) = ?"
        )
        its_values = [quoted(end.rpartition(os.sep)[2]), os.sep, -len(end), end]
    meant = f"SELECT documents.id FROM documents WHERE {named} AND {condition}"  # noqa: S608 - ours
    family = f"SELECT family FROM signatures WHERE document_id IN ({meant})"  # noqa: S608 - ours
    kin = f"SELECT document_id FROM signatures WHERE family IN ({family})"  # noqa: S608 - ours
    talk = (
        "SELECT id FROM documents WHERE conversation != '' AND conversation IN"  # noqa: S608 - ours
        f" (SELECT conversation FROM documents WHERE id IN ({meant}))"
    )
    sql = " OR ".join(f"documents.id IN ({ids})" for ids in (meant, kin, talk))
    return f"({sql})", [*its_values, *values] * 3


def holders_of(words: Sequence[str]) -> Condition:
    """Return SQL for the ids of the passages with any of some words, also written in parts."""
    sql = (
        "SELECT rowid AS number FROM passages_fts WHERE passages_fts MATCH ?"
        " UNION SELECT passages_fts.rowid FROM joined_forms CROSS JOIN passages_fts"
        " WHERE form IN (SELECT value FROM json_each(?))"
        """ AND passages_fts MATCH '"' || parts || '"'"""
    )
    ways = dict.fromkeys([*words, *map(with_joined_forms, map(plain, words))])
    return sql, [any_of(ways), json.dumps([*dict.fromkeys(map(indexed, ways))])]


def _without(words: Sequence[str]) -> Condition:
    sql, values = holders_of(words)
    return f"passages.id NOT IN ({sql})", values


def start_of(day: date | None, days: int = 0) -> int | None:
    """Return the beginning of a day, or of one some days after it, in nanoseconds since 1970."""
    if day is None:
        return None
    ordinal = day.toordinal() + days
    if not 1971 <= day.year < 2999:
        # Not every system knows the local time of such days, and no file is that old.
        return (ordinal - date(1970, 1, 1).toordinal()) * 24 * 60 * 60 * NS
    return int(local(datetime.fromordinal(ordinal)).timestamp()) * NS


def has_document(db: sqlite3.Connection, scope: Scope) -> bool:
    """Return whether a document with text is in a scope. One that constrains text has none."""
    if scope.constrains_text:
        return False
    condition, values = scope.condition()
    sql = f"SELECT 1 FROM documents WHERE state = ? AND {condition} LIMIT 1"  # noqa: S608 - ours
    return db.execute(sql, [DocumentState.READ, *values]).fetchone() is not None


def count_documents(db: sqlite3.Connection, scope: Scope) -> int:
    """Return the number of documents with text in a scope that does not constrain text."""
    condition, values = scope.condition()
    sql = f"SELECT count(*) FROM documents WHERE state = ? AND {condition}"  # noqa: S608 - ours
    return int(db.execute(sql, [DocumentState.READ, *values]).fetchone()[0])


def has_name(db: sqlite3.Connection, word: str, scope: Scope = EVERYWHERE) -> bool:
    """Return whether a word is in the path or the author of a document in a scope.

    Reads all paths. A scope that constrains text is ignored to that extent.
    """
    condition, values = ("1", []) if scope.constrains_text else scope.condition()
    # SQLite ignores the case of ASCII letters only.
    pattern = "".join(letter if letter.isascii() else "_" for letter in word)
    return any(
        db.execute(
            f"SELECT 1 FROM documents WHERE {column} LIKE ? AND {condition} LIMIT 1",  # noqa: S608
            [f"%{pattern}%", *values],
        ).fetchone()
        for column in ("path", "author")
    )


# Matching names that are ranked, the newest ones: ranking a million takes more than a second.
_COMPARED: Final = 2000


def find_names(
    db: sqlite3.Connection,
    words: Sequence[str],
    limit: int,
    scope: Scope = EVERYWHERE,
    *,
    but: Collection[int] = (),
) -> tuple[NamedDocument, ...]:
    """Return the best `limit` documents with all words in their file names.

    Args:
        db: the catalog.
        words: the last one may be a prefix of two characters or more. Without words, the names of
            `scope` are compared, if it has any, and only documents without text are returned: a
            search lists the others.
        limit: number of documents.
        scope: the searched documents. One that constrains text finds nothing.
        but: ids of documents to leave out.

    Returns:
        Documents with the last word as a whole first, and of these those with short names; among
        equals the newest.
    """
    if scope.constrains_text:
        return ()
    if not words:
        return _unsearchable(db, scope, limit) if scope.includes_names else ()
    expression = " ".join(quoted(word) for word in words)
    condition = scope.condition()
    names = _ranked_names(db, expression, limit + len(but), condition)
    if len(words[-1]) > 1 and len(names) < limit + len(but):
        by_prefix = _ranked_names(db, f"{expression}*", limit + len(but), condition)
        names = {
            **names,
            **{
                document_id: name
                for document_id, name in by_prefix.items()
                if document_id not in names
            },
        }
    return tuple([named for document_id, named in names.items() if document_id not in but][:limit])


def _unsearchable(db: sqlite3.Connection, scope: Scope, limit: int) -> tuple[NamedDocument, ...]:
    """Return the documents in a scope that have no text that could be searched, newest first."""
    condition, values = scope.condition()
    rows = db.execute(
        "SELECT id, path, title, state, reason FROM documents"  # noqa: S608 - ours
        " WHERE state IN (SELECT value FROM json_each(?)) AND NOT EXISTS"
        f" (SELECT 1 FROM passages WHERE document_id = documents.id) AND {condition}"
        " ORDER BY mtime_ns DESC, id LIMIT ?",
        [_UNSEARCHABLE, *values, limit],
    )
    return tuple(map(_named_document, rows))


# Also archives, whose contents are separate documents.
_UNSEARCHABLE: Final = json.dumps([state for state in DocumentState if state != DocumentState.READ])


def _named_document(row: sqlite3.Row) -> NamedDocument:
    return NamedDocument(
        row["id"],
        Path(row["path"]),
        row["title"],
        DocumentState(row["state"]),
        Message.unpacked(row["reason"]),
    )


def _ranked_names(
    db: sqlite3.Connection, expression: str, limit: int, within: Condition
) -> dict[int, NamedDocument]:
    """Return documents by id whose names match an FTS5 expression, short names first."""
    condition, values = within
    # Not by bm25, which first counts all names that have each word.
    rows = db.execute(
        "SELECT id, path, title, state, reason FROM ("  # noqa: S608 - ours
        "SELECT documents.*, length(file_name(path)) AS letters FROM names_fts"
        " CROSS JOIN documents ON documents.id = names_fts.rowid"
        f" WHERE names_fts MATCH ? AND {condition} ORDER BY names_fts.rowid DESC LIMIT ?"
        ") ORDER BY letters, mtime_ns DESC, id LIMIT ?",
        [expression, *values, _COMPARED, limit],
    )
    return {row["id"]: _named_document(row) for row in rows}


class DocumentCounts(NamedTuple):
    """The numbers of documents by state, of passages, and of passages without vectors."""

    documents: int
    failed: int
    waiting: int
    passages: int
    passages_waiting: int


def document_counts(db: sqlite3.Connection, scope: Scope) -> DocumentCounts:
    """Count the documents and passages in a scope that does not constrain text."""
    condition, values = scope.condition()
    states = dict(
        db.execute(
            f"SELECT state, count(*) FROM documents WHERE {condition} GROUP BY state",  # noqa: S608 - ours
            values,
        ).fetchall()
    )
    passages, waiting = db.execute(
        "SELECT count(*), count(*) FILTER (WHERE segment_id IS NULL)"  # noqa: S608 - ours
        f" FROM passages JOIN documents ON documents.id = document_id WHERE {condition}",
        values,
    ).fetchone()
    return DocumentCounts(
        documents=states.get(DocumentState.READ, 0),
        failed=states.get(DocumentState.FAILED, 0),
        waiting=states.get(DocumentState.FOUND, 0),
        passages=passages,
        passages_waiting=waiting,
    )
