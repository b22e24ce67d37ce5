"""Token pooling: clusters of similar tokens of a passage, and the mean of each cluster.

Ward's clustering is exact. Its reciprocal nearest neighbours may be merged in any order, so all
pairs of a block of passages are merged at once; each round is a few operations on whole
arrays, and there are about as many rounds as the logarithm of a passage's tokens, with a tail that
is skipped unless very few clusters are requested. Distances are computed from the clusters' means,
so that errors do not accumulate. One core of a busy machine clusters some 120 thousand tokens a
second, in passages of 130.

Source: Clavié, Chaffin and Adams, "Reducing the Footprint of Multi-Vector Retrieval with Minimal
Performance Impact via Token Pooling", 2024; Murtagh, "A survey of recent advances in hierarchical
clustering algorithms", 1983 (reciprocal nearest neighbours).
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Numbers

Vectors = npt.NDArray[np.floating[Any]]

# The cluster of a token that belongs to none.
DROPPED: Final = -1

# A mean of length r is scaled to length r ** -LENGTHENING. A query token is compared with the
# nearest passage token, which is nearer than the mean of a cluster; the difference grows with the
# spread of the cluster, which makes the mean shorter. At 1, the mean's product with its own tokens
# would be 1 on average (docs/measurements/pruning.md).
LENGTHENING: Final = 0.5
# Lower limit of a mean's length: the mean of very unlike tokens is near zero.
SHORTEST: Final = 0.5
_LEAST_WEIGHT: Final = 1e-6
_BLOCK_CELLS: Final = 1 << 18  # distances per block: they stay in the cache
_PRODUCT_CELLS: Final = 1 << 18


@dataclass(frozen=True, slots=True)
class Forest:
    """The order in which tokens of passages are merged: one tree per passage.

    A cluster is named by its first token. When two clusters merge, the one with the later token is
    absorbed: the cluster of token t was merged into that of `parents[t]` at `heights[t]`.

    Attributes:
        offsets: (p + 1,) the start of each passage's tokens among the t tokens of all passages.
        parents: (t,) token numbers, counted over all passages; a passage's first is its own.
        heights: (t,) the increase of the sum of squared distances from the means by the merge;
            infinite for a passage's first token, and for tokens that were not merged.
        rounds: (t,) the round of the merge; it depends only on merges of lower rounds.
    """

    offsets: Numbers
    parents: Numbers
    heights: Vectors
    rounds: Numbers

    def cut(self, counts: Numbers) -> Numbers:
        """Cut the trees into `counts` clusters.

        Args:
            counts: (p,) clusters of each passage, at least 1 if it has tokens; a passage with fewer
                tokens has one cluster per token.

        Returns:
            (t,) cluster numbers from 0, counted over all passages, in the order of the clusters'
            first tokens.

        Raises:
            ValueError: there is not one count per passage, or a count is below 1 or `down_to`.
        """
        lengths = np.diff(self.offsets)
        if counts.shape != lengths.shape or np.any((counts < 1) & (lengths > 0)):
            raise ValueError("each passage needs a count of at least 1")
        passages = np.repeat(np.arange(len(lengths)), lengths)
        order = np.lexsort((self.rounds, self.heights, passages))
        positions = np.arange(len(order)) - np.repeat(self.offsets[:-1], lengths)
        is_merged = np.zeros(len(order), dtype=np.bool_)
        is_merged[order] = positions < np.repeat(lengths - counts, lengths)
        if np.isinf(self.heights[is_merged]).any():
            raise ValueError("the trees were not grown down to so few clusters")
        roots = np.where(is_merged, self.parents, np.arange(len(order)))
        while True:
            further = roots[roots]
            if np.array_equal(further, roots):
                break
            roots = further
        group_ids: Numbers = np.cumsum(~is_merged) - 1
        return group_ids[roots]


def ward(vectors: Vectors, count: int, weights: Vectors | None = None) -> Numbers:
    """Return the cluster of each token of one passage, by Ward's method.

    Repeatedly merge the two clusters that add least to the weighted sum of squared distances of all
    tokens from the means of their clusters.

    Args:
        vectors: (m, d) floating.
        count: number of clusters, at least 1.
        weights: (m,) weights of the tokens, at least 0; None if all are equal. A zero weight is
            replaced by a tiny one, so that the token joins the nearest cluster.

    Returns:
        (m,) cluster numbers from 0 to min(m, count) - 1, in the order of their first tokens.

    Raises:
        ValueError: `count` is less than 1, or a weight is negative or NaN.

    Source: Ward, "Hierarchical grouping to optimize an objective function", 1963.

    >>> vectors = np.array([[1, 0], [0, 1], [0.9, 0.1], [0, 1]])
    >>> ward(vectors, 2).tolist(), ward(vectors, 3).tolist()
    ([0, 1, 0, 1], [0, 1, 2, 1])
    """
    counts = np.array([count])
    return grow(vectors, np.array([0, len(vectors)]), weights, counts).cut(counts)


def grow(
    vectors: Vectors,
    offsets: Numbers,
    weights: Vectors | None = None,
    down_to: Numbers | None = None,
) -> Forest:
    """Build Ward's trees of many passages, which can be cut into any number of clusters.

    Args:
        vectors: (t, d) floating; of all passages, concatenated.
        offsets: (p + 1,) the start of each passage, and t.
        weights: (t,) as in `ward`.
        down_to: (p,) the smallest number of clusters that will be cut, so that merging can stop
            there; None for 1.

    Raises:
        ValueError: a weight is negative or NaN.
    """
    kind = np.float64 if vectors.dtype == np.float64 else np.float32
    masses: Vectors = np.ones(len(vectors), kind) if weights is None else weights.astype(kind)
    if not np.isfinite(masses).all() or masses.min(initial=0) < 0:
        raise ValueError("a weight is negative or no number")
    # The result does not depend on the scale of the weights.
    masses = np.maximum(masses / max(masses.max(initial=0), np.finfo(kind).tiny), _LEAST_WEIGHT)
    forest = Forest(
        offsets=offsets.astype(np.int64),
        parents=np.arange(len(vectors)),
        heights=np.full(len(vectors), np.inf, kind),
        rounds=np.zeros(len(vectors), dtype=np.int64),
    )
    lengths = np.diff(offsets)
    order = np.argsort(lengths, kind="stable")
    order = order[lengths[order] > 1]
    start = 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (stop + 1 - start) * lengths[order[stop]] ** 2 <= _BLOCK_CELLS:
            stop += 1
        _grow_block(vectors, masses, forest, order[start:stop], down_to)
        start = stop
    return forest


def pool(vectors: Vectors, labels: Numbers, weights: Vectors | None = None) -> Vectors:
    """Return the mean of each cluster's vectors, lengthened by the spread of the cluster.

    Args:
        vectors: (m, d) floating, of unit length.
        labels: (m,) consecutive cluster numbers from 0; DROPPED for tokens without a cluster.
        weights: (m,) each token's weight in the mean, at least 0; if all weights of a cluster are
            zero, its tokens count equally.

    Returns:
        (k, d) in the dtype of `vectors`, k the number of clusters: each mean, of length r, scaled
        to length r ** -`LENGTHENING`; a zero mean stays zero.

    >>> vectors = np.array([[1, 0], [0, 1], [1, 0]], dtype=np.float64)
    >>> pool(vectors, np.array([0, 0, 1])).round(3).tolist()
    [[0.841, 0.841], [1.0, 0.0]]
    >>> pool(vectors, np.array([0, 0, 1]), np.array([3.0, 4.0, 0.0])).round(3).tolist()
    [[0.71, 0.947], [1.0, 0.0]]
    """
    kind = np.float32 if vectors.dtype == np.float16 else vectors.dtype
    is_kept = labels != DROPPED
    group_ids, members = labels[is_kept], vectors[is_kept].astype(kind)
    count = int(group_ids.max(initial=-1)) + 1
    shares = np.ones(len(group_ids), kind)
    if weights is not None:
        shares = parts(group_ids, weights[is_kept].astype(kind), count)
        members *= shares[:, None]
    # Add the first token of every cluster, then the second: `add.at` would take five times as long
    # for the same additions in the same order.
    order = np.argsort(group_ids, kind="stable")
    sizes = np.bincount(group_ids, minlength=count)
    begins = np.cumsum(sizes) - sizes
    sums = members[order[begins]]
    for position in range(1, sizes.max(initial=0)):
        larger = np.flatnonzero(sizes > position)
        sums[larger] += members[order[begins[larger] + position]]
    norms = np.maximum(np.linalg.norm(sums, axis=1), np.finfo(kind).tiny)
    lengths = np.maximum(norms / np.bincount(group_ids, shares, count), SHORTEST) ** -LENGTHENING
    means: Vectors = (sums * (lengths / norms)[:, None]).astype(vectors.dtype)
    return means


def offsets_of(lengths: npt.ArrayLike) -> Numbers:
    """Return the start offsets of consecutive texts of these lengths, and the last one's end.

    >>> offsets_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def parts(labels: Numbers, weights: Vectors, count: int) -> Vectors:
    """Return each token's weight in its cluster, or 1 if all weights of the cluster are zero.

    Args:
        labels: (m,) cluster numbers; none is DROPPED.
        weights: (m,) at least 0.
        count: of clusters.

    >>> parts(np.array([0, 0, 1]), np.array([3.0, 0.0, 0.0]), 2).tolist()
    [3.0, 0.0, 1.0]
    """
    heaviest = np.zeros(count, weights.dtype)
    np.maximum.at(heaviest, labels, weights)
    return np.where(heaviest[labels] > 0, weights, weights.dtype.type(1))


