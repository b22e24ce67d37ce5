"""What a query without results finds with one step less."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.library.library import Library
from core.search.near_misses import near_misses
from tests.core.search.test_search import fill


@pytest.fixture
def library(open_library: Callable[..., Library]) -> Library:
    created = open_library()
    fill(created, one="The kettle of copper.", two="A copper pipe.", three="A red lantern.")
    return created


@pytest.mark.parametrize(
    ("typed", "sentence", "query"),
    [
        ('"copper kettle"', 'Without the quotation marks of "copper kettle": 2', "copper kettle"),
        ("lantern -red", "Without -red: 1", "lantern"),
        ("copper type:pdf", "Without type:pdf: 2", "copper"),
    ],
)
def test_each_step_is_counted(library: Library, typed: str, sentence: str, query: str) -> None:
    assert not library.search(typed, mode="words").hits
    (step,) = near_misses(library, typed)
    assert (step.sentence, step.query) == (sentence, query)
    assert len(library.search(query, mode="words").hits) == step.without


def test_plain_words_have_no_step(library: Library) -> None:
    assert near_misses(library, "copper zebra") == ()


def test_an_option_of_a_command_is_a_word(open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(library, sync="Run rsync -avz to copy.", other="About rsync and cars, jaguar.")
    results = library.search("rsync -avz", mode="words")
    assert [hit.path.name for hit in results.hits] == ["sync", "other"]
    assert results.notice == (
        '-avz is searched as a word, since texts have it. To exclude it, write -"avz".'
    )
    without = library.search('rsync -"avz"', mode="words")
    assert [hit.path.name for hit in without.hits] == ["other"]
    assert not without.notice
    assert not library.search("jaguar -cars", mode="words").notice
