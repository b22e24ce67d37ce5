"""Rank passages by BM25 and the names of documents, without numpy and the index.

A window that has just started, and the desktop's own search, answer before the engine is loaded.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from core.catalog import word_index
from core.catalog.scope import PassageMask, Scope
from core.catalog.text.normalisation import any_of
from core.progress import Job
from core.requests import QueryRewrite, Search
from core.responses import DocumentHit, Mode, ScoreTerm
from core.search.document_evidence import found_by_name, gather
from core.search.grouping import PreparedQuery, RankedByWords, RankedDocuments, group
from core.search.query.language import Query, Term
from core.search.query.named_dates import dates_in
from core.search.words import fts
from core.search.words.border_phrases import passages_across_borders
from core.search.words.stems import OtherForms
from core.search.words.vocabulary import Vocabulary, with_written_forms

# Candidates per requested document, and the fewest of a search; more do not improve the results
# (docs/measurements/search.md).
_CANDIDATES_PER_DOCUMENT: Final = 5
_FEWEST_CANDIDATES: Final = 100
# The score of a word that fills a text, divided by its rarity: FTS5's parameter k1, and 1.
_GREATEST_BM25: Final = 2.2


class ScopeFilter(Protocol):
    """Evaluates a scope in another way than by its SQL."""

    def passages(self, scope: Scope, job: Job | None = None) -> PassageMask:
        """Return the passages in a scope."""


@dataclass(frozen=True, slots=True)
class WordRanker:
    """Ranks by words; thread-safe.

    Attributes:
        vocabulary: the library's; None for English stems only.
        masks: evaluates scopes; None for evaluation by SQL for each passage found.
        requires_all: whether a passage must have all words of the query rather than any of them.
    """

    vocabulary: Vocabulary | None
    masks: ScopeFilter | None = None
    requires_all: bool = False

    def prepare(
        self, db: sqlite3.Connection, request: Search, query: Query, job: Job | None = None
    ) -> PreparedQuery:
        """Prepare a query: its significant words, and the passages in scope."""
        mask = self._mask(request.scope, job)
        forms = self._forms_of(db, query)
        if self.vocabulary is not None and QueryRewrite.SPELLING in request.rewrites:
            spelling = self.vocabulary.spelling
            forms = spelling.with_corrections(db, query, forms, request.scope)
        across_borders = passages_across_borders(db, query)
        if request.mode is Mode.MEANING:
            return PreparedQuery(request, query, mask, forms=forms, across_borders=across_borders)
        if self.requires_all:
            words_outside = _all_words(query, forms)
            expression = words_outside or fts.demanded(query, forms=forms)
            if words_outside and across_borders.passage_ids:
                across_borders = replace(across_borders, expression=words_outside)
            return PreparedQuery(
                request, query, mask, expression, forms=forms, across_borders=across_borders
            )
        counts = fts.count_holders(db, fts.terms(query.text))
        words = fts.significant(db, query, forms, counts)
        rarity = fts.rarities(db, query, forms, counts) if words else {}
        return PreparedQuery(
            request,
            query,
            mask,
            expression=any_of(words),
            words=tuple(words),
            holders=counts,
            rarity=rarity,
            dates=dates_in(query.text) if rarity else (),
            forms=forms,
            expansions=fts.expansions(db, words, forms, query),
            across_borders=across_borders,
        )

    def narrow(
        self, prepared: PreparedQuery, scope: Scope, job: Job | None = None
    ) -> PreparedQuery:
        """Return a prepared query for another scope."""
        request = replace(prepared.request, scope=scope)
        return replace(prepared, request=request, mask=self._mask(scope, job))

    def rank(
        self, db: sqlite3.Connection, prepared: PreparedQuery, job: Job | None = None
    ) -> RankedDocuments:
        """Rank passages until they belong to enough documents or run out."""
        limit = prepared.request.limit
        count = candidates_for(limit)
        while True:
            if job is not None:
                job.checkpoint()
            bm25_of, is_everything = self.best_and_named(db, prepared, count)
            listed = group(db, prepared, _ranked(db, prepared, bm25_of), limit)
            if len(listed.groups) == limit or is_everything:
                return listed
            count *= 4

    def can_refine(self, _prepared: PreparedQuery) -> bool:
        """Return False: words have nothing to refine."""
        return False

    def explain(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        passage_id: int,
        _job: Job | None = None,
    ) -> tuple[ScoreTerm, ...]:
        """Return the terms of a passage's score; () if neither it nor a name has a word."""
        bm25_of = dict(self.best_passages(db, prepared, 1, among=[passage_id]))
        # Whether a passage only repeats another one depends on the others.
        others, _ = self.best_and_named(db, prepared, candidates_for(prepared.request.limit))
        terms = _ranked(db, prepared, others | {passage_id: 0.0} | bm25_of).terms(passage_id)
        return terms if bm25_of or any(term.value > 0 for term in terms) else ()

    def annotate(
        self, _db: sqlite3.Connection, _prepared: PreparedQuery, hits: tuple[DocumentHit, ...]
    ) -> tuple[DocumentHit, ...]:
        """Return the hits unchanged: their highlighted words explain them."""
        return hits

    def notice(self) -> str:
        """Return "": nothing is left out of a search by words."""
        return ""

    def best_passages(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        count: int,
        among: Sequence[int] | None = None,
        also: Sequence[int] = (),
    ) -> list[tuple[int, float]]:
        """Return the best passages by BM25 with their scores, best first: `count` or more.

        Only passages of `among` are returned if given. Those of `also` are returned in any case.
        """
        if not prepared.expression:
            return []
        expression = fts.found_by(prepared.expression, prepared.query, prepared.forms)
        best = word_index.find_words(
            db, expression, count + len(also), prepared.within, prepared.expansions, among, also
        )
        if prepared.across_borders.passage_ids:
            across_borders = scored_across_borders(db, prepared)
            if among is not None:
                across_borders = [scored for scored in across_borders if scored[0] in among]
            best = [*(dict(across_borders) | dict(best)).items()]
        return sorted(best, key=lambda scored: (-scored[1], scored[0]))

    def best_and_named(
        self, db: sqlite3.Connection, prepared: PreparedQuery, count: int
    ) -> tuple[dict[int, float], bool]:
        """Return the best `count` passages with their BM25 scores, best first, and those named.

        These are of documents whose names or titles have all words. The second value is whether no
        other passage has a word of the query.
        """
        named = found_by_name(db, prepared)
        # Scored in one pass: a word of many passages takes most of the time of a search.
        scored = self.best_passages(db, prepared, count, also=named)
        score_of = dict(scored)
        with_named = dict(scored[:count]) | {hit: score_of.get(hit, 0.0) for hit in named}
        return with_named, len(scored) < count

    def _mask(self, scope: Scope, job: Job | None) -> PassageMask | None:
        """Return the passages in a scope; None if SQL evaluates it, or all passages are in it."""
        if self.masks is None or scope.is_everything:
            return None
        return self.masks.passages(scope, job)

    def _forms_of(self, db: sqlite3.Connection, query: Query) -> dict[str, OtherForms]:
        if self.vocabulary is None:
            return with_written_forms(db, query, {})
        return self.vocabulary.forms_of(db, query)


