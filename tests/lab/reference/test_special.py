"""Other models' formulas compared with eq. 1 under their alignment."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.pairwise import score, similarity
from lab.reference.special import align_coil, align_colbert, align_dpr, align_me_bert

Floats = npt.NDArray[np.float32]

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 7)


def vectors(seed: int, n: int, m: int) -> tuple[Floats, Floats]:
    """Return vectors with coordinates in quarters, so that sums are exact and ties frequent."""
    generator = np.random.default_rng(seed)
    query, passage = (generator.integers(-4, 5, (size, 3)) / 4 for size in (n, m))
    return query.astype(np.float32), passage.astype(np.float32)


@given(seeds, sizes, sizes)
def test_dpr_is_the_product_of_the_first_vectors(seed: int, n: int, m: int) -> None:
    query, passage = vectors(seed, n, m)
    pairs = similarity(query, passage)
    aligned = align_dpr(pairs)
    assert aligned.sum() == 1
    assert score(pairs, aligned) == float(np.dot(query[0], passage[0]))


@given(seeds, sizes, sizes, sizes)
def test_me_bert_is_the_best_product_with_the_first_k(seed: int, n: int, m: int, k: int) -> None:
    query, passage = vectors(seed, n, m)
    pairs = similarity(query, passage)
    aligned = align_me_bert(pairs, k)
    assert aligned.sum() == 1
    assert score(pairs, aligned) == max(float(np.dot(query[0], d)) for d in passage[:k])


@given(seeds, sizes, sizes)
def test_colbert_is_the_sum_of_maxima_up_to_n(seed: int, n: int, m: int) -> None:
    query, passage = vectors(seed, n, m)
    pairs = similarity(query, passage)
    aligned = align_colbert(pairs)
    assert aligned.sum() == n
    own = sum(max(float(np.dot(q, d)) for d in passage) for q in query)
    assert score(pairs, aligned) * n == pytest.approx(own, abs=1e-6)


@given(seeds, sizes, sizes)
def test_coil_is_the_sum_of_maxima_over_equal_words(seed: int, n: int, m: int) -> None:
    query, passage = vectors(seed, n, m)
    generator = np.random.default_rng(seed + 1)
    query_ids, passage_ids = generator.integers(0, 4, n), generator.integers(0, 4, m)
    pairs = similarity(query, passage)
    aligned = align_coil(pairs, query_ids, passage_ids)
    matched = [i for i in range(n) if query_ids[i] in passage_ids]
    own = sum(
        max(float(np.dot(query[i], passage[j])) for j in range(m) if passage_ids[j] == query_ids[i])
        for i in matched
    )
    assert aligned.sum() == len(matched) <= n
    assert score(pairs, aligned) * len(matched) == pytest.approx(own, abs=1e-6)


def test_coils_normaliser_can_change_its_ranking() -> None:
    # A passage with both words, and one with only the better of them.
    both, one = (np.array([[0.9, 0], [0, second]], dtype=np.float32) for second in (0.5, 0))
    query_ids = np.array([1, 2])
    of_both = align_coil(both, query_ids, np.array([1, 2]))
    of_one = align_coil(one, query_ids, np.array([1, 3]))
    assert (both * of_both).sum() > (one * of_one).sum()
    assert score(both, of_both) < score(one, of_one)


def test_empty_inputs_have_empty_alignments() -> None:
    for shape in ((0, 3), (3, 0), (0, 0)):
        pairs = np.zeros(shape, dtype=np.float32)
        ids = (np.zeros(size, dtype=np.int64) for size in shape)
        for aligned in (align_dpr(pairs), align_me_bert(pairs, 2), align_coil(pairs, *ids)):
            assert aligned.shape == shape
            assert aligned.sum() == 0


def test_mismatched_shapes_are_refused() -> None:
    pairs = np.zeros((2, 3), dtype=np.float32)
    with pytest.raises(ValueError, match="k is 0"):
        align_me_bert(pairs, 0)
    with pytest.raises(ValueError, match="there are 2 and 2 ids"):
        align_coil(pairs, np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
