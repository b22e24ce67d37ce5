"""From candidates to ranked documents: compared in full, fused, put in order, grouped.

A passage's score is a weighted mean of its mean similarity (ALIGNER, eq. 1) and its BM25 score as a
share of the best one for the query. Both lie between 0 and 1 and depend on nothing but the query
and the passage, so that the order does not change with what else was looked at.
Measured against reciprocal ranks and other norms in docs/decisions/0006-fusion.md.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.alignment.pairwise import AlignmentStrategy
from core.arrays import Floats, Numbers
from core.catalog import passages
from core.catalog.scope import Scope
from core.index.token_index import TokenIndex
from core.progress import Job
from core.search import word_query
from core.search.encoded_query import EncodedQuery
from core.search.query import Query
from core.search.results import Mode, ScoreParts


@dataclass(frozen=True, slots=True)
class Ranked:
    """Passages in the order of their scores, and which way found each.

    `parts` gives what the score of each is made of, by its number; None for words alone.
    """

    passages: Numbers
    scores: Floats
    by_words: frozenset[int]
    by_meaning: frozenset[int]
    is_everything: bool
    parts: Callable[[int], ScoreParts] | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """Passages that are compared in full: found by their words, with BM25 scores, or by meaning."""

    numbers: Numbers
    by_words: dict[int, float]
    by_meaning: frozenset[int]
    is_everything: bool

    def words_of(self, numbers: Numbers) -> Floats:
        """(p,) the BM25 scores of passages, 0 for those that have none of the words."""
        return np.array([self.by_words.get(one, 0) for one in numbers.tolist()], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query made ready: its text, its telling words, and its vectors where meaning counts."""

    query: Query
    expression: str
    encoded: EncodedQuery | None
    scope: Scope


@dataclass(frozen=True, slots=True)
class Found:
    """Passages (number, score) grouped by document (its number), both best first."""

    groups: dict[int, list[tuple[int, float]]]
    ranked: Ranked

    def ways(self, passage_id: int) -> tuple[Mode, ...]:
        """Which ways found a passage."""
        ways = []
        if passage_id in self.ranked.by_words:
            ways.append(Mode.WORDS)
        if passage_id in self.ranked.by_meaning:
            ways.append(Mode.MEANING)
        return tuple(ways)

    def parts(self, passage_id: int) -> ScoreParts | None:
        """What a passage's score is made of; None for words alone."""
        return self.ranked.parts(passage_id) if self.ranked.parts is not None else None


@dataclass(frozen=True, slots=True)
class Compared:
    """The p candidates of a query with their (s, p) scores under s alignments."""

    numbers: Numbers
    scores: Floats


def refine(
    db: sqlite3.Connection,
    index: TokenIndex,
    query: EncodedQuery,
    numbers: Numbers,
    strategies: Sequence[AlignmentStrategy],
    job: Job | None = None,
) -> Floats:
    """The similarities of p passages under each of s alignments.

    Returns:
        (s, p); NaN for passages without vectors.

    Raises:
        Cancelled: the job was cancelled.

    Source: ALIGNER, section 3.1: the alignment concerns the refinement stage only.
    """
    job = job or Job()
    if all(one.is_top_1 for one in strategies):
        # Where the vectors lie, by the compiled loop.
        values = index.score(query.vectors.weighted, numbers, job).of(numbers)
        return np.tile(values, (len(strategies), 1))
    refined = np.full((len(strategies), len(numbers)), np.nan, dtype=np.float32)
    vectors = index.vectors(numbers.tolist())
    lengths = passages.lengths(db, numbers.tolist())
    for place, number in enumerate(numbers.tolist()):
        job.checkpoint()
        if number in vectors:
            own = vectors[number].vectors
            refined[:, place] = query.scores(own, strategies, lengths.get(number))
    return refined


@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """The scores of p passages, and what they are made of.

    Attributes:
        scores: (p,) float32.
        meaning: (p,) mean similarities; imputed where there are no vectors yet.
        is_imputed: (p,) where that is so.
        shares: (p,) BM25 scores as shares of the best one.
        words_weight: how much the latter count.
    """

    scores: Floats
    meaning: Floats
    is_imputed: npt.NDArray[np.bool_]
    shares: Floats
    words_weight: float

    def parts(self, place: int) -> ScoreParts:
        """What the score at `place` is made of."""
        return ScoreParts(
            meaning=float(self.meaning[place]),
            words=float(self.shares[place]),
            words_weight=self.words_weight,
            is_imputed=bool(self.is_imputed[place]),
        )


def fuse(meaning: Floats, words: Floats, words_weight: float) -> Fused:
    """The fused scores of p passages.

    Args:
        meaning: (p,) mean similarities; NaN for a passage that has no vectors yet. Its words then
            speak for its meaning too: it is put between the least and the greatest similarity as
            its BM25 score lies between 0 and the best.
        words: (p,) BM25 scores, 0 for a passage that has none of the words.
        words_weight: from 0 (meaning alone) to 1 (words alone).

    >>> fused = fuse(np.array([0.8, 0.4], np.float32), np.array([0, 5], np.float32), 0.25)
    >>> fused.scores.tolist()
    [0.6000000238418579, 0.550000011920929]
    """
    is_imputed = np.isnan(meaning)
    known = meaning[~is_imputed]
    least, greatest = (known.min(), known.max()) if len(known) else (0, 1)
    best = words.max(initial=0)
    shares = words / best if best > 0 else np.zeros_like(words)
    whole = np.where(is_imputed, least + shares * (greatest - least), meaning)
    scores = (1 - words_weight) * whole + words_weight * shares
    return Fused(scores.astype(np.float32), whole, is_imputed, shares, words_weight)


_PASSAGES_SHOWN: Final = 4
"""Passages of one document that are given with it."""


def group(db: sqlite3.Connection, query: Query, ranked: Ranked, limit: int) -> Found:
    """The first `limit` documents of a ranking, each with its best passages."""
    groups: dict[int, list[tuple[int, float]]] = {}
    step = max(4 * limit, 50)
    for start in range(0, len(ranked.passages), step):
        numbers = ranked.passages[start : start + step].tolist()
        of = passages.document_of(db, numbers)
        if word_query.are_checked(query):
            of = {number: of[number] for number in accepted(db, query, numbers)}
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
    return Found(groups, ranked)


def accepted(db: sqlite3.Connection, query: Query, numbers: Sequence[int]) -> set[int]:
    """Those of the passages in which the query's phrases stand, and no unwanted one."""
    return {
        number
        for number, one in passages.fetch(db, numbers).items()
        if word_query.accepts(query, (one.text, one.context))
    }


def newest(db: sqlite3.Connection, asked: Asked, limit: int) -> Found:
    """Documents by their age alone; phrases are left out by their words' stems here."""
    scope = asked.scope & Scope(without_words=asked.query.unwanted_phrases)
    nothing = np.empty(0, dtype=np.int64)
    ranked = Ranked(nothing, nothing.astype(np.float32), frozenset(), frozenset(), True)
    listed = passages.newest(db, scope, limit)
    return Found({document: [(number, 0.0)] for document, number in listed.items()}, ranked)
