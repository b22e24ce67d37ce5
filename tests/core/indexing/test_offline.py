"""Drives and shares that are away: their documents stay and are reported as offline."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.files import filesystems
from core.files.filesystems import Mount
from core.indexing.scan.scanning import Changes, root_at, scan
from core.library.library import Library
from core.progress import Job, Progress, Stage

from .conftest import assert_sound, contents, put


@pytest.fixture
def mount(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make the system report file systems mounted at these places, besides the root's."""

    def mount_at(*places: Path) -> None:
        table = (Mount(Path("/"), "ext4"), *(Mount(place, "vfat") for place in places))
        monkeypatch.setattr(filesystems, "mounted", lambda: table)

    return mount_at


def test_an_empty_mount_point_is_no_empty_folder(
    library: Library, folder: Path, mount: Callable[..., None], tmp_path: Path
) -> None:
    put(folder / "a.txt", "Crows.")
    mount(folder)
    library.add_folder(folder)
    library.sync()
    shutil.copytree(folder, tmp_path / "drive", copy_function=shutil.copy2)
    (folder / "a.txt").unlink()
    mount()
    for _ in range(2):
        assert library.sync().removed == 0
        (folder_status,) = library.status().folders
        assert not folder_status.is_there
        assert contents(library) == {str(folder / "a.txt"): "Crows."}
    shutil.copytree(tmp_path / "drive", folder, copy_function=shutil.copy2, dirs_exist_ok=True)
    mount(folder)
    assert library.sync().read == 0
    assert library.folders()[0].is_there
    (folder / "a.txt").unlink()
    assert library.sync().removed == 1
    assert_sound(library)


def test_a_removed_file_is_deleted_where_the_root_is_not_listed_as_a_mount(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a chroot, whose root is a folder of the file system outside."""
    monkeypatch.setattr(filesystems, "mounted", lambda: (Mount(Path("/proc"), "proc"),))
    put(folder / "a.txt", "Crows.")
    library.add_folder(folder)
    library.sync()
    (folder / "a.txt").unlink()
    assert library.sync().removed == 1
    assert contents(library) == {}
    assert library.folders()[0].is_there


def test_a_drive_inside_a_folder_may_be_away_while_the_rest_is_synced(
    library: Library, folder: Path, mount: Callable[..., None]
) -> None:
    put(folder / "here.txt", "Crows.")
    put(folder / "stick" / "there.txt", "Owls.")
    mount(folder / "stick")
    library.add_folder(folder)
    library.sync()
    (folder / "stick" / "there.txt").unlink()
    (folder / "here.txt").unlink()
    mount()
    assert library.sync().removed == 1
    assert contents(library) == {str(folder / "stick" / "there.txt"): "Owls."}
    assert library.folders()[0].is_there


def test_a_folder_that_is_added_round_one_whose_drive_is_away_keeps_its_documents(
    library: Library, folder: Path, mount: Callable[..., None]
) -> None:
    put(folder / "here.txt", "Crows.")
    put(folder / "stick" / "there.txt", "Owls.")
    mount(folder / "stick")
    library.add_folder(folder / "stick")
    library.sync()
    (folder / "stick" / "there.txt").unlink()
    mount()
    library.add_folder(folder)
    for _ in range(2):
        assert library.sync().removed == 0
        assert contents(library) == {
            str(folder / "here.txt"): "Crows.",
            str(folder / "stick" / "there.txt"): "Owls.",
        }


@pytest.fixture
def cut_off(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Simulate a mounted share that does not answer, as when its server is down."""
    originals = {name: getattr(os, name) for name in ("stat", "scandir")}

    def cut(place: Path) -> None:
        def refusing(name: str) -> Callable[..., Any]:
            def refuse(path: Any, *args: Any, **options: Any) -> Any:
                if not isinstance(path, int) and Path(os.fsdecode(path)).is_relative_to(place):
                    raise OSError(errno.ENOTCONN, "Transport endpoint is not connected")
                return originals[name](path, *args, **options)

            return refuse

        for name in originals:
            monkeypatch.setattr(os, name, refusing(name))

    return cut


def test_a_share_that_no_longer_answers_is_offline(
    library: Library, folder: Path, cut_off: Callable[[Path], None]
) -> None:
    put(folder / "a.txt", "Crows.")
    library.add_folder(folder)
    library.sync()
    cut_off(folder)
    library.rebuild()
    assert library.sync().removed == 0
    (folder_status,) = library.status().folders
    assert not folder_status.is_there
    assert contents(library) == {str(folder / "a.txt"): "Crows."}


def test_a_share_that_stops_to_answer_while_it_is_read_keeps_its_documents(
    library: Library, folder: Path, cut_off: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder / "a.txt", "Crows.")
    put(folder / "b.txt", "Owls.")
    library.add_folder(folder)
    library.sync()
    library.rebuild()

    def cut(progress: Progress) -> None:
        if progress.stage is Stage.READING:
            cut_off(folder)

    assert library.sync(Job(cut)).failed == ()
    assert len(contents(library)) == 2
    monkeypatch.undo()
    assert library.sync().read == 2
    assert_sound(library)


def test_a_copy_of_a_drive_in_its_place_is_an_ordinary_folder(
    library: Library, folder: Path, mount: Callable[..., None]
) -> None:
    put(folder / "a.txt", "Crows.")
    put(folder / "b.txt", "Owls.")
    mount(folder)
    library.add_folder(folder)
    library.sync()
    mount()
    (folder / "b.txt").unlink()
    assert library.sync().removed == 1
    (folder / "a.txt").unlink()
    assert library.sync().removed == 1
    assert contents(library) == {}


def test_the_systems_own_file_systems_are_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder / "proc" / "a.txt", "x")
    table = (Mount(Path("/"), "ext4"), Mount(folder / "proc", "proc"))
    monkeypatch.setattr(filesystems, "mounted", lambda: table)
    assert not scan(folder, lambda _folder, _files: None).files


