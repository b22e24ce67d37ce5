"""The index gives what comparing with every vector would, whatever has happened to it."""

from __future__ import annotations

import errno
import os
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.catalog import maintenance, manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow, IndexSpec
from core.errors import DiskFullError
from core.index import index_writer, probing, scoring, segment
from core.index.codec import UNCOMPRESSED, Codec, ResidualCodec, UncompressedCodec
from core.index.index_searcher import IndexSearcher
from core.index.index_writer import IndexWriter
from core.index.probing import ProbeParams
from core.index.reduction import ReducedPassage
from core.index.scoring import Scores
from core.index.segment_store import SegmentStore
from core.progress import Job
from lab.reference import procedures
from lab.reference.procedures import Procedure

from .conftest import DIMENSIONS, add_document, remove_document, small_codec, vectors_of

Floats = npt.NDArray[np.float32]


class Index(NamedTuple):
    """An index as its three parts: store, writer and searcher."""

    store: SegmentStore
    writer: IndexWriter
    searcher: IndexSearcher


def open_index(catalog: Catalog, codec: Codec | None = None, model: str = "m") -> Index:
    codec = codec or small_codec()
    row = GenerationRow(IndexSpec(model, "f", codec.bits), model)
    store = SegmentStore(catalog.path.parent / "index", catalog, codec, row)
    return Index(store, IndexWriter(store), IndexSearcher(store))


def whole(vectors: Mapping[int, Floats]) -> list[tuple[int, ReducedPassage]]:
    """Passages of which every token has its vector."""
    return [
        (number, ReducedPassage(array, np.arange(len(array)), tokens=len(array)))
        for number, array in vectors.items()
    ]


def brute_force(codec: Codec, query: Floats, vectors: dict[int, Floats]) -> dict[int, float]:
    return {
        number: float((query @ codec.decode(codec.encode(array)).T).max(axis=1).mean())
        for number, array in vectors.items()
        if len(array)
    }


def assert_scores(scores: Scores, expected: dict[int, float]) -> None:
    assert scores.passages.tolist() == sorted(expected)
    wanted = [expected[number] for number in sorted(expected)]
    np.testing.assert_allclose(scores.values, wanted, atol=1e-5)


@pytest.fixture
def index(catalog: Catalog) -> Iterator[Index]:
    opened = open_index(catalog)
    yield opened
    opened.store.close()


def fill(catalog: Catalog, index: Index, names: str, tokens: int = 3) -> dict[int, Floats]:
    """A segment for each of the one-letter names, a document of two passages in each."""
    every: dict[int, Floats] = {}
    for name in names:
        vectors = {number: vectors_of(number, tokens) for number in add_document(catalog, name, 2)}
        index.writer.publish(whole(vectors))
        every |= vectors
    return every


_steps = st.lists(
    st.one_of(
        st.tuples(st.just("publish"), st.lists(st.integers(0, 6), min_size=1, max_size=4)),
        st.tuples(st.just("remove"), st.integers(0, 30)),
        st.tuples(st.sampled_from(["reopen", "clean", "merge"]), st.none()),
    ),
    max_size=12,
)


