"""Opening a document's file for the process that reads it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from core.documents import files
from core.documents.files import FileIdentity, copy_handed, handed, open_file, opened, size_of
from core.errors import DocumentError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there a path is handed over")


def _identity(path: Path) -> FileIdentity:
    return FileIdentity.of(path.stat())


def test_a_file_that_took_another_one_s_place_is_not_opened(tmp_path: Path) -> None:
    note, secret = tmp_path / "note.txt", tmp_path / "secret.txt"
    note.write_text("Crows")
    secret.write_text("secret")
    expected = _identity(note)
    note.unlink()
    note.symlink_to(secret)
    with pytest.raises(DocumentError, match="Replaced"), opened(note, expected):
        pass


def test_a_link_that_comes_while_a_file_is_opened_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, secret = tmp_path / "note.txt", tmp_path / "secret.txt"
    note.write_text("Crows")
    secret.write_text("secret")
    open_plain = files.open_plain

    def swap(path: Path, expected: FileIdentity | None = None) -> object:
        path.unlink()
        path.symlink_to(secret)
        return open_plain(path, expected)

    monkeypatch.setattr(files, "open_plain", swap)
    with pytest.raises(DocumentError, match="Cannot be read"), opened(note):
        pass


def test_a_file_that_was_handed_over_is_read_without_its_name(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_bytes(bytes(range(256)) * 1000)
    content = path.read_bytes()
    with opened(path) as (descriptor,):
        own = os.dup(descriptor)
    path.rename(tmp_path / "elsewhere")
    with handed({path: own}):
        assert size_of(path) == len(content)
        with open_file(path) as first, open_file(path) as second:
            assert second.read(10) == content[:10]
            assert first.read() == content  # each has a separate position
            assert second.seek(-5, os.SEEK_END) == len(content) - 5
            assert second.read() == content[-5:]
            second.seek(20)
            assert second.seek(5, os.SEEK_CUR) == 25
            with pytest.raises(OSError, match="Invalid"):
                second.seek(-100, os.SEEK_CUR)
        (tmp_path / "copies").mkdir()
        copy = copy_handed(path, tmp_path / "copies")
        assert copy.name == path.name
        assert copy.read_bytes() == content
    with pytest.raises(FileNotFoundError):
        open_file(path)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(own)
