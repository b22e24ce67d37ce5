"""Normalisation of text and dates for comparison: folded case and accents, dates as timestamps."""

import os
import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Final

from core.catalog.text.letters import MARKS, plain

# An SQL condition and its parameters.
Condition = tuple[str, list[str | int | bytes]]
# Separates the characters of scripts without spaces; readers remove control characters.
SEAM: Final = "\x1f"
# The following defines the words in the indexes of words and names: changing it requires a schema
# step that rebuilds them.
#
# Vowels and other signs of the Maldives and of scripts from India to Java. They are parts of words,
# but neither Python nor SQLite treats them so.
_SIGNS: Final = (
    "\u07a6-\u07b0\u1b00-\u1b04\u1b34-\u1b44\u1b80-\u1b82\u1ba1-\u1bad\ua980-\ua983\ua9b3-\ua9c0"
    "\uabe3-\uabea\uabec\uabed"
    "\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09bc\u09be-\u09cd"
    "\u09d7\u09e2-\u09e3\u09fe-\u0a03\u0a3c-\u0a51\u0a70-\u0a71\u0a75\u0a81-\u0a83\u0abc\u0abe-\u0acd"
    "\u0ae2-\u0ae3\u0afa-\u0b03\u0b3c\u0b3e-\u0b57\u0b62-\u0b63\u0b82\u0bbe-\u0bcd\u0bd7\u0c00-\u0c04"
    "\u0c3c\u0c3e-\u0c56\u0c62-\u0c63\u0c81-\u0c83\u0cbc\u0cbe-\u0cd6\u0ce2-\u0ce3\u0d00-\u0d03"
    "\u0d3b-\u0d3c\u0d3e-\u0d4d\u0d57\u0d62-\u0d63\u0d81-\u0d83\u0dca-\u0ddf\u0df2-\u0df3\u0e31"
    "\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f18-\u0f19\u0f35\u0f37\u0f39"
    "\u0f3e-\u0f3f\u0f71-\u0f84\u0f86-\u0f87\u0f8d-\u0fbc\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060"
    "\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u17dd"
)
WORD_CHARACTER: Final = f"[\\w{_SIGNS}]"
# A run of letters, their signs and marks, and digits.
WORD: Final = re.compile(f"{WORD_CHARACTER}[\\w{_SIGNS}{MARKS}]*")
_SIGN_CODES: Final = (
    code
    for first, last in re.findall("(.)(?:-(.))?", _SIGNS)
    for code in range(ord(first), ord(last or first) + 1)
)
# The FTS5 tokenizer of the indexes of words and names, for use inside quotation marks.
TOKENIZER: Final = f"unicode61 remove_diacritics 2 tokenchars ''{''.join(map(chr, _SIGN_CODES))}''"
# Chinese, Japanese and Korean: kana, Bopomofo, Han with its iteration marks, Hangul.
_ALONE: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    "\U00020000-\U0003ffff"
)
# Thai, Lao, Burmese, Khmer: vowels before a consonant, consonants, vowels after one.
_LEADING: Final = "\u0e40-\u0e44\u0ec0-\u0ec4"
_CONSONANTS: Final = "\u0e01-\u0e2e\u0e81-\u0eae\u0edc-\u0edf\u1000-\u1020\u103f\u1780-\u17a2"
_TRAILING: Final = "\u0e30\u0e32-\u0e33\u0e45\u0eb0\u0eb2-\u0eb3\u0ebd"
_OTHER_SIGNS: Final = "\u0e2f\u0e46\u0eaf\u0ec6\u1021-\u102a\u1050-\u1055\u17a3-\u17b3\u17d7\u17dc"
_SOUTHEAST_SIGNS: Final = _SIGNS[_SIGNS.index("\u0e31") :]
# With all its signs, and the consonants that a virama puts below it.
_LETTER: Final = (
    f"[{_SOUTHEAST_SIGNS}]*(?:(?<=[\u1039\u17d2])[{_CONSONANTS}][{_SOUTHEAST_SIGNS}]*)*"
)
_CHARACTER: Final = (
    f"[{_ALONE}]|[{_LEADING}]?[{_CONSONANTS}]{_LETTER}[{_TRAILING}]?"
    f"|[{_LEADING}{_TRAILING}{_OTHER_SIGNS}]{_LETTER}"
)
_PART: Final = f"[{_ALONE}{_LEADING}{_CONSONANTS}{_TRAILING}{_OTHER_SIGNS}{_SOUTHEAST_SIGNS}]"


# Compiled on first use, because each takes milliseconds and English text needs none.
@cache
def unspaced() -> re.Pattern[str]:
    """Return a pattern for characters of scripts that do not separate words by spaces.

    >>> unspaced().sub("_", "in 東京")
    'in __'
    """
    return re.compile(_PART)


@cache
def _character() -> re.Pattern[str]:
    return re.compile(_CHARACTER)


@cache
def _runs() -> re.Pattern[str]:
    return re.compile(f"(?:{_CHARACTER})+|(?:(?!{_CHARACTER}).)+", re.DOTALL)


def has_unspaced(text: str) -> bool:
    """Return whether a text has a character of a script without spaces.

    >>> has_unspaced("in Tokyo"), has_unspaced("in 東京")
    (False, True)
    """
    return not text.isascii() and unspaced().search(text) is not None


def letter_starts(text: str) -> frozenset[int]:
    """Return the offsets at which letters of scripts without spaces begin, with their signs.

    >>> sorted(letter_starts("in 東京")), sorted(letter_starts("ไปที่"))
    ([3, 4], [0, 2])
    """
    if text.isascii():
        return frozenset()
    return frozenset(match.start() for match in _character().finditer(text))


