"""Evidence for a document from its name, folder, date, title, headings and whole text.

People look for the one document that they know: by its name, its title, a heading, its date, or by
words that are in different passages of it. A passage alone does not show this.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePath
from typing import Final

import numpy as np

from core.arrays import Flags, Floats, Numbers
from core.catalog import bulk, passages
from core.catalog.passages import TitledPassage
from core.catalog.text.index_terms import indexed
from core.catalog.text.normalisation import any_of, day_of, quoted
from core.search.grouping import PreparedQuery
from core.search.query.dates import Period
from core.search.query.named_dates import NamedDate, period_of_name
from core.search.words import fts

# The value of a name that has all words of the query among many others. With some of the words, it
# counts by a power of their share: one word of three is little.
_ALL_WORDS: Final = 0.4
_POWER: Final = 3
# Words in more passages do not tell documents apart, and would take most of a search's time.
_MOST_HOLDERS: Final = 10_000
# The share of a query's words from which on a text has all of them.
_WHOLE: Final = 1 - 1e-6
# Words of a short query, common ones too: people expect all of them in the document. Questions are
# answered by one passage; the words of whole documents lead to long ones (decision record 0006).
_FEW_WORDS: Final = 3
# The weight of a document's words if one of its passages has all of them, relative to words in
# different passages.
_LESS: Final = 0.6
# Words of the longest query that may be a name, and documents found by one.
_LONGEST_NAME: Final = 12
_FOUND_BY_NAME: Final = 20
# Between letters and digits that are written together in a name, as in "befund2723518".
_ALONE: Final = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
# Joins the title and the headings of a passage's context.
_BETWEEN: Final = "›"


@dataclass(frozen=True, slots=True, eq=False)
class DocumentEvidence:
    """The evidence for p passages.

    Attributes:
        named: (p,) how well the file's name, the title or a heading matches the query; 1 if one is
            the query.
        in_document: (p,) the share of a short query's words, by rarity, that the whole document
            has, to the power of their number; 0 for a longer query.
        in_passage: (p,) share in the passage, from the best passage of the document on: 0 or less.
            Words in the name and title do not decide among a document's passages.
        in_folder: (p,) the share of the query's words that are the name of a folder of the file.
        dated: (p,) 1 for documents of a time that the query names, otherwise 0.
    """

    named: Floats
    in_document: Floats
    in_passage: Floats
    in_folder: Floats
    dated: Floats

    @classmethod
    def none(cls, count: int) -> DocumentEvidence:
        """Return the evidence for passages of a query without words."""
        return cls(*np.zeros((len(fields(cls)), count), dtype=np.float32))

    def only(self, selected: Flags) -> DocumentEvidence:
        """Return the evidence of some of the passages, by their mask."""
        return DocumentEvidence(*[values[selected] for values in self._columns()])

    def and_of(self, other: DocumentEvidence) -> DocumentEvidence:
        """Return this evidence, followed by that of other passages."""
        pairs = zip(self._columns(), other._columns(), strict=True)
        return DocumentEvidence(*map(np.append, *zip(*pairs, strict=True)))

    def _columns(self) -> tuple[Floats, ...]:
        return tuple(getattr(self, column.name) for column in fields(self))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The w words of a query that have a weight, to compare with names.

    Attributes:
        words: the words.
        weights: (w,) their shares of the sum of all rarities.
        stems: the terms of the word index that each word matches.
        all_stems: those of all words of the query, also of words without a weight.
    """

    words: tuple[str, ...]
    weights: Floats
    stems: tuple[frozenset[str], ...]
    all_stems: frozenset[str]

    @classmethod
    def of(cls, prepared: PreparedQuery) -> _Wanted:
        """Return the words of a prepared query."""
        stems = {
            word: frozenset(map(indexed, fts.with_forms([word], prepared.forms)))
            for word in prepared.rarity
        }
        words = tuple(word for word, rarity in prepared.rarity.items() if rarity)
        weights = np.array([prepared.rarity[word] for word in words], dtype=np.float32)
        return cls(
            words,
            weights / weights.sum(),
            tuple(stems[word] for word in words),
            frozenset().union(*stems.values()),
        )

    def flags(self, stems: frozenset[str]) -> Flags:
        """Return (w,) which words a text with these stems has."""
        common = stems & self.all_stems
        if not common:
            return np.zeros(len(self.words), dtype=np.bool_)
        return np.array([not common.isdisjoint(own) for own in self.stems], dtype=np.bool_)

    def match(self, name: str) -> float:
        """Return how well a name matches: 1 if it is the query, 0 if it has no word of it."""
        stems = _stems(name)
        common = stems & self.all_stems
        if not common:
            return 0.0
        share = float(self.weights[self.flags(common)].sum())
        if share < _WHOLE:
            return _ALL_WORDS * share**_POWER
        precision = len(common) / len(stems)
        return _ALL_WORDS + (1 - _ALL_WORDS) * precision**_POWER


