"""Documents inside other ones, as a sync finds, keeps, moves and removes them."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from core.catalog import document_queries
from core.catalog.scope import Scope
from core.documents.reader import Reader
from core.errors import DocumentError
from core.indexing.read import document_rows
from core.library.library import Library
from core.progress import Progress
from core.requests import DrawPage, LocateSpans
from core.responses import Mode
from tests.core.containers import (
    mail_bytes,
    zip_bytes,
)
from tests.core.documents.conftest import pdf_bytes
from tests.core.indexing.conftest import (
    PAPERS,
    MakeFile,
    Noted,
    assert_in_step,
    assert_sound,
    every,
    found,
    ids,
    put,
    touch,
)

# Found, as in folders


def test_members_are_found_where_they_lie(papers: Library, folder: Path) -> None:
    archive = folder / "papers.zip"
    hits = {hit.path: hit.title for hit in papers.search("the", mode=Mode.MEANING).hits}
    assert hits == {
        archive / "crow.txt": "crow",
        archive / "2024" / "owl.md": "owl",
        archive / "in.zip" / "swift.txt": "swift",
        archive / "note.eml": "note",
        archive / "note.eml" / "rook.txt": "rook",
    }
    assert_in_step(papers, {archive: PAPERS})


def test_a_scope_may_be_an_archive_or_a_folder_in_it(papers: Library, folder: Path) -> None:
    archive = folder / "papers.zip"
    for place, names in (
        (folder, {"crow.txt", "owl.md", "swift.txt", "note.eml", "rook.txt"}),
        (archive / "2024", {"owl.md"}),
        (archive / "in.zip", {"swift.txt"}),
        (archive / "note.eml", {"note.eml", "rook.txt"}),
    ):
        results = papers.search("the", mode=Mode.WORDS, scope=Scope(paths=(place,)))
        assert {hit.path.name for hit in results.hits} == names
    by_kind = papers.search("the", mode=Mode.WORDS, scope=Scope(suffixes=(".md",)))
    assert [hit.path.name for hit in by_kind.hits] == ["owl.md"]
    large = papers.search("the", mode=Mode.WORDS, scope=Scope(least_bytes=25))
    assert archive / "crow.txt" not in {hit.path for hit in large.hits}


def test_only_documents_are_counted_as_documents(papers: Library, folder: Path) -> None:
    assert papers.status().documents == 5
    assert papers.status().failed == 0
    assert [one.documents for one in papers.folders()] == [5]
    assert len(papers.documents()) == 5
    report = papers.sync()
    assert (report.without_text, report.failed, report.unsupported) == ((), (), ())


def test_a_page_in_an_archive_is_drawn_until_the_archive_changes(
    library: Library, folder: Path, make_file: MakeFile
) -> None:
    pdf = pdf_bytes([[(50, 500, 12, "Crows are clever")]])
    archive = make_file("a.zip", zip_bytes({"in.zip": zip_bytes({"paper.pdf": pdf})}))
    library.add_folder(folder)
    library.sync()
    (hit,) = library.search("clever", mode=Mode.WORDS).hits
    assert hit.path == archive / "in.zip" / "paper.pdf"
    assert hit.has_page_images
    image = library.answer(DrawPage(hit.document_id, 1, 200, ((0, 5),)))
    assert image.boxes[0]
    size = (image.width, image.height)
    assert library.answer(LocateSpans(hit.document_id, 1, *size, ((0, 5),))) == image.boxes
    touch(archive)
    with pytest.raises(DocumentError, match="Changed since it was indexed"):
        library.answer(DrawPage(hit.document_id, 1, 200))
    archive.unlink()
    with pytest.raises(DocumentError, match="No longer exists"):
        library.answer(DrawPage(hit.document_id, 1, 200))


# In step with their container


def test_a_touched_archive_is_not_opened(
    papers: Library, folder: Path, members_read: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reader, "members", lambda *_arguments: pytest.fail("was opened"))
    touch(folder / "papers.zip")
    papers.sync()
    touch(folder / "papers.zip")
    assert papers.sync().failed == ()
    assert members_read() == []


def test_unchanged_members_of_an_archive_retain_their_vectors(
    papers: Library, folder: Path, make_file: MakeFile, members_read: Noted
) -> None:
    archive = folder / "papers.zip"
    unchanged = ("2024/owl.md", "in.zip/swift.txt", "note.eml", "note.eml/rook.txt")
    before = ids(papers, archive, *unchanged)
    changed = {**PAPERS, "crow.txt": "The crow counts.", "new.txt": "The robin sings."}
    make_file("papers.zip", changed)
    report = papers.sync()
    assert members_read() == ["crow.txt", "new.txt"]
    assert report.read == 2
    assert ids(papers, archive, *unchanged) == before
    assert found(papers, "food") == []
    assert_in_step(papers, {archive: changed})


def test_a_member_removed_from_an_archive_is_removed(
    papers: Library, folder: Path, make_file: MakeFile
) -> None:
    left = {"2024/owl.md": PAPERS["2024/owl.md"]}
    archive = make_file("papers.zip", left)
    papers.sync()
    assert_in_step(papers, {archive: left})
    make_file("papers.zip", {})
    papers.sync()
    assert_in_step(papers, {archive: {}})


def test_members_moved_within_an_archive_retain_their_vectors(
    papers: Library, folder: Path, make_file: MakeFile, members_read: Noted
) -> None:
    moved = {
        "old/crow.txt": PAPERS["crow.txt"],
        "crow.txt": PAPERS["2024/owl.md"],  # another kind of file: read again
        "deep/in.zip": PAPERS["in.zip"],
        "2025/note.eml": PAPERS["note.eml"],
    }
    archive = folder / "papers.zip"
    before = ids(papers, archive, "crow.txt", "in.zip/swift.txt", "note.eml/rook.txt")
    make_file("papers.zip", moved)
    papers.sync()
    # A mail without a subject is called by its file's name, which is the same.
    assert members_read() == ["crow.txt"]
    places = ("old/crow.txt", "deep/in.zip/swift.txt", "2025/note.eml/rook.txt")
    assert ids(papers, archive, *places) == before
    assert_in_step(papers, {archive: moved})


def test_equal_members_that_move_are_each_read_once(
    library: Library,
    folder: Path,
    make_file: MakeFile,
    members_read: Noted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not each held against all others: an archive may have thousands that are empty."""
    places = [f"{number:02}/note.txt" for number in range(40)]
    archive = make_file("papers.zip", {f"old/{place}": "All the same." for place in places})
    library.add_folder(folder)
    library.sync()
    assert len(members_read()) == 40
    before = ids(library, archive, *(f"old/{place}" for place in places))
    rows: list[str] = []
    known = document_queries._known

    def noted(row: sqlite3.Row) -> document_queries.KnownDocument:
        rows.append(row["path"])
        return known(row)

    monkeypatch.setattr(document_queries, "_known", noted)
    moved = {f"new/{place}": "All the same." for place in places}
    make_file("papers.zip", moved)
    library.sync()
    assert members_read() == []
    # Each of them, and the archive now and then.
    assert len(rows) < 2 * 40
    assert ids(library, archive, *moved) == before
    assert_in_step(library, {archive: moved})


