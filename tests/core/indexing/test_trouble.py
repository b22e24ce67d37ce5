"""Unreadable files and folders: what stays, what is reported, and when they are retried."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EHOSTDOWN, EIO, EMFILE, ESTALE, ETIMEDOUT
from pathlib import Path
from typing import Any

import pytest

from core.documents import files
from core.documents.files import FileIdentity
from core.documents.reader import Reader
from core.errors import DocumentError, WinnowError
from core.indexing.read import document_rows, file_reading
from core.indexing.scan import reconcile
from core.library.library import Library
from core.progress import Job, Progress, Stage

from .conftest import MakeFile, assert_sound, contents, found, on_disk, put, touch

WasRead = Callable[[], list[str]]


def test_a_folder_that_is_not_there_keeps_its_documents(
    synced: Library, folder: Path, was_read: WasRead
) -> None:
    before = contents(synced)
    folder.rename(folder.with_name("unplugged"))
    report = synced.sync()
    assert (report.documents, report.removed, report.failed) == (3, 0, ())
    assert [one.is_there for one in synced.folders()] == [False]
    assert found(synced, "mice") == ["owl.txt"]
    folder.with_name("unplugged").rename(folder)
    synced.sync()
    assert contents(synced) == before
    assert was_read() == []


def test_a_drive_that_is_unplugged_before_a_changed_file_was_read(
    synced: Library, folder: Path
) -> None:
    """The file's old text stays until the new one can be read."""
    put(folder / "owl.txt", "The owl turns its head.")

    def unplug(progress: Progress) -> None:
        if progress.stage is Stage.READING and folder.exists():
            folder.rename(folder.with_name("unplugged"))

    for _ in range(2):
        report = synced.sync(Job(unplug))
        assert report.failed == ()
        assert found(synced, "mice") == ["owl.txt"]
    folder.with_name("unplugged").rename(folder)
    synced.sync()
    assert contents(synced) == on_disk(folder)
    assert_sound(synced)


def test_a_file_that_goes_before_it_is_read_is_no_failure(library: Library, folder: Path) -> None:
    put(folder / "crow.txt", "The crow hides food.")
    put(folder / "owl.txt", "The owl hunts mice.")
    library.add_folder(folder)

    def delete(progress: Progress) -> None:
        if progress.stage is Stage.READING:
            (folder / "owl.txt").unlink(missing_ok=True)

    assert library.sync(Job(delete)).failed == ()
    assert library.sync().documents == 1
    assert contents(library) == on_disk(folder)
    assert_sound(library)


def test_a_folder_that_cannot_be_listed_retains_its_documents(
    synced: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "sub":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refuse)
        report = synced.sync()
    assert report.documents == 3
    assert [(one.path, one.reason) for one in report.failed] == [
        (folder / "sub", "Permission denied")
    ]
    assert synced.sync().failed == ()
    assert contents(synced) == on_disk(folder)


def test_a_failed_file_has_a_reason_and_is_retried_when_it_changes(
    synced: Library, folder: Path, was_read: WasRead
) -> None:
    put(folder / "owl.docx", "This is no Word document.")
    report = synced.sync()
    assert [failure.path for failure in report.failed] == [folder / "owl.docx"]
    assert report.failed[0].reason
    assert report.documents == 3
    assert was_read() == ["owl.docx"]
    assert synced.sync().failed == report.failed
    assert was_read() == []
    put(folder / "owl.docx", "This is still no Word document.")
    synced.sync()
    assert was_read() == ["owl.docx"]
    (folder / "owl.docx").unlink()
    assert synced.sync().failed == ()


