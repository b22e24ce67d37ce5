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

from core.arrays import Floats, Integers

BITS: Final = (1, 2, 4)
UNCOMPRESSED: Final = 32
"""The number of bits a dimension that stands for no compression at all."""

_SCALES_PER_OCTAVE: Final = 51
_SCALE_OF_ONE: Final = 178
SCALES: Final[Floats] = np.exp2((np.arange(256) - _SCALE_OF_ONE) / _SCALES_PER_OCTAVE).astype(
    np.float32
)
"""(256,) what the byte of a scale stands for: .09 to 2.85, each 1.014 times the one before."""
_TINY: Final = 1e-9
_ASSIGN_BLOCK: Final = 4096  # rows a GEMM with the centroids: the product stays in the cache


@dataclass(frozen=True, slots=True)
class Codes:
    """Compressed token vectors: m of them, d dimensions, b bits a dimension.

    `list_ids` is (m,) uint16, the list that each vector lies in. `residuals` is (m, k b / 8)
    uint8, of the k dimensions that are kept, the first in the lowest bits. `scales` is (m,) uint8:
    the residual is multiplied by that entry of `SCALES`.
    """

    list_ids: npt.NDArray[np.uint16]
    residuals: npt.NDArray[np.uint8]
    scales: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.list_ids)

    def __getitem__(self, rows: slice | npt.NDArray[np.int64]) -> Codes:
        return Codes(self.list_ids[rows], self.residuals[rows], self.scales[rows])


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
        """How many inverted lists there are."""

    def encode(self, vectors: Floats) -> Codes:
        """Compress (m, d) unit vectors; ValueError for other shapes and for what is no number."""

    def decode(self, codes: Codes) -> Floats:
        """Return the (m, d) float32 vectors that `codes` stand for, of about unit length."""

    def scorer(self, query: Floats) -> Scorer:
        """Return what gives the products of (n, d) query vectors with m compressed ones, (n, m)."""