def _ranked(
    db: sqlite3.Connection, prepared: PreparedQuery, bm25_of: Mapping[int, float]
) -> RankedByWords:
    """Rank passages by BM25 and the evidence for their documents.

    The weights of the evidence are relative to the greatest BM25 score that a text may have.
    """
    if not prepared.rarity:
        return RankedByWords([*bm25_of.items()])
    evidence = dict(zip(bm25_of, gather(db, prepared, [*bm25_of]), strict=True))
    return RankedByWords(
        [*bm25_of.items()], evidence, _GREATEST_BM25 * sum(prepared.rarity.values())
    )


def scored_across_borders(
    db: sqlite3.Connection, prepared: PreparedQuery
) -> list[tuple[int, float]]:
    """Return the passages in scope that have phrases across their borders, with their scores."""
    borders = prepared.across_borders
    if not borders.passage_ids:
        return []
    return word_index.find_words(
        db, borders.expression, -1, prepared.within, among=borders.passage_ids
    )


def candidates_for(limit: int) -> int:
    """Return the number of passages to compare first if `limit` documents are requested."""
    return max(_FEWEST_CANDIDATES, _CANDIDATES_PER_DOCUMENT * limit)


def _all_words(query: Query, forms: fts.Forms) -> str:
    """Return an expression that requires all words outside phrases and alternatives."""
    words = [
        word
        for part in query.parts
        if isinstance(part, Term) and not (part.is_excluded or part.is_phrase)
        for word in fts.terms(part.text)
    ]
    return " AND ".join(f"({any_of(fts.with_forms([word], forms))})" for word in words)
