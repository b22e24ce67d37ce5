"""What filters and counts depend on, of all documents, in columns: a few numbers for each.

To go through the catalog's documents at each answer takes four seconds where there are a million.
So what counts and filters depend on is kept in memory: some 65 bytes a document, and the names of
folders and authors and the ends of files' names, each once. Between two looks the catalog notes
which documents have changed (`core.catalog.changes`), and only these are read again: columns are of
the moment that they are asked for. Of a large library they lie in a file beside the catalog as
well, numbers alone, so that the next start does not read all documents either.
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

from core import own_files
from core.arrays import Flags, Integers, Numbers
from core.catalog import changes
from core.catalog.bulk import Described, described, named, passage_runs
from core.catalog.catalog import Catalog
from core.catalog.changes import Change
from core.catalog.normalisation import NS, day_of
from core.catalog.scope import Scope
from core.documents.formats import all_formats, format_of
from core.progress import Job

_log = logging.getLogger(__name__)

STEP_NS: Final = 15 * 60 * NS
"""Everywhere days begin on a quarter of an hour."""
_LEAST_KEPT: Final = 20_000
"""Documents; fewer are read in no time, and no file is made."""
_MOST_BEHIND: Final = 20_000
"""So many changes at most the file is behind: fewer than the catalog notes."""
_PATIENCE_S: Final = 0.05


class Names(dict[str, int]):
    """Different texts, numbered as they come."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that columns have numbers for; they only become more. Author 0 is none.

    `endings` are what `ending_of` makes of files' names.
    """

    folders: Names = field(default_factory=Names)
    endings: Names = field(default_factory=Names)
    kinds: Names = field(default_factory=Names)
    authors: Names = field(default_factory=lambda: Names({"": 0}))


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The n documents that have a text, ascending by number, and the m runs of their passages.

    Attributes:
        numbers: (n,) int64.
        steps: (n,) int32, quarters of an hour since 1970 at their dates.
        days: (n,) int32, the days of these as `date.toordinal` has them.
        folders: (n,) int32, by the vocabulary, as the three that follow.
        endings: (n,) int32.
        kinds: (n,) int32.
        authors: (n,) int32.
        sizes: (n,) int64, bytes.
        changed: (n,) int32, as `steps`, when the file was changed last.
        is_findable: (n,) int8, 1 but for those that changed and are yet to be read again: their old
            text can still be found, and is not counted.
        firsts: (m,) int64, the first passage of each run, ascending.
        lasts: (m,) int64.
        holders: (m,) int32, the place of its document among the n.
    """

    numbers: Numbers
    steps: Integers
    days: Integers
    folders: Integers
    endings: Integers
    kinds: Integers
    authors: Integers
    sizes: Numbers
    changed: Integers
    is_findable: Integers
    firsts: Numbers
    lasts: Numbers
    holders: Integers

    def __len__(self) -> int:
        return len(self.numbers)

    def of_documents(self, numbers: Collection[int] | Numbers) -> Flags:
        """Return (n,) which of the documents are these."""
        flags = np.zeros(len(self), dtype=np.bool_)
        if len(self) and len(numbers):
            wanted = np.fromiter(numbers, dtype=np.int64, count=len(numbers))
            places = np.minimum(np.searchsorted(self.numbers, wanted), len(self) - 1)
            flags[places[self.numbers[places] == wanted]] = True
        return flags

    def of_passages(self, numbers: Numbers) -> Flags:
        """Return (n,) which of the documents have one of these passages."""
        flags = np.zeros(len(self), dtype=np.bool_)
        if len(self.firsts) and len(numbers):
            places = np.searchsorted(self.firsts, numbers, side="right") - 1
            is_in = (places >= 0) & (numbers <= self.lasts[places])
            flags[self.holders[places[is_in]]] = True
        return flags

    def passages_of(self, flags: Flags) -> tuple[int, Flags]:
        """Return which passages are of some documents: the first number, and a flag for each."""
        if not len(self.firsts):
            return 0, np.zeros(0, dtype=np.bool_)
        first = int(self.firsts[0])
        borders = np.zeros(int(self.lasts[-1]) - first + 2, dtype=np.int8)
        is_chosen = flags[self.holders]
        # Where one run ends the next may begin.
        borders[self.firsts[is_chosen] - first] += 1
        borders[self.lasts[is_chosen] - first + 1] -= 1
        return first, np.cumsum(borders[:-1], dtype=np.int8).view(np.bool_)

    def without(self, documents: Sequence[int]) -> Columns:
        """Return the same but for these documents."""
        is_kept = ~self.of_documents(documents)
        if is_kept.all():
            return self
        is_run_kept = is_kept[self.holders]
        places = np.cumsum(is_kept, dtype=np.int32) - 1
        rest: dict[str, Any] = {name: getattr(self, name)[is_kept] for name in _OF_DOCUMENTS}
        return Columns(
            **rest,
            firsts=self.firsts[is_run_kept],
            lasts=self.lasts[is_run_kept],
            holders=places[self.holders[is_run_kept]],
        )

    def with_more(self, others: Columns) -> Columns:
        """Return the same and others, none of which is there already."""
        at = np.searchsorted(self.numbers, others.numbers)
        merged: dict[str, Any] = {
            name: np.insert(getattr(self, name), at, getattr(others, name))
            for name in _OF_DOCUMENTS
        }
        run_at = np.searchsorted(self.firsts, others.firsts)
        documents = np.insert(self.numbers[self.holders], run_at, others.numbers[others.holders])
        return Columns(
            **merged,
            firsts=np.insert(self.firsts, run_at, others.firsts),
            lasts=np.insert(self.lasts, run_at, others.lasts),
            holders=np.searchsorted(merged["numbers"], documents).astype(np.int32),
        )


