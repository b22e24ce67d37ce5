"""Tests of bounded reads from foreign folders."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from core.errors import Cancelled
from core.files import foreign_files
from core.files.foreign_files import UnexpectedFileError
from core.progress import Job


def test_a_regular_file_is_read_up_to_the_size_limit(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(3 << 20))
    assert foreign_files.read(file, 3 << 20) == bytes(3 << 20)
    with pytest.raises(UnexpectedFileError):
        foreign_files.read(file, (3 << 20) - 1)
    with pytest.raises(FileNotFoundError):
        foreign_files.read(tmp_path / "nothing", 1)


def test_cancelling_stops_a_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(3 << 20))
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        foreign_files.read(file, 3 << 20, job.checkpoint)


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes and devices in folders")
@pytest.mark.parametrize("kind", ["pipe", "link", "device", "folder"])
def test_only_regular_files_are_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "path"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "link":
            (tmp_path / "elsewhere").write_bytes(b"x")
            path.symlink_to(tmp_path / "elsewhere")
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
    with pytest.raises(UnexpectedFileError):
        foreign_files.read(path, 100)
    with pytest.raises(UnexpectedFileError):
        foreign_files.check(path, 1 << 20)
