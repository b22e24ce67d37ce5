"""Scores and losses within a batch, compared with the papers' formulas written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from lab.reference.in_batch import (
    mean_of_maxima,
    other_passages,
    own_passages,
    token_retrieval,
)
from lab.training.objectives import cross_entropy, distillation

seeds = st.integers(0, 2**32 - 1)
lengths = st.lists(st.integers(0, 5), min_size=1, max_size=4)


def batch(generator: np.random.Generator, counts: list[int]) -> tuple[Tensor, Tensor]:
    width = max(counts) + 1
    vectors = torch.from_numpy(generator.normal(size=(len(counts), width, 3)))
    mask = torch.zeros(len(counts), width, dtype=torch.bool)
    for number, count in enumerate(counts):
        mask[number, generator.choice(width, count, replace=False)] = True
    return vectors, mask


def tokens(vectors: Tensor, mask: Tensor) -> list[list[list[float]]]:
    return [row[flags].tolist() for row, flags in zip(vectors, mask, strict=True)]


def xtr(query: list[list[float]], passages: list[list[list[float]]], k: int) -> list[float]:
    """Compute XTR's eq. 2 in plain loops, with the largest retrieved as in appendix A."""
    best: list[list[float]] = [[] for _ in passages]
    for q in query:
        found = sorted(
            (
                (math.fsum(a * b for a, b in zip(q, d, strict=True)), number)
                for number, passage in enumerate(passages)
                for d in passage
            ),
            reverse=True,
        )[:k]
        for number in {number for _, number in found}:
            best[number].append(max(value for value, owner in found if owner == number))
    return [math.fsum(row) / len(row) if row else 0.0 for row in best]


@given(seeds, lengths, lengths, st.integers(1, 25))
def test_xtrs_score_is_equation_2(seed, queries, passages, k_train) -> None:
    generator = np.random.default_rng(seed)
    query, query_mask = batch(generator, queries)
    passage, passage_mask = batch(generator, passages)
    scores = token_retrieval(query, query_mask, passage, passage_mask, k_train)
    all_passages = tokens(passage, passage_mask)
    for row, own in zip(scores, tokens(query, query_mask), strict=True):
        assert row.tolist() == pytest.approx(xtr(own, all_passages, k_train), abs=1e-9)


@given(seeds, lengths, lengths)
def test_with_all_tokens_retrieved_xtr_equals_colbert(seed, queries, passages) -> None:
    generator = np.random.default_rng(seed)
    arguments = (*batch(generator, queries), *batch(generator, passages))
    torch.testing.assert_close(token_retrieval(*arguments, 1000), mean_of_maxima(*arguments))


@given(seeds, lengths, lengths, st.integers(1, 9))
def test_masked_tokens_are_ignored(seed, queries, passages, k_train) -> None:
    generator = np.random.default_rng(seed)
    query, query_mask = batch(generator, queries)
    passage, passage_mask = batch(generator, passages)
    before = token_retrieval(query, query_mask, passage, passage_mask, k_train)
    query[~query_mask] = 50
    passage[~passage_mask] = 60
    after = token_retrieval(query, query_mask, passage, passage_mask, k_train)
    torch.testing.assert_close(after, before)


