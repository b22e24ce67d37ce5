"""Full comparisons: every query token with every stored vector of a passage."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Floats, Numbers
from core.index.codec import SCALES, Codec, ResidualCodec, Scorer, with_centroids
from core.index.inverted_lists import InvertedLists
from core.index.native import loops
from core.index.refinement_store import (
    RefinementStore,
    compare_compiled,
    interleaved_tables,
    max_similarities,
)
from core.progress import Job

# Vectors compared at a time: their residuals as float32 are 4 MB and fit the cache.
_BLOCK_TOKENS: Final = 8192


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of passages; `passages` ascending."""

    passages: Numbers
    values: Floats

    def of(self, passage_ids: Numbers) -> Floats:
        """Return the scores of passages; NaN for a passage without one."""
        scores = np.full(len(passage_ids), np.nan, dtype=np.float32)
        if len(self.passages):
            rows, is_there = rows_of(passage_ids, self.passages)
            scores[is_there] = self.values[rows[is_there]]
        return scores

    def best(self, limit: int) -> tuple[Numbers, Floats]:
        """Return the `limit` best passages and their scores; ties in the order they were added."""
        if limit < len(self.values):
            # A partition first: sorting a million scores takes longer than computing them.
            threshold = -np.partition(-self.values, limit - 1)[limit - 1]
            candidates = np.flatnonzero(self.values >= threshold)
        else:
            candidates = np.arange(len(self.values))
        order = candidates[np.argsort(-self.values[candidates], kind="stable")[:limit]]
        return self.passages[order], self.values[order]


def rows_of(ids: Numbers, ascending: Numbers) -> tuple[Numbers, npt.NDArray[np.bool_]]:
    """Return the positions of numbers in an ascending, non-empty array, and whether they exist.

    >>> rows, is_there = rows_of(np.array([5, 4]), np.array([3, 5]))
    >>> rows.tolist(), is_there.tolist()
    ([1, 1], [True, False])
    """
    rows = np.minimum(np.searchsorted(ascending, ids), len(ascending) - 1)
    return rows, ascending[rows] == ids


@dataclass(frozen=True)
class VectorComparison:
    """A query of n tokens, prepared once for comparison with passages of several segments.

    Attributes:
        query: (n, d) vectors, scaled by token weight.
        codec: of the passages' vectors.
    """

    query: Floats
    codec: Codec

    def __post_init__(self) -> None:
        if isinstance(self.codec, ResidualCodec):
            self.codec.check_query(self.query)

    def all_of(self, segment: InvertedLists, rows: Numbers, job: Job) -> Floats:
        """Score many passages by `exact`, with matrix products."""
        return exact(segment, rows, self._scorer, job)

    def some_of(self, segment: InvertedLists, rows: Numbers, job: Job) -> Floats:
        """Score some passages, by the compiled loop if it is loaded.

        Their vectors in the refinement store are compared, if there is one.
        """
        if segment.store is not None:
            return self._refined(segment, segment.store, rows, job)
        if not loops.is_loaded() or not isinstance(self.codec, ResidualCodec):
            return self.all_of(segment, rows, job)
        job.checkpoint()
        if not segment.fits(self.codec):
            raise ValueError("segment of another codec")
        products, tables = self._tables
        values = np.empty(len(rows), dtype=np.float32)
        longest = int(segment.lengths(rows).max(initial=0))
        loops.compare(
            rows,
            segment.passage_offsets,
            segment.slots,
            segment.list_ids,
            segment.list_offsets,
            segment.owners,
            segment.residuals,
            segment.scales,
            SCALES,
            products,
            tables,
            self.codec.centroid_of,
            np.empty((2, longest), dtype=np.uint32),
            np.empty(products.shape[1], dtype=np.float32),
            values,
        )
        values /= len(self.query)
        return values

    @cached_property
    def _scorer(self) -> Scorer:
        return self.codec.scorer(self.query)

    def _refined(
        self, segment: InvertedLists, store: RefinementStore, rows: Numbers, job: Job
    ) -> Floats:
        """Score some passages by their vectors in the refinement store."""
        job.checkpoint()
        assert isinstance(self.codec, ResidualCodec)
        codec = self.codec.refinement
        if codec is None or not segment.fits(self.codec):
            raise ValueError("segment of another codec")
        if loops.is_loaded():
            values = compare_compiled(store, rows, codec, *self._store_tables)
        else:
            values = max_similarities(store, rows, codec, codec.scorer(self.query))
        values /= len(self.query)
        return values

    @cached_property
    def _tables(self) -> tuple[Floats, Floats]:
        """Return (C, n') the tokens' products with the centroids, and the tables of residuals.

        The tokens are padded to a multiple of the lanes.
        """
        assert isinstance(self.codec, ResidualCodec)
        _, products = with_centroids(self.codec, self.query)
        return products, interleaved_tables(self.query, self.codec, products.shape[1])

    @cached_property
    def _store_tables(self) -> tuple[Floats, Floats]:
        """Return the same with the tables of the residuals in the refinement store."""
        assert isinstance(self.codec, ResidualCodec)
        assert self.codec.refinement is not None
        _, products = with_centroids(self.codec, self.query)
        return products, interleaved_tables(self.query, self.codec.refinement, products.shape[1])


def exact(segment: InvertedLists, rows: Numbers, scorer: Scorer, job: Job) -> Floats:
    """Return the score of each passage: its sum of maxima over the query's n tokens, over n.

    Args:
        segment: contains the passages.
        rows: (n,) their rows in it.
        scorer: compares the query's tokens with compressed vectors.
        job: cancels the search.

    Raises:
        Cancelled: the job was cancelled.

    Source: ALIGNER, eq. 1, with the top-1 alignment.
    """
    values = np.empty(len(rows), dtype=np.float32)
    lengths = segment.lengths(rows)
    ends = np.cumsum(lengths)
    first = 0
    while first < len(values):
        job.checkpoint()
        block_start = int(ends[first] - lengths[first])
        # Whole passages up to the block's size, at least one.
        last = int(np.searchsorted(ends, block_start + _BLOCK_TOKENS, side="right"))
        last = max(last, first + 1)
        products = scorer(segment.codes(rows[first:last]))
        starts = ends[first:last] - lengths[first:last] - block_start
        values[first:last] = np.maximum.reduceat(products, starts, axis=1).mean(axis=0)
        first = last
    return values
