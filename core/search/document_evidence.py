"""Evidence for a document from its name, folder, date, title, headings and whole text.

People look for the one document that they know: by its name, its title, a heading, its date, or by
words that are in different passages of it. A passage alone does not show this.

Sets of the query's words are integers here, with a bit for each word: the module is used before
numpy is loaded, and for the hundred documents of a search this is as fast.
"""

import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import chain, pairwise
from operator import or_
from pathlib import PurePath
from typing import Final, NamedTuple, Self

from core.catalog import bulk, passages, word_index
from core.catalog.passages import TitledPassage
from core.catalog.text.index_terms import indexed
from core.catalog.text.normalisation import any_of, day_of, quoted
from core.search.evidence_terms import DocumentEvidence
from core.search.grouping import PreparedQuery
from core.search.query.dates import Period
from core.search.query.named_dates import NamedDate, period_of_name
from core.search.quotations import repeated
from core.search.words import fts

# The value of a name that has all words of the query among many others. With some of the words, it
# counts by a power of their share: one word of three is little.
_ALL_WORDS: Final = 0.4
_POWER: Final = 3
# Words in more passages do not tell documents apart, and would take most of a search's time.
_MOST_HOLDERS: Final = 10_000
# Shares of words that differ by less are equal.
_EQUAL: Final = 1e-6
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


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The w words of a query that have a weight, to compare with names.

    Attributes:
        words: the words.
        weights: their shares of the sum of all rarities.
        stems: the terms of the word index that match words, with the bits of these.
        all_stems: those of all words of the query, also of words without a weight.
    """

    words: tuple[str, ...]
    weights: tuple[float, ...]
    stems: Mapping[str, int]
    all_stems: frozenset[str]
    _shares: dict[int, float] = field(default_factory=dict)

    @classmethod
    def of(cls, prepared: PreparedQuery) -> Self:
        """Return the words of a prepared query."""
        words = tuple(word for word, rarity in prepared.rarity.items() if rarity)
        whole = sum(prepared.rarity.values())
        stems: dict[str, int] = {}
        for word in prepared.rarity:
            bit = 1 << words.index(word) if word in words else 0
            for stem in map(indexed, fts.with_forms([word], prepared.forms)):
                stems[stem] = stems.get(stem, 0) | bit
        weights = tuple(prepared.rarity[word] / whole for word in words)
        return cls(words, weights, stems, frozenset(stems))

    @property
    def every(self) -> int:
        """The bits of all words."""
        return (1 << len(self.words)) - 1

    def bits(self, stems: frozenset[str]) -> int:
        """Return which words a text with these stems has."""
        return reduce(or_, map(self.stems.__getitem__, stems & self.all_stems), 0)

    def share(self, bits: int) -> float:
        """Return the share of some words by their rarity."""
        if (share := self._shares.get(bits)) is None:
            own = (weight for index, weight in enumerate(self.weights) if bits >> index & 1)
            share = self._shares[bits] = sum(own)
        return share

    def match(self, stems: frozenset[str]) -> float:
        """Return how well a name matches: 1 if it is the query, 0 if it has no word of it."""
        common = stems & self.all_stems
        if not common:
            return 0.0
        if (bits := self.bits(common)) != self.every:
            return _ALL_WORDS * self.share(bits) ** _POWER
        precision = len(common) / len(stems)
        return _ALL_WORDS + (1 - _ALL_WORDS) * precision**_POWER

    def best_match(self, names: Iterable[frozenset[str]]) -> float:
        """Return how well the best of some names matches."""
        return max(map(self.match, names), default=0.0)


class _Names(NamedTuple):
    """The words of a document's names, as terms of the word index.

    Attributes:
        own: of the file's name without its suffix, of the title and of the aliases.
        whole: of the name with its suffix, of the title and of the aliases.
        suffix: of the name, without its point.
        folders: of the names of the folders that the file is in.
        every: of all of them.
    """

    own: tuple[frozenset[str], ...]
    whole: tuple[frozenset[str], ...]
    suffix: str
    folders: tuple[frozenset[str], ...]
    every: frozenset[str]


@dataclass(slots=True)
class _Compared:
    """A document of the candidates.

    Attributes:
        named: how well a name or the title matches.
        in_names: the words in the names, and those of a date if the document is of that time.
        in_folder: the words that are names of folders.
        is_dated: whether it is of a time that the query names.
        bits: the words in the whole document.
        best: the greatest share in a passage, without words of the names.
    """

    named: float
    in_names: int
    in_folder: int
    is_dated: bool
    bits: int
    best: float = 0.0


def gather(
    db: sqlite3.Connection, prepared: PreparedQuery, passage_ids: Sequence[int]
) -> list[DocumentEvidence]:
    """Return the evidence for p passages."""
    quoted = repeated(db, passage_ids)
    if not prepared.rarity:
        return [DocumentEvidence(quoted=float(each in quoted)) for each in passage_ids]
    titled = passages.with_titles(db, passage_ids)
    wanted = _Wanted.of(prepared)
    of_dates = reduce(or_, (wanted.bits(_stems(date.text)) for date in prepared.dates), 0)
    rows = {row.document_id: row for row in titled.values()}
    documents = {
        document_id: _compared(row, wanted, prepared.dates, of_dates)
        for document_id, row in rows.items()
    }
    # By words alone, BM25 decides among the passages of a document.
    is_short = len(prepared.rarity) <= _FEW_WORDS
    is_compared = is_short or prepared.encoded is not None
    bits_of = _add_passages(db, prepared, wanted, documents) if is_compared else {}
    shares = {
        document_id: _of_document(document, wanted) if is_short else 0.0
        for document_id, document in documents.items()
    }
    contexts = {row.context for row in titled.values()}
    best_heading = {context: wanted.best_match(_headings(context)) for context in contexts}
    complete = [passage_id for passage_id in titled if bits_of.get(passage_id) == wanted.every]
    with_line = _with_line(db, wanted, complete)

    def evidence(passage_id: int) -> DocumentEvidence:
        if (row := titled.get(passage_id)) is None:
            return DocumentEvidence()
        document = documents[row.document_id]
        unnamed = wanted.share(bits_of.get(passage_id, 0) & ~document.in_names)
        return DocumentEvidence(
            1.0 if passage_id in with_line else max(document.named, best_heading[row.context]),
            shares[row.document_id],
            unnamed - document.best,
            wanted.share(document.in_folder),
            float(document.is_dated),
            float(passage_id in quoted),
        )

    return [evidence(passage_id) for passage_id in passage_ids]


def _compared(
    row: TitledPassage, wanted: _Wanted, dates: Sequence[NamedDate], of_dates: int
) -> _Compared:
    """Compare a document's names with a query."""
    is_dated = bool(dates) and _is_dated(row, dates)
    # A document of the time that the query names need not have the words of the date.
    in_names = of_dates if is_dated else 0
    names = _names(row.path, row.title, row.folder, row.aliases)
    if names.every.isdisjoint(wanted.all_stems):
        return _Compared(0.0, in_names, 0, is_dated, in_names)
    # The suffix is part of the name if the query has it.
    own = names.whole if names.suffix in wanted.words else names.own
    # Folders count whose whole names are in the query.
    folders = [wanted.bits(stems) for stems in names.folders if stems <= wanted.all_stems]
    in_folder = reduce(or_, folders, 0)
    in_names = reduce(or_, map(wanted.bits, own), in_names | in_folder)
    return _Compared(wanted.best_match(own), in_names, in_folder, is_dated, in_names)


