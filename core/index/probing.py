"""Candidate generation: estimates passages' scores from the lists nearest to each token.

A search compares each query token with the centroids of all lists once, visits the nearest lists,
and scores their vectors from the codes by tables. Each token visits its nearest lists until they
have enough vectors; a passage without a visited vector gets, for that token, the score of the next
list.

Source: Scheerer et al., "WARP", 2025, sections 4.2 to 4.4. The methods of XTR and ColBERTv2 are in
the laboratory, for comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Flags, Floats, Numbers
from core.index.codec import SCALES, ResidualCodec, SignedTokens, with_centroids
from core.index.inverted_lists import MOST_PASSAGES, InvertedLists
from core.index.native import loops
from core.index.native.arrays import LOWEST
from core.progress import Job


@dataclass(frozen=True, slots=True)
class ProbeParams:
    """How much of an index a search visits.

    Attributes:
        t_prime: number of vectors in the lists that a token of average weight visits; for other
            tokens it is proportional to the weight. t' in WARP, k' in XTR, where it is the same
            for all tokens.
        n_probe: minimum number of lists that a token visits, as in ColBERTv2 and faiss.
        beta_q: share of the query's tokens that visit lists, the heaviest first, as in ALIGNER.
            The full comparison uses all tokens.
    """

    t_prime: int = 2000
    n_probe: int = 2
    beta_q: float = 1.0

    def __post_init__(self) -> None:
        if self.t_prime < 1 or self.n_probe < 1 or not 0 < self.beta_q <= 1:
            raise ValueError(f"{self}")


# In a library with its own lists, a token chooses among the lists of its nearest centroids: one in
# 16 of all centroids, or fewer if these have 1024 lists.
_SHARE_OF_CENTROIDS: Final = 16
_ENOUGH_LISTS: Final = 1024
# The lightest tokens, with this share of the total weight, visit no lists.
_LITTLE: Final = 0.02
# Minimum and maximum multiple of `t_prime` that a token visits, by its weight.
_LEAST_SHARE: Final = 0.1
_MOST_SHARE: Final = 4.0
_BELOW_ALL: Final = 4.0  # times its length: decoded vectors are shorter than about 2

_BOUNDING: Final = 4
_LEAST_WEIGHT: Final = 1e-9
_NO_TABLES: Final[Floats] = np.zeros((0, 1, 256), np.float32)

# Visits all lists, so that scores are exact.
EVERYTHING = ProbeParams(t_prime=1 << 62, n_probe=1 << 16)


@dataclass(frozen=True)
class ProbePlan:
    """The lists that a query visits.

    Attributes:
        query: (n, d) vectors of the tokens that visit lists.
        codec: defines the lists.
        probes: (l,) lists, token by token, the nearest first.
        starts: (n + 1,) the start of each token's lists.
        products: (l,) of the token with the list's centroid.
        missing_scores: (n,) per token, the score of a passage none of whose vectors was visited.
    """

    query: Floats
    codec: ResidualCodec
    probes: Numbers
    starts: Numbers
    products: Floats
    missing_scores: Floats

    def __post_init__(self) -> None:
        self.codec.check_query(self.query)
        lists, starts, tokens = len(self.probes), self.starts, len(self.query)
        if (
            starts.shape != (tokens + 1,)
            or (starts[0], starts[-1]) != (0, lists)
            or (starts[1:] < starts[:-1]).any()
            or self.products.shape != (lists,)
            or self.missing_scores.shape != (tokens,)
            or self.probes.min(initial=0) < 0
            or self.probes.max(initial=0) >= self.codec.lists
        ):
            raise ValueError(f"{lists} lists to visit, {tokens} tokens")

    @cached_property
    def tables(self) -> Floats:
        """(n, b, 256) the addends of each residual byte to a token's product."""
        return self.codec.tables(self.query)

    @cached_property
    def signed(self) -> SignedTokens:
        """The query's signs, for codes of one bit per dimension."""
        return self.codec.signed(self.query)


