"""Tests of files mapped into memory."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from core.files.mapped_files import MappedFile

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def descriptors() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def mappings(path: Path) -> int:
    return sum(str(path) in line for line in Path("/proc/self/maps").read_text().splitlines())


def test_the_bytes_are_those_of_the_file_and_read_only(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 100)
    mapped = MappedFile(path)
    assert mapped.data.tobytes() == path.read_bytes()
    mapped.rest()
    assert mapped.data[-1] == 255
    with pytest.raises(ValueError, match="read-only"):
        mapped.data[0] = 1


@linux_only
def test_mapped_files_hold_no_descriptors(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"1234")
    before = descriptors()
    held = [MappedFile(path) for _ in range(50)]
    assert descriptors() == before
    assert mappings(path) == len(held)


@linux_only
def test_a_file_is_unmapped_with_its_last_array(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345678")
    part = MappedFile(path).data[4:8].view(np.uint16)
    gc.collect()
    assert mappings(path) == 1
    assert part.tobytes() == b"5678"
    del part
    gc.collect()
    assert mappings(path) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes in folders")
def test_what_is_no_file_with_content_is_refused_at_once(tmp_path: Path) -> None:
    pipe, empty = tmp_path / "pipe", tmp_path / "empty"
    os.mkfifo(pipe)
    empty.touch()
    for path in (pipe, empty, tmp_path, tmp_path / "missing", Path("/dev/zero")):
        with pytest.raises(OSError, match=path.name):
            MappedFile(path)
