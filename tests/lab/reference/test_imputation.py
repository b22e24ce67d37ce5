"""Scores from retrieved tokens, compared with scores from all tokens."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.reference.imputation import Imputation, score_retrieved

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

seeds = st.integers(0, 2**32 - 1)


def corpus(seed: int) -> tuple[Floats, Numbers]:
    """Return similarities (n, tokens) in sixty-fourths, with ties, and each token's passage."""
    generator = np.random.default_rng(seed)
    n, tokens = generator.integers(1, 6), generator.integers(1, 30)
    pairs = (generator.integers(-64, 65, (n, tokens)) / 64).astype(np.float32)
    return pairs, generator.integers(100, 107, tokens)


def retrieved(pairs: Floats, owners: Numbers, k: int) -> tuple[list[Numbers], list[Floats]]:
    best = np.argsort(-pairs, axis=1, kind="stable")[:, :k]
    return [owners[row] for row in best], list(np.take_along_axis(pairs, best, 1))


def means_of_maxima(pairs: Floats, owners: Numbers) -> dict[int, float]:
    """Compute XTR's eq. 1."""
    return {
        int(owner): float(pairs[:, owners == owner].max(axis=1).mean()) for owner in set(owners)
    }


def equation_4(pairs: Floats, owners: Numbers, k: int, impute: bool = True) -> dict[int, float]:
    """Compute eq. 4 literally: over all tokens of each candidate, retrieved or not."""
    is_retrieved = np.zeros(pairs.shape, dtype=bool)
    best = np.argsort(-pairs, axis=1, kind="stable")[:, :k]
    np.put_along_axis(is_retrieved, best, True, axis=1)
    scores = {}
    for owner in {int(owner) for owner in owners[best].ravel()}:
        total = 0.0
        for row, flags in zip(pairs, is_retrieved, strict=True):
            own, own_flags = row[owners == owner], flags[owners == owner]
            missing = row[flags].min() if impute else 0.0
            if impute or own_flags.any():
                values = np.where(own_flags, own, missing)
                total += values[own_flags].max() if not impute else values.max()
        scores[owner] = total / len(pairs)
    return scores


@given(seeds, st.integers(1, 12))
def test_scores_are_those_of_equation_4_over_all_tokens(seed: int, k: int) -> None:
    pairs, owners = corpus(seed)
    passages, scores = score_retrieved(*retrieved(pairs, owners, k))
    assert dict(zip(passages.tolist(), scores.tolist(), strict=True)) == pytest.approx(
        equation_4(pairs, owners, k), abs=1e-6
    )


@given(seeds)
def test_with_all_tokens_retrieved_scores_are_means_of_maxima(seed: int) -> None:
    pairs, owners = corpus(seed)
    passages, scores = score_retrieved(*retrieved(pairs, owners, pairs.shape[1]))
    assert dict(zip(passages.tolist(), scores.tolist(), strict=True)) == pytest.approx(
        means_of_maxima(pairs, owners), abs=1e-6
    )


@given(seeds, st.integers(1, 12))
def test_scores_are_upper_bounds_that_tighten_with_more_tokens(seed: int, k: int) -> None:
    pairs, owners = corpus(seed)
    true = means_of_maxima(pairs, owners)
    fewer, more = (
        dict(zip(*score_retrieved(*retrieved(pairs, owners, size)), strict=True))
        for size in (k, k + 3)
    )
    for passage, score in fewer.items():
        assert score >= more[passage] - 1e-6
        assert more[passage] >= true[int(passage)] - 1e-6


@given(seeds, st.integers(1, 12))
def test_imputing_never_lowers_a_score_where_similarities_are_not_negative(seed, k) -> None:
    pairs, owners = corpus(seed)
    pairs = np.abs(pairs)
    passages, scores = score_retrieved(*retrieved(pairs, owners, k))
    without = equation_4(pairs, owners, k, impute=False)
    for passage, score in zip(passages.tolist(), scores.tolist(), strict=True):
        assert score >= without[passage] - 1e-6


@given(seeds, st.integers(1, 12), st.randoms(use_true_random=False))
def test_passages_are_unique_and_sorted_by_score_regardless_of_list_order(seed, k, random) -> None:
    found, similarities = retrieved(*corpus(seed), k)
    passages, scores = score_retrieved(found, similarities)
    assert len(set(passages.tolist())) == len(passages)
    ranked = list(zip((-scores).tolist(), passages.tolist(), strict=True))
    assert ranked == sorted(ranked)
    order = np.array(random.sample(range(len(found[0])), len(found[0])))
    again = score_retrieved([row[order] for row in found], [row[order] for row in similarities])
    assert again[0].tolist() == passages.tolist()
    assert again[1].tolist() == scores.tolist()


