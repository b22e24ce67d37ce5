"""Alignments and scores as the papers define them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.alignment.pairwise import (
    AlignmentKind,
    AlignmentStrategy,
    align_top_k,
    align_top_p,
    contributions,
    score,
    scores,
    similarity,
    tokens_for_share,
)
from core.errors import UsageError

Floats = npt.NDArray[np.float32]

# Multiples of 1/64: sums are exact whatever their order, and ties are frequent.
_values = st.integers(-64, 64).map(lambda whole: whole / 64)
matrices = arrays.arrays(
    np.float32,
    st.tuples(st.integers(1, 6), st.integers(1, 9)),
    elements=_values,
)


@given(matrices, st.integers(1, 12))
def test_top_k_aligns_the_k_best_of_each_row(pairs: Floats, k: int) -> None:
    aligned = align_top_k(pairs, k)
    count_of_selected = min(k, pairs.shape[1])
    assert set(np.unique(aligned)) <= {0.0, 1.0}
    assert (aligned.sum(axis=1) == count_of_selected).all()
    for row, chosen in zip(pairs, aligned, strict=True):
        assert sorted(row[chosen == 1]) == sorted(row)[len(row) - count_of_selected :]


@given(matrices)
def test_top_1_scores_as_colbert_does_divided_by_the_querys_tokens(pairs: Floats) -> None:
    assert score(pairs, align_top_k(pairs)) == pytest.approx(pairs.max(axis=1).mean(), abs=1e-6)


@given(matrices, st.floats(0, 1))
def test_top_p_aligns_a_share_of_the_passage_and_at_least_one(pairs: Floats, p: float) -> None:
    share = max(int(p * pairs.shape[1] + 1e-9), 1)
    assert (align_top_p(pairs, p).sum(axis=1) == share).all()


@given(st.integers(0, 100), st.integers(1, 500))
def test_a_share_in_hundredths_is_not_lost_to_binary_fractions(percent: int, m: int) -> None:
    assert tokens_for_share(percent / 100, m) == max(percent * m // 100, 1)


@given(matrices, st.integers(1, 4), st.randoms(use_true_random=False))
def test_scores_do_not_depend_on_the_order_of_tokens(pairs: Floats, k: int, random) -> None:
    rows = random.sample(range(pairs.shape[0]), pairs.shape[0])
    columns = random.sample(range(pairs.shape[1]), pairs.shape[1])
    shuffled = pairs[rows][:, columns]
    assert score(shuffled, align_top_k(shuffled, k)) == score(pairs, align_top_k(pairs, k))


def test_among_equals_the_first_token_is_aligned() -> None:
    pairs = np.array([[0.5, 0.9, 0.9, 0.9], [0, 0, 0, 0]], dtype=np.float32)
    assert align_top_k(pairs, 1).tolist() == [[0, 1, 0, 0], [1, 0, 0, 0]]
    assert align_top_k(pairs, 2).tolist() == [[0, 1, 1, 0], [1, 1, 0, 0]]


def test_nothing_to_align_scores_nothing() -> None:
    for shape in ((0, 4), (3, 0), (0, 0)):
        pairs = np.zeros(shape, dtype=np.float32)
        assert align_top_k(pairs, 2).shape == shape
        assert score(pairs, align_top_k(pairs, 2)) == 0


def test_a_score_weighs_pairs_by_their_alignment() -> None:
    pairs = np.array([[1, 0.5]], dtype=np.float32)
    weighted = np.array([[0.25, 0.75]], dtype=np.float32)
    assert score(pairs, weighted) == pytest.approx(0.25 * 1 + 0.75 * 0.5)


def test_mismatched_shapes_are_refused() -> None:
    two, three = np.zeros((1, 2), dtype=np.float32), np.zeros((1, 3), dtype=np.float32)
    with pytest.raises(ValueError, match="2 dimensions"):
        similarity(two, three)
    with pytest.raises(ValueError, match="shapes differ"):
        score(two, three)
    with pytest.raises(ValueError, match="k is 0"):
        align_top_k(two, 0)
    for p in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="p is"):
            align_top_p(two, p)


@given(
    st.one_of(
        st.integers(1, 10_000).map(lambda k: AlignmentStrategy(AlignmentKind.TOP_K, k)),
        st.integers(1, 1000).map(lambda p: AlignmentStrategy(AlignmentKind.TOP_P, p / 1000)),
    )
)
def test_a_strategy_is_what_it_is_written_as(strategy: AlignmentStrategy) -> None:
    assert AlignmentStrategy.parse(str(strategy)) == strategy


@pytest.mark.parametrize(
    "text",
    [
        *("", "topk", "topk:", "topk:0", "topk:1.5", "topk:-1", "topp:0", "topp:1.01", "topp:nan"),
        *("top:1", "TOPK:1", "topk:1 ", "topk:1e3", "topp:.5.5", "topk:²", "topk:" + "9" * 400),
    ],
)
def test_an_invalid_strategy_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(UsageError, match=r"\.$"):
        AlignmentStrategy.parse(text)


def test_strategies_align_as_their_kind_specifies() -> None:
    pairs = np.array([[0.1, 0.4, 0.3, 0.2]], dtype=np.float32)
    assert AlignmentStrategy.parse("topk:3").align(pairs).tolist() == [[0, 1, 1, 1]]
    assert AlignmentStrategy.parse("topp:0.5").align(pairs).tolist() == [[0, 1, 1, 0]]
    assert AlignmentStrategy().is_top_1
    assert not AlignmentStrategy.parse("topk:2").is_top_1
    assert not AlignmentStrategy.parse("topp:1").is_top_1


_strategies = st.one_of(
    st.integers(1, 12).map(lambda k: AlignmentStrategy(AlignmentKind.TOP_K, k)),
    st.integers(1, 100).map(lambda p: AlignmentStrategy(AlignmentKind.TOP_P, p / 100)),
)


@given(matrices, st.lists(_strategies, min_size=1, max_size=5), st.integers(0, 60), st.data())
def test_many_strategies_at_once_score_as_each_alone(
    pairs: Floats, strategies: list[AlignmentStrategy], more: int, data: st.DataObject
) -> None:
    n, m = pairs.shape
    weights = np.array(data.draw(st.lists(st.floats(0.25, 4), min_size=n, max_size=n)), np.float32)
    length = m + more
    expected = [score(pairs, one.align(pairs, weights, length)) for one in strategies]
    found = scores(pairs, strategies, weights, length)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    alike = scores(pairs, strategies)
    np.testing.assert_allclose(
        alike, [score(pairs, one.align(pairs)) for one in strategies], atol=1e-5
    )


def test_a_share_is_one_of_the_tokens_that_vectors_stand_for() -> None:
    pairs = np.array([[0.1, 0.4, 0.3, 0.2]], dtype=np.float32)
    two_in_a_hundred = AlignmentStrategy.parse("topp:0.02")
    assert two_in_a_hundred.align(pairs).tolist() == [[0, 1, 0, 0]]
    assert two_in_a_hundred.align(pairs, length=100).tolist() == [[0, 1, 1, 0]]
    assert scores(pairs, [two_in_a_hundred], length=100) == pytest.approx(0.35)


def test_nothing_has_no_scores() -> None:
    for shape in ((0, 4), (3, 0)):
        assert scores(np.zeros(shape, np.float32), [AlignmentStrategy()] * 2).tolist() == [0, 0]


@given(matrices, st.integers(1, 12))
def test_contributions_are_the_terms_of_the_score(pairs: Floats, k: int) -> None:
    aligned = align_top_k(pairs, k)
    added = contributions(pairs, aligned)
    assert added.sum() == pytest.approx(score(pairs, aligned), abs=1e-6)
    assert not added[aligned == 0].any()


def test_contributions_of_nothing_are_nothing() -> None:
    pairs = np.ones((2, 3), dtype=np.float32)
    assert not contributions(pairs, np.zeros((2, 3), dtype=np.float32)).any()
    with pytest.raises(ValueError, match="shapes differ"):
        contributions(pairs, np.zeros((2, 2), dtype=np.float32))


@given(
    st.integers(1, 5),
    st.integers(1, 9),
    st.integers(0, 99),
    st.sampled_from(["topk:1", "topk:3", "topp:0.5"]),
)
def test_a_summary_is_aligned_with_its_best_alone_and_counts_as_before(
    n: int, m: int, seed: int, written: str
) -> None:
    random = np.random.default_rng(seed)
    pairs = random.uniform(-1, 1, (n, m)).astype(np.float32)
    weights = random.uniform(0.1, 3, n).astype(np.float32)
    strategy = AlignmentStrategy.parse(written)
    plain = strategy.align(pairs, weights)
    with_summary = strategy.align(pairs, weights, has_summary=True)
    np.testing.assert_array_equal(with_summary[1:], plain[1:])
    assert np.flatnonzero(with_summary[0]).tolist() == [int(pairs[0].argmax())]
    np.testing.assert_allclose(with_summary.sum(axis=1), plain.sum(axis=1), rtol=1e-5)
    means = [pairs[0].max(), *(np.sort(row)[::-1][: strategy.count(m)].mean() for row in pairs[1:])]
    expected = np.average(means, weights=weights)
    assert score(pairs, with_summary) == pytest.approx(expected, abs=1e-5)
    (fast,) = scores(pairs, [strategy], weights, has_summary=True)
    assert fast == pytest.approx(expected, abs=1e-5)
