"""From a query to ranked documents: prepared, probed, compared in full, ranked, shown."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from core.alignment.pairwise import AlignmentStrategy, similarity
from core.arrays import Numbers
from core.catalog import manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.passages import StoredPassage
from core.catalog.scope import EVERYWHERE, Chosen, Scope
from core.errors import Message
from core.index.generation import IndexGeneration
from core.index.index_searcher import IndexSearcher
from core.index.probing import Estimates, ProbeParams
from core.progress import Job
from core.requests import CountFacets, Search
from core.responses import (
    Alignment,
    DocumentHit,
    Facets,
    Mode,
    PassageHit,
    QueryToken,
    SearchResults,
)
from core.search import explanation
from core.search.caches import Recently
from core.search.encodings import EncodedQuery
from core.search.explanation import Explainer
from core.search.facets import filters
from core.search.facets.counts import Counted
from core.search.facets.scope_masks import passages_lying
from core.search.floor import ALL, Evidence, Floor, above_the_line
from core.search.grouping import PreparedQuery, RankedDocuments, accepted_passages, group
from core.search.query.language import Query, checked, joined, parse, plain
from core.search.ranking import Candidates, Ranking, RankingConfig, Scorer, full_scores, rank
from core.search.word_searcher import (
    WordSearcher,
    candidates_for,
    document_hits,
)
from core.search.words import fts as word_query

_LEAST_READABLE: Final = 0.25
"""Of less of a query than that the model tells nothing: words alone rank."""
REFINED: Final = 20
"""So many documents' best passages are compared anew by all their tokens."""
_REFINED_AT_MOST: Final = 50
_REFINED_MORE: Final = 10
_RISING: Final = 2
"""By meaning alone, where no words help to find, so many more are compared as long as so many of
the last of them rise among the first (docs/measurements/refinement.md)."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedAlignments:
    """The p candidates of a query with their (s, p) ranks, from 1, under s alignments."""

    passage_ids: Numbers
    ranks: Numbers


class Searcher(WordSearcher):
    """Searches one catalog and its index; for any number of threads at once."""

    def __init__(
        self,
        catalog: Catalog,
        generation: IndexGeneration | None,
        strategy: AlignmentStrategy,
        params: ProbeParams,
        recent: Recently,
    ) -> None:
        """Search by the generation's model, or where there is none by words only."""
        super().__init__(catalog, recent.words)
        self._generation = generation
        self.strategy = strategy
        self._probe_params = params
        self._recent = recent

    def is_current(self) -> bool:
        """Return whether the model of the search is still the one whose vectors answer."""
        if self._generation is None:
            return True
        with self._catalog.reading() as db:
            row = manifest.live(db)
        return row is None or row.codec == self._generation.row.codec

    @property
    def _answering(self) -> IndexGeneration:
        """The index, which nobody asks for but who searches by meaning."""
        assert self._generation is not None
        return self._generation

    @property
    def _searched(self) -> IndexSearcher:
        return self._answering.searcher

    @property
    def explainer(self) -> Explainer:
        """What tells why passages are found, by the same model and alignment."""
        return Explainer(self._catalog, self._answering, self.strategy, self._recent)

    def search(self, request: Search, job: Job | None = None) -> SearchResults:
        """Return the best documents for a query; for filters alone the newest.

        What of the index cannot be read is left out, and the notice names it. Suggested spellings
        are words that occur in the scope.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or enormous, or `limit` is below 1.
            LibraryError: the library cannot be read.
        """
        return self.answer(request, job)

    def _search(self, asked: Search, job: Job | None) -> SearchResults:
        results = super()._search(asked, job)
        if asked.mode is Mode.WORDS:
            return results
        notices = filter(None, [results.notice, self._searched.notice()])
        return replace(results, notice=Message.joined(notices))

    def rank(
        self, text: str, mode: Mode, limit: int, *, is_refined: bool = True
    ) -> list[tuple[int, float]]:
        """Return the best `limit` documents (id, score of the best passage) for plain text."""
        with self._catalog.reading() as db:
            prepared, _ = self._prepare(db, plain(text), mode, EVERYWHERE)
            groups = self._rank(db, prepared, limit, is_refined=is_refined).groups
        return [(document_id, scored[0][1]) for document_id, scored in groups.items()]

    def evidence(self, text: str, limit: int) -> Evidence | None:
        """Return what speaks for the best `limit` documents for plain text; None: words alone do.

        A floor is fitted to it (`benchmarks/floor.py`).
        """
        with self._catalog.reading() as db:
            prepared, _ = self._prepare(db, plain(text), Mode.HYBRID, EVERYWHERE)
            if prepared.encoded is None or prepared.encoded.readable_share < 1:
                return None
            found = self._rank(db, prepared, limit)
            hits = document_hits(db, prepared, found)
            return self._evidence(db, prepared, prepared.encoded, hits)

    def facets(self, request: CountFacets, job: Job | None = None) -> Facets:
        """Count the documents that have a word of the query, and the best `limit` by meaning.

        If the query leaves no words after its filters are removed, all documents in scope count.
        Phrases are compared by their words' stems.

        Raises:
            Cancelled: the job was cancelled.
        """
        mode, limit, found, scope = request.mode, request.limit, request.found, request.scope
        rest, scopes = filters.split(parse(request.query))
        with self._catalog.reading() as db:
            by = mode if rest.has_words else Mode.WORDS
            within = scope & rest.scope.seen_from(scope)
            prepared, _ = self._prepare(db, rest, by, within, job)
            expression = word_query.found_by(prepared.in_all_forms, rest, prepared.forms)
            further = set(found or ())
            if prepared.encoded is not None:
                # What the filters by folder, kind and day let in, however far behind the others.
                chosen = self._within(prepared, joined([prepared.scope, *scopes]), job)
                if found is None:
                    further.update(self._rank(db, chosen, limit, job).groups)
                if chosen != prepared:
                    further.update(self._rank(db, prepared, limit, job).groups)
        counted = Counted(expression, within, further, scopes, scope)
        return self._recent.counting.count(self._catalog, counted, job)

    def compare(
        self, typed: str, strategies: Sequence[AlignmentStrategy], job: Job | None = None
    ) -> ComparedAlignments:
        """Rank the candidates of a query under each of several alignments, as a search does.

        Source: ALIGNER, section 3.1: candidates first, then the alignments compared on them.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or enormous.
        """
        with self._catalog.reading() as db:
            query = checked(typed)
            prepared, _ = self._prepare(db, query, Mode.HYBRID, query.scope, job)
            estimates = self._estimates(db, prepared, job)
            candidates = self._candidates(db, prepared, estimates, candidates_for(REFINED))
            passage_ids = candidates.passage_ids
            if word_query.has_phrases(query):
                accepted = sorted(accepted_passages(db, query, passage_ids.tolist()))
                candidates = candidates.only(np.isin(passage_ids, accepted))
                passage_ids = candidates.passage_ids
            if prepared.encoded is None:
                similarities = np.tile(candidates.similarity, (len(strategies), 1))
            else:
                similarities = full_scores(
                    db, self._searched, prepared.encoded, passage_ids, strategies, job
                )
            scorers = self._scorers(prepared)
            ranks = np.empty((len(strategies), len(passage_ids)), dtype=np.int64)
            for row, (strategy, similarity) in enumerate(
                zip(strategies, similarities, strict=True)
            ):
                ranking = rank(db, replace(candidates, similarity=similarity), scorers)
                found = group(db, query, ranking, REFINED)
                refined = self._refined(db, prepared, found, strategy, job)
                ranks[row, refined.order] = np.arange(1, len(passage_ids) + 1)
            return ComparedAlignments(passage_ids, ranks)

    def _within(self, prepared: PreparedQuery, scope: Scope, job: Job | None) -> PreparedQuery:
        """Have a query look in a scope, whose passages are those of this moment."""
        chosen: Chosen | None = None
        if not scope.is_everything:
            with self._recent.columns.now(self._catalog, job) as (db, moment):
                chosen = passages_lying(db, moment, scope)
        return replace(prepared, scope=scope, chosen=chosen)

    def _prepare(
        self,
        db: sqlite3.Connection,
        query: Query,
        mode: Mode,
        scope: Scope,
        job: Job | None = None,
    ) -> tuple[PreparedQuery, list[str]]:
        prepared, notices = super()._prepare(db, query, mode, scope, job)
        # Of the beginning of a word alone no model can tell what it means.
        is_begun = bool(query.wanted) and all(term.is_beginning for term in query.wanted)
        if mode is Mode.WORDS or (mode is Mode.HYBRID and is_begun):
            return prepared, notices
        assert self._generation is not None
        encoded = self._recent.queries.of(query.text, self._generation)
        if encoded.tokens.is_cut:
            notices.append(
                Message("The query is long; only its beginning was compared by meaning.")
            )
        if mode is Mode.HYBRID and encoded.readable_share < _LEAST_READABLE:
            return prepared, []
        return replace(prepared, encoded=encoded if len(encoded) else None), notices

    def _rank(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        limit: int,
        job: Job | None = None,
        *,
        is_refined: bool = False,
    ) -> RankedDocuments:
        """Return the best `limit` documents by the index, or the best of these put in order anew.

        Source: ALIGNER, section 3.2: pruned are the vectors that are searched; the candidates are
        then scored by all of theirs.
        """
        if prepared.encoded is None:
            return super()._rank(db, prepared, limit, job)
        if not is_refined:
            return self._rank_stored(db, prepared, limit, job)
        count = REFINED if prepared.expression else _REFINED_AT_MOST
        found = self._rank_stored(db, prepared, max(limit, count), job)
        ranking = self._refined(db, prepared, found, self.strategy, job)
        return group(db, prepared.query, ranking, limit, is_folded=prepared.is_folded)

    def _refined(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        found: RankedDocuments,
        strategy: AlignmentStrategy,
        job: Job | None,
    ) -> Ranking:
        """Rank once more, the best passages of the first documents compared by all their tokens."""
        ranking = found.ranking
        assert isinstance(ranking, Ranking)
        if prepared.encoded is None:
            return ranking
        best = [scored[0][0] for scored in islice(found.groups.values(), _REFINED_AT_MOST)]
        similarity = ranking.candidates.similarity.copy()
        refined: list[int] = []
        while best:
            count = _REFINED_MORE if refined else REFINED
            stored = passages.fetch(db, best[:count])
            # What was removed since it was ranked is left out.
            there = [number for number in best[:count] if number in stored]
            best = best[count:]
            texts = [stored[number] for number in there]
            seen = self._recent.passages.of(texts, self._answering, job)
            for number, tokens in zip(there, seen, strict=True):
                (score,) = prepared.encoded.scores(tokens.vectors.vectors, [strategy])
                similarity[ranking.candidates.passage_ids == number] = score
            refined += there
            candidates = replace(
                ranking.candidates, similarity=similarity.copy(), refined=frozenset(refined)
            )
            ranking = rank(db, candidates, self._scorers(prepared))
            if prepared.expression or not _is_rising(ranking, refined):
                break
        return ranking

    def _rank_stored(
        self, db: sqlite3.Connection, prepared: PreparedQuery, limit: int, job: Job | None
    ) -> RankedDocuments:
        """Rank more and more passages until they are of `limit` documents, or all there are."""
        count = candidates_for(limit)
        estimates = self._estimates(db, prepared, job)
        scorers = self._scorers(prepared)
        # What is compared in one round is not compared again in the next.
        compared: dict[int, float] = {}
        while True:
            candidates = self._candidates(db, prepared, estimates, count)
            if prepared.encoded is not None:
                candidates = self._compared(db, prepared.encoded, candidates, compared, job)
            ranking = rank(db, candidates, scorers)
            found = group(db, prepared.query, ranking, limit, is_folded=prepared.is_folded)
            if len(found.groups) == limit or candidates.is_everything:
                return found
            count *= 4

    def _estimates(
        self, db: sqlite3.Connection, prepared: PreparedQuery, job: Job | None
    ) -> Estimates | None:
        """Return what the lists nearest to the query say; None where meaning does not count."""
        if prepared.encoded is None:
            return None
        return self._searched.probe(
            prepared.encoded.vectors.weighted,
            self._probe_params,
            allowed=self._allowed(db, prepared),
            job=job,
        )

    def _allowed(self, db: sqlite3.Connection, prepared: PreparedQuery) -> Numbers | None:
        """Return the passages in scope in which all phrases may occur; None for all."""
        if expression := word_query.demanded(prepared.query, of_phrases=True):
            found = passages.find_words(db, expression, -1, prepared.within)
            return np.array(sorted(number for number, _ in found), dtype=np.int64)
        return None if prepared.chosen is None else prepared.chosen.numbers()

    def _candidates(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        estimates: Estimates | None,
        count: int,
    ) -> Candidates:
        """Return the best `count` passages by words, and as many by meaning, not compared yet."""
        bm25_of = dict(self._by_words(db, prepared, count))
        is_everything = len(bm25_of) < count
        # In the order of their words: the best comes first, and among equals the oldest.
        passage_ids = np.array(list(bm25_of), dtype=np.int64)
        by_meaning: frozenset[int] = frozenset()
        if estimates is not None:
            probed = estimates.best(count)
            is_everything = is_everything and len(estimates) <= count
            passage_ids = np.union1d(probed, passage_ids)
            by_meaning = frozenset(probed.tolist())
        return Candidates(
            passage_ids,
            np.array([bm25_of.get(number, 0) for number in passage_ids.tolist()], dtype=np.float32),
            np.full(len(passage_ids), np.nan, dtype=np.float32),
            frozenset(bm25_of),
            by_meaning,
            is_everything,
        )

    def _compared(
        self,
        db: sqlite3.Connection,
        encoded: EncodedQuery,
        candidates: Candidates,
        compared: dict[int, float],
        job: Job | None,
    ) -> Candidates:
        """Compare candidates in full; `compared` holds those that were, by their ids."""
        passage_ids = candidates.passage_ids.tolist()
        fresh = [passage_id for passage_id in passage_ids if passage_id not in compared]
        (scores,) = full_scores(
            db,
            self._searched,
            encoded,
            np.array(fresh, dtype=np.int64),
            [self.strategy],
            job,
        )
        compared.update(zip(fresh, scores.tolist(), strict=True))
        similarity = np.array([compared[one] for one in passage_ids], dtype=np.float32)
        return replace(candidates, similarity=similarity)

    def _hits(
        self, db: sqlite3.Connection, prepared: PreparedQuery, found: RankedDocuments
    ) -> tuple[DocumentHit, ...]:
        encoded = prepared.encoded
        if encoded is None:
            return super()._hits(db, prepared, found)
        explainer, refined = self.explainer, found.refined

        def explain(shown: Sequence[StoredPassage]) -> dict[int, tuple[Alignment, ...]]:
            stored = [passage for passage in shown if passage.id not in refined]
            exact = [passage for passage in shown if passage.id in refined]
            return explainer.stored(encoded, stored) | explainer.exact_of(encoded, exact)

        return self._marked(db, prepared, document_hits(db, prepared, found, explain))

    def _tokens(self, prepared: PreparedQuery) -> tuple[QueryToken, ...]:
        if prepared.encoded is None:
            return ()
        return explanation.shown(explanation.query_tokens(prepared.encoded))

    def _marked(
        self, db: sqlite3.Connection, prepared: PreparedQuery, hits: tuple[DocumentHit, ...]
    ) -> tuple[DocumentHit, ...]:
        """Say which documents are likely, where the model has a floor and can read the query."""
        encoded = prepared.encoded
        if encoded is None or encoded.readable_share < 1 or not hits:
            return hits
        floor = Floor.of_model(self._answering.checkpoint.resources)
        if floor is None:
            return hits
        is_likely = floor.is_likely(self._evidence(db, prepared, encoded, hits)).tolist()
        return above_the_line(
            [replace(hit, is_likely=mark) for hit, mark in zip(hits, is_likely, strict=True)]
        )

    def _evidence(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        encoded: EncodedQuery,
        hits: Sequence[DocumentHit],
    ) -> Evidence:
        """Return what speaks for some documents, by the vectors that are stored.

        Refinement does not change it: what the first answer found by chance, the last did, too.
        """
        # Of the further passages those only in which so many words are lit that they may be all.
        texts = {
            each.passage.id: f"{each.passage.context}\n{each.passage.text}\n{hit.path.stem}"
            for hit in hits
            for place, each in enumerate(hit.passages)
            if place == 0 or _words_lit(each) >= len(prepared.words) > 0
        }
        vectors = self._searched.vectors([hit.passages[0].passage.id for hit in hits])
        forms = prepared.forms or self._forms(db, prepared.query)
        shares = word_query.shares_of_words(db, prepared.query, forms, texts)
        found = np.full((3, len(hits)), np.nan, dtype=np.float32)
        for place, hit in enumerate(hits):
            of_best, *others = (shares.get(each.passage.id, 0.0) for each in hit.passages)
            found[2, place] = 1.0 if any(share >= ALL for share in others) else of_best
            if stored := vectors.get(hit.passages[0].passage.id):
                best = similarity(encoded.vectors.vectors, stored.vectors).max(axis=1)
                found[0, place] = np.mean(encoded.weights * best)
                found[1, place] = best[0] if encoded.has_summary else 0.0
        return Evidence(*found)

    def _scorers(self, prepared: PreparedQuery) -> tuple[tuple[Scorer, float], ...]:
        """Return the terms that count for a query, and their weights."""
        config = RankingConfig()
        if prepared.encoded is not None:
            assert self._generation is not None
            config = RankingConfig.of_model(self._generation.checkpoint.resources)
        return config.scorers(
            words=bool(prepared.expression),
            meaning=prepared.encoded is not None,
            readable_share=1.0 if prepared.encoded is None else prepared.encoded.readable_share,
        )


def _is_rising(ranking: Ranking, refined: Sequence[int]) -> bool:
    """Return whether several of the passages refined last stand among the first."""
    first = ranking.candidates.passage_ids[ranking.order[:_REFINED_MORE]]
    return int(np.isin(refined[-_REFINED_MORE:], first).sum()) >= _RISING


def _words_lit(hit: PassageHit) -> int:
    """Return how many different words of the query stand in the text of a passage."""
    return len({hit.passage.text[start:end].casefold() for start, end in hit.words})
