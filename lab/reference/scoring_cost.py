"""Number of floating-point operations for scoring a query's candidates.

Source: XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"), section 3.2,
table 1, and appendix B.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass


def colbert_flops(candidates: float, n: float, m: float, d: int) -> float:
    """Return the operations of ColBERT for scoring candidates with all their tokens.

    Each candidate costs 2 n m d for the inner products, n m for the maxima of the rows and n for
    the mean; gathering its vectors is not counted.

    Args:
        candidates: number of candidates; n k' in the paper's worst case.
        n: number of query tokens.
        m: mean number of tokens of a candidate.
        d: dimensions of a vector.

    Source: XTR, table 1: n^2 k' (2 m d + m + 1).

    >>> f"{colbert_flops(16 * 100, n=16, m=55, d=128):.2e}"  # the paper's setting: 0.36e9
    '3.62e+08'
    """
    return candidates * n * (2 * m * d + m + 1)


def xtr_flops(candidates: float, n: float, r: float) -> float:
    """Return the operations of XTR for scoring candidates with retrieved tokens only.

    Each candidate costs n r for the maxima of the rows and n for the mean.

    Args:
        candidates: number of candidates; n k' in the paper's worst case.
        n: number of query tokens.
        r: mean number of retrieved tokens of a candidate.

    Source: XTR, table 1: n^2 k' (r + 1).

    >>> f"{xtr_flops(16 * 100, n=16, r=2.5):.2e}"  # the paper's setting: 0.09e6
    '8.96e+04'
    """
    return candidates * n * (r + 1)


@dataclass(frozen=True, slots=True)
class ScoringCost:
    """Cost of scoring the candidates of one query, or of an average one.

    Attributes:
        retrieved: k', or the number of tokens if smaller.
        query_tokens: n.
        passage_tokens: m, the mean number of a candidate.
        dimensions: d.
        candidates: number of passages with a retrieved token.
        tokens_retrieved: r, the mean number of a candidate.
        colbert: operations of ColBERT on these candidates.
        xtr: operations of XTR.
        colbert_worst: the paper's estimate, in which each token belongs to a different passage.
        xtr_worst: the same estimate for XTR.
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
    """Return the cost of a query by both procedures.

    Args:
        retrieved: k', tokens retrieved per query token.
        n: number of query tokens, at least 1.
        m: mean number of tokens of a candidate.
        d: dimensions of a vector.
        candidates: number of passages with these tokens, at least 1.

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
    """Return the mean cost of at least one query."""
    return ScoringCost(*(sum(each) / len(costs) for each in zip(*map(astuple, costs), strict=True)))
