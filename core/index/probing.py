"""Finding the passages that are worth a full comparison, from the lists nearest to each token.

A search compares each query token with the centroids of all lists once, visits the lists of the
nearest, and scores their vectors from the codes by tables. Each token visits its nearest lists
until they hold enough vectors; a passage none of whose vectors was seen is given, for that token,
the score of the list at which the visits ended.

Source: Scheerer et al., "WARP", 2025, sections 4.2 to 4.4. What XTR and ColBERTv2 do instead is in
the laboratory, to be held against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import Flags, Floats, Numbers
from core.index import jit
from core.index.codec import SCALES, ResidualCodec
from core.index.inverted_lists import InvertedLists
from core.index.kernels import LOWEST
from core.progress import Job


@dataclass(frozen=True, slots=True)
class ProbeParams:
    """How much of an index a search looks at.

    Attributes:
        t_prime: the nearest lists are visited until they hold so many vectors, for each token of
            the query; t' in WARP, k' in XTR.
        n_probe: and at least so many lists; as in ColBERTv2 and faiss.
        beta_q: the share of the query's tokens for which lists are visited, those that count
            most; as in ALIGNER. The full comparison takes all of them.
    """

    t_prime: int = 2000
    n_probe: int = 2
    beta_q: float = 1.0

    def __post_init__(self) -> None:
        if self.t_prime < 1 or self.n_probe < 1 or not 0 < self.beta_q <= 1:
            raise ValueError(f"{self}")


_AT_ONCE: Final = 64
_SHARE_OF_CENTROIDS: Final = 16
"""Where a library has lists of its own, some are chosen among those of this part of the centroids,
the nearest ones; of these until so many lists have been looked at."""
_ENOUGH_LISTS: Final = 1024
_BELOW_ALL: Final = 4.0  # times its length: a decoded vector is hardly longer than 2

EVERYTHING = ProbeParams(t_prime=1 << 62, n_probe=1 << 16)
"""Visits all lists: what it gives is exact."""


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """Which lists a query visits.

    Attributes:
        tables: (n, b, 256) what each byte of a residual adds to a token's product.
        probes: (l,) numbers of lists, token by token, the nearest first.
        starts: (n + 1,) where each token's begin.
        products: (l,) of the tokens with the lists' centroids.
        missing_scores: (n,) what is given to a passage of which no vector was seen.
    """

    tables: Floats
    probes: Numbers
    starts: Numbers
    products: Floats
    missing_scores: Floats


def plan(query: Floats, codec: ResidualCodec, sizes: Numbers, params: ProbeParams) -> ProbePlan:
    """Choose the lists to visit.

    Args:
        query: (n, d) vectors, as long as the tokens count.
        codec: that has the lists.
        sizes: (K,) how many vectors each list holds.
        params: how much to visit.
    """
    query = that_count(query, params.beta_q)
    with_centroids = query @ codec.centroids.T
    choice = _choice(query, with_centroids, codec, sizes, params)
    return plan_of(query, with_centroids, codec, choice)


def choose_lists(
    query: Floats, codec: ResidualCodec, sizes: Numbers, params: ProbeParams
) -> Choice:
    """Choose as `plan` does, for `plan_of` to make the same plan elsewhere of a few numbers.

    Args:
        query: (n, d) vectors of `that_count`.
        codec: that has the lists.
        sizes: (K,) how many vectors each list holds.
        params: how much to visit.
    """
    return _choice(query, query @ codec.centroids.T, codec, sizes, params)


def plan_of(
    query: Floats, with_centroids: Floats, codec: ResidualCodec, choice: Choice
) -> ProbePlan:
    """Return the plan to visit lists that were chosen.

    Args:
        query: (n, d) vectors of the tokens that visit lists.
        with_centroids: (n, C) their products with the codec's centroids.
        codec: that has the lists.
        choice: the lists.
    """
    probes, counts, missing_scores = choice
    tokens = np.repeat(np.arange(len(query)), counts)
    below_all = -_BELOW_ALL * np.linalg.norm(query, axis=1)
    return ProbePlan(
        tables=codec.tables(query),
        probes=probes,
        starts=np.concatenate([[0], np.cumsum(counts)]),
        products=with_centroids[tokens, codec.centroid_of[probes]],
        missing_scores=np.maximum(missing_scores, below_all).astype(np.float32),
    )


def _choice(
    query: Floats, with_centroids: Floats, codec: ResidualCodec, sizes: Numbers, params: ProbeParams
) -> Choice:
    # Where much is asked for, all is looked at.
    is_a_little = params.t_prime * _SHARE_OF_CENTROIDS <= int(sizes.sum())
    if not codec.sub_centroids.are_of_library or not is_a_little:
        with_lists = (
            with_centroids
            if codec.sub_centroids.vectors is codec.centroids
            else query @ codec.sub_centroids.vectors.T
        )
        return _near_each(with_lists, sizes, params)
    few = max(len(codec.centroids) // _SHARE_OF_CENTROIDS, 1)
    near = highest(with_centroids, few)
    probes = np.empty((len(query), len(sizes)), dtype=np.int64)
    counts = np.empty(len(query), dtype=np.int64)
    missing_scores = np.empty(len(query), dtype=np.float32)
    jit.selecting()(
        query,
        near,
        codec.sub_centroids.offsets,
        codec.sub_centroids.vectors,
        sizes,
        params.t_prime,
        params.n_probe,
        _ENOUGH_LISTS,
        np.empty(len(sizes), dtype=np.int64),
        np.empty(len(sizes), dtype=np.float32),
        probes,
        counts,
        missing_scores,
    )
    chosen = [row[:count] for row, count in zip(probes, counts, strict=True)]
    return np.concatenate(chosen), counts, missing_scores


Choice = tuple[Numbers, Numbers, Floats]
"""(l,) lists, token by token, (n,) how many for each, and (n,) what is given to what is not seen;
minus infinity where nothing is."""


def _near_each(with_lists: Floats, sizes: Numbers, params: ProbeParams) -> Choice:
    """For each token its nearest lists, until they hold enough vectors."""
    held_by_all = int(sizes.sum())
    wanted = min(params.t_prime, held_by_all)
    most = max(4 * params.n_probe, 4 * wanted * len(sizes) // max(held_by_all, 1))
    while True:
        most = min(most, len(sizes))
        nearest = highest(with_lists, most)
        held = np.cumsum(sizes[nearest], axis=1)
        if most == len(sizes) or (held[:, -1] >= wanted).all():
            break
        most *= 4
    counts = np.maximum((held < wanted).sum(axis=1) + 1, params.n_probe)
    # One more is needed to tell what was not seen, unless there are no more.
    counts = np.where(counts >= most, most, counts)
    ends = nearest[np.arange(len(counts)), np.minimum(counts, most - 1)]
    missing_scores = with_lists[np.arange(len(counts)), ends]
    is_visited = np.arange(most) < counts[:, None]
    return nearest[is_visited], counts, np.where(counts < len(sizes), missing_scores, -np.inf)


def that_count(query: Floats, share: float) -> Floats:
    """Return the share of the query's tokens that count most, in their order; none of no weight."""
    weights = np.linalg.norm(query, axis=1)
    count = max(int(np.ceil(share * len(query))), 1)
    kept = np.sort(np.argsort(-weights, kind="stable")[:count])
    counting = kept[weights[kept] > 0]
    return query[counting] if len(counting) else query[:1]