def test_negative_similarities_are_imputed_unchanged() -> None:
    found = [np.array([1, 2]), np.array([2, 2])]
    similarities = [np.array([0.5, 0.25]), np.array([-0.25, -0.5])]
    passages, scores = score_retrieved(found, [row.astype(np.float32) for row in similarities])
    assert passages.tolist() == [1, 2]
    assert scores.tolist() == [0.0, 0.0]


def test_query_tokens_without_lists_count_0() -> None:
    none, one = np.zeros(0, dtype=np.int64), np.array([4])
    nothing, half = np.zeros(0, dtype=np.float32), np.array([0.5], dtype=np.float32)
    passages, scores = score_retrieved([one, none], [half, nothing])
    assert (passages.tolist(), scores.tolist()) == ([4], [0.25])
    for empty in ([], [none, none]):
        passages, scores = score_retrieved(empty, [nothing] * len(empty))
        assert (len(passages), len(scores)) == (0, 0)
        assert (passages.dtype, scores.dtype) == (np.int64, np.float32)


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in number"):
        score_retrieved([np.array([1, 2])], [np.array([0.5], dtype=np.float32)])
    with pytest.raises(ValueError, match="differ in number"):
        score_retrieved([np.array([1])], [])


@given(seeds, st.integers(1, 12), st.sampled_from(Imputation))
def test_each_imputation_fills_missing_similarities(
    seed: int, k: int, imputation: Imputation
) -> None:
    pairs, owners = corpus(seed)
    passages, similarities = retrieved(pairs, owners, k)
    found, scores = score_retrieved(passages, similarities, imputation)
    for passage, score in zip(found.tolist(), scores.tolist(), strict=True):
        best = []
        for row, values in zip(passages, similarities, strict=True):
            if (row == passage).any():
                best.append(values[row == passage].max())
            elif imputation is Imputation.LAST:
                best.append(values.min())
            elif imputation is not Imputation.NONE:
                best.append({Imputation.ZERO: 0.0, Imputation.FIXED: 0.2}[imputation])
        assert score == pytest.approx(np.mean(best), abs=1e-6)


def test_a_passage_with_one_retrieved_token_is_not_favoured() -> None:
    """Without imputation, a passage found by one token scores as high as that token."""
    passages = [np.array([1, 2]), np.array([2, 2])]
    similarities = [np.array([0.9, 0.8], np.float32), np.array([0.6, 0.1], np.float32)]
    assert score_retrieved(passages, similarities, Imputation.NONE)[0].tolist() == [1, 2]
    for other in (Imputation.ZERO, Imputation.FIXED, Imputation.LAST):
        assert score_retrieved(passages, similarities, other)[0].tolist() == [2, 1]


@given(seeds, st.integers(1, 12), st.sampled_from(Imputation))
def test_weights_count_a_query_token_that_often(seed: int, k: int, imputation: Imputation) -> None:
    found, similarities = retrieved(*corpus(seed), k)
    weights = np.arange(len(found), dtype=np.float32) + 1
    times = weights.astype(int)
    passages, scores = score_retrieved(found, similarities, imputation, weights)
    again = score_retrieved(
        [row for row, count in zip(found, times, strict=True) for _ in range(count)],
        [row for row, count in zip(similarities, times, strict=True) for _ in range(count)],
        imputation,
    )
    assert dict(zip(*again, strict=True)) == pytest.approx(
        dict(zip(passages, scores, strict=True)), abs=1e-5
    )


def test_each_query_token_needs_a_weight() -> None:
    rows, values = [np.array([0])] * 2, [np.ones(1, dtype=np.float32)] * 2
    with pytest.raises(ValueError, match="1 weights of 2"):
        score_retrieved(rows, values, weights=np.ones(1, dtype=np.float32))
    passages, scores = score_retrieved(
        [np.array([0]), np.array([1])],
        values,
        Imputation.NONE,
        np.array([0, 1], dtype=np.float32),
    )
    assert dict(zip(passages.tolist(), scores.tolist(), strict=True)) == {1: 1, 0: 0}
