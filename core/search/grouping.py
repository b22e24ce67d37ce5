"""Group ranked passages by document, and fold copies, versions, and mails that quote another."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from core.catalog import copies, passages
from core.catalog.scope import PassageMask, Scope
from core.catalog.text.normalisation import any_of
from core.errors import Message
from core.requests import Search
from core.responses import WORDS, Mode, QueryToken, ScoreTerm
from core.search.evidence_terms import EVIDENCE, DocumentEvidence
from core.search.query.language import Query
from core.search.query.named_dates import NamedDate
from core.search.quotations import Quotations
from core.search.words import fts
from core.search.words.border_phrases import PassagesAcrossBorders, accepted_passages
from core.search.words.stems import OtherForms

if TYPE_CHECKING:
    from core.search.encodings import EncodedQuery

# Passages shown per document.
_PASSAGES_SHOWN: Final = 4
WORDS_LABEL: Final = Message("Matching words (BM25)")


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A parsed query with everything that a ranker needs.

    Attributes:
        request: the search, with the mode that is possible, and the query's filters in its scope.
        query: the parsed query.
        mask: the passages in the scope; None to use the scope's SQL instead.
        expression: FTS5 expression of the significant words; "" if words do not count.
        words: the significant words.
        holders: the number of passages with each word of the query, as far as counted.
        rarity: the weight of each word of the query; none if documents are not compared by it.
        dates: the dates that the query names.
        forms: other forms of the query's words in the library.
        expansions: expressions for these forms, with the weight of each one's score.
        encoded: the query's token vectors; None if meaning does not count.
        tokens: the query's tokens, as shown to a person.
        notices: sentences for the person on ignored parts.
        across_borders: passages that have the phrases across their borders.
    """

    request: Search
    query: Query
    mask: PassageMask | None = None
    expression: str = ""
    words: tuple[str, ...] = ()
    holders: Mapping[str, int] = field(default_factory=dict)
    rarity: Mapping[str, float] = field(default_factory=dict)
    dates: tuple[NamedDate, ...] = ()
    forms: Mapping[str, OtherForms] = field(default_factory=dict)
    expansions: tuple[tuple[str, float], ...] = ()
    encoded: EncodedQuery | None = None
    tokens: tuple[QueryToken, ...] = ()
    notices: tuple[str, ...] = ()
    across_borders: PassagesAcrossBorders = field(default_factory=PassagesAcrossBorders)

    @property
    def within(self) -> Scope | PassageMask:
        """The passages in scope: as a mask if there is one, otherwise as SQL."""
        return self.request.scope if self.mask is None else self.mask

    @property
    def matching_forms(self) -> Mapping[str, OtherForms]:
        """The forms that match as the words themselves do; none if words do not count."""
        return {} if self.request.mode is Mode.MEANING else self.forms

    @property
    def in_all_forms(self) -> str:
        """The expression with each word in all its forms."""
        if not self.forms or not self.words:
            return self.expression
        return any_of(fts.with_forms(self.words, self.forms))


class Ranked(Protocol):
    """Ranked passages and the terms of their scores."""

    def best_first(self) -> list[tuple[int, float]]:
        """Return passages with their scores, best first."""

    def terms(self, passage_id: int) -> tuple[ScoreTerm, ...]:
        """Return the terms of a passage's score; () for an unknown passage."""

    def found_by(self, passage_id: int) -> tuple[Mode, ...]:
        """Return the modes that found a passage."""


