"""Joined forms of words and numbers that are written in parts: `email` for "e-mail".

The word index has the parts. The catalog's table `joined_forms` has the joined form of each, with
which a search for one finds the other.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from core.catalog.text.identifiers import name_forms
from core.catalog.text.index_terms import indexed
from core.catalog.text.letters import plain, with_hebrew_marks
from core.catalog.text.normalisation import WORD, WORD_CHARACTER, file_name, has_unspaced, word_text

# Hyphens, and the mark that parts Persian words without a space.
_HYPHENS: Final = "\\-\u2010\u2011\u200c"
_APOSTROPHES: Final = "'\u2019"
_MOST_PARTS: Final = 5
# Letters of the longest joined word. Longer ones are mostly addresses.
_LONGEST: Final = 32
# Two numbers of at most so many digits together are a range or a result.
_RANGE_DIGITS: Final = 5
_PHONE_DIGITS: Final = range(7, 16)
# International prefixes of telephone numbers; all others have three digits.
_SHORT_COUNTRY_CODES: Final = re.compile(
    r"1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]"
)
# Countries whose national numbers have no 0 before them.
_WITHOUT_ZERO: Final = frozenset(["1", "30", "34", "39", "45", "47", "48", "351", "352", "420"])

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
    (
        r"(?<![\w.,+])(?P<phone>(?:\+\d{1,3}|\(?0\d{1,4}\)?)(?:[ ()/.-]{1,2}\d{1,8}){1,6}"
        r"|(?:\+|00)[1-9]\d{7,13})(?!\w)"
    ),
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
# Names such as O'Brien, Qur'an and Hawai'i; neither what is contracted ("don't", "Ann's") nor an
# article before its noun ("qu'une", "dell'anno").
_NAME: Final = (
    f"[{_APOSTROPHES}](?!(?:[dmst]|ll|re|ve)(?!{WORD_CHARACTER}))(?={_LETTER})",
    (
        rf"(?:{_LETTER}[{_APOSTROPHES}]{_LETTER}{{3,}}+|(?!(?:\w*ll|qu|un)[{_APOSTROPHES}])"
        rf"{_LETTER}{{2,}}+[{_APOSTROPHES}]{_LETTER}++)"
        rf"(?!{WORD_CHARACTER}|[{_APOSTROPHES}](?!s(?!{WORD_CHARACTER})){_LETTER})"
    ),
)
# The double l of Catalan, with a full stop for its dot.
_DOUBLE_L: Final = (
    "(?<=[Ll])\\.(?=[Ll])",
    rf"{_LETTER}+[Ll]\.[Ll]{_LETTER}+(?!{WORD_CHARACTER})",
)
_DECIMALS: Final = re.compile(r"(.*\D\d{3})[.,](\d{1,2})", re.DOTALL)
_DIGITS: Final = re.compile(r"[^\W_]+")


class JoinedForm(NamedTuple):
    """A span of a text, its form without the signs between its parts, and `others` of a number."""

    start: int
    end: int
    form: str
    others: tuple[str, ...] = ()


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
    return re.compile(r"\d[\s()/.,'\u2019-]{1,2}[A-Za-z]{0,4}\d|(?:\+|00)\d{8}")


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
            JoinedForm(match.start(), match.end(), form, tuple(others))
            for match in _numerals().finditer(text)
            for form, *others in [_joined_numbers(match)]
            if form
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


def joined_text(text: str) -> str:
    """Return the joined forms in a text, each once, separated by spaces."""
    return " ".join(dict.fromkeys(form.lower() for _, form in _with_parts(text, plain(text))))


def _with_parts(text: str, letters: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of each word in parts, in plain `letters`, with each of its joined forms."""
    for joined in (*joined_forms(letters), *abbreviations(text)):
        parts = letters[joined.start : joined.end]
        for form in (joined.form, *joined.others):
            yield parts, form


