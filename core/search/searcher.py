"""From a query to ranked documents: words and meaning, fused, grouped and explained."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.alignment.pairwise import AlignmentStrategy, score
from core.catalog import indexes, passages
from core.catalog.catalog import Catalog
from core.catalog.lighting import light_words
from core.catalog.scope import EVERYWHERE, Scope, passages_in
from core.documents.formats import format_of
from core.encoders.encoder import Encoder
from core.errors import UsageError
from core.index.edition import Edition
from core.index.probing import Estimates, Probing
from core.index.token_index import TokenIndex
from core.progress import Job
from core.search import fusion, highlights, phrases, words
from core.search.encoded import EncodedQuery
from core.search.explaining import Explainer
from core.search.query import Query, checked, plain
from core.search.results import (
    DocumentHit,
    Mode,
    Passage,
    PassageHit,
    QueryToken,
    SearchResults,
)
from core.search.spans import RecentSpans

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

_PASSAGES_SHOWN: Final = 3
"""Passages of one document that are given with it."""
_FEWEST_CANDIDATES: Final = 300


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Passages in the order of their scores, and which way found each."""

    passages: Numbers
    scores: Floats
    by_words: frozenset[int]
    by_meaning: frozenset[int]
    is_everything: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query made ready: its text, its telling words, and its vectors where meaning counts."""

    query: Query
    expression: str
    encoded: EncodedQuery | None
    scope: Scope


class Searcher:
    """Searches one catalog and its index; for any number of threads at once."""

    def __init__(
        self,
        catalog: Catalog,
        edition: Edition | None,
        strategy: AlignmentStrategy,
        probing: Probing,
        recent: RecentSpans,
    ) -> None:
        """Search by the edition's model, or where there is none by words only."""
        self._catalog = catalog
        self._edition = edition
        self._strategy = strategy
        self._probing = probing
        self._recent = recent

    def is_current(self) -> bool:
        """Whether the model of the search is still the one whose vectors answer."""
        if self._edition is None:
            return True
        with self._catalog.reading() as db:
            row = indexes.live(db)
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
    def _explainer(self) -> Explainer:
        assert self._edition is not None
        return Explainer(self._catalog, self._edition, self._strategy, self._recent)

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
                self._found(db, asked, limit, job) if query.has_words else _newest(db, asked, limit)
            )
            hits = self._hits(db, asked, found)
        if mode is not Mode.WORDS and (damage := self._index.damage()):
            notices.append(damage)
        return SearchResults(
            query=typed,
            mode=mode,
            tokens=_shown_tokens(asked.encoded),
            hits=hits,
            took_ms=(time.perf_counter() - began_s) * 1000,
            notice=" ".join(notices),
        )

    def rank(self, text: str, mode: Mode, limit: int) -> list[tuple[int, float]]:
        """The best `limit` documents (number, score of the best passage) for plain text."""
        with self._catalog.reading() as db:
            asked, _ = self._ask(db, plain(text), mode, EVERYWHERE)
            groups = self._found(db, asked, limit).groups
        return [(number, group[0][1]) for number, group in groups.items()]

    def _ask(
        self, db: sqlite3.Connection, query: Query, mode: Mode, scope: Scope
    ) -> tuple[_Asked, list[str]]:
        notices: list[str] = []
        expression = words.any_of(words.telling(db, query)) if mode is not Mode.MEANING else ""
        if mode is Mode.WORDS:
            return _Asked(query, expression, None, scope), notices
        encoded = EncodedQuery.of(query.text, self._encoder)
        if encoded.tokens.is_cut:
            notices.append("The query is long; only its beginning was compared by meaning.")
        return _Asked(query, expression, encoded if len(encoded) else None, scope), notices

    def _found(
        self, db: sqlite3.Connection, asked: _Asked, limit: int, job: Job | None = None
    ) -> _Found:
        """Rank more and more passages until they are of `limit` documents, or all there are."""
        candidates = max(_FEWEST_CANDIDATES, 10 * limit)
        estimates = None
        if asked.encoded is not None:
            allowed = self._allowed(db, asked)
            estimates = self._index.probe(
                asked.encoded.vectors.weighted, self._probing, allowed=allowed, job=job
            )
        # What is compared in one round is not compared again in the next.
        scored: dict[int, float] = {}
        while True:
            ranked = self._rank(db, asked, estimates, candidates, scored, job)
            found = self._group(db, asked.query, ranked, limit)
            if len(found.groups) == limit or ranked.is_everything:
                return found
            candidates *= 4

    def _allowed(self, db: sqlite3.Connection, asked: _Asked) -> Numbers | None:
        """The passages in the scope in which all phrases may occur; None for all."""
        if expression := words.demanded(asked.query, of_phrases=True):
            found = passages.find_words(db, expression, -1, asked.scope)
            return np.array(sorted(number for number, _ in found), dtype=np.int64)
        return None if asked.scope.is_everything else passages_in(db, asked.scope)

    def _rank(
        self,
        db: sqlite3.Connection,
        asked: _Asked,
        estimates: Estimates | None,
        candidates: int,
        scored: dict[int, float],
        job: Job | None,
    ) -> _Ranked:
        by_words: dict[int, float] = {}
        is_everything = True
        if asked.expression:
            expression = asked.expression
            if demanded := words.demanded(asked.query):
                expression = f"({expression}) AND {demanded}"
            found = passages.find_words(db, expression, candidates, asked.scope)
            by_words = dict(found)
            is_everything = len(found) < candidates
        if estimates is None:
            numbers = np.array(list(by_words), dtype=np.int64)
            values = np.array(list(by_words.values()), dtype=np.float32)
            return _Ranked(numbers, values, frozenset(by_words), frozenset(), is_everything)
        by_meaning = estimates.best(candidates)
        is_everything = is_everything and len(estimates) <= candidates
        numbers = np.union1d(by_meaning, np.array(list(by_words), dtype=np.int64))
        fresh = np.array([one for one in numbers.tolist() if one not in scored], dtype=np.int64)
        scored.update(zip(fresh.tolist(), self._meaning(asked, fresh, job).tolist(), strict=True))
        meaning = np.array([scored[number] for number in numbers.tolist()], dtype=np.float32)
        bm25 = np.array([by_words.get(number, 0) for number in numbers.tolist()], np.float32)
        weight = self._encoder.checkpoint.words_weight if asked.expression else 0.0
        fused = fusion.fuse(meaning, bm25, weight)
        order = np.argsort(-fused, kind="stable")
        return _Ranked(
            numbers[order],
            fused[order],
            frozenset(by_words),
            frozenset(by_meaning.tolist()),
            is_everything,
        )

    def _meaning(self, asked: _Asked, numbers: Numbers, job: Job | None) -> Floats:
        """The passages' similarities under the chosen alignment; NaN without vectors.

        Source: ALIGNER, section 3.1: the alignment concerns the refinement stage only.
        """
        assert asked.encoded is not None
        if self._strategy.is_top_1:
            return self._index.score(asked.encoded.vectors.weighted, numbers, job).of(numbers)
        refined = np.full(len(numbers), np.nan, dtype=np.float32)
        vectors = self._index.vectors(numbers.tolist())
        for place, number in enumerate(numbers.tolist()):
            if number in vectors:
                refined[place] = score(
                    *asked.encoded.aligned(vectors[number].vectors, self._strategy)
                )
        return refined

    def _group(self, db: sqlite3.Connection, query: Query, ranked: _Ranked, limit: int) -> _Found:
        """The first `limit` documents of a ranking, each with its best passages."""
        groups: dict[int, list[tuple[int, float]]] = {}
        step = max(4 * limit, 50)
        for start in range(0, len(ranked.passages), step):
            numbers = ranked.passages[start : start + step].tolist()
            of = passages.document_of(db, numbers)
            if phrases.are_checked(query):
                stored = passages.fetch(db, numbers)
                of = {
                    number: of[number]
                    for number, one in stored.items()
                    if phrases.accepts(query, (one.text, one.context))
                }
            for number, value in zip(numbers, ranked.scores[start : start + step], strict=True):
                if number not in of:
                    continue
                group = groups.get(of[number])
                if group is None:
                    if len(groups) == limit:
                        continue
                    group = groups[of[number]] = []
                if len(group) < _PASSAGES_SHOWN:
                    group.append((number, float(value)))
            # Within this step the last documents could show their further passages as well.
            if len(groups) == limit:
                break
        return _Found(groups, ranked)

    def _hits(
        self, db: sqlite3.Connection, asked: _Asked, found: _Found
    ) -> tuple[DocumentHit, ...]:
        numbers = [number for group in found.groups.values() for number, _ in group]
        stored = passages.fetch(db, numbers)
        shown = list(stored.values())
        reasons = self._explainer.stored(asked.encoded, shown) if asked.encoded else {}
        expression = asked.expression or words.any_of(words.terms(asked.query.text))
        lit = light_words(expression, {passage.id: passage.text for passage in shown})
        hits = []
        for document_id, group in found.groups.items():
            # What was removed since it was ranked is left out.
            there = [(stored[number], value) for number, value in group if number in stored]
            if not there:
                continue
            first = there[0][0]
            kind = format_of(first.path)
            hits.append(
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
                        )
                        for passage, value in there
                    ),
                    author=first.author,
                    date=first.date,
                )
            )
        return tuple(hits)


