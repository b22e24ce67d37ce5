"""The compiled loops are there when a search wants them."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow, IndexSpec
from core.index import jit
from core.index.codebook import learn_library_lists, with_library_lists
from core.index.index_searcher import IndexSearcher
from core.index.index_writer import IndexWriter
from core.index.probing import ProbeParams
from core.index.reduction import ReducedPassage
from core.index.segment_store import SegmentStore

from .conftest import add_document, small_codec, vectors_of

if TYPE_CHECKING:
    import pytest


def test_no_search_waits_for_the_compiler(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loops are compiled for the very kinds of arrays that a search has."""
    codec = small_codec()
    codes = codec.encode(vectors_of(5, 600))
    codec = with_library_lists(codec, learn_library_lists(codec, codes, len(codes)))
    row = GenerationRow(IndexSpec("m", "f", codec.bits), "m")
    numbers = add_document(catalog, "a", 6)
    kept = [ReducedPassage(vectors_of(one, 12), np.arange(12), tokens=12) for one in numbers]
    folder = catalog.path.parent / "index"
    with contextlib.closing(SegmentStore(folder, catalog, codec, row)) as store:
        IndexWriter(store).publish(list(zip(numbers, kept, strict=True)))
        monkeypatch.setattr(jit, "_compiled", None)
        jit.load()
        searcher = IndexSearcher(store)
        searcher.probe(vectors_of(9, 4), ProbeParams(t_prime=1, n_probe=1))
        searcher.score(vectors_of(9, 4), np.array(numbers))
    loops: Any = jit._compiled
    assert [len(loop.signatures) for loop in loops] == [1, 1, 1, 1, 1]
