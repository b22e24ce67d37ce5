"""Token vectors as a centroid and a few bits of residual, and back.

Source: ColBERTv2, section 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from core.index.cells import OwnCells, even_starts, nearest_within

Floats = npt.NDArray[np.float32]

BITS: Final = (1, 2, 4)
UNCOMPRESSED: Final = 32
"""The number of bits a dimension that stands for no compression at all."""

_GAINS_PER_OCTAVE: Final = 51
_GAIN_OF_ONE: Final = 178
GAINS: Final[Floats] = np.exp2((np.arange(256) - _GAIN_OF_ONE) / _GAINS_PER_OCTAVE).astype(
    np.float32
)
"""(256,) what a gain's byte stands for: from 0.09 to 2.85, each 1.014 times the one before."""
_TINY: Final = 1e-9
_ASSIGN_BLOCK: Final = 4096  # rows a GEMM with the centroids: the product stays in the cache


@dataclass(frozen=True, slots=True)
class Codes:
    """Compressed token vectors: m of them, d dimensions, b bits a dimension.

    `cells` is (m,) uint16, the number of each vector's cell. `residuals` is (m, k b / 8)
    uint8, of the k dimensions that are told, the first in the lowest bits. `gains` is (m,) uint8:
    the residual is multiplied by that entry of `GAINS`.
    """

    cells: npt.NDArray[np.uint16]
    residuals: npt.NDArray[np.uint8]
    gains: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, rows: slice | npt.NDArray[np.int64]) -> Codes:
        return Codes(self.cells[rows], self.residuals[rows], self.gains[rows])


Scorer = Callable[[Codes], Floats]


class Codec(Protocol):
    """Compresses unit vectors, and meets queries without undoing it."""

    @property
    def bits(self) -> int:
        """Bits a dimension."""

    @property
    def dimensions(self) -> int:
        """Dimensions of a vector."""

    @property
    def lists(self) -> int:
        """How many cells there are, and so lists of the vectors in them."""

    def encode(self, vectors: Floats) -> Codes:
        """Compress (m, d) unit vectors; ValueError for other shapes and for what is no number."""

    def decode(self, codes: Codes) -> Floats:
        """The (m, d) float32 vectors that `codes` stand for, of about unit length."""

    def scorer(self, query: Floats) -> Scorer:
        """What gives the products of (n, d) query vectors with m compressed ones, (n, m)."""


@dataclass(frozen=True)
class UncompressedCodec:
    """Keeps vectors as they are: what compression is measured against.

    Its residuals are the vectors themselves in float32, from a centroid at the origin.
    """

    dimensions: int
    bits: int = UNCOMPRESSED
    lists: int = 1

    def encode(self, vectors: Floats) -> Codes:
        """Store (m, d) vectors; ValueError for other shapes and for what is no number."""
        _check(vectors, self.dimensions)
        return Codes(
            np.zeros(len(vectors), dtype=np.uint16),
            np.ascontiguousarray(vectors, dtype=np.float32).view(np.uint8),
            np.full(len(vectors), _GAIN_OF_ONE, dtype=np.uint8),
        )

    def decode(self, codes: Codes) -> Floats:
        """The (m, d) float32 vectors."""
        return np.ascontiguousarray(codes.residuals).view(np.float32)

    def scorer(self, query: Floats) -> Scorer:
        """What gives the products of (n, d) query vectors with m stored ones, (n, m) float32."""
        return lambda codes: query @ self.decode(codes).T