class RankedByWords:
    """Passages ranked by BM25 and the evidence for their documents."""

    def __init__(
        self,
        scored: Sequence[tuple[int, float]],
        evidence: Mapping[int, DocumentEvidence] = MappingProxyType({}),
        unit: float = 1.0,
    ) -> None:
        """Take passages with their BM25 scores.

        Args:
            scored: the passages; those with equal scores keep their order.
            evidence: for the passages' documents.
            unit: multiplies the weights of the evidence.
        """
        self._bm25 = dict(scored)
        self._evidence = evidence
        self._weights = [unit * term.weight for term in EVIDENCE]
        # Single precision, as in scores that meaning is a part of.
        scores = array("f", map(self._score, self._bm25))
        by_score = sorted(zip(self._bm25, scores, strict=True), key=lambda pair: -pair[1])
        self._scores = dict(by_score)

    def _score(self, passage_id: int) -> float:
        evidence = zip(self._weights, self._evidence.get(passage_id, ()), strict=False)
        return self._bm25[passage_id] + sum(weight * value for weight, value in evidence)

    def best_first(self) -> list[tuple[int, float]]:
        return [*self._scores.items()]

    def terms(self, passage_id: int) -> tuple[ScoreTerm, ...]:
        if passage_id not in self._bm25:
            return ()
        of_words = ScoreTerm(WORDS, WORDS_LABEL, 1.0, self._bm25[passage_id])
        values = self._evidence.get(passage_id, ())
        of_documents = zip(EVIDENCE, self._weights, values, strict=False)
        return (
            of_words,
            *(
                ScoreTerm(term.name, term.label, weight, value)
                for term, weight, value in of_documents
            ),
        )

    def found_by(self, passage_id: int) -> tuple[Mode, ...]:
        return (Mode.WORDS,) if passage_id in self._bm25 else ()


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """Passages (id, score) grouped by document id, both best first.

    `ranking` is empty for documents sorted by date. `quoting` are the mails that a document stands
    for, since they match by the passage of their conversation that it has, too.
    """

    groups: dict[int, list[tuple[int, float]]]
    ranking: Ranked
    quoting: Mapping[int, Sequence[int]] = field(default_factory=dict)


def group(
    db: sqlite3.Connection, prepared: PreparedQuery, ranking: Ranked, limit: int
) -> RankedDocuments:
    """Return the first `limit` documents of a ranking, each with its best passages.

    If the request is folded, a document represents its copies and versions that rank below it;
    among those with the same score, `copies.preferred` chooses. It also represents mails below it
    whose best passage quotes the same text of their conversation.
    """
    # By family: its documents with their passages. Without folding each family is one document.
    families: dict[int, dict[int, list[tuple[int, float]]]] = {}
    quotations = Quotations()
    ranked, step = ranking.best_first(), max(4 * limit, 50)
    for start in range(0, len(ranked), step):
        scored = ranked[start : start + step]
        passage_ids = [passage_id for passage_id, _ in scored]
        document_of = passages.document_of(db, passage_ids)
        if fts.has_phrases(prepared.query):
            accepted = accepted_passages(db, prepared.query, passage_ids)
            document_of = {accepted_id: document_of[accepted_id] for accepted_id in accepted}
        is_folded = prepared.request.is_folded
        family_of = copies.families(db, set(document_of.values())) if is_folded else {}
        if is_folded:
            quotations.read(db, passage_ids)
        for passage_id, score in scored:
            if passage_id not in document_of:
                continue
            document_id = document_of[passage_id]
            family = family_of.get(document_id, document_id)
            if family not in families:
                if quotations.folds(passage_id, document_id, family) or len(families) == limit:
                    continue
                quotations.add(passage_id, family)
            of_document = families.setdefault(family, {}).setdefault(document_id, [])
            if len(of_document) < _PASSAGES_SHOWN:
                of_document.append((passage_id, score))
        # Checked after the step, so that the last documents get further passages as well.
        if len(families) == limit:
            break
    shown = {family: _representative(db, documents) for family, documents in families.items()}
    quoting = {shown[family][0]: [*mails] for family, mails in quotations.folded.items()}
    return RankedDocuments(dict(shown.values()), ranking, quoting)


def _representative(
    db: sqlite3.Connection, documents: Mapping[int, list[tuple[int, float]]]
) -> tuple[int, list[tuple[int, float]]]:
    """Return the document that represents a family, with its passages."""
    first, *rest = documents
    if rest:
        (_, best), *_ = documents[first]
        alike = [document_id for document_id in documents if documents[document_id][0][1] == best]
        first = copies.preferred(db, alike) if len(alike) > 1 else first
    return first, documents[first]


def newest(db: sqlite3.Connection, prepared: PreparedQuery) -> RankedDocuments:
    """Return the newest documents in scope. Phrases are excluded by their words' stems."""
    unwanted = prepared.query.unwanted_phrases
    count = limit = prepared.request.limit
    while True:
        listed = passages.newest(db, prepared.within, count, unwanted)
        family_of = copies.families(db, listed) if prepared.request.is_folded else {}
        # The newest document of each family; a document without a family is its own.
        first_of: dict[int, int] = {}
        for document_id in listed:
            first_of.setdefault(family_of.get(document_id, document_id), document_id)
        if len(first_of) >= limit or len(listed) < count:
            break
        count *= 4
    shown = list(first_of.values())[:limit]
    groups = {document_id: [(listed[document_id], 0.0)] for document_id in shown}
    return RankedDocuments(groups, RankedByWords([]))
