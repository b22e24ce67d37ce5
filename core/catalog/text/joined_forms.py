"""Joined forms of words and numbers that are written in parts: `email` for "e-mail".

The word index has the joined form as well as the parts, so that both find each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from core.catalog.text.letters import plain, with_hebrew_marks
from core.catalog.text.normalisation import WORD_CHARACTER, file_name, has_unspaced, word_text

# Hyphens, and the mark that parts Persian words without a space.
_HYPHENS: Final = "\\-\u2010\u2011\u200c"
_APOSTROPHES: Final = "'\u2019"
_MOST_PARTS: Final = 5
# Letters of the longest joined word. Longer ones are mostly addresses.
_LONGEST: Final = 32
# Two numbers of at most so many digits together are a range or a result.
_RANGE_DIGITS: Final = 5
_PHONE_DIGITS: Final = range(7, 16)

_LETTER: Final = r"[^\W\d_]"
# Numbers with a sign or space between groups of digits.
_NUMERALS: Final = (
    # International bank account numbers.
    (
        r"(?<!\w)[A-Za-z]{2}\d{2} [A-Za-z0-9]{4}(?: (?=[A-Za-z]*\d)[A-Za-z0-9]{4}){1,6}"
        r"(?: (?=[A-Za-z]*\d)[A-Za-z0-9]{1,3})?(?!\w)"
    ),
    # Phone numbers, of North America and those with a 0 or + in front.
    r"(?<![\w.,+])\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?![\w-])",
    r"(?<![\w.,+])(?P<phone>(?:\+\d{1,3}|\(?0\d{1,4}\)?)(?:[ ()/.-]{1,2}\d{1,8}){1,6})(?!\w)",
    # Thousands, of all countries, with their decimals.
    (
        r"(?<![\w.,])(?:\d{1,3}(?:,\d\d)*(?:,\d{3})+|\d{1,3}(?:\.\d{3})+"
        r"|\d{1,3}(?:['\u2019]\d{3})+|[1-9]\d{0,2}(?: \d{3}){1,3})(?:[.,]\d{1,2})?"
        r"(?![\w.,'\u2019]?\d|\w)"
    ),
    # Numbers of cards.
    r"(?<!\w)(?<!\d )\d{4}(?: \d{4}){3}(?! ?\d)",
)
# Words in parts, each with a pattern of the first sign between them, which is faster to search for.
_COMPOUND: Final = (
    f"[{_HYPHENS}](?={WORD_CHARACTER})",
    (
        rf"{WORD_CHARACTER}++(?:[{_HYPHENS}]{WORD_CHARACTER}++){{1,{_MOST_PARTS - 1}}}+"
        rf"(?![{_HYPHENS}]{WORD_CHARACTER})"
    ),
)
_ABBREVIATION: Final = (
    rf"\.(?={_LETTER}{{1,2}}\.)",
    rf"(?:{_LETTER}{{1,2}}\.){{2,}}(?:{_LETTER}(?!{WORD_CHARACTER}))?",
)
# Names such as O'Brien.
_NAME: Final = (
    f"[{_APOSTROPHES}](?={_LETTER}{{3}})",
    f"{_LETTER}[{_APOSTROPHES}]{_LETTER}{{3,}}+(?!{WORD_CHARACTER})",
)
# The double l of Catalan, with a full stop for its dot.
_DOUBLE_L: Final = (
    "(?<=[Ll])\\.(?=[Ll])",
    rf"{_LETTER}+[Ll]\.[Ll]{_LETTER}+(?!{WORD_CHARACTER})",
)
_DECIMALS: Final = re.compile(r"(.*\D\d{3})[.,](\d{1,2})", re.DOTALL)
_DIGITS: Final = re.compile(r"[^\W_]+")


class JoinedForm(NamedTuple):
    """A span of a text, and its form without the signs between its parts."""

    start: int
    end: int
    form: str


# Most texts have neither, and the patterns are compiled on first use.
@cache
def _numerals() -> re.Pattern[str]:
    return re.compile("|".join(_NUMERALS))


@cache
def _words() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    kinds = (_COMPOUND, _ABBREVIATION, _NAME, _DOUBLE_L)
    return tuple((re.compile(sign), re.compile(whole)) for sign, whole in kinds)


@cache
def _has_numerals() -> re.Pattern[str]:
    return re.compile(r"\d[\s()/.,'\u2019-]{1,2}[A-Za-z]{0,4}\d")


def joined_forms(text: str) -> list[JoinedForm]:
    """Return the joined forms of the parts of a text, in plain letters; in order.

    >>> [form.form for form in joined_forms("Send an e-mail to the U.S.A. or call 089 1234-567.")]
    ['email', 'USA', '0891234567']
    >>> [form.form for form in joined_forms("150,000 and 1'234.50, pages 3-5, 1990-1995")]
    ['150000', '1234.50']
    """
    forms: list[JoinedForm] = []
    if _has_numerals().search(text):
        forms += (
            JoinedForm(match.start(), match.end(), form)
            for match in _numerals().finditer(text)
            if (form := _joined_number(match))
        )
    spans = [(joined.start, joined.end) for joined in forms]
    for sign, whole in _words():
        for start, end in _spans(text, sign, whole):
            if any(start < last and first < end for first, last in spans):
                continue
            if form := _word(text[start:end]):
                forms.append(JoinedForm(start, end, form))
                spans.append((start, end))
    forms.sort()
    return forms


def _spans(text: str, sign: re.Pattern[str], whole: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of words in parts, found by the first sign between their parts."""
    done = 0
    for match in sign.finditer(text):
        start = offset = match.start()
        if offset < done:
            continue
        while start > done and _is_inner(text[start - 1]):
            start -= 1
        is_continued = start and text[start - 1] in _JOINING and start < offset
        if start == offset or (is_continued and sign.pattern == _COMPOUND[0]):
            continue
        if end_match := whole.match(text, start):
            done = end_match.end()
            yield end_match.span()


