"""Training losses over the scores within a batch.

Sources: XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"), section 2.1;
ColBERTv2 ("Effective and Efficient Retrieval via Lightweight Late
Interaction"), section 3.2; Hofstätter et al., "Improving Efficient Neural Ranking Models with
Cross-Architecture Knowledge Distillation", 2020, section 3.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def cross_entropy(scores: Tensor, positives: Tensor, candidates: Tensor | None = None) -> Tensor:
    """Return the cross-entropy of each query's positive passage among those of the batch.

    Args:
        scores: (bq, bd).
        positives: (bq,) int64, the column of each query's positive passage.
        candidates: (bq, bd) bool, the passages that a query's positive is compared with; including
            the positive itself. None for all.

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
    """Return the divergence of the student's distribution over each query's w passages.

    ColBERTv2 only names the loss. This is KL(teacher || student), each a softmax over the w
    passages. Its student scores are sums of maxima, of a restricted scale: `mean_of_maxima` of
    `lab.reference.in_batch` times the number of query tokens.

    Args:
        student: (b, w) scores.
        teacher: (b, w) scores; no gradient flows into them.
        mask: (b, w) bool, false where a query has fewer than w passages; None for all. An empty row
            counts 0 in the mean.

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
        shapes = ", ".join(str(tuple(tensor.shape)) for tensor in (student, teacher, mask))
        raise ValueError(f"student, teacher and mask differ in shape: {shapes}")
    # The lowest finite number, not -inf: an empty row must not become NaN.
    lowest = torch.finfo(student.dtype).min
    expected = functional.log_softmax(teacher.detach().masked_fill(~mask, lowest), dim=1)
    predicted = functional.log_softmax(student.masked_fill(~mask, lowest), dim=1)
    divergence = (expected.exp() * (expected - predicted)).masked_fill(~mask, 0)
    return divergence.sum(dim=1).mean()


def margin_mse(student: Tensor, teacher: Tensor, positives: Tensor) -> Tensor:
    """Return the mean squared error of the student's margins from the teacher's.

    A margin is by how much a query's positive passage scores above another one.

    Args:
        student: (b, p) scores.
        teacher: (b, p) scores; no gradient flows into them.
        positives: (b,) int64, the column of each query's positive passage.

    Returns:
        (), the mean of the squared differences over queries and other passages; 0 without any
        other passage.

    Raises:
        ValueError: the shapes do not fit together.

    Source: Hofstätter et al., 2020, section 3, Margin-MSE.

    >>> student, teacher = torch.tensor([[2.0, 1.0, 1.0]]), torch.tensor([[7.0, 4.0, 6.0]])
    >>> float(margin_mse(student, teacher, torch.tensor([0])))
    2.0
    """
    if student.shape != teacher.shape or positives.shape != student.shape[:1]:
        shapes = ", ".join(str(tuple(tensor.shape)) for tensor in (student, teacher, positives))
        raise ValueError(f"student, teacher and positives do not fit together: {shapes}")
    gap = student - teacher.detach()
    squares = (gap.gather(1, positives[:, None]) - gap).square()
    return squares.sum() / max(squares.numel() - len(squares), 1)
