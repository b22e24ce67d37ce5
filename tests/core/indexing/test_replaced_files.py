"""A file replaced by another of the same size and time is read, an unchanged one is not."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from core.files import filesystems
from core.files.filesystems import FileStamp, Mount
from core.indexing.read import file_reading
from core.library.library import Library

from .conftest import contents, passage_ids, put

CROWS, TEXT = "Crows hide food.", "Owls  hunt mice."
assert len(CROWS) == len(TEXT)


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Paths of the files whose content is hashed from now on."""
    paths: list[Path] = []
    hash_content = file_reading.content_hash

    def note(path: Path, *arguments: object) -> str:
        paths.append(path)
        return hash_content(path, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(file_reading, "content_hash", note)
    return paths


@pytest.fixture
def bird(library: Library, folder: Path) -> Path:
    path = folder / "bird.txt"
    put(path, CROWS)
    library.add_folder(folder)
    library.sync()
    assert contents(library) == {str(path): CROWS}
    return path


def move_over(path: Path, status: os.stat_result) -> None:
    other = path.with_name("other.part")
    other.write_text(TEXT, "utf-8")
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(path)


def copy_over(path: Path, status: os.stat_result) -> None:
    other = path.with_name("other.part")
    other.write_text(TEXT, "utf-8")
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    shutil.copy2(other, path)
    other.unlink()


def write_into(path: Path, status: os.stat_result) -> None:
    path.write_text(TEXT, "utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def link_over(path: Path, status: os.stat_result) -> None:
    other = path.with_name("other.part")
    other.write_text(TEXT, "utf-8")
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    path.unlink()
    path.hardlink_to(other)
    other.unlink()


@pytest.mark.parametrize("replace", [move_over, copy_over, write_into, link_over])
def test_another_content_of_the_same_size_and_time_is_read(
    replace: Callable[[Path, os.stat_result], None], bird: Path, library: Library
) -> None:
    before = bird.stat()
    replace(bird, before)
    after = bird.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    library.sync()
    assert contents(library) == {str(bird): TEXT}


def test_an_unchanged_file_is_not_opened(bird: Path, library: Library, hashed: list[Path]) -> None:
    library.sync()
    library.sync()
    assert bird.is_file()
    assert hashed == []


def test_changed_attributes_are_looked_at_once(
    bird: Path, library: Library, hashed: list[Path]
) -> None:
    numbers = [
        row["id"] for row in library._catalog.connection().execute("SELECT id FROM passages")
    ]
    bird.chmod(stat.S_IRUSR | stat.S_IWUSR | stat.S_IXUSR)
    library.sync()
    assert hashed == [bird]
    library.sync()
    assert hashed == [bird]
    assert passage_ids(library, bird) == numbers


@pytest.mark.parametrize("kind", ["cifs", "nfs4", "fuse.sshfs", "vfat"])
def test_on_shares_and_sticks_only_size_and_time_count(
    kind: str, library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch, hashed: list[Path]
) -> None:
    """Their numbers and other times may differ whenever they are mounted."""
    monkeypatch.setattr(filesystems, "mounted", lambda: (Mount(Path("/"), kind),))
    put(folder / "bird.txt", CROWS)
    library.add_folder(folder)
    library.sync()
    hashed.clear()
    (folder / "bird.txt").chmod(stat.S_IRUSR | stat.S_IWUSR | stat.S_IXUSR)
    library.sync()
    assert hashed == []
    put(folder / "bird.txt", TEXT)
    library.sync()
    assert contents(library) == {str(folder / "bird.txt"): TEXT}


def test_a_catalog_without_identities_learns_them_without_reading(
    bird: Path, library: Library, hashed: list[Path]
) -> None:
    with library._catalog.transaction() as db:
        db.execute("DELETE FROM file_identities")
    library.sync()
    assert hashed == []
    move_over(bird, bird.stat())
    library.sync()
    assert contents(library) == {str(bird): TEXT}


def test_a_moved_file_keeps_its_passages_and_its_identity(
    bird: Path, library: Library, hashed: list[Path]
) -> None:
    put(bird.with_name("old.txt"), "A heron stands in the reeds.")
    library.sync()
    bird.with_name("old.txt").rename(bird.with_name("new.txt"))
    library.sync()
    hashed.clear()
    library.sync()
    assert hashed == []
    assert sorted(contents(library)) == [str(bird), str(bird.with_name("new.txt"))]


@pytest.mark.parametrize(
    ("kind", "has_ctime", "has_inode"),
    [
        ("ext4", True, True),
        ("btrfs", True, True),
        ("overlay", True, False),
        ("", True, False),
        ("exfat", False, False),
        ("fuse.rclone", False, False),
    ],
)
def test_what_a_file_system_keeps(
    kind: str, has_ctime: bool, has_inode: bool, tmp_path: Path
) -> None:
    stamp = FileStamp.of(tmp_path.stat(), Mount(Path("/"), kind))
    assert (stamp.ctime_ns > 0, stamp.inode > 0) == (has_ctime, has_inode)
    assert not stamp.may_be_another(stamp)
    assert stamp.may_be_another(FileStamp(stamp.size_bytes, stamp.mtime_ns - 1))
    assert not stamp.may_be_another(FileStamp(stamp.size_bytes, stamp.mtime_ns))
