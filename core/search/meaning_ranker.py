"""Rank passages by meaning, or by words and meaning, with one generation of the index."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Final

import numpy as np

from core.alignment.pairwise import AlignmentStrategy
from core.arrays import Floats, Numbers
from core.catalog import passages, word_index
from core.catalog.catalog import Catalog
from core.catalog.scope import Scope
from core.errors import Message
from core.index.generation import IndexGeneration
from core.index.index_searcher import IndexSearcher
from core.index.probing import Estimates, ProbeParams
from core.progress import Job
from core.requests import Explain, Search
from core.responses import Alignment, DocumentHit, Mode, Passage, ScoreTerm
from core.search.answer_sentence import answer_span, is_question
from core.search.caches import SearchCaches
from core.search.document_evidence import gather
from core.search.encodings import EncodedQuery
from core.search.evidence_terms import EVIDENCE
from core.search.explanation import Explainer, query_tokens
from core.search.floor import Floor, above_the_line, gather_evidence
from core.search.grouping import PreparedQuery, RankedDocuments, group
from core.search.query.language import Query, checked
from core.search.ranking import Candidates, Ranking, RankingConfig, Scorer, full_scores, rank
from core.search.rarity import weighted_query
from core.search.word_ranker import WordRanker, candidates_for, scored_across_borders
from core.search.words import fts
from core.search.words.border_phrases import accepted_passages
from core.token_comparison import Explanation

# In hybrid mode a query less readable than this, for the model, is ranked by words alone.
_LEAST_READABLE: Final = 0.25
# Documents whose best passages are reranked with all token vectors.
RERANKED: Final = 20
# By meaning alone further passages are reranked, in steps, while some of the last step rise among
# the first (docs/measurements/refinement.md).
_RERANKED_AT_MOST: Final = 50
_RERANKED_STEP: Final = 10
_LEAST_RISING: Final = 2
_IS_CUT: Final = Message("The query is long; only its beginning was compared by meaning.")


@dataclass(frozen=True, slots=True, eq=False)
class ComparedAlignments:
    """The p candidates of a query with their (s, p) ranks, from 1, under s alignments."""

    passage_ids: Numbers
    ranks: Numbers


@dataclass(frozen=True, slots=True)
class MeaningRanker:
    """Ranks with the vectors of one generation; thread-safe.

    Attributes:
        words: finds passages by words, for hybrid searches.
        generation: the index and its model.
        strategy: how query tokens are aligned.
        probe_params: how much of the index a search visits.
        caches: shared by all searches.
    """

    words: WordRanker
    generation: IndexGeneration
    strategy: AlignmentStrategy
    probe_params: ProbeParams
    caches: SearchCaches

    @property
    def explainer(self) -> Explainer:
        """Explains matches with the same model and alignment."""
        return Explainer(self.generation, self.strategy, self.caches)

    @property
    def _index(self) -> IndexSearcher:
        return self.generation.searcher

    # The steps of a search

    def prepare(
        self, db: sqlite3.Connection, request: Search, query: Query, job: Job | None = None
    ) -> PreparedQuery:
        """Prepare a query by words, as required by the mode, and encode it.

        A query that the model cannot read, or that consists of prefixes only, is ranked by words.
        """
        prepared, mode = self.words.prepare(db, request, query, job), request.mode
        is_prefix = bool(query.wanted) and all(term.pattern for term in query.wanted)
        if mode is Mode.WORDS or (mode is Mode.HYBRID and is_prefix):
            return prepared
        encoded = weighted_query(
            db, query.text, self.generation, self.caches.queries, prepared.holders
        )
        if mode is Mode.HYBRID and encoded.readable_share < _LEAST_READABLE:
            return prepared
        notices = (_IS_CUT,) if encoded.tokens.is_cut else ()
        if not len(encoded):
            return replace(prepared, notices=notices)
        return replace(prepared, encoded=encoded, tokens=query_tokens(encoded), notices=notices)

    def narrow(
        self, prepared: PreparedQuery, scope: Scope, job: Job | None = None
    ) -> PreparedQuery:
        """Return a prepared query for another scope."""
        return self.words.narrow(prepared, scope, job)

    def rank(
        self, db: sqlite3.Connection, prepared: PreparedQuery, job: Job | None = None
    ) -> RankedDocuments:
        """Return the best documents by the index, reranked if the request is refined.

        With a refinement store, the index's order is final, and nothing is encoded.

        Source: ALIGNER, section 3.2: candidates are found with pruned vectors, and scored with all.
        """
        if prepared.encoded is None:
            return self.words.rank(db, prepared, job)
        limit = prepared.request.limit
        if not prepared.request.is_refined or self._index.has_store:
            return self._rank_stored(db, prepared, limit, job)
        count = RERANKED if prepared.expression else _RERANKED_AT_MOST
        ranked = self._rank_stored(db, prepared, max(limit, count), job)
        ranking = self._reranked(db, prepared, ranked, self.strategy, job)
        return group(db, prepared, ranking, limit)

    def can_refine(self, prepared: PreparedQuery) -> bool:
        """Return whether reranking may change the order, or find the answer to a question.

        The order is final without vectors, and with a refinement store.
        """
        return prepared.encoded is not None and (
            not self._index.has_store or is_question(prepared.query.text)
        )

    def explain(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        passage_id: int,
        job: Job | None = None,
    ) -> tuple[ScoreTerm, ...]:
        """Return the terms of the score that a refined `rank` gives a passage.

        Its similarity is of all its tokens if it is the best passage of one of the documents that
        are reranked in any case.
        """
        if prepared.encoded is None:
            return self.words.explain(db, prepared, passage_id, job)
        ranked = self._rank_stored(db, prepared, RERANKED, job)
        assert isinstance(ranked.ranking, Ranking)
        candidates = ranked.ranking.candidates
        if passage_id not in candidates.passage_ids:
            compared = zip(candidates.passage_ids, candidates.similarity, strict=True)
            bm25 = dict(self.words.best_passages(db, prepared, 1, among=[passage_id]))
            evidence = _evidence(db, prepared, [passage_id])
            candidates = candidates.including(passage_id, bm25.get(passage_id, 0.0), evidence)
            candidates = self._compared(db, prepared.encoded, candidates, dict(compared), job)
        if not self._index.has_store and passage_id in _best_passages(ranked)[:RERANKED]:
            similarity = candidates.similarity.copy()
            refined = self._refined(db, prepared.encoded, [passage_id], self.strategy, job)
            for refined_id, value in refined.items():
                similarity[candidates.passage_ids == refined_id] = value
            candidates = replace(candidates, similarity=similarity, refined=frozenset(refined))
        return rank(db, candidates, self._scorers(prepared)).terms(passage_id)

    def explain_passage(
        self, catalog: Catalog, request: Explain, job: Job | None = None
    ) -> Explanation:
        """Compare a passage with a query token by token, and add the terms of its score.

        Raises:
            Cancelled: the job was cancelled.
            GoneError: the passage no longer exists.
            UsageError: the query is empty or too long.
        """
        query, terms = checked(request.query), request.terms
        if terms is None:
            with catalog.reading() as db:
                is_folded = not query.scope.includes_copies
                search = Search(request.query, scope=query.scope, is_folded=is_folded)
                prepared = self.prepare(db, search, query, job)
                terms = self.explain(db, prepared, request.passage_id, job)
        return self.explainer.explain(catalog, query.text, request.passage_id, terms)

    def annotate(
        self, db: sqlite3.Connection, prepared: PreparedQuery, hits: tuple[DocumentHit, ...]
    ) -> tuple[DocumentHit, ...]:
        """Return the hits with alignments, the mark of those that are likely, and the answer."""
        encoded = prepared.encoded
        if encoded is None or not hits:
            return hits
        stored: list[Passage] = []
        exact: list[Passage] = []
        for document in hits:
            for hit in document.passages:
                (exact if hit.is_exact else stored).append(hit.passage)
        explainer = self.explainer
        alignments = explainer.stored(db, encoded, prepared.tokens, stored)
        alignments |= explainer.exact(encoded, prepared.tokens, exact)
        explained = tuple([_with_alignments(hit, alignments) for hit in hits])
        return self._answered(prepared, self._marked(db, prepared, explained))

    def _marked(
        self, db: sqlite3.Connection, prepared: PreparedQuery, hits: tuple[DocumentHit, ...]
    ) -> tuple[DocumentHit, ...]:
        """Return the hits with the mark of those that are likely, which come first."""
        assert prepared.encoded is not None
        floor = Floor.of_model(self.generation.checkpoint.resources)
        if floor is None or prepared.encoded.readable_share < 1:
            return hits
        # Floors are of weights that do not depend on the library.
        plain = self.caches.queries.of(prepared.query.text, self.generation)
        evidence = gather_evidence(db, prepared, plain, self._index, hits)
        is_likely = floor.is_likely(evidence).tolist()
        marked = zip(hits, is_likely, strict=True)
        return above_the_line([replace(hit, is_likely=mark) for hit, mark in marked])

    def _answered(
        self, prepared: PreparedQuery, hits: tuple[DocumentHit, ...]
    ) -> tuple[DocumentHit, ...]:
        """Return the hits, the best passage with the sentence that answers a question."""
        is_final = prepared.request.is_refined and is_question(prepared.query.text)
        if prepared.encoded is None or not is_final or not hits[0].is_likely:
            return hits
        first, *further = hits[0].passages
        encoded = partial(self.caches.passages.of, generation=self.generation)
        first = replace(first, answer=answer_span(prepared.encoded, hits, encoded))
        return (replace(hits[0], passages=(first, *further)), *hits[1:])

    def notice(self) -> str:
        """Return a sentence about unsearched parts of the index; "" if there are none."""
        return self._index.notice()

    # Studies of the same steps

    def compare(
        self,
        catalog: Catalog,
        query: str,
        strategies: Sequence[AlignmentStrategy],
        job: Job | None = None,
    ) -> ComparedAlignments:
        """Rank the candidates of a query, as typed, under each of several alignments.

        Source: ALIGNER, section 3.1: candidates first, then the alignments compared on them.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or too long.
        """
        parsed = checked(query)
        with catalog.reading() as db:
            search = Search(query, scope=parsed.scope, is_folded=False)
            prepared = self.prepare(db, search, parsed, job)
            estimates = self._estimates(db, prepared, job)
            candidates = self._candidates(db, prepared, estimates, candidates_for(RERANKED))
            if fts.has_phrases(parsed):
                accepted = accepted_passages(db, parsed, candidates.passage_ids.tolist())
                candidates = candidates.only(np.isin(candidates.passage_ids, sorted(accepted)))
            passage_ids = candidates.passage_ids
            if prepared.encoded is None:
                similarities = np.tile(candidates.similarity, (len(strategies), 1))
            else:
                similarities = full_scores(
                    db, self._index, prepared.encoded, passage_ids, strategies, job
                )
                candidates = self._summarised(candidates)
            scorers = self._scorers(prepared)
            ranks = np.empty((len(strategies), len(passage_ids)), dtype=np.int64)
            for row, (strategy, similarity) in enumerate(
                zip(strategies, similarities, strict=True)
            ):
                ranking = rank(db, replace(candidates, similarity=similarity), scorers)
                grouped = group(db, prepared, ranking, RERANKED)
                reranked = self._reranked(db, prepared, grouped, strategy, job)
                ranks[row, reranked.order] = np.arange(1, len(passage_ids) + 1)
        return ComparedAlignments(passage_ids, ranks)

    # Candidates and scores

    def _rank_stored(
        self, db: sqlite3.Connection, prepared: PreparedQuery, limit: int, job: Job | None
    ) -> RankedDocuments:
        """Rank candidates by their stored vectors until they belong to `limit` documents."""
        count = candidates_for(limit)
        estimates = self._estimates(db, prepared, job)
        scorers = self._scorers(prepared)
        # Similarities by passage, so that no round compares a passage again.
        known: dict[int, float] = {}
        while True:
            candidates = self._candidates(db, prepared, estimates, count)
            if prepared.encoded is not None:
                candidates = self._compared(db, prepared.encoded, candidates, known, job)
            ranking = rank(db, candidates, scorers)
            grouped = group(db, prepared, ranking, limit)
            if len(grouped.groups) == limit or candidates.is_everything:
                return grouped
            count *= 4

    def _estimates(
        self, db: sqlite3.Connection, prepared: PreparedQuery, job: Job | None
    ) -> Estimates | None:
        """Probe the inverted lists next to the query; None if meaning does not count."""
        if prepared.encoded is None:
            return None
        return self._index.probe(
            prepared.encoded.vectors.weighted,
            self.probe_params,
            allowed=_allowed(db, prepared),
            job=job,
        )

    def _candidates(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        estimates: Estimates | None,
        count: int,
    ) -> Candidates:
        """Return the best `count` passages by words, and as many by meaning, not compared yet."""
        # In the order of BM25; ties are broken by age, the oldest first.
        bm25_of, is_everything = self.words.best_and_named(db, prepared, count)
        passage_ids = np.array(list(bm25_of), dtype=np.int64)
        by_meaning: frozenset[int] = frozenset()
        if estimates is not None:
            probed = estimates.best(count)
            is_everything = is_everything and len(estimates) <= count
            passage_ids = np.union1d(probed, passage_ids)
            by_meaning = frozenset(probed.tolist())
        return Candidates(
            passage_ids,
            np.array(
                [bm25_of.get(passage_id, 0) for passage_id in passage_ids.tolist()],
                dtype=np.float32,
            ),
            np.full(len(passage_ids), np.nan, dtype=np.float32),
            frozenset(bm25_of),
            by_meaning,
            is_everything,
            _evidence(db, prepared, passage_ids.tolist()),
        )

    def _compared(
        self,
        db: sqlite3.Connection,
        encoded: EncodedQuery,
        candidates: Candidates,
        known: dict[int, float],
        job: Job | None,
    ) -> Candidates:
        """Return the candidates with their similarities, which are added to `known`."""
        passage_ids = candidates.passage_ids.tolist()
        fresh = [passage_id for passage_id in passage_ids if passage_id not in known]
        (scores,) = full_scores(
            db, self._index, encoded, np.array(fresh, dtype=np.int64), [self.strategy], job
        )
        known.update(zip(fresh, scores.tolist(), strict=True))
        similarity = np.array([known[known_id] for known_id in passage_ids], dtype=np.float32)
        return replace(self._summarised(candidates), similarity=similarity)

    def _summarised(self, candidates: Candidates) -> Candidates:
        """Return the candidates with their summaries, if the index has them."""
        if not self._has_summaries:
            return candidates
        return replace(candidates, summaries=self._index.first_vectors(candidates.passage_ids))

    @property
    def _has_summaries(self) -> bool:
        return self._index.has_store and self.generation.checkpoint.passages.includes_summary

    def _reranked(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        ranked: RankedDocuments,
        strategy: AlignmentStrategy,
        job: Job | None,
    ) -> Ranking:
        """Rank again, with all tokens of the first documents' best passages compared."""
        ranking = ranked.ranking
        assert isinstance(ranking, Ranking)
        if prepared.encoded is None or self._index.has_store:
            return ranking
        best = _best_passages(ranked)
        similarity = ranking.candidates.similarity.copy()
        reranked: list[int] = []
        while best:
            count = _RERANKED_STEP if reranked else RERANKED
            refined = self._refined(db, prepared.encoded, best[:count], strategy, job)
            best = best[count:]
            for passage_id, value in refined.items():
                similarity[ranking.candidates.passage_ids == passage_id] = value
            reranked += refined
            candidates = replace(
                ranking.candidates, similarity=similarity.copy(), refined=frozenset(reranked)
            )
            ranking = rank(db, candidates, self._scorers(prepared))
            if prepared.expression or not _is_rising(ranking, reranked):
                break
        return ranking

    def _refined(
        self,
        db: sqlite3.Connection,
        encoded: EncodedQuery,
        passage_ids: Sequence[int],
        strategy: AlignmentStrategy,
        job: Job | None,
    ) -> dict[int, float]:
        """Return the similarities of passages with all their tokens, without removed passages."""
        stored = passages.fetch(db, passage_ids)
        present = [passage_id for passage_id in passage_ids if passage_id in stored]
        texts = [stored[passage_id] for passage_id in present]
        passages_seen = self.caches.passages.of(texts, self.generation, job)
        return {
            passage_id: float(encoded.scores(seen.vectors.vectors, [strategy])[0])
            for passage_id, seen in zip(present, passages_seen, strict=True)
        }

    def _scorers(self, prepared: PreparedQuery) -> tuple[tuple[Scorer, float], ...]:
        """Return the terms of a score for a query, and their weights."""
        config = RankingConfig()
        if prepared.encoded is not None:
            config = RankingConfig.of_model(self.generation.checkpoint.resources)
        return config.scorers(
            words=bool(prepared.expression),
            meaning=prepared.encoded is not None,
            readable_share=1.0 if prepared.encoded is None else prepared.encoded.readable_share,
            summaries=self._has_summaries,
        )