def test_only_changed_places_are_scanned(library: Library, folder: Path) -> None:
    put(folder / "a" / "1.txt", "Crows.")
    put(folder / "b" / "2.txt", "Owls.")
    put(folder / "b" / "in" / "3.txt", "Rooks.")
    library.add_folder(folder)
    library.sync()
    for name in ("a/1.txt", "b/2.txt", "b/in/3.txt"):
        put(folder / name, "Swifts.")
    (folder / "b" / "in" / "3.txt").unlink()
    assert library.sync(changed=[folder / "a" / "1.txt"]).read == 1
    report = library.sync(changed=[folder / "b" / "in"])
    assert (report.read, report.removed) == (1, 1)  # its siblings are scanned, too
    shutil.move(folder / "a", folder / "moved")
    report = library.sync(changed=[folder / "a", folder / "moved"])
    assert (report.read, report.removed) == (0, 0)
    assert set(contents(library)) == {str(folder / "moved/1.txt"), str(folder / "b/2.txt")}
    put(folder / "b" / ".gitignore", "2.txt")
    assert library.sync(changed=[folder / "b" / ".gitignore"]).removed == 1
    put(folder / "node_modules" / "x.txt", "x")
    assert library.sync(changed=[folder / "node_modules" / "x.txt"]).read == 0
    assert_sound(library)


def test_a_gitignore_applies_to_all_its_siblings() -> None:
    changes = Changes([Path("/docs/a/.gitignore")])
    assert changes.are_in("/docs/a/b")
    assert not changes.are_in("/docs/b")


def test_a_folder_is_written_in_one_way(library: Library, folder: Path) -> None:
    """However it is named: here by another name for the same folder."""
    (folder / "sub").mkdir()
    link = folder.parent / "link"
    link.symlink_to(folder)
    library.add_folder(folder)
    assert library.add_folder(link).path == folder
    assert library.add_folder(link / "sub").path == folder
    assert root_at(link / "sub", [folder]) == folder / "sub"
    assert len(library.folders()) == 1


def test_names_that_differ_in_their_form_alone_are_two_files_and_a_renamed_one_is_one(
    library: Library, folder: Path
) -> None:
    composed, decomposed = folder / "caf\u00e9.txt", folder / "cafe\u0301.txt"
    put(composed, "Crows.")
    put(decomposed, "Owls.")
    if len(list(folder.iterdir())) == 1:
        pytest.skip("one file to this file system")
    library.add_folder(folder)
    library.sync()
    assert contents(library) == {str(composed): "Crows.", str(decomposed): "Owls."}
    decomposed.unlink()
    library.sync()
    composed.rename(decomposed)
    report = library.sync()
    assert (report.read, report.removed) == (0, 0)
    assert contents(library) == {str(decomposed): "Crows."}


def test_a_path_of_more_than_260_characters(library: Library, folder: Path) -> None:
    deep = folder
    for _ in range(6):
        deep = deep / ("x" * 60)
    put(deep / "a.txt", "Crows.")
    library.add_folder(folder)
    library.sync()
    assert contents(library) == {str(deep / "a.txt"): "Crows."}


def test_the_mount_of_a_folder_is_the_innermost(tmp_path: Path) -> None:
    table = (Mount(Path("/"), "ext4"), Mount(tmp_path, "cifs"), Mount(Path("/nowhere"), "nfs"))
    assert filesystems.mount_of(tmp_path, table).is_polled
    assert not filesystems.mount_of(tmp_path.parent, table).is_polled
    assert filesystems.mount_of(tmp_path, ()).point in [tmp_path, *tmp_path.parents]
