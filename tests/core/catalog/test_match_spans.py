"""Highlighted words are the matches of the word index, at their positions."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.catalog.catalog import Catalog
from core.catalog.text.normalisation import pieces, quoted
from core.search.words.fts import match_spans

Find = Callable[[str], list[int]]


def test_highlighted_words_are_at_their_positions() -> None:
    text = "Ein résumé – RÉSUMÉS, resume!"
    spans = match_spans('"resume"', {3: text})
    assert [text[start:end] for start, end in spans[3]] == ["résumé", "RÉSUMÉS", "resume"]
    assert match_spans('"owl"', {3: text}) == {}
    assert match_spans("", {3: text}) == {}
    assert match_spans('"resume"', {}) == {}


def test_words_of_a_script_without_spaces_are_highlighted_at_their_positions() -> None:
    text = "in 東京 and 京都, 東京"
    expression = " OR ".join(quoted(piece) for piece in pieces("東京"))
    assert [text[start:end] for start, end in match_spans(expression, {1: text})[1]] == [
        "東京",
        "東京",
    ]


_words = st.sampled_from(
    ["Crow", "crows", "owls", "owl", "résumé", "RESUMES", "東京", "it's", "e-mail"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.lists(_words, min_size=1), min_size=1, max_size=4), word=_words)
def test_highlights_equal_the_matches_of_the_word_index(
    texts: list[list[str]], word: str, catalog: Catalog, add: Callable[..., int], find: Find
) -> None:
    add("/docs/a.txt", *(" ".join(words) for words in texts))
    rows = catalog.connection().execute("SELECT id, text FROM passages").fetchall()
    expression = " OR ".join(quoted(piece) for piece in pieces(word))
    spans = match_spans(expression, {row["id"]: row["text"] for row in rows})
    assert sorted(spans) == sorted(find(expression))
    for row in rows:
        for start, end in spans.get(row["id"], ()):
            assert start < end
            assert row["text"][start:end].strip() == row["text"][start:end]
