"""Files that no reader can take, whatever its format: enormous, gone, or shut."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.documents import files
from core.documents.formats import FORMATS, load_function, reads_little
from core.documents.reader import Reader
from core.errors import DocumentError
from tests.core.containers import container_bytes
from tests.core.documents.passes import go_through

_READ = {format_.reader: format_.suffixes[0] for format_ in FORMATS if format_.reader}
_OPENED = {format_.members: format_.suffixes[0] for format_ in FORMATS if format_.members}
# A file that begins like a whole one is checked more closely.
_STARTS = {
    ".zip": container_bytes("a.zip", {"a.txt": "Crows"}),
    ".eml": b"Subject: Crows\n\n",
}
_sparse_only = pytest.mark.skipif(
    sys.platform == "win32", reason="files are sparse only where that is asked for there"
)


@contextmanager
def _sparse(path: Path, start: bytes = b"") -> Iterator[Path]:
    """Give a file of 10 GB of which next to nothing is on the disk."""
    with path.open("wb") as file:
        file.write(start)
        file.truncate(10 << 30)
    yield path
    path.unlink()


@_sparse_only
@pytest.mark.parametrize("suffix", _READ.values())
def test_ten_gigabytes_are_not_read(tmp_path: Path, reader: Reader, suffix: str) -> None:
    is_film = reads_little(Path(f"large{suffix}"))  # of any size, and this is none
    reason = "Damaged: not a supported audio or video" if is_film else "Larger than 2000 MB"
    refused = pytest.raises(DocumentError, match=reason)
    with _sparse(tmp_path / f"large{suffix}") as path, refused:
        reader.read(path)


@_sparse_only
@pytest.mark.parametrize("suffix", [*_OPENED.values(), ".7z", ".tar.gz"])
def test_ten_gigabytes_of_nothing_are_not_opened(
    tmp_path: Path, reader: Reader, suffix: str
) -> None:
    refused = pytest.raises(DocumentError, match=r"Larger than|Damaged|only zero bytes")
    for start in {b"", _STARTS.get(suffix, b"")}:
        large = _sparse(tmp_path / f"large{suffix}", start)
        with large as path, refused, reader.members(path) as walk:
            list(walk)


@_sparse_only
@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tar.xz"])
def test_content_before_ten_gigabytes_of_nothing_is_read(
    tmp_path: Path, reader: Reader, name: str
) -> None:
    whole = container_bytes(name, {"a.txt": "Crows"})
    start = whole[:1024] if name == "a.tar" else whole
    with _sparse(tmp_path / name, start) as path, reader.members(path) as walk:
        assert [step.inner_path for step in walk] == [("a.txt",)]


@pytest.mark.parametrize("name", _READ)
def test_a_file_that_disappears_before_it_is_opened_is_missing(tmp_path: Path, name: str) -> None:
    with pytest.raises(DocumentError, match=r"^No longer exists$"):
        load_function(name)(tmp_path / f"gone{_READ[name]}")


@pytest.mark.parametrize("name", _OPENED)
def test_a_container_that_disappears_before_it_is_opened_is_missing(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises((DocumentError, FileNotFoundError), match=r"No longer exists|No such file"):
        go_through(tmp_path / f"gone{_OPENED[name]}", load_function(name), tmp_path)


@contextmanager
def _as_other_user() -> Iterator[None]:
    """Give up the superuser's rights, who may read everything; nothing to give up for others."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.skipif(sys.platform == "win32", reason="other rights there")
def test_a_file_without_read_permission_is_reported(tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    shut.mkdir()
    path = shut / "a.txt"
    path.write_text("Crows.")
    for rights_of_file, rights_of_folder in ((0o000, 0o755), (0o644, 0o000)):
        path.chmod(rights_of_file)
        shut.chmod(rights_of_folder)
        with _as_other_user(), pytest.raises(DocumentError, match="Permission denied"):
            files.read_bytes(path)
        shut.chmod(0o755)
