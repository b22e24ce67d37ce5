"""A library's own cells are other lists of the same codes, and are chosen by nearness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encoders.encoder import unit
from core.errors import Cancelled
from core.index import probing, scoring
from core.index.codebook import (
    LIST_COUNTS,
    LIST_RESIDUALS,
    LIST_SCALES,
    are_alike,
    learn_library_lists,
    recoded,
    split,
    with_library_lists,
)
from core.index.codec import Codes, ResidualCodec, SubCentroids
from core.index.inverted_lists import InvertedLists, Passages, build_inverted_lists
from core.index.native import loops
from core.index.probing import EVERYTHING, ProbeParams
from core.index.quantisation import buckets
from core.progress import Job

from .conftest import FORMS, loops_in_form, summed

Floats = npt.NDArray[np.float32]

_PASSAGES = 400
_LENGTH = 9


def some(seed: int, count: int) -> Floats:
    """Unit vectors about twenty kinds, of which the first are far more frequent."""
    generator = np.random.default_rng(seed)
    kinds = np.random.default_rng(1).normal(size=(20, 16))
    chosen = kinds[np.minimum(generator.geometric(0.3, count) - 1, 19)]
    return unit((chosen + 0.6 * generator.normal(size=(count, 16))).astype(np.float32))


def shared(bits: int = 2, parts: int = 3) -> ResidualCodec:
    """As a model brings it along."""
    sample = some(2, 900)
    points = unit(np.random.default_rng(3).normal(size=(32, 16)).astype(np.float32))
    codec = ResidualCodec.plain(points, np.zeros(1, np.float32), np.array([-1, 1], np.float32))
    codec = ResidualCodec.plain(points, *buckets(sample - points[codec.nearest(sample)], bits))
    middles = split(sample, codec, parts, 3, 1).astype(np.float32)
    return replace(codec, sub_centroids=SubCentroids.even(middles, len(points)))


@pytest.fixture(scope="module", params=[2, 1], ids=["2 bits", "1 bit"])
def before(request: pytest.FixtureRequest) -> ResidualCodec:
    return shared(request.param)


@pytest.fixture(scope="module")
def codes(before: ResidualCodec) -> Codes:
    return before.encode(some(4, _PASSAGES * _LENGTH))


@pytest.fixture(scope="module")
def after(before: ResidualCodec, codes: Codes) -> ResidualCodec:
    # For twice as many vectors as exist: cells of some 28.
    return with_library_lists(before, learn_library_lists(before, codes, 2 * len(codes)))


def segment_of(codec: ResidualCodec, codes: Codes) -> InvertedLists:
    numbers = np.arange(_PASSAGES)
    lengths = np.full(_PASSAGES, _LENGTH)
    positions = np.tile(np.arange(_LENGTH), _PASSAGES)
    return build_inverted_lists(Passages(numbers, lengths, codes, positions), codec.lists)


def test_they_change_nothing_of_what_codes_stand_for(
    before: ResidualCodec, after: ResidualCodec, codes: Codes
) -> None:
    moved = recoded(codes, before, after)
    np.testing.assert_array_equal(after.decode(moved), before.decode(codes))
    # And back again, and from library lists to other library lists.
    np.testing.assert_array_equal(after.decode(recoded(moved, after, after)), before.decode(codes))
    np.testing.assert_array_equal(before.decode(codes), after.decode(moved))


def test_frequent_vectors_have_more_cells_and_all_lists_are_short(
    before: ResidualCodec, after: ResidualCodec, codes: Codes
) -> None:
    assert after.sub_centroids.are_of_library
    held = np.bincount(before.centroid_of[codes.list_ids], minlength=len(before.centroids))
    counts = np.diff(after.sub_centroids.offsets)
    assert counts[held.argmax()] > counts[held > 0].min()
    assert (counts >= 1).all()
    lengths = np.bincount(recoded(codes, before, after).list_ids, minlength=after.lists)
    assert lengths.max() < 0.6 * np.bincount(codes.list_ids).max()


def test_a_vector_is_in_the_nearest_of_its_origins_cells(after: ResidualCodec) -> None:
    vectors = some(5, 300)
    cells = after.encode(vectors).list_ids
    bases = after.centroid_of[cells]
    for vector, cell, base in zip(vectors, cells.tolist(), bases.tolist(), strict=True):
        own = np.arange(*after.sub_centroids.offsets[base : base + 2])
        distances = np.linalg.norm(after.sub_centroids.vectors[own] - vector, axis=1)
        assert own[distances.argmin()] == cell


def test_codes_of_other_centroids_are_not_alike(before: ResidualCodec) -> None:
    assert are_alike(before, replace(before))
    assert not are_alike(before, replace(before, centroids=before.centroids * 2))
    assert not are_alike(before, replace(before, weights=before.weights * 2))


def test_learning_can_be_cancelled(before: ResidualCodec, codes: Codes) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        learn_library_lists(before, codes, len(codes), job.checkpoint)


def test_visiting_all_of_them_is_exact(
    before: ResidualCodec, after: ResidualCodec, codes: Codes
) -> None:
    loops.load()
    segment = segment_of(after, recoded(codes, before, after))
    query = some(6, 3)
    plan = probing.plan(query, after, np.diff(segment.list_offsets.astype(np.int64)), EVERYTHING)
    totals = summed(plan, segment, np.ones(_PASSAGES, np.bool_))
    exact = scoring.exact(segment, np.arange(_PASSAGES), after.scorer(query), Job())
    np.testing.assert_allclose((totals + plan.missing_scores.sum()) / 3, exact, atol=1e-4)
    some_places = np.array([50, 3, 7])
    comparison = scoring.VectorComparison(query, after)
    found = comparison.some_of(segment, some_places, Job())
    np.testing.assert_allclose(found, exact[some_places], atol=1e-5)


@settings(max_examples=25)
@given(vectors=st.integers(1, 300), lists=st.integers(1, 5), seed=st.integers(0, 99))
def test_the_nearest_lists_of_the_nearest_origins_are_visited(
    vectors: int, lists: int, seed: int
) -> None:
    """In all forms of the loop, with empty lists and without a list's like."""
    codec = _codec_with_cells()
    sizes = np.random.default_rng(seed).integers(0, 200, codec.lists)
    query = some(seed, 3)
    plans = []
    for form in FORMS:
        with loops_in_form(form):
            plan = probing.plan(query, codec, sizes, ProbeParams(vectors, lists))
        plans.append(plan)
        # The rule is for large libraries; in small ones all lists are looked at.
        assert 16 * vectors <= sizes.sum()
        limit = len(codec.centroids) // 16
        for token, row in enumerate(query):
            # That number, and those that score hardly less than the last of them.
            scored = (codec.centroids @ row).astype(np.float32)
            bins = ((scored - scored.min()) * (255 / np.ptp(scored))).astype(int)
            near = np.flatnonzero(bins >= np.sort(bins)[-limit])
            candidates = np.flatnonzero(np.isin(codec.centroid_of, near) & (sizes > 0))
            visited = plan.probes[plan.starts[token] : plan.starts[token + 1]]
            left = np.setdiff1d(candidates, visited)
            assert len(set(visited.tolist())) == len(visited)
            assert np.isin(visited, candidates).all()
            scores = codec.sub_centroids.vectors @ row
            assert len(left) == 0 or (
                sizes[visited].sum() >= vectors and len(visited) >= min(lists, len(candidates))
            )
            if len(left):
                assert scores[left].max() <= scores[visited].min() + 1e-5
                assert plan.missing_scores[token] == pytest.approx(scores[left].max(), abs=1e-5)
            elif len(visited):
                assert plan.missing_scores[token] == pytest.approx(scores[visited].min(), abs=1e-5)
    # What is found does not depend on whether the loops are compiled by now, but for lists at the
    # border of a bin: forms add up in another order, and differ in the last bits of a score.
    for plan in plans[1:]:
        for token, row in enumerate(query):
            one, other = (
                each.probes[each.starts[token] : each.starts[token + 1]]
                for each in (plan, plans[0])
            )
            scores = codec.sub_centroids.vectors @ row
            common = np.intersect1d(one, other)
            differing = np.setxor1d(one, other)
            assert len(common) or not len(differing)
            if len(differing):
                border = scores[common].min()
                assert np.abs(scores[differing] - border).max() <= np.ptp(scores) / 255 + 1e-5


def _codec_with_cells() -> ResidualCodec:
    codec = shared()
    return with_library_lists(codec, learn_library_lists(codec, codec.encode(some(4, 2000)), 4000))


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        (LIST_COUNTS, lambda counts: counts[:-1]),
        (LIST_COUNTS, lambda counts: counts + 1),
        (LIST_COUNTS, lambda counts: np.where(np.arange(32), counts, 0)),
        (LIST_COUNTS, lambda counts: np.concatenate([[0, counts[0] + counts[1]], counts[2:]])),
        (LIST_RESIDUALS, lambda residuals: residuals[:, :1]),
        (LIST_SCALES, lambda scales: scales[1:]),
    ],
)
def test_lists_that_do_not_fit_are_refused(
    name: str, bad: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]
) -> None:
    codec = shared()
    arrays = learn_library_lists(codec, codec.encode(some(4, 2000)), 4000)
    with pytest.raises(ValueError, match="fit"):
        with_library_lists(codec, arrays | {name: bad(arrays[name])})
