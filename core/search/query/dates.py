"""Parses dates as people write them in English, German and Chinese.

Functions receive today's date; only `local_day` reads a clock. Decided in
docs/decisions/0038.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from typing import Final, Self

from core.catalog.text.normalisation import fold
from core.errors import BadValueError, Message
from core.search.query.date_words import (
    CHINESE_WEEKDAYS,
    Unit,
    coming_words,
    number_of,
    number_words,
    past_words,
    unit_words,
)


def local_day() -> date:
    """Return today's date in the local time zone."""
    return datetime.now().astimezone().date()


@dataclass(frozen=True, slots=True)
class Period:
    """Days from the first to the last; None for an open end."""

    first: date | None
    last: date | None = None

    @classmethod
    def of_year(cls, year: int) -> Self:
        """Return the days of a year."""
        return cls(date(year, 1, 1), date(year, 12, 31))

    @classmethod
    def of_month(cls, year: int, month: int) -> Self:
        """Return the days of a month.

        >>> Period.of_month(2024, 2).last
        datetime.date(2024, 2, 29)
        """
        return cls(date(year, month, 1), date(year, month, monthrange(year, month)[1]))

    def holds(self, other: Period) -> bool:
        """Return whether all days of another period are of this one."""
        begins = self.first is None or (other.first is not None and self.first <= other.first)
        ends = self.last is None or (other.last is not None and other.last <= self.last)
        return begins and ends

    def __str__(self) -> str:
        """The period as a range that means the same on every day.

        >>> str(Period.of_year(2024)), str(Period(date(2024, 6, 1)))
        ('2024-01-01..2024-12-31', '2024-06-01..')
        """
        return f"{self.first or ''}..{self.last or ''}"


@dataclass(frozen=True, slots=True)
class Named:
    """The meaning of one date.

    Attributes:
        period: the days that it names. It has no end if the text says how long ago something began.
        turn: the first day of "after" it; "before" it is earlier.
        end: its last day if it ends a range.
    """

    period: Period
    turn: date
    end: date

    @classmethod
    def days(cls, first: date, last: date) -> Self:
        return cls(Period(first, last), first, last)


def named(text: str, today: date) -> Named:
    """Return the meaning of one date on the day `today`.

    Weeks begin on Monday. A weekday, a month, or a day without a year means the most recent one.
    Case, accents, commas, and hyphens between words are ignored.

    Raises:
        BadValueError: it is not a date, or is ambiguous.

    >>> on = date(2026, 11, 24)
    >>> print(named("last month", on).period, named("vorgestern", on).period)
    2026-10-01..2026-10-31 2026-11-22..2026-11-22
    >>> print(named("3天前", on).period, named("3w", on).period, named("March", on).period)
    2026-11-21..2026-11-21 2026-11-03.. 2026-03-01..2026-03-31
    >>> print(named("2 months ago", on).period, named("2 months ago", on).turn)
    2026-09-01..2026-09-30 2026-09-24
    """
    plain = _plain(text)
    if not plain or len(plain) > _LONGEST:
        raise BadValueError("not a date")
    if _EITHER_WAY.fullmatch(plain):
        raise BadValueError("ambiguous date; write it as 2024-12-31")
    try:
        # Most dates have this form, and compiling the others takes a while.
        if match := _ISO.fullmatch(plain):
            return _checked(_iso(_parts(match), today))
        for form, read in _forms():
            if match := form.fullmatch(plain):
                return _checked(read(_parts(match), today))
    except (ValueError, OverflowError) as error:
        raise BadValueError("not a date") from error
    if _beginnings().fullmatch(plain):
        raise BadValueError('incomplete date; use quotes, as in "last month"')
    raise BadValueError("not a date")


def period_named(text: str, today: date) -> Period:
    """Return the days that a date means, or a range of two dates, of which one may be missing.

    Raises:
        BadValueError: it is neither.

    >>> print(period_named("2024..2025-03", date(2026, 11, 24)))
    2024-01-01..2025-03-31
    >>> print(period_named("..yesterday", date(2026, 11, 24)))
    ..2026-11-23
    """
    sides = _RANGE.split(text.strip(), maxsplit=1)
    if len(sides) == 1:
        return named(text, today).period
    begin, end = (
        named(f"{side}." if _DAY_AND_MONTH.fullmatch(side) else side, today) if side else None
        for side in sides
    )
    if begin is None and end is None:
        raise BadValueError("not a date")
    first = begin.turn if begin is not None else None
    last = end.end if end is not None else None
    if first is not None and last is not None and last < first:
        raise BadValueError("ends before it starts")
    return Period(first, last)


