"""What a document's name, title and headings, and all of its text, say about a query.

People look for the one document that they know: by its name, its title, a heading, or by words that
are in different passages of it. A passage alone does not show this.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import Final

import numpy as np

from core.arrays import Flags, Floats
from core.catalog import passages
from core.catalog.text.normalisation import any_of, quoted
from core.search.grouping import PreparedQuery
from core.search.words import fts
from core.search.words.stems import indexed

# The value of a name that has all words of the query among many others. With some of the words, it
# counts by a power of their share: one word of three is little.
_ALL_WORDS: Final = 0.4
_POWER: Final = 3
# Words in more passages do not tell documents apart, and would take most of a search's time.
_MOST_HOLDERS: Final = 2_000
# Words of the longest query that may be a name, and documents found by one.
_LONGEST_NAME: Final = 12
_FOUND_BY_NAME: Final = 20
# Joins the title and the headings of a passage's context.
_BETWEEN: Final = "›"


@dataclass(frozen=True, slots=True, eq=False)
class DocumentEvidence:
    """The evidence for p passages.

    Attributes:
        named: (p,) how well the file's name, the title or a heading matches the query; 1 if one is
            the query.
        in_document: (p,) the share of the query's words, by rarity, that the whole document has, to
            the power of their number: few documents have all words of a long question by chance,
            and many have most of them.
        in_passage: (p,) share in the passage, from the best passage of the document on: 0 or less.
            Words in the name and title do not decide among a document's passages.
    """

    named: Floats
    in_document: Floats
    in_passage: Floats

    @classmethod
    def none(cls, count: int) -> DocumentEvidence:
        """Return the evidence for passages of a query without words."""
        return cls(*np.zeros((3, count), dtype=np.float32))

    def only(self, selected: Flags) -> DocumentEvidence:
        """Return the evidence of some of the passages, by their mask."""
        return DocumentEvidence(
            self.named[selected], self.in_document[selected], self.in_passage[selected]
        )

    def and_of(self, other: DocumentEvidence) -> DocumentEvidence:
        """Return this evidence, followed by that of other passages."""
        return DocumentEvidence(
            np.append(self.named, other.named),
            np.append(self.in_document, other.in_document),
            np.append(self.in_passage, other.in_passage),
        )


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The words of a query, to compare with names.

    Attributes:
        stems: by word, the terms of the word index that it matches.
        rarity: by word, its weight.
    """

    stems: Mapping[str, frozenset[str]]
    rarity: Mapping[str, float]

    def in_text(self, text: str) -> frozenset[str]:
        """Return the words that a text has."""
        there = _stems(text)
        return frozenset(word for word, stems in self.stems.items() if not stems.isdisjoint(there))

    def share(self, words: Iterable[str]) -> float:
        """Return the share of some of the words by rarity."""
        return sum(map(self.rarity.__getitem__, words)) / sum(self.rarity.values())

    def match(self, name: str) -> float:
        """Return how well a name matches: 1 if it is the query, 0 if it has no word of it."""
        if not (there := _stems(name)):
            return 0.0
        found = self.in_text(name)
        share = self.share(found)
        if share < 1 - 1e-6:
            return _ALL_WORDS * float(share**_POWER)
        own = frozenset[str]().union(*self.stems.values())
        precision = len(there & own) / len(there)
        return _ALL_WORDS + (1 - _ALL_WORDS) * float(precision**_POWER)


def gather(
    db: sqlite3.Connection, prepared: PreparedQuery, passage_ids: Sequence[int]
) -> DocumentEvidence:
    """Return the evidence for p passages."""
    rarity = prepared.rarity
    if not rarity or not passage_ids:
        return DocumentEvidence.none(len(passage_ids))
    stems = {
        word: frozenset(map(indexed, fts.with_forms([word], prepared.forms))) for word in rarity
    }
    wanted = _Wanted(stems, rarity)
    found = passages.with_titles(db, passage_ids)
    documents = {row.document_id for row in found.values()}
    in_documents = _holders(db, prepared, documents)
    of_names = {row.document_id: _names(row.path, row.title, rarity) for row in found.values()}
    in_names = {
        document_id: frozenset().union(*map(wanted.in_text, names))
        for document_id, names in of_names.items()
    }
    best_name = {
        document_id: max(map(wanted.match, names)) for document_id, names in of_names.items()
    }
    informative = sum(map(bool, rarity.values()))
    evidence = np.zeros((3, len(passage_ids)), dtype=np.float32)
    for index, passage_id in enumerate(passage_ids):
        row = found.get(passage_id)
        if row is None:
            continue
        named = in_names[row.document_id]
        of_passages = in_documents.get(row.document_id, {})
        own = wanted.share(named | of_passages.get(passage_id, frozenset()))
        evidence[:, index] = (
            max(best_name[row.document_id], _best_heading(wanted, row.context, row.text)),
            wanted.share(named.union(*of_passages.values())) ** informative,
            own - max((wanted.share(named | one) for one in of_passages.values()), default=own),
        )
    return DocumentEvidence(*evidence)


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
    names = " ".join(map(quoted, words))
    return [
        *(passage_id for passage_id, _ in found),
        *passages.of_named(db, names, _FOUND_BY_NAME, prepared.within),
    ]


def _names(path: str, title: str, words: Collection[str]) -> tuple[str, ...]:
    """Return the name of a file, and the document's title.

    The suffix is part of the name if the query has it.
    """
    file = PurePath(path)
    name = file.name if file.suffix[1:].lower() in words else file.stem
    return (name, title) if title else (name,)


def _best_heading(wanted: _Wanted, context: str, text: str) -> float:
    """Return the best match of the headings above a passage, or 1 if a line of it is the query."""
    if any(wanted.match(line) == 1 for line in _short_lines(text, sum(map(len, wanted.stems)))):
        return 1.0
    return max(map(wanted.match, context.split(_BETWEEN)))


def _short_lines(text: str, letters: int) -> list[str]:
    """Return the lines of a text that are about as long as a query with so many letters."""
    return [line for line in text.splitlines() if letters <= 2 * len(line) <= 4 * letters + 20]


@lru_cache(maxsize=16_384)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(indexed, fts.terms(text)))


def _holders(
    db: sqlite3.Connection, prepared: PreparedQuery, documents: Collection[int]
) -> dict[int, dict[int, frozenset[str]]]:
    """Return the words of the query in the passages of some documents, by document and passage."""
    found: dict[int, dict[int, frozenset[str]]] = {}
    among = json.dumps(sorted(documents))
    for word, rarity in prepared.rarity.items():
        if not rarity:
            continue
        expression = any_of(fts.with_forms([word], prepared.forms))
        for passage_id, document_id in passages.holders_among(db, expression, among, _MOST_HOLDERS):
            of_document = found.setdefault(document_id, {})
            of_document[passage_id] = of_document.get(passage_id, frozenset()) | {word}
    return found
