"""From candidates to ranked documents: scored term by term, put in order, grouped by document.

A score is a sum of named, weighted terms, one for each `Scorer` that `RankingConfig` has count. To
add one, write its class beside `MeaningScorer` and give it a weight in `RankingConfig`: search, the
list, `winnow explain` and the window's inspector take it from there. Its label is a text that the
window translates.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from core.alignment.pairwise import AlignmentStrategy
from core.arrays import Flags, Floats, Numbers
from core.catalog import copies, passages
from core.catalog.scope import Chosen, Scope
from core.errors import Message
from core.index.index_searcher import VectorSearcher
from core.progress import Job
from core.search import word_query
from core.search.encodings import EncodedQuery
from core.search.query import Query
from core.search.results import MEANING, WORDS, Mode, ScoreTerm
from core.search.word_forms import OtherForms

_PASSAGES_SHOWN: Final = 4
"""Passages of one document that are given with it."""
WORDS_WEIGHT: Final = 0.15
"""The words' share in a hybrid search with a model that names none (decision record 0006)."""


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A query made ready: its rare words as an expression, and its vectors where meaning counts.

    `chosen` are the passages that lie in its scope, None for all.
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
    def in_all_forms(self) -> str:
        """The expression of the words in each of their forms."""
        if not self.forms or not self.words:
            return self.expression
        return word_query.any_of(word_query.with_forms(self.words, self.forms))


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The p passages that are scored.

    Attributes:
        passage_ids: (p,) int64.
        bm25: (p,) float32, 0 for a passage that has none of the query's words.
        similarity: (p,) float32, mean similarity of the aligned tokens (ALIGNER, eq. 1); NaN for a
            passage without vectors, and where meaning does not count.
        by_words: which of them were found by their words.
        by_meaning: which by the probe.
        is_everything: whether there are no others.
        refined: which of them were compared by all their tokens. They stand before the others,
            with whose similarities, of fewer vectors, theirs are not to be compared.
    """

    passage_ids: Numbers
    bm25: Floats
    similarity: Floats
    by_words: frozenset[int]
    by_meaning: frozenset[int]
    is_everything: bool
    refined: frozenset[int] = frozenset()

    @property
    def has_vectors(self) -> Flags:
        """(p,) whether a passage was compared by its vectors."""
        return ~np.isnan(self.similarity)

    @property
    def bm25_shares(self) -> Floats:
        """(p,) BM25 scores as shares of the best one, from 0 to 1."""
        best = self.bm25.max(initial=0)
        return self.bm25 / best if best > 0 else np.zeros_like(self.bm25)

    def only(self, kept: Flags) -> Candidates:
        """Return those that a mask of (p,) keeps."""
        return replace(
            self,
            passage_ids=self.passage_ids[kept],
            bm25=self.bm25[kept],
            similarity=self.similarity[kept],
        )


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """What scores by meaning are made of: those of equal scales can be compared.

    Attributes:
        model: with the fingerprint of its files.
        words: the words' share, as `RankingConfig` has it.
        alignment: as `AlignmentStrategy` is written.
    """

    model: str
    words: float
    alignment: str


class Scorer(Protocol):
    """One term of a score."""

    name: str
    label: Message
    """What it is called where a score is explained; the window translates it."""

    def values(self, db: sqlite3.Connection, candidates: Candidates) -> Floats:
        """Return (p,) float32, from 0 to 1 if it is to be weighed against other terms."""
        ...


class MeaningScorer:
    """The mean similarity of the aligned tokens.

    Where a passage has no vectors yet its words speak for its meaning: it is put between the least
    and the greatest similarity as its BM25 score lies between 0 and the best.

    Source: ALIGNER, eq. 1.
    """

    name = MEANING
    label = Message("Meaning")

    def values(self, _db: sqlite3.Connection, candidates: Candidates) -> Floats:
        known = candidates.similarity[candidates.has_vectors]
        least, greatest = (known.min(), known.max()) if len(known) else (0, 1)
        imputed = least + candidates.bm25_shares * (greatest - least)
        return np.where(candidates.has_vectors, candidates.similarity, imputed)


class WordsScorer:
    """The BM25 score as a share of the best one for the query."""

    name = WORDS
    label = Message("Words that occur (BM25)")

    def values(self, _db: sqlite3.Connection, candidates: Candidates) -> Floats:
        return candidates.bm25_shares


class Bm25Scorer:
    """The BM25 score as it is, where nothing is weighed against it."""

    name = WORDS
    label = WordsScorer.label

    def values(self, _db: sqlite3.Connection, candidates: Candidates) -> Floats:
        return candidates.bm25


@dataclass(frozen=True, slots=True)
class RankingConfig:
    """How much each term counts in a score.

    Attributes:
        words: the words' share in a hybrid search, from 0 to 1; the rest is the meaning's. It
            depends on how a model's similarities are spread, so that a model may bring its own.

    Reciprocal ranks and other norms were measured against this sum: docs/measurements/ranking.md.
    """

    words: float = WORDS_WEIGHT

    @classmethod
    def of_model(cls, folder: Path) -> RankingConfig:
        """Return the configuration for the model in a folder: `words_weight` of its config.json."""
        file = folder / "config.json"
        return _config_of(file, file.stat().st_mtime_ns) if file.is_file() else cls()

    def scorers(
        self, *, words: bool, meaning: bool, readable_share: float = 1.0
    ) -> tuple[tuple[Scorer, float], ...]:
        """Return the terms of a score and their weights, where these two count.

        Of a query that the model can read in part only, the meaning counts as much as that part,
        and the words all the more.

        >>> [round(weight, 2) for _, weight in RankingConfig(0.2).scorers(
        ...     words=True, meaning=True, readable_share=0.5)]
        [0.4, 0.6]
        """
        if not meaning:
            return ((Bm25Scorer(), 1.0),)
        if not words:
            return ((MeaningScorer(), 1.0),)
        by_meaning = (1 - self.words) * readable_share
        return ((MeaningScorer(), by_meaning), (WordsScorer(), 1 - by_meaning))


@lru_cache(maxsize=8)
def _config_of(file: Path, _mtime_ns: int) -> RankingConfig:
    """Read a configuration once, and once more when the file has changed."""
    config = json.loads(file.read_text("utf-8"))
    return RankingConfig(float(config.get("words_weight", WORDS_WEIGHT)))


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Candidates with their scores.

    Attributes:
        candidates: the p passages.
        scorers: the terms of the scores, and their weights.
        values: (p,) of each term.
        scores: (p,) float32, the weighted sums.
    """

    candidates: Candidates
    scorers: tuple[tuple[Scorer, float], ...]
    values: tuple[Floats, ...]
    scores: Floats

    @property
    def order(self) -> Numbers:
        """(p,) the places of the candidates, best first; ties stay as they stand."""
        refined = np.isin(self.candidates.passage_ids, list(self.candidates.refined))
        return np.lexsort((-self.scores, ~refined))

    def terms(self, passage_id: int) -> tuple[ScoreTerm, ...]:
        """Return what the score of one of the candidates is a sum of; () for any other passage."""
        (places,) = np.nonzero(self.candidates.passage_ids == passage_id)
        return tuple(
            ScoreTerm(
                scorer.name,
                scorer.label,
                weight,
                float(values[place]),
                is_imputed=scorer.name == MEANING and not self.candidates.has_vectors[place],
                is_exact=scorer.name == MEANING and passage_id in self.candidates.refined,
            )
            for place in places.tolist()
            for (scorer, weight), values in zip(self.scorers, self.values, strict=True)
        )

    def found_by(self, passage_id: int) -> tuple[Mode, ...]:
        """Return which ways found a passage."""
        ways = ((Mode.WORDS, self.candidates.by_words), (Mode.MEANING, self.candidates.by_meaning))
        return tuple(mode for mode, found in ways if passage_id in found)


