"""Files of vectors: readable by others, whole or refused, gone when they cannot be written."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.catalog.manifest import SegmentRow
from core.errors import DiskFullError, LibraryDamagedError, LibraryError
from core.index import probing, segment
from core.index.codec import UncompressedCodec
from core.index.inverted_lists import InvertedLists, build_inverted_lists
from core.index.native import loops
from core.index.probing import EVERYTHING
from core.index.scoring import VectorComparison
from core.index.segment import OpenSegment, WrittenFile
from core.progress import Job

from .conftest import compressed, small_codec, vectors_of


def some_passages(longest: int = 0) -> InvertedLists:
    codec = small_codec()
    passages = compressed(codec, {number: vectors_of(number, number) for number in (4, 1, 7)})
    passages.positions[0] = longest
    return build_inverted_lists(passages, codec.lists)


ARRAYS = {field.name for field in fields(InvertedLists)} - {"mapped", "store", "stored_list_ids"}


@pytest.fixture
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment, "_LARGE", 1)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, WrittenFile]:
    path = tmp_path_factory.mktemp("index") / "one.safetensors"
    return path, segment.write(path, some_passages())


@pytest.mark.parametrize("longest", [7, 700])
def test_written_segments_are_read(longest: int, tmp_path: Path) -> None:
    expected = some_passages(longest)
    assert expected.positions.dtype == (np.uint8 if longest < 256 else np.uint16)
    path = tmp_path / "one.safetensors"
    found = segment.read(path, segment.write(path, expected))
    for name in ARRAYS:
        array = getattr(found, name)
        assert type(array) is np.ndarray
        assert array.dtype == getattr(expected, name).dtype
        np.testing.assert_array_equal(array, getattr(expected, name))


def test_other_programs_can_read_a_segment(written: tuple[Path, WrittenFile]) -> None:
    from safetensors.numpy import load_file

    arrays = load_file(written[0])
    assert arrays["passage_ids"].tolist() == [1, 4, 7]
    assert arrays["residuals"].shape == (12, 2)
    assert set(arrays) == {
        "passage_ids", "passage_offsets", "positions", "residuals", "scales",
        "lists", "owners.low", "owners.high",
    }  # fmt: skip


def test_a_large_segment_has_all_that_a_search_wants(all_are_large: None, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    expected, path = some_passages(), tmp_path / "one.safetensors"
    written = segment.write(path, expected)
    for checks_all in (True, False):
        found = segment.read(path, written, checks_all=checks_all)
        assert found.list_ids is found.stored_list_ids
        for name in (*ARRAYS, "list_ids"):
            assert getattr(found, name).dtype == getattr(expected, name).dtype
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert set(load_file(path)) == {
        "passage_ids", "passage_offsets", "positions", "residuals", "scales",
        "list_offsets", "stored_list_ids", "owners",
    }  # fmt: skip


@pytest.mark.usefixtures("all_are_large")
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_leads_a_search_astray(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Content without a checksum is refused, or read within its bounds."""
    loops.load()
    codec, segment_of = small_codec(), some_passages()
    path = tmp_path_factory.mktemp("damaged") / "one.safetensors"
    written = segment.write(path, segment_of)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        found = segment.read(path, written, checks_all=False)
    except LibraryDamagedError:
        return
    query = vectors_of(5, 3)
    plan = probing.plan(query, codec, np.diff(found.list_offsets).astype(np.int64), EVERYTHING)
    everywhere = np.arange(len(found.passage_ids))
    places, totals = probing.approximate_scores(plan, found, everywhere >= 0)
    assert set(places.tolist()) <= set(everywhere.tolist())
    assert np.isfinite(totals).all()
    comparison = VectorComparison(query, codec)
    assert np.isfinite(comparison.some_of(found, everywhere, Job())).all()
    assert np.isfinite(comparison.all_of(found, everywhere, Job())).all()
    if segment.checksum(bytes(content)) != written.checksum:
        with pytest.raises(LibraryDamagedError):
            segment.read(path, written)


def forged(path: Path, **arrays: npt.NDArray[Any]) -> WrittenFile:
    """Write a file of these arrays over that at `path`, with a checksum that fits."""
    from safetensors.numpy import load, save

    data = save(load(path.read_bytes()) | arrays)
    path.write_bytes(data)
    return WrittenFile(len(data), segment.checksum(data))


