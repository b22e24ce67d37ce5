"""All methods of token reduction; those of a library are the engine's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment import reduction
from core.alignment.pooling import DROPPED, pool, ward
from core.alignment.reduction import budget
from lab.evaluation.reductions import (
    BETA_D,
    WITHOUT_SALIENCE,
    Reduction,
    idf_scores,
    random_scores,
    reduce_all,
)
from tests.core.alignment.test_reduction import SHARES, assert_keeps, passages


@pytest.mark.parametrize("way", reduction.ReductionPolicy)
@given(seed=st.integers(0, 99), lengths=st.lists(st.integers(0, 30), min_size=1, max_size=4))
def test_reductions_of_the_engine_match(
    way: reduction.ReductionPolicy, seed: int, lengths: list[int]
) -> None:
    vectors, offsets = passages(seed, lengths)
    scores = np.random.default_rng(seed + 1).uniform(0.1, 1, size=len(vectors))
    policy_scores = scores if way.needs_salience else None
    several = reduce_all(vectors, offsets, SHARES, Reduction(str(way)), policy_scores)
    for share, reduced in zip(SHARES, several, strict=True):
        is_pruned = way is reduction.ReductionPolicy.PRUNED_POOLING
        beta_d = BETA_D if is_pruned else 1.0
        own = reduction.reduce(vectors, offsets, share, way, policy_scores, beta_d)
        assert reduced.labels.tolist() == own.labels.tolist()
        assert reduced.offsets.tolist() == own.offsets.tolist()
        np.testing.assert_array_equal(reduced.vectors, own.vectors)


@pytest.mark.parametrize("way", Reduction)
@given(seed=st.integers(0, 99), lengths=st.lists(st.integers(0, 30), min_size=1, max_size=4))
def test_each_reduction_keeps_the_budget_of_each_passage(
    way: Reduction, seed: int, lengths: list[int]
) -> None:
    vectors, offsets = passages(seed, lengths)
    scores = np.random.default_rng(seed + 1).uniform(0.1, 1, size=len(vectors))
    for share, reduced in zip(
        SHARES,
        reduce_all(vectors, offsets, SHARES, way, scores if way.is_scored else None),
        strict=True,
    ):
        counts = budget(np.diff(offsets), share)
        assert_keeps(reduced, lengths, counts)
        if way in {Reduction.POOLING, Reduction.WEIGHTED_POOLING}:
            assert not np.any(reduced.labels == DROPPED)


def test_salience_then_pooling_drops_the_least_salient_half_of_the_rest() -> None:
    vectors, offsets = passages(3, [10])
    scores = np.arange(10.0)[::-1]
    reduced = next(reduce_all(vectors, offsets, (0.2,), Reduction.SALIENCE_THEN_POOLING, scores))
    # 2 are kept, and 4 of the other 8 take part in pooling.
    assert (reduced.labels == DROPPED).tolist() == [False] * 6 + [True] * 4
    assert reduced.labels[:6].tolist() == ward(vectors[:6], 2).tolist()
    assert np.allclose(reduced.vectors, pool(vectors[:6], reduced.labels[:6], scores[:6]))


def test_tokens_without_salience_are_dropped_if_only_salient_ones_are_pooled() -> None:
    vectors, offsets = passages(4, [6, 3])
    scores = np.array([0, 2, 0, 1, 0, 3, 0, 0, 0])
    reduced = next(reduce_all(vectors, offsets, (0.9,), Reduction.POOLING_OF_SALIENT, scores))
    # The second passage has no salience, so it keeps its first token.
    assert (reduced.labels != DROPPED).tolist() == [bool(one) for one in scores[:6]] + [
        True,
        False,
        False,
    ]
    assert reduced.offsets.tolist() == [0, 3, 4]
    assert np.allclose(reduced.vectors, vectors[[1, 3, 5, 6]])


def test_reductions_declare_their_requirements() -> None:
    assert set(WITHOUT_SALIENCE) == {
        Reduction.RANDOM,
        Reduction.IDF,
        Reduction.NORM,
        Reduction.POOLING,
    }
    assert {one for one in Reduction if one.is_weighted} == {
        Reduction.WEIGHTED_POOLING,
        Reduction.PRUNED_POOLING,
        Reduction.POOLING_OF_SALIENT,
    }
    assert {one for one in Reduction if not one.is_pooling} == {
        Reduction.SALIENCE,
        Reduction.RANDOM,
        Reduction.IDF,
        Reduction.NORM,
    }


def test_rarer_word_pieces_have_higher_scores() -> None:
    ids, offsets = np.array([7, 7, 9, 7, 8, 7, 9]), np.array([0, 3, 5, 5, 7])
    expected = [math.log(4 / {7: 3, 8: 1, 9: 2}[one]) for one in ids.tolist()]
    assert np.allclose(idf_scores(ids, offsets), expected)
    assert idf_scores(ids[:0], np.array([0])).shape == (0,)


def test_random_scores_are_the_same_for_a_seed_only() -> None:
    assert np.array_equal(random_scores(9, 1), random_scores(9, 1))
    assert not np.array_equal(random_scores(9, 1), random_scores(9, 2))


def test_required_scores_are_used() -> None:
    vectors, offsets = passages(5, [4])
    with pytest.raises(ValueError, match="random takes scores"):
        next(reduce_all(vectors, offsets, (0.5,), Reduction.RANDOM))
    with pytest.raises(ValueError, match="pooling takes no scores"):
        next(reduce_all(vectors, offsets, (0.5,), Reduction.POOLING, np.ones(4)))
