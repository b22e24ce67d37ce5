"""The values that a message from a confined process may hold: each by its type and range.

Everything that comes from such a process passes through these functions, so that what is stored or
shown has a column's type: SQLite takes numbers of 64 bits and text that can be written as UTF-8.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

# What most numbers count or point at: characters, pages, pixels, levels.
MOST: Final = 2**31 - 1
# What SQLite can store.
MOST_STORED: Final = 2**63 - 1
# Beyond it, a coordinate is none of a page.
_FARTHEST: Final = 1e9
# Sentences, titles and names: a reason with the name of a damaged part in it, for example.
LONGEST_LINE: Final = 20_000
# Lists and numbers in one message. Python needs 60 bytes and more for each.
_MOST_ITEMS: Final = 16_000_000
_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)


class FieldError(ValueError):
    """A value is not what a message may hold there."""


def parsed(message: bytes) -> dict[str, Any]:
    """Return the object that a message is.

    Raises:
        FieldError: It is none, or holds more values than any answer.
    """
    # Counted before it is parsed, for parsing is what would fill the memory.
    if _count(message) > _MOST_ITEMS and _count(_STRING.sub(b"", message)) > _MOST_ITEMS:
        raise FieldError("a message of too many values")
    try:
        fields = json.loads(message.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise FieldError("no JSON") from error
    if type(fields) is not dict:
        raise FieldError("no object")
    return fields


def _count(message: bytes) -> int:
    return message.count(b",") + message.count(b"[") + message.count(b"{")


def _refuse(name: str) -> None:
    raise FieldError(f"{name} is no number")


def text(value: Any, longest: int | None = None) -> str:
    r"""Return a text, of at most `longest` characters if given.

    >>> text("罪")
    '罪'
    >>> text("half \ud800")
    Traceback (most recent call last):
    core.documents.fields.FieldError: half a character
    """
    if type(value) is not str or (longest is not None and len(value) > longest):
        raise FieldError("no text, or too much")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise FieldError("half a character") from error
    return value


def line(value: Any) -> str:
    """Return a sentence, a title or a name."""
    return text(value, LONGEST_LINE)


def whole(value: Any, most: int = MOST, least: int = 0) -> int:
    """Return a whole number from `least` to `most`."""
    # A bool is an int to Python, but not in JSON.
    if type(value) is not int or not least <= value <= most:
        raise FieldError("no number, or out of range")
    return value


def real(value: Any) -> float:
    """Return a finite number, of a size that a place on a page has."""
    if type(value) not in (int, float) or not -_FARTHEST <= value <= _FARTHEST:
        raise FieldError("no number, or out of range")
    found = float(value)
    assert math.isfinite(found)
    return found


def items(value: Any) -> list[Any]:
    """Return a list."""
    if type(value) is not list:
        raise FieldError("no list")
    return value
