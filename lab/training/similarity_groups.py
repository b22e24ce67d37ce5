"""Batches of similar examples, so that a batch's other passages are hard negatives."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lab.training.corpus import words

_BUCKETS = 1024
_ROUNDS = 8


def group_similar(
    texts: Sequence[str], groups: int, generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Split texts into groups of equal size whose texts share rare words.

    The texts are halved recursively along the first principal direction of their weighted words.
    Unlike clusters, the groups are equally large by construction.

    Args:
        texts: a multiple of `groups` texts.
        groups: a power of two.
        generator: for the initial value of each direction.

    Returns:
        (groups, size) int64, the numbers of each group's texts.

    Raises:
        ValueError: the number of texts is not a multiple of `groups`.

    >>> animals, metals = ["wolf fox bear", "bear wolf", "fox wolf"], ["iron zinc", "zinc tin iron"]
    >>> texts = [animals[0], metals[0], animals[1], metals[1]]
    >>> found = group_similar(texts, 2, np.random.default_rng(7))
    >>> sorted(sorted(row) for row in found.tolist())
    [[0, 2], [1, 3]]
    """
    if groups < 1 or groups & (groups - 1) or len(texts) % groups:
        raise ValueError(f"{len(texts)} texts cannot be halved into {groups} groups")
    found = np.arange(len(texts))[None]
    if groups > 1:
        vectors = _weighted_words(texts)
    while len(found) < groups:
        halves = []
        for row in found:
            order = np.argsort(_positions(vectors[row], generator), kind="stable")
            half = len(row) // 2
            halves += [row[order[:half]], row[order[half:]]]
        found = np.stack(halves)
    return found


def _weighted_words(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return (n, buckets) unit vectors of hashed words, weighted by rarity."""
    counts = np.zeros((len(texts), _BUCKETS), dtype=np.float32)
    for row, text in enumerate(texts):
        for word, count in Counter(words(text)).items():
            counts[row, zlib.crc32(word.encode()) % _BUCKETS] += count
    rarity = np.log((1 + len(texts)) / (1 + (counts > 0).sum(axis=0)))
    weighted = np.log1p(counts) * rarity.astype(np.float32)
    norms = np.linalg.norm(weighted, axis=1, keepdims=True)
    scaled: npt.NDArray[np.float32] = weighted / np.maximum(norms, 1e-6)
    return scaled


def _positions(
    vectors: npt.NDArray[np.float32], generator: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Return (n,) coordinates along the first principal direction, by the power method."""
    centred = np.subtract(vectors, vectors.mean(axis=0), dtype=np.float32)
    direction = generator.normal(size=(centred.shape[1],)).astype(np.float32)
    for _ in range(_ROUNDS):
        direction = centred.T @ (centred @ direction)
        direction /= max(float(np.linalg.norm(direction)), 1e-12)
    positions: npt.NDArray[np.float32] = centred @ direction
    return positions
