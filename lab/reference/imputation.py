"""Scores of passages from their retrieved tokens only, with missing similarities imputed.

Source: XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"), section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import numpy as np

from core.arrays import Floats, Numbers


class Imputation(StrEnum):
    """The value of a similarity that was not retrieved: the rows of XTR's table 5."""

    NONE = "none"
    """No value: the mean is over the query tokens that retrieved any of the passage's (eq. 2)."""
    ZERO = "0"
    FIXED = "0.2"
    LAST = "top-k'"
    """The last and lowest of the k' retrieved similarities."""


_FIXED: Final = {Imputation.ZERO: 0.0, Imputation.FIXED: 0.2}


def score_retrieved(
    passages: Sequence[Numbers],
    similarities: Sequence[Floats],
    imputation: Imputation = Imputation.LAST,
    weights: Floats | None = None,
) -> tuple[Numbers, Floats]:
    """Rank the passages with a retrieved token by the retrieved similarities only.

    A passage's similarity to a query token is the highest of its retrieved tokens, or, if none was
    retrieved, m_i, the lowest of the k' retrieved similarities, which is an upper bound. So a
    passage never scores below its true mean of maxima, and exactly that once all its tokens are
    retrieved. m_i may be negative, as in the equation; the text below it assumes m_i >= 0.

    Args:
        passages: for each of the n query tokens the (k',) passages of its retrieved tokens, in any
            order. Lists may differ in length; an empty one, for a token that was not searched,
            counts 0 for all passages.
        similarities: for each query token the (k',) similarities of those tokens.
        imputation: the value of missing similarities; m_i by default.
        weights: (n,) weights of the query tokens in the mean, at least 0; None for equal weights,
            as in the paper. With `Imputation.NONE`, a passage whose tokens were retrieved by tokens
            of weight 0 only scores 0.

    Returns:
        (c,) passages, distinct, best first, ties in ascending order, and their (c,) scores, means
        over all n query tokens.

    Raises:
        ValueError: passages, similarities and weights differ in number.

    Source: XTR, eq. 3 (the candidates) and eq. 4, with m_i the k'-th score; table 5.

    >>> passages, scores = score_retrieved(
    ...     [np.array([7, 3]), np.array([7, 7])],
    ...     [np.array([0.9, 0.8], dtype=np.float32), np.array([0.6, 0.5], dtype=np.float32)],
    ... )
    >>> passages.tolist()
    [7, 3]
    >>> [round(float(score), 3) for score in scores]  # (0.9 + 0.6) / 2, and (0.8 + [0.5]) / 2
    [0.75, 0.65]
    """
    counts = [len(row) for row in passages]
    if counts != [len(row) for row in similarities]:
        raise ValueError("passages and similarities differ in number")
    if weights is None:
        weights = np.ones(len(counts), dtype=np.float32)
    if len(weights) != len(counts):
        raise ValueError(f"{len(weights)} weights of {len(counts)} query tokens")
    if not sum(counts):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    candidates, columns = np.unique(np.concatenate(passages), return_inverse=True)
    best = np.full((len(counts), len(candidates)), -np.inf)
    rows = np.repeat(np.arange(len(counts)), counts)
    np.maximum.at(best, (rows, columns), np.concatenate(similarities))
    is_missing = best == -np.inf
    if imputation is Imputation.LAST:
        missing = np.array([row.min() if len(row) else 0.0 for row in similarities])
    else:
        missing = np.where(counts, _FIXED.get(imputation, 0.0), 0.0)
    shares = weights.astype(np.float64)[:, None]
    sums = (shares * np.where(is_missing, missing[:, None], best)).sum(axis=0)
    is_counted = ~is_missing if imputation is Imputation.NONE else np.ones_like(is_missing)
    divisors = (shares * is_counted).sum(axis=0)
    means = np.divide(sums, divisors, out=np.zeros_like(sums), where=divisors > 0)
    scores = means.astype(np.float32)
    order = np.argsort(-scores, kind="stable")
    return candidates[order].astype(np.int64), scores[order]
