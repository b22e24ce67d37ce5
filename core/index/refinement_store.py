"""The refinement store of a segment: more and finer codes of its passages, for the second stage.

Candidates are found with the few 1-bit vectors of the inverted lists. The second stage compares
them with the vectors of this store, which are read for these passages only, instead of encoding
the passages again. They are stored passage by passage, so that those of one passage are contiguous
on disk. A vector's centroid therefore takes two bytes, while its place in an inverted list implies
it.

Source: ColBERTv2, section 3.3, and ALIGNER, section 3.2: candidates are found with pruned vectors,
and compared with more of them; docs/measurements/refinement-store.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.alignment.pooling import offsets_of
from core.arrays import Floats, Integers, Numbers, ranges
from core.index.codec import SCALES, Codes, ResidualCodec, Scorer, is_plain
from core.index.native import loops
from core.index.native.arrays import LANES, by_dimension

# Bits per dimension. With 1 bit and more vectors, nDCG@10 is half a point lower in as many bytes.
BITS: Final = 2

_NO_SLOTS: Final = np.zeros(0, np.uint32)
_NO_OWNERS: Final = np.zeros(0, np.uint16)


@dataclass(frozen=True)
class RefinementStore:
    """Codes of p passages, s vectors, passage by passage.

    As in `core.index.inverted_lists.InvertedLists`, the constructor checks everything that keeps
    the compiled loop within the arrays, but reads only the offsets. Centroids are not checked: a
    nonexistent one is replaced by the last.

    Attributes:
        offsets: (p + 1,) uint32, the start of each passage's vectors, and s.
        centroids: (s,) uint16, the centroid of each vector.
        residuals: (s, b) uint8, packed as in `Codes`.
        scales: (s,) uint8, as in `Codes`.
        positions: (s,) uint8 or uint16, the position of the token that contributed most to each
            vector.
    """

    offsets: npt.NDArray[np.uint32]
    centroids: npt.NDArray[np.uint16]
    residuals: npt.NDArray[np.uint8]
    scales: npt.NDArray[np.uint8]
    positions: Integers

    def __post_init__(self) -> None:
        is_narrow = self.positions.dtype == np.uint8
        for name, array, dtype, dimensions in (
            ("offsets", self.offsets, np.uint32, 1),
            ("centroids", self.centroids, np.uint16, 1),
            ("residuals", self.residuals, np.uint8, 2),
            ("scales", self.scales, np.uint8, 1),
            ("positions", self.positions, np.uint8 if is_narrow else np.uint16, 1),
        ):
            if not is_plain(array, dtype, dimensions):
                raise ValueError(f"{name} of the store: {array.dtype}, shape {array.shape}")
            # As mapped arrays are.
            array.flags.writeable = False
        lengths = {len(self.centroids), len(self.residuals), len(self.scales), len(self.positions)}
        if len(lengths) != 1 or len(self.offsets) < 2:
            raise ValueError(f"{lengths} vectors in the store, {len(self.offsets)} offsets")
        ends = int(self.offsets[0]), int(self.offsets[-1])
        if ends != (0, len(self.centroids)) or (self.offsets[1:] <= self.offsets[:-1]).any():
            raise ValueError(f"offsets of the store do not ascend to {len(self.centroids)}")

    def __len__(self) -> int:
        """Return the number of passages."""
        return len(self.offsets) - 1

    @classmethod
    def of(cls, lengths: Numbers, codes: Codes, positions: Integers) -> RefinementStore:
        """Return a store of (p,) passages with these numbers of vectors.

        Args:
            lengths: (p,) each at least 1.
            codes: of all vectors, by a codec whose lists are its centroids.
            positions: (s,) of the tokens that contributed most.
        """
        is_narrow = int(positions.max(initial=0)) < 1 << 8
        return cls(
            offsets_of(lengths).astype(np.uint32),
            codes.list_ids.copy(),
            codes.residuals.copy(),
            codes.scales.copy(),
            positions.astype(np.uint8 if is_narrow else np.uint16),
        )

    def fits(self, codec: ResidualCodec) -> bool:
        """Return whether the residuals match a codec."""
        return int(self.residuals.shape[1]) == codec.residual_bytes

    def lengths(self, rows: Numbers) -> Numbers:
        """Return (n,) the numbers of vectors of passages."""
        return self.offsets[rows + 1].astype(np.int64) - self.offsets[rows]

    def codes(self, rows: Numbers, codec: ResidualCodec) -> Codes:
        """Return the codes of passages, passage by passage."""
        vector_rows = ranges(self.offsets[rows], self.lengths(rows))
        centroids = np.minimum(self.centroids[vector_rows], np.uint16(len(codec.centroids) - 1))
        return Codes(centroids, self.residuals.take(vector_rows, axis=0), self.scales[vector_rows])

    def first_codes(self, rows: Numbers, codec: ResidualCodec) -> Codes:
        """Return the code of the first vector of each passage."""
        vector_rows = self.offsets[rows]
        centroids = np.minimum(self.centroids[vector_rows], np.uint16(len(codec.centroids) - 1))
        return Codes(centroids, self.residuals.take(vector_rows, axis=0), self.scales[vector_rows])

    def positions_of(self, row: int) -> Numbers:
        """Return the token that contributed most to each vector of a passage."""
        rows = slice(int(self.offsets[row]), int(self.offsets[row + 1]))
        return self.positions[rows].astype(np.int64)

    def select(self, rows: Numbers) -> RefinementStore:
        """Return a store of some passages, in the order of `rows`; they may repeat.

        >>> codes = Codes(np.array([4, 5, 6], np.uint16), np.array([[7], [8], [9]], np.uint8),
        ...               np.zeros(3, np.uint8))
        >>> store = RefinementStore.of(np.array([1, 2]), codes, np.array([0, 0, 1]))
        >>> store.select(np.array([1, 0])).centroids.tolist()
        [5, 6, 4]
        """
        lengths = self.lengths(rows)
        vector_rows = ranges(self.offsets[rows], lengths)
        codes = Codes(
            self.centroids[vector_rows],
            self.residuals.take(vector_rows, axis=0),
            self.scales[vector_rows],
        )
        return RefinementStore.of(lengths, codes, self.positions[vector_rows])


def joined_stores(stores: Sequence[RefinementStore | None]) -> RefinementStore | None:
    """Concatenate stores; None if there are none.

    Raises:
        ValueError: some are missing.
    """
    present = [store for store in stores if store is not None]
    if not present:
        return None
    if len(present) != len(stores):
        raise ValueError(f"{len(stores) - len(present)} of {len(stores)} parts have no store")
    codes = Codes(
        np.concatenate([store.centroids for store in present]),
        np.concatenate([store.residuals for store in present]),
        np.concatenate([store.scales for store in present]),
    )
    lengths = np.concatenate([np.diff(store.offsets).astype(np.int64) for store in present])
    return RefinementStore.of(
        lengths, codes, np.concatenate([store.positions for store in present])
    )


def max_similarities(
    store: RefinementStore, rows: Numbers, codec: ResidualCodec, scorer: Scorer
) -> Floats:
    """Return (m,) the sum of maxima over the query's n tokens of each passage, in numpy.

    Args:
        store: contains the passages.
        rows: (m,) their rows in it.
        codec: of the store.
        scorer: compares the query's tokens with the store's codes.
    """
    if not len(rows):
        return np.zeros(0, dtype=np.float32)
    lengths = store.lengths(rows)
    products = scorer(store.codes(rows, codec))
    best: Floats = np.maximum.reduceat(products, np.cumsum(lengths) - lengths, axis=1)
    sums: Floats = best.sum(axis=0)
    return sums


def compare_compiled(
    store: RefinementStore, rows: Numbers, codec: ResidualCodec, products: Floats, tables: Floats
) -> Floats:
    """Return the same as `max_similarities`, by the compiled loop.

    Args:
        store: contains the passages.
        rows: (m,) their rows in it.
        codec: of the store.
        products: (K, n') of the centroids with the tokens, n' a multiple of the lanes.
        tables: of the codec's residuals (`interleaved_tables`).
    """
    values = np.empty(len(rows), dtype=np.float32)
    loops.compare(
        rows,
        store.offsets,
        _NO_SLOTS,
        store.centroids,
        _NO_SLOTS,
        _NO_OWNERS,
        store.residuals,
        store.scales,
        SCALES,
        products,
        tables,
        codec.centroid_of,
        np.empty((2, int(store.lengths(rows).max(initial=0))), dtype=np.uint32),
        np.empty(products.shape[1], dtype=np.float32),
        values,
    )
    return values


def interleaved_tables(query: Floats, codec: ResidualCodec, width: int) -> Floats:
    """Return the addends of half a byte of a residual to the products with (n, d) query vectors.

    Args:
        query: (n, d).
        codec: of the residuals.
        width: n rounded up to a multiple of the lanes.

    Returns:
        (width / lanes, 2 b, lanes, lanes), as `core.index.native.arrays.interleave` sets them.
    """
    weights = codec.half_byte_weights
    halves = codec.dimensions // weights.shape[1]
    tables = np.zeros((width // LANES, halves, LANES, LANES), dtype=np.float32)
    loops.interleave(by_dimension(query, width), weights, tables)
    return tables