@pytest.mark.parametrize("number", [EIO, ESTALE, ETIMEDOUT, EHOSTDOWN, EMFILE])
@pytest.mark.parametrize("when", ["looked at", "handed over"])
def test_a_share_that_fails_while_a_changed_file_is_read_costs_nothing(
    number: int, when: str, synced: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its old text stays until the new one can be read, as soon as that is."""
    put(folder / "owl.txt", "The owl turns its head.")
    original = reconcile.open_plain

    def fail(path: Path, *arguments: Any) -> Any:
        if path.name == "owl.txt":
            raise OSError(number, os.strerror(number))
        return original(path, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(reconcile if when == "looked at" else files, "open_plain", fail)
        report = synced.sync()
        assert report.failed == ()
        assert report.problem.startswith(f"{folder / 'owl.txt'} cannot be read")
        assert found(synced, "mice") == ["owl.txt"]
    assert synced.sync().problem == ""
    assert contents(synced) == on_disk(folder)
    assert_sound(synced)


def test_a_file_that_becomes_unreadable_is_no_longer_found(synced: Library, folder: Path) -> None:
    (folder / "owl.docx").write_bytes(b"")
    put(folder / "owl.md", "The owl has **ears**.")
    synced.sync()
    assert found(synced, "ears") == ["owl.md"]
    (folder / "owl.md").write_bytes(b"\x00\x01\x02" * 500)
    touch(folder / "owl.md")
    report = synced.sync()
    assert folder / "owl.md" in {failure.path for failure in report.failed}
    assert found(synced, "ears") == []


def test_a_file_that_could_not_be_opened_is_tried_each_time(
    synced: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its permissions or its disk may be repaired without a change to size or time."""
    put(folder / "rook.txt", "The rook breeds in colonies.")
    content_hash = file_reading.content_hash

    def refuse(path: Path, on_step: Callable[[], None], expected: FileIdentity) -> str:
        if path.name == "rook.txt":
            raise PermissionError(13, "Permission denied")
        return content_hash(path, on_step, expected)

    with monkeypatch.context() as patch:
        patch.setattr(file_reading, "content_hash", refuse)
        for _ in range(2):
            (failure,) = synced.sync().failed
            assert failure.reason == "Permission denied"
    assert synced.sync().failed == ()
    assert found(synced, "colonies") == ["rook.txt"]


def test_times_that_no_catalog_can_hold_are_no_reason_to_stop(
    library: Library, folder: Path, make_file: MakeFile, was_read: WasRead
) -> None:
    """A clock that is wrong writes the year 2300 to a file, and mails say any year at all."""
    far_ns = 10_413_792_000_000_000_000
    put(folder / "crow.txt", "The crow hides food.")
    os.utime(folder / "crow.txt", ns=(far_ns, far_ns))
    mail = (
        b"From a@b.de Thu Jan  1 00:00:00 2500\nFrom: a@b.de\nSubject: Owls\n"
        b"Date: Fri, 1 Jan 2500 00:00:00 +0000\n\nOwls hunt mice.\n"
    )
    make_file("old.mbox", mail)
    library.add_folder(folder)
    assert library.sync().failed == ()
    assert found(library, "mice")
    was_read()
    assert library.sync().read == 0
    assert was_read() == []
    assert_sound(library)


def test_readers_that_cannot_be_started_are_not_the_documents_fault(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder / "crow.txt", "The crow hides food.")
    library.add_folder(folder)

    def refuse(_self: Reader, _path: Path, **_options: object) -> None:
        raise WinnowError("No process can be started; Close other programs.")

    with monkeypatch.context() as patch:
        patch.setattr(Reader, "read", refuse)
        with pytest.raises(WinnowError, match="Close other programs"):
            library.sync()
    report = library.sync()
    assert (report.documents, report.failed) == (1, ())


def test_an_error_of_ours_costs_one_document(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder / "crow.txt", "The crow hides food.")
    put(folder / "owl.txt", "The owl hunts mice.")
    library.add_folder(folder)
    split = document_rows.split

    def fail_once(document, count_tokens):
        if "crow" in document.pages[0].text:
            raise IndexError
        return split(document, count_tokens)

    monkeypatch.setattr(document_rows, "split", fail_once)
    report = library.sync()
    assert report.documents == 1
    assert [failure.reason for failure in report.failed] == [
        "An error in Winnow prevented reading it (IndexError)"
    ]


def test_a_document_error_names_no_path(synced: Library, folder: Path) -> None:
    """The reason is the end of a sentence that begins with the file's name."""
    (folder / "a.pdf").write_bytes(b"%PDF-1.7 no")
    (failure,) = synced.sync().failed
    assert str(folder) not in failure.reason
    with pytest.raises(DocumentError):
        Reader().read(folder / "a.pdf")


@contextmanager
def few_descriptors(count: int) -> Iterator[None]:
    """Leave this number of descriptors to the process."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = max(int(path.name) for path in Path("/proc/self/fd").iterdir()) + 64
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, limits[1]))
    descriptors = []
    try:
        with suppress(OSError):
            while True:
                descriptors.append(os.open(os.devnull, os.O_RDONLY))
        for _ in range(count):
            os.close(descriptors.pop())
        yield
    finally:
        for number in descriptors:
            os.close(number)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("count", range(12))
def test_a_sync_that_cannot_open_a_file_says_so_and_is_repeated(
    synced: Library, folder: Path, count: int
) -> None:
    put(folder / "inner" / "jay.txt", "The jay remembers who fed it.")
    put(folder / "inner" / "secret.txt", "The magpie must not be read.")
    put(folder / "inner" / ".gitignore", "secret.txt")
    reported = ""
    with few_descriptors(count):
        try:
            reported = synced.sync().problem
        except WinnowError as error:
            reported = str(error)
    is_found = found(synced, "jay") == ["jay.txt"]
    assert is_found or "too many files are open" in reported.lower() or "cannot be" in reported
    assert found(synced, "magpie") == []
    report = synced.sync()
    assert (report.problem, report.failed) == ("", ())
    assert found(synced, "jay") == ["jay.txt"]
    assert found(synced, "magpie") == []
    assert_sound(synced)
