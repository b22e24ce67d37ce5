"""Visited lists, the estimates for unvisited ones, and the variants of the loop."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encoders.encoder import unit
from core.errors import Cancelled
from core.index import probing, scoring
from core.index.codebook import learn_library_lists, split, with_library_lists
from core.index.codec import ResidualCodec, SubCentroids
from core.index.inverted_lists import InvertedLists, build_inverted_lists
from core.index.probing import EVERYTHING, Estimates, ProbeParams
from core.index.quantisation import buckets
from core.index.scoring import VectorComparison
from core.progress import Job

from .conftest import FORMS, compressed, loops_in_form, small_codec, summed, vectors_of

Floats = npt.NDArray[np.float32]


def inverted_lists_of(codec: ResidualCodec, lengths: list[int]) -> InvertedLists:
    vectors = {
        number: vectors_of(number, length, codec.dimensions)
        for number, length in enumerate(lengths, 1)
    }
    return build_inverted_lists(compressed(codec, vectors), codec.lists)


def sizes_of(segment: InvertedLists) -> npt.NDArray[np.int64]:
    return np.diff(segment.list_offsets.astype(np.int64))


def by_definition(
    query: Floats, codec: ResidualCodec, segment: InvertedLists, plan: probing.ProbePlan
) -> Floats:
    """Each token's best visited vector, or its missing score where that is more, above those."""
    totals = np.zeros(len(segment.passage_ids))
    centroids = np.repeat(np.arange(codec.lists), sizes_of(segment))
    for place in range(len(segment.passage_ids)):
        codes = segment.codes(np.array([place]))
        products = codec.scorer(query)(codes)
        for token in range(len(query)):
            visited = plan.probes[plan.starts[token] : plan.starts[token + 1]]
            assert set(visited.tolist()) <= set(centroids.tolist()) | set(range(codec.lists))
            seen = products[token][np.isin(codes.list_ids, visited)]
            if len(seen):
                totals[place] += max(seen.max() - plan.missing_scores[token], 0)
    return totals.astype(np.float32)


@settings(max_examples=30)
@given(
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=9),
    tokens=st.integers(1, 4),
    vectors=st.integers(1, 30),
    lists=st.integers(1, 6),
    data=st.data(),
)
def test_estimates_are_what_was_seen_above_the_floors(
    lengths: list[int],
    tokens: int,
    vectors: int,
    lists: int,
    data: st.DataObject,
) -> None:
    """In each form of the loop."""
    codec = small_codec()
    segment = inverted_lists_of(codec, lengths)
    query = vectors_of(77, tokens) * np.linspace(0.5, 2, tokens, dtype=np.float32)[:, None]
    plan = probing.plan(query, codec, sizes_of(segment), ProbeParams(vectors, lists))
    is_allowed = np.array([data.draw(st.booleans()) for _ in lengths])
    expected = np.where(is_allowed, by_definition(query, codec, segment, plan), 0)
    for form in FORMS:
        with loops_in_form(form):
            found = summed(plan, segment, is_allowed)
        np.testing.assert_allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize(
    ("bits", "parts"),
    [(1, 1), (2, 1), (4, 1), (1, 3), (2, 3)],
)
def test_the_loops_read_every_number_of_bits(bits: int, parts: int) -> None:
    generator = np.random.default_rng(bits)
    points, sample = (
        unit(generator.normal(size=(count, 16)).astype(np.float32)) for count in (16, 900)
    )
    codec = ResidualCodec.plain(
        points, *buckets(sample - points[generator.integers(0, 16, 900)], bits)
    )
    if parts > 1:
        middles = split(sample, codec, parts, rounds=3, seed=1)
        codec = replace(codec, sub_centroids=SubCentroids.even(middles.astype(np.float32), 16))
    segment = inverted_lists_of(codec, [4] * 60)
    query = sample[:3]
    plan = probing.plan(query, codec, sizes_of(segment), EVERYTHING)
    exact = scoring.exact(segment, np.arange(60), codec.scorer(query), Job())
    some = np.array([50, 3, 7])
    for form in FORMS:
        with loops_in_form(form):
            totals = summed(plan, segment, np.ones(60, np.bool_))
            found = VectorComparison(query, codec).some_of(segment, some, Job())
        np.testing.assert_allclose((totals + plan.missing_scores.sum()) / 3, exact, atol=1e-4)
        np.testing.assert_allclose(found, exact[some], atol=1e-5)