_OF_DOCUMENTS: Final = (
    "numbers",
    "steps",
    "days",
    "folders",
    "endings",
    "kinds",
    "authors",
    "sizes",
    "changed",
    "is_findable",
)


class Moment:
    """Columns as they are at one moment of the catalog; what is made of them is kept with them."""

    def __init__(self, change: Change, columns: Columns, names: Vocabulary) -> None:
        self.change = change
        self.columns = columns
        self.names = names
        self.flags: dict[Scope, Flags] = {}
        """Which of the documents lie in the scopes that were asked for last."""


class KeptColumns:
    """The columns of one library; for any number of threads at once."""

    def __init__(self, least_kept: int = _LEAST_KEPT) -> None:
        """Keep columns; those of `least_kept` documents and more in a file as well."""
        self._lock = threading.Lock()
        self._kept: Moment | None = None
        self._least_kept = least_kept
        self._written: int | None = None

    @contextmanager
    def now(
        self, catalog: Catalog, job: Job | None = None
    ) -> Iterator[tuple[sqlite3.Connection, Moment]]:
        """Give the columns of this moment, and the catalog at the same.

        Who asks first reads all documents, unless a file has their columns. Others wait for it.

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
        """Wait until nobody else reads the documents, or the job is cancelled."""
        while not self._lock.acquire(timeout=_PATIENCE_S):
            job.checkpoint()
        try:
            yield
        finally:
            self._lock.release()

    def _current(self, catalog: Catalog, db: sqlite3.Connection) -> Moment:
        """Return the columns of the moment that `db` shows."""
        now = changes.newest(db)
        kept = self._kept
        if kept is None:
            kept = _read_file(_file_of(catalog), db)
            self._written = None if kept is None else kept.change.number
        if kept is not None and kept.change != now:
            changed = changes.since(db, kept.change)
            kept = None if changed is None else _brought_up_to(now, kept, changed, db)
        if kept is None:
            names = Vocabulary()
            kept = Moment(now, _read(db, names), names)
            self._written = None
        self._kept = kept
        is_far = self._written is None or now.number - self._written > _MOST_BEHIND
        if is_far and len(kept.columns) >= self._least_kept and catalog.may_change:
            self._written = now.number
            _write_file(_file_of(catalog), kept)
        return kept


# From the catalog to columns


def _read(
    db: sqlite3.Connection, names: Vocabulary, numbers: Collection[int] | None = None
) -> Columns:
    """Read the columns of all documents, or of some; those without any text are left out."""
    parts = [_numbered(names, batch) for batch in described(db, numbers)]
    parts.append(_numbered(names, Described([], [], [], [], [], [], [])))
    every = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    runs = [np.empty((0, 3), dtype=np.int64)]
    runs += [np.array(batch, dtype=np.int64).reshape(-1, 3) for batch in passage_runs(db, numbers)]
    holders, firsts, lasts = np.concatenate(runs).T
    order = np.argsort(firsts, kind="stable")
    has_text = np.isin(every["numbers"], holders)
    every = {name: column[has_text] for name, column in every.items()}
    order = order[np.isin(holders[order], every["numbers"])]
    return Columns(
        **every,
        days=_days_of(every["steps"]),
        firsts=firsts[order],
        lasts=lasts[order],
        holders=np.searchsorted(every["numbers"], holders[order]).astype(np.int32),
    )


def _numbered(names: Vocabulary, batch: Described) -> dict[str, Any]:
    """Return what columns have of some documents."""
    split = [path.rpartition(os.sep) for path in batch.paths]
    numbered = {
        "folders": [names.folders[folder] for folder, _, _ in split],
        "endings": [names.endings[ending_of(name)] for _, _, name in split],
        "kinds": [names.kinds[_kind(name)] for _, _, name in split],
        "authors": [names.authors[author] for author in batch.authors],
    }
    return {
        "numbers": np.array(batch.numbers, dtype=np.int64),
        "steps": _steps_of(batch.dated_ns),
        **{name: np.array(column, dtype=np.int32) for name, column in numbered.items()},
        "sizes": np.array(batch.sizes, dtype=np.int64),
        "changed": _steps_of(batch.changed_ns),
        "is_findable": np.array(batch.findable, dtype=np.int8),
    }


def _steps_of(moments_ns: Sequence[int]) -> Integers:
    return (np.array(moments_ns, dtype=np.int64) // STEP_NS).astype(np.int32)


def _brought_up_to(
    now: Change, kept: Moment, changed: Sequence[int], db: sqlite3.Connection
) -> Moment:
    """Return columns in which the documents that have changed are read anew."""
    rest = kept.columns.without(changed)
    fresh = _read(db, kept.names, changed)
    return Moment(now, rest.with_more(fresh) if len(fresh) else rest, kept.names)


def _days_of(steps: Integers) -> Integers:
    different, places = np.unique(steps, return_inverse=True)
    days = [_day(step).toordinal() for step in different.tolist()]
    return np.array(days, dtype=np.int32)[places]


@lru_cache(maxsize=1 << 16)
def _day(step: int) -> date:
    """Return the day of so many quarters of an hour, as the filters have it."""
    return day_of(step * STEP_NS)


def ending_of(name: str) -> str:
    """Return by what of a file's name it is told whether that has a suffix.

    The last suffix, or one that a format has of several parts; of names that are a format's as they
    stand the whole, behind a separator. Letters of ASCII are small, as SQLite has them.

    >>> ending_of("a.B.PDF"), ending_of("a.tar.gz"), ending_of("Makefile"), ending_of("notes")
    ('.pdf', '.tar.gz', '/makefile', '')
    """
    small = lower(name)
    if small in whole_names():
        return f"/{small}"
    longest = max((one for one in long_suffixes() if small.endswith(one)), key=len, default="")
    _, dot, last = small.rpartition(".")
    return longest or (dot + last if dot else "")


def lower(text: str) -> str:
    """Return a text with the capitals of ASCII made small."""
    return text.lower() if text.isascii() else text.encode().lower().decode()


@cache
def long_suffixes() -> frozenset[str]:
    """Return the formats' suffixes of several parts."""
    suffixes = (suffix for one in all_formats() for suffix in one.suffixes)
    return frozenset(one for one in suffixes if one.startswith(".") and "." in one[1:])


