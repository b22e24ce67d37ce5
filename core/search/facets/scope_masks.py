"""Boolean masks of the documents and passages in a scope, computed from columns in memory.

Each folder, suffix and author is compared once, however many documents have it; dates and sizes
are compared as arrays. Other attributes are looked up in the catalog. The result is that
of the scope's SQL (`Scope.condition`); docs/decisions/0064-one-way-of-filtering.md says why both
exist.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

import numpy as np

from core.arrays import Flags, Integers
from core.catalog.bulk import containers, documents_in, passages_with_any
from core.catalog.catalog import Catalog
from core.catalog.scope import PassageMask, Scope, in_reach, inside_of, start_of, tag_forms
from core.catalog.text.normalisation import fold
from core.progress import Job
from core.search.facets.columns import (
    STEP_NS,
    CachedColumns,
    Moment,
    long_suffixes,
    lower,
    whole_names,
)

# Masks cached until documents change.
_MASKS_CACHED: Final = 32


@dataclass(frozen=True, slots=True)
class ScopeMasks:
    """Evaluates scopes in one catalog; thread-safe."""

    catalog: Catalog
    columns: CachedColumns

    def passages(self, scope: Scope, job: Job | None = None) -> PassageMask:
        """Return the passages currently in a scope.

        Raises:
            Cancelled: the job was cancelled.
        """
        with self.columns.now(self.catalog, job) as (db, moment):
            return passage_mask(db, moment, scope)


def document_mask(db: sqlite3.Connection, moment: Moment, scope: Scope) -> Flags:
    """Return (n,) which documents are in a scope that does not constrain text.

    `db` is of the same moment.
    """
    known = moment.masks.get(scope)
    if known is not None:
        return known

    def mask_of(inner: Scope) -> Flags:
        return document_mask(db, moment, inner)

    mask = np.ones(len(moment.columns), dtype=np.bool_)
    for part in _own(db, moment, scope):
        mask &= part
    mask = _combined(scope, mask, mask_of)
    # Families of copies are computed later than the changes of documents.
    if not scope.includes_copies:
        while len(moment.masks) >= _MASKS_CACHED:
            # As a list, because other threads may change the dict.
            moment.masks.pop(list(moment.masks)[0], None)  # noqa: RUF015
        moment.masks[scope] = mask
    return mask


def passage_mask(db: sqlite3.Connection, moment: Moment, scope: Scope) -> PassageMask:
    """Return the passages in a scope; `db` is of the same moment."""
    columns = moment.columns

    def mask_of(inner: Scope) -> Flags:
        if not inner.constrains_text:
            return columns.passages_of(document_mask(db, moment, inner))[1]
        own = replace(inner, without_words=(), every=(), either=(), neither=())
        mask = columns.passages_of(document_mask(db, moment, own))[1]
        if inner.without_words and len(mask):
            unwanted = passages_with_any(db, inner.without_words)
            unwanted = unwanted - columns.firsts[0]
            mask[unwanted[(unwanted >= 0) & (unwanted < len(mask))]] = False
        return _combined(inner, mask, mask_of)

    first = int(columns.firsts[0]) if len(columns.firsts) else 0
    return PassageMask(first, mask_of(scope).tobytes())


def _combined(scope: Scope, mask: Flags, mask_of: Callable[[Scope], Flags]) -> Flags:
    """Return a mask combined with those of the scopes inside a scope."""
    for part in scope.every:
        mask = mask & mask_of(part)
    if scope.either:
        mask = mask & np.logical_or.reduce([mask_of(part) for part in scope.either])
    for part in scope.neither:
        mask = mask & ~mask_of(part)
    return mask


def _own(db: sqlite3.Connection, moment: Moment, scope: Scope) -> Iterator[Flags]:
    """Yield (n,) a mask for each of a scope's own conditions."""
    columns, names = moment.columns, moment.names

    def cached_mask(part: Scope) -> Flags:
        return columns.of_documents(documents_in(db, part))

    # The columns do not distinguish a program's document, which is in no folder, from one in the
    # root folder.
    has_root = "" in names.folders
    if scope.paths:
        part = Scope(paths=scope.paths)
        yield cached_mask(part) if has_root else _in_paths(db, moment, scope)
    if scope.folders:
        part = Scope(folders=scope.folders)
        yield cached_mask(part) if has_root else _in_folders(moment, scope.folders)
    if scope.suffixes:
        yield _with_suffixes(moment, scope.suffixes, cached_mask)
    for name in ("names", "titles", "senders", "recipients"):
        if values := getattr(scope, name):
            yield cached_mask(Scope(**{name: values}))
    if scope.tags:
        forms = list(map(tag_forms, scope.tags))
        listed = [f"; {fold(tags)};" for tags in list(names.tags)]
        yield _of_names(
            columns.tags,
            (all(any(form in tags for form in either) for either in forms) for tags in listed),
        )
    if scope.authors:
        wanted = [fold(author) for author in scope.authors]
        known = [fold(author) for author in list(names.authors)]
        yield _of_names(
            columns.authors, (all(name in author for name in wanted) for author in known)
        )
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
            yield cached_mask(part) if of_days is None else of_days
    if scope.least_bytes is not None:
        yield columns.sizes >= in_reach(scope.least_bytes)
    if scope.most_bytes is not None:
        yield columns.sizes <= in_reach(scope.most_bytes)
    if scope.has_members:
        yield columns.of_documents(containers(db))
    if scope.same:
        yield cached_mask(Scope(same=scope.same, seen=scope.seen))


