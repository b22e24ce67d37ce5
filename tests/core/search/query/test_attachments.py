"""`has:attachment` finds mails with an attachment."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from core.encoders.encoder import Encoder
from core.errors import BadValueError
from core.library.library import Library
from core.requests import CountFacets
from core.responses import Mode
from core.search.query.language import clause, parse
from tests.conftest import indexed_library

every_mode = pytest.mark.parametrize("mode", list(Mode))


def mail(subject: str, attachment: str = "") -> bytes:
    message = EmailMessage()
    message["From"] = "Ann Bell <ann@example.org>"
    message["Subject"] = subject
    message["Date"] = "Fri, 03 May 2019 12:00:00 +0000"
    message.set_content("Owls hunt mice at night.")
    if attachment:
        message.add_attachment("Owls sleep by day.", filename=attachment)
    return bytes(message)


def write_documents(folder: Path) -> None:
    (folder / "offer.eml").write_bytes(mail("Offer", "offer.txt"))
    (folder / "plain.eml").write_bytes(mail("Plain"))
    lines = b"".join(
        b"From ann@example.org Fri May  3 12:00:00 2019\n" + one + b"\n"
        for one in (mail("Kept", "kept.txt"), mail("Bare"))
    )
    (folder / "inbox.mbox").write_bytes(lines)
    (folder / "note.txt").write_text("Owls hunt mice.")
    with zipfile.ZipFile(folder / "owls.zip", "w") as archive:
        archive.writestr("owl.txt", "Owls hunt mice from an archive.")


@pytest.fixture(scope="module")
def mails(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An indexed library of the documents. Tests must not change it."""
    root = tmp_path_factory.mktemp("shared")
    (root / "documents").mkdir()
    write_documents(root / "documents")
    with indexed_library(encoder, root) as library:
        yield library


@pytest.fixture
def own_mails(library: Library, folder: Path) -> Library:
    """An indexed library of the documents, which the test may change."""
    write_documents(folder)
    library.add_folder(folder)
    library.sync()
    return library


def titles(library: Library, query: str, mode: Mode = Mode.WORDS) -> list[str]:
    hits = library.search(query, mode=mode).hits
    every = [hit.title or hit.path.name for hit in hits]
    # Equal texts are one result.
    every += [copy.path.stem for hit in hits for copy in hit.copies]
    return sorted(every)


@every_mode
def test_mails_with_an_attachment_are_found(mails: Library, mode: Mode) -> None:
    found = titles(mails, "owls has:attachment", mode)
    assert len(found) == 2
    assert set(found) <= {"Offer", "Kept", "offer"}


def test_it_can_be_excluded_and_combined(mails: Library) -> None:
    assert len(titles(mails, "has:attachment")) == 2
    assert {"Offer", "Kept"}.isdisjoint(titles(mails, "owls type:mail -has:attachment"))
    assert len(titles(mails, "type:mail -has:attachment")) == 2
    assert len(titles(mails, "has:attachment OR type:mail")) == 4


@pytest.mark.parametrize("value", ["attachments", "Anhang", "Anhänge", "附件"])
def test_other_words_for_it_mean_the_same(value: str) -> None:
    assert parse(f"has:{value}").scope == parse("has:attachment").scope


def test_other_values_are_searched_as_text() -> None:
    with pytest.raises(BadValueError):
        clause("has", "feathers")
    assert parse("has:feathers").has_words


def test_mails_with_an_attachment_are_counted(mails: Library) -> None:
    assert mails.answer(CountFacets("owls", mode=Mode.WORDS)).attachments == 2
    assert mails.answer(CountFacets("owls -type:mail", mode=Mode.WORDS)).attachments == 0
    assert mails.answer(CountFacets("", mode=Mode.WORDS)).attachments == 2


def test_a_library_without_such_mails_has_no_count(library: Library, folder: Path) -> None:
    (folder / "plain.eml").write_bytes(mail("Plain"))
    library.add_folder(folder)
    library.sync()
    assert library.answer(CountFacets("owls", mode=Mode.WORDS)).attachments is None


def test_an_attachment_that_is_removed_no_longer_counts(own_mails: Library, folder: Path) -> None:
    assert own_mails.answer(CountFacets("", mode=Mode.WORDS)).attachments == 2
    (folder / "offer.eml").write_bytes(mail("Offer"))
    own_mails.sync()
    assert own_mails.answer(CountFacets("", mode=Mode.WORDS)).attachments == 1
    assert titles(own_mails, "has:attachment") == ["Kept"]
