"""Dates as documents write them, brought to ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from email.utils import parsedate_to_datetime

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_ISO = re.compile(
    r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:(?:[T ]| \w{2,3}\.? )(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?"
    r" ?(Z|UTC|[+-]\d\d:?\d\d)?)?"
)
_PDF = re.compile(
    r"D:(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?)?", re.ASCII
)
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)? +([a-z]{3})[a-z]*\.?,? +(\d{4})")
_MONTH_FIRST = re.compile(r"([a-z]{3})[a-z]*\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})")
_DOTS = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")
_LONGEST = 200


def iso_date(raw: str | None) -> str:
    """Return a date as ISO 8601, with its time where it has one; "" for what names no day.

    Where day and month cannot be told apart ("03/04/2024") no day is named.

    >>> iso_date("June 30, 2024"), iso_date("Sun, 30 Jun 2024 12:05:00 +0200")
    ('2024-06-30', '2024-06-30T12:05:00+02:00')
    >>> iso_date("D:20240630120500+02'00'"), iso_date("<2024-06-30 Sun>"), iso_date("03/04/2024")
    ('2024-06-30T12:05:00+02:00', '2024-06-30', '')
    """
    text = " ".join((raw or "")[:_LONGEST].split())
    if match := _PDF.match(text):
        year, month, day, hour, minute, second, utc, zone_hour, zone_minute = match.groups()
        zone = "Z" if utc else f"{zone_hour}:{zone_minute or '00'}" if zone_hour else ""
        clock = f"{hour}:{minute}:{second or '00'}" if hour else ""
        return _joined((year, month, day), clock, zone)
    if match := _ISO.search(text):
        return _joined(match.groups()[:3], match[4] or "", (match[5] or "").replace("UTC", "Z"))
    try:
        return _written(parsedate_to_datetime(text))
    except ValueError:
        return _in_words(text.lower())


def _in_words(text: str) -> str:
    if match := _DAY_FIRST.search(text):
        return _joined((match[3], _month(match[2]), match[1]))
    if match := _MONTH_FIRST.search(text):
        return _joined((match[3], _month(match[1]), match[2]))
    if match := _DOTS.search(text):
        return _joined((match[3], match[2], match[1]))
    return ""


def _month(name: str) -> str:
    """Return the number of a month by the first three letters of its name; "0" for none.

    >>> _month("mar"), _month("abc")
    ('3', '0')
    """
    return str(_MONTHS.find(name) // 4 + 1 if name in _MONTHS.split() else 0)


def _joined(day: Sequence[str], clock: str = "", zone: str = "") -> str:
    """Return a day with its time, or without one that is none; "" for a day that is none."""
    try:
        on = date(*map(int, day))
    except ValueError:
        return ""
    if not clock:
        return on.isoformat()
    try:
        at = time.fromisoformat(f"{clock}{zone}")
    except ValueError:
        return on.isoformat()
    return _written(datetime.combine(on, at))


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
