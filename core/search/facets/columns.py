"""The attributes of all documents that filters and counts need, as columns in memory.

Reading a million documents from the catalog for each answer would take four seconds. The columns
take some 69 bytes per document; names of folders, authors, tags and suffixes are stored once. The
catalog records which documents change (`core.catalog.documents`), and only these are read again:
the columns are always current. Those of a large library are also stored in a file next to the
catalog, without the names, so that the next start does not read all documents either.
"""

from __future__ import annotations

import io
import logging
import os
import sqlite3
import threading
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.arrays import Flags, Integers, Numbers
from core.catalog.bulk import DocumentRows, described, named, passage_runs
from core.catalog.catalog import Catalog
from core.catalog.document_queries import DocumentChange, changed_since, newest_change
from core.catalog.scope import Scope
from core.catalog.text.normalisation import NS, day_of
from core.documents.formats import (
    PACKED,
    all_formats,
    format_of,
    is_mail_number,
    is_of_maildir,
    unrotated,
)
from core.files import own_files
from core.progress import Job

_log = logging.getLogger(__name__)

# The resolution of dates: everywhere days begin at a quarter of an hour.
STEP_NS: Final = 15 * 60 * NS
# Minimum number of documents for which the columns are stored in a file.
_LEAST_STORED: Final = 20_000
# Changes after which the file is written again; fewer than the catalog records.
_MOST_BEHIND: Final = 20_000
# How often a waiting thread checks its job.
_POLL_S: Final = 0.05


class Names(dict[str, int]):
    """Distinct texts, numbered in order of arrival."""

    def __missing__(self, text: str) -> int:
        index = self[text] = len(self)
        return index


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """The names that columns have numbers for; names are never removed. Author 0 is no author.

    `endings` are results of `ending_of`; one of `tags` is all tags of a document, 0 is none.
    """

    folders: Names = field(default_factory=Names)
    endings: Names = field(default_factory=Names)
    kinds: Names = field(default_factory=Names)
    authors: Names = field(default_factory=lambda: Names({"": 0}))
    tags: Names = field(default_factory=lambda: Names({"": 0}))


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The n documents with text, sorted by id, and the m runs of their passages.

    Attributes:
        document_ids: (n,) int64, ids.
        steps: (n,) int32, dates as quarters of an hour since 1970.
        days: (n,) int32, dates as `date.toordinal`.
        folders: (n,) int32, numbers of `ColumnNames`, as the next four.
        endings: (n,) int32.
        kinds: (n,) int32.
        authors: (n,) int32.
        tags: (n,) int32.
        sizes: (n,) int64, bytes.
        changed: (n,) int32, when the file was last changed, as `steps`.
        is_findable: (n,) int8, 0 for documents that changed and are not read again yet: their old
            text is found, but not counted.
        firsts: (m,) int64, the first passage of each run, ascending.
        lasts: (m,) int64, the last passage of each run.
        holders: (m,) int32, the row of each run's document.
    """

    document_ids: Numbers
    steps: Integers
    days: Integers
    folders: Integers
    endings: Integers
    kinds: Integers
    authors: Integers
    tags: Integers
    sizes: Numbers
    changed: Integers
    is_findable: Integers
    firsts: Numbers
    lasts: Numbers
    holders: Integers

    def __len__(self) -> int:
        return len(self.document_ids)

    def of_documents(self, document_ids: Collection[int] | Numbers) -> Flags:
        """Return (n,) the mask of documents by id."""
        flags = np.zeros(len(self), dtype=np.bool_)
        if len(self) and len(document_ids):
            wanted = np.fromiter(document_ids, dtype=np.int64, count=len(document_ids))
            rows = np.minimum(np.searchsorted(self.document_ids, wanted), len(self) - 1)
            flags[rows[self.document_ids[rows] == wanted]] = True
        return flags

    def of_passages(self, passage_ids: Numbers) -> Flags:
        """Return (n,) the mask of documents with one of these passages."""
        flags = np.zeros(len(self), dtype=np.bool_)
        if len(self.firsts) and len(passage_ids):
            rows = np.searchsorted(self.firsts, passage_ids, side="right") - 1
            is_in = (rows >= 0) & (passage_ids <= self.lasts[rows])
            flags[self.holders[rows[is_in]]] = True
        return flags

    def passages_of(self, flags: Flags) -> tuple[int, Flags]:
        """Return the first passage id, and a mask of some documents' passages from there on."""
        if not len(self.firsts):
            return 0, np.zeros(0, dtype=np.bool_)
        first = int(self.firsts[0])
        borders = np.zeros(int(self.lasts[-1]) - first + 2, dtype=np.int8)
        is_chosen = flags[self.holders]
        # A run may begin directly after another.
        borders[self.firsts[is_chosen] - first] += 1
        borders[self.lasts[is_chosen] - first + 1] -= 1
        return first, np.cumsum(borders[:-1], dtype=np.int8).view(np.bool_)

    def without(self, documents: Sequence[int]) -> Columns:
        """Return the columns without these documents."""
        is_remaining = ~self.of_documents(documents)
        if is_remaining.all():
            return self
        is_remaining_run = is_remaining[self.holders]
        new_rows = np.cumsum(is_remaining, dtype=np.int32) - 1
        rest: dict[str, Any] = {name: getattr(self, name)[is_remaining] for name in _OF_DOCUMENTS}
        return Columns(
            **rest,
            firsts=self.firsts[is_remaining_run],
            lasts=self.lasts[is_remaining_run],
            holders=new_rows[self.holders[is_remaining_run]],
        )

    def with_more(self, added: Columns) -> Columns:
        """Return the columns with others, which must be disjoint."""
        at = np.searchsorted(self.document_ids, added.document_ids)
        merged: dict[str, Any] = {
            name: np.insert(getattr(self, name), at, getattr(added, name)) for name in _OF_DOCUMENTS
        }
        run_at = np.searchsorted(self.firsts, added.firsts)
        documents = np.insert(
            self.document_ids[self.holders], run_at, added.document_ids[added.holders]
        )
        return Columns(
            **merged,
            firsts=np.insert(self.firsts, run_at, added.firsts),
            lasts=np.insert(self.lasts, run_at, added.lasts),
            holders=np.searchsorted(merged["document_ids"], documents).astype(np.int32),
        )