def unit_batch(similarities: list[list[list[float]]]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return a query of n unit vectors, and passages with these (n,) similarities to it."""
    passages = torch.tensor(similarities, dtype=torch.float64)
    query = torch.eye(passages.shape[2], dtype=torch.float64)[None]
    passage_mask = torch.ones(passages.shape[:2], dtype=torch.bool)
    return query, torch.ones(query.shape[:2], dtype=torch.bool), passages, passage_mask


def failure_case() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Section 3 of XTR: four query tokens, a positive at 0.8 throughout, four peaked negatives.

    The negatives' mean is about 0.2: one of four similarities is above 0.8, the rest are 0.
    """
    off = [0.0] * 4
    positive = [[0.8 if i == j else 0.0 for i in range(4)] for j in range(4)]
    negatives = [
        [[0.85 if i == peak else 0.0 for i in range(4)], off, off, off] for peak in range(4)
    ]
    return unit_batch([positive, *negatives])


def test_xtrs_failure_case_of_the_sum_of_maxima() -> None:
    query, query_mask, passage, passage_mask = failure_case()
    scores = mean_of_maxima(query, query_mask, passage, passage_mask)
    assert scores[0].tolist() == pytest.approx([0.8, *[0.85 / 4] * 4])
    # The document-level scores rank the positive first, but no token of it is retrieved.
    nearest = torch.einsum("nd,pmd->npm", query[0], passage).flatten(1).argmax(1)
    assert bool((nearest // 4 > 0).all())
    # XTR's score is 0 for it: the loss is high where the sum of maxima could improve little.
    within = token_retrieval(query, query_mask, passage, passage_mask, k_train=1)
    assert within[0].tolist() == pytest.approx([0.0, *[0.85] * 4])
    positive = torch.tensor([0])
    assert cross_entropy(within, positive) > cross_entropy(scores, positive) + 0.7
    # With scores distributed as in a trained model, the sum of maxima's loss is close to zero.
    assert cross_entropy(scores * 20, positive) < 1e-4
    assert cross_entropy(within * 20, positive) > 17


def test_xtr_lowers_false_peaks_unlike_the_sum_of_maxima() -> None:
    query, query_mask, passage, passage_mask = failure_case()
    peaks = []
    for k_train in (None, 1):
        leaf = passage.clone().requires_grad_()
        if k_train is None:
            scores = mean_of_maxima(query, query_mask, leaf, passage_mask)
        else:
            scores = token_retrieval(query, query_mask, leaf, passage_mask, k_train)
        cross_entropy(scores * 20, torch.tensor([0])).backward()
        assert leaf.grad is not None
        peaks.append(float(leaf.grad[1:].amax()))
    assert peaks[0] < 1e-4
    assert peaks[1] > 1


@pytest.mark.parametrize("k_train", [2, 4, 9])
def test_gradients_are_those_of_xtrs_appendix_a(k_train: int) -> None:
    values = np.random.default_rng(8).uniform(size=(3, 3, 4)).tolist()
    query, query_mask, passage, passage_mask = unit_batch(values)
    leaf = passage.requires_grad_()  # the query is the unit matrix: these are the similarities
    scores = token_retrieval(query, query_mask, leaf, passage_mask, k_train)
    cross_entropy(scores, torch.tensor([0])).backward()
    expected = torch.zeros_like(passage)
    for number, p in enumerate(scores.detach().softmax(1)[0].tolist()):
        best = {}  # query token -> the passage's token that is its best and was retrieved
        for i in range(4):
            j = int(passage[number, :, i].argmax())
            if int((passage[..., i] > passage[number, j, i]).sum()) < k_train:
                best[i] = j
        for i, j in best.items():
            expected[number, j, i] = (p - 1 if number == 0 else p) / len(best)
    assert leaf.grad is not None
    torch.testing.assert_close(leaf.grad, expected)


def test_gradients_agree_with_finite_differences() -> None:
    generator = np.random.default_rng(2)
    query, query_mask = batch(generator, [3, 2, 0])
    passage, passage_mask = batch(generator, [4, 2, 0])
    leaves = query.requires_grad_(), passage.requires_grad_()
    for k_train in (1, 3, 100):
        assert torch.autograd.gradcheck(
            lambda q, p, k=k_train: token_retrieval(q, query_mask, p, passage_mask, k), leaves
        )
    scores = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    teacher = torch.randn(3, 4, dtype=torch.float64)
    mask = torch.tensor([[True] * 4, [True, False, True, False], [False] * 4])
    positives = torch.tensor([0, 3, 1])
    assert torch.autograd.gradcheck(lambda s: cross_entropy(s, positives, mask), (scores,))
    assert torch.autograd.gradcheck(lambda s: distillation(s, teacher, mask), (scores,))


def test_a_passage_of_which_nothing_is_retrieved_scores_zero_without_a_gradient() -> None:
    query, query_mask, passage, passage_mask = failure_case()
    leaf = passage.requires_grad_()
    token_retrieval(query, query_mask, leaf, passage_mask, 1)[0, 0].backward()
    assert leaf.grad is not None
    assert bool((leaf.grad == 0).all())
    no_token = torch.zeros(2, 0, 4, dtype=torch.float64), torch.zeros(2, 0, dtype=torch.bool)
    assert token_retrieval(query, query_mask, *no_token, 1).tolist() == [[0.0, 0.0]]


def test_the_best_of_negative_similarities_counts_if_it_was_retrieved() -> None:
    arguments = unit_batch([[[-0.25], [-0.5]], [[-0.75], [-1.0]]])
    assert token_retrieval(*arguments, k_train=1).tolist() == [[-0.25, 0.0]]
    assert token_retrieval(*arguments, k_train=3).tolist() == [[-0.25, -0.75]]


@given(seeds, st.integers(1, 4), st.integers(1, 4))
def test_cross_entropy_is_the_formula_over_the_candidates(seed, b, ways) -> None:
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(b, b * ways, generator=generator, dtype=torch.float64)
    positives = torch.arange(b) * ways
    total = expected_sum = 0.0
    for i in range(b):
        row, first = scores[i].tolist(), i * ways
        total -= math.log(math.exp(row[first]) / sum(map(math.exp, row)))
        foreign = row[:first] + row[first + ways :]
        expected_sum -= math.log(math.exp(row[first]) / sum(map(math.exp, [row[first], *foreign])))
    assert float(cross_entropy(scores, positives)) == pytest.approx(total / b)
    candidates = other_passages(scores, ways)
    assert float(cross_entropy(scores, positives, candidates)) == pytest.approx(expected_sum / b)


@given(seeds, st.integers(1, 4), st.integers(1, 5))
def test_distillation_is_the_divergence_of_the_two_distributions(seed, b, w) -> None:
    generator = torch.Generator().manual_seed(seed)
    student, teacher = (torch.randn(b, w, generator=generator).double() * 3 for _ in range(2))
    mask = torch.rand(b, w, generator=generator) < 0.7
    total = 0.0
    for s, t, flags in zip(student, teacher, mask, strict=True):
        p, q = t[flags].softmax(0).tolist(), s[flags].softmax(0).tolist()
        total += sum(a * math.log(a / c) for a, c in zip(p, q, strict=True))
    divergence = float(distillation(student, teacher, mask))
    assert divergence == pytest.approx(total / b, abs=1e-9)
    assert divergence >= -1e-12
    shifted = teacher + torch.randn(b, 1, generator=generator)
    assert float(distillation(teacher, shifted)) == pytest.approx(0, abs=1e-9)


def test_the_teacher_gets_no_gradient() -> None:
    student, teacher = (torch.tensor([[1.0, 3.0]], requires_grad=True) for _ in range(2))
    distillation(student, teacher * 2).backward()
    assert student.grad is not None
    assert student.grad[0, 1] < 0  # the teacher prefers the second more
    assert teacher.grad is None


def test_own_and_other_passages_are_complementary() -> None:
    scores = torch.arange(18).view(3, 6)
    own = own_passages(scores, 2)
    assert own.tolist() == [[0, 1], [8, 9], [16, 17]]
    assert scores[~other_passages(scores, 2)].tolist() == own.flatten().tolist()


def test_mismatched_shapes_are_refused() -> None:
    query, query_mask, passage, passage_mask = failure_case()
    with pytest.raises(ValueError, match="k_train is 0"):
        token_retrieval(query, query_mask, passage, passage_mask, 0)
    with pytest.raises(ValueError, match="differ in shape"):
        token_retrieval(query, query_mask[:, 1:], passage, passage_mask, 1)
    scores = torch.zeros(2, 4)
    with pytest.raises(ValueError, match="positives"):
        cross_entropy(scores, torch.tensor([0]))
    with pytest.raises(ValueError, match="candidates"):
        cross_entropy(scores, torch.tensor([0, 1]), torch.ones(2, 3, dtype=torch.bool))
    with pytest.raises(ValueError, match="differ in shape"):
        distillation(scores, scores[:1])
    for ways in (0, 3):
        with pytest.raises(ValueError, match="ways do not fit"):
            own_passages(scores, ways)
        with pytest.raises(ValueError, match="ways do not fit"):
            other_passages(scores, ways)