_JOINING: Final = frozenset("-\u2010\u2011\u200c")


def _is_inner(character: str) -> bool:
    return character.isalnum() or character == "_" or _parts().match(character) is not None


# A one-letter prefix (and, in, to, the, from, that, as), an abbreviation with the mark in it.
_PREFIXED: Final = (
    "(?<![\u05d0-\u05ea])[\u05d5\u05d1\u05dc\u05d4\u05de\u05e9\u05db]"
    "([\u05d0-\u05ea]{2,}\u05f4[\u05d0-\u05ea]{1,3})(?![\u05d0-\u05ea])"
)


@cache
def _prefixed() -> re.Pattern[str]:
    return re.compile(_PREFIXED)


def abbreviations(text: str) -> list[JoinedForm]:
    """Return Hebrew abbreviations without their prefix, with spans in the text's plain letters.

    >>> [form.form == "מנכל" for form in abbreviations('ומנכ"ל החברה')]
    [True]
    """
    if text.isascii():
        return []
    marked = with_hebrew_marks(text)
    if "\u05f4" not in marked:
        return []
    forms = []
    for match in _prefixed().finditer(marked):
        start = len(plain(marked[: match.start()]))
        letters = plain(match[0])
        forms.append(JoinedForm(start, start + len(letters), letters[1:]))
    return forms


def joined_text(*texts: str) -> str:
    """Return the joined forms in some texts, each once, separated by spaces.

    Once, because a passage must not count as longer for each word in parts.
    """
    forms = [
        joined.form.lower()
        for text in texts
        for joined in (*joined_forms(plain(text)), *abbreviations(text))
    ]
    return " ".join(dict.fromkeys(forms))


def name_text(path: str) -> str:
    """Return the name in a path as the index of names reads it, with its joined forms.

    >>> name_text("R2-D2.txt")
    'R2-D2.txt r2d2'
    """
    name = file_name(path)
    joined = joined_text(name)
    return f"{word_text(name)} {joined}" if joined else word_text(name)


def with_joined_forms(text: str) -> str:
    """Return a text with each joined form in place of its parts.

    >>> with_joined_forms("an e-mail over Wi-Fi")
    'an email over WiFi'
    """
    parts = []
    offset = 0
    for start, end, form in joined_forms(text):
        parts += [text[offset:start], form]
        offset = end
    return "".join([*parts, text[offset:]]) if parts else text


def _joined_number(match: re.Match[str]) -> str:
    """Return a number without the signs in it; "" if it is none that is written joined."""
    if match.lastgroup == "phone":
        form = "".join(filter(str.isdigit, match[0]))
        return form if len(form) in _PHONE_DIGITS else ""
    if decimals := _DECIMALS.fullmatch(match[0]):
        whole, rest = decimals.groups()
        return f"{''.join(_DIGITS.findall(whole))}.{rest}"
    return "".join(_DIGITS.findall(match[0]))


def _word(text: str) -> str:
    """Return a word without the signs in it; "" for a range of numbers."""
    parts = _DIGITS.findall(text) if text.isascii() else _parts().findall(text)
    form = "".join(parts)
    if len(form) > _LONGEST or has_unspaced(form):
        return ""
    if len(parts) == 2 and form.isdigit():
        return "" if len(form) <= _RANGE_DIGITS or len(parts[0]) == len(parts[1]) else form
    return form


@cache
def _parts() -> re.Pattern[str]:
    return re.compile(f"{WORD_CHARACTER}+")