LARGE_FORGERIES: dict[str, Callable[[InvertedLists], dict[str, npt.NDArray[Any]]]] = {
    "owners as four bytes": lambda built: {"owners": np.full(12, 0x30000000, np.uint32)},
    "owners as eight": lambda built: {"owners": np.full(12, 1 << 36, np.int64)},
    "lists beyond the end": lambda built: {"list_offsets": built.list_offsets + np.uint32(4)},
    "lists that turn back": lambda built: {"list_offsets": built.list_offsets[::-1].copy()},
    "passages beyond the end": lambda built: {
        "passage_offsets": built.passage_offsets * np.uint32(1 << 20)
    },
    "few scales": lambda built: {"scales": built.scales[:3]},
    "few residuals": lambda built: {"residuals": built.residuals[:3]},
    "flat residuals": lambda built: {"residuals": built.residuals.ravel()},
    "few list ids": lambda built: {"stored_list_ids": built.list_ids[:3]},
    "equal passages": lambda built: {"passage_ids": np.ones(3, np.int64)},
    "no passages": lambda built: {
        "passages": np.zeros(0, np.int64),
        "passage_offsets": np.zeros(1, np.uint32),
    },
    "wide positions": lambda built: {"positions": built.positions.astype(np.int64)},
}
SMALL_FORGERIES: dict[str, Callable[[InvertedLists], dict[str, npt.NDArray[Any]]]] = {
    "owners that turn back": lambda built: {
        "owners.low": np.arange(12, dtype=np.uint8)[::-1].copy()
    },
    "owners beyond the passages": lambda built: {"owners.low": np.full(12, 255, np.uint8)},
    "few owners": lambda built: {"owners.low": np.zeros(1, np.uint8)},
    "many bits": lambda built: {"owners.high": np.full(1 << 16, 255, np.uint8)},
    "lists without end": lambda built: {"lists": np.array([1 << 31], np.uint32)},
    "no lists": lambda built: {"lists": np.zeros(0, np.uint32)},
    "a passage without vectors": lambda built: {
        "passage_offsets": np.array([0, 0, 4, 12], np.uint32)
    },
}


@pytest.mark.parametrize("forgery", LARGE_FORGERIES.values(), ids=LARGE_FORGERIES)
@pytest.mark.usefixtures("all_are_large")
def test_a_checksum_that_fits_makes_no_large_segment_sound(
    forgery: Callable[[InvertedLists], dict[str, npt.NDArray[Any]]], tmp_path: Path
) -> None:
    path, built = tmp_path / "one.safetensors", some_passages()
    segment.write(path, built)
    written = forged(path, **forgery(built))
    for checks_all in (True, False):
        with pytest.raises(LibraryDamagedError, match="do not match"):
            segment.read(path, written, checks_all=checks_all)


@pytest.mark.parametrize("forgery", SMALL_FORGERIES.values(), ids=SMALL_FORGERIES)
def test_nor_a_small_one(
    forgery: Callable[[InvertedLists], dict[str, npt.NDArray[Any]]], tmp_path: Path
) -> None:
    path, built = tmp_path / "one.safetensors", some_passages()
    segment.write(path, built)
    with pytest.raises(LibraryDamagedError, match="do not match"):
        segment.read(path, forged(path, **forgery(built)))


@pytest.mark.usefixtures("all_are_large")
def test_copied_vectors_are_verified_one_by_one(tmp_path: Path) -> None:
    path, built = tmp_path / "one.safetensors", some_passages()
    segment.write(path, built)
    for forgery in (
        {"owners": built.owners + np.uint16(9)},
        {"stored_list_ids": built.list_ids[::-1].copy()},
    ):
        path.unlink()
        segment.write(path, built)
        written = forged(path, **forgery)
        segment.read(path, written, checks_all=False)
        with pytest.raises(LibraryDamagedError, match="do not match"):
            segment.read(path, written)


def test_a_segment_of_another_codec_is_refused(written: tuple[Path, WrittenFile]) -> None:
    path, file = written
    row = SegmentRow(path.name, "m", "c", 3, 12, file.size_bytes, file.checksum)
    assert OpenSegment.of(path.parent, row, small_codec()).alive == 3
    with pytest.raises(LibraryDamagedError, match="another codebook"):
        OpenSegment.of(path.parent, row, UncompressedCodec(8))


