"""Stars and question marks in words, and parts of names in code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.documents.document import Document, Page
from core.library.library import Library, LibraryOptions
from core.requests import Search
from core.responses import Mode, SearchResults
from core.search.query.language import Term, parse

TEXTS = {
    "camel": "def getUserById(user): return HttpRequest(user)",
    "snake": "max_retry_count limits each http_request",
    "i18n": "All about i18n and l10n.",
    "card": "It runs on an RTX4090.",
    "red": "My vehicle is red.",
    "choir": "The organisation sings in several vehicles.",
    "english": "The organization writes of users.",
}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("patterns"), LibraryOptions(1)) as library:
        documents = [(name, Document("", (Page(1, text),))) for name, text in TEXTS.items()]
        library.add_collection("texts", documents)
        library.sync()
        yield library


def search(library: Library, query: str) -> SearchResults:
    return library.answer(Search(query, Mode.WORDS))


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("18n", {"i18n"}),
        ("UserById", {"camel"}),
        ("userby", {"camel"}),
        ("retry", {"snake"}),
        ("request", {"snake"}),  # a word of a text, and so not of "HttpRequest"
        ("get", {"camel"}),
        ("httprequest", {"camel", "snake"}),
        ("HttpRequest", {"camel", "snake"}),
        ("http_request", {"camel", "snake"}),
        ("retrycount", {"snake"}),
        ("get_user_by_id", {"camel"}),
        ("4090", {"card"}),
        # Words of the same stem are found, too, as everywhere.
        ("*ehicle", {"red", "choir"}),
        ("*ehicle*", {"red", "choir"}),
        ("organi?ation", {"choir", "english"}),
        ("veh*le", {"red", "choir"}),
        ("vehic*", {"red", "choir"}),
        ("v*cles", {"red", "choir"}),
        ("*hicle", {"red", "choir"}),
        ("*xyz", set()),
        ("*icleX", set()),
    ],
)
def test_parts_of_words_are_found(texts: Library, query: str, names: set[str]) -> None:
    assert {hit.path.name for hit in search(texts, query).hits} == names


@pytest.mark.parametrize(
    ("query", "word"), [("*ehicle", "vehicle"), ("organi?ation", "organisation")]
)
def test_the_words_of_a_pattern_are_highlighted(texts: Library, query: str, word: str) -> None:
    hits = [hit.passages[0] for hit in search(texts, query).hits]
    marked = {hit.passage.text[start:end].lower() for hit in hits for start, end in hit.words}
    assert word in marked
    assert "sings" not in marked


@pytest.mark.parametrize(
    ("typed", "term"),
    [
        ("*ehicle", Term("ehicle", pattern="*ehicle")),
        ("organi?ation", Term("organiation", pattern="organi?ation")),
        ("why?", Term("why?")),
        ("12*34", Term("12*34")),
        ("a*", Term("a*")),
    ],
)
def test_other_signs_are_no_patterns(typed: str, term: Term) -> None:
    query = parse(typed)
    assert query.parts == (term,)
    assert str(query) == typed


@pytest.mark.parametrize(("typed", "is_reported"), [("ab*", True), ("*b", True), ("2*", False)])
def test_a_star_that_is_ignored_is_reported(typed: str, is_reported: bool) -> None:
    assert any("star" in notice for notice in parse(typed).notices) is is_reported
