"""From a query to ranked documents: words and meaning, fused, grouped and explained."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from core.alignment.pairwise import AlignmentStrategy
from core.arrays import Floats, Numbers
from core.catalog import documents, folders, manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.documents import NamedDocument
from core.catalog.scope import EVERYWHERE, Scope, described, find_names, passages_in, with_words
from core.documents.formats import format_of
from core.encoders.encoder import Encoder
from core.errors import UsageError
from core.index.edition import Edition
from core.index.probing import Estimates, ProbeParams
from core.index.token_index import TokenIndex
from core.progress import Job
from core.search import explanation, facets, word_query
from core.search.encoded_query import EncodedQuery, RecentQueries, RecentSpans
from core.search.explainer import Explainer
from core.search.query import Query, checked, joined, parse, plain
from core.search.ranking import (
    Asked,
    Candidates,
    Compared,
    Found,
    Fused,
    Ranked,
    accepted,
    fuse,
    group,
    newest,
    refine,
)
from core.search.results import DocumentHit, Mode, Passage, PassageHit, QueryToken, SearchResults
from core.search.word_query import light_words

_NAMES_SHOWN: Final = 5


def _document_hits(
    db: sqlite3.Connection, asked: Asked, found: Found, explainer: Explainer | None
) -> tuple[DocumentHit, ...]:
    """The documents as they are shown, with what lights them; no explainer for words alone."""
    numbers = [number for ranked in found.groups.values() for number, _ in ranked]
    stored = passages.fetch(db, numbers)
    shown = list(stored.values())
    reasons = {}
    if asked.encoded is not None and explainer is not None:
        reasons = explainer.stored(asked.encoded, shown)
    expression = asked.expression or word_query.any_of(word_query.terms(asked.query.text))
    if asked.encoded is None:
        # No saliences will tell which of them made the match.
        expression = word_query.any_of(
            word_query.worth_showing(db, word_query.telling(db, asked.query))
        )
    lit = light_words(expression, {passage.id: passage.text for passage in shown})
    made = []
    for document_id, ranked in found.groups.items():
        # What was removed since it was ranked is left out.
        there = [(stored[number], value) for number, value in ranked if number in stored]
        if not there:
            continue
        first = there[0][0]
        kind = format_of(first.path)
        holder = documents.holder(db, document_id)
        made.append(
            DocumentHit(
                document_id=document_id,
                path=first.path,
                title=first.title,
                has_page_images=kind is not None and kind.has_page_images,
                passages=tuple(
                    PassageHit(
                        passage=Passage.of(passage),
                        score=value,
                        found_by=found.ways(passage.id),
                        alignments=reasons.get(passage.id, ()),
                        words=lit.get(passage.id, ()),
                        parts=found.parts(passage.id),
                    )
                    for passage, value in there
                ),
                author=first.author,
                date=first.date,
                changed_ns=first.mtime_ns,
                said_ns=first.said_ns,
                file=holder.path if holder is not None and holder.path.is_absolute() else None,
            )
        )
    return tuple(made)


def _named_documents(
    db: sqlite3.Connection, asked: Asked, hits: Sequence[DocumentHit]
) -> tuple[NamedDocument, ...]:
    """Documents that are called what was typed, beside those that were found."""
    if asked.query.alternatives:
        return ()
    sought = word_query.terms(asked.query.text)
    found = {hit.document_id for hit in hits}
    return find_names(db, sought, _NAMES_SHOWN, asked.scope, but=found)


def _query_tokens(encoded: EncodedQuery | None) -> tuple[QueryToken, ...]:
    """The query's tokens as they are shown; none of a query that is compared by words alone."""
    if encoded is None:
        return ()
    return explanation.shown(explanation.query_tokens(encoded))


_FEWEST_CANDIDATES: Final = 100
_CANDIDATES_A_DOCUMENT: Final = 5
"""So many passages are compared in full for each document that is asked for, and so many at least;
more find nothing more (docs/decisions/0013-engine.md)."""


