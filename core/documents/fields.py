"""Type and range checks for the values in messages from a sandboxed process.

Every value from a sandboxed process passes through these functions before it is stored or shown.
SQLite stores integers of 64 bits and text that can be encoded as UTF-8.
"""

import json
import math
import re
from typing import Any, Final

# Largest count or offset: of characters, pages, pixels or levels.
MOST_COUNT: Final = 2**31 - 1
# Largest integer that SQLite stores.
MOST_STORED: Final = 2**63 - 1
# Largest absolute value of a coordinate on a page.
_MOST_COORDINATE: Final = 1e9
# Longest title, name or error sentence, in characters.
LONGEST_LINE: Final = 20_000
# Values in one message. Python needs at least 60 bytes for each, and fewer than 300 MB for all.
_MOST_ITEMS: Final = 5_000_000
_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)


class FieldError(ValueError):
    """A value has the wrong type or is out of range."""


def parse(message: bytes) -> dict[str, Any]:
    """Parse a message into a JSON object.

    Raises:
        FieldError: The message is not a JSON object, or has too many values.
    """
    # Count first: parsing a hostile message could exhaust the memory.
    if _count(message) > _MOST_ITEMS and _count(_STRING.sub(b"", message)) > _MOST_ITEMS:
        raise FieldError("the message has too many values")
    try:
        fields = json.loads(message.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise FieldError("the message is not valid JSON") from error
    if type(fields) is not dict:
        raise FieldError("the message is not an object")
    return fields


def _count(message: bytes) -> int:
    return message.count(b",") + message.count(b"[") + message.count(b"{")


def _refuse(name: str) -> None:
    raise FieldError(f"{name} is not a number")


def text(value: Any, longest: int | None = None) -> str:
    r"""Check a text, of at most `longest` characters if given, and return it.

    >>> text("罪")
    '罪'
    >>> text("half \ud800")
    Traceback (most recent call last):
    core.documents.fields.FieldError: lone surrogate in a string
    """
    if type(value) is not str or (longest is not None and len(value) > longest):
        raise FieldError("not a string, or too long")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise FieldError("lone surrogate in a string") from error
    return value


def line(value: Any) -> str:
    """Check a title, a name or an error sentence, and return it."""
    return text(value, LONGEST_LINE)


def integer(value: Any, most: int = MOST_COUNT, least: int = 0) -> int:
    """Check an integer from `least` to `most`, and return it."""
    # In Python a bool is also an int.
    if type(value) is not int or not least <= value <= most:
        raise FieldError("not a number, or out of range")
    return value


def coordinate(value: Any) -> float:
    """Check a coordinate on a page, and return it as a float."""
    if type(value) not in (int, float) or not -_MOST_COORDINATE <= value <= _MOST_COORDINATE:
        raise FieldError("not a number, or out of range")
    degrees = float(value)
    assert math.isfinite(degrees)
    return degrees


def items(value: Any) -> list[Any]:
    if type(value) is not list:
        raise FieldError("not a list")
    return value
