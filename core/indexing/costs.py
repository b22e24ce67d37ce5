"""What ways to keep a library's vectors cost: bytes, and what is found less well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.alignment.reduction import ReductionPolicy, TokenReduction, budget
from core.arrays import Numbers
from core.catalog import manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.manifest import IndexRow
from core.encoders.checkpoint import Checkpoint
from core.index.codebook import projected_dimensions
from core.index.codec import UNCOMPRESSED
from core.indexing.wanted import choices_of_bits, keeping_of, wants_own_codebook

SHARES: Final = (1.0, 0.4, 0.3, 0.2, 0.1)
"""The shares of a passage's vectors that a person is offered to keep."""

# nDCG@10 in points with uncompressed vectors: docs/decisions/0012-keeping.md.
POINTS: Final = {
    ReductionPolicy.WEIGHTED_POOLING: {1.0: 67.3, 0.4: 67.2, 0.3: 66.6, 0.2: 66.0, 0.1: 64.3},
    ReductionPolicy.POOLING: {1.0: 67.3, 0.4: 66.9, 0.3: 66.7, 0.2: 66.2, 0.1: 63.9},
}
# What compression takes of them, where it was measured: the same record, and at 40 %
# docs/decisions/0005-codec.md.
LOST_TO_BITS: Final = {2: {1.0: 0.0, 0.4: 0.1, 0.2: 0.4}, 1: {1.0: 1.0, 0.4: 1.0, 0.2: 1.7}}
# Of a vector, beside its residual: where a library has too few of its own to tell.
_BYTES_BESIDE: Final = 4.0
_ENOUGH_VECTORS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Cost:
    """What keeping a library's vectors in one way costs.

    Attributes:
        bits: a dimension.
        share: of a passage's vectors.
        index_bytes: the size of the index to be expected.
        bytes_per_token: the same for each token of the passages; 0 while there are none.
        points_lost: nDCG@10 in points, against all vectors uncompressed, with the built-in model
            on nine sets that it was not trained on; None where that was not measured.
    """

    bits: int
    share: float
    index_bytes: int
    bytes_per_token: float
    points_lost: float | None


def costs(catalog: Catalog, live: IndexRow | None, checkpoint: Checkpoint) -> tuple[Cost, ...]:
    """What each way costs that can be chosen with a model, for the passages that there are.

    Args:
        catalog: the library's.
        live: the index that answers, of which is known what it takes.
        checkpoint: the model.
    """
    with catalog.reading() as db:
        counted = passages.lengths_counted(db)
        stored = [row for row in manifest.segments(db) if live and row.codec == live.codec]
    lengths = np.array([length for length, _ in counted], dtype=np.int64)
    numbers = np.array([count for _, count in counted], dtype=np.int64)
    tokens = int(lengths @ numbers)
    beside = _BYTES_BESIDE
    vectors = sum(row.tokens for row in stored)
    if live is not None and vectors >= _ENOUGH_VECTORS:
        taken = sum(row.size_bytes for row in stored) / vectors
        is_own = bool(live.codebook)
        told = _residual_bytes(checkpoint.dimensions, live.bits, is_own=is_own)
        beside = max(taken - told, 0.0)
    found = []
    for share in sorted({*SHARES, checkpoint.keeping.beta_d}, reverse=True):
        keeping = keeping_of(checkpoint, share)
        kept = int(_kept(lengths, keeping, has_summary=_has_summary(checkpoint)) @ numbers)
        for bits in choices_of_bits(checkpoint):
            is_own = wants_own_codebook(checkpoint, bits, int(numbers.sum()))
            size = kept * (_residual_bytes(checkpoint.dimensions, bits, is_own=is_own) + beside)
            each = size / tokens if tokens else 0.0
            found.append(Cost(bits, share, round(size), each, points_lost(keeping, bits)))
    return tuple(found)


def points_lost(keeping: TokenReduction, bits: int) -> float | None:
    """What is lost by a way of keeping vectors; None where it was not measured.

    >>> points_lost(TokenReduction(ReductionPolicy.WEIGHTED_POOLING, 0.2), 1)
    3.0
    >>> points_lost(TokenReduction(), 32), points_lost(TokenReduction(), 4)
    (0.0, None)
    """
    way = POINTS.get(keeping.policy, {})
    lost = {1.0: 0.0, **way} if bits == UNCOMPRESSED else LOST_TO_BITS.get(bits, {})
    if keeping.beta_d not in way or keeping.beta_d not in lost:
        return None
    by_bits = 0.0 if bits == UNCOMPRESSED else lost[keeping.beta_d]
    return round(way[1.0] - way[keeping.beta_d] + by_bits, 1)


def _kept(lengths: Numbers, keeping: TokenReduction, *, has_summary: bool) -> Numbers:
    """How many vectors are kept of passages of these lengths, summaries counted in."""
    if keeping.is_everything:
        return lengths
    first = np.minimum(lengths, int(has_summary))
    kept: Numbers = budget(lengths - first, keeping.beta_d) + first
    return kept


def _has_summary(checkpoint: Checkpoint) -> bool:
    return checkpoint.passages.gives_summary


def _residual_bytes(dimensions: int, bits: int, *, is_own: bool) -> float:
    return projected_dimensions(dimensions, bits, is_own=is_own) * bits / 8
