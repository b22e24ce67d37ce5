"""`tag:` finds notes, and `from:`, `to:` and `subject:` find mails."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Final

import pytest

from core.encoders.encoder import Encoder
from core.errors import BadValueError
from core.library.library import Library
from core.requests import CountFacets
from core.responses import Mode
from core.search.query.language import clause
from tests.conftest import indexed_library

NOTES: Final = {
    "Roses.md": "---\ntags: [Garden]\naliases: [Rosengewaechse]\n---\nCut them in March.\n",
    "Yard.md": "Sweep it in March. #home/garden\n",
    "Tax.md": "tags:: money\n\nDue in March.\n",
    "Plain.md": "Nothing happens in March.\n",
}
# Each mail quotes the one before; the names and days are those of the senders.
THREAD: Final = (
    ("Ann Bell", "ann@example.org", "Bob Crow", 3),
    ("Bob Crow", "bob@example.org", "Ann Bell", 4),
    ("Ann Bell", "ann@example.org", "Bob Crow", 6),
    ("Cy Dove", "cy@example.org", "Ann Bell", 9),
)


def write_documents(folder: Path) -> None:
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "from.txt").write_text("The nest boxes are ready.", encoding="utf-8")
    letter = "Rosengewaechse, Rosengewaechse: more Rosengewaechse for the nest."
    (folder / "Letter.txt").write_text(letter, encoding="utf-8")
    text = ""
    for index, (name, address, other, day) in enumerate(THREAD):
        text = f"Answer {index}: the nest boxes are ready.\n\n" + "".join(
            f"> {line}\n" for line in text.splitlines()
        )
        message = EmailMessage()
        message["From"] = f"{name} <{address}>"
        message["To"] = f"{other} <{other.split()[0].lower()}@example.org>"
        message["Cc"] = "eve@example.net"
        message["Subject"] = "Nest boxes" if not index else "Re: Nest boxes"
        message["Date"] = f"Mon, {day:02} Jun 2019 12:00:00 +0000"
        message.set_content(text)
        (folder / f"{index}.eml").write_bytes(bytes(message))


@pytest.fixture(scope="module")
def library(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    root = tmp_path_factory.mktemp("notes")
    (root / "documents").mkdir()
    write_documents(root / "documents")
    with indexed_library(encoder, root) as opened:
        yield opened


def names(library: Library, query: str) -> set[str]:
    return {hit.path.name for hit in library.search(query, mode=Mode.WORDS).hits}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tag:garden march", {"Roses.md"}),
        ("march tag:#home", {"Yard.md"}),
        ("march tag:HOME/garden", {"Yard.md"}),
        ("march tag:gard", set()),
        ("march -tag:garden -tag:home", {"Tax.md", "Plain.md"}),
        ("tag:garden OR tag:money", {"Roses.md", "Tax.md"}),
    ],
)
def test_notes_are_found_by_their_tags(library: Library, query: str, found: set[str]) -> None:
    assert names(library, query) == found


def test_the_tags_of_the_found_notes_are_counted(library: Library) -> None:
    facets = library.answer(CountFacets("march -tag:garden", Mode.WORDS))
    assert facets.tags == {"home": 1, "home/garden": 1, "money": 1, "Garden": 0}


def test_a_note_is_found_by_its_alias_as_by_its_name(library: Library) -> None:
    hits = library.search("Rosengewaechse", mode=Mode.WORDS).hits
    assert [hit.path.name for hit in hits] == ["Roses.md", "Letter.txt"]


@pytest.mark.parametrize("index", range(len(THREAD)))
def test_each_mail_of_a_thread_is_found_by_its_sender_and_date(
    library: Library, index: int
) -> None:
    name, address, other, day = THREAD[index]
    for person in (name, address):
        query = f'nest from:"{person}" to:"{other}" date:2019-06-{day:02}'
        assert names(library, query) == {f"{index}.eml"}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("nest to:eve@", {"0.eml", "1.eml", "2.eml", "3.eml"}),
        ("nest from:eve@", set()),
        ("nest subject:re", {"1.eml", "2.eml", "3.eml"}),
        ("nest -subject:re from:ann", {"0.eml"}),
    ],
)
def test_mails_are_found_by_their_headers(library: Library, query: str, found: set[str]) -> None:
    assert names(library, query) == found


@pytest.mark.parametrize("value", ["", "#", "/"])
def test_an_empty_tag_is_refused(value: str) -> None:
    with pytest.raises(BadValueError):
        assert clause("tag", value).scope
