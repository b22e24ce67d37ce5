"""Retrieval procedures of XTR and ColBERTv2, for comparison with the index's own.

All three visit some of the inverted lists and score their vectors. They differ in the score of a
passage for a query token for which none of its vectors was visited:

- the index's own procedure, WARP's, uses the score of the last list visited for the token;
- XTR's uses the score of the last vector that the token retrieved;
- ColBERTv2's uses none: the estimate is a lower bound, and vectors found for one token are compared
with all tokens.

Sources: Lee et al., XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"),
section 3.2, eq. 4; Santhanam et al., ColBERTv2, section 3.5; Scheerer et al., "WARP", 2025, section
4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

import numpy as np

from core.arrays import Flags, Floats, Numbers
from core.index import probing
from core.index.codec import SCALES, ResidualCodec
from core.index.index_searcher import IndexSearcher
from core.index.inverted_lists import InvertedLists
from core.index.native import arrays
from core.index.probing import Estimates, ProbeParams, ProbePlan, highest, plan_of, probing_vectors
from core.progress import Job

# Segments, each with (p,) flags of the passages that may be found.
Segments = Sequence[tuple[InvertedLists, Flags]]


class Procedure(StrEnum):
    """How passages are scored when only some of their vectors are visited."""

    WARP = "warp"
    XTR = "xtr"
    COLBERT = "colbert"


def probe(
    index: IndexSearcher,
    query: Floats,
    params: ProbeParams,
    procedure: Procedure,
    job: Job | None = None,
) -> Estimates:
    """Estimate the scores of all passages in an index of compressed vectors.

    Args:
        index: the index to search.
        query: (n, d) vectors, n at least 1; their lengths are the tokens' weights.
        params: the amount of work. ColBERTv2 ignores the number of vectors; XTR retrieves that
            number.
        procedure: the procedure to use.
        job: cancels a search whose result is no longer needed.

    Raises:
        Cancelled: the job was cancelled.
    """
    assert isinstance(index.codec, ResidualCodec)
    sizes, segments = index.inverted_lists()
    plan = _PLANS[procedure](query, index.codec, sizes, params, segments)
    return probing.probe(plan, segments, job or Job())


def warp(
    query: Floats, codec: ResidualCodec, sizes: Numbers, params: ProbeParams, _segments: Segments
) -> ProbePlan:
    """Return the index's plan."""
    return probing.plan(query, codec, sizes, params)


def xtr(
    query: Floats, codec: ResidualCodec, sizes: Numbers, params: ProbeParams, segments: Segments
) -> ProbePlan:
    """Return the index's plan, with the score of the last retrieved vector as missing_score."""
    chosen = probing.plan(query, codec, sizes, params)
    return with_last_retrieved(chosen, segments, params.t_prime)


def colbert(
    query: Floats, codec: ResidualCodec, sizes: Numbers, params: ProbeParams, _segments: Segments
) -> ProbePlan:
    """Probe the same lists for all tokens: the nearest ones to any of them.

    Source: ColBERTv2, section 3.5.
    """
    query = probing_vectors(query, params.beta_q)
    with_lists = query @ codec.sub_centroids.vectors.T
    near = np.unique(highest(with_lists, min(params.n_probe, len(sizes))))
    tokens = len(query)
    choice = (np.tile(near, tokens), np.full(tokens, len(near)), np.full(tokens, -np.inf))
    return plan_of(query, codec.with_centroids(query), codec, choice)


_PLANS: Final[
    dict[Procedure, Callable[[Floats, ResidualCodec, Numbers, ProbeParams, Segments], ProbePlan]]
] = {Procedure.WARP: warp, Procedure.XTR: xtr, Procedure.COLBERT: colbert}


def with_last_retrieved(chosen: ProbePlan, segments: Segments, vectors: int) -> ProbePlan:
    """Return the plan with each token's `vectors`-th best score as its missing_score.

    A token whose visited lists hold fewer vectors keeps its missing_score.

    Source: XTR, eq. 4.
    """
    missing_scores = chosen.missing_scores.copy()
    for token in range(len(missing_scores) if segments else 0):
        scores = np.concatenate([_visited_scores(chosen, segment, token) for segment in segments])
        if len(scores) >= vectors:
            missing_scores[token] = np.partition(scores, len(scores) - vectors)[
                len(scores) - vectors
            ]
    return replace(chosen, missing_scores=missing_scores)


def _visited_scores(chosen: ProbePlan, segment: tuple[InvertedLists, Flags], token: int) -> Floats:
    """Return the scores of all searchable vectors in the lists of one token."""
    data, is_allowed = segment
    slots, scores = arrays.visited(
        chosen.probes[chosen.starts[token] : chosen.starts[token + 1]],
        chosen.products[chosen.starts[token] : chosen.starts[token + 1]],
        chosen.tables[token],
        data.list_offsets,
        data.residuals,
        data.scales,
        SCALES,
    )
    found: Floats = scores[is_allowed[data.owners[slots]]]
    return found
