"""The files of a folder that are indexed, determined without opening them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from core.errors import Cancelled
from core.files.excluded_names import Rule, is_excluded
from core.files.filesystems import FileStamp
from core.indexing.scan.scanning import ScanResult, scan
from core.library.library import Library
from tests.core.containers import zip_bytes
from tests.core.indexing.conftest import contents, put


def scanned(folder: Path) -> ScanResult:
    return scan(folder, lambda _folder, _files: None)


def names(paths, folder: Path) -> list[str]:
    return sorted(str(Path(path).relative_to(folder)) for path in paths)


def test_files_are_listed_by_kind_with_size_and_time(folder: Path) -> None:
    put(folder / "a.txt", "four")
    put(folder / "sub" / "B.PDF", "")
    put(folder / "c.xyz", "")
    found = scanned(folder)
    assert names(found.files, folder) == ["a.txt", "sub/B.PDF"]
    assert names(found.unsupported, folder) == ["c.xyz"]
    status = (folder / "a.txt").stat()
    assert found.files[str(folder / "a.txt")] == FileStamp(4, status.st_mtime_ns)


def test_hidden_and_temporary_files_are_left_out(folder: Path) -> None:
    for name in (
        ".hidden.txt",
        ".git/config.txt",
        "node_modules/a.md",
        "sub/__pycache__/a.txt",
        "~$letter.docx",
        "letter.docx~",
        "half.pdf.part",
        "half.txt.crdownload",
        "a.txt.tmp",
    ):
        put(folder / name, "x")
    put(folder / "kept" / "node_modules.txt", "x")
    found = scanned(folder)
    assert names(found.files, folder) == ["kept/node_modules.txt"]
    assert found.unsupported == []
    assert not is_excluded(["a.b", "c.txt"])


def test_a_requested_hidden_folder_is_scanned(tmp_path: Path) -> None:
    put(tmp_path / ".notes" / "a.txt", "x")
    assert names(scanned(tmp_path / ".notes").files, tmp_path) == [".notes/a.txt"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_to_folders_are_not_followed_and_end(folder: Path, tmp_path: Path) -> None:
    put(tmp_path / "elsewhere" / "a.txt", "x")
    put(folder / "sub" / "b.txt", "x")
    (folder / "sub" / "loop").symlink_to(folder)
    (folder / "elsewhere").symlink_to(tmp_path / "elsewhere")
    (folder / "nowhere.txt").symlink_to(folder / "gone.txt")
    (folder / "self.txt").symlink_to(folder / "self.txt")
    (folder / "link.txt").symlink_to(tmp_path / "elsewhere" / "a.txt")
    found = scanned(folder)
    assert names(found.files, folder) == ["sub/b.txt"]
    assert found.closed == []
    assert found.excluded == {Rule.LINK_IN: 1, Rule.LINK_OUT: 2}


def test_a_folder_that_goes_while_it_is_scanned_is_closed(folder: Path) -> None:
    put(folder / "sub" / "a.txt", "x")

    def remove(_folder: Path, _files: int) -> None:
        if (folder / "sub" / "a.txt").exists():
            (folder / "sub" / "a.txt").unlink()
            (folder / "sub").rmdir()

    found = scan(folder / "sub", remove)
    assert [failure.path for failure in found.closed] == [folder / "sub"]


@pytest.mark.skipif(os.name == "nt", reason="other rights there")
def test_a_file_of_unknown_state_is_closed_not_missing(
    folder: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that may be listed but not entered, or a network drive that stumbles."""
    put(folder / "a.txt", "Crows.")
    put(folder / "b.txt", "Owls.")
    library.add_folder(folder)
    library.sync()
    scandir = os.scandir

    class Entry:
        def __init__(self, entry: os.DirEntry[str]) -> None:
            self.name, self.path, self.is_dir = entry.name, entry.path, entry.is_dir
            self.is_symlink = entry.is_symlink

        def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
            raise PermissionError(13, "Permission denied")

    def listed(path: str | Path) -> Any:
        entries = scandir(path)
        return [Entry(entry) for entry in entries] if path == str(folder) else entries

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", listed)
        report = library.sync()
    assert report.documents == 2
    assert {failure.reason for failure in report.failed} == {"Permission denied"}
    assert library.sync().failed == ()


def test_a_scan_can_be_cancelled_at_each_folder(folder: Path) -> None:
    put(folder / "a" / "b" / "c.txt", "x")
    seen: list[tuple[Path, int]] = []

    def note(path: Path, files: int) -> None:
        seen.append((path, files))
        if path.name == "a":
            raise Cancelled

    with pytest.raises(Cancelled):
        scan(folder, note)
    assert seen == [(folder, 0), (folder / "a", 0)]


@pytest.mark.skipif(os.name == "nt", reason="names are always text there")
def test_a_name_that_is_no_text_costs_that_file_alone(library: Library, folder: Path) -> None:
    """Old disks and archives hold names in other encodings than this system's."""
    put(folder / "a.txt", "Crows.")
    (Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt"))).write_text("Owls.")
    (Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9"))).mkdir()
    (Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9/b.txt"))).write_text("Owls.")
    (Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.xyz"))).write_text("x")
    library.add_folder(folder)
    for _ in range(2):
        report = library.sync()
        assert contents(library) == {str(folder / "a.txt"): "Crows."}
        assert sorted(failure.path.name for failure in report.failed) == ["caf�", "caf�.txt"]
        for failure in report.failed:
            assert failure.reason == "The file name is not valid text. Rename the file."
        # Reported paths can be shown and printed.
        assert all(str(path).isprintable() for path in report.unsupported)


@pytest.mark.parametrize("name", ["emoji 🦉.txt", "new\nline.txt", "e\u0301.txt", "'\"%_*.txt"])
def test_any_name_that_is_text_is_accepted(name: str, library: Library, folder: Path) -> None:
    try:
        put(folder / name, "Owls.")
    except OSError:
        pytest.skip("no such names on this disk")
    library.add_folder(folder)
    library.sync()
    assert contents(library) == {str(folder / name): "Owls."}
    assert library.sync().read == 0


@pytest.mark.skipif(os.name == "nt", reason="a setting of the system's there")
def test_a_path_of_many_hundred_characters_is_accepted(library: Library, folder: Path) -> None:
    path = folder.joinpath(*(letter * 100 for letter in "abcdef"), "note.txt")
    put(path, "Crows.")
    archive = zip_bytes({f"{'g' * 150}/{'h' * 150}.txt": b"Owls."})
    path.with_name("in.zip").write_bytes(archive)
    library.add_folder(folder)
    assert library.sync().failed == ()
    assert sorted(contents(library).values()) == ["Crows.", "Owls."]
    assert max(map(len, contents(library))) > 900


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")
def test_a_pipe_named_like_a_document_does_not_block(library: Library, folder: Path) -> None:
    os.mkfifo(folder / "a.txt")
    library.add_folder(folder)
    (failure,) = library.sync().failed
    assert failure.reason == "Not a regular file (pipe, socket or device)"
