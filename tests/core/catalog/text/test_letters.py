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
        ("کتـــاب", "كتاب"),
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
        ("⼈工 ㍻ \uf9e1", "人工 平成 李"),
        # Ligatures of PDFs from Word; other words with these letters.
        ("acƟon commiƩee soŌware seƫngs", "action committee software settings"),
        ("Ɵme, poinƟng", "time, pointing"),
        ("leŌ saƟsfacƟon", "left satisfaction"),
        ("Ōsaka KŌBE", "Ōsaka KŌBE"),
        # Letters that keyboards lack.
        ("Œdème, sœur, ŒUVRE", "OEdème, soeur, OEUVRE"),
        ("Encyclopædia Ǽ", "Encyclopaedia AE"),
        ("Straße GROẞ", "Strasse GROSS"),
        ("Þórður ħobża łódź Ølgod", "THórdur hobża lódź Olgod"),
        ("Bəxtiyar ŋaŋa", "Bextiyar nana"),
        ("Liliʻuokalani Qurʾān", "Liliuokalani Qurān"),
        ("бур’ян об\u02bcєкт", "бур’ян об'єкт"),
        ("ёжик \u0435\u0308ж", "ежик еж"),
        ("σεισμός", "σεισμοσ"),
        # Letters in several characters.
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"),
        ("\u3066\u3099\u3093\u308f \u30cf\u309a\u30f3 \u30cf\uff9f", "でんわ パン パ"),
        ("\u0438\u0306од \u0456\u0308хати", "йод їхати"),
        ("ทำ ท\u0e4d\u0e32 ค\u0e4d\u0e49\u0e32 เเม่", "ทำ ทำ ค้ำ แม่"),
        # Digits of all scripts.
        ("٢٠٢٤ ۱۲۳ ५६ ৭৮ ๙๐", "2024 123 56 78 90"),
        ("١٬٢٣٤٫٥", "1,234.5"),
        # Variants of Arabic letters, and signs of India.
        ("علی علي على", "علي علي علي"),
        ("مکة مكه آثار إلى", "مكه مكه اثار الي"),
        ("مسؤول رئيس", "مسوول رييس"),
        ("\u095bरा \u091c\u093cरा लड़का", "जरा जरा लडका"),
        # Marks inside words; not those around them.
        ('רמטכ״ל רמטכ"ל עו״ד צ׳ק', "רמטכל רמטכל עוד צק"),
        ('ב"מעריב" אמר', 'ב"מעריב" אמר'),
        ("paral·lel CÈL·LULA al·lot a·b", "parallel CÈLLULA allot a·b"),
        # Other than their plain forms.
        ("½ cup ™", "1/2 cup ™"),
        ("2¾ l", "2 3/4 l"),
        ("n° 7 in an° 7", "no 7 in an° 7"),
        ("किताब ไม้ ދިވެހި", "किताब ไม้ ދިވެހި"),
    ],
)
def test_a_text_in_plain_letters(text: str, letters: str) -> None:
    assert plain(text) == letters


_characters = st.sampled_from("a é\u0301שּׁلوَّﻼ²₂ｶﾞｶ①㎡ﬃ𝐀字\u200dक\u0940x œßθى٣かｶ\u3099\u1112\u1161")
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
    # Below, because a mark above may make another letter of a Cyrillic one.
    assert plain("".join(f"{c}\u0317" if c.isalnum() else c for c in text)) == plain(text)


def test_a_span_includes_the_marks_after_its_last_letter() -> None:
    text = "die שָׁלוֹם-Halle"
    letters, original = plain_with_offsets(text)
    start = letters.index("שלום")
    assert text[slice(*original(start, start + 4))] == "שָׁלוֹם"
    assert unicodedata.normalize("NFC", letters) == "die שלום-Halle"
