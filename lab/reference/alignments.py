"""Sparse alignment of batches of queries and passages, differentiable.

Computes in torch, for all pairs, what core.alignment.pairwise computes in numpy for one.

Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), eq. 1-2, section 3.1, appendix A.2.
"""

from __future__ import annotations

import torch
from torch import Tensor

from core.alignment.pairwise import AlignmentStrategy
from lab.training.alignments import DifferentiableAlignment, Strategy, counts_of
from lab.training.salience import gate


def similarity(query: Tensor, passage: Tensor) -> Tensor:
    """Return the dot products of all tokens of the queries with all tokens of the passages.

    Args:
        query: (bq, n, d) token vectors.
        passage: (bd, m, d) token vectors.

    Returns:
        (bq, bd, n, m).

    Raises:
        ValueError: the vectors differ in their number of dimensions.

    Source: ALIGNER, section 2.2, S.
    """
    if query.shape[2] != passage.shape[2]:
        raise ValueError(f"query has {query.shape[2]} dimensions, passage {passage.shape[2]}")
    return torch.einsum("qnd,pmd->qpnm", query, passage)


def align(
    similarity: Tensor, query_mask: Tensor, passage_mask: Tensor, strategy: Strategy
) -> Tensor:
    """Return the pairwise alignment of every query with every passage.

    Args:
        similarity: (bq, bd, n, m).
        query_mask: (bq, n) bool, true where there is a token.
        passage_mask: (bd, m) bool.
        strategy: top-k and top-p give zeros and ones without a gradient; the share p refers to each
            passage's tokens. The first of equal tokens wins.

    Returns:
        (bq, bd, n, m) from 0 to 1, like `similarity` in dtype; 0 where there is no pair of tokens.

    Raises:
        ValueError: the masks do not fit, or the strategy's numbers are out of range.

    Source: ALIGNER, section 3.1; appendix A.2, eq. 9.
    """
    shape = (len(query_mask), len(passage_mask), query_mask.shape[1], passage_mask.shape[1])
    if similarity.shape != shape:
        raise ValueError(f"similarity is {tuple(similarity.shape)}; the masks make it {shape}")
    if shape[3] == 0:
        return torch.zeros_like(similarity)
    if isinstance(strategy, DifferentiableAlignment):
        tokens = passage_mask[None, :, None].expand(shape).reshape(-1, shape[3])
        rows = similarity.reshape(-1, shape[3])
        chosen = gate(rows, strategy.k, tokens, strategy.epsilon, strategy.iterations)
        return chosen.reshape(shape) * query_mask[:, None, :, None]
    counts = counts_of(passage_mask.sum(dim=1), strategy)
    with torch.no_grad():
        ranked = similarity.masked_fill(~passage_mask[None, :, None], -torch.inf)
        most = max(int(counts.max()) if len(counts) else 1, 1)
        if most == 1:
            order = ranked.argmax(dim=3, keepdim=True)
        else:
            order = ranked.sort(dim=3, descending=True, stable=True).indices[..., :most]
        is_selected = torch.arange(most, device=counts.device) < counts[:, None]
        is_selected = is_selected[None, :, None] & query_mask[:, None, :, None]
        return torch.zeros_like(similarity).scatter(3, order, is_selected.to(similarity.dtype))


def score(
    query: Tensor,
    query_mask: Tensor,
    passage: Tensor,
    passage_mask: Tensor,
    strategy: Strategy | None = None,
    query_salience: Tensor | None = None,
    passage_salience: Tensor | None = None,
) -> Tensor:
    """Return how well every passage answers every query.

    Args:
        query: (bq, n, d) token vectors.
        query_mask: (bq, n) bool, true where there is a token; other vectors may have any finite
            values.
        passage: (bd, m, d) token vectors.
        passage_mask: (bd, m) bool.
        strategy: of the pairwise alignment; None for top-1.
        query_salience: (bq, n), at least 0; None for equal weights.
        passage_salience: (bd, m), at least 0.

    Returns:
        (bq, bd) sum(S * A) / Z with A = pairwise alignment * outer product of the saliences and
        Z = sum(A); 0, without a gradient, where nothing is aligned.

    Raises:
        ValueError: the shapes do not fit together.

    Source: ALIGNER, eq. 1 and 2.

    >>> query, passage = torch.eye(2)[None], torch.tensor([[[0.5, 0.0], [0.2, 0.7], [9.0, 9.0]]])
    >>> mask = torch.tensor([[True, True, False]])
    >>> round(float(score(query, mask[:, :2], passage, mask)), 4)  # (0.5 + 0.7) / 2
    0.6
    """
    pairs = similarity(query, passage)
    aligned = align(pairs, query_mask, passage_mask, strategy or AlignmentStrategy())
    if query_salience is not None:
        _check_salience(query_salience, query_mask)
        aligned = aligned * query_salience[:, None, :, None]
    if passage_salience is not None:
        _check_salience(passage_salience, passage_mask)
        aligned = aligned * passage_salience[None, :, None, :]
    z = aligned.sum(dim=(2, 3))
    is_empty = z == 0
    total = (pairs * aligned).sum(dim=(2, 3))
    return (total / z.masked_fill(is_empty, 1)).masked_fill(is_empty, 0)


def _check_salience(salience: Tensor, mask: Tensor) -> None:
    if salience.shape != mask.shape:
        raise ValueError(f"saliences are {tuple(salience.shape)}, the mask {tuple(mask.shape)}")
