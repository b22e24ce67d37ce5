"""How many of the documents that a query finds lie in each folder, are of each kind, of each day.

Each count leaves aside what the query says of the same thing: beside "Word" stands how many there
would be if that were chosen instead of "PDF".
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from core.catalog.normalisation import NS, day_of
from core.catalog.scope import Described, Scope
from core.documents.formats import all_formats, format_of
from core.progress import Job
from core.search.choices import plainer
from core.search.query import Clause, Query, scope_of

_CHECKED_EACH: Final = 1000
# Everywhere days begin on a quarter of an hour.
_STEP_NS: Final = 15 * 60 * NS
# What is chosen once and for all; two authors are of one document, so that theirs narrows further.
_KEYS: Final = (("in",), ("type", "ext"), ("after", "before"))


@dataclass(frozen=True, slots=True)
class Facets:
    """Numbers of documents, also of what none was found of, so that nothing comes and goes.

    Attributes:
        found: how many documents were found.
        roots: the library's folders.
        folders: the documents in each folder, those in folders in it among them; a container
            counts as a folder.
        kinds: by the formats' keys, those of which the library has most first.
        days: by the day that a document gives, else that on which its file was last changed.
        authors: by the name that the documents give.
    """

    found: int
    roots: tuple[Path, ...]
    folders: Mapping[Path, int]
    kinds: Mapping[str, int]
    days: Mapping[date, int]
    authors: Mapping[str, int]


def split(query: Query) -> tuple[Query, tuple[Scope, ...]]:
    """Return a query without its filters by folder, kind and day, and these three apart.

    >>> from core.search.query import parse
    >>> rest, (folders, kinds, days) = split(parse("wing type:pdf after:2024 size:>1mb"))
    >>> str(rest), folders.is_everything, kinds.suffixes
    ('wing size:>1mb', True, ('.pdf',))
    """
    query = plainer(query)
    parts = [
        tuple(one for one in query.parts if isinstance(one, Clause) and one.key in keys)
        for keys in _KEYS
    ]
    taken = {one for part in parts for one in part}
    rest = tuple(one for one in query.parts if one not in taken)
    return replace(query, parts=rest), tuple(map(scope_of, parts))


def count(
    documents: Iterable[Described], found: set[int], roots: Iterable[Path], job: Job | None = None
) -> Facets:
    """Count documents.

    Args:
        documents: all of the library, with where they lie among the scopes of `split`.
        found: the numbers of those that the rest of the query finds.
        roots: the library's folders.
        job: to cancel it.

    Raises:
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    folders: Counter[str] = Counter()
    kinds, stock = Counter[str](), Counter[str]()
    days: Counter[date] = Counter()
    authors: Counter[str] = Counter()
    total = 0
    for number, one in enumerate(documents):
        if number % _CHECKED_EACH == 0:
            job.checkpoint()
        in_folders, in_kinds, in_days = one.lies_in
        is_found = one.id in found
        folder, _, name = one.path.rpartition(os.sep)
        kind = _kind(name)
        folders[folder] += is_found and in_kinds and in_days
        kinds[kind] += is_found and in_folders and in_days
        stock[kind] += 1
        days[_day(one.dated_ns // _STEP_NS)] += is_found and in_folders and in_kinds
        is_left = is_found and in_folders and in_kinds and in_days
        total += is_left
        if one.author:
            authors[one.author] += is_left
    kept = tuple(roots)
    return Facets(
        found=total,
        roots=kept,
        folders=_with_outer(folders, kept),
        kinds={kind: kinds[kind] for kind, _ in sorted(stock.items(), key=_most_first) if kind},
        days=dict(sorted(days.items(), reverse=True)),
        authors=dict(sorted(authors.items(), key=_most_first)),
    )


def _most_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0].casefold()


def _with_outer(folders: Mapping[str, int], roots: tuple[Path, ...]) -> dict[Path, int]:
    """Return the counts of folders and of those that they lie in, up to the library's; by path."""
    # As strings: a library may have tens of thousands of folders, and is counted at every key.
    tops = {str(root).rstrip(os.sep): str(root) for root in roots}
    counted: dict[str, int] = dict.fromkeys(tops, 0)
    for folder, number in folders.items():
        inner: list[str] = []
        path = folder.rstrip(os.sep)
        while path not in tops and path:
            inner.append(path)
            path = path.rpartition(os.sep)[0]
        if path not in tops:
            continue  # given by a program, and in no folder
        for one in (path, *inner):
            counted[one] = counted.get(one, 0) + number
    return {_path(tops.get(one, one)): number for one, number in sorted(counted.items())}


@lru_cache(maxsize=1 << 16)
def _path(text: str) -> Path:
    return Path(text)


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
