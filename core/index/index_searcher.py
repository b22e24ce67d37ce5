"""Scores the passages of one index by their vectors, in full or by probing lists."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.arrays import Flags, Floats, Numbers
from core.index import probing
from core.index.codec import Codec, ResidualCodec
from core.index.inverted_lists import InvertedLists
from core.index.probing import Estimates, ProbeParams
from core.index.reduction import StoredVectors
from core.index.scoring import Scores, VectorComparison, rows_of
from core.index.segment import OpenSegment
from core.index.segment_store import SegmentStore
from core.progress import Job

# Scopes of up to this many passages are compared in full instead of by probing lists.
_FULL_SCAN_PASSAGES: Final = 1000


class IndexSearcher:
    """Searches the segments of one index in this process; thread-safe."""

    def __init__(self, store: SegmentStore) -> None:
        self._store = store

    @property
    def codec(self) -> Codec:
        """The codec of the stored vectors."""
        return self._store.codec

    @property
    def has_store(self) -> bool:
        """Whether some passages are compared by the vectors of a refinement store."""
        return self.codec.refinement is not None

    def notice(self) -> str:
        """Return a sentence about damage to the index; "" if there is none."""
        return self._store.damage()

    def warm_up(self) -> None:
        """Open and check the published segments, so that no search waits for that."""
        self._store.warm_up()

    def scan(self, query: Floats, job: Job | None = None) -> Scores:
        """Score all passages, by comparing all their vectors; the baseline of `probe`.

        Args:
            query: (n, d) vectors, n at least 1, scaled by token weight.
            job: cancels the search.

        Raises:
            Cancelled: the job was cancelled.
        """
        comparison = VectorComparison(query, self.codec)
        return full_scores(comparison, self._store.segments(), None, job or Job())

    def score(self, query: Floats, passage_ids: Numbers, job: Job | None = None) -> Scores:
        """Score these passages, by comparing all their vectors, those in the store if there is one.

        Passages without vectors and removed passages are left out.

        Args:
            query: (n, d) vectors, n at least 1, scaled by token weight.
            passage_ids: the passages.
            job: cancels the search.

        Raises:
            Cancelled: the job was cancelled.
        """
        comparison = VectorComparison(query, self.codec)
        return full_scores(comparison, self._store.segments(), np.unique(passage_ids), job or Job())

    def probe(
        self,
        query: Floats,
        params: ProbeParams,
        *,
        allowed: Numbers | None = None,
        job: Job | None = None,
    ) -> Estimates:
        """Estimate the scores of passages from the lists nearest to the query's tokens.

        Args:
            query: (n, d) vectors, n at least 1, scaled by token weight.
            params: how much to visit.
            allowed: (a,) ascending, the passages that may be found; None for all.
            job: cancels the search.

        Raises:
            Cancelled: the job was cancelled.
        """
        job = job or Job()
        is_small_scope = allowed is not None and len(allowed) <= _FULL_SCAN_PASSAGES
        if not isinstance(self.codec, ResidualCodec) or is_small_scope:
            comparison = VectorComparison(query, self.codec)
            return full_estimates(comparison, self._store.segments(), allowed, job)
        sizes, segments = self.inverted_lists(allowed)
        chosen = probing.plan(query, self.codec, sizes, params)
        return probing.probe(chosen, segments, job)

    def inverted_lists(
        self, allowed: Numbers | None = None
    ) -> tuple[Numbers, list[tuple[InvertedLists, Flags]]]:
        """Return (K,) the sizes of the lists, and the segments that contain parts of them.

        Each segment comes with (p,) a mask of the passages that may be found: those in `allowed`,
        ascending, or all.
        """
        assert isinstance(self.codec, ResidualCodec), "only compressed vectors are in lists"
        opened = self._store.segments()
        segments = [(segment.data, segment.allowed(allowed)) for segment in opened]
        return self._store.list_sizes(opened), segments

    def first_vectors(self, passage_ids: Numbers) -> Floats:
        """Return (p, d) the first vector of each passage in the refinement store.

        For a model with summaries it is the summary. NaN for passages without vectors.
        """
        vectors = np.full((len(passage_ids), self.codec.dimensions), np.nan, dtype=np.float32)
        refinement = self.codec.refinement
        for opened in self._store.segments() if refinement is not None else ():
            store = opened.data.store
            rows = opened.rows(np.unique(passage_ids))
            if store is None or refinement is None or not len(rows):
                continue
            at, is_there = rows_of(passage_ids, opened.data.passage_ids[rows])
            decoded = refinement.decode(store.first_codes(rows, refinement))
            vectors[is_there] = decoded[at[is_there]]
        return vectors

    def vectors(self, passage_ids: Sequence[int]) -> dict[int, StoredVectors]:
        """Return the vectors of passages by which `score` compares them.

        Passages without vectors are left out.
        """
        wanted = np.array(sorted(passage_ids), dtype=np.int64)
        return stored_vectors(self.codec, self._store.segments(), wanted)


def full_scores(
    comparison: VectorComparison, segments: Sequence[OpenSegment], wanted: Numbers | None, job: Job
) -> Scores:
    """Compare a query in full with the passages of some segments.

    Args:
        comparison: the prepared query.
        segments: contain the passages.
        wanted: (w,) ascending, the passages to compare; None for all.
        job: cancels the search.

    Raises:
        Cancelled: the job was cancelled.
    """
    passage_ids = [np.zeros(0, dtype=np.int64)]
    values = [np.zeros(0, dtype=np.float32)]
    compare = comparison.all_of if wanted is None else comparison.some_of
    for opened in segments:
        rows = opened.rows(wanted)
        if len(rows):
            passage_ids.append(opened.data.passage_ids[rows])
            values.append(compare(opened.data, rows, job))
    every = np.concatenate(passage_ids)
    order = np.argsort(every, kind="stable")
    return Scores(every[order], np.concatenate(values)[order])


def full_estimates(
    comparison: VectorComparison, segments: Sequence[OpenSegment], allowed: Numbers | None, job: Job
) -> Estimates:
    """Return `full_scores` as estimates, if there are no lists to probe or few passages."""
    scores = full_scores(comparison, segments, allowed, job)
    is_allowed = np.ones(len(scores.passages), dtype=np.bool_)
    return Estimates(scores.passages, scores.values, [(scores.passages, is_allowed)])


def stored_vectors(
    codec: Codec, segments: Sequence[OpenSegment], wanted: Numbers
) -> dict[int, StoredVectors]:
    """Return the vectors of the wanted passages (ascending) in some segments."""
    vectors_of: dict[int, StoredVectors] = {}
    for opened in segments:
        rows = opened.rows(wanted)
        if not len(rows):
            continue
        store = opened.data.store
        if store is not None and codec.refinement is not None:
            vectors = codec.refinement.decode(store.codes(rows, codec.refinement))
            ends, positions_of = np.cumsum(store.lengths(rows)), store.positions_of
        else:
            vectors = codec.decode(opened.data.codes(rows))
            ends, positions_of = np.cumsum(opened.data.lengths(rows)), opened.data.positions_of
        for row, own in zip(rows.tolist(), np.split(vectors, ends[:-1]), strict=True):
            passage_id = int(opened.data.passage_ids[row])
            vectors_of[passage_id] = StoredVectors(own, positions_of(row))
    return vectors_of
