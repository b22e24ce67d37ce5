"""Scores the passages of one index by their vectors: all in full, or those that are probed for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.arrays import Flags, Floats, Numbers
from core.index import probing
from core.index.codec import Codec, ResidualCodec
from core.index.inverted_lists import InvertedLists
from core.index.probing import Estimates, ProbeParams
from core.index.reduction import StoredVectors
from core.index.scoring import Scores, VectorComparison
from core.index.segment_store import SegmentStore
from core.progress import Job

_FEW_PASSAGES: Final = 1000
"""So few are compared in full, rather than found in lists that hold many others."""


class IndexSearcher:
    """Searches the segments of one index; for any number of threads at once."""

    def __init__(self, store: SegmentStore) -> None:
        self._store = store

    @property
    def codec(self) -> Codec:
        """What the vectors are compressed by."""
        return self._store.codec

    def scan(self, query: Floats, job: Job | None = None) -> Scores:
        """Score all passages, by comparing all their vectors; what `probe` is measured against.

        Args:
            query: (n, d) vectors, n at least 1, as long as each token counts.
            job: lets a search end that nobody waits for any more.

        Raises:
            Cancelled: the job was cancelled.
        """
        return self._exact(query, None, job or Job())

    def score(self, query: Floats, numbers: Numbers, job: Job | None = None) -> Scores:
        """Score these passages, by comparing all their vectors; likewise.

        Those without vectors, and those that are gone, are left out.
        """
        return self._exact(query, np.unique(numbers), job or Job())

    def _exact(self, query: Floats, wanted: Numbers | None, job: Job) -> Scores:
        numbers = [np.zeros(0, dtype=np.int64)]
        values = [np.zeros(0, dtype=np.float32)]
        comparison = VectorComparison(query, self.codec)
        compare = comparison.all_of if wanted is None else comparison.some_of
        for opened in self._store.segments():
            places = opened.places(wanted)
            if len(places):
                numbers.append(opened.data.passage_ids[places])
                values.append(compare(opened.data, places, job))
        every = np.concatenate(numbers)
        order = np.argsort(every, kind="stable")
        return Scores(every[order], np.concatenate(values)[order])

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
            query: (n, d) vectors, n at least 1, as long as each token counts.
            params: how much to look at.
            allowed: (a,) ascending, the passages that may be found; None for all.
            job: lets a search end that nobody waits for any more.

        Raises:
            Cancelled: the job was cancelled.
        """
        job = job or Job()
        if not isinstance(self.codec, ResidualCodec) or (
            allowed is not None and len(allowed) <= _FEW_PASSAGES
        ):
            scores = self._exact(query, allowed, job)
            is_allowed = np.ones(len(scores.passages), dtype=np.bool_)
            return Estimates([scores.passages], [scores.values], [is_allowed])
        sizes, given = self.inverted_lists(allowed)
        chosen = probing.plan(query, self.codec, sizes, params)
        return probing.probe(chosen, given, job)

    def inverted_lists(
        self, allowed: Numbers | None = None
    ) -> tuple[Numbers, list[tuple[InvertedLists, Flags]]]:
        """(K,) how many vectors each list holds, and the segments that hold parts of them.

        Each segment comes with (p,) which of its passages may be found: of `allowed`, ascending,
        or all.
        """
        assert isinstance(self.codec, ResidualCodec), "only compressed vectors lie in lists"
        opened = self._store.segments()
        sizes = sum(
            (segment.sizes for segment in opened), np.zeros(self.codec.lists, dtype=np.int64)
        )
        return sizes, [(segment.data, segment.allowed(allowed)) for segment in opened]

    def vectors(self, numbers: Sequence[int]) -> dict[int, StoredVectors]:
        """Return the stored vectors of these passages; those that have none are left out."""
        found: dict[int, StoredVectors] = {}
        wanted = np.array(sorted(numbers), dtype=np.int64)
        for opened in self._store.segments():
            places = opened.places(wanted)
            if not len(places):
                continue
            vectors = self.codec.decode(opened.data.codes(places))
            ends = np.cumsum(opened.data.lengths(places))
            for place, own in zip(places.tolist(), np.split(vectors, ends[:-1]), strict=True):
                number = int(opened.data.passage_ids[place])
                found[number] = StoredVectors(own, opened.data.positions_of(place))
        return found
