"""Compressing token vectors, and meeting queries without undoing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encoders.encoder import unit
from core.encoders.folders.layouts import load_checkpoint
from core.errors import UsageError
from core.index.codebook import load_codec, split
from core.index.codec import BITS, Codec, ResidualCodec, SubCentroids, UncompressedCodec
from core.index.quantisation import buckets

Floats = npt.NDArray[np.float32]


def some_vectors(seed: int, count: int, dimensions: int = 16) -> Floats:
    generator = np.random.default_rng(seed)
    return unit(generator.normal(size=(count, dimensions)).astype(np.float32))


def codec_of(bits: int, seed: int = 1, dimensions: int = 16, centroids: int = 7) -> ResidualCodec:
    points = some_vectors(seed, centroids, dimensions)
    sample = some_vectors(seed + 1, 400, dimensions)
    plain = ResidualCodec.plain(points, np.zeros(1, np.float32), np.array([-1, 1], np.float32))
    cutoffs, weights = buckets(sample - points[plain.nearest(sample)], bits)
    return ResidualCodec.plain(points, cutoffs, weights)


def codec_with_parts(bits: int, parts: int = 3) -> ResidualCodec:
    plain = codec_of(bits)
    sample = some_vectors(9, 900)
    middles = split(sample, plain, parts, rounds=5, seed=1)
    return replace(plain, sub_centroids=SubCentroids.even(middles.astype(np.float32), 7))


every_codec = pytest.mark.parametrize(
    "make",
    [
        lambda: codec_of(1),
        lambda: codec_of(2),
        lambda: codec_of(4),
        lambda: codec_with_parts(2),
        lambda: UncompressedCodec(16),
    ],
    ids=["1 bit", "2 bits", "4 bits", "2 bits in parts", "uncompressed"],
)


@pytest.mark.parametrize("bits", BITS)
def test_the_product_of_a_decoded_residual_with_the_true_one_is_its_squared_length(
    bits: int,
) -> None:
    codec = codec_of(bits)
    vectors = some_vectors(5, 300)
    codes = codec.encode(vectors)
    centroids = codec.centroids[codes.list_ids]
    true = vectors - centroids
    decoded = codec.decode(codes) - centroids
    assert decoded.dtype == np.float32
    ratios = np.einsum("md,md->m", decoded, true) / np.einsum("md,md->m", true, true)
    # As near as steps of 1.4 % allow.
    np.testing.assert_allclose(ratios, 1, atol=8e-3)


def test_a_vector_unlike_its_code_is_not_blown_up() -> None:
    codec = ResidualCodec.plain(
        np.eye(8, dtype=np.float32)[:1], np.zeros(1, np.float32), np.full(2, 0.0, np.float32)
    )
    opposite = -np.eye(8, dtype=np.float32)[:1]
    assert np.linalg.norm(codec.decode(codec.encode(opposite))) <= 3


def test_a_vector_in_its_centroid_comes_back_nearly_whole() -> None:
    codec = codec_of(1)
    decoded = codec.decode(codec.encode(codec.centroids[:3]))
    weight = np.abs(codec.weights).max()
    np.testing.assert_allclose(decoded, codec.centroids[:3], atol=0.1 * weight)


@every_codec
def test_the_scorer_returns_the_products_with_the_decoded_vectors(
    make: Callable[[], Codec],
) -> None:
    codec = make()
    codes = codec.encode(some_vectors(6, 50))
    query = some_vectors(7, 5)
    np.testing.assert_allclose(codec.scorer(query)(codes), query @ codec.decode(codes).T, atol=1e-5)


@pytest.mark.parametrize("bits", BITS)
def test_tables_add_up_to_the_products_with_the_residuals(bits: int) -> None:
    codec = codec_of(bits)
    codes = codec.encode(some_vectors(6, 50))
    query = some_vectors(7, 5)
    tables = codec.tables(query)
    assert tables.shape == (5, codec.residual_bytes, 256)
    sums = tables[:, np.arange(codec.residual_bytes), codes.residuals].sum(axis=2)
    expected = query @ codec.residual_weights(codes.residuals).T
    np.testing.assert_allclose(sums, expected, atol=1e-5)


@every_codec
def test_codes_of_a_part_are_a_part_of_the_codes(make: Callable[[], Codec]) -> None:
    codec = make()
    vectors = some_vectors(8, 20)
    codes = codec.encode(vectors)
    for rows in (slice(5, 9), np.array([3, 3, 0])):
        part = codes[rows]
        for name in ("list_ids", "residuals", "scales"):
            np.testing.assert_array_equal(getattr(part, name), getattr(codes, name)[rows])
        np.testing.assert_array_equal(codec.decode(part), codec.decode(codes)[rows])
    assert len(codec.encode(np.zeros((0, 16), np.float32))) == 0


@every_codec
def test_an_invalid_vector_is_refused(make: Callable[[], Codec]) -> None:
    codec = make()
    for bad in (np.nan, np.inf):
        vectors = some_vectors(9, 3)
        vectors[1, 2] = bad
        with pytest.raises(ValueError, match="NaN"):
            codec.encode(vectors)
    for shape in ((3, 15), (3, 17), (16,), (1, 3, 16)):
        with pytest.raises(ValueError, match="shape"):
            codec.encode(np.zeros(shape, np.float32))


@settings(max_examples=50)
@given(st.sampled_from(BITS), st.integers(0, 40), st.data())
def test_every_bucket_survives_packing(bits: int, count: int, data: st.DataObject) -> None:
    """One centroid at the base and whole weights: the residual tells the bucket's number."""
    weights = np.arange(1 << bits, dtype=np.float32) - (1 << bits) / 2
    codec = ResidualCodec.plain(np.zeros((1, 16), np.float32), weights[1:] - 0.5, weights)
    numbers = np.array(
        data.draw(
            st.lists(st.integers(0, (1 << bits) - 1), min_size=16 * count, max_size=16 * count)
        ),
        dtype=np.int64,
    ).reshape(count, 16)
    codes = codec.encode(weights[numbers])
    assert codes.residuals.shape == (count, 16 * bits // 8)
    np.testing.assert_array_equal(codec.residual_weights(codes.residuals), weights[numbers])


def test_more_bits_lie_nearer() -> None:
    vectors = some_vectors(11, 500)
    cosines = []
    for bits in BITS:
        codec = codec_of(bits)
        decoded = unit(codec.decode(codec.encode(vectors)))
        cosines.append(float(np.einsum("md,md->m", decoded, vectors).mean()))
    assert cosines == sorted(cosines)
    assert cosines[-1] > 0.98


def test_a_vector_is_decoded_near_its_nearest_centroid() -> None:
    codec = codec_of(2, centroids=200)
    vectors = some_vectors(12, 5000)  # more than one block of the search
    distances = np.linalg.norm(vectors[:, None] - codec.centroids, axis=2)
    own = distances[np.arange(len(vectors)), codec.nearest(vectors)]
    np.testing.assert_allclose(own, distances.min(axis=1), rtol=1e-5)


def test_centroids_may_be_as_many_as_two_bytes_can_number() -> None:
    points = np.zeros((1 << 16, 8), np.float32)
    points[-1] = 1
    codec = ResidualCodec.plain(points, np.zeros(1, np.float32), np.array([-0.1, 0.1], np.float32))
    assert codec.encode(np.full((1, 8), 0.9, np.float32)).list_ids.tolist() == [(1 << 16) - 1]
    with pytest.raises(ValueError, match="65537 lists"):
        ResidualCodec.plain(np.zeros(((1 << 16) + 1, 8), np.float32), codec.cutoffs, codec.weights)


def test_parts_locate_a_vector_without_its_code() -> None:
    plain, fine = codec_of(2), codec_with_parts(2)
    assert (plain.lists, fine.lists, len(fine.sub_centroids.offsets)) == (7, 21, 8)
    vectors = some_vectors(12, 5000)
    coarse, cells = plain.encode(vectors), fine.encode(vectors)
    np.testing.assert_array_equal(cells.list_ids // 3, coarse.list_ids)
    np.testing.assert_array_equal(cells.residuals, coarse.residuals)
    np.testing.assert_array_equal(fine.decode(cells), plain.decode(coarse))
    # A vector is in the nearest of its centroid's cells.
    own = fine.sub_centroids.vectors.reshape(7, 3, 16)[coarse.list_ids]
    distances = np.linalg.norm(own - vectors[:, None], axis=2)
    chosen = distances[np.arange(len(vectors)), cells.list_ids % 3]
    np.testing.assert_allclose(chosen, distances.min(axis=1), rtol=1e-5)


def test_splitting_centroids_brings_their_middles_nearer() -> None:
    sample = some_vectors(9, 900)
    fine = codec_with_parts(2)
    owners = fine.nearest(sample)
    before = np.linalg.norm(sample - fine.centroids[owners], axis=1).mean()
    after = np.linalg.norm(sample - fine.sub_centroids.vectors[fine.assign(sample)], axis=1).mean()
    assert after < 0.95 * before
    # A centroid without vectors keeps its parts near it.
    lonely = split(fine.centroids[:1], codec_of(2), 2, rounds=2, seed=1)
    assert np.isfinite(lonely).all()
    assert np.linalg.norm(lonely[2:] - np.repeat(fine.centroids, 2, axis=0)[2:], axis=1).max() < 1


def test_a_vector_of_zeros_does_no_harm() -> None:
    codec = codec_of(1)
    base = ResidualCodec.plain(
        np.zeros((1, 16), np.float32), codec.cutoffs, np.zeros(2, np.float32)
    )
    decoded = base.decode(base.encode(np.zeros((1, 16), np.float32)))
    assert np.isfinite(decoded).all()


def test_a_codebook_that_does_not_fit_together_is_refused() -> None:
    points = np.zeros((2, 16), np.float32)
    one, two = np.zeros(1, np.float32), np.zeros(2, np.float32)
    for bad_points, cutoffs, weights in (
        (points[:, :9], one, two),
        (points[0], one, two),
        (points, one, np.zeros(3, np.float32)),
        (points, two, two),
        (points, np.array([1, 0, 2], np.float32), np.zeros(4, np.float32)),
    ):
        with pytest.raises(ValueError, match=r"must|shape"):
            ResidualCodec.plain(bad_points, cutoffs, weights)
    with pytest.raises(ValueError, match="sub-centroids of shape"):
        SubCentroids.even(np.zeros((3, 16), np.float32), 2)
    for vectors, offsets in (
        (np.zeros((4, 8), np.float32), [0, 2, 4]),
        (np.zeros((4, 16), np.float32), [0, 4]),
        (np.zeros((4, 16), np.float32), [0, 4, 4]),
        (np.zeros((4, 16), np.float32), [1, 2, 4]),
        (np.zeros((4, 16), np.float32), [0, 2, 3]),
    ):
        with pytest.raises(ValueError, match=r"fit|shape"):
            ResidualCodec(points, one, two, SubCentroids(vectors, np.array(offsets)))


@settings(max_examples=50)
@given(
    st.sampled_from(BITS),
    st.lists(st.integers(-256, 256).map(lambda whole: whole / 64), min_size=1, max_size=200),
)
def test_buckets_ascend_and_are_stationary(bits: int, values: list[float]) -> None:
    """Lloyd's two conditions: borders half way between values, values the means of buckets."""
    sample = np.array(values, dtype=np.float32)
    cutoffs, weights = buckets(sample, bits, rounds=500)
    assert cutoffs.shape == (len(weights) - 1,) == ((1 << bits) - 1,)
    assert (np.diff(cutoffs) >= 0).all()
    assert (np.diff(weights) >= -1e-6).all()
    np.testing.assert_allclose(cutoffs, (weights[1:] + weights[:-1]) / 2, atol=1e-5)


def test_buckets_hold_the_means_of_what_falls_into_them() -> None:
    sample = np.random.default_rng(3).normal(size=4000).astype(np.float32)
    cutoffs, weights = buckets(sample, 4, rounds=2000)
    numbers = np.searchsorted(cutoffs, sample)
    means = [sample[numbers == number].mean() for number in range(16)]
    np.testing.assert_allclose(weights, means, atol=1e-3)


@pytest.mark.parametrize(("bits", "count"), [(3, 10), (0, 10), (2, 0)])
def test_buckets_of_no_sample_or_no_bits_are_refused(bits: int, count: int) -> None:
    with pytest.raises(ValueError, match="bits over"):
        buckets(np.zeros(count, np.float32), bits)


@pytest.mark.parametrize("bits", BITS)
def test_the_built_in_codebook_fits_the_built_in_model(bits: int) -> None:
    checkpoint = load_checkpoint()
    codec = load_codec(checkpoint, bits)
    assert (codec.bits, codec.dimensions) == (bits, checkpoint.dimensions)


def test_other_numbers_of_bits_are_refused_with_a_sentence() -> None:
    with pytest.raises(UsageError, match=r"3 bits are not supported. Use 1, 2, 4"):
        load_codec(load_checkpoint(), 3)
