"""Files of vectors: readable by others, whole or refused, gone when they cannot be written."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import DiskFullError, LibraryDamagedError, LibraryError
from core.index import segment
from core.index.keeping import Members
from core.index.segment import Stored, WrittenFile

from .conftest import small_codec, vectors_of


def some_passages() -> list[Stored]:
    codec = small_codec()
    return [Stored(number, codec.encode(vectors_of(number, number))) for number in (4, 1, 7)]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, WrittenFile]:
    path = tmp_path_factory.mktemp("index") / "one.safetensors"
    return path, segment.write(path, some_passages())


def test_what_is_written_is_read(written: tuple[Path, WrittenFile]) -> None:
    found = segment.read(*written)
    assert found.passages.tolist() == [4, 1, 7]
    assert found.starts.tolist() == [0, 4, 5, 12]
    for place, one in enumerate(some_passages()):
        for field in ("centroids", "residuals", "scales"):
            expected = getattr(one.codes, field)
            given_back = getattr(found.codes_of(place), field)
            assert given_back.dtype == expected.dtype
            np.testing.assert_array_equal(given_back, expected)


def test_other_programs_can_read_a_segment(written: tuple[Path, WrittenFile]) -> None:
    from safetensors.numpy import load_file

    arrays = load_file(written[0])
    assert arrays["passages"].tolist() == [4, 1, 7]
    assert arrays["residuals"].shape == (12, 2)
    assert set(arrays) == {"passages", "starts", "centroids", "residuals", "scales"}


def test_a_mapped_segment_cannot_be_written_to(written: tuple[Path, WrittenFile]) -> None:
    with pytest.raises(ValueError, match="read-only"):
        segment.read(*written).passages[0] = 5


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
    kept = data.draw(st.integers(0, len(content) - 1))
    damaged = tmp_path_factory.mktemp("damaged") / "one.safetensors"
    for changed in (content[:kept], content + content[:1]):
        damaged.write_bytes(changed)
        with pytest.raises(LibraryDamagedError, match=r"cannot be read|in place of"):
            segment.read(damaged, written[1])


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LibraryDamagedError, match=r"gone\.safetensors is damaged .*winnow index"):
        segment.read(tmp_path / "gone.safetensors", WrittenFile(10, "0"))


def test_a_passage_without_vectors_is_a_bug_of_ours(tmp_path: Path) -> None:
    codec = small_codec()
    with pytest.raises(ValueError, match="without vectors"):
        segment.write(tmp_path / "one", [Stored(1, codec.encode(vectors_of(1, 0)))])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_leaves_nothing_behind(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_file: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(DiskFullError, match=r"full; make room and try again"):
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


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.write_bytes(b"mapped by a search")
    with pytest.raises(LibraryError, match="exists"):
        segment.write(path, some_passages())
    assert path.read_bytes() == b"mapped by a search"


def test_members_come_back_as_they_were(tmp_path: Path) -> None:
    """Of short passages in a byte each, of long ones in two."""
    codec = small_codec()
    for longest, kind in ((7, np.uint8), (700, np.uint16)):
        path = tmp_path / str(longest)
        members = [
            Members(np.array([longest, 0, 2]), np.array([2, 1])),
            Members(np.array([1]), np.array([1])),
        ]
        stored = [
            Stored(number, codec.encode(vectors_of(number, len(one.counts))), one)
            for number, one in enumerate(members, 1)
        ]
        found = segment.read(path, segment.write(path, stored))
        assert found.members is not None
        assert found.members.positions.dtype == found.members.counts.dtype == kind
        for place, one in enumerate(members):
            back = found.members_of(place)
            assert back is not None
            np.testing.assert_array_equal(back.positions, one.positions)
            np.testing.assert_array_equal(back.counts, one.counts)
    with pytest.raises(ValueError, match="some have none"):
        segment.write(tmp_path / "mixed", [stored[0], Stored(9, stored[1].codes)])
    assert not (tmp_path / "mixed").exists()