class Searcher:
    """Searches one catalog and its index; for any number of threads at once."""

    def __init__(
        self,
        catalog: Catalog,
        edition: Edition | None,
        strategy: AlignmentStrategy,
        params: ProbeParams,
        recent: RecentSpans,
        queries: RecentQueries,
    ) -> None:
        """Search by the edition's model, or where there is none by words only."""
        self._catalog = catalog
        self._edition = edition
        self.strategy = strategy
        self._probe_params = params
        self._recent = recent
        self._queries = queries

    def is_current(self) -> bool:
        """Whether the model of the search is still the one whose vectors answer."""
        if self._edition is None:
            return True
        with self._catalog.reading() as db:
            row = manifest.live(db)
        return row is None or row.codec == self._edition.row.codec

    @property
    def _index(self) -> TokenIndex:
        assert self._edition is not None
        return self._edition.index

    @property
    def _encoder(self) -> Encoder:
        """Loaded when it is first needed, which words alone never do."""
        assert self._edition is not None
        return self._edition.query_encoder()

    @property
    def explainer(self) -> Explainer:
        """What tells why passages are found, by the same model and alignment."""
        assert self._edition is not None
        return Explainer(self._catalog, self._edition, self.strategy, self._recent, self._queries)

    def search(
        self,
        typed: str,
        mode: Mode,
        limit: int,
        scope: Scope = EVERYWHERE,
        job: Job | None = None,
    ) -> SearchResults:
        """The best `limit` documents for what was typed; for filters alone the newest.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or enormous, or `limit` is below 1.
            LibraryError: the library cannot be read.
        """
        began_s = time.perf_counter()
        if limit < 1:
            raise UsageError(f"The number of results is {limit}; it must be at least 1.")
        with self._catalog.reading() as db:
            query = checked(typed)
            by = mode if query.has_words else Mode.WORDS
            asked, notices = self._ask(db, query, by, scope & query.scope)
            notices = [*query.notices, *notices]
            found = (
                self._found(db, asked, limit, job) if query.has_words else newest(db, asked, limit)
            )
            explainer = self.explainer if asked.encoded is not None else None
            hits = _document_hits(db, asked, found, explainer)
            named = _named_documents(db, asked, hits)
        if mode is not Mode.WORDS and (damage := self._index.damage()):
            notices.append(damage)
        return SearchResults(
            query=typed,
            mode=mode,
            tokens=_query_tokens(asked.encoded),
            hits=hits,
            took_ms=(time.perf_counter() - began_s) * 1000,
            notice=" ".join(notices),
            named=named,
        )

    def rank(self, text: str, mode: Mode, limit: int) -> list[tuple[int, float]]:
        """The best `limit` documents (number, score of the best passage) for plain text."""
        with self._catalog.reading() as db:
            asked, _ = self._ask(db, plain(text), mode, EVERYWHERE)
            groups = self._found(db, asked, limit).groups
        return [(number, group[0][1]) for number, group in groups.items()]

    def facets(
        self,
        typed: str,
        mode: Mode,
        limit: int,
        found: Collection[int] | None = None,
        job: Job | None = None,
    ) -> facets.Facets:
        """Count the documents that have a word of the query, and the best `limit` by meaning.

        In the part of the library that the query leaves the words are taken for granted where it
        has none; an empty query finds all. Phrases are compared by their words' stems.

        Args:
            typed: the query.
            mode: in which it is searched for.
            limit: documents by meaning.
            found: the numbers of those that a search for the query has found already.
            job: to cancel it.

        Raises:
            Cancelled: the job was cancelled.
        """
        rest, scopes = facets.split(parse(typed))
        with self._catalog.reading() as db:
            asked, _ = self._ask(db, rest, mode if rest.has_words else Mode.WORDS, rest.scope)
            counted = with_words(db, word_query.found_by(asked.expression, rest), rest.scope)
            if asked.encoded is not None:
                # What the filters by folder, kind and day let in, however far behind the others.
                chosen = replace(asked, scope=joined([asked.scope, *scopes]))
                if found is None:
                    found = self._found(db, chosen, limit, job).groups
                if chosen != asked:
                    counted.update(self._found(db, asked, limit, job).groups)
            counted.update(found or ())
            places = (root.path for root in folders.roots(db))
            return facets.count(described(db, scopes), counted, places, job)

    def _ask(
        self, db: sqlite3.Connection, query: Query, mode: Mode, scope: Scope
    ) -> tuple[Asked, list[str]]:
        notices: list[str] = []
        expression = (
            word_query.any_of(word_query.telling(db, query)) if mode is not Mode.MEANING else ""
        )
        if mode is Mode.WORDS:
            return Asked(query, expression, None, scope), notices
        assert self._edition is not None
        encoded = self._queries.of(query.text, self._edition)
        if encoded.tokens.is_cut:
            notices.append("The query is long; only its beginning was compared by meaning.")
        return Asked(query, expression, encoded if len(encoded) else None, scope), notices

    def _found(
        self, db: sqlite3.Connection, asked: Asked, limit: int, job: Job | None = None
    ) -> Found:
        """Rank more and more passages until they are of `limit` documents, or all there are."""
        candidates = max(_FEWEST_CANDIDATES, _CANDIDATES_A_DOCUMENT * limit)
        estimates = self._estimates(db, asked, job)
        # What is compared in one round is not compared again in the next.
        scored: dict[int, float] = {}
        while True:
            ranked = self._rank(db, asked, estimates, candidates, scored, job)
            found = group(db, asked.query, ranked, limit)
            if len(found.groups) == limit or ranked.is_everything:
                return found
            candidates *= 4

    def _allowed(self, db: sqlite3.Connection, asked: Asked) -> Numbers | None:
        """The passages in the scope in which all phrases may occur; None for all."""
        if expression := word_query.demanded(asked.query, of_phrases=True):
            found = passages.find_words(db, expression, -1, asked.scope)
            return np.array(sorted(number for number, _ in found), dtype=np.int64)
        return None if asked.scope.is_everything else passages_in(db, asked.scope)

    def compare(
        self, typed: str, strategies: Sequence[AlignmentStrategy], job: Job | None = None
    ) -> Compared:
        """The candidates of a query, scored under each of several alignments as in a search.

        Source: ALIGNER, section 3.1: candidates first, then the alignments compared on them.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or enormous.
        """
        with self._catalog.reading() as db:
            query = checked(typed)
            asked, _ = self._ask(db, query, Mode.HYBRID, query.scope)
            found = self._candidates(db, asked, self._estimates(db, asked, job), _FEWEST_CANDIDATES)
            numbers = found.numbers
            if word_query.are_checked(query):
                there = accepted(db, query, numbers.tolist())
                numbers = numbers[np.isin(numbers, np.array(sorted(there), dtype=np.int64))]
            if asked.encoded is None:
                alike = np.tile(found.words_of(numbers), (len(strategies), 1))
                return Compared(numbers, alike)
            refined = refine(db, self._index, asked.encoded, numbers, strategies, job)
            fused = [self._fused(asked, one, found.words_of(numbers)).scores for one in refined]
            return Compared(numbers, np.array(fused, dtype=np.float32))

    def _estimates(self, db: sqlite3.Connection, asked: Asked, job: Job | None) -> Estimates | None:
        """What the lists nearest to the query say; None where meaning does not count."""
        if asked.encoded is None:
            return None
        return self._index.probe(
            asked.encoded.vectors.weighted,
            self._probe_params,
            allowed=self._allowed(db, asked),
            job=job,
        )

    def _candidates(
        self, db: sqlite3.Connection, asked: Asked, estimates: Estimates | None, count: int
    ) -> Candidates:
        """The best `count` passages by words, and as many by meaning."""
        by_words: dict[int, float] = {}
        is_everything = True
        if asked.expression:
            expression = word_query.found_by(asked.expression, asked.query)
            by_words = dict(passages.find_words(db, expression, count, asked.scope))
            is_everything = len(by_words) < count
        if estimates is None:
            # In the order of their words: the best comes first, and among equals the oldest.
            numbers = np.array(list(by_words), dtype=np.int64)
            return Candidates(numbers, by_words, frozenset(), is_everything)
        by_meaning = estimates.best(count)
        is_everything = is_everything and len(estimates) <= count
        numbers = np.union1d(by_meaning, np.array(list(by_words), dtype=np.int64))
        return Candidates(numbers, by_words, frozenset(by_meaning.tolist()), is_everything)

    def _rank(
        self,
        db: sqlite3.Connection,
        asked: Asked,
        estimates: Estimates | None,
        candidates: int,
        scored: dict[int, float],
        job: Job | None,
    ) -> Ranked:
        found = self._candidates(db, asked, estimates, candidates)
        numbers, bm25 = found.numbers, found.words_of(found.numbers)
        by_words = frozenset(found.by_words)
        if asked.encoded is None:
            return Ranked(numbers, bm25, by_words, found.by_meaning, found.is_everything)
        fresh = np.array([one for one in numbers.tolist() if one not in scored], dtype=np.int64)
        (refined,) = refine(db, self._index, asked.encoded, fresh, [self.strategy], job)
        scored.update(zip(fresh.tolist(), refined.tolist(), strict=True))
        meaning = np.array([scored[number] for number in numbers.tolist()], dtype=np.float32)
        fused = self._fused(asked, meaning, bm25)
        order = np.argsort(-fused.scores, kind="stable")
        return Ranked(
            numbers[order],
            fused.scores[order],
            by_words,
            found.by_meaning,
            found.is_everything,
            # The numbers ascend: they are a union.
            lambda number: fused.parts(int(np.searchsorted(numbers, number))),
        )

    def _fused(self, asked: Asked, meaning: Floats, bm25: Floats) -> Fused:
        weight = self._encoder.checkpoint.words_weight if asked.expression else 0.0
        return fuse(meaning, bm25, weight)
