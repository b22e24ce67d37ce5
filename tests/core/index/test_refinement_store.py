"""The refinement store holds the vectors that passages are compared by, whatever happens to it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.catalog import manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow, IndexSpec
from core.errors import LibraryDamagedError
from core.index import index_writer, segment
from core.index.codebook import learn_library_lists, with_library_lists
from core.index.codec import Codes, ResidualCodec
from core.index.index_searcher import IndexSearcher
from core.index.index_writer import IndexWriter
from core.index.inverted_lists import build_inverted_lists
from core.index.probing import EVERYTHING
from core.index.quantisation import buckets
from core.index.reduction import ReducedPassage, StoredVectors
from core.index.refinement_store import (
    RefinementStore,
    compare_compiled,
    interleaved_tables,
    joined_stores,
    max_similarities,
)
from core.index.scoring import VectorComparison
from core.index.segment_store import SegmentStore
from core.progress import Job

from .conftest import (
    FORMS,
    add_document,
    compressed,
    loops_in_form,
    remove_document,
    vectors_of,
)

Floats = npt.NDArray[np.float32]
DIMENSIONS = 16
COMPILED = [form for form in FORMS if form is not None]


def codec_with_store(dimensions: int = DIMENSIONS) -> ResidualCodec:
    """A codec of 1 bit for the lists, and of 2 bits for the store."""
    centroids = vectors_of(0, 5, dimensions)
    sample = vectors_of(1, 500, dimensions)
    residuals = sample - centroids[np.argmax(sample @ centroids.T, axis=1)]
    coarse, fine = (ResidualCodec.plain(centroids, *buckets(residuals, bits)) for bits in (1, 2))
    return replace(coarse, refinement=fine)


def passage_of(number: int) -> ReducedPassage:
    """One to three vectors in the lists, and some more in the store."""
    count, more = 1 + number % 3, 2 + number % 5
    return ReducedPassage(
        vectors_of(number, count, DIMENSIONS),
        np.arange(count),
        tokens=9,
        refined=StoredVectors(vectors_of(1000 + number, more, DIMENSIONS), np.arange(more) + 1),
    )


def finer(codec: ResidualCodec) -> ResidualCodec:
    assert codec.refinement is not None
    return codec.refinement


def decoded(codec: ResidualCodec, number: int) -> Floats:
    """The vectors that the store has for `passage_of`."""
    refined = passage_of(number).refined
    assert refined is not None
    return finer(codec).decode(finer(codec).encode(refined.vectors))


class Index(NamedTuple):
    store: SegmentStore
    writer: IndexWriter
    searcher: IndexSearcher


def open_index(catalog: Catalog, codec: ResidualCodec, codebook: str = "") -> Index:
    row = GenerationRow(IndexSpec("m", "f", 1, "pooling:0.2+0.3", codebook), "m")
    store = SegmentStore(catalog.path.parent / "index", catalog, codec, row)
    return Index(store, IndexWriter(store), IndexSearcher(store))


def fill(catalog: Catalog, index: Index, names: str) -> list[int]:
    """Publish a segment for each of the one-letter names, a document of two passages in each."""
    every: list[int] = []
    for name in names:
        numbers = add_document(catalog, name, 2)
        index.writer.publish([(number, passage_of(number)) for number in numbers])
        every += numbers
    return every


def assert_compared_by_the_store(
    index: Index, codec: ResidualCodec, numbers: Sequence[int]
) -> None:
    query = vectors_of(99, 4, DIMENSIONS)
    found = index.searcher.score(query, np.array(sorted(numbers), np.int64))
    assert found.passages.tolist() == sorted(numbers)
    expected = [
        float((query @ decoded(codec, number).T).max(axis=1).mean()) for number in sorted(numbers)
    ]
    np.testing.assert_allclose(found.values, expected, atol=1e-5)
    vectors = index.searcher.vectors(numbers)
    assert sorted(vectors) == sorted(numbers)
    for number, stored in vectors.items():
        np.testing.assert_allclose(stored.vectors, decoded(codec, number), atol=1e-6)
        assert stored.positions.tolist() == list(range(1, len(stored.positions) + 1))


_steps = st.lists(
    st.one_of(
        st.tuples(st.just("publish"), st.integers(1, 4)),
        st.tuples(st.just("remove"), st.integers(0, 30)),
        st.tuples(st.sampled_from(["reopen", "clean", "merge", "purge"]), st.none()),
    ),
    max_size=12,
)


@settings(max_examples=30)
@given(steps=_steps, large=st.sampled_from([1, 5, 1 << 15]), form=st.sampled_from(FORMS))
def test_the_store_holds_what_was_published_and_not_removed(
    steps: list[tuple[str, int | None]], large: int, form: int | None
) -> None:
    codec = codec_with_store()
    alive: dict[str, list[int]] = {}
    with (
        tempfile.TemporaryDirectory() as home,
        pytest.MonkeyPatch.context() as patch,
        loops_in_form(form),
    ):
        patch.setattr(segment, "_LARGE", large)
        patch.setattr(index_writer, "_TOGETHER", 2)
        patch.setattr(index_writer, "_TIERS", (3, 7, 1 << 17))
        catalog = Catalog(Path(home) / "catalog.sqlite")
        index = open_index(catalog, codec)
        for step, (do, what) in enumerate(steps):
            if do == "publish":
                assert what is not None
                alive[str(step)] = add_document(catalog, str(step), what)
                index.writer.publish([(one, passage_of(one)) for one in alive[str(step)]])
            elif do == "remove" and alive:
                assert what is not None
                name = sorted(alive)[what % len(alive)]
                remove_document(catalog, name)
                del alive[name]
            elif do == "reopen":
                index.store.close()
                index = open_index(catalog, codec)
            elif do == "clean":
                index.writer.clean()
            elif do == "merge":
                index.writer.merge(Job())
            elif do == "purge":
                index.writer.purge()
            numbers = [number for document in alive.values() for number in document]
            assert_compared_by_the_store(index, codec, numbers)
            estimates = index.searcher.probe(vectors_of(99, 4, DIMENSIONS), EVERYTHING)
            assert sorted(estimates.best(100)) == sorted(numbers)
        assert index.store.damage() == ""
        index.store.close()
        catalog.close()


def test_candidates_are_estimated_by_the_lists(catalog: Catalog) -> None:
    codec = codec_with_store()
    index = open_index(catalog, codec)
    numbers = fill(catalog, index, "ab")
    query = vectors_of(99, 4, DIMENSIONS)
    by_lists = index.searcher.scan(query)
    expected = [
        float((query @ codec.decode(codec.encode(passage_of(one).vectors)).T).max(axis=1).mean())
        for one in numbers
    ]
    np.testing.assert_allclose(by_lists.of(np.array(numbers)), expected, atol=1e-5)


@pytest.fixture
def many() -> tuple[RefinementStore, ResidualCodec]:
    """A store of 300 passages of up to 40 vectors of 128 dimensions."""
    codec = finer(codec_with_store(128))
    lengths = np.random.default_rng(4).integers(1, 41, 300)
    total = int(lengths.sum())
    return (
        RefinementStore.of(lengths, codec.encode(vectors_of(8, total, 128)), np.zeros(total, int)),
        codec,
    )


@pytest.mark.parametrize("tokens", [1, 16, 19])
@pytest.mark.parametrize("form", COMPILED)
def test_the_compiled_loop_computes_what_numpy_does(
    form: int, tokens: int, many: tuple[RefinementStore, ResidualCodec]
) -> None:
    store, codec = many
    query = vectors_of(77, tokens, 128) * np.linspace(0.5, 2, tokens, dtype=np.float32)[:, None]
    places = np.random.default_rng(1).permutation(len(store))[:100]
    expected = max_similarities(store, places, codec, codec.scorer(query))
    decoded = codec.decode(store.codes(places, codec))
    ends = np.cumsum(store.lengths(places))
    for value, own in zip(expected, np.split(decoded, ends[:-1]), strict=True):
        assert value == pytest.approx(float((query @ own.T).max(axis=1).sum()), rel=1e-4)
    width = tokens + -tokens % 16
    products = np.zeros((len(codec.centroids), width), np.float32)
    products[:, :tokens] = codec.centroids @ query.T
    with loops_in_form(form):
        tables = interleaved_tables(query, codec, width)
        found = compare_compiled(store, places, codec, products, tables)
        assert not len(compare_compiled(store, places[:0], codec, products, tables))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("form", COMPILED)
def test_a_centroid_that_does_not_exist_is_the_last(
    form: int, many: tuple[RefinementStore, ResidualCodec]
) -> None:
    """The centroids of a large segment are not checked when it is opened."""
    store, codec = many
    query = vectors_of(77, 3, 128)
    products = np.zeros((len(codec.centroids), 16), np.float32)
    products[:, :3] = codec.centroids @ query.T
    last = np.full(len(store.centroids), len(codec.centroids) - 1, np.uint16)
    places = np.arange(len(store))
    with loops_in_form(form):
        tables = interleaved_tables(query, codec, 16)
        values = [
            compare_compiled(replace(store, centroids=of), places, codec, products, tables)
            for of in (last, np.full_like(last, 65_535))
        ]
    np.testing.assert_array_equal(*values)
    np.testing.assert_allclose(
        max_similarities(
            replace(store, centroids=np.full_like(last, 65_535)),
            places,
            codec,
            codec.scorer(query),
        ),
        values[0],
        rtol=1e-4,
        atol=1e-4,
    )


def test_equal_passages_share_their_vectors(catalog: Catalog) -> None:
    codec = codec_with_store()
    index = open_index(catalog, codec)
    first, second = fill(catalog, index, "a")
    third, fourth = add_document(catalog, "b", 2)
    twins = [
        (copy, passages.Encoded(number, 9, len(passage_of(number))))
        for copy, number in ((third, second), (fourth, first))
    ]
    assert index.writer.add_twins(twins) == 2
    vectors = index.searcher.vectors([first, second, third, fourth])
    np.testing.assert_array_equal(vectors[third].vectors, vectors[second].vectors)
    np.testing.assert_array_equal(vectors[fourth].vectors, vectors[first].vectors)


def test_the_store_keeps_its_codes_when_lists_are_learned_for_the_library(
    catalog: Catalog,
) -> None:
    codec = codec_with_store()
    before = open_index(catalog, codec)
    numbers = fill(catalog, before, "abc")
    codes = codec.encode(vectors_of(3, 400, DIMENSIONS))
    own = with_library_lists(codec, learn_library_lists(codec, codes, 400))
    after = open_index(catalog, own, "codebook")
    with catalog.transaction() as db:
        manifest.put(db, before.store.row)
        manifest.put(db, replace(after.store.row, is_live=False))
    for row in before.store.segments():
        batch = passages.answering_unstaged(catalog.connection(), row.row.id)
        after.writer.stage_from(before.store, row.row.id, batch)
    with catalog.transaction() as db:
        manifest.go_live(db)
    assert_compared_by_the_store(after, own, numbers)


@pytest.mark.parametrize("is_large", [False, True])
def test_a_damaged_store_is_noticed(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, *, is_large: bool
) -> None:
    """That of a large segment before it is merged, as the rest of the file."""
    monkeypatch.setattr(segment, "_LARGE", 1 if is_large else 1 << 15)
    codec = codec_with_store()
    index = open_index(catalog, codec)
    fill(catalog, index, "ab")
    row = manifest.segments(catalog.connection())[0]
    path = index.store.folder / row.file
    content = bytearray(path.read_bytes())
    (opened, *_) = index.store.segments()
    assert opened.data.store is not None
    found = content.find(opened.data.store.residuals.tobytes())
    assert found > 0
    content[found] ^= 1
    index.store.close()
    path.write_bytes(bytes(content))
    again = open_index(catalog, codec)
    (suspect, *_) = again.store.segments()
    assert again.store.verified(suspect) == (not is_large)
    assert "1 of 2" in again.store.damage()
    again.writer.clean()
    assert len(again.store.segments()) == 1
    again.store.close()


def test_a_segment_without_a_store_belongs_to_another_index(catalog: Catalog) -> None:
    codec = codec_with_store()
    plain = replace(codec, refinement=None)
    index = open_index(catalog, plain)
    numbers = add_document(catalog, "a", 1)
    index.writer.publish([(one, passage_of(one)) for one in numbers])
    (opened,) = index.store.segments()
    assert opened.data.store is None
    with pytest.raises(LibraryDamagedError, match="another codebook"):
        segment.OpenSegment.of(index.store.folder, opened.row, codec)
    index.store.close()


def test_a_store_of_other_codes_is_not_compared() -> None:
    codec = codec_with_store()
    lists = build_inverted_lists(
        replace(compressed(codec, {1: vectors_of(1, 2, DIMENSIONS)}), store=store_of(1)),
        codec.lists,
    )
    query = vectors_of(9, 3, DIMENSIONS)
    for other in (replace(codec, refinement=None), replace(codec, refinement=codec)):
        with pytest.raises(ValueError, match="another codec"):
            VectorComparison(query, other).some_of(lists, np.zeros(1, np.int64), Job())
    assert len(VectorComparison(query, codec).some_of(lists, np.zeros(1, np.int64), Job())) == 1


def store_of(passages: int) -> RefinementStore:
    codec = finer(codec_with_store())
    vectors = vectors_of(5, 2 * passages, DIMENSIONS)
    return RefinementStore.of(np.full(passages, 2), codec.encode(vectors), np.arange(2 * passages))


def test_an_incomplete_store_is_damage(tmp_path: Path) -> None:
    codec = codec_with_store()
    lists = build_inverted_lists(
        replace(compressed(codec, {1: vectors_of(1, 2, DIMENSIONS)}), store=store_of(1)),
        codec.lists,
    )
    path = tmp_path / "a.safetensors"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment, "_STORE_ARRAYS", ("offsets", "centroids"))
        written = segment.write(path, lists)
    with pytest.raises(LibraryDamagedError, match="do not match"):
        segment.read(path, written)


def _malformed() -> Iterator[Mapping[str, object]]:
    yield {"offsets": np.array([0, 2], np.int64)}
    yield {"offsets": np.array([1, 4], np.uint32)}
    yield {"offsets": np.array([0, 3, 2, 4], np.uint32)}
    yield {"offsets": np.array([0, 5], np.uint32)}
    yield {"offsets": np.zeros(1, np.uint32)}
    yield {"centroids": np.zeros(3, np.uint16)}
    yield {"centroids": np.zeros(4, np.uint8)}
    yield {"residuals": np.zeros(4, np.uint8)}
    yield {"residuals": np.zeros((4, 8), np.uint8)[:, ::2]}
    yield {"scales": np.zeros((4, 1), np.uint8)}
    yield {"positions": np.zeros(4, np.int64)}


@pytest.mark.parametrize("changes", [*_malformed()])
def test_malformed_arrays_are_refused(changes: Mapping[str, npt.NDArray[np.uint8]]) -> None:
    """Compiled loops iterate over them."""
    with pytest.raises(ValueError, match="store"):
        replace(store_of(2), **changes)


def test_parts_with_and_without_a_store_are_not_joined() -> None:
    with pytest.raises(ValueError, match="1 of 2 parts"):
        joined_stores([store_of(1), None])
    assert joined_stores([None, None]) is None
    together = joined_stores([store_of(1), store_of(2)])
    assert together is not None
    assert together.offsets.tolist() == [0, 2, 4, 6]
    assert together.positions.tolist() == [0, 1, 0, 1, 2, 3]


def test_long_passages_have_positions_of_two_bytes() -> None:
    codes = Codes(np.zeros(2, np.uint16), np.zeros((2, 4), np.uint8), np.zeros(2, np.uint8))
    store = RefinementStore.of(np.array([1, 1]), codes, np.array([3, 300]))
    assert store.positions_of(1).tolist() == [300]
    assert store.select(np.array([0])).positions.dtype == np.uint8


def test_vectors_for_the_store_are_needed(catalog: Catalog) -> None:
    index = open_index(catalog, codec_with_store())
    (number,) = add_document(catalog, "a", 1)
    with pytest.raises(ValueError, match="without vectors for the refinement store"):
        index.writer.publish([(number, replace(passage_of(number), refined=None))])