def _kind(name: str) -> str:
    """Return the key of the format of a file of this name; "" for none."""
    stem, *suffixes = name.rsplit(".", 2)
    if not stem or not suffixes or name.lower() in whole_names():
        return _kind_of(name)
    # A library has few suffixes, and very many names.
    return _kind_of(".".join(["x", *suffixes]))


@lru_cache(maxsize=1 << 12)
def _kind_of(name: str) -> str:
    kind = format_of(Path(name))
    return kind.key if kind is not None else ""


@cache
def whole_names() -> frozenset[str]:
    """Return the names of files that are a format's as they stand."""
    suffixes = (suffix for one in all_formats() for suffix in one.suffixes)
    return frozenset(suffix for suffix in suffixes if not suffix.startswith("."))


# The file beside the catalog


_STORED: Final = tuple(one.name for one in fields(Columns) if one.name != "days")


def _file_of(catalog: Catalog) -> Path:
    return catalog.path.with_suffix(".counts")


@cache
def _formats() -> int:
    """Return what tells the columns and the formats of this Winnow from those of others."""
    told = sorted((one.key, one.suffixes) for one in all_formats())
    return zlib.crc32(repr((_STORED, told)).encode())


def _write_file(path: Path, kept: Moment) -> None:
    """Write columns down; without the names, which are the person's: any document tells them."""
    stored = io.BytesIO()
    stamp = np.array([*kept.change, _formats()], dtype=np.int64)
    columns = {name: getattr(kept.columns, name) for name in _STORED}
    kinds = np.array(list(kept.names.kinds))
    np.savez(stored, allow_pickle=False, stamp=stamp, kind_names=kinds, **columns)
    try:
        own_files.write(path, stored.getvalue())
    except OSError as error:
        # No reason not to count: the next start takes as long as this one.
        _log.warning("%s cannot be written: %s", path, error)


