"""From typed text to terms, filters and marks; what is no filter is text, and it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

from core.search.clauses import QUOTES, Clause, Term, clause
from core.search.operators import BadValueError, filters

_PHRASE: Final = re.compile(rf"(-?)[{QUOTES}]([^{QUOTES}]*)[{QUOTES}]")
# In straight quotation marks a doubled one stands for one.
_FILTER: Final = re.compile(
    rf'(-?)([^\W\d_]+):(?:"((?:[^"]|"")*)"|[“„«»]([^{QUOTES}]*)[“”«»]|([^\s{QUOTES}]+))'
)
_WORD: Final = re.compile(rf"[^\s{QUOTES}]+")
_EXCLUDED: Final = re.compile(r"-[^\W_]")
# After a colon: not the rest of a web address, of a path, of a qualified name.
_LIKE_A_VALUE: Final = re.compile(r"[\w<>=.*~]")


class Mark(Enum):
    """What stands between terms and filters."""

    OPEN = "("
    CLOSE = ")"
    OR = "OR"


Lexeme = Term | Clause | Mark


def lexemes(typed: str, notices: list[str]) -> Iterator[Lexeme]:
    """Take text apart; adds to `notices` a sentence for what looks like a filter and is none."""
    place = 0
    while place < len(typed):
        if typed[place] in "()":
            yield Mark(typed[place])
            place += 1
        elif match := _FILTER.match(typed, place):
            found, place = _filter(match, notices)
            yield from found
        elif match := _PHRASE.match(typed, place):
            yield from _phrase(match[2], is_excluded=bool(match[1]))
            place = match.end()
        elif match := _WORD.match(typed, place):
            word = _without_brackets(match[0])
            yield Mark.OR if word == Mark.OR.value else _word(word)
            place += len(word)
        else:  # white space, or a quotation mark without its fellow
            place += 1


def _filter(match: re.Match[str], notices: list[str]) -> tuple[list[Lexeme], int]:
    """What a filter says, or what it is instead; and where it ends."""
    minus, key, *values = match.groups()
    bare = values.pop()
    end = match.end()
    if bare is not None:
        value = _without_brackets(bare)
        end -= len(bare) - len(value)
    else:
        value = (values[0] or "").replace('""', '"') or values[1] or ""
    reason = "is no filter"
    if key.lower() in filters():
        try:
            return [clause(key.lower(), value, is_excluded=bool(minus))], end
        except BadValueError as error:
            reason = str(error)
        is_meant = True
    else:
        is_meant = len(key) > 1 and _LIKE_A_VALUE.match(value) is not None
    if is_meant:
        notices.append(f"{key}:{value} {reason}; it was searched for as text.")
    if bare is not None:
        return [_word(f"{minus}{key}:{value}")], end
    words: list[Lexeme] = [] if minus else [_word(f"{key}:")]
    text = re.sub(f"[{QUOTES}]", " ", value)
    return [*words, *_phrase(text, is_excluded=bool(minus))], end


def _phrase(text: str, *, is_excluded: bool) -> list[Lexeme]:
    """The phrase of a text, if there is anything to look for in it."""
    if not any(map(str.isalnum, text)):
        return []
    return [Term(" ".join(text.split()), is_phrase=True, is_excluded=is_excluded)]


def _word(text: str) -> Term:
    if _EXCLUDED.match(text):
        return Term(text[1:], is_excluded=True)
    return Term(text)


def _without_brackets(word: str) -> str:
    """A word without the closing brackets at its end that were not opened in it.

    >>> _without_brackets("flow)"), _without_brackets("f(x)")
    ('flow', 'f(x)')
    """
    surplus = word.count(")") - word.count("(")
    closing = len(word) - len(word.rstrip(")"))
    return word[: len(word) - max(0, min(surplus, closing))]
