"""Whatever is typed is a query; what stands in quotation marks must occur."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.catalog.folding import fold, quoted
from core.search.phrases import contains
from core.search.query import LONGEST, parse
from core.search.words import all_of, any_of, terms


@given(st.text(st.characters(), max_size=100))
def test_any_text_is_a_query_or_is_refused_with_a_sentence(typed: str) -> None:
    if not any(map(str.isalnum, typed)):
        with pytest.raises(UsageError, match="empty"):
            parse(typed)
        return
    query = parse(typed)
    for part in (query.text, *query.phrases):
        assert any(map(str.isalnum, part))
        part.encode()  # text that every part behind can take
        assert "\x00" not in part
        assert '"' not in part
        assert part == " ".join(part.split())


@pytest.mark.parametrize(
    ("typed", "phrases"),
    [
        ('"boundary layer" wing', ("boundary layer",)),
        ('"a b" "c d"', ("a b", "c d")),
        ("„deutsche Zeichen“ and «français»", ("deutsche Zeichen", "français")),
        ("“curly quotes”", ("curly quotes",)),
        ('" spaced \n out "', ("spaced out",)),
        ('"" "?!" word', ()),
        ('no "end', ()),
        ('"a\x00b"', ("a b",)),
        ('"\ud800a"', ("a",)),
    ],
)
def test_what_stands_in_quotation_marks_is_a_phrase(typed: str, phrases: tuple[str, ...]) -> None:
    assert parse(typed).phrases == phrases


@pytest.mark.parametrize("typed", ["", "   ", "\n", '""', "?!", "\x00", "\ud800", "🦉"])
def test_nothing_to_look_for_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match=r"empty; type some words"):
        parse(typed)


def test_an_enormous_query_is_refused() -> None:
    parse("a" * LONGEST)
    with pytest.raises(UsageError, match="10,001 characters; use at most 10,000"):
        parse("a" * (LONGEST + 1))


@pytest.mark.parametrize(
    ("text", "phrase", "is_there"),
    [
        ("The boundary\n layer", "BOUNDARY LAYER", True),
        ("Ein Résumé", "resume", True),
        ("resume", "résumé", True),
        ("walking", "walk", False),
        ("a sidewalk", "walk", False),
        ("C++ and C", "c++", True),
        ("C++11", "c++", True),
        ("the (very) end", "(very)", True),
        ("a.b", "a+b", False),
        ("", "a", False),
        ("straße", "STRASSE", True),
    ],
)
def test_a_phrase_occurs_but_for_case_accents_and_white_space(
    text: str, phrase: str, is_there: bool
) -> None:
    assert contains(text, phrase) is is_there


@given(st.text(max_size=40))
def test_a_text_contains_itself_however_it_is_written(text: str) -> None:
    if fold(text):
        assert contains(text, text)
        assert contains(f"before  {text}\n after", unicodedata.normalize("NFD", text))
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=60))
def test_terms_are_words_once_each_and_quoted_they_hold_no_operators(text: str) -> None:
    found = terms(text)
    assert len(set(found)) == len(found)
    for term in found:
        assert quoted(term).count('"') == 2


def test_expressions_of_nothing_are_empty() -> None:
    assert any_of([]) == all_of([]) == ""
    assert any_of(["a", "b c"]) == '"a" OR "b c"'
    assert all_of(["a", "b c"]) == '"a" AND "b c"'
