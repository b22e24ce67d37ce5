"""Fuzz target: codebooks of models and of published libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from safetensors.numpy import save

from core.catalog.manifest import SegmentRow
from core.encoders.folders.checkpoint import Checkpoint, TextRules
from core.errors import ModelError
from core.index.codebook import learn_codebook, learn_library_lists, load_codec
from core.index.codec import ResidualCodec
from core.index.native import loops
from core.index.quantisation import BITS
from core.index.segment import OpenSegment

from .segment import DIMENSIONS, lists_of, search, vectors

KIND: Final = "codebook"
_MODEL: Final = "codebook.safetensors"


def seeds(folder: Path) -> list[bytes]:
    """Return the codebook of a model, the same with a library's lists, and the lists alone."""
    loops.load()
    arrays, _ = learn_codebook(
        vectors(3, 600), centroids=20, per_centroid=3, sample=500, rounds=2, seed=1
    )
    (folder / _MODEL).write_bytes(save(arrays))
    codec = load_codec(_checkpoint(folder), 1)
    assert isinstance(codec, ResidualCodec)
    lists = learn_library_lists(codec, codec.encode(vectors(4, 900)), 6000)
    return [save(arrays), save(arrays | lists), save(lists)]


def attempt(data: bytes, folder: Path) -> None:
    """Load a codebook for each number of bits, compress vectors with it, and search them."""
    path = folder / "own.safetensors"
    path.write_bytes(data)
    errors = []
    for bits in BITS:
        try:
            codec = load_codec(_checkpoint(folder), bits, path)
        except ModelError as error:
            errors.append(error)
            continue
        assert isinstance(codec, ResidualCodec)
        row = SegmentRow("", "m", "c", 1, 1, 0, "", 1)
        lists = lists_of(codec)
        search(OpenSegment(row, lists, np.ones(len(lists.passage_ids), np.bool_)), codec)
    if len(errors) == len(BITS):
        raise errors[0]


def _checkpoint(folder: Path) -> Checkpoint:
    rules = TextRules(64)
    return Checkpoint("m", "m", folder, folder, folder, "", DIMENSIONS, rules, rules)
