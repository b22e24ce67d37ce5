"""Documents inside other ones that cannot be read, and syncs that are cut short."""

from __future__ import annotations

from errno import EIO, ENOSPC, EROFS
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.documents.containers.members import Member
from core.documents.document import Document
from core.documents.reader import ContainerWalk, Reader
from core.documents.sandbox.scratch import Scratch
from core.errors import Cancelled, DocumentError
from core.library.library import Library
from core.progress import Progress, Stage
from tests.core.containers import (
    container_bytes,
    sevenzip_bytes,
    zip_bytes,
)
from tests.core.indexing.conftest import (
    PAPERS,
    MakeFile,
    Noted,
    assert_in_step,
    assert_sound,
    contents,
    every,
    found,
)


@pytest.mark.parametrize("after", range(1, 9))
def test_a_cancelled_sync_goes_on_where_it_was(
    library: Library, folder: Path, make_file: MakeFile, members_read: Noted, after: int
) -> None:
    archive = make_file("papers.zip", PAPERS)
    library.add_folder(folder)
    reported = 0

    def cancel(progress: Progress) -> None:
        nonlocal reported
        reported += progress.stage is Stage.READING
        if reported == after:
            job.cancel()

    job = every(cancel)
    if after < 8:
        with pytest.raises(Cancelled):
            library.sync(job)
    first = members_read()
    library.sync()
    # At most the mail that was being read, whose attachment was not read yet, is read again.
    assert set(first) & set(members_read()) <= {"note.eml"}
    assert_in_step(library, {archive: PAPERS})


@pytest.mark.parametrize("after", [1, 2, 3, 4])
def test_a_mail_with_attachments_is_read_until_all_are_done(
    library: Library, folder: Path, make_file: MakeFile, after: int
) -> None:
    """However early the person cancels, and though the mail's own text has been stored by then."""
    mail = {"body": "Crows.", "a.txt": "Owls.", "b.txt": "Rooks."}
    note = make_file("note.eml", mail)
    library.add_folder(folder)
    reported = 0

    def cancel(progress: Progress) -> None:
        nonlocal reported
        reported += progress.stage is Stage.READING
        if reported == after:
            job.cancel()

    job = every(cancel)
    with pytest.raises(Cancelled):
        library.sync(job)
    library.sync()
    assert_in_step(library, {note: mail})


@pytest.mark.parametrize("goes_back", [False, True])
def test_an_archive_that_changes_while_it_is_read_is_read_again(
    library: Library,
    folder: Path,
    make_file: MakeFile,
    monkeypatch: pytest.MonkeyPatch,
    goes_back: bool,
) -> None:
    """Also when it ends as it began: half of it was read from another version."""
    archive = make_file("papers.zip", PAPERS)
    library.add_folder(folder)
    changed = {"crow.txt": "The crow counts.", "new.txt": "The robin sings."}
    members = Reader.members

    def open_late(self: Reader, *arguments: Any) -> Any:
        make_file("papers.zip", changed)
        return members(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Reader, "members", open_late)
        library.sync()
    if goes_back:
        make_file("papers.zip", PAPERS)
    library.sync()
    assert_in_step(library, {archive: PAPERS if goes_back else changed})


# Unreadable members


def test_an_unreadable_member_has_a_reason(
    library: Library, folder: Path, make_file: MakeFile, members_read: Noted
) -> None:
    inside = {"a.txt": b"Crows.", "b.docx": b"no document", "../c.txt": b"x", "in.zip": b"PK no"}
    archive = make_file("papers.zip", zip_bytes(inside))
    library.add_folder(folder)
    report = library.sync()
    reasons = {str(one.path.relative_to(archive)): one.reason for one in report.failed}
    assert reasons.keys() == {"b.docx", "c.txt", "in.zip"}
    assert reasons["c.txt"] == "Its name is a path outside its archive"
    assert "Damaged" in reasons["in.zip"]
    assert (report.documents, library.status().failed) == (1, 3)
    # Nothing of it is tried again until it changes.
    members_read()
    make_file("papers.zip", zip_bytes({**inside, "d.txt": b"Owls."}))
    again = library.sync()
    assert members_read() == ["d.txt"]
    assert again.failed == report.failed
    make_file("papers.zip", zip_bytes({**inside, "b.docx": b"other", "in.zip": zip_bytes({})}))
    library.sync()
    assert members_read() == ["b.docx"]
    assert {one.path.name for one in library.failures()} == {"b.docx", "c.txt"}


def test_a_container_that_needs_a_password_is_reported(
    library: Library, folder: Path, make_file: MakeFile
) -> None:
    make_file("a.7z", sevenzip_bytes({"a.txt": b"x"}, password="x"))
    library.add_folder(folder)
    (failure,) = library.sync().failed
    assert (failure.path.name, failure.reason) == ("a.7z", "Password required")
    assert library.sync().failed == (failure,)


