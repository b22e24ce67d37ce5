"""Unpacked members are in a scratch folder, which is emptied."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock
import pytest

from core.documents.sandbox.scratch import Scratch, sweep
from core.errors import WinnowError
from core.library.library import Library
from core.requests import ReadMarkup
from tests.core.containers import zip_bytes

from .conftest import contents, put

ROOT = Path(__file__).resolve().parents[3]
SECRET = "xylophonequartz"

# Says so when a member lies unpacked, and waits there to be killed.
_READER = """
    import sys, threading
    from pathlib import Path
    from core.documents.reader import Reader
    from core.library.library import Library

    def read_member(_reader, _member, walk, **_named):
        print(walk.file(), flush=True)
        threading.Event().wait()

    if __name__ == "__main__":
        Reader.read_member = read_member
        with Library.open(Path(sys.argv[1])) as library:
            library.add_folder(Path(sys.argv[2]))
            library.sync()
"""


@pytest.fixture
def archive(folder: Path) -> Path:
    (folder / "a.zip").write_bytes(zip_bytes({"notes.txt": f"The {SECRET}.".encode()}))
    return folder / "a.zip"


@contextmanager
def reading(home: Path, folder: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Another Winnow during the reading of a member, and the file that it unpacked."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(_READER), str(home), str(folder)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        unpacked = Path(process.stdout.readline().strip())
        if not unpacked.is_file():
            process.kill()
            pytest.fail(process.stderr.read())
        yield process, unpacked
    finally:
        process.kill()
        process.communicate()


def scratch_files(home: Path) -> list[Path]:
    return [path for path in (home / ".scratch").rglob("*") if path.name != "making"]


def open_and_close(library: Library, _folder: Path) -> None:
    Library.open(library.home).close()


def remove_folder(library: Library, folder: Path) -> None:
    library.add_folder(folder)
    library.remove_folder(folder)


def check(library: Library, _folder: Path) -> None:
    assert library.check().problems == ()


@pytest.mark.parametrize("then", [open_and_close, remove_folder, check])
def test_scratch_files_of_a_killed_program_are_swept(
    library: Library, folder: Path, archive: Path, then: Callable[[Library, Path], None]
) -> None:
    with reading(library.home, folder) as (process, unpacked):
        assert SECRET in unpacked.read_text()
        # It is not removed while its process runs.
        sweep(library.home / ".scratch")
        assert unpacked.is_file()
        process.kill()
        process.wait()
    assert SECRET in unpacked.read_text()
    then(library, folder)
    assert scratch_files(library.home) == []


def test_a_removed_folders_members_go_from_where_they_were_unpacked(
    library: Library, folder: Path, archive: Path
) -> None:
    """The last one is kept to be shown again, and is left where it was read."""
    library.add_folder(folder)
    library.sync()
    (document,) = library.documents()
    assert SECRET in library.answer(ReadMarkup(document.id))[0].text
    held = [path for path in scratch_files(library.home) if path.is_file()]
    assert any(SECRET in path.read_text() for path in held)
    library.remove_folder(folder)
    held = [path for path in scratch_files(library.home) if path.is_file()]
    assert not any(SECRET in path.read_text() for path in held)
    library.add_folder(folder)
    library.sync()
    assert contents(library) == {str(archive / "notes.txt"): f"The {SECRET}."}


def test_a_folder_without_a_lock_is_swept(tmp_path: Path) -> None:
    put(tmp_path / ".scratch" / "0123456789abcdef" / "1.txt", SECRET)
    sweep(tmp_path / ".scratch")
    assert scratch_files(tmp_path) == []
    sweep(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_folder_that_is_in_use_is_not_swept_and_goes_when_it_is_closed(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / ".scratch")
    put(scratch.folder() / "1.txt", SECRET)
    put(scratch.folder() / "given" / "2.txt", SECRET)
    sweep(tmp_path / ".scratch")
    assert (scratch.folder() / "1.txt").is_file()
    scratch.empty()
    assert [path.name for path in scratch.folder().rglob("*")] == ["given"]
    scratch.close()
    assert scratch_files(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="other rights there")
def test_only_the_person_may_look_at_what_is_unpacked(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        folder = Scratch(tmp_path / ".scratch").folder()
    finally:
        os.umask(before)
    for path in (folder.parent, *scratch_files(tmp_path), folder.parent / "making"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_file_that_cannot_be_swept_is_reported(
    library: Library, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    put(library.home / ".scratch" / "0123456789abcdef" / "1.txt", SECRET)

    def refuse(_lock: filelock.BaseFileLock) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    with pytest.raises(WinnowError, match=r"cannot be removed \(Permission denied\)"):
        sweep(library.home / ".scratch")
    # No reason not to search.
    Library.open(library.home).close()
    assert "cannot be removed (Permission denied)" in caplog.text