def _read_file(path: Path, db: sqlite3.Connection) -> Moment | None:
    """Return what a file has; None where there is none, or it is of another catalog or Winnow."""
    try:
        # By a file of our own, which numpy leaves open where it is not what it should be.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            number, token, formats = stored["stamp"].tolist()
            kinds = Names({str(key): place for place, key in enumerate(stored["kind_names"])})
            arrays = {name: stored[name] for name in _STORED}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        _log.warning("%s is of no use and made anew: %s", path, error)
        return None
    change = Change(number, token)
    changed = changes.since(db, change) if formats == _formats() else None
    if changed is None:
        return None
    # Before names are looked up: a document that has changed no longer tells what it was.
    columns = Columns(**arrays, days=_days_of(arrays["steps"])).without(changed)
    names = Vocabulary(kinds=kinds)
    names_told = _named(db, columns)
    if names_told is None:
        return None
    numbered = {}
    for name, told in names_told.items():
        known: Names = getattr(names, name)
        table = np.zeros(max(told, default=0) + 1, dtype=np.int32)
        for number, text in told.items():
            table[number] = known[text]
        numbered[name] = table[getattr(columns, name)]
    return Moment(change, replace(columns, **numbered), names)


_NAMED: Final[dict[str, Callable[[str, str], str]]] = {
    "folders": lambda path, _author: path.rpartition(os.sep)[0],
    "endings": lambda path, _author: ending_of(path.rpartition(os.sep)[2]),
    "authors": lambda _path, author: author,
}
"""The columns whose names are the person's, and how a document tells them."""


def _named(db: sqlite3.Connection, columns: Columns) -> dict[str, dict[int, str]] | None:
    """Return the names by their old numbers, as one document each tells them.

    None where a document is not there that should be.
    """
    holders: dict[str, dict[int, int]] = {}
    for name in _NAMED:
        column = getattr(columns, name)
        holder = np.zeros(int(column.max(initial=-1)) + 1, dtype=np.int64)
        holder[column] = columns.numbers
        held = np.flatnonzero(holder)
        holders[name] = dict(zip(held.tolist(), holder[held].tolist(), strict=True))
    wanted = {number for by_number in holders.values() for number in by_number.values()}
    told = {
        number: (path, author)
        for batch in named(db, wanted)
        for number, path, author in zip(*batch, strict=True)
    }
    if not wanted <= told.keys():
        return None
    return {
        name: {old: _NAMED[name](*told[number]) for old, number in by_number.items()}
        for name, by_number in holders.items()
    }