def test_a_member_renamed_within_an_archive_has_its_new_name(
    papers: Library, folder: Path, make_file: MakeFile, members_read: Noted
) -> None:
    renamed = {**PAPERS, "raven.txt": PAPERS["crow.txt"]}
    del renamed["crow.txt"]
    make_file("papers.zip", renamed)
    papers.sync()
    assert members_read() == ["raven.txt"]
    (hit,) = papers.search("food", mode=Mode.WORDS).hits
    assert hit.title == "raven"


def test_the_mails_of_a_mailbox_without_a_suffix_are_found(
    library: Library, folder: Path, make_file: MakeFile
) -> None:
    mail = mail_bytes("Crows.", {}, subject="Birds")
    make_file("Inbox", b"From - Mon Jun 01 10:00:00 2009\n" + mail)
    make_file("Inbox.msf", b"// <!-- <mdb:mork:z v='1.4'/> -->")
    make_file("Inbox-like", b"From - Mon Jun 01 10:00:00 2009\n" + mail)
    library.add_folder(folder)
    report = library.sync()
    assert [document.path.parent.name for document in library.documents()] == ["Inbox"]
    assert report.failed == ()


def test_mails_that_move_up_in_a_mailbox_keep_their_vectors(
    library: Library, folder: Path, make_file: MakeFile, members_read: Noted
) -> None:
    def box(*numbers: int) -> bytes:
        mails = [
            mail_bytes(f"Crows {n}.", {"a.txt": b"Owls %d." % n}, subject=f"Birds {n}")
            for n in numbers
        ]
        return b"".join(b"From a Mon Jun 01 10:00:00 2009\n" + mail + b"\n" for mail in mails)

    path = make_file("inbox.mbox", box(1, 2, 3, 4))
    library.add_folder(folder)
    library.sync()
    assert len(members_read()) == 8
    before = [
        ids(library, path, f"0000{n} Birds {n}.eml", f"0000{n} Birds {n}.eml/a.txt") for n in (2, 4)
    ]
    make_file("inbox.mbox", box(2, 4))
    library.sync()
    assert members_read() == []
    after = [
        ids(library, path, f"0000{at} Birds {n}.eml", f"0000{at} Birds {n}.eml/a.txt")
        for at, n in ((1, 2), (2, 4))
    ]
    assert after == before
    make_file("inbox.mbox", box(5, 2, 4))
    library.sync()
    assert members_read() == ["00001 Birds 5.eml", "00001 Birds 5.eml/a.txt"]
    again = ids(library, path, "00002 Birds 2.eml", "00003 Birds 4.eml")
    assert again == [before[0][0], before[1][0]]
    assert library.status().documents == 6
    assert_sound(library)


