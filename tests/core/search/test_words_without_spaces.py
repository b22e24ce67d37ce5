"""The words of a question in a script without spaces are its chips."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.responses import QueryToken
from core.search.explanation import words_of
from core.search.output.match import query_words


def tokens_of(pieces: Sequence[str], words: Sequence[int]) -> tuple[str, tuple[QueryToken, ...]]:
    """Return the text of a tokenizer's pieces, and its tokens."""
    text = "".join(pieces)
    spans, start = [], 0
    for piece in pieces:
        end = start + len(piece)
        spans.append((start + len(piece) - len(piece.lstrip()), end))
        start = end
    numbers = words_of(text, spans, words)
    return text, tuple(
        QueryToken(index, text[start:end], start, end, number)
        for index, ((start, end), number) in enumerate(zip(spans, numbers, strict=True))
    )


# As a SentencePiece tokenizer cuts them: a question is one word.
QUESTIONS = {
    "Chinese": (["如何", "申请", "护照", "？"], ["如何", "申请", "护照"]),
    "Japanese": (["東京", "の", "天気", "は"], ["東京", "の", "天気", "は"]),
    "Thai": (["ห้อง", "สมุด", "เปิด", "กี่", "โมง"], ["ห้อง", "สมุด", "เปิด", "กี่", "โมง"]),
    "Thai, cut at a sign": (["ห", "้อง", "สมุด"], ["ห้อง", "สมุด"]),
    "Khmer, cut at a sign": (["ប", "ណ្ណ", "ា", "ល័យ"], ["ប", "ណ្ណា", "ល័យ"]),
    "mixed": (["Python", "入门", "教程", "3"], ["Python", "入门", "教程", "3"]),
}


@pytest.mark.parametrize("script", QUESTIONS)
def test_each_piece_is_a_chip(script: str) -> None:
    pieces, chips = QUESTIONS[script]
    text, tokens = tokens_of(pieces, [0] * len(pieces))
    assert [word.text for word in query_words(tokens, text)] == chips


def test_pieces_of_other_scripts_stay_words() -> None:
    text, tokens = tokens_of(["un", "break", "able", " wing", "s"], [0, 0, 0, 1, 1])
    assert [word.text for word in query_words(tokens, text)] == ["unbreakable", "wings"]
    text, tokens = tokens_of(["Über", "see", " 港", "口"], [0, 0, 1, 1])
    assert [word.text for word in query_words(tokens, text)] == ["Übersee", "港", "口"]


def test_bytes_of_one_character_are_one_chip() -> None:
    assert words_of("龘龘", [(0, 1), (0, 1), (0, 1), (1, 2), (1, 2)], [0] * 5) == (0, 0, 0, 1, 1)