@settings(max_examples=40)
@given(
    steps=_steps,
    block=st.sampled_from([2, 5, 8192]),
    together=st.sampled_from([2, 3]),
    bits=st.sampled_from([2, UNCOMPRESSED]),
    large=st.sampled_from([1, 5, 1 << 15]),
)
def test_index_equals_brute_force(steps, block: int, together: int, bits: int, large: int) -> None:
    """Whatever is added, removed and merged, scans and full probes rank as a comparison of the
    survivors with everything does."""
    codec: Codec = small_codec() if bits == 2 else UncompressedCodec(DIMENSIONS)
    query = vectors_of(99, 4)
    alive: dict[str, dict[int, Floats]] = {}
    with (
        tempfile.TemporaryDirectory() as home,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(scoring, "_BLOCK_TOKENS", block)
        patch.setattr(segment, "_LARGE", large)
        patch.setattr(index_writer, "_TOGETHER", together)
        patch.setattr(index_writer, "_TIERS", (3, 7, 1 << 17))
        catalog = Catalog(Path(home) / "catalog.sqlite")
        index = open_index(catalog, codec)
        for step, (do, what) in enumerate(steps):
            if do == "publish":
                numbers = add_document(catalog, str(step), len(what))
                vectors = {
                    number: vectors_of(number, count)
                    for number, count in zip(numbers, what, strict=True)
                }
                index.writer.publish(whole(vectors))
                alive[str(step)] = vectors
            elif do == "remove" and alive:
                name = sorted(alive)[what % len(alive)]
                remove_document(catalog, name)
                del alive[name]
            elif do == "reopen":
                index.store.close()
                catalog.close()
                catalog = Catalog(Path(home) / "catalog.sqlite")
                index = open_index(catalog, codec)
            elif do == "clean":
                index.writer.clean()
            elif do == "merge":
                index.writer.merge(Job())
                segment_count = sum(
                    one.passages > 0 for one in manifest.segments(catalog.connection())
                )
                assert segment_count <= 3 * (together - 1)
            assert maintenance.has_true_totals(catalog.connection())
            everything = {n: array for one in alive.values() for n, array in one.items()}
            expected = brute_force(codec, query, everything)
            assert_scores(index.searcher.scan(query), expected)
            stored = index.searcher.vectors(list(everything))
            assert sorted(stored) == sorted(expected)
            for number, array in stored.items():
                expected_vectors = codec.decode(codec.encode(everything[number]))
                np.testing.assert_array_equal(array.vectors, expected_vectors[array.positions])
            estimates = index.searcher.probe(query, probing.EVERYTHING)
            assert len(estimates) == len(expected)
            ranked = sorted(expected, key=lambda number: -expected[number])
            for limit in (1, 2, 100):
                best = index.searcher.score(query, estimates.best(limit)).best(limit)[1]
                wanted = [expected[number] for number in ranked[:limit]]
                np.testing.assert_allclose(best, wanted, atol=1e-5)
            assert set(index.searcher.probe(query, ProbeParams(3, 2)).best(100)) == set(expected)
            # Uncompressed vectors are in no lists: they are all compared.
            for procedure in Procedure if isinstance(codec, ResidualCodec) else ():
                seen = procedures.probe(index.searcher, query, ProbeParams(3, 2), procedure)
                assert set(seen.best(100)) == set(expected)
            half = np.array(sorted(expected)[::2], dtype=np.int64)
            assert set(index.searcher.probe(query, ProbeParams(), allowed=half).best(100)) == set(
                half
            )
        assert not passages.waiting(catalog.connection(), 1)
        assert index.store.damage() == ""
        index.writer.clean()
        named = {row.file for row in manifest.segments(catalog.connection()) if row.passages}
        there = (
            {path.name for path in index.store.folder.iterdir()}
            if index.store.folder.exists()
            else set()
        )
        assert there == named
        index.store.close()
        catalog.close()


def test_uncompressed_vectors_score_exactly(catalog: Catalog) -> None:
    index = open_index(catalog, UncompressedCodec(DIMENSIONS))
    every = fill(catalog, index, "ab")
    query = vectors_of(50, 3)
    exact = {n: float((query @ array.T).max(axis=1).mean()) for n, array in every.items()}
    assert_scores(index.searcher.scan(query), exact)


def test_the_best_come_first_and_among_equals_the_first_added() -> None:
    scores = Scores(np.array([3, 5, 8, 9]), np.array([0.5, 0.9, 0.5, 0.5], np.float32))
    for limit, expected in ((1, [5]), (2, [5, 3]), (3, [5, 3, 8]), (9, [5, 3, 8, 9])):
        numbers, values = scores.best(limit)
        assert numbers.tolist() == expected
        assert (np.diff(values) <= 0).all()


def test_a_passage_without_vectors_has_no_score(catalog: Catalog, index: Index) -> None:
    nothing = index.searcher.scan(vectors_of(1, 2))
    assert np.isnan(nothing.of(np.array([1, 2]))).all()
    fill(catalog, index, "a")
    found = index.searcher.scan(vectors_of(1, 2)).of(np.array([99, 1, 0]))
    assert np.isnan(found).tolist() == [True, False, True]


@pytest.mark.parametrize("harm", ["flip", "cut", "delete", "empty"])
def test_a_damaged_segment_is_skipped_reported_and_rebuilt(
    harm: str, catalog: Catalog, index: Index
) -> None:
    every = fill(catalog, index, "abc")
    row = manifest.segments(catalog.connection())[1]
    path = index.store.folder / row.file
    content = path.read_bytes()
    if harm == "delete":
        path.unlink()
    else:
        flipped = content[:-1] + bytes([content[-1] ^ 1])
        path.write_bytes({"flip": flipped, "cut": content[:-1], "empty": b""}[harm])
    index.store.close()
    opened = open_index(catalog)
    lost = sorted(every)[2:4]
    survivors = {number: array for number, array in every.items() if number not in lost}
    query = vectors_of(7, 2)
    assert_scores(opened.searcher.scan(query), brute_force(opened.store.codec, query, survivors))
    assert opened.store.damage().startswith("1 of 3 index files are damaged")
    opened.writer.clean()
    assert opened.store.damage() == ""
    assert not path.exists()
    waiting = [number for number, *_ in passages.waiting(catalog.connection(), 10)]
    assert waiting == lost
    opened.writer.publish(whole({number: every[number] for number in waiting}))
    assert_scores(opened.searcher.scan(query), brute_force(opened.store.codec, query, every))


@pytest.mark.parametrize("copied_by", ["merge", "purge", "recoding"])
def test_a_large_damaged_segment_is_found_out_before_it_is_copied(
    copied_by: str, catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it is opened its bytes are not checked, only how its arrays fit together."""
    monkeypatch.setattr(segment, "_LARGE", 1)
    monkeypatch.setattr(index_writer, "_TOGETHER", 3)
    every = fill(catalog, index, "abc")
    row = manifest.segments(catalog.connection())[1]
    path = index.store.folder / row.file
    content = path.read_bytes()
    place = content.index(index.store.segments()[1].data.residuals.tobytes())
    harmed = bytes([content[place] ^ 1])
    index.store.close()
    path.write_bytes(content[:place] + harmed + content[place + 1 :])
    opened = open_index(catalog)
    assert opened.store.damage() == ""
    assert len(opened.searcher.scan(vectors_of(7, 2)).passages) == len(every)
    lost = sorted(every)[2:4]
    if copied_by == "merge":
        opened.writer.merge(Job())
    elif copied_by == "purge":
        with catalog.transaction() as db:
            db.execute("DELETE FROM passages WHERE id = ?", [lost.pop()])
        opened.writer.purge()
    else:
        stored = opened.store.compressed(list(every))
        assert not set(lost) & {n for part in stored for n in part.passage_ids.tolist()}
    assert opened.store.damage().startswith("1 of 3 index files are damaged")
    opened.writer.clean()
    assert opened.store.damage() == ""
    assert [number for number, *_ in passages.waiting(catalog.connection(), 10)] == lost
    whole_ones = opened.store.segments()
    assert all(opened.store.verified(each) for each in whole_ones)


def test_stray_files_are_removed_and_foreign_files_stay(catalog: Catalog, index: Index) -> None:
    every = fill(catalog, index, "ab")
    remaining = {path.name for path in index.store.folder.iterdir()}
    (index.store.folder / "killed-half-way.safetensors").write_bytes(b"half")
    index.writer.clean()
    assert {path.name for path in index.store.folder.iterdir()} == remaining
    assert_scores(
        index.searcher.scan(vectors_of(1, 1)),
        brute_force(index.store.codec, vectors_of(1, 1), every),
    )


@pytest.mark.parametrize("change", ["model", "bits"])
def test_segments_of_another_model_or_codec_are_rebuilt(
    change: str, catalog: Catalog, index: Index
) -> None:
    every = fill(catalog, index, "ab")
    codec = UncompressedCodec(DIMENSIONS) if change == "bits" else small_codec()
    other = open_index(catalog, codec, "other" if change == "model" else "m")
    assert len(other.searcher.scan(vectors_of(1, 1)).passages) == 0
    assert other.store.damage() == ""
    other.writer.clean()
    assert not list(other.store.folder.iterdir())
    assert len(passages.waiting(catalog.connection(), 10)) == len(every)
    assert len(index.searcher.scan(vectors_of(1, 1)).passages) == 0


def test_a_passage_that_goes_while_it_is_merged_is_not_found(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_writer, "_TOGETHER", 2)
    every = fill(catalog, index, "ab")
    write = segment.write
    removals = iter([remove_document])

    def removed_meanwhile(*arguments: object) -> object:
        for remove in removals:
            remove(catalog, "a")
        return write(*arguments)

    monkeypatch.setattr(segment, "write", removed_meanwhile)
    index.writer.merge(Job())
    left = {number: array for number, array in every.items() if number > 2}
    assert_scores(
        index.searcher.scan(vectors_of(1, 2)),
        brute_force(index.store.codec, vectors_of(1, 2), left),
    )
    assert len(manifest.segments(catalog.connection())) == 1
    index.writer.clean()
    assert_scores(
        index.searcher.scan(vectors_of(1, 2)),
        brute_force(index.store.codec, vectors_of(1, 2), left),
    )


def test_a_merge_that_cannot_be_written_changes_nothing(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_writer, "_TOGETHER", 2)
    every = fill(catalog, index, "ab")
    before = manifest.segments(catalog.connection())

    def refuse(*_arguments: object) -> None:
        raise DiskFullError("full")

    for where, name in ((segment, "write"), (manifest, "replace_segments")):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, refuse)
            with pytest.raises(DiskFullError):
                index.writer.merge(Job())
        assert manifest.segments(catalog.connection()) == before
        assert {path.name for path in index.store.folder.iterdir()} == {row.file for row in before}
    query = vectors_of(1, 2)
    assert_scores(index.searcher.scan(query), brute_force(index.store.codec, query, every))


def test_another_program_finds_what_was_merged_under_it(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has read the manifest, and the files are gone when it opens them."""
    monkeypatch.setattr(index_writer, "_TOGETHER", 2)
    every = fill(catalog, index, "ab")
    other = open_index(catalog)
    read = segment.read
    merges = iter([index.writer.merge])

    def merged_meanwhile(*arguments: object, **options: object) -> object:
        for merge in merges:
            merge(Job())
        return read(*arguments, **options)

    monkeypatch.setattr(segment, "read", merged_meanwhile)
    query = vectors_of(1, 2)
    assert_scores(other.searcher.scan(query), brute_force(index.store.codec, query, every))
    assert other.store.damage() == ""


def test_segments_whose_passages_were_removed_are_deleted(catalog: Catalog, index: Index) -> None:
    fill(catalog, index, "ab")
    remove_document(catalog, "a")
    index.writer.clean()
    assert len(list(index.store.folder.iterdir())) == 1
    assert len(manifest.segments(catalog.connection())) == 1
    assert manifest.tombstones(catalog.connection()) == {}


def test_a_passage_removed_while_it_was_encoded_is_not_found(
    catalog: Catalog, index: Index
) -> None:
    first, second = add_document(catalog, "a", 1) + add_document(catalog, "b", 1)
    remove_document(catalog, "a")
    index.writer.publish(whole({first: vectors_of(1, 2), second: vectors_of(2, 2)}))
    assert index.searcher.scan(vectors_of(1, 1)).passages.tolist() == [second]
    assert index.searcher.vectors([first, second]).keys() == {second}


def test_a_failure_is_reported_where_its_file_stays_too(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = add_document(catalog, "a", 1)

    def refuse(*_arguments: object, **_options: object) -> None:
        raise DiskFullError("full")

    def stay(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(passages, "set_encoded", refuse)
        patch.setattr(os, "unlink", stay)
        with pytest.raises(DiskFullError):
            index.writer.publish(whole({number: vectors_of(number, 2) for number in numbers}))
        assert list(index.store.folder.iterdir())
        index.writer.clean()
    index.writer.clean()
    assert not list(index.store.folder.iterdir())


def test_an_unwritable_segment_is_not_published(
    catalog: Catalog, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = add_document(catalog, "a", 2)

    def refuse(*_arguments: object) -> None:
        raise DiskFullError("full")

    vectors = whole({number: vectors_of(number, 2) for number in numbers})
    with monkeypatch.context() as patch:
        patch.setattr(segment, "write", refuse)
        with pytest.raises(DiskFullError):
            index.writer.publish(vectors)
    with monkeypatch.context() as patch:
        patch.setattr(passages, "set_encoded", refuse)
        with pytest.raises(DiskFullError):
            index.writer.publish(vectors)
    assert not list(index.store.folder.iterdir())
    assert manifest.segments(catalog.connection()) == []
    index.writer.publish(vectors)
    assert index.searcher.scan(vectors_of(1, 1)).passages.tolist() == numbers


def test_searching_goes_on_while_segments_come_and_go(catalog: Catalog, index: Index) -> None:
    """Each search sees whole documents: a segment's passages all together or not at all."""
    fill(catalog, index, "a")
    is_done = threading.Event()
    query = vectors_of(3, 2)
    torn: list[int] = []
    searches: list[int] = []
    failures: list[BaseException] = []

    def search() -> None:
        try:
            while not is_done.is_set():
                found = index.searcher.scan(query)
                searches.append(len(found.passages))
                if len(found.passages) % 2 or not np.isfinite(found.values).all():
                    torn.append(len(found.passages))
        except BaseException as error:  # noqa: BLE001 - the assertion below shows it
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for name in "bcdefghijklm":
            fill(catalog, index, name)
            if name in "dgk":
                remove_document(catalog, name)
                index.writer.clean()
    finally:
        is_done.set()
        for thread in threads:
            thread.join()
    assert not failures
    assert not torn
    assert len(searches) > 12
    assert len(index.searcher.scan(query).passages) == 2 * (1 + 12 - 3)