def highest(scores: Floats, count: int) -> Numbers:
    """(n, count) the places of the highest scores in each row of (n, m), highest first."""
    places = np.argpartition(-scores, count - 1, axis=1)[:, :count]
    found = np.take_along_axis(scores, places, axis=1)
    return np.take_along_axis(places, np.argsort(-found, axis=1, kind="stable"), axis=1)


def approximate_scores(chosen: ProbePlan, segment: InvertedLists, is_allowed: Flags) -> Floats:
    """(p,) the sum over tokens of each passage's best score above the missing_scores, at least 0.

    Args:
        chosen: the lists to visit.
        segment: of p passages.
        is_allowed: (p,) of each passage, whether it may be found; others have 0.
    """
    totals = np.zeros(len(segment.passage_ids), dtype=np.float32)
    best = np.full(len(segment.passage_ids), LOWEST, dtype=np.float32)
    jit.visiting()(
        chosen.probes,
        chosen.starts,
        chosen.products,
        chosen.tables,
        chosen.missing_scores,
        segment.list_offsets,
        segment.owners,
        segment.residuals,
        segment.scales,
        SCALES,
        is_allowed,
        best,
        totals,
    )
    return totals


@dataclass(frozen=True, slots=True)
class Estimates:
    """Estimated scores of the passages of several segments, comparable among themselves only.

    Attributes:
        numbers: for each segment (p,) its passages.
        totals: for each (p,) their estimates, the higher the better.
        is_allowed: for each (p,) whether they may be found.
    """

    numbers: Sequence[Numbers]
    totals: Sequence[Floats]
    is_allowed: Sequence[Flags]

    def __len__(self) -> int:
        return sum(int(allowed.sum()) for allowed in self.is_allowed)

    def best(self, limit: int) -> Numbers:
        """The `limit` passages of the highest estimates, highest first; all if there are fewer.

        >>> made = Estimates([np.array([3, 5, 8])], [np.array([1, 0, 2], np.float32)],
        ...                  [np.array([True, True, False])])
        >>> made.best(2).tolist()
        [3, 5]
        """
        numbers, _ = self.top(limit)
        return numbers

    def top(self, limit: int) -> tuple[Numbers, Floats]:
        """Return the same with their estimates."""
        totals = [
            np.where(allowed, one, -np.inf).astype(np.float32)
            for one, allowed in zip(self.totals, self.is_allowed, strict=True)
        ]
        # Most passages lie below what is surely among the best, and need not be looked at.
        peaks = np.concatenate([np.zeros(0, np.float32), *map(_peaks, totals)])
        least = max(_nth_highest(peaks, limit), _LOWEST)
        places = [np.flatnonzero(values >= least) for values in totals]
        values = np.concatenate(
            [
                np.zeros(0, np.float32),
                *(values[at] for values, at in zip(totals, places, strict=True)),
            ]
        )
        numbers = np.concatenate(
            [
                np.zeros(0, np.int64),
                *(numbers[at] for numbers, at in zip(self.numbers, places, strict=True)),
            ]
        )
        return _first(numbers, values, limit)


