"""Alignments of query tokens with passage tokens in training: top-k, top-p, or differentiable.

Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), section 3.1, figure 4, and appendix
A.2, eq. 9.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import torch
from torch import Tensor

from core.alignment.pairwise import AlignmentKind, AlignmentStrategy
from core.errors import UsageError
from lab.training.salience import gate


@dataclass(frozen=True, slots=True)
class DifferentiableAlignment:
    """A soft, differentiable choice of `k` passage tokens for each query token.

    `epsilon` and `iterations` are those of `lab.training.salience.gate`. The default epsilon is the
    one of table 13 that preserves top-1; larger ones, up to 0.1, align with more tokens.

    Source: ALIGNER, appendix A.2, eq. 9; table 13.
    """

    k: int = 1
    epsilon: float = 0.01
    iterations: int | None = None


Strategy = AlignmentStrategy | DifferentiableAlignment


def parse_strategy(text: str) -> Strategy:
    """Parse a strategy written as `topk:K`, `topp:P`, or `differentiable:K`.

    The last may be followed by its epsilon, `differentiable:K:EPSILON`.

    Raises:
        UsageError: the text is none of them, or a number is out of range.

    >>> parse_strategy("differentiable:2:0.05")
    DifferentiableAlignment(k=2, epsilon=0.05, iterations=None)
    >>> str(parse_strategy("topp:0.02"))
    'topp:0.02'
    """
    kind, _, rest = text.partition(":")
    if kind in list(AlignmentKind):
        return AlignmentStrategy.parse(text)
    match = re.fullmatch(r"(\d+)(?::(\d+(?:\.\d+)?|\.\d+))?", rest)
    if kind != "differentiable" or match is None:
        raise UsageError(
            f"'{text}' is no alignment: write topk:4, topp:0.02 or differentiable:2, for example."
        )
    k, epsilon = int(match[1]), float(match[2] or DifferentiableAlignment().epsilon)
    if k < 1:
        raise UsageError(f"differentiable takes a whole number from 1, not {k}.")
    if not epsilon > 0:
        raise UsageError(f"differentiable takes an epsilon above 0, not {epsilon:g}.")
    return DifferentiableAlignment(k, epsilon)


def counts_of(lengths: Tensor, strategy: Strategy) -> Tensor:
    """Return the number of tokens of each passage that a query token is aligned with.

    Args:
        lengths: (b,) int64, number of tokens of each passage, the upper limit.
        strategy: of the alignment.

    Returns:
        (b,) int64.

    >>> counts_of(torch.tensor([0, 3, 200]), parse_strategy("topp:0.01")).tolist()
    [0, 1, 2]
    """
    if isinstance(strategy, DifferentiableAlignment):
        wanted = torch.full_like(lengths, strategy.k)
    elif strategy.kind is AlignmentKind.TOP_K:
        wanted = torch.full_like(lengths, int(strategy.value))
    else:
        # As in core.alignment.pairwise.tokens_for_share.
        wanted = (lengths.double() * strategy.value + 1e-9).floor().long().clamp(min=1)
    return wanted.minimum(lengths)


def align_hard(
    pairs: Tensor, passage_mask: Tensor, counts: Tensor, *, has_summaries: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    """Return each query token's best similarities, their positions, and their alignment.

    Args:
        pairs: (bq, n, bd, m) similarities; values at padding are overwritten.
        passage_mask: (bd, m) bool.
        counts: (bd,) int64, number of aligned tokens of each passage, at most its length.
        has_summaries: whether the first vector of each query is its summary. It is aligned with its
            best only, with the total weight that the others have for all of theirs, as in
            `core.alignment.pairwise.AlignmentStrategy.align`.

    Returns:
        (bq, n, bd, a) the a highest similarities, 0 where fewer are aligned; (bq, n, bd, a) int64,
        their positions; and (1 or bq, n, bd, a) the alignment, without a gradient.

    Source: ALIGNER, section 3.1, top-k and top-p.
    """
    most = max(int(counts.max()), 1)
    # In place: the product's backward pass does not need its result.
    best, places = pairs.masked_fill_(~passage_mask, -torch.inf).topk(most, dim=3)
    is_aligned = torch.arange(most, device=counts.device) < counts[:, None]
    aligned = is_aligned.float().expand(1, pairs.shape[1], -1, -1)
    if has_summaries:
        aligned = aligned.clone()
        aligned[:, 0] = 0
        aligned[:, 0, :, 0] = counts.float()
    return best.masked_fill(~is_aligned, 0), places, aligned


def align_softly(
    pairs: Tensor,
    query_mask: Tensor,
    passage_mask: Tensor,
    strategy: DifferentiableAlignment,
    *,
    has_summaries: bool = False,
) -> Tensor:
    """Return the differentiable alignment of all pairs; a summary's is hard.

    Args:
        pairs: (bq, n, bd, m) similarities.
        query_mask: (bq, n) bool, true where there is a token.
        passage_mask: (bd, m) bool.
        strategy: defines k and epsilon.
        has_summaries: as in `align_hard`.

    Returns:
        (bq, n, bd, m) from 0 to 1, each row of a token with the sum k, or the passage's number of
        tokens if it has fewer; 0 where there is no pair of tokens.

    Source: ALIGNER, appendix A.2, eq. 9.
    """
    _, _, passages, m = pairs.shape
    rows = pairs[query_mask].masked_fill(~passage_mask, 0)  # skip the iterations for padding
    mask = passage_mask.expand(len(rows), passages, m).reshape(-1, m)
    chosen = gate(rows.reshape(-1, m), strategy.k, mask, strategy.epsilon, strategy.iterations)
    chosen = chosen.reshape(-1, passages, m)
    aligned = torch.zeros_like(pairs).index_put((query_mask,), chosen)
    if not has_summaries:
        return aligned
    counts = counts_of(passage_mask.sum(dim=1), strategy).to(pairs.dtype)
    best = pairs[:, 0].detach().masked_fill(~passage_mask, -torch.inf).argmax(dim=2, keepdim=True)
    first = torch.zeros_like(pairs[:, 0]).scatter(2, best, counts[:, None].expand(best.shape))
    return torch.cat([(first * query_mask[:, :1, None])[:, None], aligned[:, 1:]], dim=1)