@dataclass(frozen=True, slots=True)
class _Found:
    """Passages (number, score) grouped by document (its number), both best first."""

    groups: dict[int, list[tuple[int, float]]]
    ranked: _Ranked

    def ways(self, passage_id: int) -> tuple[Mode, ...]:
        """Which ways found a passage."""
        ways = []
        if passage_id in self.ranked.by_words:
            ways.append(Mode.WORDS)
        if passage_id in self.ranked.by_meaning:
            ways.append(Mode.MEANING)
        return tuple(ways)


def _shown_tokens(encoded: EncodedQuery | None) -> tuple[QueryToken, ...]:
    if encoded is None:
        return ()
    return highlights.shown(highlights.query_tokens(encoded.text, encoded.tokens))


def _newest(db: sqlite3.Connection, asked: _Asked, limit: int) -> _Found:
    """Documents by their age alone; phrases are left out by their words' stems here."""
    scope = asked.scope & Scope(without_words=asked.query.unwanted_phrases)
    nothing = np.empty(0, dtype=np.int64)
    ranked = _Ranked(nothing, nothing.astype(np.float32), frozenset(), frozenset(), True)
    listed = passages.newest(db, scope, limit)
    return _Found({document: [(number, 0.0)] for document, number in listed.items()}, ranked)
