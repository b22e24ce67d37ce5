"""Filters that are suggested for a sentence, by the kinds and authors of the library."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.catalog.scope import Scope
from core.library.library import Library
from core.responses import Mode
from core.search.query.dates import local_day

SENTENCE = "notes by ann rook from last year"
MEANT = 'notes author:"ann rook" date:"last year"'


@pytest.fixture
def library(open_library: Callable[..., Library], tmp_path: Path) -> Library:
    library = open_library()
    for folder, author in (("open", "Ann Rook; Ben Lee"), ("closed", "Cleo Dee")):
        place = tmp_path / folder
        place.mkdir()
        notes = place / "notes.md"
        notes.write_text(f"---\nauthor: {author}\n---\nNotes on owls.", "utf-8")
        last_year = datetime(local_day().year - 1, 7, 1, tzinfo=UTC).timestamp()
        os.utime(notes, (last_year, last_year))
        library.add_folder(place)
    library.sync()
    return library


def offered(library: Library, query: str, scope: Scope | None = None) -> str:
    return library.search(query, mode=Mode.WORDS, scope=scope or Scope()).offered


def test_a_sentence_is_offered_as_filters_and_searched_as_typed(library: Library) -> None:
    results = library.search(SENTENCE, mode=Mode.WORDS)
    assert (results.offered, results.query, results.is_corrected) == (MEANT, SENTENCE, False)
    assert results.hits, "its words are searched for"


@pytest.mark.parametrize("query", ["notes by ann", "notes by Rook", "notes by ben lee"])
def test_a_part_of_an_author_s_name_suffices(library: Library, query: str) -> None:
    assert offered(library, query).startswith("notes author:")


@pytest.mark.parametrize("query", ["notes by roo", "notes by rook ben", "notes by zoe"])
def test_only_whole_names_of_authors_are_offered(library: Library, query: str) -> None:
    assert offered(library, query) == ""


def test_only_kinds_of_the_library_are_offered(library: Library) -> None:
    assert offered(library, "pdf by cleo") == "pdf author:cleo"


def test_authors_outside_the_scope_are_not_revealed(library: Library, tmp_path: Path) -> None:
    scope = Scope(paths=(tmp_path / "open",))
    assert offered(library, "notes by cleo", scope) == ""
    assert offered(library, "notes by ann", scope) == "notes author:ann"


def test_filters_take_precedence_over_a_spelling(library: Library) -> None:
    assert offered(library, "nots by ann") == "nots author:ann"


def test_an_author_added_later_is_known(library: Library, tmp_path: Path) -> None:
    assert offered(library, "notes by zoe") == ""
    (tmp_path / "open" / "more.md").write_text("---\nauthor: Zoe\n---\nBees fly.", "utf-8")
    library.sync()
    assert offered(library, "notes by zoe") == "notes author:zoe"
