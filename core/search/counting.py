"""Counts beside the filters, of columns in memory: a few numbers a document, for a million of them.

The side bar is counted anew with each answer. To go through the catalog's documents for that takes
four seconds where there are a million, so what counts depend on is kept: some 45 bytes a document,
and the names of folders and authors, each once. Between two counts the catalog notes which
documents have changed (`core.catalog.changes`), and only these are read again: counts are of the
moment they are asked for. Of a large library the columns lie in a file beside the catalog as well,
numbers alone, so that the next start does not read all documents either.
"""

from __future__ import annotations

import io
import logging
import os
import sqlite3
import threading
import zipfile
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from core import own_files
from core.arrays import Flags, Integers, Numbers
from core.catalog import changes, folders
from core.catalog.catalog import Catalog
from core.catalog.changes import Change
from core.catalog.normalisation import NS, day_of
from core.catalog.scope import (
    EVERYWHERE,
    Scope,
    documents_in,
    findable,
    folders_in,
    passage_runs,
    passages_with,
    with_words,
)
from core.documents.formats import all_formats, format_of
from core.progress import Job
from core.search.filters import Facets

_log = logging.getLogger(__name__)

_STEP_NS: Final = 15 * 60 * NS
"""Everywhere days begin on a quarter of an hour."""
_LEAST_KEPT: Final = 20_000
"""Documents; fewer are read in no time, and no file is made."""
_MOST_BEHIND: Final = 20_000
"""So many changes at most the file is behind: fewer than the catalog notes."""
_PATIENCE_S: Final = 0.05
_SCOPES_KEPT: Final = 16


class _Names(dict[str, int]):
    """Different texts, numbered as they come."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """The names that columns have numbers for; they only become more. Author 0 is none."""

    folders: _Names = field(default_factory=_Names)
    kinds: _Names = field(default_factory=_Names)
    authors: _Names = field(default_factory=lambda: _Names({"": 0}))
    trees: dict[tuple[int, tuple[Path, ...]], _Tree] = field(default_factory=dict)

    def tree(self, roots: tuple[Path, ...]) -> _Tree:
        """Return the folders below the library's, as far as they have numbers."""
        key = (len(self.folders), roots)
        tree = self.trees.get(key)
        if tree is None:
            tree = _Tree.of(list(self.folders)[: key[0]], roots)
            # The last one alone: of a hundred thousand folders it is large.
            self.trees.clear()
            self.trees[key] = tree
        return tree


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The n documents that can be found, ascending by number, and the m runs of their passages.

    Attributes:
        numbers: (n,) int64.
        steps: (n,) int32, quarters of an hour since 1970 at their dates.
        days: (n,) int32, the days of these as `date.toordinal` has them.
        folders: (n,) int32, by the vocabulary, as the two that follow.
        kinds: (n,) int32.
        authors: (n,) int32.
        firsts: (m,) int64, the first passage of each run, ascending.
        lasts: (m,) int64.
        holders: (m,) int32, the place of its document among the n.
    """

    numbers: Numbers
    steps: Integers
    days: Integers
    folders: Integers
    kinds: Integers
    authors: Integers
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


_OF_DOCUMENTS: Final = ("numbers", "steps", "days", "folders", "kinds", "authors")


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted.

    Attributes:
        expression: of the word index, which a document fulfils by one of its passages; "" asks for
            none.
        within: where that is looked for.
        found: numbers of further documents.
        scopes: the filters by folder, kind and day, each of which its own counts leave aside.
        scope: all that is counted lies in it.
    """

    expression: str
    within: Scope
    found: Collection[int]
    scopes: tuple[Scope, Scope, Scope]
    scope: Scope = EVERYWHERE


class _Kept:
    """Columns with what belongs to them; what is made of them is kept as long as they are."""

    def __init__(self, change: Change, columns: Columns, names: _Vocabulary) -> None:
        self.change = change
        self.columns = columns
        self.names = names
        self._flags: dict[tuple[str, tuple[str | int, ...]], Flags] = {}

    def lying_in(self, db: sqlite3.Connection, scope: Scope) -> Flags:
        """Return (n,) which of the documents lie in a scope; `db` shows the same moment."""
        if scope.is_everything:
            return np.ones(len(self.columns), dtype=np.bool_)
        condition, values = scope.condition()
        key = (condition, tuple(values))
        flags = self._flags.get(key)
        if flags is None:
            chosen = folders_in(db, scope, list(self.names.folders))
            if chosen is None:
                flags = self.columns.of_documents(documents_in(db, scope))
            else:
                flags = np.isin(self.columns.folders, np.array(chosen, dtype=np.int32))
            # Families are told apart later than the documents change that are in them.
            if not scope.asks_for_copies:
                while len(self._flags) >= _SCOPES_KEPT:
                    self._flags.pop(next(iter(self._flags)), None)
                self._flags[key] = flags
        return flags