@dataclass(frozen=True)
class ResidualCodec:
    """Centroids, and the buckets into which each dimension of a residual falls.

    Unlike in ColBERTv2 each decoded residual has a gain, by which its product with the true one is
    the true one's squared length. What is decoded is shorter than what it stands for, and points a
    little elsewhere; without the gain tokens whose codes happen to be good would look more similar
    to everything, and texts unlike the ones that the buckets were learned from, whose residuals
    are longer, would all be drawn towards their centroids. The buckets are the ones of least
    squared error (see `buckets`), the same for all dimensions, which the model's projection makes
    alike by a rotation.

    Attributes:
        points: (K, d) float32, the centroids; d a multiple of 8.
        cutoffs: (2**b - 1,) float32, ascending; the borders between buckets.
        weights: (2**b,) float32; the value that stands for each bucket.
        parts: (c, d) float32, c a multiple of K and at most 65,536; for each centroid the middles
            of the cells into which the vectors nearest to it fall. They say in which list a vector
            lies, and nothing of its code: finer lists make a search faster, while finer centroids
            make one bit a dimension worth less on texts unlike the ones that they were learned
            from. None where each centroid has one cell, itself.
        directions: (d, k) float32, orthonormal columns, k a multiple of 8. Where a codebook has
            them, residuals are from the parts, and told in these directions only: a library's own
            parts fit its texts, and what they leave lies in few dimensions. The gain is then of
            what is told. None where all dimensions are told.
        own_cells: of a library's own, as many for each origin (what residuals are from) as its
            vectors ask for; they take the place of the parts as lists. None where it has none.

    Source: ColBERTv2, section 3.3; the gain: Gao and Long, "RaBitQ", 2024, section 3.2; measured
    in docs/decisions/0005-codec.md.
    """

    points: Floats
    cutoffs: Floats
    weights: Floats
    parts: Floats | None = None
    directions: Floats | None = None
    own_cells: OwnCells | None = None

    def __post_init__(self) -> None:
        if self.points.ndim != 2 or self.points.shape[1] % 8:
            raise ValueError(f"centroids of shape {self.points.shape}")
        if self.parts is not None and (
            self.parts.shape[1:] != self.points.shape[1:] or len(self.parts) % len(self.points)
        ):
            raise ValueError(f"parts of shape {self.parts.shape}")
        if self.directions is not None and (
            len(self.directions) != self.dimensions or self.told % 8
        ):
            raise ValueError(f"directions of shape {self.directions.shape}")
        if self.own_cells is not None:
            self.own_cells.check(len(self.origins), self.residual_bytes)
        if self.lists > 1 << 16:
            raise ValueError(f"{self.lists} centroids or parts of them; at most 65,536 can be told")
        if len(self.weights) not in {1 << b for b in BITS}:
            raise ValueError(f"{len(self.weights)} buckets; there must be 2, 4 or 16")
        if len(self.cutoffs) != len(self.weights) - 1 or np.any(np.diff(self.cutoffs) < 0):
            raise ValueError("the cutoffs must be ascending and one fewer than the weights")

    @property
    def bits(self) -> int:
        """Bits a dimension."""
        return len(self.weights).bit_length() - 1

    @property
    def dimensions(self) -> int:
        return int(self.points.shape[1])

    @property
    def lists(self) -> int:
        if self.own_cells is not None:
            return len(self.own_cells)
        return len(self.points if self.parts is None else self.parts)

    @cached_property
    def middles(self) -> Floats:
        """(c, d) the middles of the cells."""
        if self.own_cells is not None:
            numbers = np.arange(self.lists).astype(np.uint16)
            return self.decode(Codes(numbers, self.own_cells.residuals, self.own_cells.gains))
        return self.points if self.parts is None else self.parts

    @property
    def origins(self) -> Floats:
        """(K', d) what residuals are from: the centroids, or their parts where directions are."""
        return self.points if self.directions is None or self.parts is None else self.parts

    @cached_property
    def origin_of(self) -> npt.NDArray[np.uint16]:
        """(c,) the number of each cell's origin, ascending."""
        counts: int | npt.NDArray[np.integer[Any]] = self.lists // len(self.origins)
        if self.own_cells is not None:
            counts = self.own_cells.counts
        return np.repeat(np.arange(len(self.origins)), counts).astype(np.uint16)

    @cached_property
    def cell_starts(self) -> npt.NDArray[np.int64]:
        """(K' + 1,) where the cells of each origin begin."""
        return np.searchsorted(self.origin_of, np.arange(len(self.origins) + 1))

    @property
    def told(self) -> int:
        """In how many dimensions residuals are told."""
        return self.dimensions if self.directions is None else int(self.directions.shape[1])

    @property
    def residual_bytes(self) -> int:
        """Bytes that the residual of one vector takes."""
        return self.told * self.bits // 8

    def _turned(self, vectors: Floats) -> Floats:
        """(m, d) vectors in the dimensions in which residuals are told."""
        return vectors if self.directions is None else vectors @ self.directions

    @cached_property
    def _half_norms(self) -> Floats:
        norms: Floats = 0.5 * np.einsum("kd,kd->k", self.points, self.points)
        return norms

    @cached_property
    def byte_weights(self) -> Floats:
        """(256, 8 / b): what each byte of a residual stands for."""
        shifts = np.arange(0, 8, self.bits)
        buckets = (np.arange(256)[:, None] >> shifts) & (len(self.weights) - 1)
        return np.ascontiguousarray(self.weights[buckets], dtype=np.float32)

    def nearest(self, vectors: Floats) -> npt.NDArray[np.uint16]:
        """The number of the nearest centroid (by Euclidean distance) of each (m, d) vector."""
        numbers = np.empty(len(vectors), dtype=np.uint16)
        for rows in _blocks(len(vectors)):
            numbers[rows] = np.argmax(vectors[rows] @ self.points.T - self._half_norms, axis=1)
        return numbers

    def cells(self, vectors: Floats) -> npt.NDArray[np.uint16]:
        """The number of the cell of each (m, d) vector: the nearest of its nearest centroid's."""
        found = self.nearest(vectors)
        if self.parts is not None and (self.own_cells is None or self.directions is not None):
            starts = even_starts(len(self.parts), len(self.points))
            found = nearest_within(vectors, found, self.parts, starts)
        if self.own_cells is not None:
            found = self.own_cells_of(vectors, found)
        return found

    def own_cells_of(
        self, vectors: Floats, origins: npt.NDArray[np.uint16]
    ) -> npt.NDArray[np.uint16]:
        """The same for (m, d) vectors whose (m,) origins are known, in a library's own cells."""
        return nearest_within(vectors, origins, self.middles, self.cell_starts)

    def encode(self, vectors: Floats) -> Codes:
        """Compress (m, d) unit vectors.

        Raises:
            ValueError: the vectors have another number of dimensions, or hold what is no number.
        """
        _check(vectors, self.dimensions)
        cells = self.cells(vectors)
        return Codes(cells, *self.residual_codes(vectors, self.origin_of[cells]))

    def residual_codes(
        self, vectors: Floats, origins: npt.NDArray[np.uint16]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Of (m, d) vectors from their (m,) origins: packed residuals and gains, as in `Codes`."""
        residuals = self._turned(vectors - self.origins[origins])
        buckets = np.searchsorted(self.cutoffs, residuals).astype(np.uint8)
        lanes = buckets.reshape(len(vectors), self.residual_bytes, 8 // self.bits)
        packed = np.zeros(lanes.shape[:2], dtype=np.uint8)
        for lane in range(8 // self.bits):
            packed |= lanes[:, :, lane] << np.uint8(lane * self.bits)
        lengths = np.einsum("md,md->m", residuals, residuals)
        products = np.einsum("md,md->m", residuals, self.residual_weights(packed))
        # A vector that lies in its centroid has neither, and the smallest gain. One that its code
        # does not resemble at all has the largest, and is not blown up further.
        logarithms = np.log2(np.maximum(lengths, _TINY) / np.maximum(products, _TINY))
        gains = np.rint(logarithms * _GAINS_PER_OCTAVE) + _GAIN_OF_ONE
        gains[lengths <= _TINY] = 0
        return packed, np.clip(gains, 0, 255).astype(np.uint8)

    def decode(self, codes: Codes) -> Floats:
        """The (m, d) float32 vectors that `codes` stand for, of about unit length.

        >>> codec = ResidualCodec(np.eye(8, dtype=np.float32),
        ...                       np.zeros(1, np.float32), np.array([-0.1, 0.1], np.float32))
        >>> decoded = codec.decode(codec.encode(np.eye(8, dtype=np.float32)[:2]))
        >>> decoded.argmax(axis=1).tolist(), decoded.max(axis=1).round(1).tolist()
        ([0, 1], [1.0, 1.0])
        """
        vectors = self.residual_weights(codes.residuals)
        vectors *= GAINS.take(codes.gains)[:, None]
        if self.directions is not None:
            vectors = vectors @ self.directions.T
        vectors += self.origins.take(self.origin_of[codes.cells], axis=0)
        return vectors

    def residual_weights(self, residuals: npt.NDArray[np.uint8]) -> Floats:
        """The (m, k) float32 residuals that (m, k b / 8) packed bytes stand for."""
        # `take` is eight times as fast here as indexing.
        weights: Floats = self.byte_weights.take(residuals, axis=0)
        return weights.reshape(len(residuals), self.told)

    def tables(self, query: Floats) -> Floats:
        """What each byte of a residual adds to its product with (n, d) query vectors.

        Returns:
            (n, k b / 8, 256) float32.
        """
        # (n, bytes, lanes) and (256, lanes): a byte stands for 8 / b dimensions.
        parts = self._turned(query).reshape(len(query), self.residual_bytes, 8 // self.bits)
        return np.ascontiguousarray(parts @ self.byte_weights.T)

    def tables_side_by_side(self, query: Floats) -> Floats:
        """The same in another order, (k b / 8, 256, n): all tokens' entries for a byte at once."""
        parts = self._turned(query).reshape(len(query), self.residual_bytes, 8 // self.bits)
        return np.ascontiguousarray(self.byte_weights @ parts.transpose(1, 2, 0))

    def scorer(self, query: Floats) -> Scorer:
        """What gives the products of (n, d) query vectors with m compressed ones, (n, m).

        The same as `query @ decode(codes).T` without adding up the vectors: the query meets the
        centroids once, here, and each residual through its bytes.
        """
        with_origins = query @ self.origins.T
        turned = self._turned(query)

        def products(codes: Codes) -> Floats:
            found: Floats = turned @ self.residual_weights(codes.residuals).T
            found *= GAINS.take(codes.gains)
            found += with_origins.take(self.origin_of[codes.cells], axis=1)
            return found

        return products


def _blocks(count: int) -> Iterator[slice]:
    for start in range(0, count, _ASSIGN_BLOCK):
        yield slice(start, min(start + _ASSIGN_BLOCK, count))


def _check(vectors: Floats, dimensions: int) -> None:
    if vectors.ndim != 2 or vectors.shape[1] != dimensions:
        raise ValueError(f"vectors of shape {vectors.shape}, the codec has {dimensions} dimensions")
    if not np.isfinite(vectors).all():
        raise ValueError("a vector holds an infinity or no number")


def buckets(residuals: Floats, bits: int, rounds: int = 40) -> tuple[Floats, Floats]:
    """The borders and values of 2**bits buckets with the least squared error on `residuals`.

    ColBERTv2's own code cuts at quantiles and takes the quantile in the middle of each bucket;
    the means of Lloyd's and Max's quantiser, which starts there, lie measurably nearer.

    Args:
        residuals: any shape; a sample of single dimensions of residuals.
        bits: 1, 2 or 4.
        rounds: at most so many turns of the iteration.

    Returns:
        cutoffs (2**bits - 1,) and weights (2**bits,), both float32 and ascending.

    Raises:
        ValueError: `bits` is none of these, or the sample is empty.

    Source: S. Lloyd, "Least squares quantization in PCM", 1982; docs/decisions/0005-codec.md.

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
