"""The words of dates in English, German and Chinese, and the numbers that they mean."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal

from core.catalog.text.normalisation import fold
from core.files.paths import RESOURCES

Unit = Literal["day", "week", "month", "quarter", "year"]
# Words by unit, and by the number that they mean: steps and days from now, numerals, Monday as 0,
# months, and seasons by their first months. "~" stands for the endings of an adjective.
_WORDS: Final[dict[str, Any]] = json.loads((RESOURCES / "words" / "dates.json").read_text("utf-8"))
CHINESE_WEEKDAYS: Final = "一二三四五六日天"
_CHINESE_DIGITS: Final = "〇一二三四五六七八九"
_ENDINGS: Final = ("e", "er", "es", "en", "em")


def _forms(line: str) -> list[str]:
    """Return the words of a line as they may be written: adjectives, and umlauts, in all forms.

    >>> _forms("nächst~ day_after_tomorrow")[:2], _forms("nächst~ day_after_tomorrow")[-1]
    (['nachste', 'naechste'], 'day after tomorrow')
    """
    words: dict[str, None] = {}
    for written in line.split():
        forms = [written[:-1] + ending for ending in _ENDINGS] if written[-1] == "~" else [written]
        for form in forms:
            for spelt in (form, form.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")):
                words[fold(spelt.replace("_", " "))] = None
    return list(words)


def past_words() -> list[str]:
    """Return the words before a length of time until now."""
    return _forms(_WORDS["past"])


def coming_words() -> list[str]:
    """Return the words before a length of time from now on."""
    return _forms(_WORDS["coming"])


@cache
def unit_words() -> Mapping[str, Unit]:
    """Return the meaning of each word for a unit of time."""
    return {word: unit for unit, line in _WORDS["units"].items() for word in _forms(line)}


@cache
def number_words() -> Mapping[str, Mapping[str, int]]:
    """Return the numbers of words, by kind of word."""
    return {
        kind: {word: int(value) for value, line in table.items() for word in _forms(line)}
        for kind, table in _WORDS["numbers"].items()
    }


def number_of(text: str) -> int:
    """Return the number that figures or a word mean.

    >>> number_of("21"), number_of("two"), number_of("二十一"), number_of("十"), number_of("两")
    (21, 2, 21, 10, 2)
    """
    if text.isdecimal():
        return int(text)
    if text in number_words()["count"]:
        return number_words()["count"][text]
    tens, ten, ones = text.replace("两", "二").rpartition("十")
    if not ten:
        return _CHINESE_DIGITS.index(ones)
    return (_CHINESE_DIGITS.index(tens) if tens else 1) * 10 + (
        _CHINESE_DIGITS.index(ones) if ones else 0
    )
