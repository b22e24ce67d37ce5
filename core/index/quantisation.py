"""Nearest lists of vectors, and the buckets of their residuals."""

from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Floats, Integers

# The possible numbers of bits per dimension of a residual.
BITS: Final = (1, 2, 4)


def even_offsets(lists: int, centroids: int) -> npt.NDArray[np.int64]:
    """Return (K + 1,) the starts of each centroid's lists if all have equally many."""
    return np.arange(centroids + 1, dtype=np.int64) * (lists // centroids)


def half_norms(vectors: Floats) -> Floats:
    """Return (c,) half the squared lengths of (c, d) vectors, for nearest neighbours by products.

    >>> half_norms(np.array([[3, 4], [0, 0]], np.float32)).tolist()
    [12.5, 0.0]
    """
    norms: Floats = np.float32(0.5) * np.einsum("cd,cd->c", vectors, vectors)
    return norms


def nearest_within(
    vectors: Floats,
    centroids: Integers,
    sub_centroids: Floats,
    offsets: Integers,
    norms: Floats | None = None,
) -> npt.NDArray[np.uint16]:
    """Return the nearest list of each vector's centroid.

    Args:
        vectors: (m, d).
        centroids: (m,) their centroids.
        sub_centroids: (c, d) of the lists.
        offsets: (K + 1,) the starts of each centroid's lists in `sub_centroids`.
        norms: (c,) `half_norms` of the `sub_centroids`, if known.

    >>> nearest_within(np.eye(2, dtype=np.float32), np.array([1, 0]),
    ...                np.array([[0, 0], [0, 1], [1, 0]], np.float32), np.array([0, 1, 3])).tolist()
    [2, 0]
    """
    if norms is None:
        norms = half_norms(sub_centroids)
    order = np.argsort(centroids, kind="stable")
    ordered = vectors[order]
    bounds = np.searchsorted(centroids[order], np.arange(len(offsets)))
    nearest = np.empty(len(vectors), dtype=np.uint16)
    begins = offsets.tolist()
    ends = bounds.tolist()
    for centroid in np.flatnonzero(np.diff(bounds)).tolist():
        rows = slice(ends[centroid], ends[centroid + 1])
        lists = slice(begins[centroid], begins[centroid + 1])
        products = ordered[rows] @ sub_centroids[lists].T
        products -= norms[lists]
        nearest[rows] = products.argmax(axis=1)
    nearest += offsets[:-1].astype(np.uint16)[centroids[order]]
    closest = np.empty_like(nearest)
    closest[order] = nearest
    return closest


def buckets(residuals: Floats, bits: int, rounds: int = 40) -> tuple[Floats, Floats]:
    """Return the borders and values of 2**bits buckets with the least squared error on `residuals`.

    ColBERTv2's own code cuts at quantiles and takes the middle quantile of each bucket;
    the means of Lloyd's and Max's quantiser, which starts there, are measurably nearer.

    Args:
        residuals: any shape; a sample of single dimensions of residuals.
        bits: 1, 2 or 4.
        rounds: maximum number of iterations.

    Returns:
        cutoffs (2**bits - 1,) and weights (2**bits,), both float32 and ascending.

    Raises:
        ValueError: `bits` has another value, or the sample is empty.

    Source: S. Lloyd, "Least squares quantization in PCM", 1982; docs/measurements/codec.md.

    >>> cutoffs, weights = buckets(np.array([-3, -2, 2, 3], dtype=np.float32), bits=1)
    >>> cutoffs.tolist(), weights.tolist()
    ([0.0], [-2.5, 2.5])
    """
    if bits not in BITS or residuals.size == 0:
        raise ValueError(f"{bits} bits over {residuals.size} values")
    sample = np.sort(residuals, axis=None).astype(np.float64)
    sums = np.concatenate([[0.0], np.cumsum(sample)])
    cutoffs = np.quantile(sample, np.arange(1, 1 << bits) / (1 << bits))
    weights = cutoffs
    for _ in range(rounds):
        edges = np.concatenate([[0], np.searchsorted(sample, cutoffs), [len(sample)]])
        counts = np.diff(edges)
        centres = np.concatenate([cutoffs[:1], (cutoffs[1:] + cutoffs[:-1]) / 2, cutoffs[-1:]])
        weights = np.where(counts > 0, np.diff(sums[edges]) / np.maximum(counts, 1), centres)
        moved = (weights[1:] + weights[:-1]) / 2
        if np.array_equal(moved, cutoffs):
            break
        cutoffs = moved
    return cutoffs.astype(np.float32), weights.astype(np.float32)
