"""The compiled loops are there when a search wants them."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow, IndexSpec
from core.index.codebook import learn_library_lists, with_library_lists
from core.index.index_searcher import IndexSearcher
from core.index.index_writer import IndexWriter
from core.index.native import jit
from core.index.probing import ProbeParams
from core.index.reduction import ReducedPassage
from core.index.segment_store import SegmentStore
from tests.core.index.conftest import add_document, small_codec, vectors_of


def test_no_search_waits_for_the_compiler(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loops are compiled for the very kinds of arrays that a search has."""
    codec = small_codec()
    codes = codec.encode(vectors_of(5, 600))
    codec = with_library_lists(codec, learn_library_lists(codec, codes, len(codes)))
    row = GenerationRow(IndexSpec("m", "f", codec.bits), "m")
    numbers = add_document(catalog, "a", 6)
    reduced = [ReducedPassage(vectors_of(one, 12), np.arange(12), tokens=12) for one in numbers]
    folder = catalog.path.parent / "index"
    with contextlib.closing(SegmentStore(folder, catalog, codec, row)) as store:
        IndexWriter(store).publish(list(zip(numbers, reduced, strict=True)))
        monkeypatch.setattr(jit, "_compiled", None)
        jit.load()
        searcher = IndexSearcher(store)
        searcher.probe(vectors_of(9, 4), ProbeParams(t_prime=1, n_probe=1))
        searcher.score(vectors_of(9, 4), np.array(numbers))
    loops: Any = jit._compiled
    assert [len(loop.signatures) for loop in loops] == [1, 1, 1, 1, 1]


def test_no_loop_takes_arrays_of_another_type() -> None:
    """They are refused, not compiled for."""
    jit.load()
    square = np.zeros((4, 16), np.float32)
    weights, tables = np.zeros((16, 4), np.float32), np.zeros((1, 4, 16, 16), np.float32)
    jit.interleave_kernel()(square, weights, tables)
    for other in (square.astype(np.float64), square.T, square.astype(np.int32)):
        with pytest.raises(TypeError, match="No matching definition"):
            jit.interleave_kernel()(other, weights, tables)
    loops: Any = jit._compiled
    assert [len(loop.signatures) for loop in loops] == [1, 1, 1, 1, 1]
