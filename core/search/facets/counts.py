"""Count documents by folder, kind, day, author and tag, from columns in memory."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from core.arrays import Flags, Integers, Numbers
from core.catalog.bulk import passages_with
from core.catalog.catalog import Catalog
from core.catalog.files import folders
from core.catalog.text.normalisation import fold
from core.progress import Job
from core.responses import Facets
from core.search.facets.columns import CachedColumns, ColumnNames, Moment
from core.search.facets.filters import FacetQuery
from core.search.facets.scope_masks import document_mask, passage_mask
from core.search.query.operators import ATTACHED


class FacetCounter:
    """Counts the documents of one library; thread-safe."""

    def __init__(self, columns: CachedColumns) -> None:
        self._columns = columns
        # Only the last tree is cached: one of a hundred thousand folders is large.
        self._tree: tuple[ColumnNames, int, tuple[Path, ...], _Tree] | None = None
        self._paths: dict[str, Path] = {}

    def count(self, catalog: Catalog, query: FacetQuery, job: Job | None = None) -> Facets:
        """Count documents.

        Raises:
            Cancelled: the job was cancelled.
            LibraryError: the library cannot be read.
        """
        job = job or Job()
        with self._columns.now(catalog, job) as (db, moment):
            is_findable = moment.columns.is_findable > 0
            is_own = document_mask(db, moment, query.scope) & is_findable
            is_match = _matching(db, moment, query) & is_own
            in_folders, in_kinds, in_days = (
                document_mask(db, moment, scope) for scope in query.scopes
            )
            is_attached = document_mask(db, moment, ATTACHED) & is_own
            roots = tuple(root.path for root in folders.roots(db))
        job.checkpoint()
        columns, names = moment.columns, moment.names
        is_left = is_match & in_folders & in_kinds & in_days
        attached = int(np.count_nonzero(is_left & is_attached)) if is_attached.any() else None
        return Facets(
            found=int(np.count_nonzero(is_left)),
            roots=roots,
            folders=self._tree_of(names, roots).counted(
                columns.folders[is_own], columns.folders[is_match & in_kinds & in_days]
            ),
            kinds=_kinds(
                names, columns.kinds[is_own], columns.kinds[is_match & in_folders & in_days]
            ),
            days=_days(columns.days[is_own], columns.days[is_match & in_folders & in_kinds]),
            authors=_authors(names, columns.authors[is_own], columns.authors[is_left]),
            attachments=attached,
            tags=_tags(names, columns.tags[is_own], columns.tags[is_left]),
        )

    def _tree_of(self, names: ColumnNames, roots: tuple[Path, ...]) -> _Tree:
        """Return the tree of the numbered folders below the library's roots."""
        count, last = len(names.folders), self._tree
        if last is not None and last[0] is names and last[1:3] == (count, roots):
            return last[3]
        # Known paths are reused, because creating one is the slowest step per folder.
        self._paths, tree = _Tree.of(list(names.folders)[:count], roots, self._paths)
        self._tree = (names, count, roots, tree)
        return tree


def _matching(db: sqlite3.Connection, moment: Moment, query: FacetQuery) -> Flags:
    columns, within = moment.columns, query.within
    further = columns.of_documents(query.found)
    if within.constrains_text:
        passage_ids = passage_mask(db, moment, within).ids()
        if query.expression:
            words = passages_with(db, query.expression)
            passage_ids = np.intersect1d(passage_ids, words, assume_unique=True)
        return further | columns.of_passages(passage_ids)
    is_match = document_mask(db, moment, within)
    if query.expression:
        is_match = is_match & columns.of_passages(passages_with(db, query.expression))
    return further | is_match