def turn_named(text: str, today: date) -> date:
    """Return the first day that counts as after a date; "before" it is earlier.

    Raises:
        BadValueError: it is not a date.

    >>> turn_named("2024-06", date(2026, 11, 24))
    datetime.date(2024, 6, 1)
    """
    if _RANGE.search(text):
        raise BadValueError("two dates; use date: instead")
    return named(text, today).turn


def is_plain(text: str) -> bool:
    """Return whether a date or a range is numeric and unambiguous.

    >>> is_plain("2024-06"), is_plain("2024..2025-03-01"), is_plain("1.6.24"), is_plain("March")
    (True, True, False, False)
    """
    return all(not side or _ISO.fullmatch(side) for side in _RANGE.split(text.strip()))


def is_named_day(text: str) -> bool:
    """Return whether a date is a single word for a day or a year, counted from today.

    >>> is_named_day("Yesterday"), is_named_day("去年"), is_named_day("March")
    (True, True, False)
    """
    plain = _plain(text)
    return plain in number_words()["named"] or plain in number_words()["years"]


def is_season(text: str) -> bool:
    """Return whether a text is the name of a season without a year."""
    return _plain(text) in number_words()["season"]


def period_text(period: Period) -> Message:
    """Return a period in words; at least one of its ends must be set.

    >>> on = date(2026, 10, 1)
    >>> [str(period_text(each)) for each in (Period(on, on), Period(on), Period(None, on))]
    ['1 October 2026', 'from 1 October 2026 on', 'up to 1 October 2026']
    >>> str(period_text(Period.of_year(2024)))
    '1 January 2024 to 31 December 2024'
    """
    if period.first is None:
        assert period.last is not None
        return Message("up to {0}", day_text(period.last))
    first = day_text(period.first)
    if period.last is None:
        return Message("from {0} on", first)
    if period.first == period.last:
        return first
    return Message("{0} to {1}", first, day_text(period.last))


def day_text(day: date) -> Message:
    """Return a day in words.

    >>> str(day_text(date(2026, 3, 9)))
    '9 March 2026'
    """
    at, year = day.day, day.year
    return (
        Message("{0} January {1}", at, year),
        Message("{0} February {1}", at, year),
        Message("{0} March {1}", at, year),
        Message("{0} April {1}", at, year),
        Message("{0} May {1}", at, year),
        Message("{0} June {1}", at, year),
        Message("{0} July {1}", at, year),
        Message("{0} August {1}", at, year),
        Message("{0} September {1}", at, year),
        Message("{0} October {1}", at, year),
        Message("{0} November {1}", at, year),
        Message("{0} December {1}", at, year),
    )[day.month - 1]


# Forms of dates

_LONGEST: Final = 60
_RANGE: Final = re.compile(r"\s*(?:\.{2,3}|…)\s*")
# Without its dot, which "..." may have consumed.
_DAY_AND_MONTH: Final = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
_ISO: Final = re.compile(
    "(?P<year>[12][0-9]{3})(?:[-/.](?P<moon>[0-9]{1,2})(?:[-/.](?P<day>[0-9]{1,2}))?)?"
)
# Day and month may be in either order; a number above 12 decides.
_EITHER_WAY: Final = re.compile(
    r"(?!(\d+)[-/]\1[-/])(?:0?[1-9]|1[0-2])[-/](?:0?[1-9]|1[0-2])[-/]\d{4}", re.ASCII
)
_FIGURES: Final = re.compile(r"[\d\s./-]+")
# Traditional characters, by the simplified ones.
_SIMPLIFIED: Final = str.maketrans("週個這禮後號過內兩來", "周个这礼后号过内两来")


def _plain(text: str) -> str:
    """Return a date's text in its normal form.

    >>> _plain(" Last-Month "), _plain("2024-06"), _plain("24. März,  2025"), _plain("３個月前")
    ('last month', '2024-06', '24. marz 2025', '3个月前')
    """
    plain = fold(text.replace(",", " ").replace("，", " ")).translate(_SIMPLIFIED)
    if _FIGURES.fullmatch(plain) or _ISO_WEEK.fullmatch(plain):
        return plain
    plain = " ".join(re.sub("[-_]", " ", plain).split())
    for half, months in _HALVES.items():
        plain = plain.replace(half, months)
    return plain


