"""Score and sort candidates.

A score is a sum of named, weighted terms, one per `Scorer`. To add a term, write its class next to
`MeaningScorer` and give it a weight in `RankingConfig`: the results, `winnow explain` and the
window's inspector take it from there. The window translates its label.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
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
from core.search.evidence_terms import EVIDENCE
from core.search.grouping import WORDS_LABEL

# The share of words in a hybrid score, unless the model has its own (decision record 0006).
WORDS_WEIGHT: Final = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The p passages to score.

    Attributes:
        passage_ids: (p,) int64.
        bm25: (p,) float32, 0 for a passage without the query's words.
        similarity: (p,) float32, mean similarity of the aligned tokens (ALIGNER, eq. 1); NaN
            without vectors, or if meaning does not count.
        by_words: the passages found by words.
        by_meaning: the passages found by the probe.
        is_everything: whether there are no others.
        evidence: (p, e) of the documents' names, titles and whole texts, a column for each of the
            terms in `EVIDENCE`.
        refined: the passages compared by all their tokens. They rank above the others, whose
            similarities are of fewer vectors and not comparable.
        summaries: (p, d) the vectors of the whole passages; NaN for a passage without one. None if
            the index has none.
    """

    passage_ids: Numbers
    bm25: Floats
    similarity: Floats
    by_words: frozenset[int]
    by_meaning: frozenset[int]
    is_everything: bool
    evidence: Floats
    refined: frozenset[int] = frozenset()
    summaries: Floats | None = None

    @property
    def has_vectors(self) -> Flags:
        """Return (p,) whether a passage was compared by its vectors."""
        return ~np.isnan(self.similarity)

    @property
    def bm25_shares(self) -> Floats:
        """Return (p,) BM25 scores divided by the best one."""
        best = self.bm25.max(initial=0)
        return self.bm25 / best if best > 0 else np.zeros_like(self.bm25)

    def including(self, passage_id: int, bm25: float, evidence: Floats) -> Candidates:
        """Return the candidates and one more passage, which is not compared yet."""
        return replace(
            self,
            passage_ids=np.append(self.passage_ids, passage_id),
            bm25=np.append(self.bm25, np.float32(bm25)),
            similarity=np.append(self.similarity, np.float32(np.nan)),
            summaries=None,
            evidence=np.concatenate((self.evidence, evidence)),
        )

    def only(self, selected: Flags) -> Candidates:
        """Return the candidates in a mask of (p,)."""
        return replace(
            self,
            passage_ids=self.passage_ids[selected],
            bm25=self.bm25[selected],
            similarity=self.similarity[selected],
            summaries=None if self.summaries is None else self.summaries[selected],
            evidence=self.evidence[selected],
        )


class Scorer(Protocol):
    """One term of a score."""

    name: str
    label: Message
    """Its name in explanations; the window translates it."""

    def values(self, db: sqlite3.Connection, candidates: Candidates) -> Floats:
        """Return (p,) float32, at most 1 if the term is weighed against others."""