def test_two_members_that_change_places(papers: Library, folder: Path, make_file: MakeFile) -> None:
    changed = dict(PAPERS)
    changed["crow.txt"], changed["2024/owl.md"] = changed["2024/owl.md"], changed["crow.txt"]
    archive = make_file("papers.zip", changed)
    papers.sync()
    assert_in_step(papers, {archive: changed})


def test_a_mistaken_copy_is_still_at_its_old_place(
    papers: Library, folder: Path, make_file: MakeFile
) -> None:
    """The first of two equal members may get the vectors of the second one's container."""
    copied = {"2023/rook.txt": "The rook breeds in colonies.", **PAPERS}
    archive = make_file("papers.zip", copied)
    papers.sync()
    assert_in_step(papers, {archive: copied})


def test_a_changed_archive_in_an_archive_keeps_what_has_not_changed(
    library: Library, folder: Path, make_file: MakeFile, members_read: Noted
) -> None:
    inner = {"a.txt": "Crows.", "b.txt": "Owls."}
    archive = make_file("papers.zip", {"in.zip": inner})
    library.add_folder(folder)
    library.sync()
    members_read()
    before = ids(library, archive, "in.zip/b.txt")
    changed = {"in.zip": {**inner, "a.txt": "Rooks."}}
    make_file("papers.zip", changed)
    library.sync()
    assert members_read() == ["in.zip/a.txt"]
    assert ids(library, archive, "in.zip/b.txt") == before
    assert_in_step(library, {archive: changed})


def test_a_mail_that_changes_keeps_its_attachments(
    library: Library, folder: Path, make_file: MakeFile, members_read: Noted
) -> None:
    note = make_file("note.eml", {"body": "Crows.", "a.txt": "Owls."})
    library.add_folder(folder)
    library.sync()
    members_read()
    before = ids(library, note, "a.txt")
    changed = {"body": "Rooks.", "a.txt": "Owls."}
    make_file("note.eml", changed)
    library.sync()
    assert members_read() == []
    assert ids(library, note, "a.txt") == before
    assert_in_step(library, {note: changed})


# With the files


def test_a_moved_archive_takes_its_members_along(
    papers: Library, folder: Path, members_read: Noted
) -> None:
    before = ids(papers, folder / "papers.zip", "crow.txt", "note.eml/rook.txt")
    (folder / "sub").mkdir()
    moved = (folder / "papers.zip").rename(folder / "sub" / "old.zip")
    report = papers.sync()
    assert (members_read(), report.removed) == ([], 0)
    assert ids(papers, moved, "crow.txt", "note.eml/rook.txt") == before
    assert_in_step(papers, {moved: PAPERS})


def test_an_archive_that_moves_to_another_folder_belongs_there(
    papers: Library, folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    papers.add_folder(other)
    moved = (folder / "papers.zip").rename(other / "papers.zip")
    papers.sync()
    assert {one.path.name: one.documents for one in papers.folders()} == {
        "documents": 0,
        "other": 5,
    }
    papers.remove_folder(folder)
    assert_in_step(papers, {moved: PAPERS})


def test_members_go_with_their_container(papers: Library, folder: Path) -> None:
    (folder / "papers.zip").unlink()
    papers.sync()
    assert papers.status().documents == papers.status().passages == 0
    assert_sound(papers)


def test_a_folder_with_archives_can_be_removed(papers: Library, folder: Path) -> None:
    papers.remove_folder(folder)
    assert papers.status().documents == papers.status().passages == 0
    assert papers.documents() == ()


def test_a_folder_in_an_archive_s_place_and_the_archive_elsewhere(
    papers: Library, folder: Path
) -> None:
    moved = (folder / "papers.zip").rename(folder / "old.zip")
    put(folder / "papers.zip" / "crow.txt", "The crow hides food.")
    papers.sync()
    plain = folder / "papers.zip" / "crow.txt"
    assert_in_step(papers, {moved: PAPERS, plain: "The crow hides food."})
    shutil.rmtree(folder / "papers.zip")
    moved.rename(folder / "papers.zip")
    papers.sync()
    assert_in_step(papers, {folder / "papers.zip": PAPERS})


def test_a_folder_that_is_removed_while_its_archive_is_read(
    library: Library, folder: Path, make_file: MakeFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_rows, "_STORE_S", 0.0)
    make_file("papers.zip", PAPERS)
    library.add_folder(folder)

    def remove(progress: Progress) -> None:
        if "in.zip" in progress.what and library.folders():
            library.remove_folder(folder)

    library.sync(every(remove))
    library.sync()
    assert (library.status().documents, library.status().passages) == (0, 0)
    assert (
        library._catalog.connection().execute("SELECT count(*) FROM documents").fetchone()[0] == 0
    )