def test_lists_are_never_built_of_arrays_that_a_loop_cannot_walk() -> None:
    built = some_passages()
    odd = np.frombuffer(b"\0" + built.owners.tobytes(), np.uint8)[1:].view(np.uint16)
    for change in (
        {"owners": odd},
        {"owners": np.repeat(built.owners, 2)[::2]},
        {"residuals": np.asfortranarray(built.residuals)},
        {"stored_list_ids": built.list_ids.astype(np.int64)},
    ):
        with pytest.raises(ValueError, match=r"shape|rows of bytes"):
            replace(built, **change)


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_any_file_with_a_fitting_checksum_is_refused_or_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In child processes, which a fault would end; `bench fuzz` does the same for hours."""
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[3] / "benchmarks")
    fuzzing = importlib.import_module("fuzzing")
    for name in ("segment", "codebook"):
        kind = fuzzing.load(name)
        folder = tmp_path / name
        folder.mkdir()
        outcomes = fuzzing.explore(kind, kind.seeds(folder), folder, 11, max_attempts=150)
        assert not outcomes.findings
        assert outcomes.answers["answered"] >= 3
        assert len(outcomes.answers) > 1


@pytest.mark.skipif(sys.platform != "linux", reason="asks the system for what is in memory")
def test_mapped_data_uses_memory_only_when_read(tmp_path: Path) -> None:
    path = tmp_path / "one.safetensors"
    found = segment.read(path, segment.write(path, some_passages(700)))

    def resident_kb() -> int:
        maps = Path("/proc/self/smaps").read_text(encoding="utf-8").split(str(path))[1]
        return int(maps.partition("\nRss:")[2].split()[0])

    assert resident_kb() == 0
    before = found.residuals.copy()
    assert resident_kb() > 0
    found.rest()
    assert resident_kb() == 0
    np.testing.assert_array_equal(found.residuals, before)


def test_a_mapped_segment_cannot_be_written_to(written: tuple[Path, WrittenFile]) -> None:
    with pytest.raises(ValueError, match="read-only"):
        segment.read(*written).passage_ids[0] = 5


@settings(max_examples=50)
@given(data=st.data())
def test_any_changed_byte_is_noticed(
    written: tuple[Path, WrittenFile], data: st.DataObject, tmp_path_factory
) -> None:
    content = bytearray(written[0].read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    damaged = tmp_path_factory.mktemp("damaged") / "one.safetensors"
    damaged.write_bytes(content)
    with pytest.raises(LibraryDamagedError, match="bytes have changed"):
        segment.read(damaged, written[1])


@settings(max_examples=25)
@given(data=st.data())
def test_any_missing_or_added_byte_is_noticed(
    written: tuple[Path, WrittenFile], data: st.DataObject, tmp_path_factory
) -> None:
    content = written[0].read_bytes()
    length = data.draw(st.integers(0, len(content) - 1))
    damaged = tmp_path_factory.mktemp("damaged") / "one.safetensors"
    for changed in (content[:length], content + content[:1]):
        damaged.write_bytes(changed)
        with pytest.raises(LibraryDamagedError, match=r"cannot be read|instead of"):
            segment.read(damaged, written[1])


def test_a_file_of_another_layout_is_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "old.safetensors"
    save_file({"passage_ids": np.arange(3)}, path)
    data = path.read_bytes()
    with pytest.raises(LibraryDamagedError, match="unexpected layout"):
        segment.read(path, WrittenFile(len(data), segment.checksum(data)))


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LibraryDamagedError, match=r"gone\.safetensors is damaged .*winnow index"):
        segment.read(tmp_path / "gone.safetensors", WrittenFile(10, "0"))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_leaves_nothing_behind(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_file: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(DiskFullError, match=r"full. Free up space and try again"):
        segment.write(tmp_path / "index" / "one", some_passages())
    assert not list((tmp_path / "index").iterdir())


def test_another_trouble_with_the_disk_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(LibraryError, match="Input/output error"):
        segment.write(tmp_path / "one", some_passages())
    assert not list(tmp_path.iterdir())


def test_a_disk_that_can_remove_neither_reports_the_first_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one is that the system makes read-only when it fails."""

    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "fsync", refuse)
    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(LibraryError, match="cannot be written"):
        segment.write(tmp_path / "one", some_passages())


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.write_bytes(b"mapped by a search")
    with pytest.raises(LibraryError, match="exists"):
        segment.write(path, some_passages())
    assert path.read_bytes() == b"mapped by a search"
