"""Phrases are found over the ends of lines, whatever marks the next line begins with."""

from __future__ import annotations

import pytest

from core.catalog.text.joined_forms import joined_forms
from core.search.query.language import parse
from core.search.words.fts import contains, match_spans, terms


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("请于星期五之前提\n交报告。", "提交报告"),
        ("新しい図書\n  館は駅前にあります。", "図書館"),
        ("コンピュ\r\nータを直す", "コンピュータ"),
        ("本报讯，\n昨日大雨", "本报讯，昨日大雨"),
        ("> please return\n> the ladder", "return the ladder"),
        (">> red\n> > barn", "red barn"),
        ("| the silver\n| spoon", "silver spoon"),
        ("// opens the\n// valve slowly", "the valve slowly"),
        ("/**\n * closes the\n * gate\n */", "closes the gate"),
        ("; first\n; second", "first second"),
        ("-- drops the\n-- table", "drops the table"),
    ],
)
def test_a_phrase_is_found_over_the_end_of_a_line(text: str, phrase: str) -> None:
    assert contains(text, phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("대한\n민국", "대한민국"),
        ("5 > 3", "5 3"),
        ("the copper\n\n- kettle", "copper kettles"),
    ],
)
def test_other_signs_and_spaces_stay(text: str, phrase: str) -> None:
    assert not contains(text, phrase)


def test_hebrew_abbreviations_are_no_phrases() -> None:
    assert parse('הדו"ח של מד"א').phrases == ()
    assert parse('ב"מעריב"').phrases == ("מעריב",)
    assert match_spans('"ודוח"', {1: "קראו ודו״ח"}) == {1: ((5, 10),)}
    assert terms(parse('דו"ח').text) == terms("דו״ח") == terms("דוח")


def test_a_full_stop_joins_the_catalan_double_l() -> None:
    assert [form.form for form in joined_forms("Una novel.la i util.lib, l.l")] == [
        "novella",
        "utillib",
    ]
