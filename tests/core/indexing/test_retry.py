"""Unreadable files are retried on request, wherever they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.containers.members import Member
from core.documents.document import Document
from core.documents.reader import Reader
from core.errors import DocumentError
from core.library.library import Library
from tests.core.containers import zip_bytes

from .conftest import Noted, assert_sound, contents, put


def refuse_locked(patch: pytest.MonkeyPatch) -> None:
    """Make readers reject any file called "locked"."""
    read, read_member = Reader.read, Reader.read_member

    def read_or_refuse(self: Reader, path: Path, **options: object) -> Document:
        if "locked" in path.name:
            raise DocumentError("Password required")
        return read(self, path, **options)

    def read_member_or_refuse(self: Reader, member: Member, *more: object, **options: object):
        if "locked" in member.inner_path[-1]:
            raise DocumentError("Password required")
        return read_member(self, member, *more, **options)

    patch.setattr(Reader, "read", read_or_refuse)
    patch.setattr(Reader, "read_member", read_member_or_refuse)


def test_an_unreadable_file_is_read_on_request(
    library: Library, folder: Path, was_read: Noted
) -> None:
    put(folder / "locked.txt", "Crows.")
    put(folder / "open.txt", "Owls.")
    archive = folder / "a.zip"
    archive.write_bytes(zip_bytes({"locked.txt": b"Rooks.", "open.txt": b"Swifts."}))
    library.add_folder(folder)
    with pytest.MonkeyPatch.context() as patch:
        refuse_locked(patch)
        report = library.sync()
        assert {failure.path for failure in report.failed} == {
            folder / "locked.txt",
            archive / "locked.txt",
        }
    # Nothing is retried automatically: the files are unchanged.
    assert len(library.sync().failed) == 2
    was_read()

    assert library.retry() == 2
    report = library.sync()
    assert report.failed == ()
    assert contents(library) == {
        str(folder / "locked.txt"): "Crows.",
        str(folder / "open.txt"): "Owls.",
        str(archive / "locked.txt"): "Rooks.",
        str(archive / "open.txt"): "Swifts.",
    }
    # Files that were read are not read again.
    assert was_read() == ["locked.txt"]
    assert_sound(library)
    assert library.retry() == 0
    assert library.sync().read == 0
