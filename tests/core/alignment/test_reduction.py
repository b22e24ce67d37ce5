"""The vectors that each way of reduction keeps of a passage."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.pooling import DROPPED, LENGTHENING, SHORTEST, pool, ward
from core.alignment.reduction import (
    Reduced,
    ReductionPolicy,
    budget,
    highest,
    reduce,
    reduce_to_each,
)

SHARES = (0.4, 0.2, 0.05)


def passages(
    seed: int, lengths: list[int]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    vectors = np.random.default_rng(seed).normal(size=(sum(lengths), 4))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors, np.concatenate([[0], np.cumsum(lengths)])


@given(st.integers(1, 254), st.floats(0.001, 1))
def test_the_budget_is_the_one_of_training_and_one_at_least(m: int, share: float) -> None:
    import torch

    from lab.training import salience

    trained = int(salience.budget(torch.ones(1, m, dtype=torch.bool), share))
    assert budget(np.array([m]), share).tolist() == [max(trained, 1)]


@pytest.mark.parametrize("share", [0, -0.1, 1.1, math.nan])
def test_a_share_is_above_0_and_up_to_1(share: float) -> None:
    with pytest.raises(ValueError, match="share"):
        budget(np.array([3]), share)


@given(
    lengths=st.lists(st.integers(0, 8), max_size=5),
    data=st.data(),
    share=st.floats(0.1, 1),
)
def test_the_highest_are_selected_and_ties_go_to_the_first(
    lengths: list[int], data: st.DataObject, share: float
) -> None:
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    total = sum(lengths)
    scores = np.array(data.draw(st.lists(st.integers(0, 3), min_size=total, max_size=total)))
    counts = budget(np.diff(offsets), share)
    mask = highest(scores, offsets, counts)
    for passage, count in enumerate(counts):
        rows = range(offsets[passage], offsets[passage + 1])
        expected = sorted(rows, key=lambda row: (-scores[row], row))[:count]
        assert [row for row in rows if mask[row]] == sorted(expected)


def assert_keeps(reduced: Reduced, lengths: list[int], counts: npt.NDArray[np.int64]) -> None:
    """Each passage has the permitted number of vectors, each for separate tokens."""
    assert np.diff(reduced.offsets).tolist() == counts.tolist()
    assert len(reduced.vectors) == counts.sum() == len(reduced.groups)
    lengths_of = np.linalg.norm(reduced.vectors, axis=1)
    is_alone = np.array([len(group) == 1 for group in reduced.groups], dtype=np.bool_)
    assert np.allclose(lengths_of[is_alone], 1)
    assert (lengths_of >= 1 - 1e-5).all()
    assert (lengths_of <= SHORTEST**-LENGTHENING + 1e-5).all()
    # A vector represents tokens of its passage only, and every token is represented.
    owners = np.repeat(np.arange(len(lengths)), counts)
    of = np.repeat(np.arange(len(lengths)), lengths)
    for number, group in enumerate(reduced.groups):
        assert set(of[group].tolist()) == {owners[number]}
        assert (reduced.labels[group] == number).all()


@pytest.mark.parametrize("way", ReductionPolicy)
@given(seed=st.integers(0, 99), lengths=st.lists(st.integers(0, 30), min_size=1, max_size=4))
def test_each_way_keeps_the_budget_of_each_passage(
    way: ReductionPolicy, seed: int, lengths: list[int]
) -> None:
    vectors, offsets = passages(seed, lengths)
    scores = np.random.default_rng(seed + 1).uniform(0.1, 1, size=len(vectors))
    for share in SHARES:
        scores_ = scores if way.needs_salience else None
        reduced = reduce(vectors, offsets, share, way, scores_)
        counts = budget(np.diff(offsets), share)
        assert_keeps(reduced, lengths, counts)
        if way is not ReductionPolicy.SALIENCE:
            assert not np.any(reduced.labels == DROPPED)


def test_index_settings_tokens_keeps_their_vectors_in_their_order() -> None:
    vectors, offsets = passages(1, [5])
    reduced = reduce(vectors, offsets, 0.4, ReductionPolicy.SALIENCE, np.array([0, 3, 1, 2, 0]))
    assert np.allclose(reduced.vectors, vectors[[1, 3]])
    assert reduced.labels.tolist() == [DROPPED, 0, DROPPED, 1, DROPPED]


def test_pooling_is_wards_clusters_and_their_means() -> None:
    vectors, offsets = passages(2, [20])
    weights = np.random.default_rng(2).uniform(size=20)
    plain = reduce(vectors, offsets, 0.2, ReductionPolicy.POOLING)
    assert plain.labels.tolist() == ward(vectors, 4).tolist()
    assert np.allclose(plain.vectors, pool(vectors, ward(vectors, 4)))
    weighted = reduce(vectors, offsets, 0.2, ReductionPolicy.WEIGHTED_POOLING, weights)
    labels = ward(vectors, 4, weights)
    assert weighted.labels.tolist() == labels.tolist()
    assert np.allclose(weighted.vectors, pool(vectors, labels, weights))


@given(seed=st.integers(0, 99), lengths=st.lists(st.integers(0, 30), min_size=1, max_size=4))
def test_pruned_pooling_is_weighted_pooling_of_the_most_salient(
    seed: int, lengths: list[int]
) -> None:
    vectors, offsets = passages(seed, lengths)
    saliences = np.random.default_rng(seed + 1).uniform(size=len(vectors))
    way = ReductionPolicy.PRUNED_POOLING
    found = reduce_to_each(vectors, offsets, [0.2, 0.3], way, saliences, beta_d=0.8)
    for share, reduced in zip([0.2, 0.3], found, strict=True):
        for number, length in enumerate(lengths):
            rows = slice(offsets[number], offsets[number + 1])
            own = saliences[rows]
            retained = np.sort(np.argsort(-own, kind="stable")[: math.ceil(0.8 * length - 1e-9)])
            labels = reduced.labels[rows]
            assert np.flatnonzero(labels != DROPPED).tolist() == retained.tolist()
            count = math.ceil(share * length - 1e-9)
            stored = slice(reduced.offsets[number], reduced.offsets[number + 1])
            assert len(reduced.vectors[stored]) == count
            if not length:
                continue
            alone = ward(vectors[rows][retained], count, own[retained])
            assert (labels[retained] - labels[retained].min()).tolist() == alone.tolist()
            means = pool(vectors[rows][retained], alone, own[retained])
            np.testing.assert_allclose(reduced.vectors[stored], means, atol=1e-9)


def test_saliences_are_required_and_not_ignored() -> None:
    vectors, offsets = passages(5, [4])
    with pytest.raises(ValueError, match="salience takes saliences"):
        reduce(vectors, offsets, 0.5, ReductionPolicy.SALIENCE)
    with pytest.raises(ValueError, match="pooling takes no saliences"):
        reduce(vectors, offsets, 0.5, ReductionPolicy.POOLING, np.ones(4))