class MeaningScorer:
    """The mean similarity of the aligned tokens.

    For a passage without vectors it is imputed from BM25: between the least and the greatest
    similarity, as its BM25 score is between 0 and the best.

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


@dataclass(slots=True)
class EvidenceScorer:
    """A kind of evidence for the document, in a search by words and meaning.

    Attributes:
        column: its column of the candidates' evidence.
    """

    name: str
    label: Message
    column: int

    def values(self, _db: sqlite3.Connection, candidates: Candidates) -> Floats:
        return candidates.evidence[:, self.column]


_OF_DOCUMENTS: Final[tuple[tuple[Scorer, float], ...]] = tuple(
    (EvidenceScorer(term.name, term.label, column), term.weight)
    for column, term in enumerate(EVIDENCE)
)
# In searches by meaning alone.
_OF_QUOTATIONS: Final = _OF_DOCUMENTS[-1:]


class Bm25Scorer:
    """The BM25 score, in a search by words only."""

    name = WORDS
    label = WordsScorer.label

    def values(self, _db: sqlite3.Connection, candidates: Candidates) -> Floats:
        return candidates.bm25


# Candidates whose scores are averaged for `SimilarPassagesScorer`.
_NEAREST: Final = 3


@dataclass(frozen=True, slots=True)
class SimilarPassagesScorer:
    """The mean score of the three candidates most similar to a passage, by their summaries.

    Passages on one subject answer a query alike, so a score that differs from those of similar
    passages is probably off. A passage without a summary, or similar ones, keeps its own score.

    Attributes:
        scorers: the terms of the averaged scores, and their weights.

    Source: Diaz, "Regularizing ad hoc retrieval scores", 2005.

    >>> from contextlib import closing
    >>> axes = np.eye(3, dtype=np.float32)
    >>> candidates = Candidates(np.arange(4), np.zeros(4, np.float32),
    ...     np.array([0.8, 0.4, 0.6, 0.5], np.float32), frozenset(), frozenset(), True,
    ...     np.zeros((4, 6), np.float32),
    ...     summaries=axes[[0, 0, 0, 1]])
    >>> with closing(sqlite3.connect(":memory:")) as db:
    ...     means = SimilarPassagesScorer(((MeaningScorer(), 1.0),)).values(db, candidates)
    >>> [round(mean, 2) for mean in means.tolist()]
    [0.5, 0.7, 0.6, 0.5]
    """

    scorers: tuple[tuple[Scorer, float], ...]

    name = "similar"
    label = Message("Similar passages")

    def values(self, db: sqlite3.Connection, candidates: Candidates) -> Floats:
        own: Floats = sum_of_terms(self.scorers, db, candidates)[1]
        summaries = candidates.summaries
        if summaries is None or len(own) < 2:
            return own
        lengths = np.linalg.norm(summaries, axis=1, keepdims=True)
        units = np.nan_to_num(summaries / np.maximum(lengths, np.finfo(np.float32).tiny))
        cosines = np.maximum(units @ units.T, 0)
        np.fill_diagonal(cosines, 0)
        count = min(_NEAREST, len(own) - 1)
        nearest = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
        shares = np.take_along_axis(cosines, nearest, axis=1)
        totals = shares.sum(axis=1)
        means = (shares * own[nearest]).sum(axis=1) / np.maximum(totals, np.finfo(np.float32).tiny)
        return np.where(totals > 0, means, own).astype(np.float32)


@dataclass(frozen=True, slots=True)
class RankingConfig:
    """The weights of the terms of a score.

    Attributes:
        words: the share of words in a hybrid score, from 0 to 1. It depends on the spread of a
            model's similarities, so a model may have its own.
        similar: the share of similar passages in a score with meaning, from 0 to 1.

    Compared with reciprocal ranks and other norms in docs/measurements/ranking.md.
    """

    words: float = WORDS_WEIGHT
    similar: float = 0.0

    @classmethod
    def of_model(cls, folder: Path) -> RankingConfig:
        """Return the configuration for the model in a folder.

        In its config.json, `words_weight` and `similar_weight` are the two weights.
        """
        file = folder / "config.json"
        return _config_of(file, file.stat().st_mtime_ns) if file.is_file() else cls()

    def scorers(
        self, *, words: bool, meaning: bool, readable_share: float = 1.0, summaries: bool = False
    ) -> tuple[tuple[Scorer, float], ...]:
        """Return the terms of a score and their weights.

        If the model can read only a part of the query, the weight of meaning shrinks to that part,
        and words have the rest. Only with `summaries` similar passages count.

        >>> [round(weight, 2) for _, weight in RankingConfig(0.2).scorers(
        ...     words=True, meaning=True, readable_share=0.5)]
        [0.4, 0.6, 0.9, 0.35, 0.1, 0.2, 0.3, -0.2]
        """
        if not meaning:
            return ((Bm25Scorer(), 1.0),)
        terms: tuple[tuple[Scorer, float], ...] = ((MeaningScorer(), 1.0),)
        of_documents = _OF_QUOTATIONS
        if words:
            by_meaning = (1 - self.words) * readable_share
            terms = ((MeaningScorer(), by_meaning), (WordsScorer(), 1 - by_meaning))
            of_documents = _OF_DOCUMENTS
        if not summaries or not self.similar:
            return (*terms, *of_documents)
        own = tuple((scorer, (1 - self.similar) * weight) for scorer, weight in terms)
        return (*own, (SimilarPassagesScorer(terms), self.similar), *of_documents)


@lru_cache(maxsize=8)
def _config_of(file: Path, _mtime_ns: int) -> RankingConfig:
    """Read a configuration; cached until the file changes."""
    config = json.loads(file.read_text("utf-8"))
    words = float(config.get("words_weight", WORDS_WEIGHT))
    return RankingConfig(words, float(config.get("similar_weight", 0.0)))


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
        """Return (p,) the rows of the candidates, best first; ties keep their order."""
        refined = np.isin(self.candidates.passage_ids, list(self.candidates.refined))
        return np.lexsort((-self.scores, ~refined))

    @property
    def refined(self) -> frozenset[int]:
        """Which passages were compared by all their tokens."""
        return self.candidates.refined

    def best_first(self) -> list[tuple[int, float]]:
        """Return passages with their scores, best first."""
        order = self.order
        passage_ids, scores = self.candidates.passage_ids[order], self.scores[order]
        return list(zip(passage_ids.tolist(), scores.tolist(), strict=True))

    def terms(self, passage_id: int) -> tuple[ScoreTerm, ...]:
        """Return the terms of a candidate's score; () for any other passage."""
        (rows,) = np.nonzero(self.candidates.passage_ids == passage_id)
        return self._terms(int(rows[0])) if len(rows) else ()

    def _terms(self, row: int) -> tuple[ScoreTerm, ...]:
        passage_id = int(self.candidates.passage_ids[row])
        has_vectors = not np.isnan(self.candidates.similarity[row])
        is_refined = passage_id in self.candidates.refined
        terms = []
        for (scorer, weight), values in zip(self.scorers, self.values, strict=True):
            is_meaning = scorer.name == MEANING
            terms.append(
                ScoreTerm(
                    scorer.name,
                    scorer.label,
                    weight,
                    float(values[row]),
                    is_imputed=is_meaning and not has_vectors,
                    is_exact=is_meaning and is_refined,
                )
            )
        return tuple(terms)

    def found_by(self, passage_id: int) -> tuple[Mode, ...]:
        """Return the modes that found a passage."""
        ways = ((Mode.WORDS, self.candidates.by_words), (Mode.MEANING, self.candidates.by_meaning))
        return tuple([mode for mode, matching in ways if passage_id in matching])