class Counting:
    """The counts of one library; for any number of threads at once."""

    def __init__(self, least_kept: int = _LEAST_KEPT) -> None:
        """Count; the columns of `least_kept` documents and more are kept in a file."""
        self._lock = threading.Lock()
        self._kept: _Kept | None = None
        self._least_kept = least_kept
        self._written: int | None = None

    def count(self, catalog: Catalog, counted: Counted, job: Job | None = None) -> Facets:
        """Count documents.

        The first count reads all documents, unless a file has their columns. Others wait for it.

        Raises:
            Cancelled: the job was cancelled.
            LibraryError: the library cannot be read.
        """
        job = job or Job()
        with ExitStack() as held:
            with self._turn(job):
                db = held.enter_context(catalog.snapshot())
                kept = self._current(catalog, db)
            job.checkpoint()
            is_own = kept.lying_in(db, counted.scope)
            is_found = _found(db, kept, counted) & is_own
            in_folders, in_kinds, in_days = (kept.lying_in(db, scope) for scope in counted.scopes)
            roots = tuple(root.path for root in folders.roots(db))
        job.checkpoint()
        columns, names = kept.columns, kept.names
        is_left = is_found & in_folders & in_kinds & in_days
        tree = names.tree(roots)
        return Facets(
            found=int(np.count_nonzero(is_left)),
            roots=roots,
            folders=tree.counted(
                columns.folders[is_own], columns.folders[is_found & in_kinds & in_days]
            ),
            kinds=_kinds(
                names, columns.kinds[is_own], columns.kinds[is_found & in_folders & in_days]
            ),
            days=_days(columns.days[is_own], columns.days[is_found & in_folders & in_kinds]),
            authors=_authors(names, columns.authors[is_own], columns.authors[is_left]),
        )

    @contextmanager
    def _turn(self, job: Job) -> Iterator[None]:
        """Wait until nobody else reads the documents, or the job is cancelled."""
        while not self._lock.acquire(timeout=_PATIENCE_S):
            job.checkpoint()
        try:
            yield
        finally:
            self._lock.release()

    def _current(self, catalog: Catalog, db: sqlite3.Connection) -> _Kept:
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
            names = _Vocabulary()
            kept = _Kept(now, _read(db, names), names)
            self._written = None
        self._kept = kept
        is_far = self._written is None or now.number - self._written > _MOST_BEHIND
        if is_far and len(kept.columns) >= self._least_kept and catalog.may_change:
            self._written = now.number
            _write_file(_file_of(catalog), kept)
        return kept


def _found(db: sqlite3.Connection, kept: _Kept, counted: Counted) -> Flags:
    columns, within = kept.columns, counted.within
    further = columns.of_documents(counted.found)
    if within.minds_words or within.asks_for_copies:
        return further | columns.of_documents(with_words(db, counted.expression, within))
    is_found = kept.lying_in(db, within)
    if counted.expression:
        is_found = is_found & columns.of_passages(passages_with(db, counted.expression))
    return further | is_found


# From the catalog to columns


