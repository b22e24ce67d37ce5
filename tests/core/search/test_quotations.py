"""Tests of mails that quote each other: the first one ranks first and represents the other ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core import cli
from core.library.library import Library
from core.responses import Mode, SearchResults
from tests.library_requests import search

STATEMENT = (
    "The copper kettle of the brewery must be moved before the inspectors arrive on Thursday."
)
OWN = ["Agreed, the van is booked.", "Who brings straps and blankets?", "Straps are in my shed."]


@pytest.fixture
def mails(folder: Path) -> Path:
    """Return a folder with a mail, three replies that quote it, and another mail that does."""
    write(folder / "9 first.eml", "Message-ID: <a@x>", STATEMENT)
    for index, own in enumerate(OWN):
        text = f"{own}\n\nOn 3 May 2024, Anna wrote:\n> {STATEMENT[:50]}\n> {STATEMENT[51:]}"
        write(folder / f"{index} reply.eml", f"Message-ID: <{index}@x>\nReferences: <a@x>", text)
    write(folder / "other.eml", "Message-ID: <z@x>", f"Found this note:\n\n> {STATEMENT}")
    return folder


def write(file: Path, headers: str, text: str) -> None:
    address = "From: Anna Rook <anna@example.org>\nTo: jo@example.org\nSubject: Brewery\n"
    file.write_text(f"{address}{headers}\n\n{text}\n", encoding="utf-8")


@pytest.fixture
def library(mails: Path, open_library: Callable[..., Library]) -> Library:
    library = open_library()
    library.add_folder(mails)
    library.sync()
    return library


def names(results: SearchResults) -> list[str]:
    return [hit.path.name for hit in results.hits]


@pytest.mark.parametrize("mode", list(Mode))
def test_the_first_mail_with_a_statement_represents_mails_that_quote_it(
    library: Library, mode: Mode
) -> None:
    results = search(library, "copper kettle brewery inspectors", mode=mode)
    first = results.hits[0]
    assert first.path.name == "9 first.eml"
    assert {copy.path.name for copy in first.copies} == {f"{index} reply.eml" for index in range(3)}
    assert all(copy.is_quoting for copy in first.copies)
    assert "other.eml" in names(results)


def test_a_reply_is_found_by_its_own_text_and_by_filters(library: Library) -> None:
    assert names(search(library, "straps blankets", mode=Mode.WORDS))[0] == "1 reply.eml"
    both = search(library, '"copper kettle" name:reply', mode=Mode.WORDS)
    assert len(both.hits) == 1
    assert len(both.hits[0].copies) == 2
    whole = search(library, 'same:"9 first.eml"', mode=Mode.WORDS)
    assert len(whole.hits) == 4


def test_explanations_name_the_quotation(library: Library) -> None:
    everything = search(library, 'copper kettle same:"9 first.eml"', mode=Mode.WORDS)
    term_of = {
        hit.path.name: {term.name: term.value for term in hit.passages[0].terms}
        for hit in everything.hits
    }
    assert term_of["9 first.eml"]["quoted"] == 0
    assert term_of["0 reply.eml"]["quoted"] == 1


def test_the_terminal_prints_the_number_of_folded_mails(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    library.close()
    assert cli.main(["search", "copper kettle inspectors", "--mode", "words"]) == 0
    assert "and 3 further mails of this conversation" in capsys.readouterr().out
    query = ["search", "copper kettle inspectors", "--mode", "words", "--format", "json"]
    assert cli.main(query) == 0
    first, *_ = json.loads(capsys.readouterr().out)["results"]
    assert [copy["is_quoting"] for copy in first["copies"]] == [True] * 3
