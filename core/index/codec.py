"""Codecs of token vectors: a centroid and a few bits of residual.

Source: ColBERTv2, section 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from core.arrays import Floats, Integers
from core.index.native import loops
from core.index.native.arrays import LANES, MOST_MAGNITUDE, SIGN_BYTES, by_dimension
from core.index.quantisation import BITS, even_offsets, half_norms, nearest_within

# The number of bits per dimension of uncompressed vectors.
UNCOMPRESSED: Final = 32

_SCALES_PER_OCTAVE: Final = 51
_SCALE_OF_UNIT: Final = 178
# (256,) the value of each scale byte: .09 to 2.85, each 1.014 times the one before.
SCALES: Final[Floats] = np.exp2((np.arange(256) - _SCALE_OF_UNIT) / _SCALES_PER_OCTAVE).astype(
    np.float32
)
_TINY: Final = 1e-9
_LARGEST: Final = 1e3  # of a codebook's numbers: their sums do not overflow
_ASSIGN_BLOCK: Final = 1024  # rows per GEMM with the centroids: the product stays in the cache


@dataclass(frozen=True, slots=True)
class Codes:
    """Compressed token vectors: m of them, d dimensions, b bits a dimension.

    `list_ids` is (m,) uint16, the list of each vector. `residuals` is (m, d b / 8)
    uint8, the first dimension in the lowest bits. `scales` is (m,) uint8:
    the residual is multiplied by that entry of `SCALES`.
    """

    list_ids: npt.NDArray[np.uint16]
    residuals: npt.NDArray[np.uint8]
    scales: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.list_ids)

    def __getitem__(self, rows: slice | npt.NDArray[np.int64]) -> Codes:
        if isinstance(rows, slice):
            return Codes(self.list_ids[rows], self.residuals[rows], self.scales[rows])
        # `take` selects rows several times as fast as indexing.
        return Codes(self.list_ids[rows], self.residuals.take(rows, axis=0), self.scales[rows])


Scorer = Callable[[Codes], Floats]


def is_plain(array: npt.NDArray[Any], dtype: type, dimensions: int) -> bool:
    """Return whether compiled loops accept an array: of this type, and contiguous.

    >>> is_plain(np.zeros((2, 3), np.uint8), np.uint8, 2), is_plain(np.zeros(4)[::2], np.float64, 1)
    (True, False)
    """
    is_whole = array.flags.c_contiguous and array.flags.aligned
    return bool(array.dtype == dtype and array.ndim == dimensions and is_whole)


class Codec(Protocol):
    """Compresses unit vectors, and compares them with queries without decompression."""

    @property
    def bits(self) -> int:
        """Bits a dimension."""

    @property
    def dimensions(self) -> int:
        """Dimensions of a vector."""

    @property
    def lists(self) -> int:
        """Number of inverted lists."""

    @property
    def residual_bytes(self) -> int:
        """Bytes that the residual of one vector takes."""

    @property
    def refinement(self) -> ResidualCodec | None:
        """The codec of the refinement store; None without one."""

    def encode(self, vectors: Floats) -> Codes:
        """Compress (m, d) unit vectors; ValueError for other shapes and for NaN."""

    def decode(self, codes: Codes) -> Floats:
        """Return the decoded (m, d) float32 vectors, of about unit length."""

    def scorer(self, query: Floats) -> Scorer:
        """Return a function from m compressed vectors to their (n, m) products with a query."""


@dataclass(frozen=True)
class UncompressedCodec:
    """Stores vectors uncompressed; the baseline of compression.

    Its residuals are the vectors themselves in float32, from a centroid at the base.
    """

    dimensions: int
    bits: int = UNCOMPRESSED
    lists: int = 1
    refinement: None = None

    @property
    def residual_bytes(self) -> int:
        """Bytes that the residual of one vector takes."""
        return self.dimensions * np.dtype(np.float32).itemsize

    def encode(self, vectors: Floats) -> Codes:
        """Store (m, d) vectors; ValueError for other shapes and for NaN."""
        _check(vectors, self.dimensions)
        return Codes(
            np.zeros(len(vectors), dtype=np.uint16),
            np.ascontiguousarray(vectors, dtype=np.float32).view(np.uint8),
            np.full(len(vectors), _SCALE_OF_UNIT, dtype=np.uint8),
        )

    def decode(self, codes: Codes) -> Floats:
        """Return the (m, d) float32 vectors."""
        return np.ascontiguousarray(codes.residuals).view(np.float32)

    def scorer(self, query: Floats) -> Scorer:
        """Return a function from m stored vectors to their (n, m) products with a query."""
        return lambda codes: query @ self.decode(codes).T


@dataclass(frozen=True, slots=True)
class SubCentroids:
    """Sub-centroids: the centroids of the lists that divide each centroid's vectors.

    Attributes:
        vectors: (c, d) float32, grouped by centroid; at most 65,536.
        offsets: (K + 1,) int64, the start of each centroid's group; each has at least one.
        are_of_library: whether they were learned for one library; a search may then consider
            only those of the nearest centroids.
        residuals: (c, d b / 8) the codes of a library's own; otherwise (0, 0).
        scales: (c,) of these codes; otherwise (0,).
    """

    vectors: Floats
    offsets: Integers
    are_of_library: bool = False
    residuals: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    scales: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))

    @classmethod
    def even(cls, vectors: Floats, centroids: int) -> SubCentroids:
        """Return sub-centroids from (c, d) vectors, an equal number for each centroid."""
        if centroids == 0 or len(vectors) % centroids:
            raise ValueError(f"sub-centroids of shape {vectors.shape}")
        return cls(vectors, even_offsets(len(vectors), centroids))

    def __len__(self) -> int:
        return len(self.vectors)


Value = TypeVar("Value")


class LastQueryCache(Generic[Value]):
    """Caches a value computed from the last query, because a search needs it twice."""

    def __init__(self) -> None:
        self._cached: tuple[bytes, Value] | None = None

    def of(self, query: Floats, make: Callable[[], Value]) -> Value:
        """Return the value of a query, from the cache if it is the last one."""
        key, cached = query.tobytes(), self._cached
        if cached is not None and cached[0] == key:
            return cached[1]
        value = make()
        self._cached = key, value
        return value

    def forget(self) -> None:
        """Clear the cache."""
        self._cached = None


@dataclass(frozen=True, slots=True, eq=False)
class SignedTokens:
    """Signs and magnitudes of tokens, for products with residuals of one bit per dimension.

    The product is `bases + slopes * sum_where_unlike`.

    Attributes:
        signs: (n, d / 8) uint8, whether each dimension is above 0, the first in the lowest bit.
        magnitudes: (n, d) uint8.
        bases: (n,) float32.
        slopes: (n,) float32.
    """

    signs: npt.NDArray[np.uint8]
    magnitudes: npt.NDArray[np.uint8]
    bases: Floats
    slopes: Floats

    @classmethod
    def none(cls) -> SignedTokens:
        """Return empty arrays, for no tokens."""
        return cls(
            np.zeros((0, SIGN_BYTES), np.uint8),
            np.zeros((0, 8 * SIGN_BYTES), np.uint8),
            np.zeros(0, np.float32),
            np.zeros(0, np.float32),
        )


@dataclass(frozen=True)
class ResidualCodec:
    """Centroids, and the buckets into which each dimension of a residual falls.

    Unlike in ColBERTv2, each decoded residual has a scale, chosen so that its product with the true
    residual is the squared length of the latter. A decoded residual is shorter than the true one,
    and has a slightly different direction. Without the scale, tokens with accurate codes would be
    more similar to everything, and texts unlike the training texts of the buckets, whose residuals
    are longer, would be drawn towards their centroids. The buckets minimise the squared error (see
    `buckets`), and are the same for all dimensions, which a rotation in the model's projection
    makes alike.

    Attributes:
        centroids: (K, d) float32; d a multiple of 8.
        cutoffs: (2**b - 1,) float32, ascending; the borders between buckets.
        weights: (2**b,) float32; the decoded value of each bucket.
        sub_centroids: c of them. They determine a vector's list, but not its code: finer lists make
            a search faster, while finer centroids make one bit per dimension less accurate on
            texts unlike the training texts. If each centroid has one list, these are the
            centroids themselves.
        refinement: the codec of the refinement store, with the same centroids; None without one.

    Source: ColBERTv2, section 3.3; the scale: Gao and Long, "RaBitQ", 2024, section 3.2; measured
    in docs/measurements/codec.md.
    """

    centroids: Floats
    cutoffs: Floats
    weights: Floats
    sub_centroids: SubCentroids
    refinement: ResidualCodec | None = None

    @classmethod
    def plain(cls, centroids: Floats, cutoffs: Floats, weights: Floats) -> ResidualCodec:
        """Return a codec with one list per centroid."""
        return cls(centroids, cutoffs, weights, SubCentroids.even(centroids, len(centroids)))

    def __post_init__(self) -> None:
        lists = self.sub_centroids
        vectors, offsets = lists.vectors, lists.offsets
        for name, array, dtype, dimensions in (
            ("centroids", self.centroids, np.float32, 2),
            ("sub-centroids", vectors, np.float32, 2),
            ("cutoffs", self.cutoffs, np.float32, 1),
            ("weights", self.weights, np.float32, 1),
            ("offsets", offsets, np.int64, 1),
            ("residuals of lists", lists.residuals, np.uint8, 2),
            ("scales of lists", lists.scales, np.uint8, 1),
        ):
            if not is_plain(array, dtype, dimensions):
                raise ValueError(f"{name} of {array.dtype} and shape {array.shape}")
            if dtype == np.float32 and not (np.abs(array) <= _LARGEST).all():
                raise ValueError(f"{name} that are no numbers, or far from any unit vector")
        if not len(self.centroids) or not self.dimensions or self.dimensions % 8:
            raise ValueError(f"centroids of shape {self.centroids.shape}")
        if vectors.shape[1] != self.dimensions:
            raise ValueError(f"sub-centroids of shape {vectors.shape}")
        if (
            offsets.shape != (len(self.centroids) + 1,)
            or (offsets[0], offsets[-1]) != (0, len(vectors))
            or (offsets[1:] <= offsets[:-1]).any()
        ):
            raise ValueError(f"{len(vectors)} lists do not fit {len(self.centroids)} centroids")
        if self.lists > 1 << 16:
            raise ValueError(f"{self.lists} lists; there can be at most 65,536")
        if len(self.weights) not in {1 << b for b in BITS}:
            raise ValueError(f"{len(self.weights)} buckets; there must be 2, 4 or 16")
        if len(self.cutoffs) != len(self.weights) - 1 or np.any(np.diff(self.cutoffs) < 0):
            raise ValueError("the cutoffs must be ascending and one fewer than the weights")
        coded = len(lists.residuals), len(lists.scales)
        if coded != (0, 0) and (
            coded != (self.lists, self.lists) or lists.residuals.shape[1] != self.residual_bytes
        ):
            raise ValueError(f"{coded} codes do not fit {self.lists} lists")

    def check_query(self, query: Floats) -> None:
        """Check that compiled loops accept (n, d) vectors.

        Raises:
            ValueError: they do not.
        """
        if not is_plain(query, np.float32, 2) or query.shape[1] != self.dimensions:
            raise ValueError(f"a query of {query.dtype} and shape {query.shape}")

    @property
    def bits(self) -> int:
        """Bits a dimension."""
        return len(self.weights).bit_length() - 1

    @property
    def dimensions(self) -> int:
        return int(self.centroids.shape[1])

    @property
    def lists(self) -> int:
        return len(self.sub_centroids)

    @cached_property
    def centroid_of(self) -> npt.NDArray[np.uint16]:
        """(c,) the number of each list's centroid, ascending."""
        counts = np.diff(self.sub_centroids.offsets)
        return np.repeat(np.arange(len(self.centroids)), counts).astype(np.uint16)

    @property
    def residual_bytes(self) -> int:
        """Bytes that the residual of one vector takes."""
        return self.dimensions * self.bits // 8

    @cached_property
    def _half_norms(self) -> Floats:
        return half_norms(self.centroids)

    @cached_property
    def _list_half_norms(self) -> Floats:
        return half_norms(self.sub_centroids.vectors)

    @cached_property
    def byte_weights(self) -> Floats:
        """(256, 8 / b): the decoded values of each residual byte."""
        shifts = np.arange(0, 8, self.bits)
        buckets = (np.arange(256)[:, None] >> shifts) & (len(self.weights) - 1)
        return np.ascontiguousarray(self.weights[buckets], dtype=np.float32)

    def nearest(self, vectors: Floats) -> npt.NDArray[np.uint16]:
        """Return the nearest centroid (by Euclidean distance) of each (m, d) vector."""
        nearest = np.empty(len(vectors), dtype=np.uint16)
        # One buffer for all products: allocating one per block takes a third longer.
        most = min(len(vectors), _ASSIGN_BLOCK)
        buffer = np.empty((most, len(self.centroids)), dtype=np.float32)
        for rows in _blocks(len(vectors)):
            block = vectors[rows]
            products = np.matmul(block, self._centroids_side_by_side, out=buffer[: len(block)])
            products -= self._half_norms
            nearest[rows] = np.argmax(products, axis=1)
        return nearest

    def assign(self, vectors: Floats) -> npt.NDArray[np.uint16]:
        """Return the list of each (m, d) vector: the nearest of those of its nearest centroid."""
        return self.list_within(vectors, self.nearest(vectors))

    def list_within(
        self, vectors: Floats, centroids: npt.NDArray[np.uint16]
    ) -> npt.NDArray[np.uint16]:
        """Return the list of each (m, d) vector, given its (m,) nearest centroid."""
        if self.lists == len(self.centroids):
            return centroids
        lists = self.sub_centroids
        return nearest_within(
            vectors, centroids, lists.vectors, lists.offsets, self._list_half_norms
        )

    def encode(self, vectors: Floats) -> Codes:
        """Compress (m, d) unit vectors.

        Raises:
            ValueError: the vectors have another number of dimensions, or contain NaN.
        """
        _check(vectors, self.dimensions)
        list_ids = self.assign(vectors)
        return Codes(list_ids, *self.residual_codes(vectors, self.centroid_of[list_ids]))

    def residual_codes(
        self, vectors: Floats, centroids: npt.NDArray[np.uint16]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return packed residuals and scales (`Codes`) of (m, d) vectors with (m,) centroids."""
        residuals = vectors - self.centroids.take(centroids, axis=0)
        packed = self._packed(residuals)
        lengths = np.einsum("md,md->m", residuals, residuals)
        products = np.einsum("md,md->m", residuals, self.residual_weights(packed))
        # A vector equal to its centroid gets the smallest scale. A vector very unlike its code
        # gets the largest.
        logarithms = np.log2(np.maximum(lengths, _TINY) / np.maximum(products, _TINY))
        scales = np.rint(logarithms * _SCALES_PER_OCTAVE) + _SCALE_OF_UNIT
        scales[lengths <= _TINY] = 0
        return packed, np.clip(scales, 0, 255).astype(np.uint8)

    def _packed(self, residuals: Floats) -> npt.NDArray[np.uint8]:
        """Return (m, d b / 8) the packed buckets of (m, d) residuals."""
        if self.bits == 1:
            return np.packbits(residuals > self.cutoffs[0], axis=1, bitorder="little")
        # Comparing with each border is much faster than a binary search.
        buckets = np.zeros(residuals.shape, dtype=np.uint8)
        for cutoff in self.cutoffs:
            buckets += residuals > cutoff
        lanes = buckets.reshape(len(residuals), self.residual_bytes, 8 // self.bits)
        packed = np.zeros(lanes.shape[:2], dtype=np.uint8)
        for lane in range(8 // self.bits):
            packed |= lanes[:, :, lane] << np.uint8(lane * self.bits)
        return packed

    def decode(self, codes: Codes) -> Floats:
        """Return the decoded (m, d) float32 vectors, of about unit length.

        >>> codec = ResidualCodec.plain(np.eye(8, dtype=np.float32),
        ...     np.zeros(1, np.float32), np.array([-0.1, 0.1], np.float32))
        >>> decoded = codec.decode(codec.encode(np.eye(8, dtype=np.float32)[:2]))
        >>> decoded.argmax(axis=1).tolist(), decoded.max(axis=1).round(1).tolist()
        ([0, 1], [1.0, 1.0])
        """
        return self.decode_from(self.centroid_of[codes.list_ids], codes.residuals, codes.scales)

    def decode_from(
        self,
        centroids: npt.NDArray[np.uint16],
        residuals: npt.NDArray[np.uint8],
        scales: npt.NDArray[np.uint8],
    ) -> Floats:
        """Decode vectors of (m,) centroids and the results of `residual_codes`."""
        vectors = self.residual_weights(residuals)
        vectors *= SCALES.take(scales)[:, None]
        vectors += self.centroids.take(centroids, axis=0)
        return vectors

    def residual_weights(self, residuals: npt.NDArray[np.uint8]) -> Floats:
        """Return the (m, d) float32 residuals of (m, d b / 8) packed bytes."""
        # `take` is eight times as fast as indexing here.
        weights: Floats = self.byte_weights.take(residuals, axis=0)
        return weights.reshape(len(residuals), self.dimensions)

    def with_centroids(self, query: Floats) -> Floats:
        """(n, K) the products of (n, d) query vectors with the centroids.

        Cached for the next call: a search needs them twice, a tenth of its time.
        """
        return self._last_products.of(query, lambda: query @ self._centroids_side_by_side)

    @cached_property
    def _centroids_side_by_side(self) -> Floats:
        """(d, K) transposed centroids: products with a few vectors take half the time."""
        return np.ascontiguousarray(self.centroids.T)

    @cached_property
    def product_cache(self) -> LastQueryCache[tuple[Floats, Floats]]:
        """The centroid products of the last query."""
        return LastQueryCache()

    @cached_property
    def _last_products(self) -> LastQueryCache[Floats]:
        return LastQueryCache()

    def tables(self, query: Floats) -> Floats:
        """Return the addends of each residual byte to its product with (n, d) query vectors.

        Returns:
            (n, d b / 8, 256) float32.
        """
        # (n, bytes, lanes) and (256, lanes): a byte has 8 / b dimensions.
        parts = query.reshape(len(query), self.residual_bytes, 8 // self.bits)
        return np.ascontiguousarray(parts @ self.byte_weights.T)

    @cached_property
    def half_byte_weights(self) -> Floats:
        """(16, 4 / b): the decoded values of each half byte."""
        return np.ascontiguousarray(self.byte_weights[:16, : 4 // self.bits])

    @property
    def has_signs(self) -> bool:
        """Whether codes have the form that `sum_where_unlike` reads."""
        return self.bits == 1 and self.residual_bytes == SIGN_BYTES

    def signed(self, query: Floats) -> SignedTokens:
        """Return (n, d) query vectors prepared for codes of `has_signs`.

        Magnitudes are rounded to 127 steps, which adds a hundredth of the error of one bit per
        dimension.
        """
        return self._last_signed.of(query, lambda: self._signed(query))

    def _signed(self, query: Floats) -> SignedTokens:
        sizes = np.abs(query)
        steps = np.maximum(sizes.max(axis=1), _TINY) / MOST_MAGNITUDE
        magnitudes = np.rint(sizes / steps[:, None]).astype(np.uint8)
        # Dimensions with unlike signs subtract what those with like signs add.
        middle, half = self.weights.mean(), (self.weights[1] - self.weights[0]) / 2
        bases = middle * query.sum(axis=1) + half * steps * magnitudes.sum(axis=1)
        return SignedTokens(
            np.packbits(query > 0, axis=1, bitorder="little"),
            magnitudes,
            bases.astype(np.float32),
            (-2 * half * steps).astype(np.float32),
        )

    @cached_property
    def _last_signed(self) -> LastQueryCache[SignedTokens]:
        return LastQueryCache()

    def scorer(self, query: Floats) -> Scorer:
        """Return a function from m compressed vectors to their (n, m) products with a query.

        Equivalent to `query @ decode(codes).T` without decoding: the products with the centroids
        are computed once, here, and those with residuals byte by byte.
        """
        with_centroids = self.with_centroids(query)

        def products(codes: Codes) -> Floats:
            scores: Floats = query @ self.residual_weights(codes.residuals).T
            scores *= SCALES.take(codes.scales)
            scores += with_centroids.take(self.centroid_of[codes.list_ids], axis=1)
            return scores

        return products


def _blocks(count: int) -> Iterator[slice]:
    for start in range(0, count, _ASSIGN_BLOCK):
        yield slice(start, min(start + _ASSIGN_BLOCK, count))


def _check(vectors: Floats, dimensions: int) -> None:
    if vectors.ndim != 2 or vectors.shape[1] != dimensions:
        raise ValueError(f"vectors of shape {vectors.shape}, the codec has {dimensions} dimensions")
    if not np.isfinite(vectors).all():
        raise ValueError("vector contains an infinity or NaN")


_AT_ONCE = 4


def with_centroids(codec: ResidualCodec, query: Floats) -> tuple[Floats, Floats]:
    """Return (n, C) products of (n, d) vectors with the codec's centroids, and (C, m) the same.

    m is n rounded up to a multiple of 16; the additional columns are zeros. Cached for the next
    call: a search needs them twice, a tenth of its time.
    """
    return codec.product_cache.of(query, lambda: _products(codec, query))


def _products(codec: ResidualCodec, query: Floats) -> tuple[Floats, Floats]:
    tokens = len(query)
    shape = len(codec.centroids), tokens + -tokens % LANES
    if not loops.is_loaded() or len(codec.centroids) < _AT_ONCE:
        by_token = codec.with_centroids(query)
        side_by_side = np.zeros(shape, dtype=np.float32)
        side_by_side[:, :tokens] = by_token.T
    else:
        side_by_side = np.empty(shape, dtype=np.float32)
        by_token = np.empty((tokens, len(codec.centroids)), dtype=np.float32)
        codec.check_query(query)
        tokens_by_dimension = by_dimension(query, shape[1])
        loops.multiply_centroids(tokens_by_dimension, codec.centroids, side_by_side, by_token)
    return by_token, side_by_side
