"""Locations of files on this machine, and of objects in a bucket."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.files.filesystems import FileStamp
from core.files.locations import Location

IN_BUCKET = "s3://team/reports/a b.pdf"


@pytest.mark.parametrize("path", [IN_BUCKET, Path(IN_BUCKET), str(Path(IN_BUCKET))])
def test_an_object_is_recognised_by_its_address_and_by_its_path(path: str | Path) -> None:
    location = Location.of(path)
    assert not location.is_local
    assert location.is_absolute
    assert location.path == Path(IN_BUCKET)
    assert location.local_path is None
    assert str(location) == IN_BUCKET
    assert location.url == "s3://team/reports/a%20b.pdf"


def test_a_path_in_a_bucket_is_resolved_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    location = Location.of(IN_BUCKET)
    assert location.absolute() == location.resolved() == location.path
    assert not location.is_on_disk()


def test_a_bucket_counts_as_there_without_being_queried() -> None:
    location = Location.of("s3://no-such-bucket-of-anybody/folder")
    assert location.is_folder()
    assert location.is_file()


def test_a_file_is_local(tmp_path: Path) -> None:
    file = tmp_path / "a b.txt"
    file.write_text("owl")
    link = tmp_path / "link.txt"
    link.symlink_to(file)
    location = Location.of(link)
    assert location.is_local
    assert location.is_absolute
    assert location.local_path == link
    assert location.absolute() == link
    assert location.resolved() == file.resolve()
    assert location.url == link.as_uri()
    assert location.is_file()
    assert location.is_on_disk()
    assert not location.is_folder()
    assert location.can_be_read()
    assert location.stamp() == FileStamp(3, file.stat().st_mtime_ns)


def test_a_missing_path_is_no_folder_and_has_no_stamp(tmp_path: Path) -> None:
    location = Location.of(tmp_path / "gone")
    assert not location.is_folder()
    assert not location.is_file()
    assert not location.is_on_disk()
    with pytest.raises(FileNotFoundError):
        location.stamp()


def test_a_name_without_a_folder_is_no_local_path() -> None:
    location = Location.of("notes/a b.txt")
    assert location.is_local
    assert not location.is_absolute
    assert location.local_path is None
    assert location.url == "file://notes/a%20b.txt"