def groups(labels: Numbers) -> list[Numbers]:
    """Return the positions of each cluster's tokens, in ascending order.

    >>> [group.tolist() for group in groups(np.array([0, 1, DROPPED, 0]))]
    [[0, 3], [1]]
    """
    order = np.argsort(labels, kind="stable")
    order = order[np.searchsorted(labels[order], 0) :]
    return [] if not len(order) else np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)


def _grow_block(
    vectors: Vectors, masses: Vectors, forest: Forest, passages: Numbers, down_to: Numbers | None
) -> None:
    """Fill in the trees of `passages` with at least two tokens.

    The clusters of a round are the columns of arrays with one row per passage, in the order of
    their first tokens; columns after a passage's last cluster are empty.
    """
    starts = forest.offsets[passages]
    alive = forest.offsets[passages + 1] - starts
    columns = np.arange(alive.max())
    # Padded with the passage's first token, at weight zero.
    firsts = starts[:, None] + np.where(columns < alive[:, None], columns, 0)
    means = vectors[firsts].astype(masses.dtype)
    weights = np.where(columns < alive[:, None], masses[firsts], 0)
    levels = np.zeros_like(weights)
    tokens, lengths = firsts, alive
    fewest = np.ones_like(alive) if down_to is None else down_to[passages]
    group_id = 0
    while alive.max() > 1:
        group_id += 1
        rows, left, right, costs, lowest = _reciprocal(means, weights)
        if np.all(alive <= fewest):
            # Further merges cost at least as much, and are not needed for the requested numbers.
            sooner = np.count_nonzero(forest.heights[tokens] <= lowest[:, None], axis=1)
            if np.all(sooner >= lengths - fewest):
                break
        loser = firsts[rows, right]
        # Because of rounding, a merge may seem cheaper than one that it depends on.
        costs = np.maximum(costs, np.maximum(levels[rows, left], levels[rows, right]))
        forest.parents[loser] = firsts[rows, left]
        forest.heights[loser] = costs
        forest.rounds[loser] = group_id
        levels[rows, left] = costs
        share = weights[rows, right] / (weights[rows, left] + weights[rows, right])
        means[rows, left] += share[:, None] * (means[rows, right] - means[rows, left])
        weights[rows, left] += weights[rows, right]
        weights[rows, right] = 0
        alive = np.count_nonzero(weights, axis=1)
        order = np.argsort(weights == 0, axis=1, kind="stable")[:, : alive.max()]
        order += np.arange(len(order))[:, None] * weights.shape[1]
        # `take` on rows is ten times as fast here as `take_along_axis`.
        means = means.reshape(-1, means.shape[2]).take(order, axis=0)
        firsts, weights, levels = (array.take(order) for array in (firsts, weights, levels))