_OF_DOCUMENTS: Final = (
    "document_ids",
    "steps",
    "days",
    "folders",
    "endings",
    "kinds",
    "authors",
    "tags",
    "sizes",
    "changed",
    "is_findable",
)


class Moment:
    """The columns at one state of the catalog, with the masks computed from them."""

    def __init__(self, change: DocumentChange, columns: Columns, names: ColumnNames) -> None:
        self.change = change
        self.columns = columns
        self.names = names
        # Masks of documents by scope, those of the scopes used last.
        self.masks: dict[Scope, Flags] = {}


class CachedColumns:
    """The columns of one library; thread-safe."""

    def __init__(self, least_stored: int = _LEAST_STORED) -> None:
        """Cache columns, and store those of large libraries in a file."""
        self._lock = threading.Lock()
        self._cached: Moment | None = None
        self._least_stored = least_stored
        self._written: int | None = None

    @contextmanager
    def now(
        self, catalog: Catalog, job: Job | None = None
    ) -> Iterator[tuple[sqlite3.Connection, Moment]]:
        """Yield the catalog and the columns in the same state.

        The first caller reads all documents, unless a file has their columns; others wait.

        Raises:
            Cancelled: the job was cancelled.
            LibraryError: the library cannot be read.
        """
        job = job or Job()
        with ExitStack() as held:
            with self._turn(job):
                db = held.enter_context(catalog.snapshot())
                moment = self._current(catalog, db)
            job.checkpoint()
            yield db, moment

    @contextmanager
    def _turn(self, job: Job) -> Iterator[None]:
        """Wait until no other thread reads the documents, or the job is cancelled."""
        while not self._lock.acquire(timeout=_POLL_S):
            job.checkpoint()
        try:
            yield
        finally:
            self._lock.release()

    def _current(self, catalog: Catalog, db: sqlite3.Connection) -> Moment:
        """Return the columns for the state of `db`."""
        now = newest_change(db)
        cached = self._cached
        if cached is None:
            cached = _read_file(_file_of(catalog), db)
            self._written = None if cached is None else cached.change.number
        if cached is not None and cached.change != now:
            changed = changed_since(db, cached.change)
            cached = None if changed is None else _brought_up_to(now, cached, changed, db)
        if cached is None:
            names = ColumnNames()
            cached = Moment(now, _read(db, names), names)
            self._written = None
        self._cached = cached
        is_far = self._written is None or now.number - self._written > _MOST_BEHIND
        if is_far and len(cached.columns) >= self._least_stored and catalog.may_change:
            self._written = now.number
            _write_file(_file_of(catalog), cached)
        return cached


# From the catalog to columns