@dataclass(frozen=True, slots=True, eq=False)
class _Holders:
    """The h pairs of a word and a passage that has it, in some documents.

    Attributes:
        words: (h,) indexes of words.
        passage_ids: (h,) ids.
        rows: (h,) indexes of the documents.
    """

    words: Numbers
    passage_ids: Numbers
    rows: Numbers


def gather(
    db: sqlite3.Connection, prepared: PreparedQuery, passage_ids: Sequence[int]
) -> DocumentEvidence:
    """Return the evidence for p passages."""
    titled = passages.with_titles(db, passage_ids) if prepared.rarity else {}
    if not titled:
        return DocumentEvidence.none(len(passage_ids))
    wanted = _Wanted.of(prepared)
    weights = wanted.weights
    documents = {row.document_id: row for row in titled.values()}
    row_of = {document_id: index for index, document_id in enumerate(documents)}
    names = [_names(row.path, row.title, prepared.rarity) for row in documents.values()]
    best_name = [max(map(wanted.match, some)) for some in names]
    in_folders = np.column_stack([wanted.flags(_folder(row, wanted)) for row in documents.values()])
    dated = [_is_dated(row, prepared.dates) for row in documents.values()]
    of_dates = wanted.flags(frozenset().union(*(_stems(date.text) for date in prepared.dates)))
    of_names = [frozenset[str]().union(*map(_stems, some)) for some in names]
    # A document of the time that the query names need not have the words of the date.
    in_names = np.column_stack([wanted.flags(stems) for stems in of_names])
    in_names |= in_folders | np.outer(of_dates, dated)
    holders = _holders(db, prepared, wanted.words, list(row_of))

    in_documents = in_names.copy()
    in_documents[holders.words, holders.rows] = True
    in_document: Floats = weights @ in_documents
    # By passage with a word: the words that are not in the names, and all words.
    known_ids, first, inverse = np.unique(
        holders.passage_ids, return_index=True, return_inverse=True
    )
    of_pairs = weights[holders.words]
    is_named = in_names[holders.words, holders.rows]
    unnamed = np.bincount(inverse, of_pairs * ~is_named, minlength=len(known_ids))
    whole = np.bincount(inverse, of_pairs, minlength=len(known_ids))
    best_unnamed = np.zeros(len(documents))
    np.maximum.at(best_unnamed, holders.rows[first], unnamed)
    best_of = best_unnamed.tolist()
    is_apart = in_document > weights @ in_names + best_unnamed + (1 - _WHOLE)
    if len(prepared.rarity) <= _FEW_WORDS:
        in_document = in_document ** len(weights) * np.where(is_apart, 1, _LESS)
    else:
        in_document = np.zeros_like(in_document)
    unnamed_of = dict(zip(known_ids.tolist(), unnamed.tolist(), strict=True))

    best_heading = {
        context: max(map(wanted.match, context.split(_BETWEEN)))
        for context in {row.context for row in titled.values()}
    }
    complete = [known_id for known_id in known_ids[whole >= _WHOLE].tolist() if known_id in titled]
    with_line = _with_line(db, wanted, complete)

    of_documents = np.stack([in_document, weights @ in_folders, dated]).T.tolist()
    evidence = [[0.0] * len(fields(DocumentEvidence))] * len(passage_ids)
    for index, passage_id in enumerate(passage_ids):
        if (row := titled.get(passage_id)) is None:
            continue
        at = row_of[row.document_id]
        named = 1.0 if passage_id in with_line else max(best_name[at], best_heading[row.context])
        in_passage = unnamed_of.get(passage_id, 0.0) - best_of[at]
        share, in_folder, is_dated = of_documents[at]
        evidence[index] = [named, share, in_passage, in_folder, is_dated]
    return DocumentEvidence(*np.array(evidence, dtype=np.float32).T)


def found_by_name(db: sqlite3.Connection, prepared: PreparedQuery) -> list[int]:
    """Return passages of documents with all words of a short query in a name, title or heading."""
    words = [word for word, rarity in prepared.rarity.items() if rarity]
    if not words or len(words) > _LONGEST_NAME:
        return []
    every = " AND ".join(f"({any_of(fts.with_forms([word], prepared.forms))})" for word in words)
    ways = [f"context : ({every})"]
    if len(phrase := fts.terms(prepared.query.text)) <= _LONGEST_NAME:
        ways.append(quoted(" ".join(phrase)))
    expression = fts.found_by(f"({' OR '.join(ways)})", prepared.query, prepared.forms)
    found = passages.find_words(db, expression, _FOUND_BY_NAME, prepared.within)
    names = _names_with(words)
    return [
        *(passage_id for passage_id, _ in found),
        *passages.of_named(db, names, _FOUND_BY_NAME, prepared.within),
    ]