def _products(means: Vectors) -> Vectors:
    """Return the (b, m, m) products of (b, m, d) vectors with each other."""
    b, m, d = means.shape
    products = np.empty((b, m, m), means.dtype)
    columns = np.ascontiguousarray(means.transpose(0, 2, 1))
    # Products so small that OpenBLAS runs each on one thread: synchronising threads between them is
    # a hundred times slower on a busy machine.
    step = max(1, _PRODUCT_CELLS // (m * d))
    for start in range(0, m, step):
        rows = slice(start, start + step)
        np.matmul(means[:, rows], columns, out=products[:, rows])
    return products


def _reciprocal(
    means: Vectors, weights: Vectors
) -> tuple[Numbers, Numbers, Numbers, Vectors, Vectors]:
    """Return the reciprocal nearest neighbours: row, left and right column, cost.

    The last array is (b,) the lowest cost of each row, infinite if one cluster remains.

    The cost of a merge is w v / (w + v) times the squared distance of the means, where w and v are
    the clusters' weights.
    """
    squares = np.einsum("bmd,bmd->bm", means, means)
    with np.errstate(divide="ignore"):
        inverse = 1 / weights  # infinite for an empty column
    costs = _products(means)
    costs *= -2
    costs += squares[:, :, None]
    costs += squares[:, None, :]
    np.maximum(costs, 0, out=costs)
    costs /= inverse[:, :, None] + inverse[:, None, :]
    is_empty = weights == 0
    costs[is_empty] = np.inf
    costs.transpose(0, 2, 1)[is_empty] = np.inf
    diagonal = np.arange(weights.shape[1])
    costs[:, diagonal, diagonal] = np.inf
    nearest = costs.argmin(axis=2)
    lowest = np.take_along_axis(costs, nearest[:, :, None], axis=2)[:, :, 0]
    # The nearest two of all are reciprocal, despite ties and rounding.
    every = np.arange(len(weights))
    best = lowest.argmin(axis=1)
    nearest[every, nearest[every, best]] = best
    is_pair = np.take_along_axis(nearest, nearest, axis=1) == diagonal
    rows, left = np.nonzero(is_pair & (nearest > diagonal) & np.isfinite(lowest))
    right = nearest[rows, left]
    return rows, left, right, lowest[rows, left], lowest[every, best]
