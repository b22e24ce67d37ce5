"""The dates that a query names among its other words: "minutes of the club in March last year"."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Final

from core.catalog.text.normalisation import fold, has_unspaced
from core.errors import BadValueError
from core.search.query import dates
from core.search.query.dates import Period

# Words of the longest text that is read, and of the longest date.
_MOST_WORDS: Final = 24
_MOST_IN_DATE: Final = 5
# Before a month or a season without a year, which otherwise may mean something else ("may",
# "spring").
_BEFORE_MONTH: Final = frozenset(
    ("in", "from", "of", "during", "since", "im", "vom", "von", "aus", "seit", "ab")
)
# Documents of that time or later.
_SINCE: Final = frozenset(["since", "seit", "ab"])
_BEFORE: Final = frozenset(["before", "until", "till", "vor", "bis"])
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CHINESE_MONTH: Final = "(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月份?"
_CHINESE_DAY: Final = "(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3})[日号]"
_CHINESE_DATE: Final = re.compile(
    "(?:(?:19|20)[0-9]{2}年|[去今前]年|上个月|上月|这个月|本月|上周|上星期|本周|昨天|前天|今天)的?"
    f"(?:[春夏秋冬][天季]|{_CHINESE_MONTH}(?:{_CHINESE_DAY})?)?|{_CHINESE_MONTH}(?={_CHINESE_DAY}|的)"
    f"(?:{_CHINESE_DAY})?"
)
# In a name of a file or folder: a year, perhaps with a month and a day ("2024_07", "20240731").
_IN_NAME: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:[-_. ]?(0[1-9]|1[0-2])(?:[-_. ]?(0[1-9]|[12]\d|3[01]))?)?(?!\d)"
)


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A date in a query.

    Attributes:
        text: the words of the date, with the preposition before it.
        period: its days.
    """

    text: str
    period: Period


def dates_in(text: str, today: date | None = None) -> tuple[NamedDate, ...]:
    """Return the dates that a text names.

    A year, a month with a year, and a date counted from today are dates. A month or a season alone
    is one only after a preposition.

    >>> on = date(2026, 11, 28)
    >>> [(one.text, str(one.period)) for one in dates_in("minutes in March last year", on)]
    [('in March last year', '2025-03-01..2025-03-31')]
    >>> [one.text for one in dates_in("the bill of last year, and what may be due in June", on)]
    ['of last year', 'in June']
    >>> [one.text for one in dates_in("去年的发票", on)], dates_in("what may happen", on)
    (['去年的'], ())
    """
    today = today or dates.local_day()
    if has_unspaced(text):
        spans = (match.group() for match in _CHINESE_DATE.finditer(text))
        periods = ((span, _period(span.replace("的", ""), today)) for span in spans)
        return tuple(NamedDate(span, period) for span, period in periods if period is not None)
    words = [word.strip(",.;:!?()") for word in text.split()]
    found: list[NamedDate] = []
    index = 0
    while index < len(words) <= _MOST_WORDS:
        end, named = _date_at(words, index, today)
        if named is not None:
            found.append(named)
        index = end
    return tuple(found)


def _date_at(words: list[str], index: int, today: date) -> tuple[int, NamedDate | None]:
    """Return the end of the longest date at an index and the date, or the next index and None."""
    if _may_begin(words[index]):
        before = fold(words[index - 1]) if index else ""
        for end in range(min(index + _MOST_IN_DATE, len(words)), index, -1):
            text = " ".join(words[index:end])
            period = _period(text, today)
            first = period.first if period is not None else None
            if period is None or first is None or first > today:
                continue
            if not (_YEAR.search(text) or before in _BEFORE_MONTH or is_relative(text, today)):
                continue
            if before in _SINCE:
                period = Period(first)
            elif before in _BEFORE:
                period = Period(None, first - timedelta(1))
            has_preposition = before in _BEFORE_MONTH | _BEFORE
            return end, NamedDate(" ".join(words[index - has_preposition : end]), period)
    return index + 1, None


def is_relative(text: str, today: date) -> bool:
    """Return whether a date of several words, or of one such as "yesterday", moves with the day.

    >>> on = date(2026, 11, 24)
    >>> [is_relative(one, on) for one in ("last march", "yesterday", "March", "March 2024")]
    [True, True, False, False]
    """
    now, later = _period(text, today), _period(text, today + timedelta(1000))
    if now is None or later is None or now == later:
        return False
    return " " in text.strip() or dates.is_named_day(text)


def period_of_name(name: str) -> Period | None:
    """Return the date in a name of a file or folder; the last one of several.

    >>> str(period_of_name("auszug_2025_07")), period_of_name("IMG 20340")
    ('2025-07-01..2025-07-31', None)
    """
    for year, month, day in reversed(_IN_NAME.findall(name)):
        if period := _period("-".join(filter(None, (year, month, day))), date.max):
            return period
    return None


def _period(text: str, today: date) -> Period | None:
    try:
        return dates.named(text, today).period
    except BadValueError:
        return None


@cache
def _beginnings() -> frozenset[str]:
    return dates.first_words()


def _may_begin(word: str) -> bool:
    """Return whether a date may begin with a word."""
    return word[:1].isdecimal() or fold(word.rstrip(".")) in _beginnings()