_HALVES: Final = {
    "half a year": "6 months",
    "einem halben jahr": "6 monaten",
    "ein halbes jahr": "6 monate",
    "半年": "6个月",
}
_ISO_WEEK: Final = re.compile(r"(?P<year>[12][0-9]{3})-?w(?P<week>[0-9]{1,2})")

# Meaning of the parsed values

Parts = Mapping[str, str]
Reading = Callable[[Parts, date], Named]


def _parts(match: re.Match[str]) -> Parts:
    """Return the parts of a date that matched."""
    return {key: part for key, part in match.groupdict().items() if part}


def _shifted(day: date, unit: Unit, count: int) -> date:
    """Return the day that many units later, or the last day of a shorter month.

    >>> _shifted(date(2024, 3, 31), "month", -1)
    datetime.date(2024, 2, 29)
    """
    if unit in {"day", "week"}:
        return day + timedelta(count * (7 if unit == "week" else 1))
    months = {"month": 1, "quarter": 3, "year": 12}[unit] * count
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _around(day: date, unit: Unit) -> Period:
    """Return the day, week, month, quarter or year that contains a day.

    >>> print(_around(date(2026, 11, 24), "week"), _around(date(2026, 11, 24), "quarter"))
    2026-11-23..2026-11-29 2026-10-01..2026-12-31
    """
    match unit:
        case "day":
            return Period(day, day)
        case "week":
            monday = day - timedelta(day.weekday())
            return Period(monday, monday + timedelta(6))
        case "month":
            return Period.of_month(day.year, day.month)
        case "quarter":
            month = day.month - (day.month - 1) % 3
            return Period(date(day.year, month, 1), Period.of_month(day.year, month + 2).last)
        case "year":
            return Period.of_year(day.year)


def _whole(period: Period) -> Named:
    assert period.first is not None
    assert period.last is not None
    return Named.days(period.first, period.last)


def _checked(dates: Named) -> Named:
    """Return the day if its neighbours exist as well, for time zones a day apart."""
    days = (dates.period.first, dates.period.last, dates.turn, dates.end)
    if any(day is not None and not 1000 <= day.year < 3000 for day in days):
        raise ValueError("date out of range")
    return dates


def _unit(parts: Parts) -> Unit:
    return unit_words()[parts["unit"]]


def _value(kind: str, word: str) -> int:
    return number_words()[kind][word]


def _day_named(parts: Parts, today: date) -> Named:
    day = today + timedelta(_value("named", parts["named"]))
    return Named.days(day, day)


def _year_named(parts: Parts, today: date) -> Named:
    return _whole(Period.of_year(today.year + _value("years", parts["years"])))


def _unit_stepped(parts: Parts, today: date) -> Named:
    unit = _unit(parts)
    return _whole(_around(_shifted(today, unit, _value("step", parts["step"])), unit))


def _unit_before_last(parts: Parts, today: date) -> Named:
    unit = _unit(parts)
    return _whole(_around(_shifted(today, unit, -2), unit))


def _past(parts: Parts, today: date) -> Named:
    """Return the last days, weeks, months or years, including today."""
    count = number_of(parts.get("count", "1"))
    first = _shifted(today, _unit(parts), -count) + timedelta(1)
    return Named(Period(first), first, today)


def _coming(parts: Parts, today: date) -> Named:
    last = _shifted(today, _unit(parts), number_of(parts["count"])) - timedelta(1)
    return Named.days(today, last)


def _ago(parts: Parts, today: date) -> Named:
    unit = _unit(parts)
    day = _shifted(today, unit, -number_of(parts["count"]))
    return Named(_around(day, unit), day, day)


def _since(parts: Parts, today: date) -> Named:
    day = _shifted(today, _unit(parts), -number_of(parts["count"]))
    return Named(Period(day), day, day)


def _weekday(parts: Parts, today: date) -> Named:
    weekday = _value("weekday", parts["weekday"])
    step = _value("step", parts["step"]) if "step" in parts else None
    if step is None:
        day = today - timedelta((today.weekday() - weekday) % 7)
    elif step == 0:
        day = today + timedelta(weekday - today.weekday())
    elif step < 0:
        day = today - timedelta((today.weekday() - weekday - 1) % 7 + 1 + 7 * (-step - 1))
    else:
        day = today + timedelta((weekday - today.weekday() - 1) % 7 + 1 + 7 * (step - 1))
    return Named.days(day, day)


