"""In-batch scores and negatives as described by XTR and ColBERTv2.

Sources: XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"), sections 2.1
and 3.1, appendix A; ColBERTv2 ("Effective and Efficient Retrieval via Lightweight Late
Interaction"), section 3.2.
"""

from __future__ import annotations

import torch
from torch import Tensor

from lab.reference.alignments import score, similarity


def mean_of_maxima(
    query: Tensor, query_mask: Tensor, passage: Tensor, passage_mask: Tensor
) -> Tensor:
    """Return ColBERT's score of every passage for every query, divided by the query's length.

    Args:
        query: (bq, n, d) token vectors.
        query_mask: (bq, n) bool, true where there is a token.
        passage: (bd, m, d) token vectors.
        passage_mask: (bd, m) bool.

    Returns:
        (bq, bd); 0 where either has no token. Multiplied by the number of query tokens it is the
        sum of maxima that ColBERTv2 uses for distillation.

    Source: XTR, eq. 1.
    """
    return score(query, query_mask, passage, passage_mask)


def token_retrieval(
    query: Tensor, query_mask: Tensor, passage: Tensor, passage_mask: Tensor, k_train: int
) -> Tensor:
    """Return XTR's score of every passage for every query, from tokens retrieved in the batch.

    Each query token retrieves the `k_train` nearest tokens of all passages. A passage scores the
    mean, over the query tokens that retrieved any of its tokens, of the best retrieved similarity.
    A passage without retrieved tokens scores 0 and has no gradient (Z is clipped; 0 / Z is 0 for
    any small number).

    Where all retrieved tokens of a passage have negative similarities, the largest of them counts,
    as in appendix A. Taken literally, eq. 2 would prefer the zeros of tokens that were not
    retrieved.

    Args:
        query: (bq, n, d) token vectors.
        query_mask: (bq, n) bool, true where there is a token.
        passage: (bd, m, d) token vectors.
        passage_mask: (bd, m) bool.
        k_train: number of tokens that each query token retrieves, at least 1; all, if there are
            fewer. The choice among equals at the limit is undefined.

    Returns:
        (bq, bd).

    Raises:
        ValueError: `k_train` is less than 1, or shapes do not fit together.

    Source: XTR, eq. 2, with its normaliser Z; appendix A.

    >>> query, mask = torch.eye(2)[None], torch.ones(1, 2, dtype=torch.bool)
    >>> passages = torch.tensor([[[0.9, 0.0], [0.8, 0.1]], [[0.7, 0.3], [0.0, 0.2]]])
    >>> scores = token_retrieval(query, mask, passages, mask.expand(2, 2), k_train=1)
    >>> [round(value, 3) for value in scores[0].tolist()]  # Z is 1 for both
    [0.9, 0.3]
    """
    if k_train < 1:
        raise ValueError(f"k_train is {k_train}; it must be at least 1")
    if query.shape[:2] != query_mask.shape or passage.shape[:2] != passage_mask.shape:
        raise ValueError("vectors and masks differ in shape")
    pairs = similarity(query, passage).transpose(1, 2)  # (bq, n, bd, m)
    if pairs.shape[3] == 0:
        return pairs.sum(dim=(1, 3))
    is_pair = query_mask[:, :, None, None] & passage_mask
    with torch.no_grad():
        row = pairs.masked_fill(~is_pair, -torch.inf).flatten(2)
        nearest = row.topk(min(k_train, row.shape[2]), dim=2, sorted=False).indices
        is_retrieved = torch.zeros_like(row, dtype=torch.bool).scatter(2, nearest, True)
        is_retrieved = is_retrieved.view(pairs.shape) & is_pair
        has_any = is_retrieved.any(dim=3)  # (bq, n, bd)
        z = has_any.sum(dim=1).clamp(min=1)
    best = pairs.masked_fill(~is_retrieved, -torch.inf).amax(dim=3).masked_fill(~has_any, 0)
    return best.sum(dim=1) / z


def own_passages(scores: Tensor, ways: int) -> Tensor:
    """Return each query's scores of its own w passages, from those of all passages of the batch.

    Args:
        scores: (b, b w), passages in the order of their queries.
        ways: w, number of passages per query.

    Returns:
        (b, w), for `lab.training.objectives.distillation`.

    Raises:
        ValueError: the passages are not b times w.

    Source: ColBERTv2, section 3.2, w-way tuples.

    >>> own_passages(torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]]), ways=2).tolist()
    [[1, 2], [7, 8]]
    """
    _check_ways(scores, ways)
    own = torch.arange(len(scores) * ways, device=scores.device).view(len(scores), ways)
    return scores.gather(1, own)


def other_passages(scores: Tensor, ways: int) -> Tensor:
    """Return which passages of a batch belong to other queries: the in-batch negatives.

    Args:
        scores: (b, b w), passages in the order of their queries.
        ways: w, number of passages per query.

    Returns:
        (b, b w) bool, for the `candidates` of `lab.training.objectives.cross_entropy`.

    Raises:
        ValueError: the passages are not b times w.

    Source: ColBERTv2, section 3.2: "all passages corresponding to other queries in the same batch".

    >>> other_passages(torch.zeros(2, 4), ways=2).int().tolist()
    [[0, 0, 1, 1], [1, 1, 0, 0]]
    """
    _check_ways(scores, ways)
    owners = torch.arange(len(scores), device=scores.device)
    return owners.repeat_interleave(ways) != owners[:, None]


def _check_ways(scores: Tensor, ways: int) -> None:
    if ways < 1 or scores.shape[1] != len(scores) * ways:
        raise ValueError(f"scores are {tuple(scores.shape)}; {ways} ways do not fit")
