"""The sentence on why a passage was found."""

from __future__ import annotations

import numpy as np
import pytest

from core.alignment.pairwise import AlignmentStrategy
from core.responses import Passage, QueryToken
from core.search.match_summary import MatchSummary, summarise
from core.token_comparison import Comparison, Explanation, PassageToken

TEXT = "Before the first frost, set up buckwheat shelters."
CONTEXT = "Winter protection"


def explained(
    *query: tuple[str, int],
    similar: dict[tuple[str, str], float] | None = None,
    insignificant: tuple[str, ...] = (),
) -> Explanation:
    """Return an explanation of `TEXT` for tokens, given with the number of their word."""
    tokens = []
    start = 0
    for index, (text, word) in enumerate(query):
        is_significant = text not in insignificant
        tokens.append(QueryToken(index, text, start, start + len(text), word, 1.0, is_significant))
        start += len(text) + 1
    passage = [PassageToken(CONTEXT[:6], 0, 6, True)]
    passage += [
        PassageToken(word, TEXT.index(word), TEXT.index(word) + len(word), False)
        for word in ("frost", "set", "buck", "wheat", "shelters")
    ]
    pairs = np.array(
        [[(similar or {}).get((text, one.text), 0.1) for one in passage] for text, _ in query],
        np.float32,
    )
    compared = Comparison(
        tuple(passage), pairs, np.ones(len(tokens), np.float32), None, len(passage)
    )
    return Explanation(
        Passage(1, 1, 1, 0, len(TEXT), TEXT, CONTEXT),
        tuple(tokens),
        None,
        compared,
        AlignmentStrategy(),
    )


def test_words_of_the_headings_and_other_cases_occur() -> None:
    found = summarise(explained(("winter", 0), ("FROST", 1)))
    assert found == MatchSummary(("winter", "FROST"), (), ())


def test_a_part_of_another_word_does_not_occur_but_its_whole_word_may_be_similar() -> None:
    similar = {("wheat", "wheat"): 0.8}
    assert summarise(explained(("wheat", 0), similar=similar)).by_meaning == (
        ("wheat", "buckwheat"),
    )
    assert summarise(explained(("wheat", 0))).missing == ("wheat",)


def test_the_pieces_of_a_word_are_one_word() -> None:
    similar = {("prot", "shelters"): 0.6, ("ect", "frost"): 0.9}
    found = summarise(explained(("prot", 0), ("ect", 0), similar=similar))
    assert [word for word, _ in found.by_meaning] == ["protect"]


def test_words_that_say_little_are_left_out() -> None:
    found = summarise(explained(("how", 0), ("frost", 1), insignificant=("how",)))
    assert found == MatchSummary(("frost",), (), ())


@pytest.mark.parametrize(
    ("summary", "sentence"),
    [
        (MatchSummary(("a", "b"), (), ()), 'Found by words: "a", "b".'),
        (
            MatchSummary((), (), ("a",)),
            'Found by the meaning of the whole text. "a" does not occur.',
        ),
        (
            MatchSummary(("a",), (("b", "c"),), ("d", "e")),
            'Found by words: "a"; by meaning: "b" ~ "c". "d", "e" do not occur.',
        ),
    ],
)
def test_the_sentence_names_each_word(summary: MatchSummary, sentence: str) -> None:
    assert summary.sentence == sentence
