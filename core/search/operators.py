"""The operators of the query language: how each is written and what it means.

The help of the command line and of the window is made of `OPERATORS`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from core.catalog.scope import Scope
from core.documents.formats import FORMATS, suffixes_of
from core.errors import UsageError

_DATE: Final = re.compile(r"([12][0-9]{3})(?:[-/.]([0-9]{1,2})(?:[-/.]([0-9]{1,2}))?)?")
_SIZE: Final = re.compile(r"(<=?|>=?)([0-9]{1,18}(?:\.[0-9]{1,9})?)(b|[kmgt]b?|)", re.IGNORECASE)
_KINDS: Final = ", ".join(dict.fromkeys(format_.key for format_ in FORMATS))
_UNITS: Final = {"b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


class BadValueError(Exception):
    """A filter's value says nothing; the message goes on from the filter: "is no date"."""


@dataclass(frozen=True, slots=True)
class Operator:
    """One thing that can be said in a query besides words.

    Attributes:
        form: how it is written.
        meaning: what it asks for, in a few words.
        example: a query with it.
        key: of a filter, what stands before the colon; "" for what is no filter.
        read: what a filter's value asks for. Raises `BadValueError`.
        is_either: one of several such filters suffices, because a document has only one such
            thing; of others all must hold.
    """

    form: str
    meaning: str
    example: str
    key: str = ""
    read: Callable[[str], Scope] = lambda _value: Scope()
    is_either: bool = False


def first_day(value: str) -> date:
    """The first day of a day, a month or a year: 2024-06-30, 2024-06 or 2024.

    >>> first_day("2024-06")
    datetime.date(2024, 6, 1)
    """
    match = _DATE.fullmatch(value.strip())
    if match is None:
        raise BadValueError("is no date")
    year, month, day = match.groups(default="1")
    try:
        return date(int(year), int(month), int(day))
    except ValueError as error:
        raise BadValueError("is no date") from error


def day_after(value: str) -> date:
    """The first day after a day, a month or a year.

    >>> day_after("2024-06-30"), day_after("2024-12"), day_after("2024")
    (datetime.date(2024, 7, 1), datetime.date(2025, 1, 1), datetime.date(2025, 1, 1))
    """
    first = first_day(value)
    match re.split(r"[-/.]", value.strip()):
        case [_, _, _]:
            return first + timedelta(1)
        case [_, _]:
            return (first + timedelta(31)).replace(day=1)
    return first.replace(year=first.year + 1)


def _size(value: str) -> Scope:
    match = _SIZE.fullmatch(re.sub(r"\s", "", value))
    if match is None:
        raise BadValueError("is no size")
    sign, number, unit = match.groups()
    limit = int(float(number) * _UNITS[unit[:1].lower() or "b"])
    if sign.startswith(">"):
        return Scope(least_bytes=limit + (sign == ">"))
    return Scope(most_bytes=limit - (sign == "<"))


def _type(value: str) -> Scope:
    try:
        return Scope(suffixes=suffixes_of(value.strip()))
    except UsageError as error:
        raise BadValueError(f"is no kind of files (there are {_KINDS}, and suffixes)") from error


def _suffix(value: str) -> Scope:
    suffix = value.strip().removeprefix("*").lstrip(".")
    if not suffix or os.sep in suffix:
        raise BadValueError("is no suffix")
    return Scope(suffixes=("." + suffix,))


def _folder(value: str) -> Scope:
    # By `os.path` and not `Path`, which raises where there is no such home, or links go in circles.
    path = os.path.expanduser(value)  # noqa: PTH111
    if os.path.isabs(path):  # noqa: PTH117
        return Scope(places=(Path(os.path.realpath(path)),))
    return Scope(folders=(value,))


OPERATORS: Final = (
    Operator('"EXACT WORDS"', "these words side by side", '"boundary layer"'),
    Operator("-WORD", "not what holds this word, or fits this filter", "jaguar -car -ext:pdf"),
    Operator("OR", "one or the other, of words or filters", "(solar panel) OR photovoltaic"),
    Operator(
        "type:KIND",
        f"only files of a kind: {_KINDS}",
        "budget type:pdf",
        "type",
        _type,
        is_either=True,
    ),
    Operator("ext:SUFFIX", "only files of a suffix", "ext:docx", "ext", _suffix, is_either=True),
    Operator(
        "in:FOLDER",
        "only what lies in a folder, given by its name or its whole path",
        'in:"tax 2024"',
        "in",
        _folder,
        is_either=True,
    ),
    Operator(
        "name:PART",
        "only files with this in their names; * and ? stand for any characters, any one",
        "name:report*.doc?",
        "name",
        lambda value: Scope(names=(value,)),
    ),
    Operator(
        "author:NAME",
        "only documents by someone whose name has this in it",
        "author:curie",
        "author",
        lambda value: Scope(authors=(value,)),
    ),
    Operator(
        "after:DATE",
        "only documents of that day or later, by the date that they give, else by their files';"
        " a month or a year counts from its first day",
        "after:2024-06",
        "after",
        lambda value: Scope(since=first_day(value)),
    ),
    Operator(
        "before:DATE",
        "only documents from before that day, that month or that year",
        "before:2024-06-30",
        "before",
        lambda value: Scope(until=first_day(value) - timedelta(1)),
    ),
    Operator(
        "size:>SIZE",
        "only files larger than that, with < smaller; in kb, mb, gb",
        "size:>1mb size:<2.5gb",
        "size",
        _size,
    ),
)


def filters() -> dict[str, Operator]:
    """The operators that are filters, by their keys."""
    return {operator.key: operator for operator in OPERATORS if operator.key}