@dataclass(frozen=True, slots=True, eq=False)
class _Tree:
    """Folders with their parents up to the library's roots, sorted by path.

    Attributes:
        paths: (k,) paths.
        is_top: (k,) whether a folder is one of the library's roots.
        folder_indexes: row of each numbered folder; k for a folder outside all roots.
        levels: rows of folders and of their parents, the deepest level first.
    """

    paths: tuple[Path, ...]
    is_top: Flags
    folder_indexes: Integers
    levels: tuple[tuple[Integers, Integers], ...]

    @classmethod
    def of(
        cls, known: Sequence[str], roots: tuple[Path, ...], paths: Mapping[str, Path]
    ) -> tuple[dict[str, Path], _Tree]:
        """Return all paths by their texts, and the tree of the `known` folders below the roots.

        `paths` are the paths created before.
        """
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
                ends[-1] = None  # documents from programs are in no folder
                continue
            for inner_folder in reversed(inner):
                outer[inner_folder] = path
                path = inner_folder
        order = sorted(outer)
        index_of: dict[str | None, int] = {path: index for index, path in enumerate(order)}
        index_of[None] = len(order)
        above = np.array([index_of[outer[path]] for path in order], dtype=np.intp)
        is_top = above == len(order)
        # A folder in another has more separators.
        depths = np.array([path.count(os.sep) for path in order], dtype=np.intp)
        levels = []
        for depth in np.unique(depths[~is_top])[::-1]:
            rows = np.flatnonzero((depths == depth) & ~is_top)
            levels.append((rows, above[rows]))
        texts = [tops.get(path, path) for path in order]
        nodes = [paths.get(text) or Path(text) for text in texts]
        ends_at = np.array([index_of[end] for end in ends], dtype=np.intp)
        tree = cls(tuple(nodes), is_top, ends_at, tuple(levels))
        return dict(zip(texts, nodes, strict=True)), tree

    def counted(self, own: Integers, chosen: Integers) -> dict[Path, int]:
        """Return the number of chosen documents below each folder with any documents.

        Args:
            own: the folders of all documents in scope.
            chosen: the folders of the documents to count.
        """
        is_there = (self._sums(own) > 0) | self.is_top
        counts = self._sums(chosen).tolist()
        rows = zip(self.paths, counts, is_there.tolist(), strict=True)
        return {path: count for path, count, is_shown in rows if is_shown}

    def _sums(self, documents: Integers) -> Numbers:
        of_folders = np.bincount(documents, minlength=len(self.folder_indexes))
        # No document counted here is in a folder that was numbered later.
        sums = np.bincount(
            self.folder_indexes,
            weights=of_folders[: len(self.folder_indexes)],
            minlength=len(self.paths) + 1,
        ).astype(np.int64)
        for inner, outer in self.levels:
            sums += np.bincount(outer, weights=sums[inner], minlength=len(sums)).astype(np.int64)
        return sums[:-1]


def _kinds(names: ColumnNames, own: Integers, chosen: Integers) -> dict[str, int]:
    keys = list(names.kinds)
    stock = np.bincount(own, minlength=len(keys)).tolist()
    counts = np.bincount(chosen, minlength=len(keys)).tolist()
    there = [(key, stock[index], index) for index, key in enumerate(keys) if key and stock[index]]
    there.sort(key=lambda kind: (-kind[1], kind[0].casefold()))
    return {key: counts[index] for key, _, index in there}


def _days(own: Integers, chosen: Integers) -> dict[date, int]:
    if not len(own):
        return {}
    first = int(own.min())
    is_there = np.bincount(own - first)
    counts = np.bincount(chosen - first, minlength=len(is_there))
    offsets = np.flatnonzero(is_there)[::-1]
    days = (date.fromordinal(first + offset) for offset in offsets.tolist())
    return dict(zip(days, counts[offsets].tolist(), strict=True))


def _authors(names: ColumnNames, own: Integers, chosen: Integers) -> dict[str, int]:
    known = list(names.authors)
    stock = np.bincount(own, minlength=len(known))
    counts = np.bincount(chosen, minlength=len(known)).tolist()
    there = [(known[index], counts[index]) for index in np.flatnonzero(stock).tolist() if index]
    return dict(sorted(there, key=_most_first))


def _tags(names: ColumnNames, own: Integers, chosen: Integers) -> dict[str, int]:
    """Count tags, each with the tags inside it; different cases are one tag."""
    known = list(names.tags)
    stock = np.bincount(own, minlength=len(known))
    counts = np.bincount(chosen, minlength=len(known)).tolist()
    spelt: dict[str, str] = {}
    totals = Counter[str]()
    for index in np.flatnonzero(stock).tolist():
        parts = (tag.split("/") for tag in known[index].split("; ") if tag)
        outer = {"/".join(tag[:end]) for tag in parts for end in range(1, len(tag) + 1)}
        for tag in {spelt.setdefault(fold(tag), tag) for tag in sorted(outer)}:
            totals[tag] += counts[index]
    return dict(sorted(totals.items(), key=_most_first))


def _most_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0].casefold()
