"""Candidates scored term by term and put in order.

A score is a sum of named, weighted terms, one for each `Scorer` that `RankingConfig` has count. To
add one, write its class beside `MeaningScorer` and give it a weight in `RankingConfig`: search, the
list, `winnow explain` and the window's inspector take it from there. Its label is a text that the
window translates.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from core.alignment.pairwise import AlignmentStrategy
from core.arrays import Flags, Floats, Numbers
from core.catalog import passages
from core.errors import Message
from core.index.index_searcher import IndexSearcher
from core.progress import Job
from core.responses import MEANING, WORDS, Mode, ScoreTerm
from core.search.encodings import EncodedQuery
from core.search.grouping import WORDS_LABEL

WORDS_WEIGHT: Final = 0.15
"""The words' share in a hybrid search with a model that names none (decision record 0006)."""


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
    label = WORDS_LABEL

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

    @property
    def refined(self) -> frozenset[int]:
        """Which passages were compared by all their tokens."""
        return self.candidates.refined

    def best_first(self) -> list[tuple[int, float]]:
        """Return the passages with their scores, the best first."""
        order = self.order
        numbers, scores = self.candidates.passage_ids[order], self.scores[order]
        return list(zip(numbers.tolist(), scores.tolist(), strict=True))

    def terms(self, passage_id: int) -> tuple[ScoreTerm, ...]:
        """Return what the score of one of the candidates is a sum of; () for any other passage."""
        (places,) = np.nonzero(self.candidates.passage_ids == passage_id)
        return tuple(term for place in places.tolist() for term in self._terms(place, passage_id))

    def _terms(self, place: int, passage_id: int) -> Iterator[ScoreTerm]:
        for (scorer, weight), values in zip(self.scorers, self.values, strict=True):
            yield ScoreTerm(
                scorer.name,
                scorer.label,
                weight,
                float(values[place]),
                is_imputed=scorer.name == MEANING and not self.candidates.has_vectors[place],
                is_exact=scorer.name == MEANING and passage_id in self.candidates.refined,
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
    index: IndexSearcher,
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
