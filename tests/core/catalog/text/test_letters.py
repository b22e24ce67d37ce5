"""Letters of the word index, and where they were in the text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog.text.letters import plain, plain_with_offsets


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("سَلَامٌ عَلَيْكُم", "سلام عليكم"),
        ("کتـــاب", "کتاب"),
        ("ܫܠܳܡܳܐ", "ܫܠܡܐ"),
        ("ﻣﺮﺣﺒﺎ", "مرحبا"),
        ("שׁלּוֹם", "שלום"),
        ("5 km³", "5 km3"),
        ("SO₄", "SO4"),
        ("㎥", "m3"),
        ("Ｔｏｋｙｏ２０２４", "Tokyo2024"),
        ("ｶﾞﾗｽ", "ガラス"),
        ("oﬃce", "office"),
        ("Ludwig Ⅺ", "Ludwig XI"),
        ("𝐌𝐚𝐱𝐒𝐢𝐦", "MaxSim"),
        ("Anmerkung²³", "Anmerkung 23"),
        ("Θάλασσα¹", "Θαλασσα 1"),
        ("Cafe\u0301\u00b2", "Cafe 2"),
        # Other than their plain forms.
        ("½ cup ™", "½ cup ™"),
        ("किताब ไม้ ދިވެހި", "किताब ไม้ ދިވެހި"),
    ],
)
def test_a_text_in_plain_letters(text: str, letters: str) -> None:
    assert plain(text) == letters


_characters = st.sampled_from("a é\u0301שּׁلوَّﻼ²₂ｶﾞｶ①㎡ﬃ𝐀字\u200dक\u0940x ")
_letters = st.text(_characters | st.characters(codec="utf-8"), max_size=20)


@given(_letters)
def test_each_plain_letter_has_its_place(text: str) -> None:
    letters, original = plain_with_offsets(text)
    assert letters == plain(text)
    assert plain(letters) == letters
    before = 0
    for place in range(len(letters)):
        start, end = original(place, place + 1)
        assert before <= start < end <= len(text)
        before = start


@given(_letters)
def test_marks_do_not_change_the_letters(text: str) -> None:
    assert plain("".join(f"{c}\u0301" if c.isalnum() else c for c in text)) == plain(text)


def test_a_span_includes_the_marks_after_its_last_letter() -> None:
    text = "die שָׁלוֹם-Halle"
    letters, original = plain_with_offsets(text)
    start = letters.index("שלום")
    assert text[slice(*original(start, start + 4))] == "שָׁלוֹם"
    assert unicodedata.normalize("NFC", letters) == "die שלום-Halle"