_LOWEST: Final = float(np.finfo(np.float32).min)


def _peaks(totals: Floats) -> Floats:
    """The highest of each few: as many values as these are at least as high as the last of them."""
    highest: Floats = np.maximum.reduceat(totals, np.arange(0, len(totals), _AT_ONCE))
    return highest


def _nth_highest(values: Floats, n: int) -> float:
    """Return the n-th highest value; minus infinity where there are fewer."""
    if len(values) < n:
        return -np.inf
    return float(np.partition(values, len(values) - n)[len(values) - n])


def _first(numbers: Numbers, values: Floats, limit: int) -> tuple[Numbers, Floats]:
    """The `limit` numbers of the highest values, highest first, among equals in ascending order."""
    least = _nth_highest(values, limit)
    above, equal = np.flatnonzero(values > least), np.flatnonzero(values == least)
    # There may be a million of them, all 0.
    wanted = min(limit - len(above), len(equal))
    if wanted < len(equal):
        equal = equal[np.argpartition(numbers[equal], wanted)[:wanted]]
    kept = np.concatenate([above, equal])
    order = kept[np.lexsort((numbers[kept], -values[kept]))]
    return numbers[order], values[order]


def probe(
    chosen: ProbePlan,
    segments: Sequence[tuple[InvertedLists, Flags]],
    job: Job,
) -> Estimates:
    """Visit the chosen lists in all segments, each with which of its passages may be found.

    Raises:
        Cancelled: the job was cancelled.
    """
    totals = []
    for segment, is_allowed in segments:
        job.checkpoint()
        totals.append(approximate_scores(chosen, segment, is_allowed))
    return Estimates(
        [segment.passage_ids for segment, _ in segments],
        totals,
        [is_allowed for _, is_allowed in segments],
    )
