"""Reference counts for the filters: document by document, in a loop."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from core.catalog.documents import DocumentState
from core.catalog.scope import EVERYWHERE, Scope
from core.catalog.text.normalisation import DATED, day_of
from core.documents.formats import format_of
from core.responses import Facets


class Described(NamedTuple):
    """A document, and in which of some scopes it lies."""

    id: int
    path: str
    dated_ns: int
    author: str
    tags: str
    in_scopes: tuple[bool, ...]


def described(
    db: sqlite3.Connection, scopes: Sequence[Scope], within: Scope = EVERYWHERE
) -> list[Described]:
    """Return all documents within a scope that can be found."""
    conditions = [scope.condition() for scope in scopes]
    columns = "".join(f", {condition}" for condition, _ in conditions)
    condition, its_values = within.condition()
    rows = db.execute(
        f"SELECT id, path, {DATED}, author, tags{columns} FROM documents WHERE state IN (?, ?)"
        f" AND {condition} AND EXISTS (SELECT 1 FROM passages WHERE document_id = documents.id)",
        [
            *(value for _, values in conditions for value in values),
            DocumentState.READ,
            DocumentState.IN_CLOUD,
            *its_values,
        ],
    )
    return [Described(*row[:5], tuple(map(bool, row[5:]))) for row in rows]


def count(
    documents: Iterable[Described], found: Collection[int], roots: Collection[Path]
) -> Facets:
    """Count documents; `found` are the numbers of those that the rest of the query finds."""
    within: Counter[Path] = Counter()
    kinds, stock = Counter[str](), Counter[str]()
    days: Counter[date] = Counter()
    authors: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    total = 0
    for one in documents:
        in_folders, in_kinds, in_days = one.in_scopes
        is_found = one.id in found
        kind = format_of(Path("/nowhere", Path(one.path).name))
        for folder in _up_to_the_librarys(Path(one.path).parent, roots):
            within[folder] += is_found and in_kinds and in_days
        if kind is not None:
            kinds[kind.key] += is_found and in_folders and in_days
            stock[kind.key] += 1
        days[day_of(one.dated_ns)] += is_found and in_folders and in_kinds
        is_left = is_found and in_folders and in_kinds and in_days
        total += is_left
        if one.author:
            authors[one.author] += is_left
        for tag in {outer for own in one.tags.split("; ") for outer in _with_outer(own)}:
            tags[tag] += is_left
    within.update(dict.fromkeys(roots, 0))
    return Facets(
        found=total,
        roots=tuple(roots),
        folders=dict(sorted(within.items(), key=lambda one: str(one[0]))),
        kinds={kind: kinds[kind] for kind, _ in sorted(stock.items(), key=_most_first)},
        days=dict(sorted(days.items(), reverse=True)),
        authors=dict(sorted(authors.items(), key=_most_first)),
        tags=dict(sorted(tags.items(), key=_most_first)),
    )


def _with_outer(tag: str) -> list[str]:
    """Return a tag and the tags that it is in; none for an empty one."""
    return [tag, *_with_outer(tag.rpartition("/")[0])] if tag else []


def _up_to_the_librarys(folder: Path, roots: Collection[Path]) -> list[Path]:
    """Return a folder and its parents up to one of the library's folders; none outside these."""
    found: list[Path] = []
    for one in (folder, *folder.parents):
        found.append(one)
        if one in roots:
            return found
    return []


def _most_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0].casefold()
