"""Highlighted words, their colours and their strength."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.responses import Alignment, Mode, Passage, PassageHit, QueryToken, SearchResults
from core.search.output.match import (
    Highlight,
    QueryWord,
    highlights_in_text,
    highlights_in_title,
    query_words,
    snippet_of,
    strength_of,
    visible_highlights,
    widened,
)

TOKENS = (
    QueryToken(0, "", 0, 0, -1),
    QueryToken(1, "re", 0, 2, 1, 0.25),
    QueryToken(2, "index", 2, 7, 1, 0.5),
    QueryToken(3, "folders", 8, 15, 2, 0.25),
)


def hit(
    text: str, *pairs: tuple[int, str, float], words: tuple[tuple[int, int], ...] = ()
) -> PassageHit:
    """A passage in which each pair aligns a query token with the first place of a piece."""
    alignments = tuple(
        Alignment(token, "", text.index(piece), text.index(piece) + len(piece), similarity, piece)
        for token, piece, similarity in pairs
    )
    passage = Passage(1, 1, 1, 0, len(text), text, "Title")
    return PassageHit(passage, 1.0, (Mode.HYBRID,), alignments, words)


def highlight_texts(text: str, marks: tuple[Highlight, ...]) -> list[tuple[str, int]]:
    return [(text[highlight.start : highlight.end], highlight.word) for highlight in marks]


def test_a_piece_lights_its_whole_word() -> None:
    text = "We are reindexing every folder."

    marks = highlights_in_text(hit(text, (2, "ing", 0.9), (3, "fold", 0.9)), TOKENS, ())

    assert highlight_texts(text, marks) == [("reindexing", 1), ("folder", 2)]


def test_the_pieces_of_a_word_share_its_number() -> None:
    results = SearchResults("reindex folders", Mode.HYBRID, TOKENS, (), 1.0)

    assert query_words(results.tokens, results.query) == (
        QueryWord(1, "reindex", 0.75),
        QueryWord(2, "folders", 0.25),
    )


def test_quotes_and_punctuation_are_no_words() -> None:
    tokens = (
        QueryToken(0, "boundary", 0, 8, 0),
        QueryToken(1, "layer", 9, 14, 1),
        QueryToken(2, "?", 14, 15, 2),
    )
    results = SearchResults('"boundary layer"?', Mode.HYBRID, tokens, (), 1.0)
    text = "The layer? Yes."

    assert [word.text for word in query_words(results.tokens, results.query)] == [
        "boundary",
        "layer",
    ]
    assert highlights_in_text(hit(text, (2, "?", 1.0), (1, "?", 0.9)), tokens, ()) == ()


def test_the_stronger_of_two_words_on_one_wins() -> None:
    text = "every directory"

    marks = highlights_in_text(hit(text, (2, "directory", 0.5), (3, "directory", 0.7)), TOKENS, ())

    assert highlight_texts(text, visible_highlights(marks)) == [("directory", 2)]
    assert highlight_texts(text, visible_highlights(marks, only=1)) == [("directory", 1)]


def test_weak_words_are_highlighted_only_while_hovered() -> None:
    tokens = (
        QueryToken(0, "the", 0, 3, 1, is_significant=False),
        QueryToken(1, "align", 4, 9, 0),
        QueryToken(2, "ments", 9, 14, 0, is_significant=False),
    )
    results = SearchResults("the alignments", Mode.HYBRID, tokens, (), 1.0)
    words = query_words(results.tokens, results.query)
    text = "The models of the alignment"
    pairs = ((0, "The", 0.9), (1, "alignment", 0.9), (2, "models", 0.9))

    marks = highlights_in_text(hit(text, *pairs, words=((0, 3), (14, 17))), tokens, words)

    assert [(word.text, word.is_significant) for word in words] == [
        ("the", False),
        ("alignments", True),
    ]
    assert highlight_texts(text, visible_highlights(marks)) == [("alignment", 0)]
    assert highlight_texts(text, visible_highlights(marks, only=0)) == [
        ("models", 0),
        ("alignment", 0),
    ]
    assert highlight_texts(text, visible_highlights(marks, only=1)) == [("The", 1), ("the", 1)]
    assert [highlight.similarity for highlight in visible_highlights(marks, only=1)] == [0.9, None]


def test_weak_pairs_light_nothing_and_strength_rises_smoothly() -> None:
    assert highlights_in_text(hit("a word", (1, "word", 0.37)), TOKENS, ()) == ()
    strengths = [strength_of(step / 100) for step in range(101)]
    assert strengths == sorted(strengths)
    assert max(after - before for before, after in itertools.pairwise(strengths)) < 0.05


def test_special_tokens_and_bad_offsets_are_left_out() -> None:
    passage = hit("short", (0, "short", 0.9))
    beyond = PassageHit(passage.passage, 1.0, (), (Alignment(1, "re", 3, 99, 0.9, ""),), words=())

    assert highlights_in_text(passage, TOKENS, ()) == ()
    assert highlights_in_text(beyond, TOKENS, ()) == ()


def test_chinese_is_not_widened_to_the_sentence() -> None:
    assert widened("小麦可以保存很久", 0, 2) == (0, 2)
    assert widened("don’t stop", 4, 5) == (0, 5)


def test_in_words_mode_a_form_has_the_colour_of_its_word() -> None:
    text = "Stored wheat; storing wheats."
    words = (QueryWord(0, "store"), QueryWord(1, "wheat"))
    spans = ((0, 6), (7, 12), (14, 21), (22, 28))

    marks = highlights_in_text(hit(text, words=spans), (), words)

    assert [highlight.word for highlight in marks] == [0, 1, 0, 1]


def test_the_querys_own_words_are_highlighted_everywhere() -> None:
    text = "wheat and wheat and grain"
    words = (QueryWord(1, "wheat"), QueryWord(2, "corn"))
    tokens = (QueryToken(1, "wheat", 0, 5, 1), QueryToken(2, "corn", 6, 10, 2))
    found = hit(text, (1, "wheat", 0.7), (2, "grain", 0.7), words=((0, 5), (10, 15)))

    marks = highlights_in_text(found, tokens, words)

    assert highlight_texts(text, marks) == [("wheat", 1), ("wheat", 1), ("grain", 2)]
    assert marks[0].strength == 1.0


def shown(query: str, text: str, *found: str) -> list[str]:
    """Return the highlighted parts of a text in which a search by words found these parts."""
    spans = tuple((text.index(part), text.index(part) + len(part)) for part in found)
    marks = highlights_in_text(hit(text, words=spans), (), query_words((), query))
    return [text[mark.start : mark.end] for mark in visible_highlights(marks)]


@pytest.mark.parametrize(
    ("query", "text", "function_word", "word"),
    [
        ("the fox", "There is the grey fox, and it sleeps in the den.", "the", "fox"),
        ("der Fuchs", "Hier ist der graue Fuchs, und er schläft im Bau.", "der", "Fuchs"),
        ("vom Fuchs", "Das ist vom grauen Fuchs, und er schläft im Bau.", "vom", "Fuchs"),
    ],
)
def test_a_function_word_is_highlighted_only_in_a_phrase_or_alone(
    query: str, text: str, function_word: str, word: str
) -> None:
    assert shown(query, text, function_word, word) == [word]
    assert shown(function_word, text, function_word) == [function_word]
    phrase = text[text.index(function_word) : text.index(word) + len(word)]
    assert shown(f'"{phrase}"', text, phrase) == [phrase]


def test_a_function_word_that_the_model_aligned_is_not_highlighted() -> None:
    tokens = (QueryToken(0, "the", 0, 3, 0, 0.3), QueryToken(1, "fox", 4, 7, 1, 0.7))
    text = "There is the grey fox, and it sleeps in the den."

    marks = highlights_in_text(
        hit(text, (0, "the", 0.9), (1, "fox", 0.9)), tokens, query_words(tokens)
    )

    assert highlight_texts(text, visible_highlights(marks)) == [("fox", 1)]


def test_words_aligned_with_the_title_highlight_the_title() -> None:
    pair = Alignment(3, "folders", 0, 4, 0.9, "Your", in_context=True)
    passage = Passage(1, 1, 1, 0, 4, "text", "Your folders\nA heading")
    found = PassageHit(passage, 1.0, (), (pair,), ())

    assert highlights_in_title(found, TOKENS, "Your folders", ()) == (
        Highlight(0, 4, 2, strength_of(0.9), 0.9),
    )
    assert highlights_in_title(found, TOKENS, "Another title", ()) == ()
    assert highlights_in_text(found, TOKENS, ()) == ()


def test_the_querys_own_words_are_highlighted_in_every_title() -> None:
    words = query_words((), "the grey foxes")
    for context in ("Foxes in the garden", "Another title"):
        found = PassageHit(Passage(1, 1, 1, 0, 4, "text", context), 1.0, (), (), ())
        marks = highlights_in_title(found, (), "The fox in grey", words)
        assert highlight_texts("The fox in grey", marks) == [("fox", 2), ("grey", 1)]


def test_a_snippet_shows_the_strongest_highlights() -> None:
    text = "Nothing here. " * 60 + "Wheat keeps for years. " + "Nothing there. " * 60
    start = text.index("Wheat")
    marks = (
        Highlight(0, 7, 0, 0.3),
        Highlight(start, start + 5, 1, 1.0),
        Highlight(start + 6, start + 11, 2, 0.9),
    )

    snippet = snippet_of(text, marks, 200)

    assert snippet.text.startswith("… ")
    assert snippet.text.endswith(" …")
    assert highlight_texts(snippet.text, snippet.highlights) == [("Wheat", 1), ("keeps", 2)]


@given(
    st.text(alphabet="ab \n\t.🌾", max_size=400),
    st.lists(st.tuples(st.integers(0, 400), st.integers(1, 9)), max_size=6),
    st.integers(80, 200),
)
def test_a_snippet_includes_the_letters_of_its_highlights(
    text: str, places: list[tuple[int, int]], length: int
) -> None:
    ends: list[Highlight] = []
    for start, size in sorted(places):
        if start + size <= len(text) and (not ends or ends[-1].end <= start):
            ends.append(Highlight(start, start + size, len(ends), 1.0))

    snippet = snippet_of(text, ends, length)

    assert "\n" not in snippet.text
    assert len(snippet.text) <= length + 4
    for highlight in snippet.highlights:
        original = text[ends[highlight.word].start : ends[highlight.word].end]
        shown = snippet.text[highlight.start : highlight.end]
        assert "".join(shown.split()) == "".join(original.split())


def test_an_empty_passage_has_an_empty_snippet() -> None:
    assert snippet_of("", (), 100).text == ""


def test_a_mails_header_lines_are_left_out_of_its_snippet() -> None:
    text = "From: Ann <ann@example.org>\nTo: Ben\nDate: 2024-05-06 12:00\n\n" + "The boat. " * 60
    start = text.index("boat")
    assert snippet_of(text, (Highlight(start, start + 4, 0, 1.0),), 80).text.startswith(
        "… The boat"
    )
    assert snippet_of(text, (), 80).text.startswith("… The boat")
    assert snippet_of(text, (Highlight(6, 9, 0, 1.0),), 80).text.startswith("From: Ann")