@dataclass(frozen=True)
class UncompressedCodec:
    """Keeps vectors as they are: what compression is measured against.

    Its residuals are the vectors themselves in float32, from a centroid at the base.
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
            np.full(len(vectors), _SCALE_OF_ONE, dtype=np.uint8),
        )

    def decode(self, codes: Codes) -> Floats:
        """Return the (m, d) float32 vectors."""
        return np.ascontiguousarray(codes.residuals).view(np.float32)

    def scorer(self, query: Floats) -> Scorer:
        """What gives the products of (n, d) query vectors with m stored ones, (n, m) float32."""
        return lambda codes: query @ self.decode(codes).T


@dataclass(frozen=True, slots=True)
class LibraryLists:
    """The centroids of c lists, coded as vectors are: as residuals from K' bases.

    Attributes:
        counts: (K',) how many lists each base has, one after the other; at least one each.
        residuals: (c, b) uint8, as in `core.index.codec.Codes`.
        scales: (c,) uint8, likewise.
    """

    counts: Integers
    residuals: npt.NDArray[np.uint8]
    scales: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.scales)

    def check(self, bases: int, residual_bytes: int) -> None:
        """ValueError if they do not fit so many bases and bytes of a residual."""
        if (
            self.counts.shape != (bases,)
            or self.counts.min(initial=1) < 1
            or self.residuals.shape != (int(self.counts.sum()), residual_bytes)
            or self.scales.shape != self.residuals.shape[:1]
        ):
            raise ValueError(f"{len(self)} lists of {bases} bases do not fit together")


@dataclass(frozen=True)
class ResidualCodec:
    """Centroids, and the buckets into which each dimension of a residual falls.

    Unlike in ColBERTv2 each decoded residual has a scale, by which its product with the true one is
    the true one's squared length. What is decoded is shorter than what it stands for, and points a
    little elsewhere; without the scale tokens whose codes happen to be good would look more similar
    to everything, and texts unlike the ones that the buckets were learned from, whose residuals
    are longer, would all be drawn towards their centroids. The buckets are the ones of least
    squared error (see `buckets`), the same for all dimensions, which the model's projection makes
    alike by a rotation.

    Attributes:
        centroids: (K, d) float32; d a multiple of 8.
        cutoffs: (2**b - 1,) float32, ascending; the borders between buckets.
        weights: (2**b,) float32; the value that stands for each bucket.
        sub_centroids: (c, d) float32, c a multiple of K and at most 65,536; for each centroid
            those of the lists among which the vectors nearest to it are parted. They say in which
            list a vector lies, and nothing of its code: finer lists make a search faster, while
            finer centroids make one bit a dimension worth less on texts unlike the ones that they
            were learned from. None where each centroid has one list.
        projection: (d, k) float32, orthonormal columns, k a multiple of 8. Where a codebook has
            one, residuals are from the sub-centroids, and kept in its k dimensions only: a
            library's own sub-centroids fit its texts, and what they leave lies in few dimensions.
            The scale is then of what is kept. None where all dimensions are kept.
        library_lists: lists learned for one library, as many for each base (what residuals are
            from) as its vectors ask for; they take the place of the sub-centroids as lists. None
            where it has none.

    Source: ColBERTv2, section 3.3; the scale: Gao and Long, "RaBitQ", 2024, section 3.2; measured
    in docs/measurements/codec.md.
    """

    centroids: Floats
    cutoffs: Floats
    weights: Floats
    sub_centroids: Floats | None = None
    projection: Floats | None = None
    library_lists: LibraryLists | None = None

    def __post_init__(self) -> None:
        if self.centroids.ndim != 2 or self.centroids.shape[1] % 8:
            raise ValueError(f"centroids of shape {self.centroids.shape}")
        if self.sub_centroids is not None and (
            self.sub_centroids.shape[1:] != self.centroids.shape[1:]
            or len(self.sub_centroids) % len(self.centroids)
        ):
            raise ValueError(f"sub-centroids of shape {self.sub_centroids.shape}")
        if self.projection is not None and (
            len(self.projection) != self.dimensions or self.projected_dims % 8
        ):
            raise ValueError(f"a projection of shape {self.projection.shape}")
        if self.library_lists is not None:
            self.library_lists.check(len(self.residual_bases), self.residual_bytes)
        if self.lists > 1 << 16:
            raise ValueError(f"{self.lists} lists; there can be at most 65,536")
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
        return int(self.centroids.shape[1])

    @property
    def lists(self) -> int:
        if self.library_lists is not None:
            return len(self.library_lists)
        return len(self.centroids if self.sub_centroids is None else self.sub_centroids)

    @cached_property
    def list_centroids(self) -> Floats:
        """(c, d) the centroid of each list."""
        if self.library_lists is not None:
            numbers = np.arange(self.lists).astype(np.uint16)
            return self.decode(
                Codes(numbers, self.library_lists.residuals, self.library_lists.scales)
            )
        return self.centroids if self.sub_centroids is None else self.sub_centroids

    @property
    def residual_bases(self) -> Floats:
        """(K', d) what residuals are from: the centroids, with a projection the sub-centroids."""
        if self.projection is None or self.sub_centroids is None:
            return self.centroids
        return self.sub_centroids

    @cached_property
    def base_of(self) -> npt.NDArray[np.uint16]:
        """(c,) the number of each list's base, ascending."""
        counts: int | npt.NDArray[np.integer[Any]] = self.lists // len(self.residual_bases)
        if self.library_lists is not None:
            counts = self.library_lists.counts
        return np.repeat(np.arange(len(self.residual_bases)), counts).astype(np.uint16)

    @cached_property
    def base_offsets(self) -> npt.NDArray[np.int64]:
        """(K' + 1,) where the lists of each base begin."""
        return np.searchsorted(self.base_of, np.arange(len(self.residual_bases) + 1))

    @property
    def projected_dims(self) -> int:
        """In how many dimensions residuals are kept."""
        return self.dimensions if self.projection is None else int(self.projection.shape[1])

    @property
    def residual_bytes(self) -> int:
        """Bytes that the residual of one vector takes."""
        return self.projected_dims * self.bits // 8

    def _projected(self, vectors: Floats) -> Floats:
        """(m, d) vectors in the dimensions in which residuals are kept."""
        return vectors if self.projection is None else vectors @ self.projection

    @cached_property
    def _half_norms(self) -> Floats:
        norms: Floats = 0.5 * np.einsum("kd,kd->k", self.centroids, self.centroids)
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
            numbers[rows] = np.argmax(vectors[rows] @ self.centroids.T - self._half_norms, axis=1)
        return numbers

    def assign(self, vectors: Floats) -> npt.NDArray[np.uint16]:
        """Return the list of each (m, d) vector: the nearest of those of its nearest centroid."""
        found = self.nearest(vectors)
        if self.sub_centroids is not None and (
            self.library_lists is None or self.projection is not None
        ):
            starts = even_offsets(len(self.sub_centroids), len(self.centroids))
            found = nearest_within(vectors, found, self.sub_centroids, starts)
        if self.library_lists is not None:
            found = self.library_list_of(vectors, found)
        return found

    def library_list_of(
        self, vectors: Floats, bases: npt.NDArray[np.uint16]
    ) -> npt.NDArray[np.uint16]:
        """The same for (m, d) vectors whose (m,) bases are known, in a library's own lists."""
        return nearest_within(vectors, bases, self.list_centroids, self.base_offsets)

    def encode(self, vectors: Floats) -> Codes:
        """Compress (m, d) unit vectors.

        Raises:
            ValueError: the vectors have another number of dimensions, or hold what is no number.
        """
        _check(vectors, self.dimensions)
        list_ids = self.assign(vectors)
        return Codes(list_ids, *self.residual_codes(vectors, self.base_of[list_ids]))

    def residual_codes(
        self, vectors: Floats, bases: npt.NDArray[np.uint16]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Of (m, d) vectors from their (m,) bases: packed residuals and scales, as in `Codes`."""
        residuals = self._projected(vectors - self.residual_bases[bases])
        buckets = np.searchsorted(self.cutoffs, residuals).astype(np.uint8)
        lanes = buckets.reshape(len(vectors), self.residual_bytes, 8 // self.bits)
        packed = np.zeros(lanes.shape[:2], dtype=np.uint8)
        for lane in range(8 // self.bits):
            packed |= lanes[:, :, lane] << np.uint8(lane * self.bits)
        lengths = np.einsum("md,md->m", residuals, residuals)
        products = np.einsum("md,md->m", residuals, self.residual_weights(packed))
        # A vector that lies in its centroid has neither, and the smallest scale. One that its code
        # does not resemble at all has the largest, and is not blown up further.
        logarithms = np.log2(np.maximum(lengths, _TINY) / np.maximum(products, _TINY))
        scales = np.rint(logarithms * _SCALES_PER_OCTAVE) + _SCALE_OF_ONE
        scales[lengths <= _TINY] = 0
        return packed, np.clip(scales, 0, 255).astype(np.uint8)

    def decode(self, codes: Codes) -> Floats:
        """Return the (m, d) float32 vectors that `codes` stand for, of about unit length.

        >>> codec = ResidualCodec(np.eye(8, dtype=np.float32),
        ...                       np.zeros(1, np.float32), np.array([-0.1, 0.1], np.float32))
        >>> decoded = codec.decode(codec.encode(np.eye(8, dtype=np.float32)[:2]))
        >>> decoded.argmax(axis=1).tolist(), decoded.max(axis=1).round(1).tolist()
        ([0, 1], [1.0, 1.0])
        """
        vectors = self.residual_weights(codes.residuals)
        vectors *= SCALES.take(codes.scales)[:, None]
        if self.projection is not None:
            vectors = vectors @ self.projection.T
        vectors += self.residual_bases.take(self.base_of[codes.list_ids], axis=0)
        return vectors

    def residual_weights(self, residuals: npt.NDArray[np.uint8]) -> Floats:
        """Return the (m, k) float32 residuals that (m, k b / 8) packed bytes stand for."""
        # `take` is eight times as fast here as indexing.
        weights: Floats = self.byte_weights.take(residuals, axis=0)
        return weights.reshape(len(residuals), self.projected_dims)

    def tables(self, query: Floats) -> Floats:
        """Return what each byte of a residual adds to its product with (n, d) query vectors.

        Returns:
            (n, k b / 8, 256) float32.
        """
        # (n, bytes, lanes) and (256, lanes): a byte stands for 8 / b dimensions.
        parts = self._projected(query).reshape(len(query), self.residual_bytes, 8 // self.bits)
        return np.ascontiguousarray(parts @ self.byte_weights.T)

    def tables_side_by_side(self, query: Floats) -> Floats:
        """The same in another order, (k b / 8, 256, n): all tokens' entries for a byte at once."""
        parts = self._projected(query).reshape(len(query), self.residual_bytes, 8 // self.bits)
        return np.ascontiguousarray(self.byte_weights @ parts.transpose(1, 2, 0))

    def scorer(self, query: Floats) -> Scorer:
        """Return what gives the products of (n, d) query vectors with m compressed ones, (n, m).

        The same as `query @ decode(codes).T` without adding up the vectors: the query meets the
        centroids once, here, and each residual through its bytes.
        """
        with_bases = query @ self.residual_bases.T
        turned = self._projected(query)

        def products(codes: Codes) -> Floats:
            found: Floats = turned @ self.residual_weights(codes.residuals).T
            found *= SCALES.take(codes.scales)
            found += with_bases.take(self.base_of[codes.list_ids], axis=1)
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


def even_offsets(lists: int, bases: int) -> npt.NDArray[np.int64]:
    """(K' + 1,) where each base's lists begin if all have as many."""
    return np.arange(bases + 1, dtype=np.int64) * (lists // bases)


def nearest_within(
    vectors: Floats, bases: Integers, centroids: Floats, offsets: Integers
) -> npt.NDArray[np.uint16]:
    """For each vector the number of the nearest of its base's lists.

    Args:
        vectors: (m, d).
        bases: (m,) their bases' numbers.
        centroids: (c, d) of the lists.
        offsets: (K' + 1,) where the lists of each base begin in `centroids`.

    >>> nearest_within(np.eye(2, dtype=np.float32), np.array([1, 0]),
    ...                np.array([[0, 0], [0, 1], [1, 0]], np.float32), np.array([0, 1, 3])).tolist()
    [2, 0]
    """
    half_norms = 0.5 * np.einsum("cd,cd->c", centroids, centroids)
    order = np.argsort(bases, kind="stable")
    present, firsts = np.unique(bases[order], return_index=True)
    found = np.empty(len(vectors), dtype=np.uint16)
    for base, rows in zip(present.tolist(), np.split(order, firsts[1:]), strict=False):
        begin, end = int(offsets[base]), int(offsets[base + 1])
        products = vectors[rows] @ centroids[begin:end].T - half_norms[begin:end]
        found[rows] = begin + np.argmax(products, axis=1)
    return found


def buckets(residuals: Floats, bits: int, rounds: int = 40) -> tuple[Floats, Floats]:
    """Return the borders and values of 2**bits buckets with the least squared error on `residuals`.

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
