"""Documents of ranked passages: grouped, copies and versions folded, or listed by their age."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from core.catalog import copies, passages
from core.catalog.scope import Chosen, Scope
from core.errors import Message
from core.responses import WORDS, Mode, ScoreTerm
from core.search.query.language import Query
from core.search.words import fts as word_query
from core.search.words.stems import OtherForms

if TYPE_CHECKING:
    from core.search.encodings import EncodedQuery

_PASSAGES_SHOWN: Final = 4
"""Passages of one document that are given with it."""
WORDS_LABEL: Final = Message("Words that occur (BM25)")


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A query made ready: its rare words as an expression, and its vectors where meaning counts.

    `chosen` are the passages that lie in its scope, where they have been looked up.
    `forms` has other forms of its words in the library, and `beside` expressions for them, each
    with what its score counts; `words` are the rare words themselves. Where it `is_folded` one of
    several copies stands for all.
    """

    query: Query
    expression: str
    encoded: EncodedQuery | None
    scope: Scope
    chosen: Chosen | None = None
    words: tuple[str, ...] = ()
    forms: Mapping[str, OtherForms] = field(default_factory=dict)
    beside: tuple[tuple[str, float], ...] = ()
    is_folded: bool = False

    @property
    def within(self) -> Scope | Chosen:
        """Where it looks: the passages that were looked up, else the scope."""
        return self.scope if self.chosen is None else self.chosen

    @property
    def in_all_forms(self) -> str:
        """The expression of the words in each of their forms."""
        if not self.forms or not self.words:
            return self.expression
        return word_query.any_of(word_query.with_forms(self.words, self.forms))


class Ranked(Protocol):
    """Passages with their scores, and what these are made of."""

    @property
    def refined(self) -> frozenset[int]:
        """Which passages were compared by all their tokens."""
        ...

    def best_first(self) -> list[tuple[int, float]]:
        """Return the passages with their scores, the best first."""
        ...

    def terms(self, passage_id: int) -> tuple[ScoreTerm, ...]:
        """Return what the score of one of them is a sum of; () for any other passage."""
        ...

    def found_by(self, passage_id: int) -> tuple[Mode, ...]:
        """Return which ways found a passage."""
        ...


class RankedByWords:
    """Passages as their words alone rank them: the score is BM25's, and nothing is computed."""

    refined: frozenset[int] = frozenset()

    def __init__(self, found: Sequence[tuple[int, float]]) -> None:
        """Take passages with their BM25 scores, the best first."""
        # Single precision, as scores are kept of which meaning is a part.
        scores = array("f", [score for _, score in found])
        self._scores = dict(zip([number for number, _ in found], scores, strict=True))

    def best_first(self) -> list[tuple[int, float]]:
        return [*self._scores.items()]

    def terms(self, passage_id: int) -> tuple[ScoreTerm, ...]:
        if passage_id not in self._scores:
            return ()
        return (ScoreTerm(WORDS, WORDS_LABEL, 1.0, self._scores[passage_id]),)

    def found_by(self, passage_id: int) -> tuple[Mode, ...]:
        return (Mode.WORDS,) if passage_id in self._scores else ()


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """Passages (id, score) grouped by document (its id), both best first.

    `ranking` is what they were taken from; None for documents that were listed by their age.
    """

    groups: dict[int, list[tuple[int, float]]]
    ranking: Ranked | None

    @property
    def refined(self) -> frozenset[int]:
        """Which passages were compared by all their tokens."""
        return self.ranking.refined if self.ranking is not None else frozenset()

    def terms(self, passage_id: int) -> tuple[ScoreTerm, ...]:
        """Return what a passage's score is a sum of."""
        return self.ranking.terms(passage_id) if self.ranking is not None else ()

    def found_by(self, passage_id: int) -> tuple[Mode, ...]:
        """Return which ways found a passage."""
        return self.ranking.found_by(passage_id) if self.ranking is not None else ()


def group(
    db: sqlite3.Connection, query: Query, ranking: Ranked, limit: int, *, is_folded: bool = False
) -> RankedDocuments:
    """Take the first `limit` documents of a ranking, each with its best passages.

    Where it `is_folded` a document stands for its copies and versions that rank behind it, and of
    those that rank as it does the one is taken that `copies.preferred` names.
    """
    # The documents of each place in the list: one, and what is folded beneath it.
    places_of: dict[int, dict[int, list[tuple[int, float]]]] = {}
    ranked, step = ranking.best_first(), max(4 * limit, 50)
    for start in range(0, len(ranked), step):
        scored = ranked[start : start + step]
        passage_ids = [passage_id for passage_id, _ in scored]
        document_of = passages.document_of(db, passage_ids)
        if word_query.has_phrases(query):
            accepted = accepted_passages(db, query, passage_ids)
            document_of = {number: document_of[number] for number in accepted}
        family_of = copies.families(db, set(document_of.values())) if is_folded else {}
        for passage_id, score in scored:
            if passage_id not in document_of:
                continue
            document_id = document_of[passage_id]
            family = family_of.get(document_id, document_id)
            if family not in places_of and len(places_of) == limit:
                continue
            of_document = places_of.setdefault(family, {}).setdefault(document_id, [])
            if len(of_document) < _PASSAGES_SHOWN:
                of_document.append((passage_id, score))
        # Within this step the last documents could show their further passages as well.
        if len(places_of) == limit:
            break
    shown = (_shown(db, documents) for documents in places_of.values())
    return RankedDocuments(dict(shown), ranking)


def _shown(
    db: sqlite3.Connection, documents: Mapping[int, list[tuple[int, float]]]
) -> tuple[int, list[tuple[int, float]]]:
    """Return which of a family's documents stands for it, with its passages."""
    first, *others = documents
    if others:
        (_, best), *_ = documents[first]
        alike = [number for number in documents if documents[number][0][1] == best]
        first = copies.preferred(db, alike) if len(alike) > 1 else first
    return first, documents[first]


def accepted_passages(
    db: sqlite3.Connection, query: Query, passage_ids: Sequence[int]
) -> frozenset[int]:
    """Return those of the passages in which the query's phrases stand, and no unwanted one."""
    return frozenset(
        passage_id
        for passage_id, stored in passages.fetch(db, passage_ids).items()
        if word_query.accepts(query, (stored.text, stored.context))
    )


def newest(db: sqlite3.Connection, prepared: PreparedQuery, limit: int) -> RankedDocuments:
    """List documents by their age alone; phrases are left out by their words' stems here."""
    unwanted = prepared.query.unwanted_phrases
    count = limit
    while True:
        listed = passages.newest(db, prepared.within, count, unwanted)
        family_of = copies.families(db, listed) if prepared.is_folded else {}
        # The newest of each family; of a document that has none yet, itself.
        first_of: dict[int, int] = {}
        for document_id in listed:
            first_of.setdefault(family_of.get(document_id, document_id), document_id)
        if len(first_of) >= limit or len(listed) < count:
            break
        count *= 4
    shown = list(first_of.values())[:limit]
    return RankedDocuments(
        {document_id: [(listed[document_id], 0.0)] for document_id in shown}, None
    )
