"""Fuzz target: index files with a valid checksum, as a hostile publisher could write them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import Floats
from core.catalog.manifest import SegmentRow
from core.encoders.encoder import unit
from core.errors import LibraryDamagedError
from core.index import probing, segment
from core.index.codec import ResidualCodec
from core.index.index_searcher import full_scores, stored_vectors
from core.index.inverted_lists import InvertedLists, Passages, build_inverted_lists, merged
from core.index.native import loops
from core.index.quantisation import buckets
from core.index.refinement_store import BITS, RefinementStore
from core.index.scoring import VectorComparison
from core.index.segment import OpenSegment
from core.progress import Job

KIND: Final = "segment"
DIMENSIONS: Final = 128  # the size that the fast path for 1-bit codes needs
_CENTROIDS: Final = 20
_LENGTHS: Final = (12, 1, 30, 7, 25, 3, 3, 40)
_NUMBERS: Final = (1, 2, 5, 9, 10, 40, 41, 99)


def vectors(seed: int, count: int) -> Floats:
    """Return (count, d) unit vectors."""
    generator = np.random.default_rng(seed)
    return unit(generator.normal(size=(count, DIMENSIONS)).astype(np.float32))


def lists_of(codec: ResidualCodec) -> InvertedLists:
    """Return inverted lists of a few compressed passages, with a store if the codec has one."""
    store = None
    if codec.refinement is not None:
        lengths = 2 * np.array(_LENGTHS, dtype=np.int64)
        codes = codec.refinement.encode(vectors(3, int(lengths.sum())))
        positions = np.concatenate([np.arange(length) for length in lengths])
        store = RefinementStore.of(lengths, codes, positions)
    passages = Passages(
        np.array(_NUMBERS, dtype=np.int64),
        np.array(_LENGTHS, dtype=np.int64),
        codec.encode(vectors(2, sum(_LENGTHS))),
        np.concatenate([np.arange(length) for length in _LENGTHS]),
        store,
    )
    return build_inverted_lists(passages, codec.lists)


def _codecs() -> list[ResidualCodec]:
    """Return codecs of 1 and 2 bits, with and without a refinement store."""
    centroids = vectors(0, _CENTROIDS)
    plain = [
        ResidualCodec.plain(centroids, *buckets(vectors(1, 50) - centroids[:1], bits))
        for bits in (1, BITS)
    ]
    return [*plain, *(replace(codec, refinement=plain[-1]) for codec in plain)]


def seeds(folder: Path) -> list[bytes]:
    """Return small and large segments of 1 and 2 bits, with and without a refinement store."""
    loops.load()
    files: list[bytes] = []
    for codec in _codecs():
        small = lists_of(codec)
        for lists in (small, replace(small, stored_list_ids=small.list_ids)):
            path = folder / f"seed-{len(files)}.safetensors"
            path.unlink(missing_ok=True)
            segment.write(path, lists)
            files.append(path.read_bytes())
    return files


def attempt(data: bytes, folder: Path) -> None:
    """Open a segment with each codec, search it and merge it."""
    path = folder / "segment.safetensors"
    path.write_bytes(data)
    row = SegmentRow(path.name, "m", "c", 1, 1, len(data), segment.checksum(data), 1)
    errors = []
    codecs = _codecs()
    for codec in codecs:
        try:
            opened = OpenSegment.of(folder, row, codec)
            search(opened, codec)
            checked = OpenSegment.of(folder, row, codec, checks_all=True)
            merged([(checked.data, checked.is_alive)])
        except LibraryDamagedError as error:
            errors.append(error)
    if len(errors) == len(codecs):
        raise errors[0]


def search(opened: OpenSegment, codec: ResidualCodec) -> None:
    """Run every compiled search loop over a segment."""
    job, query, numbers = Job(), vectors(7, 5), opened.data.passage_ids
    opened = opened.without(numbers[:1])
    for params in (probing.ProbeParams(t_prime=20), probing.ProbeParams(1, 1), probing.EVERYTHING):
        plan = probing.plan(query, codec, opened.sizes, params)
        probing.probe(plan, [(opened.data, opened.allowed(None))], job).best(5)
    comparison = VectorComparison(query, codec)
    for passage_ids in (numbers[::2], None):
        full_scores(comparison, [opened], passage_ids, job).best(3)
    stored_vectors(codec, [opened], numbers)
