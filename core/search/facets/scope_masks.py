"""Boolean masks of the documents and passages in a scope, by columns in memory.

Folders, the ends of files' names and authors are each looked at once, however many documents have
them; days and sizes are numbers. What columns do not tell is asked of the catalog, and only that.
The scope's own SQL says the same (`Scope.condition`), a document at a time.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import Final

import numpy as np

from core.arrays import Flags, Integers
from core.catalog.bulk import documents_in, passages_with
from core.catalog.normalisation import fold, quoted
from core.catalog.scope import Chosen, Scope, in_reach, inside_of, start_of
from core.search.facets.columns import (
    STEP_NS,
    Moment,
    long_suffixes,
    lower,
    whole_names,
)

_SCOPES_KEPT: Final = 32


def documents_lying(db: sqlite3.Connection, moment: Moment, scope: Scope) -> Flags:
    """Return (n,) which of the documents lie in a scope that minds no words.

    `db` shows the same moment.
    """
    known = moment.flags.get(scope)
    if known is not None:
        return known

    def lying(inner: Scope) -> Flags:
        return documents_lying(db, moment, inner)

    flags = np.ones(len(moment.columns), dtype=np.bool_)
    for part in _own(db, moment, scope):
        flags &= part
    flags = _combined(scope, flags, lying)
    # Families are told apart later than the documents change that are in them.
    if not scope.asks_for_copies:
        while len(moment.flags) >= _SCOPES_KEPT:
            # As a list at once: another thread may do the same.
            moment.flags.pop(list(moment.flags)[0], None)  # noqa: RUF015
        moment.flags[scope] = flags
    return flags


def passages_lying(db: sqlite3.Connection, moment: Moment, scope: Scope) -> Chosen:
    """Return the passages that lie in a scope; `db` shows the same moment."""
    columns = moment.columns

    def lying(inner: Scope) -> Flags:
        if not inner.minds_words:
            return columns.passages_of(documents_lying(db, moment, inner))[1]
        own = replace(inner, without_words=(), every=(), either=(), neither=())
        flags = columns.passages_of(documents_lying(db, moment, own))[1]
        if inner.without_words and len(flags):
            unwanted = passages_with(db, " OR ".join(map(quoted, inner.without_words)))
            unwanted = unwanted - columns.firsts[0]
            flags[unwanted[(unwanted >= 0) & (unwanted < len(flags))]] = False
        return _combined(inner, flags, lying)

    first = int(columns.firsts[0]) if len(columns.firsts) else 0
    return Chosen(first, lying(scope).tobytes())


def _combined(scope: Scope, flags: Flags, lying: Callable[[Scope], Flags]) -> Flags:
    """Return which of what the flags say lies in the scopes within a scope as well."""
    for one in scope.every:
        flags = flags & lying(one)
    if scope.either:
        flags = flags & np.logical_or.reduce([lying(one) for one in scope.either])
    for one in scope.neither:
        flags = flags & ~lying(one)
    return flags


def _own(db: sqlite3.Connection, moment: Moment, scope: Scope) -> Iterator[Flags]:
    """Yield (n,) which of the documents fulfil each condition of a scope's own."""
    columns, names = moment.columns, moment.names

    def asked(part: Scope) -> Flags:
        return columns.of_documents(documents_in(db, part))

    # A document of a program, which lies in no folder, and one in the root look alike here.
    is_told = "" not in names.folders
    if scope.places:
        yield _in_places(db, moment, scope) if is_told else asked(Scope(places=scope.places))
    if scope.folders:
        part = Scope(folders=scope.folders)
        yield _in_folders(moment, scope.folders) if is_told else asked(part)
    if scope.suffixes:
        yield _with_suffixes(moment, scope.suffixes, asked)
    if scope.names:
        yield asked(Scope(names=scope.names))
    if scope.authors:
        wanted = [fold(author) for author in scope.authors]
        known = [fold(author) for author in list(names.authors)]
        yield _of_names(columns.authors, (all(one in author for one in wanted) for author in known))
    for steps, first, last, part in (
        (columns.steps, scope.since, scope.until, Scope(since=scope.since, until=scope.until)),
        (
            columns.changed,
            scope.changed_since,
            scope.changed_until,
            Scope(changed_since=scope.changed_since, changed_until=scope.changed_until),
        ),
    ):
        if not part.is_everything:
            of_days = _of_days(steps, first, last)
            yield asked(part) if of_days is None else of_days
    if scope.least_bytes is not None:
        yield columns.sizes >= in_reach(scope.least_bytes)
    if scope.most_bytes is not None:
        yield columns.sizes <= in_reach(scope.most_bytes)
    if scope.same:
        yield asked(Scope(same=scope.same, seen=scope.seen))


def _of_names(column: Integers, is_one: Iterable[bool]) -> Flags:
    """Return (n,) which of the documents have one of the names that are meant, by their numbers."""
    return np.fromiter(is_one, dtype=np.bool_)[column]


def _of_days(steps: Integers, first: date | None, last: date | None) -> Flags | None:
    """Return (n,) which of the documents are of some days; None where steps do not tell.

    Once there were places whose days began on no quarter of an hour.
    """
    flags = np.ones(len(steps), dtype=np.bool_)
    for border_ns, compare in (
        (start_of(first), np.greater_equal),
        (start_of(last, 1), np.less),
    ):
        if border_ns is None:
            continue
        if border_ns % STEP_NS or border_ns != in_reach(border_ns):
            return None
        flags &= compare(steps, border_ns // STEP_NS)
    return flags


def _in_places(db: sqlite3.Connection, moment: Moment, scope: Scope) -> Flags:
    columns = moment.columns
    insides = tuple(str(place).rstrip(os.sep) + os.sep for place in scope.places)
    folders = (f"{folder}{os.sep}".startswith(insides) for folder in list(moment.names.folders))
    flags = _of_names(columns.folders, folders)
    # A place may be a single document, too.
    for place in scope.places:
        row = db.execute("SELECT id FROM documents WHERE path = ?", [str(place)]).fetchone()
        if row is not None:
            flags |= columns.of_documents([row[0]])
    return flags


def _in_folders(moment: Moment, wanted: tuple[str, ...]) -> Flags:
    insides = [inside_of(folder) for folder in wanted]
    folded = (os.sep + fold(f"{folder}{os.sep}") for folder in list(moment.names.folders))
    return _of_names(
        moment.columns.folders, (any(one in folder for one in insides) for folder in folded)
    )


def _with_suffixes(
    moment: Moment, suffixes: tuple[str, ...], asked: Callable[[Scope], Flags]
) -> Flags:
    last, several, whole, untold = set(), [], set(), []
    for suffix in suffixes:
        small = lower(suffix)
        if small.startswith(".") and "." not in small[1:] and os.sep not in small:
            last.add(small)
        elif small in long_suffixes():
            several.append(small)
        elif small in whole_names():
            whole.add(f"/{small}")
        else:
            untold.append(suffix)
    is_one = (
        _last_suffix(ending) in last or ending in whole or ending.endswith(tuple(several))
        for ending in list(moment.names.endings)
    )
    flags = _of_names(moment.columns.endings, is_one)
    return flags | asked(Scope(suffixes=tuple(untold))) if untold else flags


def _last_suffix(ending: str) -> str:
    _, dot, last = ending.rpartition(".")
    return dot + last