def _read(
    db: sqlite3.Connection, names: _Vocabulary, numbers: Collection[int] | None = None
) -> Columns:
    """Read the columns of all documents, or of some; those without any text are left out."""
    parts: list[list[Integers]] = [[np.empty(0, np.int64), *[np.empty(0, np.int32)] * 4]]
    for batch in findable(db, numbers):
        ids, paths, dates, authors = zip(*batch, strict=True)
        split = [path.rpartition(os.sep) for path in paths]
        parts.append(
            [
                np.array(ids, dtype=np.int64),
                (np.array(dates, dtype=np.int64) // _STEP_NS).astype(np.int32),
                np.array([names.folders[folder] for folder, _, _ in split], dtype=np.int32),
                np.array([names.kinds[_kind(name)] for _, _, name in split], dtype=np.int32),
                np.array([names.authors[author] for author in authors], dtype=np.int32),
            ]
        )
    documents, steps, of_folders, of_kinds, of_authors = map(
        np.concatenate, zip(*parts, strict=True)
    )
    runs = [np.empty((0, 3), dtype=np.int64)]
    runs += [np.array(batch, dtype=np.int64).reshape(-1, 3) for batch in passage_runs(db, numbers)]
    holders, firsts, lasts = np.concatenate(runs).T
    order = np.argsort(firsts, kind="stable")
    whole = np.unique(holders)
    has_text = np.isin(documents, whole, assume_unique=True)
    documents = documents[has_text]
    is_known = np.isin(holders[order], documents)
    order = order[is_known]
    return Columns(
        numbers=documents,
        steps=steps[has_text],
        days=_days_of(steps[has_text]),
        folders=of_folders[has_text],
        kinds=of_kinds[has_text],
        authors=of_authors[has_text],
        firsts=firsts[order],
        lasts=lasts[order],
        holders=np.searchsorted(documents, holders[order]).astype(np.int32),
    )


def _brought_up_to(
    now: Change, kept: _Kept, changed: Sequence[int], db: sqlite3.Connection
) -> _Kept:
    """Return columns in which the documents that have changed are read anew."""
    rest = kept.columns.without(changed)
    fresh = _read(db, kept.names, changed)
    return _Kept(now, rest.with_more(fresh) if len(fresh) else rest, kept.names)


def _days_of(steps: Integers) -> Integers:
    different, places = np.unique(steps, return_inverse=True)
    days = [_day(step).toordinal() for step in different.tolist()]
    return np.array(days, dtype=np.int32)[places]


@lru_cache(maxsize=1 << 16)
def _day(step: int) -> date:
    """Return the day of so many quarters of an hour, as the filters have it."""
    return day_of(step * _STEP_NS)


def _kind(name: str) -> str:
    """Return the key of the format of a file of this name; "" for none."""
    stem, *suffixes = name.rsplit(".", 2)
    if not stem or not suffixes or name.lower() in _whole_names():
        return _kind_of(name)
    # A library has few suffixes, and very many names.
    return _kind_of(".".join(["x", *suffixes]))


@lru_cache(maxsize=1 << 12)
def _kind_of(name: str) -> str:
    kind = format_of(Path(name))
    return kind.key if kind is not None else ""


@cache
def _whole_names() -> frozenset[str]:
    """Return the names of files that are a format's as they stand."""
    suffixes = (suffix for one in all_formats() for suffix in one.suffixes)
    return frozenset(suffix for suffix in suffixes if not suffix.startswith("."))


# From columns to counts


@dataclass(frozen=True, slots=True, eq=False)
class _Tree:
    """Folders with those that they lie in, up to the library's, in the order of their paths.

    Attributes:
        paths: (k,) of the folders.
        is_top: (k,) which of them are the library's.
        places: of the folders as the vocabulary numbers them, k for one in none of the library's.
        levels: places, and those of the folders they lie in: the deepest first.
    """

    paths: tuple[Path, ...]
    is_top: Flags
    places: Integers
    levels: tuple[tuple[Integers, Integers], ...]

    @classmethod
    def of(cls, known: Sequence[str], roots: tuple[Path, ...]) -> _Tree:
        """Return the tree of folders, as texts, below the library's."""
        # A root ends in a separator, other folders do not.
        tops = {str(root).rstrip(os.sep): str(root) for root in roots}
        outer: dict[str, str | None] = dict.fromkeys(tops)
        ends: list[str | None] = []
        for folder in known:
            path = folder.rstrip(os.sep)
            ends.append(path)
            inner = []
            while path not in outer and path:
                inner.append(path)
                path = path.rpartition(os.sep)[0]
            if path not in outer:
                ends[-1] = None  # given by a program, and in no folder
                continue
            for one in reversed(inner):
                outer[one] = path
                path = one
        order = sorted(outer)
        place_of = {path: place for place, path in enumerate(order)}
        depth: dict[str, int] = {}
        by_depth: dict[int, list[tuple[int, int]]] = {}
        for path in order:
            above = outer[path]
            # A folder stands behind the one that it lies in.
            depth[path] = 0 if above is None else depth[above] + 1
            if above is not None:
                by_depth.setdefault(depth[path], []).append((place_of[path], place_of[above]))
        return cls(
            tuple(Path(tops.get(path, path)) for path in order),
            np.array([outer[path] is None for path in order], dtype=np.bool_),
            np.array([len(order) if one is None else place_of[one] for one in ends], dtype=np.intp),
            tuple(
                (np.array([one for one, _ in pairs]), np.array([above for _, above in pairs]))
                for _, pairs in sorted(by_depth.items(), reverse=True)
            ),
        )

    def counted(self, own: Integers, chosen: Integers) -> dict[Path, int]:
        """Return how many of the chosen documents lie in each folder that has any own ones.

        Args:
            own: the folders of all documents.
            chosen: those of the documents that count.
        """
        is_there = (self._sums(own) > 0) | self.is_top
        counts = self._sums(chosen).tolist()
        rows = zip(self.paths, counts, is_there.tolist(), strict=True)
        return {path: count for path, count, is_shown in rows if is_shown}

    def _sums(self, documents: Integers) -> Numbers:
        of_folders = np.bincount(documents, minlength=len(self.places))
        # Of a folder that the vocabulary has got since then no document is among these.
        sums = np.bincount(
            self.places, weights=of_folders[: len(self.places)], minlength=len(self.paths) + 1
        ).astype(np.int64)
        for inner, outer in self.levels:
            sums += np.bincount(outer, weights=sums[inner], minlength=len(sums)).astype(np.int64)
        return sums[:-1]


def _kinds(names: _Vocabulary, own: Integers, chosen: Integers) -> dict[str, int]:
    keys = list(names.kinds)
    stock = np.bincount(own, minlength=len(keys)).tolist()
    counts = np.bincount(chosen, minlength=len(keys)).tolist()
    there = [(key, stock[place], place) for place, key in enumerate(keys) if key and stock[place]]
    there.sort(key=lambda one: (-one[1], one[0].casefold()))
    return {key: counts[place] for key, _, place in there}


def _days(own: Integers, chosen: Integers) -> dict[date, int]:
    if not len(own):
        return {}
    first = int(own.min())
    is_there = np.bincount(own - first)
    counts = np.bincount(chosen - first, minlength=len(is_there))
    places = np.flatnonzero(is_there)[::-1]
    days = (date.fromordinal(first + place) for place in places.tolist())
    return dict(zip(days, counts[places].tolist(), strict=True))


def _authors(names: _Vocabulary, own: Integers, chosen: Integers) -> dict[str, int]:
    known = list(names.authors)
    stock = np.bincount(own, minlength=len(known))
    counts = np.bincount(chosen, minlength=len(known)).tolist()
    there = [(known[place], counts[place]) for place in np.flatnonzero(stock).tolist() if place]
    return dict(sorted(there, key=_most_first))


def _most_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0].casefold()


