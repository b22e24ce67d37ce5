"""All ways to keep few vectors for many tokens, those that the engine does not have among them.

Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), section 3.2, "Pruning multi-vector
retrieval"; Clavié et al., "Token Pooling", 2024.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

import numpy as np

from core.alignment import pooling, reduction
from core.alignment.pooling import DROPPED, Vectors
from core.alignment.reduction import Reduced, ReductionPolicy, Scores, budget, highest
from core.arrays import Flags, Numbers


class Reduction(StrEnum):
    """A way to keep few vectors for many tokens; core.alignment.reduction has a library's."""

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


def reduce_all(
    vectors: Vectors,
    offsets: Numbers,
    shares: Sequence[float],
    way: Reduction,
    scores: Scores | None = None,
) -> Iterator[Reduced]:
    """Keep each of `shares` of the vectors of each of many passages, one share after another.

    Tokens are clustered once, where that is possible.

    Args:
        vectors: (t, d) unit vectors of all passages' tokens, one passage after the other.
        offsets: (p + 1,) where each passage begins, and t.
        shares: beta, each above 0 and up to 1; ceil(share m) of m tokens are kept.
        way: how they are chosen.
        scores: (t,) how much each token is worth: for the ways with salience the saliences, at
            least 0. None for plain pooling.

    Raises:
        ValueError: scores are missing or unasked for, or a share is outside its range.
    """
    if way.is_scored != (scores is not None):
        raise ValueError(f"{way} takes {'scores' if way.is_scored else 'no scores'}")
    lengths = np.diff(offsets)
    forest: pooling.Forest | None = None
    clustered = np.ones(len(vectors), dtype=np.bool_)
    for share in shares:
        if not way.is_pooling:
            # The highest scores are kept, whatever they are: as a library keeps the most salient.
            yield reduction.reduce(vectors, offsets, share, ReductionPolicy.SALIENCE, scores)
            continue
        counts = budget(lengths, share)
        if forest is None or way is Reduction.SALIENCE_THEN_POOLING:
            clustered = _clustered(way, scores, offsets, counts)
            starts = pooling.offsets_of(clustered)[offsets]
            masses = scores[clustered] if scores is not None and way.is_weighted else None
            forest = pooling.grow(vectors[clustered], starts, masses)
        labels = np.full(len(vectors), DROPPED, dtype=np.int64)
        labels[clustered] = forest.cut(counts)
        few = pooling.pool(vectors, labels, scores)
        kept = np.minimum(counts, np.diff(forest.offsets))
        yield Reduced(few, pooling.offsets_of(kept), labels)


def _clustered(way: Reduction, scores: Scores | None, offsets: Numbers, counts: Numbers) -> Flags:
    """Return which tokens are clustered; of each passage with tokens one at least."""
    lengths = np.diff(offsets)
    if scores is not None and way is Reduction.POOLING_OF_SALIENT:
        # A passage without any salience keeps its first token, as it does where salience ranks.
        return (scores > 0) | highest(scores, offsets, np.minimum(lengths, 1))
    if scores is not None and way is Reduction.SALIENCE_THEN_POOLING:
        return highest(scores, offsets, counts + (lengths - counts + 1) // 2)
    return np.ones(int(offsets[-1]), dtype=np.bool_)
