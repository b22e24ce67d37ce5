"""Cells of a library's own: learned from its stored codes, and codes put into them.

They change nothing of a code but its cell, and so a library has its lists made anew without a
model, without its texts and without loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from core.index.cells import OwnCells
from core.index.codec import Codes, ResidualCodec

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

_VECTORS_PER_CELL: Final = 56
_MOST_CELLS: Final = 60_000
"""About; 65,536 can be told, and each origin has one at least."""
_SAMPLE_PER_CELL: Final = 32
_ROUNDS: Final = 4
_BLOCK: Final = 32_768


def learn_own_cells(
    codec: ResidualCodec,
    codes: Codes,
    total: int,
    checkpoint: Callable[[], None] = lambda: None,
    seed: int = 7,
) -> OwnCells:
    """Split each origin of `codec` into cells, by a k-means of the vectors that are told from it.

    Args:
        codec: that the vectors are coded by.
        codes: of an even sample of a library's vectors, in any order.
        total: how many vectors the library has.
        checkpoint: called now and then; what it raises ends the work.
        seed: of where k-means begins.
    """
    plain = replace(codec, own_cells=None)
    generator = np.random.default_rng(seed)
    origins = codec.origin_of[codes.cells]
    held = np.bincount(origins, minlength=len(codec.origins))
    wanted = min(max(total // _VECTORS_PER_CELL, 1), _MOST_CELLS - len(held))
    shares = np.rint(held * (wanted / max(len(codes), 1))).astype(np.int64)
    middles: list[Floats] = []
    for origin, rows in enumerate(_by_origin(origins, held)):
        checkpoint()
        count = int(max(shares[origin], 1))
        some = generator.permutation(len(rows))[: count * _SAMPLE_PER_CELL]
        vectors = codec.decode(codes[rows[np.sort(some)]])
        middles.append(
            _middles(vectors, count, generator) if len(rows) else codec.origins[[origin]]
        )
    counts = np.array([len(one) for one in middles], dtype=np.int64)
    of = np.repeat(np.arange(len(middles)), counts).astype(np.uint16)
    return OwnCells(counts, *plain.residual_codes(np.concatenate(middles), of))


def _middles(vectors: Floats, count: int, generator: np.random.Generator) -> Floats:
    """(at most `count`, d) the middles of cells of (m, d) vectors; those that nothing is in go."""
    if count == 1 or len(vectors) <= count:
        mean: Floats = vectors.mean(axis=0, keepdims=True)
        return mean
    middles = vectors[generator.choice(len(vectors), count, replace=False)]
    for _ in range(_ROUNDS):
        half_norms = 0.5 * np.einsum("cd,cd->c", middles, middles)
        nearest = np.argmax(vectors @ middles.T - half_norms, axis=1)
        order = np.argsort(nearest, kind="stable")
        _, starts = np.unique(nearest[order], return_index=True)
        sizes = np.diff([*starts, len(order)]).astype(np.float32)
        middles = np.asarray(np.add.reduceat(vectors[order], starts) / sizes[:, None], np.float32)
    return middles


def recoded(codes: Codes, before: ResidualCodec, after: ResidualCodec) -> Codes:
    """Codes of one codec as those of another that differs in its own cells alone."""
    origins = before.origin_of[codes.cells]
    order = np.argsort(origins, kind="stable")
    cells = np.empty_like(codes.cells)
    for start in range(0, len(order), _BLOCK):
        rows = order[start : start + _BLOCK]
        cells[rows] = after.own_cells_of(before.decode(codes[rows]), origins[rows])
    return Codes(cells, codes.residuals, codes.gains)


def are_alike(one: ResidualCodec, other: ResidualCodec) -> bool:
    """Whether two codecs differ in their own cells at most."""

    def same(name: str) -> bool:
        ours, theirs = getattr(one, name), getattr(other, name)
        if ours is None or theirs is None:
            return ours is theirs
        return np.array_equal(ours, theirs)

    return all(map(same, ("points", "cutoffs", "weights", "parts", "directions")))


def _by_origin(origins: npt.NDArray[np.uint16], held: Numbers) -> Iterator[Numbers]:
    """The rows of each origin."""
    order = np.argsort(origins, kind="stable")
    ends = np.cumsum(held)
    return (order[end - count : end] for end, count in zip(ends, held, strict=True))