def _add_passages(
    db: sqlite3.Connection,
    prepared: PreparedQuery,
    wanted: _Wanted,
    documents: Mapping[int, _Compared],
) -> dict[int, int]:
    """Add the words in all passages of some documents to these; return those of each passage."""
    runs = [run for batch in bulk.passage_runs(db, documents) for run in batch]
    # Documents of one passage are found by it, which is faster for many of them.
    single = {first for _, first, last in runs if first == last}
    longer = [(first, last) for _, first, last in runs if first != last]
    bits_of: dict[int, int] = {}
    for index, word in enumerate(wanted.words):
        expression = any_of(fts.with_forms([word], prepared.forms))
        holders = bulk.first_passages_with(db, expression, _MOST_HOLDERS)
        some: list[Iterable[int]] = [single.intersection(holders)]
        some += [_within(holders, first, last) for first, last in longer]
        for passage_id in chain.from_iterable(some):
            bits_of[passage_id] = bits_of.get(passage_id, 0) | 1 << index
    ids = sorted(bits_of)
    for document_id, first, last in runs:
        document = documents[document_id]
        for passage_id in _within(ids, first, last):
            bits = bits_of[passage_id]
            document.bits |= bits
            document.best = max(document.best, wanted.share(bits & ~document.in_names))
    return bits_of


def _within(ids: list[int], first: int, last: int) -> list[int]:
    """Return the ascending ids from the first to the last one.

    >>> _within([2, 3, 7], 3, 6)
    [3]
    """
    start = bisect_left(ids, first)
    return ids[start : bisect_right(ids, last, start)]


def _of_document(document: _Compared, wanted: _Wanted) -> float:
    """Return the value of the words in a document for a short query."""
    share = wanted.share(document.bits)
    is_apart = share > wanted.share(document.in_names) + document.best + _EQUAL
    return share ** len(wanted.words) * (1 if is_apart else _LESS)


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
    found = word_index.find_words(db, expression, _FOUND_BY_NAME, prepared.within)
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


@lru_cache(maxsize=16_384)
def _names(path: str, title: str, folder: str, aliases: str) -> _Names:
    name, stem, suffix = _name_parts(path)
    other = (title, *aliases.split("; "))
    own, whole = (
        tuple(map(_stems, dict.fromkeys(filter(None, (text, _ALONE.sub(" ", text), *other)))))
        for text in (stem, name)
    )
    folders = tuple(map(_stems, _folder_names(path, folder)))
    every = frozenset[str]().union(*own, *whole, *folders)
    return _Names(own, whole, suffix[1:].lower(), folders, every)


@lru_cache(maxsize=16_384)
def _headings(context: str) -> tuple[frozenset[str], ...]:
    return tuple(map(_stems, context.split(_BETWEEN)))


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
        if any(wanted.match(_stems(line)) == 1 for line in _short_lines(text, letters))
    )


def _short_lines(text: str, letters: int) -> list[str]:
    """Return the lines of a text with about the length of a query of some number of letters."""
    return [line for line in text.splitlines() if letters <= 2 * len(line) <= 4 * letters + 20]


@lru_cache(maxsize=16_384)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(indexed, fts.terms(text)))