def plan(query: Floats, codec: ResidualCodec, sizes: Numbers, params: ProbeParams) -> ProbePlan:
    """Choose the lists to visit.

    Args:
        query: (n, d) vectors, scaled by token weight.
        codec: defines the lists.
        sizes: (K,) number of vectors in each list.
        params: how much to visit.
    """
    counting = probing_tokens(query, params.beta_q)
    # Of all tokens, because the full comparison needs the same products again.
    products, _ = with_centroids(codec, query)
    if len(counting) < len(query):
        products, query = products[counting], query[counting]
    choice = _choice(query, products, codec, sizes, params)
    return plan_of(query, products, codec, choice)


def plan_of(query: Floats, products: Floats, codec: ResidualCodec, choice: Choice) -> ProbePlan:
    """Return the plan to visit lists that were chosen.

    Args:
        query: (n, d) vectors of the tokens that visit lists.
        products: (n, C) their products with the codec's centroids.
        codec: defines the lists.
        choice: the lists.
    """
    probes, counts, missing_scores = choice
    tokens = np.repeat(np.arange(len(query)), counts)
    below_all = -_BELOW_ALL * _weights(query)
    return ProbePlan(
        query=query,
        codec=codec,
        probes=probes,
        starts=np.concatenate([[0], np.cumsum(counts)]),
        products=products[tokens, codec.centroid_of[probes]],
        missing_scores=np.maximum(missing_scores, below_all).astype(np.float32),
    )


def _choice(
    query: Floats, products: Floats, codec: ResidualCodec, sizes: Numbers, params: ProbeParams
) -> Choice:
    shares = _shares(query)
    wanted = np.rint(np.clip(shares * params.t_prime, 1, max(int(sizes.sum()), 1))).astype(np.int64)
    # For large requests, consider all lists.
    is_a_little = params.t_prime * _SHARE_OF_CENTROIDS <= int(sizes.sum())
    if not codec.sub_centroids.are_of_library or not is_a_little:
        with_lists = (
            products
            if codec.sub_centroids.vectors is codec.centroids
            else query @ codec.sub_centroids.vectors.T
        )
        return _near_each(with_lists, sizes, wanted, params.n_probe)
    lists = codec.sub_centroids
    is_by_signs = loops.sums_signs() and codec.has_signs and len(lists.residuals) == len(lists)
    signed = codec.signed(query) if is_by_signs else SignedTokens.none()
    near = len(codec.centroids) // _SHARE_OF_CENTROIDS
    probes = np.empty(len(query) * len(sizes), dtype=np.int64)
    counts = np.empty(len(query), dtype=np.int64)
    missing_scores = np.empty(len(query), dtype=np.float32)
    loops.select_lists(
        query,
        products,
        np.rint(np.maximum(shares * near, 1)).astype(np.int64),
        lists.offsets,
        lists.vectors,
        lists.residuals,
        lists.scales,
        SCALES,
        signed.signs,
        signed.magnitudes,
        signed.bases,
        signed.slopes,
        sizes,
        wanted,
        params.n_probe,
        np.rint(np.minimum(shares, 1) * _ENOUGH_LISTS).astype(np.int64),
        np.empty(products.shape[1], dtype=np.uint8),
        np.empty(len(sizes), dtype=np.int64),
        np.empty(len(sizes), dtype=np.float32),
        probes,
        counts,
        missing_scores,
    )
    return probes[: counts.sum()].copy(), counts, missing_scores


# (l,) lists, token by token, (n,) their numbers per token, and (n,) the scores of unseen vectors;
# minus infinity if all are seen.
Choice = tuple[Numbers, Numbers, Floats]


def _weights(query: Floats) -> Floats:
    """Return (n,) the lengths of the vectors, which are the weights of the tokens."""
    squares: Floats = np.einsum("nd,nd->n", query, query)
    return np.sqrt(squares)


def _shares(query: Floats) -> Floats:
    """Return (n,) the amount that each token visits, relative to a token of average weight."""
    weights = _weights(query)
    shares = weights / max(float(weights.mean()), _LEAST_WEIGHT)
    within: Floats = np.clip(shares, _LEAST_SHARE, _MOST_SHARE)
    return within


