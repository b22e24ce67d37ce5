"""The code for wide registers equals its plain form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from core.encoders.encoder import unit
from core.index import probing, scoring
from core.index.codebook import learn_library_lists, with_library_lists
from core.index.codec import ResidualCodec, buckets, with_centroids
from core.index.inverted_lists import InvertedLists, build_inverted_lists
from core.index.native import jit, kernels, lanes
from core.index.probing import EVERYTHING, ProbeParams
from core.index.scoring import VectorComparison
from core.progress import Job
from tests.core.index.conftest import compressed, vectors_of

Floats = npt.NDArray[np.float32]
PASSAGES = 300


def codec_of(bits: int) -> ResidualCodec:
    """For vectors of the length at which codes are compared by signs."""
    sample = vectors_of(2, 600, 128)
    centroids = unit(np.random.default_rng(3).normal(size=(64, 128)).astype(np.float32))
    residuals = sample - centroids[np.argmax(sample @ centroids.T, axis=1)]
    codec = ResidualCodec.plain(centroids, *buckets(residuals, bits))
    codes = codec.encode(sample)
    return with_library_lists(codec, learn_library_lists(codec, codes, 20_000))


def segment_of(codec: ResidualCodec) -> InvertedLists:
    vectors = {number: vectors_of(number, 8, 128) for number in range(1, PASSAGES + 1)}
    return build_inverted_lists(compressed(codec, vectors), codec.lists)


def sizes_of(segment: InvertedLists) -> npt.NDArray[np.int64]:
    return np.diff(segment.list_offsets.astype(np.int64))


def query_of(tokens: int) -> Floats:
    return vectors_of(77, tokens, 128) * np.linspace(0.5, 2, tokens, dtype=np.float32)[:, None]


@pytest.fixture(scope="module")
def compiler() -> Callable[[Any], Any]:
    import numba

    jit.load()
    lanes.register_intrinsics()
    return numba.njit(error_model="numpy")


def test_magnitudes_of_unlike_signs_are_summed(compiler: Callable[[Any], Any]) -> None:
    generator = np.random.default_rng(5)
    codes = generator.integers(0, 256, (40, 16)).astype(np.uint8)
    codes[0], codes[1] = 0, 255
    sign = generator.integers(0, 256, 16).astype(np.uint8)
    sign[:2] = 0, 255
    magnitudes = generator.integers(0, 128, 128).astype(np.uint8)
    magnitudes[generator.integers(0, 128, 20)] = lanes.MOST_MAGNITUDE

    def called(codes: Any, place: Any, sign: Any, magnitudes: Any) -> Any:
        return lanes.sum_where_unlike(codes, place, sign, magnitudes)

    bits = np.unpackbits(codes, axis=1, bitorder="little")
    expected = (bits != np.unpackbits(sign, bitorder="little")) @ magnitudes.astype(np.int64)
    compiled = compiler(called)
    for form in (called, compiled):
        assert [form(codes, place, sign, magnitudes) for place in range(40)] == expected.tolist()
    # The most that there can be: two magnitudes are added in a byte.
    full = np.full(128, lanes.MOST_MAGNITUDE, np.uint8)
    assert compiled(codes, 1, np.zeros(16, np.uint8), full) == 128 * lanes.MOST_MAGNITUDE


@pytest.mark.parametrize("width", [1, 2, 9, 16])
def test_the_best_of_sixteen_tokens_are_selected(
    width: int, compiler: Callable[[Any], Any]
) -> None:
    """Also where a damaged file has longer codes than tables exist, or shorter ones."""
    generator = np.random.default_rng(width)
    codes = generator.integers(0, 256, (9, width)).astype(np.uint8)
    tables = generator.normal(size=(2, 18, 16, 16)).astype(np.float32)
    products = generator.normal(size=(5, 32)).astype(np.float32)

    def called(codes: Any, tables: Any, products: Any, gain: Any, best: Any) -> None:
        for place in range(9):
            for block in range(2):
                lanes.prefetch(codes, place)
                lanes.take_best(codes, place, tables, block, products, place % 5, gain, best)

    found = []
    for form in (called, compiler(called)):
        best = np.full(32, -0.5, np.float32)
        form(codes, tables, products, np.float32(0.3), best)
        found.append(best)
    expected = np.full(32, -0.5)
    for place, code in enumerate(codes):
        for lane in range(32):
            entries = tables[lane // 16, :, :, lane % 16]
            total = sum(
                entries[2 * byte, value & 15] + entries[2 * byte + 1, value >> 4]
                for byte, value in enumerate(code.tolist()[:9])
            )
            expected[lane] = max(expected[lane], products[place % 5, lane] + 0.3 * total)
    for best in found:
        np.testing.assert_allclose(best, expected, atol=1e-5)


def test_tokens_are_laid_out_side_by_side(compiler: Callable[[Any], Any]) -> None:
    query = query_of(19)
    for bits in (1, 2, 4):
        codec = codec_of(bits)
        plain, compiled = (
            VectorComparison(query, codec)._tables,
            _laid_out(query, codec, kernels.interleave),
        )
        for one, other in zip(plain, compiled, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-5)
        products, tables = plain
        np.testing.assert_allclose(products[:, :19], codec.with_centroids(query).T, atol=1e-6)
        assert not products[:, 19:].any()
        of_bytes = codec.tables(query)
        for token in range(19):
            block, lane = divmod(token, 16)
            halves = tables[block, :, :, lane]
            value = np.arange(256)
            both = halves[0::2][:, value & 15] + halves[1::2][:, value >> 4]
            np.testing.assert_allclose(both, of_bytes[token], atol=1e-5)


@pytest.mark.parametrize("centroids", [3, 4, 5, 64])
@pytest.mark.parametrize("tokens", [1, 16, 19])
@pytest.mark.usefixtures("compiler")
def test_a_query_meets_the_centroids_in_both_orders(
    tokens: int, centroids: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    codec = ResidualCodec.plain(
        vectors_of(3, centroids, 128), np.zeros(1, np.float32), np.array([-1, 1], np.float32)
    )
    query = query_of(tokens)
    compiled = jit.centroid_product_kernel()
    assert compiled is not None
    for form in (None, compiled, kernels.multiply_centroids):
        monkeypatch.setattr(jit, "centroid_product_kernel", lambda form=form: form)
        codec.product_cache.forget()
        by_token, side_by_side = with_centroids(codec, query)
        assert side_by_side.shape == (centroids, 16 if tokens <= 16 else 32)
        np.testing.assert_allclose(by_token, query @ codec.centroids.T, atol=1e-5)
        np.testing.assert_allclose(side_by_side[:, :tokens], by_token.T, atol=1e-6)
        assert not side_by_side[:, tokens:].any()
        # The same query is asked twice, and met once.
        assert with_centroids(codec, query)[0] is by_token
        assert with_centroids(codec, 2 * query)[0] is not by_token


def _laid_out(query: Floats, codec: ResidualCodec, form: Any) -> tuple[Floats, Floats]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "interleave_kernel", lambda: form)
        return VectorComparison(query, codec)._tables


@pytest.mark.usefixtures("compiler")
def test_estimates_by_signs_are_those_by_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Except for the rounding of magnitudes; plain and compiled."""
    codec = codec_of(1)
    segment = segment_of(codec)
    assert codec.has_signs
    assert not codec_of(2).has_signs
    query = query_of(5)
    plan = probing.plan(query, codec, sizes_of(segment), EVERYTHING)
    found = []
    for is_by_signs, form in (
        (False, jit.visit_kernel()),
        (True, jit.visit_kernel()),
        (True, kernels.visit),
    ):
        monkeypatch.setattr(jit, "visits_by_signs", lambda value=is_by_signs: value)
        monkeypatch.setattr(jit, "visit_kernel", lambda form=form: form)
        places, totals = probing.approximate_scores(plan, segment, np.ones(PASSAGES, np.bool_))
        every = np.zeros(PASSAGES)
        every[places] = totals
        found.append((every + plan.missing_scores.sum()) / 5)
    exact = scoring.exact(segment, np.arange(PASSAGES), codec.scorer(query), Job())
    np.testing.assert_allclose(found[0], exact, atol=1e-4)
    for by_signs in found[1:]:
        assert 0 < np.abs(by_signs - exact).max() < 0.01
        assert np.corrcoef(by_signs, exact)[0, 1] > 0.999
    np.testing.assert_allclose(found[1], found[2], atol=1e-5)