def test_lists_are_visited_from_the_nearest_until_they_hold_enough() -> None:
    codec = ResidualCodec.plain(
        np.eye(8, dtype=np.float32)[:4], np.zeros(1, np.float32), np.array([-0.1, 0.1], np.float32)
    )
    query = np.array([[0.9, 0.5, 0.3, 0.1, 0, 0, 0, 0]], np.float32)
    sizes = np.array([2, 0, 3, 9])

    def visited(vectors: int, lists: int) -> tuple[list[int], float]:
        plan = probing.plan(query, codec, sizes, ProbeParams(vectors, lists))
        assert plan.starts.tolist() == [0, len(plan.probes)]
        np.testing.assert_allclose(plan.products, query[0, plan.probes])
        return plan.probes.tolist(), round(float(plan.missing_scores[0]), 3)

    # Unvisited vectors get the product with the first centroid that is not visited.
    assert visited(1, 1) == ([0], 0.5)
    assert visited(2, 1) == ([0], 0.5)
    assert visited(3, 1) == ([0, 1, 2], 0.1)
    assert visited(1, 2) == ([0, 1], 0.3)
    # Where all are visited nothing is unseen: the missing_score is below any score.
    places, missing_score = visited(6, 1)
    assert places == [0, 1, 2, 3]
    assert missing_score < -1


def test_tokens_that_count_little_visit_no_lists() -> None:
    codec = small_codec()
    query = vectors_of(5, 4) * np.array([[1], [3], [0], [2]], np.float32)
    sizes = np.full(codec.lists, 9)
    assert len(probing.plan(query, codec, sizes, ProbeParams(9, 1)).missing_scores) == 3
    half = probing.plan(query, codec, sizes, ProbeParams(9, 1, beta_q=0.5))
    np.testing.assert_allclose(half.tables, codec.tables(query[[1, 3]]), atol=1e-6)


def test_tokens_that_count_next_to_nothing_together_visit_no_lists() -> None:
    """The number of lightest tokens that hold a fiftieth of the total weight."""
    weights = np.array([0.05, 4, 0.1, 3.5, 0.6, 3], np.float32)
    query = vectors_of(5, 6) * weights[:, None]
    assert probing.probing_tokens(query, 1).tolist() == [1, 3, 4, 5]
    assert probing.probing_tokens(query, 0.3).tolist() == [1, 3]
    assert probing.probing_tokens(query[:1], 1).tolist() == [0]
    assert probing.probing_tokens(0 * query, 1).tolist() == [0]


@pytest.mark.parametrize("has_own_lists", [False, True])
def test_a_token_visits_as_much_as_it_counts(has_own_lists: bool) -> None:
    codec = small_codec()
    if has_own_lists:
        codes = codec.encode(vectors_of(5, 2000))
        codec = with_library_lists(codec, learn_library_lists(codec, codes, 9000))
    sizes = np.full(codec.lists, 9)
    query = np.repeat(vectors_of(5, 1), 4, axis=0) * np.array([[1], [1], [2], [4]], np.float32)
    plan = probing.plan(query, codec, sizes, ProbeParams(40, 1))
    held = [int(sizes[plan.probes[a:b]].sum()) for a, b in itertools.pairwise(plan.starts)]
    # On average as asked for; and a list is visited as a whole.
    for vectors, wanted in zip(held, (20, 20, 40, 80), strict=True):
        assert min(wanted, sizes.sum()) <= vectors
    assert held[0] == held[1] < held[2] < held[3] or held[3] == sizes.sum()


def test_the_best_of_several_segments_are_those_of_all() -> None:
    generator = np.random.default_rng(4)
    totals = generator.integers(0, 9, 133).astype(np.float32)
    allowed = generator.random(133) < 0.8
    seen = generator.permutation(np.flatnonzero(allowed & (totals > 0)))
    segments = [(np.arange(133)[part], allowed[part]) for part in (slice(83), slice(83, None))]
    estimates = Estimates(seen, totals[seen], segments)
    there = np.flatnonzero(allowed)
    expected = there[np.lexsort((there, -totals[there]))]
    assert len(estimates) == len(there)
    assert 60 < len(seen) < len(there) - 5
    for limit in (1, 7, 60, len(seen) + 3, 500):
        assert estimates.best(limit).tolist() == expected[:limit].tolist()
        assert estimates.top(limit)[1].tolist() == totals[expected[:limit]].tolist()
    assert Estimates(np.zeros(0, np.int64), np.zeros(0, np.float32), []).best(3).tolist() == []


def test_an_empty_probe_can_be_created() -> None:
    codec = small_codec()
    plan = probing.plan(vectors_of(1, 2), codec, np.zeros(codec.lists, np.int64), ProbeParams())
    assert len(probing.probe(plan, [], Job())) == 0


def test_a_cancelled_search_stops() -> None:
    codec = small_codec()
    segment = inverted_lists_of(codec, [3, 3])
    plan = probing.plan(vectors_of(1, 2), codec, sizes_of(segment), ProbeParams())
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        probing.probe(plan, [(segment, np.ones(2, np.bool_))], job)


@pytest.mark.parametrize("bad", [{"t_prime": 0}, {"n_probe": 0}, {"beta_q": 0}, {"beta_q": 1.5}])
def test_a_search_visits_at_least_one_list(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="ProbeParams"):
        ProbeParams(**bad)