def rank(
    db: sqlite3.Connection, candidates: Candidates, scorers: Sequence[tuple[Scorer, float]]
) -> Ranking:
    """Score candidates by the weighted sum of some terms.

    >>> from contextlib import closing
    >>> pair = Candidates(np.arange(2), np.array([0, 5], np.float32),
    ...     np.array([0.8, 0.4], np.float32), frozenset({1}), frozenset({0, 1}), True)
    >>> scorers = RankingConfig(0.25).scorers(words=True, meaning=True)
    >>> with closing(sqlite3.connect(":memory:")) as db:
    ...     ranking = rank(db, pair, scorers)
    >>> [round(score, 2) for score in ranking.scores.tolist()], ranking.order.tolist()
    ([0.6, 0.55], [0, 1])
    >>> [(term.name, round(term.adds, 2)) for term in ranking.terms(1)]
    [('meaning', 0.3), ('words', 0.25)]
    """
    values = tuple(scorer.values(db, candidates) for scorer, _ in scorers)
    scores = np.zeros(len(candidates.passage_ids), dtype=np.float32)
    for (_, weight), term in zip(scorers, values, strict=True):
        scores = scores + weight * term
    return Ranking(candidates, tuple(scorers), values, scores.astype(np.float32))


def full_scores(
    db: sqlite3.Connection,
    index: VectorSearcher,
    query: EncodedQuery,
    passage_ids: Numbers,
    strategies: Sequence[AlignmentStrategy],
    job: Job | None = None,
) -> Floats:
    """Compute the similarities of p passages under each of s alignments.

    Returns:
        (s, p); NaN for passages without vectors.

    Raises:
        Cancelled: the job was cancelled.

    Source: ALIGNER, section 3.1: the alignment concerns the refinement stage only.
    """
    job = job or Job()
    if all(strategy.is_top_1 for strategy in strategies):
        # Where the vectors lie, by the compiled loop.
        values = index.score(query.vectors.weighted, passage_ids, job).of(passage_ids)
        return np.tile(values, (len(strategies), 1))
    scores = np.full((len(strategies), len(passage_ids)), np.nan, dtype=np.float32)
    vectors = index.vectors(passage_ids.tolist())
    lengths = passages.lengths(db, passage_ids.tolist())
    for place, passage_id in enumerate(passage_ids.tolist()):
        job.checkpoint()
        if passage_id in vectors:
            own = vectors[passage_id].vectors
            scores[:, place] = query.scores(own, strategies, lengths.get(passage_id))
    return scores


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """Passages (id, score) grouped by document (its id), both best first.

    `ranking` is what they were taken from; None for documents that were listed by their age.
    """

    groups: dict[int, list[tuple[int, float]]]
    ranking: Ranking | None

    @property
    def refined(self) -> frozenset[int]:
        """Which passages were compared by all their tokens."""
        return self.ranking.candidates.refined if self.ranking is not None else frozenset()

    def terms(self, passage_id: int) -> tuple[ScoreTerm, ...]:
        """Return what a passage's score is a sum of."""
        return self.ranking.terms(passage_id) if self.ranking is not None else ()

    def found_by(self, passage_id: int) -> tuple[Mode, ...]:
        """Return which ways found a passage."""
        return self.ranking.found_by(passage_id) if self.ranking is not None else ()


def group(
    db: sqlite3.Connection, query: Query, ranking: Ranking, limit: int, *, is_folded: bool = False
) -> RankedDocuments:
    """Take the first `limit` documents of a ranking, each with its best passages.

    Where it `is_folded` a document stands for its copies and versions that rank behind it, and of
    those that rank as it does the one is taken that `copies.preferred` names.
    """
    # The documents of each place in the list: one, and what is folded beneath it.
    places_of: dict[int, dict[int, list[tuple[int, float]]]] = {}
    order, step = ranking.order, max(4 * limit, 50)
    for start in range(0, len(order), step):
        places = order[start : start + step]
        passage_ids = ranking.candidates.passage_ids[places].tolist()
        document_of = passages.document_of(db, passage_ids)
        if word_query.has_phrases(query):
            accepted = accepted_passages(db, query, passage_ids)
            document_of = {number: document_of[number] for number in accepted}
        family_of = copies.families(db, set(document_of.values())) if is_folded else {}
        for passage_id, score in zip(passage_ids, ranking.scores[places].tolist(), strict=True):
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
        listed = passages.newest(db, prepared.chosen, count, unwanted)
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
