"""Which vectors a passage keeps when it may keep only a share of its tokens' vectors.

Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), section 3.2, "Pruning multi-vector
retrieval"; Clavié et al., "Token Pooling", 2024.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.alignment import pooling
from core.alignment.pooling import DROPPED, Numbers, Vectors

Scores = npt.NDArray[np.floating[Any]]
Flags = npt.NDArray[np.bool_]


class Reduction(StrEnum):
    """A way to keep few vectors for many tokens."""

    SALIENCE = "salience"
    """The most salient tokens (ALIGNER)."""
    RANDOM = "random"
    """Any tokens: what every other way has to be better than."""
    IDF = "idf"
    """The tokens that are in the fewest passages."""
    NORM = "norm"
    """The tokens with the longest vectors, before they are brought to unit length."""
    POOLING = "pooling"
    """The means of clusters of all tokens."""
    SALIENCE_THEN_POOLING = "salience, then pooling"
    """As many tokens as are kept and half of the rest, the most salient ones; then the clusters'
    means, weighted by salience."""
    WEIGHTED_POOLING = "weighted pooling"
    """The means of clusters of all tokens, both weighted by salience."""
    POOLING_OF_SALIENT = "weighted pooling of salient"
    """The same of those tokens that have any salience."""

    @property
    def is_scored(self) -> bool:
        """Whether it takes scores; all ways do but plain pooling."""
        return self is not Reduction.POOLING

    @property
    def needs_salience(self) -> bool:
        """Whether its scores are the model's saliences."""
        return "salien" in self or self.is_weighted

    @property
    def is_weighted(self) -> bool:
        """Whether scores are the masses by which tokens are clustered."""
        return self in {Reduction.WEIGHTED_POOLING, Reduction.POOLING_OF_SALIENT}

    @property
    def is_pooling(self) -> bool:
        """Whether what it keeps are means of several tokens."""
        return "pooling" in self


WITHOUT_SALIENCE: Final = tuple(one for one in Reduction if not one.needs_salience)


@dataclass(frozen=True)
class Reduced:
    """The vectors that stand for passages' tokens.

    Attributes:
        vectors: (k, d) unit vectors of all passages, one after the other.
        offsets: (p + 1,) where each passage's vectors begin, and k.
        labels: (t,) the number of the vector that stands for each token; DROPPED for none.
    """

    vectors: Vectors
    offsets: Numbers
    labels: Numbers

    @cached_property
    def groups(self) -> list[Numbers]:
        """The tokens that each vector stands for, by their numbers over all passages."""
        return pooling.groups(self.labels)


def budget(lengths: Numbers, share: float) -> Numbers:
    """How many of each passage's tokens `share` keeps: ceil(share m), as in the gate of training.

    Args:
        lengths: (p,) the passages' numbers of tokens, m.
        share: beta, above 0 and up to 1.

    Returns:
        (p,); at least 1, but 0 for a passage without tokens.

    Raises:
        ValueError: `share` is outside its range.

    Source: ALIGNER, section 3.2, k.

    >>> budget(np.array([5, 2, 100, 0]), 0.07).tolist()
    [1, 1, 7, 0]
    """
    if not 0 < share <= 1:
        raise ValueError(f"the share is {share}; it must be above 0 and up to 1")
    # 0.07 * 100 is 7.000000000000001: what is meant decides, not its binary neighbour.
    counts: Numbers = np.ceil(lengths * share - 1e-9).astype(np.int64)
    return counts


def highest(scores: Scores, offsets: Numbers, counts: Numbers) -> Flags:
    """Which tokens are among the highest scores of their passage.

    Args:
        scores: (t,) of all passages' tokens, one passage after the other.
        offsets: (p + 1,) where each passage begins, and t.
        counts: (p,) how many are kept of each.

    Returns:
        (t,); among equals the token that stands first is kept.

    >>> highest(np.array([1, 3, 3, 2, 9]), np.array([0, 4, 5]), np.array([1, 1])).tolist()
    [False, True, False, False, True]
    """
    lengths = np.diff(offsets)
    passages = np.repeat(np.arange(len(lengths)), lengths)
    order = np.lexsort((-scores, passages))
    places = np.arange(len(order)) - np.repeat(offsets[:-1], lengths)
    is_highest = np.zeros(len(order), dtype=np.bool_)
    is_highest[order] = places < np.repeat(counts, lengths)
    return is_highest