# The file beside the catalog


_STORED: Final = tuple(one.name for one in fields(Columns) if one.name != "days")


def _file_of(catalog: Catalog) -> Path:
    return catalog.path.with_suffix(".counts")


@cache
def _formats() -> int:
    """Return what tells the formats of this Winnow, by which kinds are numbered, from others'."""
    told = sorted((one.key, one.suffixes) for one in all_formats())
    return zlib.crc32(repr(told).encode())


def _write_file(path: Path, kept: _Kept) -> None:
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


def _read_file(path: Path, db: sqlite3.Connection) -> _Kept | None:
    """Return what a file has; None where there is none, or it is of another catalog or Winnow."""
    try:
        # By a file of our own, which numpy leaves open where it is not what it should be.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            number, token, formats = stored["stamp"].tolist()
            kinds = _Names({str(key): place for place, key in enumerate(stored["kind_names"])})
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
    names = _Vocabulary(kinds=kinds)
    named = _named(db, columns)
    if named is None:
        return None
    folder_of, author_of = named
    numbered: dict[str, Any] = {}
    for name, told, known in (
        ("folders", folder_of, names.folders),
        ("authors", author_of, names.authors),
    ):
        _, places = np.unique(getattr(columns, name), return_inverse=True)
        numbers = np.array([known[text] for text in told], dtype=np.int32)
        numbered[name] = numbers[places]
    return _Kept(change, replace(columns, **numbered), names)


def _named(db: sqlite3.Connection, columns: Columns) -> tuple[list[str], list[str]] | None:
    """Return the folders and the authors by their old numbers, ascending, as documents tell them.

    None where a document is not there that should be.
    """
    firsts = [
        columns.numbers[np.unique(getattr(columns, name), return_index=True)[1]].tolist()
        for name in ("folders", "authors")
    ]
    told = {
        row[0]: row for batch in findable(db, sorted({*firsts[0], *firsts[1]})) for row in batch
    }
    if any(number not in told for numbers in firsts for number in numbers):
        return None
    return (
        [told[number][1].rpartition(os.sep)[0] for number in firsts[0]],
        [told[number][3] for number in firsts[1]],
    )
