"""The words most like one that a vocabulary lacks, found side by side as one by one."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.words.edit_distance import SpellingIndex, _codes, _columns, _edits, edit_cost
from core.search.words.stems import LONGEST

WORDS: Final = {
    "hypertension": 40.0,
    "hypotension": 12.0,
    "retrieval": 30.0,
    "receive": 90.0,
    "address": 60.0,
    "separate": 20.0,
    "schmidt": 3.0,
    "philips": 4.0,
    "meyer": 5.0,
    "library": 80.0,
    "пчела": 7.0,
    "hauser": 9.0,
}

_words = st.text("abcde", min_size=1, max_size=7)


def plain_edits(text: str, other: str) -> int:
    """The optimal string alignment, as it is written down."""
    table = [[0] * (len(other) + 1) for _ in range(len(text) + 1)]
    for i in range(len(text) + 1):
        for j in range(len(other) + 1):
            if not i or not j:
                table[i][j] = i + j
                continue
            ways = [
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (text[i - 1] != other[j - 1]),
            ]
            if i > 1 and j > 1 and text[i - 1] == other[j - 2] and text[i - 2] == other[j - 1]:
                ways.append(table[i - 2][j - 2] + 1)
            table[i][j] = min(ways)
    return table[-1][-1]


@given(_words, st.lists(_words, min_size=1, max_size=12))
def test_edits_side_by_side_are_those_one_by_one(word: str, candidates: list[str]) -> None:
    candidates.sort(key=len)
    lengths = np.array([len(other) for other in candidates])
    begins = np.searchsorted(lengths, np.arange(LONGEST + 2))
    (letters,) = _codes([word])
    found = _edits(letters, _columns(candidates, begins), lengths.astype(np.int8))
    assert found.tolist() == [min(plain_edits(word, other), 3) for other in candidates]


@given(_words, st.sets(_words, min_size=1, max_size=12))
def test_no_word_within_two_edits_is_cut_away(word: str, candidates: set[str]) -> None:
    vocabulary = SpellingIndex(dict.fromkeys(candidates, 1.0))
    near = {vocabulary.words[place] for place in vocabulary._near(word)}
    assert near == {other for other in candidates if plain_edits(word, other) <= 2}


@given(_words, _words)
def test_only_the_same_word_costs_nothing(word: str, other: str) -> None:
    assert (edit_cost(word, other) == 0) == (word == other)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hypertnsion", "hypertension"),
        ("retreival", "retrieval"),
        ("recieve", "receive"),
        ("adress", "address"),
        ("seperate", "separate"),
        ("shmitt", "schmidt"),
        ("fillips", "philips"),
        ("maier", "meyer"),
        ("kibrary", "library"),
        ("пчелв", "пчела"),
        ("haeuser", "hauser"),
    ],
)
def test_the_intended_word_comes_first(typed: str, meant: str) -> None:
    vocabulary = SpellingIndex(WORDS)
    assert [vocabulary.words[one.word_index] for one in vocabulary.like(typed, 1)] == [meant]


@pytest.mark.parametrize("typed", ["zebra", "x", "", "a" * 30, "quicksort"])
def test_nothing_is_like_a_word_of_another_kind(typed: str) -> None:
    assert SpellingIndex(WORDS).like(typed, 3) == []
    assert SpellingIndex({}).like(typed, 3) == []


def test_the_commoner_of_two_equally_near_words_comes_first() -> None:
    vocabulary = SpellingIndex({"carol": 2.0, "coral": 50.0})
    assert next(vocabulary.words[one.word_index] for one in vocabulary.like("corol", 2)) == "coral"