def _of_names(column: Integers, is_match: Iterable[bool]) -> Flags:
    """Return (n,) which documents have a matching name; `is_match` is by the names' numbers."""
    return np.fromiter(is_match, dtype=np.bool_)[column]


def _of_days(steps: Integers, first: date | None, last: date | None) -> Flags | None:
    """Return (n,) which documents are of some days; None if steps are too coarse.

    In some places, days did not use to begin at a quarter of an hour.
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


def _in_paths(db: sqlite3.Connection, moment: Moment, scope: Scope) -> Flags:
    columns = moment.columns
    insides = tuple(str(path).rstrip(os.sep) + os.sep for path in scope.paths)
    folders = (f"{folder}{os.sep}".startswith(insides) for folder in list(moment.names.folders))
    flags = _of_names(columns.folders, folders)
    # A place may be a single document, too.
    for path in scope.paths:
        row = db.execute("SELECT id FROM documents WHERE path = ?", [str(path)]).fetchone()
        if row is not None:
            flags |= columns.of_documents([row[0]])
    return flags


def _in_folders(moment: Moment, wanted: tuple[str, ...]) -> Flags:
    insides = [inside_of(folder) for folder in wanted]
    folded = (os.sep + fold(f"{folder}{os.sep}") for folder in list(moment.names.folders))
    return _of_names(
        moment.columns.folders, (any(inside in folder for inside in insides) for folder in folded)
    )


def _with_suffixes(
    moment: Moment, suffixes: tuple[str, ...], cached_mask: Callable[[Scope], Flags]
) -> Flags:
    last, several, whole, uncached = set(), [], set(), []
    for suffix in suffixes:
        small = lower(suffix)
        if small.startswith(".") and "." not in small[1:] and os.sep not in small:
            last.add(small)
        elif small in long_suffixes():
            several.append(small)
        elif small in whole_names():
            whole.add(f"/{small}")
        else:
            uncached.append(suffix)
    is_match = (
        _last_suffix(ending) in last or ending in whole or ending.endswith(tuple(several))
        for ending in list(moment.names.endings)
    )
    flags = _of_names(moment.columns.endings, is_match)
    return flags | cached_mask(Scope(suffixes=tuple(uncached))) if uncached else flags


def _last_suffix(ending: str) -> str:
    _, dot, last = ending.rpartition(".")
    return dot + last
