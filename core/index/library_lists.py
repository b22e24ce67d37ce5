"""Lists of a library's own: learned from its stored codes, and codes put into them.

They change nothing of a code but its list, and so a library has its lists made anew without a
model, without its texts and without loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Floats, Numbers
from core.index.codec import Codes, LibraryLists, ResidualCodec

_VECTORS_PER_LIST: Final = 56
_MOST_LISTS: Final = 60_000
"""About; there can be 65,536, and each base has one at least."""
_SAMPLE_PER_LIST: Final = 32
_ROUNDS: Final = 4
_BLOCK: Final = 32_768


def learn_library_lists(
    codec: ResidualCodec,
    codes: Codes,
    total: int,
    checkpoint: Callable[[], None] = lambda: None,
    seed: int = 7,
) -> LibraryLists:
    """Split each base of `codec` into lists, by a k-means of the vectors that are coded from it.

    Args:
        codec: that the vectors are coded by.
        codes: of an even sample of a library's vectors, in any order.
        total: how many vectors the library has.
        checkpoint: called now and then; what it raises ends the work.
        seed: of where k-means begins.
    """
    plain = replace(codec, library_lists=None)
    generator = np.random.default_rng(seed)
    bases = codec.base_of[codes.list_ids]
    held = np.bincount(bases, minlength=len(codec.residual_bases))
    wanted = min(max(total // _VECTORS_PER_LIST, 1), _MOST_LISTS - len(held))
    shares = np.rint(held * (wanted / max(len(codes), 1))).astype(np.int64)
    centroids: list[Floats] = []
    for base, rows in enumerate(_by_base(bases, held)):
        checkpoint()
        count = int(max(shares[base], 1))
        some = generator.permutation(len(rows))[: count * _SAMPLE_PER_LIST]
        vectors = codec.decode(codes[rows[np.sort(some)]])
        centroids.append(
            _means(vectors, count, generator) if len(rows) else codec.residual_bases[[base]]
        )
    counts = np.array([len(one) for one in centroids], dtype=np.int64)
    of = np.repeat(np.arange(len(centroids)), counts).astype(np.uint16)
    return LibraryLists(counts, *plain.residual_codes(np.concatenate(centroids), of))


def _means(vectors: Floats, count: int, generator: np.random.Generator) -> Floats:
    """(at most `count`, d) means of (m, d) vectors, by k-means; those that none is near go."""
    if count == 1 or len(vectors) <= count:
        mean: Floats = vectors.mean(axis=0, keepdims=True)
        return mean
    centroids = vectors[generator.choice(len(vectors), count, replace=False)]
    for _ in range(_ROUNDS):
        half_norms = 0.5 * np.einsum("cd,cd->c", centroids, centroids)
        nearest = np.argmax(vectors @ centroids.T - half_norms, axis=1)
        order = np.argsort(nearest, kind="stable")
        _, starts = np.unique(nearest[order], return_index=True)
        sizes = np.diff([*starts, len(order)]).astype(np.float32)
        centroids = np.asarray(np.add.reduceat(vectors[order], starts) / sizes[:, None], np.float32)
    return centroids


def recoded(codes: Codes, before: ResidualCodec, after: ResidualCodec) -> Codes:
    """Codes of one codec as those of another that differs in its library's lists alone."""
    bases = before.base_of[codes.list_ids]
    order = np.argsort(bases, kind="stable")
    list_ids = np.empty_like(codes.list_ids)
    for start in range(0, len(order), _BLOCK):
        rows = order[start : start + _BLOCK]
        list_ids[rows] = after.library_list_of(before.decode(codes[rows]), bases[rows])
    return Codes(list_ids, codes.residuals, codes.scales)


def are_alike(one: ResidualCodec, other: ResidualCodec) -> bool:
    """Whether two codecs differ in their library's lists at most."""

    def same(name: str) -> bool:
        ours, theirs = getattr(one, name), getattr(other, name)
        if ours is None or theirs is None:
            return ours is theirs
        return np.array_equal(ours, theirs)

    return all(map(same, ("centroids", "cutoffs", "weights", "sub_centroids", "projection")))


def _by_base(bases: npt.NDArray[np.uint16], held: Numbers) -> Iterator[Numbers]:
    """The rows of each base."""
    order = np.argsort(bases, kind="stable")
    ends = np.cumsum(held)
    return (order[end - count : end] for end, count in zip(ends, held, strict=True))