def joined_rows(context: str, text: str) -> str:
    """Return the rows of `joined_forms` of a passage as JSON: term of the index, and parts.

    >>> joined_rows("", "an E-mail"), joined_rows("", "+49 (0)30 778899")
    ('[["email", "e mail"]]', '[["030778899", "49 0 30 778899"], ["4930778899", "49 0 30 778899"]]')
    """
    rows: set[tuple[str, str]] = set()
    for part in (context, text):
        letters = plain(part)
        rows.update(
            (indexed(form), " ".join(WORD.findall(parts.lower())))
            for parts, form in _with_parts(part, letters)
        )
        rows.update((indexed(form), words) for form, words in name_forms(letters))
    return json.dumps(sorted(row for row in rows if row[0] != row[1])) if rows else "[]"


# A number next to a word, apart or joined: "5 kg", "RTX 4090".
_IN_PARTS: Final = re.compile(
    rf"(?<!\w)(?=(\d{{1,7}}(?:[.,]\d{{1,3}})? {_LETTER}{{1,12}}|{_LETTER}{{1,12}} \d{{1,7}})(?!\w))"
)
_LETTERS_OR_DIGITS: Final = re.compile(rf"\d+|{_LETTER}+")


def numbers_with_words(text: str) -> list[JoinedForm]:
    """Return the joined forms of numbers and words next to each other, in plain letters.

    >>> [form.form for form in numbers_with_words("a box of 5 kg")]
    ['of5', '5kg']
    """
    return [
        JoinedForm(match.start(), match.end(1), match[1].replace(" ", ""))
        for match in _IN_PARTS.finditer(text)
    ]


def parts_of(word: str) -> str:
    """Return a word of letters and digits as a phrase of its parts; "" if it has not two.

    >>> parts_of("RTX4090"), parts_of("5kg"), parts_of("a1b2"), parts_of("email")
    ('RTX 4090', '5 kg', '', '')
    """
    parts = _LETTERS_OR_DIGITS.findall(word)
    return " ".join(parts) if len(parts) == 2 and "".join(parts) == word else ""


def name_text(path: str) -> str:
    """Return the name in a path as the index of names reads it, with its joined forms.

    >>> name_text("R2-D2.txt"), name_text("taxReturn.txt")
    ('R2-D2.txt r2d2', 'taxReturn.txt tax return')
    """
    name = file_name(path)
    forms = dict.fromkeys(form for form, _ in name_forms(plain(name)))
    return " ".join(filter(None, (word_text(name), joined_text(name), *forms)))


def with_joined_forms(text: str) -> str:
    """Return a text with each joined form in place of its parts.

    >>> with_joined_forms("an e-mail over Wi-Fi")
    'an email over WiFi'
    """
    parts = []
    offset = 0
    for start, end, form, _ in joined_forms(text):
        parts += [text[offset:start], form]
        offset = end
    return "".join([*parts, text[offset:]]) if parts else text


def _joined_numbers(match: re.Match[str]) -> tuple[str, ...]:
    """Return a number without the signs in it, in its ways; ("",) if it is not written joined."""
    if match.lastgroup == "phone":
        return _phone_numbers(match[0])
    if decimals := _DECIMALS.fullmatch(match[0]):
        whole, rest = decimals.groups()
        return (f"{''.join(_DIGITS.findall(whole))}.{rest}",)
    return ("".join(_DIGITS.findall(match[0])),)


def _phone_numbers(written: str) -> tuple[str, ...]:
    """Return the digits of a telephone number: national, then international; ("",) for none.

    >>> _phone_numbers("+49 (0)89/1234-56"), _phone_numbers("089 1234-56")
    (('089123456', '4989123456'), ('089123456',))
    """
    digits = "".join(filter(str.isdigit, written))
    if len(digits) not in _PHONE_DIGITS:
        return ("",)
    if not written.startswith("+"):
        if not digits.startswith("00"):
            return (digits,)
        digits = digits[2:]
    country = match[0] if (match := _SHORT_COUNTRY_CODES.match(digits)) else digits[:3]
    rest = digits[len(country) :]
    if country in _WITHOUT_ZERO:
        return (rest, country + rest)
    rest = rest.removeprefix("0")
    return (f"0{rest}", country + rest)


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
