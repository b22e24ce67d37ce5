"""Scores of all queries and passages of a batch, computed efficiently for training.

The results equal those of `lab.reference.alignments.score` and
`lab.reference.in_batch.token_retrieval`. The (bq, bd, n, m) alignment matrices are avoided if only
a few entries per query token are non-zero.
"""

from __future__ import annotations

import torch
from torch import Tensor

from core.alignment.pairwise import AlignmentStrategy
from lab.training.alignments import (
    DifferentiableAlignment,
    Strategy,
    align_hard,
    align_softly,
    counts_of,
)

_LEAST = 0.01


def in_batch_scores(
    query: Tensor,
    query_mask: Tensor,
    passage: Tensor,
    passage_mask: Tensor,
    query_salience: Tensor | None = None,
    passage_salience: Tensor | None = None,
    k_train: int | None = None,
    *,
    retained_only: bool = False,
    strategy: Strategy | None = None,
    has_summaries: bool = False,
) -> Tensor:
    """Return how well every passage answers every query.

    With `k_train` a query token counts only for passages of which it retrieved a token within the
    batch. It retrieves a passage's best token if it retrieves any, so it is enough to compare that
    token's similarity with the k-th best of all. Pairs are weighted by salience as without
    `k_train`; XTR has no saliences.

    Args:
        query: (bq, n, d) token vectors.
        query_mask: (bq, n) bool, true where there is a token.
        passage: (bd, m, d) token vectors.
        passage_mask: (bd, m) bool.
        query_salience: (bq, n), at least 0; None for equal weights.
        passage_salience: (bd, m), at least 0.
        k_train: number of tokens of the batch that each query token retrieves; None for all.
        retained_only: whether passage tokens without salience are excluded from alignment, as if
            not stored. Otherwise, as in ALIGNER, a query token aligned with one of them counts 0.
        strategy: alignment of query tokens with passage tokens; None for top-1. A share refers to
            all tokens of a passage, including those not kept. The choice among equals is undefined.
        has_summaries: whether the first vector of each query is its summary. It is aligned with its
            best only, with the total weight that the others have for all of theirs.

    Returns:
        (bq, bd) float32: the mean over the aligned pairs of their similarity (with top-1: over the
        query tokens of the best one), weighted by the saliences of both tokens. A sum of weights
        below 0.01, where the gates have closed on all aligned tokens, is replaced by 0.01: the
        score goes to 0 and gradients stay finite.

    Raises:
        ValueError: there is a `k_train`, and a `strategy` other than top-1.

    Source: ALIGNER, eq. 1 and 2, section 3.1, appendix A.2; XTR, eq. 2 and its Z.

    >>> query, mask = torch.eye(2)[None], torch.ones(1, 2, dtype=torch.bool)
    >>> passages = torch.tensor([[[0.9, 0.0], [0.8, 0.1]], [[0.7, 0.3], [0.0, 0.2]]])
    >>> in_batch_scores(query, mask, passages, mask.expand(2, 2))[0].tolist()
    [0.5, 0.5]
    >>> in_batch_scores(query, mask, passages, mask.expand(2, 2), k_train=1)[0].round(
    ...     decimals=3).tolist()
    [0.8999999761581421, 0.30000001192092896]
    """
    strategy = strategy or AlignmentStrategy()
    is_top_1 = isinstance(strategy, AlignmentStrategy) and strategy.is_top_1
    if k_train is not None and not is_top_1:
        raise ValueError("tokens that were retrieved are aligned by top-1 alone")
    lengths = passage_mask.sum(dim=1)
    if retained_only and passage_salience is not None:
        passage_mask = passage_mask & (passage_salience > _LEAST)
    queries, n, d = query.shape
    passages, m, _ = passage.shape
    pairs = query.float().reshape(-1, d) @ passage.float().reshape(-1, d).T
    pairs = pairs.view(queries, n, passages, m)
    if not is_top_1:
        return _aligned_scores(
            pairs,
            query_mask,
            passage_mask,
            query_salience,
            passage_salience,
            strategy,
            lengths,
            has_summaries,
        )
    # In place: the product's backward pass does not need its result.
    best, place = pairs.masked_fill_(~passage_mask, -torch.inf).max(dim=3)
    has_tokens = passage_mask.any(dim=1)
    weights = (query_mask[:, :, None] & has_tokens).float()
    if k_train is not None:
        with torch.no_grad():
            k = min(k_train, passages * m)
            least = pairs.detach().flatten(2).topk(k, dim=2).values[..., -1:]
            weights = weights * (best >= least)
    if query_salience is not None:
        weights = weights * query_salience[:, :, None]
    if passage_salience is not None:
        rows = torch.arange(passages, device=place.device)
        weights = weights * passage_salience[rows, place]
    total = (best.masked_fill(~has_tokens, 0) * weights).sum(dim=1)
    return total / weights.sum(dim=1).clamp(min=_LEAST)


def _aligned_scores(
    pairs: Tensor,
    query_mask: Tensor,
    passage_mask: Tensor,
    query_salience: Tensor | None,
    passage_salience: Tensor | None,
    strategy: Strategy,
    lengths: Tensor,
    has_summaries: bool,
) -> Tensor:
    """Return (bq, bd) scores of (bq, n, bd, m) similarities with several aligned tokens each.

    `lengths` (bd,) int64 counts the passages' tokens, including those not kept.
    """
    if isinstance(strategy, DifferentiableAlignment):
        weights = align_softly(
            pairs, query_mask, passage_mask, strategy, has_summaries=has_summaries
        )
        if passage_salience is not None:
            weights = weights * passage_salience
    else:
        counts = counts_of(lengths, strategy).minimum(passage_mask.sum(dim=1))
        pairs, places, weights = align_hard(
            pairs, passage_mask, counts, has_summaries=has_summaries
        )
        weights = weights * query_mask[:, :, None, None]
        if passage_salience is not None:
            rows = torch.arange(len(passage_salience), device=places.device)
            weights = weights * passage_salience[rows[:, None], places]
    if query_salience is not None:
        weights = weights * query_salience[:, :, None, None]
    return (pairs * weights).sum(dim=(1, 3)) / weights.sum(dim=(1, 3)).clamp(min=_LEAST)
