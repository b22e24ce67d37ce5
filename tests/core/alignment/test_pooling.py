"""Ward's clusters against the plain computation, and the means of clusters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.pooling import DROPPED, LENGTHENING, SHORTEST, groups, grow, pool, ward

Floats = npt.NDArray[np.float64]


def plain_ward(vectors: Floats, count: int, weights: Floats) -> list[set[int]]:
    """Merge the two clusters whose union adds least to the weighted sum of squares, again."""

    def squares(cluster: set[int]) -> float:
        rows = sorted(cluster)
        mean = np.average(vectors[rows], axis=0, weights=weights[rows])
        return float(weights[rows] @ ((vectors[rows] - mean) ** 2).sum(axis=1))

    clusters = [{row} for row in range(len(vectors))]
    while len(clusters) > count:
        pairs = [(a, b) for a in range(len(clusters)) for b in range(a + 1, len(clusters))]
        costs = [
            squares(clusters[a] | clusters[b]) - squares(clusters[a]) - squares(clusters[b])
            for a, b in pairs
        ]
        a, b = pairs[int(np.argmin(costs))]
        clusters[a] |= clusters.pop(b)
    return clusters


def unit_vectors(seed: int, count: int, dimensions: int = 3) -> Floats:
    """Vectors in a few bunches, as tokens are; no two distances are alike."""
    generator = np.random.default_rng(seed)
    centres = generator.normal(size=(3, dimensions))
    vectors = centres[generator.integers(3, size=count)]
    vectors = vectors + 0.5 * generator.normal(size=(count, dimensions))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@given(
    seed=st.integers(0, 2**32 - 1),
    lengths=st.lists(st.integers(0, 14), min_size=1, max_size=4),
    share=st.floats(0.05, 1),
    is_weighted=st.booleans(),
    is_grown_down=st.booleans(),
)
def test_many_passages_at_once_are_clustered_as_each_by_the_plain_computation(
    seed: int, lengths: list[int], share: float, is_weighted: bool, is_grown_down: bool
) -> None:
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    vectors = unit_vectors(seed, sum(lengths))
    generator = np.random.default_rng(seed)
    weights = generator.uniform(0.01, 3, size=len(vectors)) if is_weighted else None
    counts = np.array([max(round(share * length), 1) for length in lengths])
    labels = grow(vectors, offsets, weights, counts if is_grown_down else None).cut(counts)
    number = 0
    for passage, length in enumerate(lengths):
        rows = slice(offsets[passage], offsets[passage + 1])
        masses = np.ones(length) if weights is None else weights[rows]
        expected = plain_ward(vectors[rows], int(counts[passage]), masses)
        # Numbered over all passages, in the order of the clusters' first tokens.
        for cluster in sorted(expected, key=min):
            assert set(np.flatnonzero(labels == number) - offsets[passage]) == cluster
            number += 1
    assert labels.max(initial=-1) == number - 1


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 40), m=st.integers(1, 40))
def test_each_cut_splits_one_cluster_of_the_cut_before(seed: int, count: int, m: int) -> None:
    forest = grow(unit_vectors(seed, m).astype(np.float32), np.array([0, m]))
    fewer, more = (forest.cut(np.array([number])) for number in (count, count + 1))
    assert len(set(fewer.tolist())) == min(count, m)
    assert len(set(zip(fewer.tolist(), more.tolist(), strict=True))) == min(count + 1, m)


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5])
def test_trees_grown_only_to_the_requested_depth_are_cut_alike(share: float) -> None:
    lengths = np.array([170, 90, 1, 0, 120])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    vectors = unit_vectors(11, int(lengths.sum()), dimensions=32)
    weights = np.random.default_rng(11).uniform(0.5, 1.5, size=len(vectors))
    counts = np.maximum(np.ceil(share * lengths), 1).astype(np.int64)
    whole, part = grow(vectors, offsets, weights), grow(vectors, offsets, weights, counts)
    for more in (counts, counts + 1, 2 * counts):
        assert np.array_equal(part.cut(more), whole.cut(more))
    # The purpose is to do less work.
    assert np.isinf(part.heights).sum() > np.isinf(whole.heights).sum()
    with pytest.raises(ValueError, match="so few"):
        part.cut(np.ones_like(counts))


@given(st.lists(st.sampled_from(range(4)), min_size=1, max_size=60), st.integers(1, 8))
def test_equal_tokens_are_merged_first_and_the_same_each_time(kinds: list[int], count: int) -> None:
    vectors = np.eye(4, dtype=np.float32)[kinds]
    labels = ward(vectors, count)
    assert np.array_equal(labels, ward(vectors.copy(), count))
    assert len(set(labels.tolist())) == min(count, len(kinds))
    if count <= len(set(kinds)):
        # No vector is separated from its equals.
        assert len(set(zip(kinds, labels.tolist(), strict=True))) == len(set(kinds))


def test_a_long_passage_of_float16_is_clustered() -> None:
    vectors = unit_vectors(3, 254, dimensions=128)
    labels = ward(vectors.astype(np.float16), 25)
    assert np.array_equal(labels, ward(vectors.astype(np.float16).astype(np.float64), 25))


def test_a_token_without_weight_does_not_move_what_it_joins() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1], [-1, 0]])
    weights = np.array([1.0, 0, 1, 1])
    labels = ward(vectors, 3, weights)
    assert labels.tolist() == [0, 0, 1, 2]
    assert pool(vectors, labels, weights)[0].tolist() == [1, 0]
    assert ward(vectors, 2, np.zeros(4)).tolist() == ward(vectors, 2).tolist()


def test_the_unit_of_weights_changes_nothing() -> None:
    vectors = unit_vectors(5, 30)
    weights = np.random.default_rng(5).uniform(size=30)
    for unit in (1e-12, 1e12):
        assert np.array_equal(ward(vectors, 6, weights), ward(vectors, 6, weights * unit))


@pytest.mark.parametrize("weights", [[1, -1], [1, np.nan], [np.inf, 1]])
def test_an_invalid_weight_is_refused(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="weight"):
        ward(np.eye(2), 1, np.array(weights))


@pytest.mark.parametrize("counts", [[0], [1, 1], []])
def test_a_count_is_required_for_each_passage(counts: list[int]) -> None:
    with pytest.raises(ValueError, match="count"):
        grow(np.eye(2), np.array([0, 2])).cut(np.array(counts, dtype=np.int64))


def test_means_are_weighted_and_without_what_was_dropped() -> None:
    vectors = np.array([[1, 0], [0, 1], [0, 1], [-1, 0]], dtype=np.float16)
    labels = np.array([1, 1, DROPPED, 0])
    plain = pool(vectors, labels)
    np.testing.assert_allclose(plain, [[-1, 0], [0.5**0.25] * 2], atol=1e-3)
    weighted = pool(vectors, labels, np.array([3, 4, 9, 0]))
    stored = np.array([0.6, 0.8]) * (5 / 7) ** -LENGTHENING
    np.testing.assert_allclose(weighted, [[-1, 0], stored], atol=1e-3)
    assert weighted.dtype == np.float16
    assert [group.tolist() for group in groups(labels)] == [[3], [0, 1]]


def test_a_mean_has_a_larger_norm_the_further_its_vectors_spread() -> None:
    angles = np.array([0.0, 0.1, 0.4, 0.9])
    pairs = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    lengths = [
        np.linalg.norm(pool(np.stack([pairs[0], other]), np.array([0, 0])))
        for other in (*pairs, -pairs[0])
    ]
    assert lengths[0] == pytest.approx(1)
    assert np.all(np.diff(lengths[:4]) > 0)
    # Opposed vectors have a mean of length 0, nearly opposed ones too.
    assert lengths[4] == 0
    almost = pool(np.array([[1, 0], [-1, 1e-3]]), np.array([0, 0]))
    assert np.linalg.norm(almost) == pytest.approx(SHORTEST**-LENGTHENING)


def test_empty_input_returns_empty_output() -> None:
    nothing = np.zeros((0, 4), dtype=np.float32)
    labels = grow(nothing, np.array([0, 0])).cut(np.array([0]))
    assert labels.shape == (0,)
    assert pool(nothing, labels).shape == (0, 4)
    assert groups(labels) == []