def _chinese_weekday(parts: Parts, today: date) -> Named:
    """Return the weekday in this, the last or the next week; by default the most recent one."""
    weekday = min(CHINESE_WEEKDAYS.index(parts["weekday"]), 6)
    if "step" in parts:
        monday = today - timedelta(today.weekday())
        day = monday + timedelta(7 * _value("step", parts["step"]) + weekday)
    else:
        day = today - timedelta((today.weekday() - weekday) % 7)
    return Named.days(day, day)


def _month_of(parts: Parts) -> int:
    return _value("month", parts["month"]) if "month" in parts else number_of(parts["moon"])


def _year_of(parts: Parts, today: date) -> int | None:
    """Return the year of a date, given as a number or relative to this year."""
    if "years" in parts:
        return today.year + _value("years", parts["years"])
    if "of_step" in parts:
        return today.year + _value("step", parts["of_step"])
    if "year" not in parts:
        return None
    year = int(parts["year"])
    if len(parts["year"]) == 2:
        year += 2000 if year < 70 else 1900
    return year


def _month(parts: Parts, today: date) -> Named:
    month, year = _month_of(parts), _year_of(parts, today)
    if year is None:
        step = _value("step", parts["step"]) if "step" in parts else None
        year = today.year
        if step is None:
            year -= month > today.month
        elif step < 0:
            year += step + (month < today.month)
        elif step > 0:
            year += step - (month > today.month)
    return _whole(Period.of_month(year, month))


def _day_of_month(parts: Parts, today: date) -> Named:
    month, day, year = _month_of(parts), number_of(parts["day"]), _year_of(parts, today)
    if year is not None:
        on = date(year, month, day)
        return Named.days(on, on)
    for back in range(9):  # so long there may be no 29 February
        year = today.year - back
        if day <= monthrange(year, month)[1] and (on := date(year, month, day)) <= today:
            return Named.days(on, on)
    raise ValueError("invalid day of the year")


def _in_figures(parts: Parts, today: date) -> Named:
    """Return a date in figures; the month may come first if the day is above 12."""
    first, second = int(parts["first"]), int(parts["second"])
    day, month = (second, first) if second > 12 else (first, second)
    return _day_of_month({**parts, "day": str(day), "moon": str(month)}, today)


def _iso(parts: Parts, _today: date) -> Named:
    year, month, day = int(parts["year"]), parts.get("moon"), parts.get("day")
    if month is None:
        return _whole(Period.of_year(year))
    if day is None:
        return _whole(Period.of_month(year, int(month)))
    on = date(year, int(month), int(day))
    return Named.days(on, on)


def _iso_week(parts: Parts, _today: date) -> Named:
    monday = date.fromisocalendar(int(parts["year"]), int(parts["week"]), 1)
    return Named.days(monday, monday + timedelta(6))


def _quarter(parts: Parts, today: date) -> Named:
    month = 3 * int(parts["quarter"]) - 2
    year = int(parts["year"]) if "year" in parts else today.year - (month > today.month)
    return _whole(_around(date(year, month, 1), "quarter"))


def _season(parts: Parts, today: date) -> Named:
    """Return three months from the first of March, June, September or December."""
    month, year = _value("season", parts["season"]), _year_of(parts, today)
    if year is None:
        year = today.year - (month > today.month)
        if "step" in parts and (step := _value("step", parts["step"])):
            is_under_way = (12 * today.year + today.month) - (12 * year + month) < 3
            year += step + (step < 0 and not is_under_way)
    last = Period.of_month(year + (month == 12), (month + 1) % 12 + 1).last
    assert last is not None
    return _whole(Period(date(year, month, 1), last))


