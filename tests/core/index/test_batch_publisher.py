"""Batches that come quickly are published together, and none is lost or published twice."""

from __future__ import annotations

import contextlib

import pytest

from core.catalog import manifest, passages
from core.catalog.catalog import Catalog
from core.errors import Cancelled, DiskFullError
from core.index import index_writer
from core.index.index_searcher import IndexSearcher
from core.index.index_writer import BatchPublisher, CompressedBatch, IndexWriter, compress
from core.index.reduction import ReducedPassage
from core.progress import Job

from .conftest import add_document, vectors_of
from .test_index_parts import Index, open_index, whole


@pytest.fixture
def index(catalog: Catalog) -> Index:
    return open_index(catalog)


def batch_of(index: Index, numbers: list[int]) -> CompressedBatch:
    vectors = whole({number: vectors_of(number, 2) for number in numbers})
    return compress(index.store.codec, vectors)


def found(searcher: IndexSearcher) -> list[int]:
    return sorted(searcher.scan(vectors_of(1, 1)).passages.tolist())


def test_batches_in_quick_succession_form_one_segment(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_writer, "_PATIENCE_S", 1e9)
    numbers = add_document(catalog, "a", 6)
    with BatchPublisher(index.writer, Job()) as publisher:
        for number in numbers:
            publisher.add(batch_of(index, [number]))
        assert found(index.searcher) == []
    assert found(index.searcher) == numbers
    assert len(index.store.segments()) == 1


def test_slow_batches_are_published_as_they_arrive(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_writer, "_PATIENCE_S", 0)
    numbers = add_document(catalog, "a", 3)
    with BatchPublisher(index.writer, Job()) as publisher:
        for place, number in enumerate(numbers):
            publisher.add(batch_of(index, [number]))
            assert found(index.searcher) == numbers[: place + 1]


def test_no_more_is_held_than_a_segment_is_worth(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_writer, "_PATIENCE_S", 1e9)
    monkeypatch.setattr(index_writer, "_AT_ONCE", 4)
    numbers = add_document(catalog, "a", 7)
    with BatchPublisher(index.writer, Job()) as publisher:
        for first in range(0, 6, 2):
            publisher.add(batch_of(index, numbers[first : first + 2]))
        assert found(index.searcher) == numbers[:4]
        publisher.add(batch_of(index, numbers[6:]))
    assert found(index.searcher) == numbers


def test_stopping_preserves_the_compressed_passages(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_writer, "_PATIENCE_S", 1e9)
    numbers = add_document(catalog, "a", 3)
    job = Job()
    publisher = BatchPublisher(index.writer, job)
    with contextlib.suppress(Cancelled), publisher:
        publisher.add(batch_of(index, numbers[:2]))
        job.cancel()
        job.checkpoint()
    assert found(index.searcher) == numbers[:2]
    assert passages.count_waiting(catalog.connection()) == 1


def test_unpublished_passages_still_need_vectors(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_writer, "_PATIENCE_S", 0)
    numbers = add_document(catalog, "a", 2)
    tries = 0

    def refuse(self: IndexWriter, batch: CompressedBatch, *, is_staged: bool = False) -> None:
        nonlocal tries
        tries += 1
        raise DiskFullError("full")

    with monkeypatch.context() as patch:
        patch.setattr(IndexWriter, "add", refuse)
        with pytest.raises(DiskFullError), BatchPublisher(index.writer, Job()) as publisher:
            publisher.add(batch_of(index, numbers))
    assert tries == 1
    assert passages.count_waiting(catalog.connection()) == 2
    assert manifest.segments(catalog.connection()) == []


def test_passages_without_vectors_are_published_with_the_rest(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_writer, "_PATIENCE_S", 1e9)
    numbers = add_document(catalog, "a", 2)
    nothing = ReducedPassage(vectors_of(1, 0), vectors_of(1, 0)[:, 0].astype(int), tokens=0)
    with BatchPublisher(index.writer, Job()) as publisher:
        publisher.add(compress(index.store.codec, [(numbers[0], nothing)]))
        publisher.add(batch_of(index, numbers[1:]))
    assert found(index.searcher) == numbers[1:]
    assert passages.count_waiting(catalog.connection()) == 0
