"""Alignments and scores of batches, compared with those of single pairs."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from core.alignment import pairwise
from core.alignment.pairwise import AlignmentStrategy
from lab.reference.alignments import align, score, similarity
from lab.training.alignments import DifferentiableAlignment

seeds = st.integers(0, 2**32 - 1)
lengths = st.lists(st.integers(0, 6), min_size=1, max_size=4)
hard = st.one_of(
    st.integers(1, 9).map(lambda k: AlignmentStrategy.parse(f"topk:{k}")),
    st.integers(1, 100).map(lambda p: AlignmentStrategy.parse(f"topp:{p / 100}")),
)
soft = st.builds(
    DifferentiableAlignment,
    k=st.integers(1, 9),
    epsilon=st.sampled_from([0.01, 1.0]),
    iterations=st.sampled_from([None, 4]),
)


def batch(generator: np.random.Generator, counts: list[int]) -> tuple[Tensor, Tensor]:
    """Return vectors with coordinates in quarters, so that ties are frequent, and gaps in masks."""
    width = max(counts) + 2
    vectors = torch.from_numpy(generator.integers(-4, 5, (len(counts), width, 3)) / 4).float()
    mask = torch.zeros(len(counts), width, dtype=torch.bool)
    for number, count in enumerate(counts):
        mask[number, generator.choice(width, count, replace=False)] = True
    return vectors, mask


@given(seeds, lengths, lengths, hard)
def test_batches_score_like_single_pairs(seed, queries, passages, strategy) -> None:
    generator = np.random.default_rng(seed)
    query, query_mask = batch(generator, queries)
    passage, passage_mask = batch(generator, passages)
    pairs = similarity(query, passage)
    aligned = align(pairs, query_mask, passage_mask, strategy)
    scores = score(query, query_mask, passage, passage_mask, strategy)
    for i in range(len(queries)):
        for j in range(len(passages)):
            real = query_mask[i][:, None] & passage_mask[j]
            alone = pairwise.similarity(
                query[i, query_mask[i]].numpy(), passage[j, passage_mask[j]].numpy()
            )
            expected = strategy.align(alone)
            assert aligned[i, j][real].tolist() == expected.ravel().tolist()
            assert aligned[i, j].sum() == expected.sum()
            assert float(scores[i, j]) == pytest.approx(pairwise.score(alone, expected), abs=1e-6)


@given(seeds, st.integers(1, 6), st.integers(1, 6), hard)
def test_saliences_weight_rows_and_columns(seed, n, m, strategy) -> None:
    generator = np.random.default_rng(seed)
    query, passage = (torch.from_numpy(generator.normal(size=(1, size, 4))) for size in (n, m))
    row, column = (torch.from_numpy(generator.integers(0, 3, size) / 2) for size in (n, m))
    ones = (torch.ones(1, size, dtype=torch.bool) for size in (n, m))
    query_mask, passage_mask = ones
    weighted_score = score(
        query, query_mask, passage, passage_mask, strategy, row[None], column[None]
    )
    pairs = query[0].numpy() @ passage[0].numpy().T
    both = strategy.align(pairs) * np.outer(row.numpy(), column.numpy())
    assert float(weighted_score) == pytest.approx(pairwise.score(pairs, both), abs=1e-6)


@given(seeds, lengths, lengths, st.one_of(hard, soft))
def test_masked_tokens_are_ignored(seed, queries, passages, strategy) -> None:
    generator = np.random.default_rng(seed)
    query, query_mask = batch(generator, queries)
    passage, passage_mask = batch(generator, passages)
    saliences = [torch.rand(mask.shape) for mask in (query_mask, passage_mask)]
    before = score(query, query_mask, passage, passage_mask, strategy, *saliences)
    query[~query_mask] = 77
    passage[~passage_mask] = -99
    after = score(query, query_mask, passage, passage_mask, strategy, *saliences)
    torch.testing.assert_close(after, before)
    empty = (~query_mask.any(1))[:, None] | ~passage_mask.any(1)
    assert bool((after[empty] == 0).all())


@given(seeds, lengths, lengths, soft)
def test_the_soft_alignment_shares_k_in_each_row(seed, queries, passages, strategy) -> None:
    generator = np.random.default_rng(seed)
    query, query_mask = batch(generator, queries)
    passage, passage_mask = batch(generator, passages)
    aligned = align(similarity(query, passage), query_mask, passage_mask, strategy)
    real = query_mask[:, None, :, None] & passage_mask[None, :, None]
    assert bool((aligned[~real] == 0).all())
    assert bool(((aligned >= 0) & (aligned <= 1)).all())
    if strategy.iterations is None:
        wanted = passage_mask.sum(1).clamp(max=strategy.k)[None, :, None] * query_mask[:, None]
        torch.testing.assert_close(aligned.sum(3), wanted.float(), atol=1e-4, rtol=0)


@given(seeds, st.integers(1, 5))
def test_the_soft_alignment_becomes_top_k(seed, k) -> None:
    generator = torch.Generator().manual_seed(seed)
    pairs = torch.stack([torch.randperm(7, generator=generator) / 8 for _ in range(6)])
    pairs = pairs.reshape(2, 1, 3, 7)
    masks = torch.ones(2, 3, dtype=torch.bool), torch.ones(1, 7, dtype=torch.bool)
    softly = align(pairs, *masks, DifferentiableAlignment(k, epsilon=1e-3))
    hardly = align(pairs, *masks, AlignmentStrategy.parse(f"topk:{k}"))
    torch.testing.assert_close(softly, hardly)


@pytest.mark.parametrize(
    "strategy",
    [
        AlignmentStrategy(),
        AlignmentStrategy.parse("topk:2"),
        AlignmentStrategy.parse("topp:0.5"),
        DifferentiableAlignment(2, epsilon=0.3),
        DifferentiableAlignment(2, epsilon=0.3, iterations=3),
    ],
)
def test_gradients_agree_with_finite_differences(strategy) -> None:
    generator = torch.Generator().manual_seed(4)

    def random(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    query, passage = random(2, 3, 4).requires_grad_(), random(3, 5, 4).requires_grad_()
    saliences = random(2, 3).abs().requires_grad_(), random(3, 5).abs().requires_grad_()
    query_mask, passage_mask = torch.ones(2, 3).bool(), torch.ones(3, 5).bool()
    query_mask[1, 2:] = False
    passage_mask[1, 3:] = False
    passage_mask[2] = False

    def scored(query: Tensor, passage: Tensor, row: Tensor, column: Tensor) -> Tensor:
        return score(query, query_mask, passage, passage_mask, strategy, row, column)

    assert torch.autograd.gradcheck(scored, (query, passage, *saliences))


def test_without_salient_tokens_scores_are_zero_and_gradients_finite() -> None:
    query = torch.ones(1, 2, 3, requires_grad=True)
    mask = torch.ones(1, 2, dtype=torch.bool)
    nothing = torch.zeros(1, 2, requires_grad=True)
    scored = score(query, mask, torch.ones(1, 2, 3), mask, None, nothing)
    assert scored.tolist() == [[0.0]]
    scored.sum().backward()
    assert query.grad is not None
    assert query.grad.tolist() == torch.zeros(1, 2, 3).tolist()
    assert nothing.grad is not None
    assert nothing.grad.tolist() == [[0.0, 0.0]]


def test_mismatched_shapes_are_refused() -> None:
    query, passage = torch.zeros(1, 2, 3), torch.zeros(1, 4, 3)
    two, four = torch.ones(1, 2, dtype=torch.bool), torch.ones(1, 4, dtype=torch.bool)
    with pytest.raises(ValueError, match="3 dimensions, passage 2"):
        similarity(query, torch.zeros(1, 4, 2))
    with pytest.raises(ValueError, match="the masks make it"):
        score(query, four, passage, four)
    with pytest.raises(ValueError, match="saliences are"):
        score(query, two, passage, four, None, torch.ones(1, 3))
    with pytest.raises(ValueError, match="saliences are"):
        score(query, two, passage, four, None, None, torch.ones(4))
    with pytest.raises(ValueError, match="epsilon"):
        score(query, two, passage, four, DifferentiableAlignment(epsilon=0))
