"""A large library relearns its lists for its own vectors, without encoding again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.catalog import manifest
from core.catalog.passages import Encoded
from core.encoders.encoder import Encoder
from core.errors import Cancelled
from core.index import index_writer
from core.index.codec import ResidualCodec
from core.index.generation import codebook_folder, learned_at
from core.index.index_writer import IndexWriter
from core.index.segment_store import SegmentStore
from core.indexing import rebuild
from core.indexing.build import generations
from core.library.library import Library
from core.responses import Mode

from .conftest import Opener, assert_sound, put


@pytest.fixture
def files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(generations, "_ENOUGH_PASSAGES", 12)
    add(folder, range(10))
    return folder


def add(folder: Path, numbers: range) -> None:
    for number in numbers:
        put(folder / f"{number}.txt", f"The crow of story {number} hides food under stones.")


def scores(library: Library) -> dict[str, float]:
    hits = library.search("the crow hides food", mode=Mode.MEANING, limit=99).hits
    return {hit.path.name: hit.score for hit in hits}


def codec_of(library: Library) -> ResidualCodec:
    codec = library._generations.answering().segments.codec
    assert isinstance(codec, ResidualCodec)
    return codec


def names(home: Path) -> list[str]:
    folder = codebook_folder(home)
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def refuse_to_encode(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("passages are encoded again")

    monkeypatch.setattr(Encoder, "encode_passages", refuse)


@pytest.mark.parametrize("bits", [2, 4])
def test_from_a_size_on_a_library_has_its_own_and_answers_as_before(
    bits: int, opened: Opener, home: Path, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = opened(bits=bits)
    library.add_folder(files)
    library.sync()
    assert not codec_of(library).sub_centroids.are_of_library
    assert names(home) == []
    add(files, range(10, 13))
    with monkeypatch.context() as patch:
        patch.setattr(generations, "_ENOUGH_PASSAGES", 99)
        library.sync()
    before = scores(library)
    # Nothing is new: the stored data suffices, and no model is used.
    refuse_to_encode(monkeypatch)
    library.sync()
    assert_sound(library)
    (name,) = names(home)
    assert learned_at(name) == 13
    assert codec_of(library).sub_centroids.are_of_library
    assert scores(library) == pytest.approx(before, abs=1e-5)


def test_lists_are_relearned_when_the_library_has_grown_fourfold(
    opened: Opener, home: Path, files: Path
) -> None:
    library = opened(bits=2)
    add(files, range(10, 13))
    library.add_folder(files)
    library.sync()
    first = names(home)
    add(files, range(13, 51))
    library.sync()
    assert names(home) == first
    add(files, range(51, 53))
    library.sync()
    library.sync()  # the next sync deletes the old file
    (name,) = names(home)
    assert learned_at(name) == 53
    assert len(scores(library)) == 53
    assert_sound(library)
    # A smaller one keeps its lists.
    for number in range(48):
        (files / f"{number}.txt").unlink()
    library.sync()
    assert names(home) == [name]


def test_they_are_opened_as_they_were_learned(opened: Opener, home: Path, files: Path) -> None:
    library = opened(bits=1)
    add(files, range(10, 13))
    library.add_folder(files)
    library.sync()
    lists = codec_of(library).sub_centroids
    assert lists.are_of_library
    again = codec_of(opened(bits=1)).sub_centroids
    np.testing.assert_array_equal(again.vectors, lists.vectors)
    np.testing.assert_array_equal(again.offsets, lists.offsets)
    assert len(scores(library)) == 13
    assert_sound(library)


def grow_unplanned(library: Library, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add files until lists are due, in several segments, and learn none yet."""
    library.add_folder(files)
    with monkeypatch.context() as patch:
        patch.setattr(generations, "_ENOUGH_PASSAGES", 99)
        library.sync()
        for number in range(10, 13):
            add(files, range(number, number + 1))
            library.sync()


