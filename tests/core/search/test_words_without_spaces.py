"""The words of a question in a script without spaces are its chips."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.responses import Mode, Passage, PassageHit, QueryToken
from core.search.explanation import words_of
from core.search.output.match import highlights_in_text, query_words, visible_highlights


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


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("去年的发票在哪里？", ["去年", "发票"]),
        ("租房合同什么时候到期", ["租房合同", "到期"]),
        ("项目的目的是什么", ["项目", "目的"]),
        ("现在的地址 PDF", ["现在", "地址", "PDF"]),
        ("ใบแจ้งหนี้ของปีที่แล้วอยู่ที่ไหน", ["ใบแจ้งหนี้", "ปีที่แล้ว"]),
        ("ที่อยู่ของโรงพยาบาล", ["ที่อยู่", "โรงพยาบาล"]),
        ("什么", ["什么"]),
    ],
)
def test_a_model_that_cannot_read_a_question_leaves_its_words(
    question: str, words: list[str]
) -> None:
    assert [word.text for word in query_words((), question) if word.is_significant] == words


def test_each_word_of_a_match_has_its_own_colour_without_gaps() -> None:
    text = "去年的发票放在柜子里。"
    passage = Passage(1, 1, 1, 0, len(text), text, "")
    words = query_words((), "去年的发票在哪里")
    hit = PassageHit(passage, 1.0, (Mode.WORDS,), (), ((0, 5),))
    marks = highlights_in_text(hit, (), words)
    assert [text[mark.start : mark.end] for mark in marks] == ["去年的", "发票"]
    by_index = {word.index: word.text for word in words}
    assert [by_index[mark.word] for mark in marks] == ["去年", "发票"]


def test_a_quoted_phrase_has_one_colour_and_its_words_their_own_while_hovered() -> None:
    text = "去年的发票放在柜子里。"
    passage = Passage(1, 1, 1, 0, len(text), text, "")
    words = query_words((), "去年的发票", ("去年的发票",))
    hit = PassageHit(passage, 1.0, (Mode.WORDS,), (), ((0, 5),))
    marks = highlights_in_text(hit, (), words)
    assert [text[mark.start : mark.end] for mark in visible_highlights(marks)] == ["去年的发票"]
    bill = next(word.index for word in words if word.text == "发票")
    assert [text[mark.start : mark.end] for mark in visible_highlights(marks, bill)] == ["发票"]