def first_words() -> frozenset[str]:
    """Return the folded words with which a date of one or several words may begin.

    >>> {"last", "march", "yesterday", "letzten"} <= first_words(), "the" in first_words()
    (True, False)
    """
    kinds = ("step", "named", "years", "month", "season")
    words = {word for kind in kinds for word in number_words()[kind]}
    return frozenset(word.split()[0] for word in words | set(past_words())) | {
        "q1",
        "q2",
        "q3",
        "q4",
    }


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Reading], ...]:
    """Return all forms of a date, each with its parser; the first that fits counts."""
    words = {kind: _any(table) for kind, table in number_words().items()}
    past, coming = _any(past_words()), _any(coming_words())
    unit = f"个?(?P<unit>{_any(unit_words())})"
    # One or two letters mean a unit only next to a number.
    whole_unit = (
        f"个?(?P<unit>{_any(name for name in unit_words() if len(name) > 2 or not name.isascii())})"
    )
    step = f"(?P<step>{words['step']})"
    chinese = "[〇一二两三四五六七八九十]{1,3}"
    count = rf"(?P<count>\d{{1,4}}|{words['count']}|{chinese})"
    day = "(?P<day>[0-9]{1,2})"
    year = "(?P<year>[12][0-9]{3})"
    month = rf"(?:of )?(?P<month>{words['month']})\.?"
    of_year = rf"(?:of )?(?:the )?(?P<of_step>{words['step']}) (?:year|jahr|jahres)"
    any_year = rf"(?: (?:{year}|{of_year}))"
    years = f"(?P<years>{words['years']})"
    moon = rf"(?:{year} ?年 ?|{years})?(?P<moon>[0-9]{{1,2}}|{chinese}) ?月份?"
    chinese_day = rf"(?P<day>[0-9]{{1,2}}|{chinese}) ?[日号]"
    first, second = "(?P<first>[0-9]{1,2})", "(?P<second>[0-9]{1,2})"
    written: tuple[tuple[str, Reading], ...] = (
        (_ISO_WEEK.pattern, _iso_week),
        (rf"{first}\. ?{second}\.(?: ?(?P<year>[12][0-9]{{3}}|[0-9]{{2}}))?", _in_figures),
        (rf"{first}[-/]{second}[-/]{year}", _in_figures),
        (rf"(?P<named>{words['named']})", _day_named),
        (rf"(?:year |jahr )?{year}", _iso),
        (rf"{year} ?年", _iso),
        (years, _year_named),
        (rf"{moon} ?{chinese_day}", _day_of_month),
        (moon, _month),
        (rf"(?:{step} ?)?(?:周|星期|礼拜)(?P<weekday>[{CHINESE_WEEKDAYS}])", _chinese_weekday),
        (rf"(?:{step} )?(?P<weekday>{words['weekday']})\.?", _weekday),
        (rf"(?:{step} )?{month}", _month),
        (rf"{month}{any_year}", _month),
        (rf"{day}(?:st|nd|rd|th|\.)? ?{month}{any_year}?", _day_of_month),
        (rf"{month} {day}(?:st|nd|rd|th)?(?: {year})?", _day_of_month),
        (rf"(?:{step} )?(?P<season>{words['season']})", _season),
        (rf"(?P<season>{words['season']}){any_year}", _season),
        (rf"(?:{year} ?年|{years})的?(?P<season>{words['season']})", _season),
        (rf"q(?P<quarter>[1-4])(?: ?{year})?", _quarter),
        (rf"{year} ?q(?P<quarter>[1-4])", _quarter),
        (rf"(?P<quarter>[1-4])\. quartal(?: {year})?", _quarter),
        (rf"{step} ?{whole_unit}", _unit_stepped),
        (rf"{whole_unit} before last", _unit_before_last),
        (rf"past {whole_unit}", _past),
        (rf"(?:{past}) ?{count} ?{unit}", _past),
        (rf"{count} ?{unit}(?:以内|之内|内|来)", _past),
        (rf"(?:{coming}) ?{count} ?{unit}", _coming),
        (rf"{count} ?{unit} ago", _ago),
        (rf"vor {count} ?{unit}", _ago),
        (rf"{count} ?{unit}(?:以前|之前|前)", _ago),
        (rf"{count} ?{unit}", _since),
    )
    # "In a week" is not what began a week ago.
    within = f"in(?! {count.replace('?P<count>', '?:')} ?{unit.replace('?P<unit>', '?:')}$)"
    lead = rf"(?:(?:on|the|during|{within}|am|im|der|die|das|den|dem|des) )*"
    return tuple((re.compile(lead + f"(?:{form})"), read) for form, read in written)


@cache
def _beginnings() -> re.Pattern[str]:
    """Return a pattern of the words with which a date of several words may begin."""
    words = (
        *number_words()["step"],
        *number_words()["count"],
        *past_words(),
        "the",
        "in",
        "vor",
        "day",
    )
    return re.compile(rf"\d{{1,3}}|{_any(word for word in words if word.isascii())}")
