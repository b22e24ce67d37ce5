"""The moment of a document: what it says of itself, else when its file was last changed."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

NS: Final = 1_000_000_000
_YEARS: Final = range(1900, 2200)
"""What lies elsewhere is a mistake of whoever wrote it: a clock that was never set, a misprint."""

DATED: Final = "coalesce(documents.said_ns, documents.mtime_ns)"
"""In SQL, in nanoseconds: by what documents are filtered, counted and put in order."""


def moment_ns(said: str) -> int | None:
    """A date in ISO 8601 as nanoseconds since 1970; None for none that can be meant.

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
    """A moment without a zone as one of where one is.

    Not every system knows the local time of days long ago, or far ahead: they are taken as UTC.
    """
    return moment.astimezone() if _is_known(moment) else moment.replace(tzinfo=UTC)


def day_of(since_1970_ns: int) -> date:
    """The day of a moment, where one is; `local` the other way round.

    >>> day_of(moment_ns("1912-04-15")), day_of(moment_ns("2024-02-29"))
    (datetime.date(1912, 4, 15), datetime.date(2024, 2, 29))
    """
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=since_1970_ns // NS)
    if not _is_known(moment):
        return moment.date()
    here = moment.astimezone()
    return here.date() if _is_known(here) else moment.date()


def _is_known(moment: datetime) -> bool:
    """Whether every system knows the local time of a day."""
    return date(1971, 1, 1) <= moment.date() < date(2999, 1, 1)
