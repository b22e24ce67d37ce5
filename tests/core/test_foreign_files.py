"""Files that others put there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from core import foreign_files
from core.errors import Cancelled
from core.foreign_files import UnexpectedFileError
from core.progress import Job


def test_a_regular_file_is_read_whole_up_to_its_bound(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(3 << 20))
    assert foreign_files.read(file, 3 << 20) == bytes(3 << 20)
    with pytest.raises(UnexpectedFileError):
        foreign_files.read(file, (3 << 20) - 1)
    with pytest.raises(FileNotFoundError):
        foreign_files.read(tmp_path / "nothing", 1)


def test_reading_ends_when_it_is_cancelled(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(3 << 20))
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        foreign_files.read(file, 3 << 20, job.checkpoint)


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes and devices in folders")
@pytest.mark.parametrize("kind", ["pipe", "link", "device", "folder"])
def test_nothing_else_than_a_regular_file_is_read(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "place"
    match kind:
        case "pipe":
            os.mkfifo(place)
        case "link":
            (tmp_path / "elsewhere").write_bytes(b"x")
            place.symlink_to(tmp_path / "elsewhere")
        case "device":
            place.symlink_to("/dev/zero")
        case "folder":
            place.mkdir()
    with pytest.raises(UnexpectedFileError):
        foreign_files.read(place, 100)
    with pytest.raises(UnexpectedFileError):
        foreign_files.check(place, 1 << 20)