def rank(
    db: sqlite3.Connection, candidates: Candidates, scorers: Sequence[tuple[Scorer, float]]
) -> Ranking:
    """Score candidates by the weighted sum of some terms.

    >>> from contextlib import closing
    >>> pair = Candidates(np.arange(2), np.array([0, 5], np.float32),
    ...     np.array([0.8, 0.4], np.float32), frozenset({1}), frozenset({0, 1}), True,
    ...     np.zeros((2, 6), np.float32))
    >>> scorers = RankingConfig(0.25).scorers(words=True, meaning=True)
    >>> with closing(sqlite3.connect(":memory:")) as db:
    ...     ranking = rank(db, pair, scorers)
    >>> [round(score, 2) for score in ranking.scores.tolist()], ranking.order.tolist()
    ([0.6, 0.55], [0, 1])
    >>> [(term.name, round(term.adds, 2)) for term in ranking.terms(1)][:2]
    [('meaning', 0.3), ('words', 0.25)]
    """
    values, scores = sum_of_terms(scorers, db, candidates)
    return Ranking(candidates, tuple(scorers), values, scores)


def sum_of_terms(
    scorers: Sequence[tuple[Scorer, float]], db: sqlite3.Connection, candidates: Candidates
) -> tuple[tuple[Floats, ...], Floats]:
    """Return (p,) the values of each term, and (p,) float32 their weighted sums."""
    values = tuple(scorer.values(db, candidates) for scorer, _ in scorers)
    scores = np.zeros(len(candidates.passage_ids), dtype=np.float32)
    for (_, weight), term in zip(scorers, values, strict=True):
        scores = scores + weight * term
    return values, scores.astype(np.float32)


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
        # By the compiled loop over the stored vectors.
        values = index.score(query.vectors.weighted, passage_ids, job).of(passage_ids)
        return np.tile(values, (len(strategies), 1))
    scores = np.full((len(strategies), len(passage_ids)), np.nan, dtype=np.float32)
    vectors = index.vectors(passage_ids.tolist())
    lengths = passages.lengths(db, passage_ids.tolist())
    for row, passage_id in enumerate(passage_ids.tolist()):
        job.checkpoint()
        if passage_id in vectors:
            own = vectors[passage_id].vectors
            scores[:, row] = query.scores(own, strategies, lengths.get(passage_id))
    return scores