def test_the_readable_part_of_a_cut_archive_is_found_and_the_loss_is_reported(
    library: Library, folder: Path, make_file: MakeFile
) -> None:
    whole = container_bytes("a.tar", {"a.txt": "Crows.", "b.txt": "Owls.", "c.txt": "Rooks."})
    archive = make_file("a.tar", whole)
    library.add_folder(folder)
    library.sync()
    assert library.status().documents == 3
    make_file("a.tar", whole[:1400])
    (failure,) = library.sync().failed
    assert failure.path == archive
    assert "Damaged" in failure.reason
    assert contents(library) == {str(archive / "a.txt"): "Crows."}
    assert_sound(library)
    make_file("a.tar", whole)
    assert library.sync().failed == ()
    assert library.status().documents == 3


@pytest.mark.parametrize(
    ("place", "name", "number"),
    [(ContainerWalk, "__iter__", ENOSPC), (ContainerWalk, "file", EIO), (Scratch, "_make", EROFS)],
)
def test_a_container_for_which_there_is_no_room_waits_until_there_is(
    papers: Library,
    folder: Path,
    make_file: MakeFile,
    monkeypatch: pytest.MonkeyPatch,
    place: type,
    name: str,
    number: int,
) -> None:
    """A full disk is no verdict on a document, and costs no other one."""
    papers.close()
    library = Library.open(papers.home)
    changed = {**PAPERS, "new.txt": "The robin sings."}
    archive = make_file("papers.zip", changed)
    (folder / "plain.txt").write_text("The wren is small.")

    def fill(*_: object) -> None:
        raise OSError(number, "No room")

    with monkeypatch.context() as patch:
        patch.setattr(place, name, fill)
        for _ in range(2):
            report = library.sync()
            assert report.failed == ()
            assert report.problem == (
                f"{archive} cannot be read or unpacked (No room). Free up space or check the "
                "disk; the next indexing run continues with the remaining files."
            )
            assert [one.waiting for one in library.folders()] == [1]
    # Complete members can be found meanwhile, in each way.
    assert found(library, "food") == ["crow.txt"]
    assert found(library, "wren") == ["plain.txt"]
    assert library.status().waiting == 0
    report = library.sync()
    assert (report.failed, report.problem) == ((), "")
    (folder / "plain.txt").unlink()
    library.sync()
    assert_in_step(library, {archive: changed})
    library.close()


def test_a_full_disk_while_unpacking_is_reported_at_the_terminal(
    library: Library,
    folder: Path,
    make_file: MakeFile,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_file("papers.zip", PAPERS)
    monkeypatch.setenv("WINNOW_HOME", str(library.home))

    def fill(*_: object) -> None:
        raise OSError(ENOSPC, "No room")

    with monkeypatch.context() as patch:
        patch.setattr(ContainerWalk, "file", fill)
        assert main(["index", str(folder)]) == 1
    output = capsys.readouterr()
    assert "papers.zip cannot be read or unpacked (No room). Free up space" in output.err
    assert "could not be read:" not in output.out
    assert main(["index"]) == 0
    assert_in_step(library, {folder / "papers.zip": PAPERS})


def test_an_error_of_ours_costs_one_member(
    library: Library, folder: Path, make_file: MakeFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_file("papers.zip", PAPERS)
    library.add_folder(folder)
    read = Reader.read_member

    def fail_once(self: Reader, member: Member, walk: ContainerWalk, **options: Any) -> Document:
        if member.inner_path == ("crow.txt",):
            raise ZeroDivisionError
        return read(self, member, walk, **options)

    monkeypatch.setattr(Reader, "read_member", fail_once)
    report = library.sync()
    assert report.documents == 4
    assert [one.reason for one in report.failed] == [
        "An error in Winnow prevented reading it (ZeroDivisionError)"
    ]


def test_attachments_that_cannot_be_had_do_not_cost_the_mail(
    library: Library, folder: Path, make_file: MakeFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = make_file("note.eml", {"body": "Crows.", "a.txt": "Owls."})
    library.add_folder(folder)

    def fail(_walk: ContainerWalk) -> None:
        raise DocumentError("Took longer than 60 s")

    with monkeypatch.context() as patch:
        patch.setattr(ContainerWalk, "__iter__", fail)
        (failure,) = library.sync().failed
    assert (failure.path, failure.reason) == (note / "attachments", "Took longer than 60 s")
    assert found(library, "crows") == ["note.eml"]
    changed = {"body": "Rooks.", "a.txt": "Owls."}
    make_file("note.eml", changed)
    assert library.sync().failed == ()
    assert_in_step(library, {note: changed})


def test_a_mail_that_becomes_unreadable_takes_its_attachments_along(
    library: Library, folder: Path, make_file: MakeFile
) -> None:
    make_file("note.eml", {"body": "Crows.", "a.txt": "Owls."})
    library.add_folder(folder)
    library.sync()
    make_file("note.eml", bytes(range(256)) * 2)
    (failure,) = library.sync().failed
    assert failure.path.name == "note.eml"
    assert library.status().documents == 0
    assert_sound(library)
