"""What training minimises: scores within a batch, and losses over them.

Sources: XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"), sections 2.1
and 3.1, appendix A; ColBERTv2 ("Effective and Efficient Retrieval via Lightweight Late
Interaction"), section 3.2.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from core.training.alignments import score, similarity


def mean_of_maxima(
    query: Tensor, query_mask: Tensor, passage: Tensor, passage_mask: Tensor
) -> Tensor:
    """ColBERT's score of every passage for every query, divided by the query's tokens.

    Args:
        query: (bq, n, d) token vectors.
        query_mask: (bq, n) bool, true where there is a token.
        passage: (bd, m, d) token vectors.
        passage_mask: (bd, m) bool.

    Returns:
        (bq, bd); 0 where either has no token. Times the number of the query's tokens it is the sum
        of maxima, with which ColBERTv2 distils.

    Source: XTR, eq. 1.
    """
    return score(query, query_mask, passage, passage_mask)


def token_retrieval(
    query: Tensor, query_mask: Tensor, passage: Tensor, passage_mask: Tensor, k_train: int
) -> Tensor:
    """XTR's score of every passage for every query: from tokens retrieved within the batch.

    Each query token retrieves the `k_train` tokens that are most like it from those of all
    passages. A passage scores the mean, over the query tokens that retrieved any of its tokens,
    of the best retrieved similarity. One of which nothing was retrieved scores 0 and has no
    gradient (Z clipped; 0 / Z is 0 for whatever small number).

    Where all retrieved tokens of a passage have negative similarities, the largest of them
    counts, as in appendix A; taken to the letter, eq. 2 would have the zeros of the tokens that
    were not retrieved win over them.

    Args:
        query: (bq, n, d) token vectors.
        query_mask: (bq, n) bool, true where there is a token.
        passage: (bd, m, d) token vectors.
        passage_mask: (bd, m) bool.
        k_train: how many tokens each query token retrieves, at least 1; all, if there are fewer.
            Which of equals is retrieved at the limit is not defined.

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


def cross_entropy(scores: Tensor, positives: Tensor, candidates: Tensor | None = None) -> Tensor:
    """How surprising each query's positive passage is among the passages of the batch.

    Args:
        scores: (bq, bd).
        positives: (bq,) int64, the column of each query's positive passage.
        candidates: (bq, bd) bool, the passages that a query's positive is compared with; the
            positive itself always is one. None for all.

    Returns:
        (): -log(exp f(Q, D+) / sum over candidates of exp f(Q, D)), the mean over the queries.

    Raises:
        ValueError: the shapes do not fit together.

    Source: XTR, section 2.1; ColBERTv2, section 3.2.

    >>> round(float(cross_entropy(torch.tensor([[2.0, 1.0, 1.0]]), torch.tensor([0]))), 4)
    0.5514
    """
    if positives.shape != scores.shape[:1]:
        raise ValueError(f"scores are {tuple(scores.shape)}, positives {tuple(positives.shape)}")
    if candidates is not None:
        if candidates.shape != scores.shape:
            shapes = f"scores are {tuple(scores.shape)}, candidates {tuple(candidates.shape)}"
            raise ValueError(shapes)
        candidates = candidates.scatter(1, positives[:, None], True)
        scores = scores.masked_fill(~candidates, -torch.inf)
    return functional.cross_entropy(scores, positives)


def distillation(student: Tensor, teacher: Tensor, mask: Tensor | None = None) -> Tensor:
    """How far the student's distribution over each query's w passages is from the teacher's.

    ColBERTv2 names the loss and no more; the divergence taken is that from the teacher to the
    student, KL(teacher || student), each a softmax over the w passages. Its student scores are
    sums of maxima, of a restricted scale: `mean_of_maxima` times the number of query tokens.

    Args:
        student: (b, w) scores.
        teacher: (b, w) scores; no gradient flows into them.
        mask: (b, w) bool, false where a query has fewer than w passages; None for all. A row with
            none at all counts 0 in the mean.

    Returns:
        (), the mean over the queries; 0 where the two agree up to a constant.

    Raises:
        ValueError: the shapes differ.

    Source: ColBERTv2, section 3.2.

    >>> student, teacher = torch.tensor([[1.0, 2.0]]), torch.tensor([[5.0, 6.0]])
    >>> round(float(distillation(student, teacher)), 6)
    0.0
    """
    if mask is None:
        mask = torch.ones_like(student, dtype=torch.bool)
    if not student.shape == teacher.shape == mask.shape:
        shapes = ", ".join(str(tuple(given.shape)) for given in (student, teacher, mask))
        raise ValueError(f"student, teacher and mask differ in shape: {shapes}")
    # The lowest finite number, not -inf: a row without any passage must not become NaN.
    lowest = torch.finfo(student.dtype).min
    expected = functional.log_softmax(teacher.detach().masked_fill(~mask, lowest), dim=1)
    given = functional.log_softmax(student.masked_fill(~mask, lowest), dim=1)
    divergence = (expected.exp() * (expected - given)).masked_fill(~mask, 0)
    return divergence.sum(dim=1).mean()


def own_passages(scores: Tensor, ways: int) -> Tensor:
    """Each query's scores for its own w passages, out of a batch that holds all queries' passages.

    Args:
        scores: (b, b w), passages in the order of their queries.
        ways: w, how many passages each query brings.

    Returns:
        (b, w), for `distillation`.

    Raises:
        ValueError: the passages are not b times w.

    Source: ColBERTv2, section 3.2, w-way tuples.

    >>> own_passages(torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]]), ways=2).tolist()
    [[1, 2], [7, 8]]
    """
    _check_ways(scores, ways)
    own = torch.arange(len(scores) * ways, device=scores.device).view(len(scores), ways)
    return scores.gather(1, own)


def passages_of_others(scores: Tensor, ways: int) -> Tensor:
    """Which passages of a batch were brought by other queries: their in-batch negatives.

    Args:
        scores: (b, b w), passages in the order of their queries.
        ways: w, how many passages each query brings.

    Returns:
        (b, b w) bool, for the `candidates` of `cross_entropy`.

    Raises:
        ValueError: the passages are not b times w.

    Source: ColBERTv2, section 3.2: "all passages corresponding to other queries in the same batch".

    >>> passages_of_others(torch.zeros(2, 4), ways=2).int().tolist()
    [[0, 0, 1, 1], [1, 1, 0, 0]]
    """
    _check_ways(scores, ways)
    owners = torch.arange(len(scores), device=scores.device)
    return owners.repeat_interleave(ways) != owners[:, None]


def _check_ways(scores: Tensor, ways: int) -> None:
    if ways < 1 or scores.shape[1] != len(scores) * ways:
        raise ValueError(f"scores are {tuple(scores.shape)}; {ways} ways do not fit")