def _read(
    db: sqlite3.Connection, names: ColumnNames, document_ids: Collection[int] | None = None
) -> Columns:
    """Read the columns of all documents, or of some; documents without text are left out."""
    parts = [_numbered(names, batch) for batch in described(db, document_ids)]
    parts.append(_numbered(names, DocumentRows(*([] for _ in DocumentRows._fields))))
    every = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    runs = [np.empty((0, 3), dtype=np.int64)]
    runs += [
        np.array(batch, dtype=np.int64).reshape(-1, 3) for batch in passage_runs(db, document_ids)
    ]
    holders, firsts, lasts = np.concatenate(runs).T
    order = np.argsort(firsts, kind="stable")
    has_text = np.isin(every["document_ids"], holders)
    every = {name: column[has_text] for name, column in every.items()}
    order = order[np.isin(holders[order], every["document_ids"])]
    return Columns(
        **every,
        days=_days_of(every["steps"]),
        firsts=firsts[order],
        lasts=lasts[order],
        holders=np.searchsorted(every["document_ids"], holders[order]).astype(np.int32),
    )


def _numbered(names: ColumnNames, batch: DocumentRows) -> dict[str, Any]:
    """Return the columns of some documents."""
    split = [path.rpartition(os.sep) for path in batch.paths]
    numbered = {
        "folders": [names.folders[folder] for folder, _, _ in split],
        "endings": [names.endings[ending_of(name)] for _, _, name in split],
        "kinds": [names.kinds[_kind(name)] for _, _, name in split],
        "authors": [names.authors[author] for author in batch.authors],
        "tags": [names.tags[tags] for tags in batch.tags],
    }
    return {
        "document_ids": np.array(batch.document_ids, dtype=np.int64),
        "steps": _steps_of(batch.dated_ns),
        **{name: np.array(column, dtype=np.int32) for name, column in numbered.items()},
        "sizes": np.array(batch.sizes, dtype=np.int64),
        "changed": _steps_of(batch.changed_ns),
        "is_findable": np.array(batch.findable, dtype=np.int8),
    }