def _with_alignments(
    document: DocumentHit, alignments: Mapping[int, tuple[Alignment, ...]]
) -> DocumentHit:
    hits = [
        replace(hit, alignments=alignments.get(hit.passage.id, ())) for hit in document.passages
    ]
    return replace(document, passages=tuple(hits))


def _allowed(db: sqlite3.Connection, prepared: PreparedQuery) -> Numbers | None:
    """Return the passages in scope in which all phrases may occur; None for all passages."""
    if expression := fts.demanded(prepared.query, of_phrases=True, forms=prepared.forms):
        words = word_index.find_words(db, expression, -1, prepared.within)
        words += scored_across_borders(db, prepared)
        return np.array(sorted({passage_id for passage_id, _ in words}), dtype=np.int64)
    return None if prepared.mask is None else prepared.mask.ids()


def _evidence(
    db: sqlite3.Connection, prepared: PreparedQuery, passage_ids: Sequence[int]
) -> Floats:
    """Return (p, e) the evidence for the documents of p passages."""
    return np.array(gather(db, prepared, passage_ids), dtype=np.float32).reshape(-1, len(EVIDENCE))


def _best_passages(ranked: RankedDocuments) -> list[int]:
    """Return the best passage of each document that may be reranked, best first."""
    return [scored[0][0] for scored in islice(ranked.groups.values(), _RERANKED_AT_MOST)]


def _is_rising(ranking: Ranking, reranked: Sequence[int]) -> bool:
    """Return whether several of the passages reranked last are among the first."""
    first = ranking.candidates.passage_ids[ranking.order[:_RERANKED_STEP]]
    return int(np.isin(reranked[-_RERANKED_STEP:], first).sum()) >= _LEAST_RISING
