"""Which of a query's tokens and words made the match."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Page
from core.library.library import Library
from core.requests import Explain
from core.responses import Alignment, Mode, QueryToken
from core.search.explanation import significant
from core.search.output.match import whole_word_pairs


@pytest.mark.parametrize(
    ("query", "faded"),
    [
        ("are the habits of the barn owl known", {"are", "the", "of"}),
        ("barn owl", set()),
        ("the", set()),
    ],
)
def test_common_words_are_not_salient(birds: Library, query: str, faded: set[str]) -> None:
    tokens = birds.search(query).tokens
    assert {token.text for token in tokens if not token.is_significant} == faded
    assert sum(token.share for token in tokens) < 1, "the summary has its part"


def test_the_shares_of_a_query_add_up(birds: Library) -> None:
    hit = birds.search("barn owl habits").hits[0].passages[0]
    tokens = birds.answer(Explain("barn owl habits", hit.passage.id)).tokens
    assert sum(token.share for token in tokens) == pytest.approx(1)


@given(st.lists(st.floats(0, 10, width=32), min_size=1, max_size=20))
def test_the_weightiest_token_always_tells(weights: list[float]) -> None:
    flags = significant(np.array(weights, dtype=np.float32))
    assert flags[int(np.argmax(weights))]


@given(st.floats(0, 10, width=32), st.integers(1, 30))
def test_tokens_of_equal_weight_are_all_salient(weight: float, count: int) -> None:
    assert significant(np.full(count, weight, dtype=np.float32)).all()


def test_by_words_alone_the_common_ones_stay_dark(open_library: Callable[..., Library]) -> None:
    library = open_library()
    texts = [f"The {bird} is the bird of the day." for bird in ("owl", "rook", "wren", "swift")]
    texts += [f"The number of the day is {number}." for number in range(20)]
    documents = [(str(n), Document("", (Page(1, text),))) for n, text in enumerate(texts)]
    library.add_collection("made", documents)
    (hit,) = library.search("what is the wren", mode=Mode.WORDS, limit=1).hits
    text = hit.passages[0].passage.text
    assert [text[start:end] for start, end in hit.passages[0].words] == ["wren"]
    (hit,) = library.search("the", mode=Mode.WORDS, limit=1).hits
    assert hit.passages[0].words, "a query of one function word is highlighted"


def test_a_word_tells_as_a_whole(birds: Library) -> None:
    tokens = birds.search("what is usefulness in ornithology").tokens
    salience: dict[int, set[bool]] = {}
    for token in tokens:
        salience.setdefault(token.word, set()).add(token.is_significant)
    assert max(sum(token.word == word for token in tokens) for word in salience) > 1, (
        "one is in pieces"
    )
    assert all(len(flags) == 1 for flags in salience.values())


def test_lesser_pieces_are_highlighted_where_the_weightiest_is() -> None:
    use, ness, owl = (
        QueryToken(0, "use", 0, 3, 0, 0.4),
        QueryToken(1, "ness", 3, 7, 0, 0.2),
        QueryToken(2, "owl", 8, 11, 1, 0.4),
    )
    stray = Alignment(1, "ness", 0, 3, 0.6, "for")
    faint = Alignment(0, "use", 4, 8, 0.43, "that")
    bird = Alignment(2, "owl", 9, 12, 0.9, "owl")
    assert whole_word_pairs((use, ness, owl), [stray, faint, bird]) == (faint, bird)
    inside = Alignment(0, "use", 4, 8, 0.44, "used")
    assert whole_word_pairs((use, ness, owl), [stray, inside, bird]) == (stray, inside, bird)
    title = Alignment(0, "use", 0, 4, 0.7, "Uses", in_context=True)
    assert whole_word_pairs((use, ness, owl), [stray, title]) == (stray, title), (
        "it is highlighted in the title"
    )