def _steps_of(moments_ns: Sequence[int]) -> Integers:
    return (np.array(moments_ns, dtype=np.int64) // STEP_NS).astype(np.int32)


def _brought_up_to(
    now: DocumentChange, cached: Moment, changed: Sequence[int], db: sqlite3.Connection
) -> Moment:
    """Return columns with the changed documents read again."""
    rest = cached.columns.without(changed)
    fresh = _read(db, cached.names, changed)
    return Moment(now, rest.with_more(fresh) if len(fresh) else rest, cached.names)


def _days_of(steps: Integers) -> Integers:
    different, day_indexes = np.unique(steps, return_inverse=True)
    days = [_day(step).toordinal() for step in different.tolist()]
    return np.array(days, dtype=np.int32)[day_indexes]


@lru_cache(maxsize=1 << 16)
def _day(step: int) -> date:
    """Return the day of a step, in local time as in the filters."""
    return day_of(step * STEP_NS)


def ending_of(name: str) -> str:
    """Return the part of a file's name that decides which suffixes it has.

    The last suffix, or a format's suffix of several parts; for whole names that a format has, the
    name after a separator. Older parts of logs have that of the log, and mails in a Maildir or MH
    folder ".eml". ASCII letters are lower case, as in SQLite.

    >>> ending_of("a.B.PDF"), ending_of("a.tar.gz"), ending_of("Makefile"), ending_of("notes")
    ('.pdf', '.tar.gz', '/makefile', '')
    >>> ending_of("a.log.1"), ending_of("1715000000.M5P7.host:2,S")
    ('.log', '.eml')
    """
    if is_of_maildir("cur", name) or is_mail_number(name):
        return ".eml"
    small = unrotated(lower(name))
    if small in whole_names():
        return f"/{small}"
    longest = max(
        (suffix for suffix in long_suffixes() if small.endswith(suffix)), key=len, default=""
    )
    _, dot, last = small.rpartition(".")
    return longest or (dot + last if dot else "")


def lower(text: str) -> str:
    """Return a text with ASCII letters in lower case."""
    return text.lower() if text.isascii() else text.encode().lower().decode()


@cache
def long_suffixes() -> frozenset[str]:
    """Return the formats' suffixes of several parts."""
    suffixes = (suffix for file_format in all_formats() for suffix in file_format.suffixes)
    return frozenset(ending for ending in suffixes if ending.startswith(".") and "." in ending[1:])


def _kind(name: str) -> str:
    """Return the key of a file's format by its name; "" for none."""
    if is_of_maildir("cur", name) or is_mail_number(name):
        return _kind_of("x.eml")
    name = unrotated(name)
    stem, *suffixes = name.rsplit(".", 2)
    if name.lower().endswith(PACKED) or not stem or not suffixes or name.lower() in whole_names():
        return _kind_of(name)
    # Cached by suffix: a library has few suffixes and very many names.
    return _kind_of(".".join(["x", *suffixes]))


@lru_cache(maxsize=1 << 12)
def _kind_of(name: str) -> str:
    kind = format_of(Path(name))
    return kind.key if kind is not None else ""


@cache
def whole_names() -> frozenset[str]:
    """Return the whole file names that a format has."""
    suffixes = (suffix for file_format in all_formats() for suffix in file_format.suffixes)
    return frozenset(suffix for suffix in suffixes if not suffix.startswith("."))


# The file next to the catalog


_STORED: Final = tuple(field.name for field in fields(Columns) if field.name != "days")


def _file_of(catalog: Catalog) -> Path:
    return catalog.path.with_suffix(".counts")


@cache
def _formats() -> int:
    """Return a checksum of the columns and formats of this version."""
    known = sorted((file_format.key, file_format.suffixes) for file_format in all_formats())
    return zlib.crc32(repr((_STORED, known)).encode())


def _write_file(path: Path, cached: Moment) -> None:
    """Write columns without the names, which are private and can be read from the documents."""
    stored = io.BytesIO()
    stamp = np.array([*cached.change, _formats()], dtype=np.int64)
    columns = {name: getattr(cached.columns, name) for name in _STORED}
    kinds = np.array(list(cached.names.kinds))
    np.savez(stored, allow_pickle=False, stamp=stamp, kind_names=kinds, **columns)
    try:
        own_files.write(path, stored.getvalue())
    except OSError as error:
        # Counting continues; the next start is as slow as this one.
        _log.warning("Cannot write %s: %s", path, error)


def _read_file(path: Path, db: sqlite3.Connection) -> Moment | None:
    """Return the stored columns; None if they are missing, or of another catalog or version."""
    try:
        # Opened here, because numpy would leave a damaged file open.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            change_id, token, formats = stored["stamp"].tolist()
            if formats != _formats():
                return None
            kinds = Names({str(key): index for index, key in enumerate(stored["kind_names"])})
            arrays = {name: stored[name] for name in _STORED}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        _log.warning("Rewriting the damaged file %s: %s", path, error)
        return None
    change = DocumentChange(change_id, token)
    changed = changed_since(db, change)
    if changed is None:
        return None
    # Before names are looked up: changed documents have other names now.
    columns = Columns(**arrays, days=_days_of(arrays["steps"])).without(changed)
    names = ColumnNames(kinds=kinds)
    stored_names = _named(db, columns)
    if stored_names is None:
        return None
    numbered = {}
    for name, texts in stored_names.items():
        known: Names = getattr(names, name)
        table = np.zeros(max(texts, default=0) + 1, dtype=np.int32)
        for stored_id, text in texts.items():
            table[stored_id] = known[text]
        numbered[name] = table[getattr(columns, name)]
    return Moment(change, replace(columns, **numbered), names)


# The columns with private names, and how to read these from a document.
_NAMED: Final[dict[str, Callable[[str, str, str], str]]] = {
    "folders": lambda path, _author, _tags: path.rpartition(os.sep)[0],
    "endings": lambda path, _author, _tags: ending_of(path.rpartition(os.sep)[2]),
    "authors": lambda _path, author, _tags: author,
    "tags": lambda _path, _author, tags: tags,
}


def _named(db: sqlite3.Connection, columns: Columns) -> dict[str, dict[int, str]] | None:
    """Return the names by their stored numbers, each read from one document.

    None if one of these documents is missing.
    """
    holders: dict[str, dict[int, int]] = {}
    for name in _NAMED:
        column = getattr(columns, name)
        holder = np.zeros(int(column.max(initial=-1)) + 1, dtype=np.int64)
        holder[column] = columns.document_ids
        held = np.flatnonzero(holder)
        holders[name] = dict(zip(held.tolist(), holder[held].tolist(), strict=True))
    wanted = {document_id for ids_by_row in holders.values() for document_id in ids_by_row.values()}
    read = {
        document_id: texts
        for batch in named(db, wanted)
        for document_id, *texts in zip(*batch, strict=True)
    }
    if not wanted <= read.keys():
        return None
    return {
        name: {old: _NAMED[name](*read[document_id]) for old, document_id in by_id.items()}
        for name, by_id in holders.items()
    }
