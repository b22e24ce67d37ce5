"""All methods of token reduction, including those that the engine does not have.

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
    """A method of token reduction; `core.alignment.reduction` has those of a library."""

    SALIENCE = "salience"
    """The most salient tokens (ALIGNER)."""
    RANDOM = "random"
    """Random tokens, the baseline."""
    IDF = "idf"
    """The tokens that occur in the fewest passages."""
    NORM = "norm"
    """The tokens with the longest vectors before normalisation."""
    POOLING = "pooling"
    """The means of clusters of all tokens."""
    SALIENCE_THEN_POOLING = "salience, then pooling"
    """Prune to the most salient tokens (the kept number and half of the rest), then pool these,
    weighted by salience.
    """
    WEIGHTED_POOLING = "weighted pooling"
    """The means of clusters of all tokens, both weighted by salience."""
    PRUNED_POOLING = "pruned pooling"
    """Weighted pooling of the most salient tokens, `BETA_D` of all."""
    POOLING_OF_SALIENT = "weighted pooling of salient"
    """Weighted pooling of the tokens with non-zero salience."""

    @property
    def is_scored(self) -> bool:
        """Whether the method takes scores; all methods do except plain pooling."""
        return self is not Reduction.POOLING

    @property
    def needs_salience(self) -> bool:
        """Whether the scores are the model's saliences."""
        return "salien" in self or self.is_weighted

    @property
    def is_weighted(self) -> bool:
        """Whether the scores weight the tokens in clustering."""
        return self in {
            Reduction.WEIGHTED_POOLING,
            Reduction.PRUNED_POOLING,
            Reduction.POOLING_OF_SALIENT,
        }

    @property
    def is_pooling(self) -> bool:
        """Whether the kept vectors are means of several tokens."""
        return "pooling" in self


# The share of tokens that are pooled after pruning, as in the built-in models' indexes.
BETA_D: Final = 0.8
WITHOUT_SALIENCE: Final = tuple(one for one in Reduction if not one.needs_salience)


def random_scores(count: int, seed: int) -> Scores:
    """Return (count,) reproducible random scores."""
    return np.random.default_rng(seed).random(count)


def idf_scores(ids: Numbers, offsets: Numbers) -> Scores:
    """Return the inverse document frequency of each token's word piece.

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
    """Reduce the vectors of each passage to each of `shares`, one share after another.

    Tokens are clustered only once where possible.

    Args:
        vectors: (t, d) unit vectors of all passages' tokens, one passage after the other.
        offsets: (p + 1,) where each passage begins, and t.
        shares: beta, each above 0 and up to 1; ceil(share m) of m tokens are kept.
        way: the method of reduction.
        scores: (t,) the tokens' scores: for methods with salience the saliences, at least 0. None
            for plain pooling.

    Raises:
        ValueError: scores are missing or superfluous, or a share is outside its range.
    """
    if way.is_scored != (scores is not None):
        raise ValueError(f"{way} takes {'scores' if way.is_scored else 'no scores'}")
    lengths = np.diff(offsets)
    forest: pooling.Forest | None = None
    clustered = np.ones(len(vectors), dtype=np.bool_)
    for share in shares:
        if not way.is_pooling:
            # Scores may have any range; the highest are kept.
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
        pooled = pooling.pool(vectors, labels, scores)
        stored_counts = np.minimum(counts, np.diff(forest.offsets))
        yield Reduced(pooled, pooling.offsets_of(stored_counts), labels)


def _clustered(way: Reduction, scores: Scores | None, offsets: Numbers, counts: Numbers) -> Flags:
    """Return which tokens are clustered, at least one per passage with tokens."""
    lengths = np.diff(offsets)
    if scores is not None and way is Reduction.POOLING_OF_SALIENT:
        # A passage without salience keeps its first token, as in ranking by salience.
        return (scores > 0) | highest(scores, offsets, np.minimum(lengths, 1))
    if scores is not None and way is Reduction.PRUNED_POOLING:
        return highest(scores, offsets, np.maximum(counts, budget(lengths, BETA_D)))
    if scores is not None and way is Reduction.SALIENCE_THEN_POOLING:
        return highest(scores, offsets, counts + (lengths - counts + 1) // 2)
    return np.ones(int(offsets[-1]), dtype=np.bool_)
