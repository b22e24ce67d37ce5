"""Months, references and misspellings for generated files and questions."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import date
from typing import Final

MONTHS: Final[Mapping[str, tuple[str, ...]]] = {
    "en": ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December"),
    "de": ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
           "Oktober", "November", "Dezember"),
    "zh": tuple(f"{month}月" for month in range(1, 13)),
}  # fmt: skip
_LETTERS: Final = "ABCDEFGHJKLMNPRSTUVWXYZ"
# Words of at least so many letters are misspelt.
_LONG_WORD: Final = re.compile(r"[A-Za-zäöüß]{6,}")


def month_name(day: date, language: str) -> str:
    return MONTHS[language][day.month - 1]


def month_before(day: date, months: int, day_of_month: int) -> date:
    """Return a day in the month so many months before.

    >>> month_before(date(2026, 2, 14), 3, 28)
    datetime.date(2025, 11, 28)
    """
    years, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(years, month + 1, day_of_month)


def reference(chance: random.Random, form: str) -> str:
    """Return a random reference: # is a digit, @ a letter."""
    signs = {"#": "0123456789", "@": _LETTERS}
    return "".join(chance.choice(signs.get(sign, sign)) for sign in form)


def misspelt(text: str, chance: random.Random) -> str:
    """Return a text with a mistake in one or two of its long words, "" if it has none.

    >>> misspelt("a dog", random.Random(1)), misspelt("the dishwasher", random.Random(1))
    ('', 'the dishwsaher')
    """
    words = list(_LONG_WORD.finditer(text))
    for match in sorted(chance.sample(words, min(len(words), chance.choice((1, 1, 2)))), key=_end)[
        ::-1
    ]:
        text = text[: match.start()] + _mistyped(match[0], chance) + text[match.end() :]
    return text if words else ""


def _end(match: re.Match[str]) -> int:
    return match.end()


def _mistyped(word: str, chance: random.Random) -> str:
    """Return a word with two letters swapped, one left out, doubled or replaced."""
    at = chance.choice([at for at in range(1, len(word) - 1) if word[at] != word[at + 1]])
    match chance.randrange(4):
        case 0:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case 1:
            return word[:at] + word[at + 1 :]
        case 2:
            return word[: at + 1] + word[at:]
        case _:
            return word[:at] + chance.choice("aeiorstn".replace(word[at], "")) + word[at + 1 :]
