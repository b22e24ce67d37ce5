"""How many floating-point operations it takes to score a query's candidates.

Source: XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"), section 3.2,
table 1, and appendix B.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass


def colbert_flops(candidates: float, n: float, m: float, d: int) -> float:
    """Operations by which ColBERT scores candidates with all their tokens.

    For each of them 2 n m d for the inner products, n m for the maxima of the rows and n for the
    mean; that its vectors have to be gathered first is not counted.

    Args:
        candidates: how many; n k' in the paper's worst case.
        n: tokens of the query.
        m: tokens of a candidate, on average.
        d: dimensions of a vector.

    Source: XTR, table 1: n^2 k' (2 m d + m + 1).

    >>> f"{colbert_flops(16 * 100, n=16, m=55, d=128):.2e}"  # the paper's setting: 0.36e9
    '3.62e+08'
    """
    return candidates * n * (2 * m * d + m + 1)


def xtr_flops(candidates: float, n: float, r: float) -> float:
    """Operations by which XTR scores candidates from their retrieved tokens alone.

    For each of them n r for the maxima of the rows and n for the mean.

    Args:
        candidates: how many; n k' in the paper's worst case.
        n: tokens of the query.
        r: retrieved tokens of a candidate, on average.

    Source: XTR, table 1: n^2 k' (r + 1).

    >>> f"{xtr_flops(16 * 100, n=16, r=2.5):.2e}"  # the paper's setting: 0.09e6
    '8.96e+04'
    """
    return candidates * n * (r + 1)


@dataclass(frozen=True, slots=True)
class ScoringCost:
    """What it takes to score the candidates of one query, or of an average one.

    Attributes:
        retrieved: k'; fewer where there are fewer tokens.
        query_tokens: n.
        passage_tokens: m, of a candidate on average.
        dimensions: d.
        candidates: passages of which any token was retrieved.
        tokens_retrieved: r, of a candidate on average.
        colbert: operations by ColBERT's procedure on these candidates.
        xtr: by XTR's.
        colbert_worst: by the paper's estimate, in which each token is of another passage.
        xtr_worst: likewise.
    """

    retrieved: float
    query_tokens: float
    passage_tokens: float
    dimensions: float
    candidates: float
    tokens_retrieved: float
    colbert: float
    xtr: float
    colbert_worst: float
    xtr_worst: float


def scoring_cost(retrieved: int, n: int, m: float, d: int, candidates: int) -> ScoringCost:
    """Return what a query costs by both procedures.

    Args:
        retrieved: k', tokens retrieved for each of the query's.
        n: tokens of the query, at least 1.
        m: tokens of a candidate, on average.
        d: dimensions of a vector.
        candidates: how many passages these tokens are of, at least 1.

    >>> cost = scoring_cost(retrieved=100, n=16, m=55, d=128, candidates=640)
    >>> cost.tokens_retrieved, round(cost.colbert / cost.xtr), round(cost.colbert_worst / 1e6)
    (2.5, 4039, 362)
    """
    r = n * retrieved / candidates
    return ScoringCost(
        retrieved,
        n,
        m,
        d,
        candidates,
        r,
        colbert_flops(candidates, n, m, d),
        xtr_flops(candidates, n, r),
        colbert_flops(n * retrieved, n, m, d),
        xtr_flops(n * retrieved, n, r),
    )


def mean_cost(costs: Sequence[ScoringCost]) -> ScoringCost:
    """Return the cost of an average query, of at least one."""
    return ScoringCost(*(sum(each) / len(costs) for each in zip(*map(astuple, costs), strict=True)))