# Kana with and without these marks are different letters.
_VOICING: Final = frozenset("\u3099\u309a")


def fold(text: str) -> str:
    r"""Return text with case, accents, variants of letters and white space folded.

    >>> fold("  Résumé\n of "), fold("Œuvre")
    ('resume of', 'oeuvre')
    """
    if text.isascii():
        return " ".join(text.lower().split())
    # Folded again: some letters (𝐀, ℌ) are recognisable as capitals only after decomposition.
    parts = unicodedata.normalize("NFKD", plain(text).casefold()).casefold()
    bare = "".join(c for c in parts if c in _VOICING or not unicodedata.combining(c))
    # Composed again, so that half a Korean syllable does not match.
    return " ".join(unicodedata.normalize("NFC", bare).split())


def set_apart(text: str) -> str:
    r"""Separate the characters of scripts without spaces, so that each is a word in the index.

    Otherwise the index would treat a whole run of them as one word. In Thai, Lao, Khmer and
    Burmese, a consonant with its vowels and signs counts as one character.

    >>> set_apart("in 東京, 2024")
    'in \x1f東\x1f\x1f京\x1f, 2024'
    >>> set_apart("ไปที่").split(SEAM)
    ['', 'ไป', '', 'ที่', '']
    """
    return text if text.isascii() else _character().sub(f"{SEAM}\\g<0>{SEAM}", text)


def word_text(text: str) -> str:
    r"""Return a text as the word index reads it.

    >>> word_text("25 m² in 東")
    '25 m2 in \x1f東\x1f'
    """
    return set_apart(plain(text))


def pieces(word: str) -> list[str]:
    """Return the search terms of a word: bigrams of long runs of unspaced characters.

    Word boundaries are unknown in these scripts; most words have two characters.

    >>> pieces("Python入門書"), pieces("京"), pieces("ห้องน้ำ")
    (['Python', '入門', '門書'], ['京'], ['ห้อ', 'อง', 'งน้ำ'])
    """
    if word.isascii():
        return [word] if word else []
    pairs = []
    for piece in _runs().findall(word):
        characters = _character().findall(piece)
        if len(characters) > 2:
            pairs += [first + second for first, second in pairwise(characters)]
        else:
            pairs.append(piece)
    return pairs


def quoted(words: str) -> str:
    '''Return words as an FTS5 phrase, whatever characters they have.

    >>> quoted('"Hi" he')
    '"""Hi"" he"'
    '''
    return '"' + word_text(words).replace('"', '""') + '"'


def any_of(phrases: Iterable[str]) -> str:
    """Return an FTS5 expression that matches any of the phrases; "" for none.

    >>> any_of(["owl", "night heron"])
    '"owl" OR "night heron"'
    """
    return " OR ".join(map(quoted, phrases))


def file_name(path: str) -> str:
    """Return the last part of a path.

    >>> file_name(f"docs{os.sep}Letter.docx")
    'Letter.docx'
    """
    return path.rpartition(os.sep)[2]


def folder_of(path: str) -> str:
    """Return a path without its last part, up to the separator before it.

    >>> folder_of(f"docs{os.sep}Letter.docx") == f"docs{os.sep}", folder_of("Letter.docx")
    (True, '')
    """
    return path[: path.rfind(os.sep) + 1]


NS: Final = 1_000_000_000
# Plausible years. Others are mistakes, for example of a clock that was never set.
_YEARS: Final = range(1900, 2200)
# SQL of a document's date in nanoseconds, for filters, counts and order.
DATED: Final = "coalesce(documents.said_ns, documents.mtime_ns)"


def moment_ns(date: str) -> int | None:
    """Return a date in ISO 8601 as nanoseconds since 1970; None if it is invalid or implausible.

    A day, and a time without a zone, are in local time; a month or a year is its first day.

    >>> moment_ns("2024-06-30T12:00:00+02:00") == 1719741600 * NS
    True
    >>> moment_ns("2024") == moment_ns("2024-01-01"), moment_ns("once"), moment_ns("1601-01-01")
    (True, None, None)
    """
    day, _, time = date.strip().partition("T")
    year, *rest = day.split("-")
    whole = "-".join([year, *rest, *["01"] * (2 - len(rest))])
    try:
        moment = datetime.fromisoformat(f"{whole}T{time}" if time else whole)
    except ValueError:
        return None
    if moment.year not in _YEARS:
        return None
    return int((moment if moment.tzinfo else local(moment)).timestamp()) * NS


def local(moment: datetime) -> datetime:
    """Interpret a time without a zone as local time.

    Not every system knows the local time of distant days: they are interpreted as UTC.
    """
    if not _is_known(moment):
        return moment.replace(tzinfo=UTC)
    # In two steps: if clocks change at midnight, one step would end an hour before the day.
    return datetime.fromtimestamp(moment.timestamp(), UTC).astimezone()


def day_of(since_1970_ns: int) -> date:
    """Return the local day of a timestamp; the inverse of `local`.

    >>> day_of(moment_ns("1912-04-15")), day_of(moment_ns("2024-02-29"))
    (datetime.date(1912, 4, 15), datetime.date(2024, 2, 29))
    """
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=since_1970_ns // NS)
    if not _is_known(moment):
        return moment.date()
    here = moment.astimezone()
    return here.date() if _is_known(here) else moment.date()


def _is_known(moment: datetime) -> bool:
    """Return whether every system knows the local time of a day."""
    return date(1971, 1, 1) <= moment.date() < date(2999, 1, 1)
