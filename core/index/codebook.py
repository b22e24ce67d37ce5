"""Codebooks: loading those that ship with a model, and learning one from token vectors.

A codebook's file has `centroids` (K, d), `sub_centroids` (c, d), and for each b of 1, 2, 4
`cutoffs.b` and `weights.b`. A library's own lists are `lists.counts`, `lists.residuals` and
`lists.scales`: the number of lists of each centroid, and the lists' centroids, coded like vectors;
a file with only these extends the model's codebook. They are learned from stored codes and change
only the list of a code, so they are rebuilt without the model, without texts and without loss.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Floats, Numbers
from core.encoders.encoder import unit
from core.encoders.folders.checkpoint import Checkpoint, load_arrays, remedy
from core.errors import ModelError, UsageError
from core.index.codec import (
    UNCOMPRESSED,
    Codec,
    Codes,
    ResidualCodec,
    SubCentroids,
    UncompressedCodec,
)
from core.index.quantisation import BITS, buckets, even_offsets, nearest_within

_log = logging.getLogger(__name__)
CENTROIDS: Final = "centroids"
SUB_CENTROIDS: Final = "sub_centroids"
LIST_COUNTS: Final = "lists.counts"
LIST_RESIDUALS: Final = "lists.residuals"
LIST_SCALES: Final = "lists.scales"
_MOST_IN_ALL: Final = 1 << 16
_MOST_CENTROIDS: Final = 1024
_VECTORS_PER_CENTROID: Final = 40
_PER_CENTROID: Final = 4
_SAMPLE: Final = 1 << 18


def load_codec(
    checkpoint: Checkpoint, bits: int, codebook: Path | None = None, refinement_bits: int = 0
) -> Codec:
    """Return the codec of `checkpoint` with `bits` bits per dimension (32: no compression).

    Args:
        checkpoint: the model.
        bits: 1, 2, 4 or 32.
        codebook: another file than the model's own.
        refinement_bits: those of the refinement store; 0 without one.

    Raises:
        UsageError: the number of bits is not supported.
        ModelError: the codebook is missing or damaged.
    """
    check_bits(checkpoint, bits)
    if bits == UNCOMPRESSED:
        return UncompressedCodec(checkpoint.dimensions)
    path = codebook or checkpoint.codebook
    arrays = load_arrays(path)
    if CENTROIDS not in arrays:
        arrays |= load_arrays(checkpoint.codebook)
    try:
        codec, *finer = [
            ResidualCodec.plain(
                np.ascontiguousarray(arrays[CENTROIDS]),
                arrays[f"cutoffs.{b}"],
                arrays[f"weights.{b}"],
            )
            for b in (bits, refinement_bits)
            if b
        ]
        if finer:
            codec = replace(codec, refinement=finer[0])
        if LIST_COUNTS in arrays:
            codec = with_library_lists(codec, arrays)
        elif SUB_CENTROIDS in arrays:
            lists = SubCentroids.even(arrays[SUB_CENTROIDS], len(codec.centroids))
            codec = replace(codec, sub_centroids=lists)
        if codec.dimensions != checkpoint.dimensions:
            raise ValueError(f"a codebook of {codec.dimensions} dimensions")
    except (KeyError, ValueError) as error:
        raise ModelError(
            "The codebook {0} is damaged. To fix this, {1}.", path, remedy(path)
        ) from error
    return codec


def with_library_lists(
    codec: ResidualCodec, arrays: Mapping[str, npt.NDArray[Any]]
) -> ResidualCodec:
    """Return `codec` with the lists of a library's codebook.

    Raises:
        KeyError, ValueError: they are missing, or do not fit the codec.
    """
    counts = _whole(arrays[LIST_COUNTS], _MOST_IN_ALL, np.int64)
    residuals = _whole(arrays[LIST_RESIDUALS], 255, np.uint8)
    scales = _whole(arrays[LIST_SCALES], 255, np.uint8)
    if (
        counts.shape != (len(codec.centroids),)
        or residuals.shape != (int(counts.sum()), codec.residual_bytes)
        or scales.shape != residuals.shape[:1]
    ):
        raise ValueError(f"{len(scales)} lists of {len(counts)} centroids do not fit together")
    centroid_of = np.repeat(np.arange(len(counts)), counts).astype(np.uint16)
    vectors = codec.decode_from(centroid_of, residuals, scales)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    lists = SubCentroids(vectors, offsets, True, residuals, scales)
    return replace(codec, sub_centroids=lists)


def _whole(array: npt.NDArray[Any], most: int, dtype: type) -> npt.NDArray[Any]:
    """Return an array of integers from 0 to `most` in another type; ValueError for other values."""
    if not ((array >= 0) & (array <= most) & (array == np.floor(array))).all():
        raise ValueError("invalid list counts")
    return np.ascontiguousarray(array, dtype=dtype)


def check_bits(checkpoint: Checkpoint, bits: int) -> None:
    """Check that the model's vectors can be stored with `bits` bits per dimension.

    Raises:
        UsageError: they cannot.
    """
    if bits != UNCOMPRESSED and bits not in BITS:
        raise UsageError("{0} bits are not supported. Use 1, 2, 4, or 32 (uncompressed).", bits)
    if bits != UNCOMPRESSED and checkpoint.dimensions % 8:
        raise UsageError(
            "The vectors of the model {0} have {1} dimensions, which is not a multiple of 8. Use "
            "32 bits.",
            checkpoint.name,
            checkpoint.dimensions,
        )


def learn_own(vectors: Floats) -> tuple[dict[str, npt.NDArray[np.floating]], dict[str, float]]:
    """Learn a library's own codebook from (t, d) of its vectors, as `learn_codebook` does."""
    dimensions = vectors.shape[1]
    if len(vectors) < 2:
        # With almost no vectors, any codebook will soon be replaced.
        vectors = np.concatenate([vectors, np.eye(2, dimensions, dtype=np.float32)])
    return learn_codebook(
        vectors,
        centroids=max(min(len(vectors) // _VECTORS_PER_CENTROID, _MOST_CENTROIDS), 1),
        per_centroid=_PER_CENTROID,
        sample=_SAMPLE,
        rounds=8,
        seed=7,
    )


def learn_codebook(
    vectors: Floats, *, centroids: int, per_centroid: int, sample: int, rounds: int, seed: int
) -> tuple[dict[str, npt.NDArray[np.floating]], dict[str, float]]:
    """Learn centroids by k-means, and the buckets of their residuals.

    Args:
        vectors: (t, d) float32 unit vectors, at least two; shuffled here, in place. A tenth is
            kept from k-means for the buckets and the report.
        centroids: number of centroids; at most 65,536 with their sub-centroids.
        per_centroid: s, the number of sub-centroids per centroid.
        sample: maximum number of vectors for k-means.
        rounds: of k-means.
        seed: of the random generator.

    Returns:
        The arrays of a codebook's file; and for each number of bits `cosine.b`, the mean cosine
        of a decoded vector with the original, on vectors that k-means did not see.

    Source: ColBERTv2, sections 3.3 and 3.4.
    """
    np.random.default_rng(seed).shuffle(vectors)
    held_out = max(len(vectors) // 10, 1)
    training = vectors[: min(sample, len(vectors) - held_out)]
    test = vectors[-held_out:]
    learned = _k_means(training, centroids, rounds, seed)
    arrays: dict[str, npt.NDArray[np.floating]] = {CENTROIDS: learned.astype(np.float16)}
    report: dict[str, float] = {}
    stored = learned.astype(np.float16).astype(np.float32)
    # Any codec finds the nearest centroids, without using the buckets below.
    finder = ResidualCodec.plain(stored, np.zeros(1, np.float32), np.array([-1, 1], np.float32))
    residuals = test - stored[finder.nearest(test)]
    sample_residuals = residuals[:: 4 if len(residuals) > 1000 else 1]
    for bits in BITS:
        cutoffs, weights = buckets(sample_residuals, bits)
        arrays |= {f"cutoffs.{bits}": cutoffs, f"weights.{bits}": weights}
        codec = ResidualCodec.plain(stored, cutoffs, weights)
        report[f"cosine.{bits}"] = _mean_cosine(codec, test)
    if per_centroid > 1:
        arrays[SUB_CENTROIDS] = split(training, finder, per_centroid, rounds, seed)
    return arrays, report


def _mean_cosine(codec: Codec, vectors: Floats) -> float:
    """Return the mean cosine of decoded vectors with the originals."""
    decoded = unit(codec.decode(codec.encode(vectors)))
    return float(np.einsum("md,md->m", decoded, vectors).mean())


def split(
    vectors: Floats, codec: ResidualCodec, per_centroid: int, rounds: int, seed: int
) -> npt.NDArray[np.float16]:
    """Split the vectors nearest to each centroid by a separate k-means.

    Args:
        vectors: (t, d).
        codec: has the centroids.
        per_centroid: s, the number of parts of each.
        rounds: of k-means.
        seed: of the initial values.

    Returns:
        (K s, d) the sub-centroids, grouped by centroid. A sub-centroid without vectors keeps its
        initial value, near its centroid.
    """
    generator = np.random.default_rng(seed)
    spread = 0.3 / np.sqrt(codec.dimensions)
    owners = codec.nearest(vectors)
    begins = even_offsets(per_centroid * len(codec.centroids), len(codec.centroids))
    sub_centroids = np.repeat(codec.centroids, per_centroid, axis=0)
    sub_centroids += spread * generator.standard_normal(sub_centroids.shape, dtype=np.float32)
    for _ in range(rounds):
        list_ids = nearest_within(vectors, owners, sub_centroids, begins)
        order = np.argsort(list_ids, kind="stable")
        present, starts = np.unique(list_ids[order], return_index=True)
        sums = np.add.reduceat(vectors[order], starts, axis=0)
        sub_centroids[present] = sums / np.diff([*starts, len(list_ids)])[:, None]
    return sub_centroids.astype(np.float16)


def _k_means(vectors: Floats, centroids: int, rounds: int, seed: int) -> Floats:
    import faiss

    _log.info("k-means: %d vectors, %d centroids", len(vectors), centroids)
    k_means = faiss.Kmeans(
        vectors.shape[1],
        centroids,
        niter=rounds,
        seed=seed,
        min_points_per_centroid=1,
        max_points_per_centroid=len(vectors),
    )
    k_means.train(vectors)
    return np.asarray(k_means.centroids, dtype=np.float32)


_VECTORS_PER_LIST: Final = 56
# Approximate limit; 65,536 are possible, and each centroid has at least one.
_MOST_LISTS: Final = 60_000
_SAMPLE_PER_LIST: Final = 32
_ROUNDS: Final = 4
_BLOCK: Final = 32_768


def learn_library_lists(
    codec: ResidualCodec,
    codes: Codes,
    total: int,
    checkpoint: Callable[[], None] = lambda: None,
    seed: int = 7,
) -> dict[str, npt.NDArray[Any]]:
    """Divide the vectors of each centroid of `codec` into lists, by a separate k-means.

    Args:
        codec: encoded the vectors.
        codes: an even sample of a library's vectors, in any order.
        total: the library's number of vectors.
        checkpoint: called regularly; may raise to stop the work.
        seed: of the initial values of k-means.

    Returns:
        The arrays of a codebook with a library's own lists.
    """
    generator = np.random.default_rng(seed)
    owners = codec.centroid_of[codes.list_ids]
    held = np.bincount(owners, minlength=len(codec.centroids))
    wanted = min(max(total // _VECTORS_PER_LIST, 1), _MOST_LISTS - len(held))
    shares = np.rint(held * (wanted / max(len(codes), 1))).astype(np.int64)
    learned: list[Floats] = []
    for centroid, rows in enumerate(_by_centroid(owners, held)):
        checkpoint()
        count = int(max(shares[centroid], 1))
        some = generator.permutation(len(rows))[: count * _SAMPLE_PER_LIST]
        vectors = codec.decode(codes[rows[np.sort(some)]])
        learned.append(
            _means(vectors, count, generator) if len(rows) else codec.centroids[[centroid]]
        )
    counts = np.array([len(vectors) for vectors in learned])
    of = np.repeat(np.arange(len(learned)), counts).astype(np.uint16)
    residuals, scales = codec.residual_codes(np.concatenate(learned), of)
    return {LIST_COUNTS: counts.astype(np.uint16), LIST_RESIDUALS: residuals, LIST_SCALES: scales}


def _means(vectors: Floats, count: int, generator: np.random.Generator) -> Floats:
    """Return at most (`count`, d) means of (m, d) vectors by k-means, without empty clusters."""
    if count == 1 or len(vectors) <= count:
        mean: Floats = vectors.mean(axis=0, keepdims=True)
        return mean
    centroids = vectors[generator.choice(len(vectors), count, replace=False)]
    for _ in range(_ROUNDS):
        half_norms = 0.5 * np.einsum("cd,cd->c", centroids, centroids)
        nearest = np.argmax(vectors @ centroids.T - half_norms, axis=1)
        order = np.argsort(nearest, kind="stable")
        _, starts = np.unique(nearest[order], return_index=True)
        sizes = np.diff([*starts, len(order)]).astype(np.float32)
        centroids = np.asarray(np.add.reduceat(vectors[order], starts) / sizes[:, None], np.float32)
    return centroids


def recoded(codes: Codes, before: ResidualCodec, after: ResidualCodec) -> Codes:
    """Convert codes from one codec to another that differs only in its lists."""
    owners = before.centroid_of[codes.list_ids]
    order = np.argsort(owners, kind="stable")
    list_ids = np.empty_like(codes.list_ids)
    for start in range(0, len(order), _BLOCK):
        rows = order[start : start + _BLOCK]
        list_ids[rows] = after.list_within(before.decode(codes[rows]), owners[rows])
    return Codes(list_ids, codes.residuals, codes.scales)


def are_alike(codec: ResidualCodec, other: ResidualCodec) -> bool:
    """Return whether two codecs are equal, except perhaps in their lists."""
    return all(
        np.array_equal(getattr(codec, name), getattr(other, name))
        for name in ("centroids", "cutoffs", "weights")
    )


def _by_centroid(owners: npt.NDArray[np.uint16], held: Numbers) -> Iterator[Numbers]:
    """Return the rows of each centroid."""
    order = np.argsort(owners, kind="stable")
    ends = np.cumsum(held)
    return (order[end - count : end] for end, count in zip(ends, held, strict=True))