@pytest.mark.parametrize("turns", [1, 3])
def test_stopped_on_the_way_all_is_found_and_the_next_turn_goes_on(
    turns: int, opened: Opener, home: Path, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = opened(bits=2)
    monkeypatch.setattr(rebuild, "PASSAGES_PER_SEGMENT", 4)
    monkeypatch.setattr(index_writer, "plan_merges", lambda *_, **__: [])
    monkeypatch.setattr(index_writer, "_AT_ONCE", 1)
    grow_unplanned(library, files, monkeypatch)
    before = scores(library)
    refuse_to_encode(monkeypatch)
    stage = IndexWriter.stage_from
    staged = 0

    def counted(self: IndexWriter, *args: Any) -> None:
        nonlocal staged
        staged += 1
        if staged == turns:
            raise Cancelled
        stage(self, *args)

    with monkeypatch.context() as patch:
        patch.setattr(IndexWriter, "stage_from", counted)
        # Out of thirteen passages in several segments.
        with pytest.raises(Cancelled):
            library.sync()
        assert scores(library) == pytest.approx(before, abs=1e-5)
    library.sync()
    assert_sound(library)
    assert codec_of(library).sub_centroids.are_of_library
    assert scores(library) == pytest.approx(before, abs=1e-5)
    with library._catalog.reading() as db:
        assert manifest.building(db) is None


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many passages were encoded, batch by batch."""
    counts: list[int] = []
    encode = Encoder.encode_passages

    def counted(self: Encoder, texts: Sequence[Any], *rest: Any, **named: Any) -> Any:
        counts.append(len(texts))
        return encode(self, texts, *rest, **named)

    monkeypatch.setattr(Encoder, "encode_passages", counted)
    return counts


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make forty waiting passages enough for lists to be learned from a sample."""
    monkeypatch.setattr(rebuild, "_SAMPLE_FOR_LISTS", 4)
    monkeypatch.setattr(rebuild, "PASSAGES_PER_SEGMENT", 6)
    monkeypatch.setattr(index_writer, "_AT_ONCE", 1)


def expected_scores(
    opened: Opener, home: Path, files: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, float]:
    """The results of a library of the same files that learned no lists."""
    with monkeypatch.context() as patch:
        patch.setattr(generations, "_ENOUGH_PASSAGES", 999)
        with opened(home=home.with_name("without lists"), bits=2) as library:
            library.add_folder(files)
            library.sync()
            return scores(library)


@pytest.mark.usefixtures("sampled")
def test_with_very_many_waiting_lists_are_learned_from_a_sample_and_nothing_is_done_twice(
    opened: Opener, home: Path, files: Path, encoded: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    add(files, range(10, 40))
    expected = expected_scores(opened, home, files, monkeypatch)
    encoded.clear()
    recoded: list[int] = []
    stage = IndexWriter.stage_from

    def counted(self: IndexWriter, other: SegmentStore, segment: int, rows: list[Encoded]) -> None:
        recoded.extend(row.passage for row in rows)
        stage(self, other, segment, rows)

    monkeypatch.setattr(IndexWriter, "stage_from", counted)
    library = opened(bits=2)
    library.add_folder(files)
    library.sync()
    assert sum(encoded) == 40
    assert recoded == [10, 20, 30, 40]
    (name,) = names(home)
    assert learned_at(name) == 40
    assert codec_of(library).sub_centroids.are_of_library
    assert scores(library) == pytest.approx(expected, abs=1e-5)
    assert_sound(library)
    encoded.clear()
    library.sync()
    assert names(home) == [name]
    assert encoded == []


@pytest.mark.usefixtures("sampled")
@pytest.mark.parametrize("turn", range(8))
def test_stopped_anywhere_in_it_the_next_turn_goes_on_and_encodes_nothing_twice(
    turn: int,
    opened: Opener,
    home: Path,
    files: Path,
    encoded: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add(files, range(10, 40))
    expected = expected_scores(opened, home, files, monkeypatch)
    encoded.clear()
    library = opened(bits=2)
    library.add_folder(files)
    steps = 0

    def stopped(function: Callable[..., Any]) -> Callable[..., Any]:
        def stop(*args: Any, **named: Any) -> Any:
            nonlocal steps
            steps += 1
            if steps == turn + 1:
                raise Cancelled
            return function(*args, **named)

        return stop

    with monkeypatch.context() as patch:
        for owner, what in (
            (IndexWriter, "stage_from"),
            (IndexWriter, "merge"),
            (rebuild, "learn_lists"),
            (manifest, "go_live"),
        ):
            patch.setattr(owner, what, stopped(getattr(owner, what)))
        with pytest.raises(Cancelled):
            library.sync()
    library.sync()
    assert sum(encoded) == 40
    assert codec_of(library).sub_centroids.are_of_library
    assert scores(library) == pytest.approx(expected, abs=1e-5)
    assert_sound(library)
    with library._catalog.reading() as db:
        assert manifest.building(db) is None


def test_data_damaged_meanwhile_is_rebuilt_from_its_text(
    opened: Opener, home: Path, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = opened(bits=2)
    grow_unplanned(library, files, monkeypatch)
    stage = IndexWriter.stage_from

    def damage(self: IndexWriter, other: SegmentStore, *args: Any) -> None:
        for path in (home / "index").iterdir():
            path.write_bytes(path.read_bytes()[:-1] + b"?")
        other.close()
        monkeypatch.setattr(IndexWriter, "stage_from", stage)
        stage(self, other, *args)

    monkeypatch.setattr(IndexWriter, "stage_from", damage)
    library.sync()
    assert_sound(library)
    assert len(scores(library)) == 13


@pytest.mark.parametrize("is_missing", [True, False])
def test_without_its_lists_a_library_is_rebuilt_from_its_texts(
    is_missing: bool, opened: Opener, home: Path, files: Path
) -> None:
    library = opened(bits=2)
    add(files, range(10, 13))
    library.add_folder(files)
    library.sync()
    before = scores(library)
    library.close()
    (name,) = names(home)
    path = codebook_folder(home) / name
    data = path.read_bytes()
    path.unlink()
    if not is_missing:
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    library = opened(bits=2)
    assert any(name in problem for problem in library.check().problems)
    library.sync()
    assert_sound(library)
    assert codec_of(library).sub_centroids.are_of_library
    assert scores(library) == pytest.approx(before, abs=1e-5)
    assert not library.check().problems