def random_scores(count: int, seed: int) -> Scores:
    """(count,) scores by which any token is as likely to be kept as another, the same each time."""
    return np.random.default_rng(seed).random(count)


def idf_scores(ids: Numbers, offsets: Numbers) -> Scores:
    """How telling each token is: the logarithm of the share of passages that hold its word piece.

    Args:
        ids: (t,) vocabulary ids of all passages' tokens, one passage after the other.
        offsets: (p + 1,) where each passage begins, and t.

    Returns:
        (t,) log(p / passages with the token), at least 0.

    >>> idf_scores(np.array([7, 8, 7, 7]), np.array([0, 2, 4])).round(3).tolist()
    [0.0, 0.693, 0.0, 0.0]
    """
    if not len(ids):
        return np.zeros(0)
    passages = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    width = int(ids.max()) + 1
    holders = np.unique(passages * width + ids) % width
    with np.errstate(divide="ignore"):
        idf: Scores = np.log((len(offsets) - 1) / np.bincount(holders, minlength=width))
    return idf[ids]


def reduce(
    vectors: Vectors,
    offsets: Numbers,
    share: float,
    way: Reduction,
    scores: Scores | None = None,
) -> Reduced:
    """Keep `share` of the vectors of each of many passages.

    Args:
        vectors: (t, d) unit vectors of all passages' tokens, one passage after the other.
        offsets: (p + 1,) where each passage begins, and t.
        share: beta, above 0 and up to 1; ceil(share m) of m tokens are kept.
        way: how they are chosen.
        scores: (t,) how much each token is worth: for the ways with salience the saliences, at
            least 0. None for plain pooling.

    Raises:
        ValueError: scores are missing or unasked for, or `share` is outside its range.

    >>> vectors = np.eye(2, dtype=np.float32)[[0, 1, 1]]
    >>> reduced = reduce(vectors, np.array([0, 3]), 0.5, Reduction.POOLING)
    >>> reduced.vectors.tolist(), [group.tolist() for group in reduced.groups]
    ([[1.0, 0.0], [0.0, 1.0]], [[0], [1, 2]])
    """
    return next(reduce_all(vectors, offsets, (share,), way, scores))


def reduce_all(
    vectors: Vectors,
    offsets: Numbers,
    shares: Sequence[float],
    way: Reduction,
    scores: Scores | None = None,
) -> Iterator[Reduced]:
    """`reduce` for each of `shares`; tokens are clustered once, where that is possible."""
    if way.is_scored != (scores is not None):
        raise ValueError(f"{way} takes {'scores' if way.is_scored else 'no scores'}")
    lengths = np.diff(offsets)
    forest: pooling.Forest | None = None
    clustered = np.ones(len(vectors), dtype=np.bool_)
    for counts in [budget(lengths, share) for share in shares]:
        if way.is_pooling:
            if forest is None or way is Reduction.SALIENCE_THEN_POOLING:
                clustered = _clustered(way, scores, offsets, counts)
                starts = pooling.offsets_of(clustered)[offsets]
                masses = scores[clustered] if scores is not None and way.is_weighted else None
                forest = pooling.grow(vectors[clustered], starts, masses)
            labels = np.full(len(vectors), DROPPED, dtype=np.int64)
            labels[clustered] = forest.cut(counts)
            few = pooling.pool(vectors, labels, scores)
            kept = np.minimum(counts, np.diff(forest.offsets))
        else:
            assert scores is not None
            is_kept = highest(scores, offsets, counts)
            labels = np.where(is_kept, np.cumsum(is_kept) - 1, DROPPED)
            few = vectors[is_kept]
            kept = counts
        yield Reduced(few, pooling.offsets_of(kept), labels)


def _clustered(way: Reduction, scores: Scores | None, offsets: Numbers, counts: Numbers) -> Flags:
    """Which tokens are clustered; of each passage with tokens one at least."""
    lengths = np.diff(offsets)
    if scores is not None and way is Reduction.POOLING_OF_SALIENT:
        # A passage without any salience keeps its first token, as it does where salience ranks.
        return (scores > 0) | highest(scores, offsets, np.minimum(lengths, 1))
    if scores is not None and way is Reduction.SALIENCE_THEN_POOLING:
        return highest(scores, offsets, counts + (lengths - counts + 1) // 2)
    return np.ones(int(offsets[-1]), dtype=np.bool_)