def _names_with(words: Sequence[str]) -> str:
    """Return an expression for names that have all words, also a number joined to a word.

    >>> _names_with(["befund", "27"])
    '("befund" AND "27") OR ("befund27")'
    """
    ways = [list(words)]
    for index, (first, second) in enumerate(pairwise(words)):
        if (first.isalpha() and second.isdecimal()) or (first.isdecimal() and second.isalpha()):
            ways.append([*words[:index], first + second, *words[index + 2 :]])
    return " OR ".join(f"({' AND '.join(map(quoted, way))})" for way in ways)


def _names(path: str, title: str, words: Collection[str]) -> tuple[str, ...]:
    """Return the name of a file, and the document's title.

    The suffix is part of the name if the query has it.
    """
    name, stem, suffix = _name_parts(path)
    own = name if suffix[1:].lower() in words else stem
    return tuple(dict.fromkeys(filter(None, (own, _ALONE.sub(" ", own), title))))


def _folder(row: TitledPassage, wanted: _Wanted) -> frozenset[str]:
    """Return the words of those folders of a file whose whole names are in the query."""
    folders = (_stems(name) for name in _folder_names(row.path, row.folder))
    return frozenset[str]().union(*(stems for stems in folders if stems <= wanted.all_stems))


def _is_dated(row: TitledPassage, dates: Sequence[NamedDate]) -> bool:
    """Return whether a document is of one of the times.

    Its own date counts, or that in its name or its folder's, or else that of its file.
    """
    if not dates:
        return False
    names = (*_folder_names(row.path, row.folder), _name_parts(row.path)[1])
    own = next(filter(None, map(period_of_name, reversed(names))), None)
    if row.stated_ns is not None or own is None:
        day = day_of(row.mtime_ns if row.stated_ns is None else row.stated_ns)
        is_named = any(date.period.holds(Period(day, day)) for date in dates)
        if own is None or is_named:
            return is_named
    return any(date.period.holds(own) for date in dates)


@lru_cache(maxsize=16_384)
def _folder_names(path: str, folder: str) -> tuple[str, ...]:
    """Return the names of the folders that a file is in, below the indexed one."""
    return PurePath(path.removeprefix(folder).lstrip("/\\")).parts[:-1]


@lru_cache(maxsize=16_384)
def _name_parts(path: str) -> tuple[str, str, str]:
    file = PurePath(path)
    return file.name, file.stem, file.suffix


def _with_line(
    db: sqlite3.Connection, wanted: _Wanted, passage_ids: Sequence[int]
) -> frozenset[int]:
    """Return the passages with a line that is the query, of those with all of its words."""
    letters = sum(map(len, wanted.words))
    return frozenset(
        passage_id
        for passage_id, text in passages.texts(db, passage_ids).items()
        if any(wanted.match(line) == 1 for line in _short_lines(text, letters))
    )


def _short_lines(text: str, letters: int) -> list[str]:
    """Return the lines of a text with about the length of a query of some number of letters."""
    return [line for line in text.splitlines() if letters <= 2 * len(line) <= 4 * letters + 20]


@lru_cache(maxsize=16_384)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(indexed, fts.terms(text)))


def _holders(
    db: sqlite3.Connection,
    prepared: PreparedQuery,
    words: Sequence[str],
    documents: Sequence[int],
) -> _Holders:
    """Return the passages of some documents that have words of the query."""
    row_of = {document_id: index for index, document_id in enumerate(documents)}
    runs = sorted(
        (first, last, row_of[document_id])
        for batch in bulk.passage_runs(db, documents)
        for document_id, first, last in batch
    )
    firsts, lasts, rows = np.array(runs, dtype=np.int64).T
    pairs = [np.empty((3, 0), dtype=np.int64)]
    for index, word in enumerate(words):
        expression = any_of(fts.with_forms([word], prepared.forms))
        passage_ids = bulk.passages_with(db, expression, _MOST_HOLDERS)
        runs_of = np.searchsorted(firsts, passage_ids, side="right") - 1
        is_in = (runs_of >= 0) & (passage_ids <= lasts[runs_of])
        own = passage_ids[is_in]
        pairs.append(np.stack([np.full_like(own, index), own, rows[runs_of[is_in]]]))
    return _Holders(*np.concatenate(pairs, axis=1))
