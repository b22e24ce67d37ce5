"""The operators of the query language, and the scopes that their values mean."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Final

from core.catalog.scope import EVERYWHERE, Scope
from core.catalog.text.normalisation import fold
from core.documents.formats import all_formats, listed_keys, mail_suffixes, suffixes_of
from core.errors import BadValueError, Message, UsageError
from core.files.locations import Location
from core.files.paths import RESOURCES
from core.search.query.dates import Period, period_named, turn_named

_SIZE: Final = re.compile(r"(<=?|>=?)([0-9]{1,18}(?:\.[0-9]{1,9})?)(b|[kmgt]b?|)", re.IGNORECASE)
_UNITS: Final = {"b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


@dataclass(frozen=True, slots=True)
class Operator:
    """An element of the query language besides words.

    Attributes:
        form: how it is written.
        meaning: a short description.
        example: a query with it.
        key: the name of a filter, before the colon; "" if it is not a filter.
        is_either: whether one of several such filters suffices, because a document has only one
            such attribute; of others all must match.
    """

    form: str
    meaning: Message
    example: str
    key: str = ""
    is_either: bool = False

    def read(self, value: str, today: date) -> Scope:
        """Return the scope of a filter's value on a day.

        Raises:
            BadValueError: the value is invalid.
        """
        return _SCOPES[self.key](value, today)

    def days(self, value: str, today: date) -> Period | None:
        """Return the days of a filter's value on a day; None if the filter is not about days.

        Raises:
            BadValueError: the value is invalid.
        """
        days = _DAYS.get(self.key)
        return None if days is None else days(value, today)


def _after(value: str, today: date) -> Period:
    return Period(turn_named(value, today))


def _before(value: str, today: date) -> Period:
    return Period(None, turn_named(value, today) - timedelta(1))


def _dated(period: Period) -> Scope:
    return Scope(since=period.first, until=period.last)


def _changed(period: Period) -> Scope:
    return Scope(changed_since=period.first, changed_until=period.last)


def _size(value: str, _today: date) -> Scope:
    match = _SIZE.fullmatch(re.sub(r"\s", "", value))
    if match is None:
        raise BadValueError("not a size")
    sign, figures, unit = match.groups()
    limit = int(float(figures) * _UNITS[unit[:1].lower() or "b"])
    if sign.startswith(">"):
        return Scope(least_bytes=limit + (sign == ">"))
    return Scope(most_bytes=limit - (sign == "<"))


def kind_named(name: str) -> str:
    """Return the key of a file type from its name in another language; else `name` itself.

    >>> [kind_named(name) for name in ("Präsentation", "praesentation", "邮件", "docx")]
    ['presentation', 'presentation', 'mail', 'docx']
    """
    return _keys_by_name().get(fold(name), name)


@cache
def _keys_by_name() -> dict[str, str]:
    keys: dict[str, str] = {}
    for each in all_formats():
        for name in f"{each.german} {each.chinese}".split():
            for spelt in (name, name.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")):
                keys.setdefault(fold(spelt), each.key)
    return keys


def _type(value: str, _today: date) -> Scope:
    try:
        return Scope(suffixes=suffixes_of(kind_named(value.strip())))
    except UsageError as error:
        sentence = "not a file type (use {0} or a file extension)"
        raise BadValueError(sentence, listed_keys()) from error


def _suffix(value: str, _today: date) -> Scope:
    suffix = value.strip().removeprefix("*").lstrip(".")
    if not suffix or os.sep in suffix:
        raise BadValueError("not a file extension")
    return Scope(suffixes=("." + suffix,))


def _same(value: str, _today: date) -> Scope:
    path = os.path.expanduser(value)  # noqa: PTH111 - as in `_folder`
    if (location := Location.of(path)).is_absolute:
        return Scope(same=(str(location.resolved()),))
    if not value.strip("/\\ "):
        raise BadValueError("not a file")
    return Scope(same=(path,))


def _tag(value: str, _today: date) -> Scope:
    if not value.strip("#/ "):
        raise BadValueError("not a tag")
    return Scope(tags=(value,))


# What a document can have, in the languages of the window.
_ATTACHMENTS: Final = frozenset(
    map(fold, ("attachment", "attachments", "Anhang", "Anhänge", "附件"))
)
# Attachments are the documents inside a mail.
ATTACHED: Final = Scope(suffixes=mail_suffixes(), has_members=True)


def _has(value: str, _today: date) -> Scope:
    if fold(value.strip()) not in _ATTACHMENTS:
        raise BadValueError("use has:attachment")
    return ATTACHED


def _folder(value: str, _today: date) -> Scope:
    # By `os.path`, because `Path` raises for unknown homes and circular links.
    location = Location.of(os.path.expanduser(value))  # noqa: PTH111
    return Scope(paths=(location.resolved(),)) if location.is_absolute else Scope(folders=(value,))


# The name of the person's own library in a query.
OWN_LIBRARY: Final = "mine"


def _library(value: str, _today: date) -> Scope:
    # For a single library; `core.search.query.addressing` interprets it for several.
    is_own = fold(value.strip()) == OWN_LIBRARY
    return Scope(either=(EVERYWHERE,)) if is_own else Scope(neither=(EVERYWHERE,))


# The scopes that the values of filters mean, and the days of those about days, by key.
_SCOPES: Final[Mapping[str, Callable[[str, date], Scope]]] = {
    "type": _type,
    "ext": _suffix,
    "in": _folder,
    "name": lambda value, _today: Scope(names=(value,)),
    "author": lambda value, _today: Scope(authors=(value,)),
    "tag": _tag,
    "from": lambda value, _today: Scope(senders=(value,)),
    "to": lambda value, _today: Scope(recipients=(value,)),
    "subject": lambda value, _today: Scope(suffixes=mail_suffixes(), titles=(value,)),
    "has": _has,
    "same": _same,
    "date": lambda value, today: _dated(period_named(value, today)),
    "after": lambda value, today: _dated(_after(value, today)),
    "before": lambda value, today: _dated(_before(value, today)),
    "modified": lambda value, today: _changed(period_named(value, today)),
    "size": _size,
    "library": _library,
}
_DAYS: Final[Mapping[str, Callable[[str, date], Period]]] = {
    "date": period_named,
    "after": _after,
    "before": _before,
    "modified": period_named,
}


def _read_operators() -> Iterator[Operator]:
    """Yield the operators of `resources/operators.json`, whose texts are translated."""
    for entry in json.loads((RESOURCES / "operators.json").read_text(encoding="utf-8")):
        yield Operator(**entry | {"meaning": Message(entry["meaning"], listed_keys())})


OPERATORS: Final = tuple(_read_operators())


def filters() -> dict[str, Operator]:
    """Return the operators that are filters, by key."""
    return {operator.key: operator for operator in OPERATORS if operator.key}
