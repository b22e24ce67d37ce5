"""Maildirs: their mails are found, and deliveries and flags read no mail again."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.catalog.scope import Scope
from core.documents.formats import format_of, suffixes_of
from core.library.library import Library
from core.responses import Mode
from tests.core.containers import mail_bytes, tar_bytes

from .conftest import MakeFile, Noted, found, ids, put

NEW = "1715000000.M204P9871.mail.example.org"
SEEN = "1714000000.V801I2cM3.host:2,S"


@pytest.fixture
def maildir(folder: Path, make_file: MakeFile) -> Path:
    for name in ("cur", "new", "tmp"):
        (folder / "Mail" / name).mkdir(parents=True)
    make_file(f"Mail/cur/{SEEN}", mail_bytes("Crows cache.", {}, subject="Birds"))
    make_file(f"Mail/new/{NEW}", mail_bytes("Owls hunt.", {"a.txt": b"Swifts."}, subject="Night"))
    return folder / "Mail"


@pytest.mark.parametrize(
    "path",
    [
        f"cur/{SEEN}",
        f"new/{NEW}",
        f"cur/{NEW}:2,",
        "cur/1715000000.M5P7.host,S=4503,W=4600:2,RS",  # Dovecot
        "cur/1715000000_0.1234.host,U=5,FMD5=7e33429f656f1e6e9d79b29c3f82c57e:2,S",  # OfflineIMAP
        "cur/1715000000.1234_1.host,U=12;2,S",  # on Windows
        "new/1715000000.12345_1.mail.example.pl",
    ],
)
def test_mails_are_recognised_by_their_names(path: str) -> None:
    assert format_of(Path("Maildir") / path) is format_of(Path("a.eml"))


@pytest.mark.parametrize(
    "path",
    ["new/letter.docx", "new/20240501_scan.jpg", "cur/1715000000", f"tmp/{NEW}", f"Inbox/{SEEN}",
     "new/1715000000_4711.jpg", "cur/dovecot-uidlist"],
)  # fmt: skip
def test_other_files_in_such_folders_are_no_mails(path: str) -> None:
    assert format_of(Path("Maildir") / path) is not format_of(Path("a.eml"))


def test_mails_and_their_attachments_are_found(library: Library, maildir: Path) -> None:
    library.add_folder(maildir.parent)
    report = library.sync()
    assert (report.failed, report.unsupported) == ((), ())
    titles = {hit.title for hit in library.search("crows owls", mode=Mode.WORDS).hits}
    assert titles == {"Birds", "Night"}
    assert found(library, "swifts") == ["a.txt"]


def test_only_new_mails_are_read(
    library: Library, maildir: Path, make_file: MakeFile, was_read: Noted
) -> None:
    library.add_folder(maildir.parent)
    library.sync()
    was_read()
    before = ids(library, maildir / "new" / NEW, "")
    # It was shown: the mail moves to the other folder, and gets a flag.
    (maildir / "new" / NEW).rename(maildir / "cur" / f"{NEW}:2,S")
    (maildir / "cur" / SEEN).rename(maildir / "cur" / f"{SEEN}RF")
    fresh = "1716000000.M1P2.host"
    make_file(f"Mail/new/{fresh}", mail_bytes("Rooks nest.", {}, subject="Spring"))
    library.sync()
    assert was_read() == [fresh]
    assert ids(library, maildir / "cur" / f"{NEW}:2,S", "") == before
    assert {hit.title for hit in library.search("cache nest", mode=Mode.WORDS).hits} == {
        "Birds",
        "Spring",
    }


def test_subfolders_with_a_dot_are_included(
    library: Library, maildir: Path, make_file: MakeFile
) -> None:
    make_file(f"Mail/.Sent.2024/cur/{SEEN}", mail_bytes("Ravens play.", {}, subject="Winter"))
    put(maildir / ".notmuch" / "config.txt", "Ravens")
    put(maildir.parent / ".cache" / "cur" / "a.txt", "Ravens")
    library.add_folder(maildir.parent)
    library.sync()
    assert [hit.title for hit in library.search("ravens", mode=Mode.WORDS).hits] == ["Winter"]


def test_mails_in_a_packed_maildir_are_found(
    library: Library, folder: Path, make_file: MakeFile
) -> None:
    mails = {
        f"Mail/cur/{SEEN}": mail_bytes("Crows cache.", {}, subject="Birds"),
        f"Mail/new/{NEW}": mail_bytes("Owls hunt.", {"a.txt": b"Swifts."}, subject="Night"),
    }
    make_file("mail.tar.gz", tar_bytes(mails, "gz"))
    library.add_folder(folder)
    report = library.sync()
    assert report.failed == ()
    assert {hit.title for hit in library.search("crows owls", mode=Mode.WORDS).hits} == {
        "Birds",
        "Night",
    }
    assert found(library, "swifts") == ["a.txt"]


def test_a_filter_by_type_includes_mails_of_a_maildir_and_older_logs(
    library: Library, maildir: Path
) -> None:
    put(maildir.parent / "app.log.1", "Crows cache.")
    library.add_folder(maildir.parent)
    library.sync()
    for kind, name in (("mail", SEEN), ("text", "app.log.1")):
        scope = Scope(suffixes=suffixes_of(kind))
        hits = library.search("crows", mode=Mode.WORDS, scope=scope).hits
        assert [hit.path.name for hit in hits] == [name]
