"""Codebooks: the ones that ship with a model, and how one is learned from token vectors.

What a codebook's file calls things is older than the names here: `points` are the centroids (K, d),
`parts` the sub-centroids (c, d), `directions` the projection (d, k) that a library's own codebook
may have for 1 bit; the buckets for 1 bit are then of residuals from the sub-centroids in these
dimensions. For each b of 1, 2, 4 there are `cutoffs.b` and `weights.b`. A library's own lists
are `cells.counts`, `cells.residuals` and `cells.gains`; a file of them alone adds to the model's
codebook. They are learned from stored codes, and change nothing of a code but its list: a library
has its lists made anew without a model, without its texts and without loss.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Floats, Numbers
from core.encoders.checkpoint import Checkpoint, load_arrays, remedy
from core.encoders.encoder import unit
from core.errors import ModelError, UsageError
from core.index.codec import (
    BITS,
    UNCOMPRESSED,
    Codec,
    Codes,
    LibraryLists,
    ResidualCodec,
    UncompressedCodec,
    buckets,
    even_offsets,
    nearest_within,
)

_log = logging.getLogger(__name__)
LIST_COUNTS: Final = "cells.counts"
LIST_RESIDUALS: Final = "cells.residuals"
LIST_SCALES: Final = "cells.gains"
_MOST_CENTROIDS: Final = 1024
_VECTORS_PER_CENTROID: Final = 40
_PER_CENTROID: Final = 4
_SAMPLE: Final = 1 << 18
_SHARE_PROJECTED: Final = 11 / 16
"""Of the dimensions, at 1 bit: those in which a library's own sub-centroids leave most
(docs/decisions/0005-codec.md)."""


def load_codec(checkpoint: Checkpoint, bits: int, codebook: Path | None = None) -> Codec:
    """Return the codec of `checkpoint` with `bits` bits a dimension (32: no compression).

    Args:
        checkpoint: the model.
        bits: 1, 2, 4 or 32.
        codebook: another file than the model's own.

    Raises:
        UsageError: there is no such number of bits.
        ModelError: the codebook is missing or damaged.
    """
    check_bits(checkpoint, bits)
    if bits == UNCOMPRESSED:
        return UncompressedCodec(checkpoint.dimensions)
    path = codebook or checkpoint.codebook
    arrays = load_arrays(path)
    if "points" not in arrays:
        arrays |= load_arrays(checkpoint.codebook)
    try:
        codec = ResidualCodec(
            np.ascontiguousarray(arrays["points"]),
            arrays[f"cutoffs.{bits}"],
            arrays[f"weights.{bits}"],
            arrays.get("parts"),
            arrays.get("directions") if bits == 1 else None,
            _library_lists(arrays),
        )
        if codec.dimensions != checkpoint.dimensions:
            raise ValueError(f"a codebook of {codec.dimensions} dimensions")
    except (KeyError, ValueError) as error:
        raise ModelError("The codebook {0} is damaged; {1}.", path, remedy(path)) from error
    return codec


def _library_lists(arrays: Mapping[str, npt.NDArray[Any]]) -> LibraryLists | None:
    if LIST_COUNTS not in arrays:
        return None
    return LibraryLists(
        arrays[LIST_COUNTS].astype(np.int64),
        arrays[LIST_RESIDUALS].astype(np.uint8),
        arrays[LIST_SCALES].astype(np.uint8),
    )


def check_bits(checkpoint: Checkpoint, bits: int) -> None:
    """Check that the model's vectors can be kept in `bits` bits a dimension.

    Raises:
        UsageError: they cannot.
    """
    if bits != UNCOMPRESSED and bits not in BITS:
        raise UsageError(
            "{0} bits are not to be had: choose 1, 2, 4, or 32 for uncompressed.", bits
        )
    if bits != UNCOMPRESSED and checkpoint.dimensions % 8:
        raise UsageError(
            "The vectors of the model {0} have {1} dimensions, no multiple of 8, "
            "and can be kept in 32 bits only.",
            checkpoint.name,
            checkpoint.dimensions,
        )


def projected_dimensions(dimensions: int, bits: int, *, is_own: bool) -> int:
    """In how many dimensions residuals are kept with a library's own codebook, or the model's."""
    return int(dimensions * _SHARE_PROJECTED) // 8 * 8 if is_own and bits == 1 else dimensions


def learn_own(
    vectors: Floats, bits: int
) -> tuple[dict[str, npt.NDArray[np.floating]], dict[str, float]]:
    """Learn a library's own codebook from (t, d) of its vectors; as `learn_codebook` otherwise."""
    dimensions = vectors.shape[1]
    if len(vectors) < 2:
        # Next to nothing: whatever the codebook, it is soon outgrown.
        vectors = np.concatenate([vectors, np.eye(2, dimensions, dtype=np.float32)])
    return learn_codebook(
        vectors,
        centroids=max(min(len(vectors) // _VECTORS_PER_CENTROID, _MOST_CENTROIDS), 1),
        per_centroid=_PER_CENTROID,
        sample=_SAMPLE,
        rounds=8,
        seed=7,
        projected_dims=projected_dimensions(dimensions, 1, is_own=True) if bits == 1 else 0,
    )


def learn_codebook(
    vectors: Floats,
    *,
    centroids: int,
    per_centroid: int,
    sample: int,
    rounds: int,
    seed: int,
    projected_dims: int = 0,
) -> tuple[dict[str, npt.NDArray[np.floating]], dict[str, float]]:
    """Learn centroids by k-means, and the buckets of their residuals.

    Args:
        vectors: (t, d) float32 unit vectors, at least two; shuffled here, in place. A tenth is
            kept from k-means for the buckets and the report.
        centroids: how many; at most 65,536 with their sub-centroids.
        per_centroid: s, how many sub-centroids each centroid has.
        sample: at most so many vectors go into k-means.
        rounds: of k-means.
        seed: of all that is drawn.
        projected_dims: in how many dimensions residuals are kept at 1 bit; 0 for all, and for
            residuals from the centroids.

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
    arrays: dict[str, npt.NDArray[np.floating]] = {"points": learned.astype(np.float16)}
    report: dict[str, float] = {}
    stored = learned.astype(np.float16).astype(np.float32)
    # Any codec finds the nearest centroids; the buckets below are not used for that.
    finder = ResidualCodec(stored, np.zeros(1, np.float32), np.array([-1, 1], np.float32))
    residuals = test - stored[finder.nearest(test)]
    few = residuals[:: 4 if len(residuals) > 1000 else 1]
    for bits in BITS:
        cutoffs, weights = buckets(few, bits)
        arrays |= {f"cutoffs.{bits}": cutoffs, f"weights.{bits}": weights}
        codec = ResidualCodec(stored, cutoffs, weights)
        report[f"cosine.{bits}"] = _mean_cosine(codec, test)
    if per_centroid > 1:
        arrays["parts"] = split(training, finder, per_centroid, rounds, seed)
    if projected_dims:
        sub_centroids: Floats = arrays["parts"].astype(np.float32) if per_centroid > 1 else stored
        fine = replace(finder, sub_centroids=sub_centroids)
        residuals = training - sub_centroids[fine.assign(training)]
        turned = principal_directions(residuals, projected_dims, seed)
        arrays["directions"] = turned
        kept = np.asarray((test - sub_centroids[fine.assign(test)]) @ turned, dtype=np.float32)
        cutoffs, weights = buckets(kept, 1)
        arrays |= {"cutoffs.1": cutoffs, "weights.1": weights}
        codec = ResidualCodec(stored, cutoffs, weights, sub_centroids, turned)
        report["cosine.1"] = _mean_cosine(codec, test)
    return arrays, report


def principal_directions(residuals: Floats, count: int, seed: int) -> Floats:
    """(d, count) orthonormal columns: the directions in which (m, d) residuals are longest.

    They are turned among themselves at random, which makes residuals alike in all of them, so that
    one set of buckets fits.
    """
    _, directions = np.linalg.eigh(residuals.T @ residuals)
    generator = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(generator.standard_normal((count, count)))
    found: Floats = np.ascontiguousarray(directions[:, -count:] @ turn, dtype=np.float32)
    return found


def _mean_cosine(codec: Codec, vectors: Floats) -> float:
    """Of decoded vectors with the originals."""
    decoded = unit(codec.decode(codec.encode(vectors)))
    return float(np.einsum("md,md->m", decoded, vectors).mean())


def split(
    vectors: Floats, codec: ResidualCodec, per_centroid: int, rounds: int, seed: int
) -> npt.NDArray[np.float16]:
    """Split the vectors that are nearest to each centroid by a k-means of their own.

    Args:
        vectors: (t, d).
        codec: that has the centroids.
        per_centroid: s, how many each is split into.
        rounds: of k-means.
        seed: of where it begins.

    Returns:
        (K s, d) the sub-centroids, those of a centroid one after the other. One that no
        vector is near stays where it began, near its centroid.
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
_MOST_LISTS: Final = 60_000
"""About; there can be 65,536, and each base has one at least."""
_SAMPLE_PER_LIST: Final = 32
_ROUNDS: Final = 4
_BLOCK: Final = 32_768


def learn_library_lists(
    codec: ResidualCodec,
    codes: Codes,
    total: int,
    checkpoint: Callable[[], None] = lambda: None,
    seed: int = 7,
) -> LibraryLists:
    """Split each base of `codec` into lists, by a k-means of the vectors that are coded from it.

    Args:
        codec: that the vectors are coded by.
        codes: of an even sample of a library's vectors, in any order.
        total: how many vectors the library has.
        checkpoint: called now and then; what it raises ends the work.
        seed: of where k-means begins.
    """
    plain = replace(codec, library_lists=None)
    generator = np.random.default_rng(seed)
    bases = codec.base_of[codes.list_ids]
    held = np.bincount(bases, minlength=len(codec.residual_bases))
    wanted = min(max(total // _VECTORS_PER_LIST, 1), _MOST_LISTS - len(held))
    shares = np.rint(held * (wanted / max(len(codes), 1))).astype(np.int64)
    centroids: list[Floats] = []
    for base, rows in enumerate(_by_base(bases, held)):
        checkpoint()
        count = int(max(shares[base], 1))
        some = generator.permutation(len(rows))[: count * _SAMPLE_PER_LIST]
        vectors = codec.decode(codes[rows[np.sort(some)]])
        centroids.append(
            _means(vectors, count, generator) if len(rows) else codec.residual_bases[[base]]
        )
    counts = np.array([len(centroid) for centroid in centroids], dtype=np.int64)
    of = np.repeat(np.arange(len(centroids)), counts).astype(np.uint16)
    return LibraryLists(counts, *plain.residual_codes(np.concatenate(centroids), of))


def _means(vectors: Floats, count: int, generator: np.random.Generator) -> Floats:
    """(at most `count`, d) means of (m, d) vectors, by k-means; those that none is near go."""
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
    """Codes of one codec as those of another that differs in its library's lists alone."""
    bases = before.base_of[codes.list_ids]
    order = np.argsort(bases, kind="stable")
    list_ids = np.empty_like(codes.list_ids)
    for start in range(0, len(order), _BLOCK):
        rows = order[start : start + _BLOCK]
        list_ids[rows] = after.library_list_of(before.decode(codes[rows]), bases[rows])
    return Codes(list_ids, codes.residuals, codes.scales)


def are_alike(one: ResidualCodec, other: ResidualCodec) -> bool:
    """Return whether two codecs differ in their library's lists at most."""

    def same(name: str) -> bool:
        ours, theirs = getattr(one, name), getattr(other, name)
        if ours is None or theirs is None:
            return ours is theirs
        return np.array_equal(ours, theirs)

    return all(map(same, ("centroids", "cutoffs", "weights", "sub_centroids", "projection")))


def _by_base(bases: npt.NDArray[np.uint16], held: Numbers) -> Iterator[Numbers]:
    """Return the rows of each base."""
    order = np.argsort(bases, kind="stable")
    ends = np.cumsum(held)
    return (order[end - count : end] for end, count in zip(ends, held, strict=True))