@pytest.mark.usefixtures("compiler")
def test_lists_are_chosen_by_the_codes_of_their_centroids(monkeypatch: pytest.MonkeyPatch) -> None:
    codec = codec_of(1)
    sizes = np.random.default_rng(1).integers(0, 200, codec.lists)
    query = query_of(4)
    plans = []
    for is_by_signs, form in (
        (False, jit.select_kernel()),
        (True, jit.select_kernel()),
        (True, kernels.select_lists),
    ):
        monkeypatch.setattr(jit, "visits_by_signs", lambda value=is_by_signs: value)
        monkeypatch.setattr(jit, "select_kernel", lambda form=form: form)
        plans.append(probing.plan(query, codec, sizes, ProbeParams(100, 1)))
    by_vectors, by_codes, plainly = plans
    # Except for lists at the border of a bin, where the last bits of a score decide.
    differing = np.setxor1d(by_codes.probes, plainly.probes)
    assert len(differing) <= 0.02 * len(plainly.probes)
    np.testing.assert_allclose(by_codes.missing_scores, by_vectors.missing_scores, atol=0.15)
    for token in range(4):
        rows = [
            slice(plan.starts[token], plan.starts[token + 1]) for plan in (by_vectors, by_codes)
        ]
        one, other = by_vectors.probes[rows[0]], by_codes.probes[rows[1]]
        assert len(np.intersect1d(one, other)) >= 0.7 * len(one)


def test_a_segment_of_another_codec_is_not_walked() -> None:
    jit.load()
    codec = codec_of(1)
    segment = segment_of(codec)
    short = replace(segment, residuals=np.ascontiguousarray(segment.residuals[:, :7]))
    plan = probing.plan(query_of(3), codec, sizes_of(segment), EVERYTHING)
    with pytest.raises(ValueError, match="another codec"):
        probing.approximate_scores(plan, short, np.ones(PASSAGES, np.bool_))
    with pytest.raises(ValueError, match="another codec"):
        VectorComparison(query_of(3), codec).some_of(short, np.arange(3), Job())
    narrow = np.ascontiguousarray(query_of(3)[:, :64])
    with pytest.raises(ValueError, match="a query of"):
        VectorComparison(narrow, codec)