def _near_each(with_lists: Floats, sizes: Numbers, wanted: Numbers, n_probe: int) -> Choice:
    """Choose the nearest lists of each token, until they contain enough vectors."""
    held_by_all = int(sizes.sum())
    wanted = np.minimum(wanted, held_by_all)[:, None]
    most = max(4 * n_probe, 4 * int(wanted.max()) * len(sizes) // max(held_by_all, 1))
    while True:
        most = min(most, len(sizes))
        nearest = highest(with_lists, most)
        held = np.cumsum(sizes[nearest], axis=1)
        if most == len(sizes) or (held[:, -1:] >= wanted).all():
            break
        most *= 4
    counts = np.maximum((held < wanted).sum(axis=1) + 1, n_probe)
    # One more list, if there is one, determines the score of unseen vectors.
    counts = np.where(counts >= most, most, counts)
    ends = nearest[np.arange(len(counts)), np.minimum(counts, most - 1)]
    missing_scores = with_lists[np.arange(len(counts)), ends]
    is_visited = np.arange(most) < counts[:, None]
    return nearest[is_visited], counts, np.where(counts < len(sizes), missing_scores, -np.inf)


def probing_tokens(query: Floats, share: float) -> Numbers:
    """Return the query's tokens that visit lists, in order; at least one.

    These are the heaviest tokens, without the lightest ones of negligible total weight.

    >>> probing_tokens(np.array([[3, 0], [0, 0.1], [0, 9]], np.float32), 1).tolist()
    [0, 2]
    """
    weights = _weights(query)
    heaviest = np.argsort(-weights, kind="stable")
    before = np.cumsum(weights[heaviest])
    count = max(int(np.ceil(share * len(query))), 1)
    matter = before - weights[heaviest] < (1 - _LITTLE) * before[-1]
    tokens: Numbers = np.sort(heaviest[: max(min(count, int(matter.sum())), 1)])
    return tokens


def probing_vectors(query: Floats, share: float) -> Floats:
    """Return the vectors of these tokens."""
    return query[probing_tokens(query, share)]


def highest(scores: Floats, count: int) -> Numbers:
    """Return (n, count) the columns of the highest scores in each row of (n, m), highest first."""
    columns = np.argpartition(-scores, count - 1, axis=1)[:, :count]
    best = np.take_along_axis(scores, columns, axis=1)
    return np.take_along_axis(columns, np.argsort(-best, axis=1, kind="stable"), axis=1)


@dataclass(frozen=True, slots=True)
class _Scratch:
    """Buffers that visits write to, allocated once for all segments of a query."""

    is_allowed: Flags
    best: Floats
    totals: Floats
    seen: npt.NDArray[np.uint16]

    @classmethod
    def of(cls, segments: Sequence[InvertedLists]) -> _Scratch:
        """Allocate for the longest segment, or the largest possible one if owners are unchecked."""
        lengths = (
            len(each.passage_ids) if each.stored_list_ids is None else MOST_PASSAGES
            for each in segments
        )
        length = max(lengths, default=0)
        return cls(
            np.zeros(length, dtype=np.bool_),
            np.full(length, LOWEST, dtype=np.float32),
            np.zeros(length, dtype=np.float32),
            np.empty(length + 1, dtype=np.uint16),
        )


def approximate_scores(
    chosen: ProbePlan, segment: InvertedLists, is_allowed: Flags, scratch: _Scratch | None = None
) -> tuple[Numbers, Floats]:
    """Return (s,) the rows of the visited passages, in any order, and their sums.

    A sum adds each token's best score above its `missing_scores`; all sums are above 0.

    Args:
        chosen: the lists to visit.
        segment: of p passages.
        is_allowed: (p,) whether each passage may be found.
        scratch: reused from an earlier call.
    """
    scratch = scratch or _Scratch.of([segment])
    scratch.is_allowed[: len(is_allowed)] = is_allowed
    scratch.is_allowed[len(is_allowed) :] = False
    if not segment.fits(chosen.codec):
        raise ValueError("segment of another codec")
    is_by_signs = loops.sums_signs() and chosen.codec.has_signs
    signed = chosen.signed if is_by_signs else SignedTokens.none()
    count = loops.visit(
        chosen.probes,
        chosen.starts,
        chosen.products,
        _NO_TABLES if is_by_signs else chosen.tables,
        signed.signs,
        signed.magnitudes,
        signed.bases,
        signed.slopes,
        chosen.missing_scores,
        segment.list_offsets,
        segment.owners,
        segment.residuals,
        segment.scales,
        SCALES,
        scratch.is_allowed,
        scratch.best,
        scratch.totals,
        scratch.seen,
    )
    rows = scratch.seen[:count].astype(np.int64)
    totals = scratch.totals[rows]
    scratch.totals[rows] = 0
    return rows, totals


@dataclass(frozen=True, slots=True)
class Estimates:
    """Estimated scores of the passages of several segments, comparable only with each other.

    Attributes:
        passage_ids: (e,) unique passage ids.
        totals: (e,) their estimates, the higher the better.
        segments: for each segment (p,) its passages and (p,) which of them may be found. Passages
            outside `passage_ids` have the lowest estimate, 0.
    """

    passage_ids: Numbers
    totals: Floats
    segments: Sequence[tuple[Numbers, Flags]]

    def __len__(self) -> int:
        return sum(int(np.count_nonzero(allowed)) for _, allowed in self.segments)

    def best(self, limit: int) -> Numbers:
        """The `limit` passages of the highest estimates, highest first; all if there are fewer.

        >>> made = Estimates(np.array([8, 3]), np.array([2, 1], np.float32),
        ...                  [(np.array([3, 5, 8]), np.array([True, True, True]))])
        >>> made.best(3).tolist()
        [8, 3, 5]
        """
        passage_ids, _ = self.top(limit)
        return passage_ids

    def top(self, limit: int) -> tuple[Numbers, Floats]:
        """Return the best passages with their estimates."""
        if len(self.passage_ids) >= limit:
            return _first(self.passage_ids, self.totals, limit)
        allowed = [passage_ids[is_allowed] for passage_ids, is_allowed in self.segments]
        every = np.concatenate([np.zeros(0, np.int64), *allowed])
        unseen = np.setdiff1d(every, self.passage_ids, assume_unique=True)
        wanted = min(limit - len(self.passage_ids), len(unseen))
        if wanted < len(unseen):
            unseen = unseen[np.argpartition(unseen, wanted)[:wanted]]
        passage_ids = np.concatenate([self.passage_ids, unseen])
        totals = np.concatenate([self.totals, np.zeros(wanted, np.float32)])
        return _first(passage_ids, totals, limit)


def _first(passage_ids: Numbers, values: Floats, limit: int) -> tuple[Numbers, Floats]:
    """Return the `limit` numbers with the highest values; ties are in ascending order."""
    if limit < len(values):
        # The maxima of small groups are different values: the last of the best of those is no
        # higher than the last of the best of all.
        each = len(values) // (_BOUNDING * limit)
        whole = len(values) // max(each, 1) * max(each, 1)
        bounding = values[:whole].reshape(each, -1).max(axis=0) if each > 1 else values
        least = np.partition(bounding, len(bounding) - limit)[len(bounding) - limit]
        is_top = np.flatnonzero(values >= least)
        passage_ids, values = passage_ids[is_top], values[is_top]
    order = np.lexsort((passage_ids, -values))[:limit]
    return passage_ids[order], values[order]


def probe(
    chosen: ProbePlan, segments: Sequence[tuple[InvertedLists, Flags]], job: Job
) -> Estimates:
    """Visit the chosen lists in all segments, each with a mask of its allowed passages.

    Raises:
        Cancelled: the job was cancelled.
    """
    scratch = _Scratch.of([segment for segment, _ in segments])
    passage_ids, totals = [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
    for segment, is_allowed in segments:
        job.checkpoint()
        rows, own = approximate_scores(chosen, segment, is_allowed, scratch)
        passage_ids.append(segment.passage_ids[rows])
        totals.append(own)
    return Estimates(
        np.concatenate(passage_ids),
        np.concatenate(totals),
        [(segment.passage_ids, is_allowed) for segment, is_allowed in segments],
    )
