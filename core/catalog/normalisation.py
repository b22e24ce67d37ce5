"""Text and dates as they are compared: case and accents folded, a moment for each date.

Some of it is known to the catalog's SQL as well.
"""

from __future__ import annotations

import os
import re
import sqlite3
import unicodedata
from datetime import UTC, date, datetime, timedelta
from typing import Final

SEAM: Final = "\x1f"
"""Between the characters of a script without spaces; no reader lets control characters through."""
# Chinese, Japanese and Korean: kana, Bopomofo, Han with its iteration marks, Hangul.
_UNSPACED_RANGES: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    "\U00020000-\U0003ffff"
)
UNSPACED: Final = re.compile(f"[{_UNSPACED_RANGES}]")
"""A character of a script that writes no spaces between words, or too few to tell them."""
_PIECES: Final = re.compile(f"[{_UNSPACED_RANGES}]+|[^{_UNSPACED_RANGES}]+")


def fold(text: str) -> str:
    r"""Text made equal where case, accents and white space do not count.

    >>> fold("  Résumé\n of ") == "resume of"
    True
    """
    # Folded again: only taken apart do some letters (𝐀, ℌ) show that they are capital ones.
    parts = unicodedata.normalize("NFKD", text.casefold()).casefold()
    bare = "".join(c for c in parts if not unicodedata.combining(c))
    # Put together again: half a Korean syllable is no part of it.
    return " ".join(unicodedata.normalize("NFC", bare).split())


def set_apart(text: str) -> str:
    r"""Text in which each Chinese, Japanese or Korean character is a word to the word index.

    So that it finds them at any length: it takes a whole run of such characters for one word.

    >>> set_apart("in 東京, 2024")
    'in \x1f東\x1f\x1f京\x1f, 2024'
    """
    return UNSPACED.sub(f"{SEAM}\\g<0>{SEAM}", text)


def pieces(word: str) -> list[str]:
    """Return a word as it is looked for: of a long run of unspaced characters, each two neighbours.

    Which are the words in it nobody has marked; most words of these scripts are of two characters.

    >>> pieces("Python入門書"), pieces("京")
    (['Python', '入門', '門書'], ['京'])
    """
    found = []
    for piece in _PIECES.findall(word):
        if UNSPACED.match(piece) and len(piece) > 2:
            found += [piece[place : place + 2] for place in range(len(piece) - 1)]
        else:
            found.append(piece)
    return found


def quoted(words: str) -> str:
    '''Words as FTS5 takes them, whatever is in them: they must stand side by side.

    >>> quoted('"Hi" he')
    '"""Hi"" he"'
    '''
    return '"' + set_apart(words).replace('"', '""') + '"'


def file_name(path: str) -> str:
    """Return the last part of a path.

    >>> file_name(f"docs{os.sep}Letter.docx")
    'Letter.docx'
    """
    return path.rpartition(os.sep)[2]


def add_functions(db: sqlite3.Connection) -> None:
    """Make what the catalog's SQL uses of this known to a connection."""
    db.create_function("file_name", 1, file_name, deterministic=True)
    db.create_function("fold", 1, fold, deterministic=True)
    db.create_function("set_apart", 1, set_apart, deterministic=True)


NS: Final = 1_000_000_000
_YEARS: Final = range(1900, 2200)
"""What lies elsewhere is a mistake of whoever wrote it: a clock that was never set, a misprint."""
DATED: Final = "coalesce(documents.said_ns, documents.mtime_ns)"
"""In SQL, in nanoseconds: by what documents are filtered, counted and put in order."""


def moment_ns(said: str) -> int | None:
    """Return a date in ISO 8601 as nanoseconds since 1970; None for none that can be meant.

    A day, and a time without a zone, are those of where one is; a month or a year is its first day.

    >>> moment_ns("2024-06-30T12:00:00+02:00") == 1719741600 * NS
    True
    >>> moment_ns("2024") == moment_ns("2024-01-01"), moment_ns("once"), moment_ns("1601-01-01")
    (True, None, None)
    """
    day, _, time = said.strip().partition("T")
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
    """Return a moment without a zone as one of where one is.

    Not every system knows the local time of days long ago, or far ahead: they are taken as UTC.
    """
    if not _is_known(moment):
        return moment.replace(tzinfo=UTC)
    # Not at once: where clocks go on at midnight, that would lie an hour before its day.
    return datetime.fromtimestamp(moment.timestamp(), UTC).astimezone()


def day_of(since_1970_ns: int) -> date:
    """Return the day of a moment, where one is; `local` the other way round.

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
