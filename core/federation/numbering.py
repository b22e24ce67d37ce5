"""Ids of passages and documents among several libraries.

The upper bits of an id are the number of its library, 0 for one's own; the lower 40 bits are its id
there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, TypeVar, cast

from core.documents.document import Box, Page, PageImage, PageSize
from core.responses import Alignment, QueryToken, ScoreTerm
from core.token_comparison import Comparison

_Value = TypeVar("_Value")
_SHIFT: Final = 40
# Fields of requests and responses that hold ids.
_IDS: Final = ("document_id", "passage_id", "id")
# Parts of responses that hold none; there may be thousands of them.
_WITHOUT_IDS: Final = (
    *(Alignment, QueryToken, ScoreTerm, Comparison),
    *(Page, PageImage, PageSize, Box),
)


def numbered(number: int, member: int) -> int:
    """Return the id of a library's passage or document among several libraries.

    Negative ids, which stand for no passage, are unchanged, as are all ids of library 0.

    >>> numbered(7, 0), numbered(7, 2) == (2 << 40) + 7, numbered(-1, 2)
    (7, True, -1)
    """
    return number if number < 0 else (member << _SHIFT) + number


def member_and_number(number: int) -> tuple[int, int]:
    """Return the library of an id, and the id in that library.

    >>> member_and_number(numbered(7, 2)), member_and_number(7)
    ((2, 7), (0, 7))
    """
    return (0, number) if number < 0 else (number >> _SHIFT, number & ((1 << _SHIFT) - 1))


def own_ids(request: object) -> list[int]:
    """Return the document or passage id of a request, if it has one.

    >>> from core.requests import Explain, ListFolders
    >>> own_ids(Explain("owls", 7)), own_ids(ListFolders())
    ([7], [])
    """
    return [getattr(request, name) for name in _IDS if hasattr(request, name)]


def renumber(value: _Value, number: Callable[[int], int]) -> _Value:
    """Return a request or response with all its document and passage ids changed by a function.

    >>> from core.requests import Explain
    >>> renumber(Explain("owls", 7), lambda number: number + 1)
    Explain(query='owls', passage_id=8)
    """
    changed: Any = value
    if type(value) is tuple:
        changed = tuple(renumber(one, number) for one in cast("tuple[Any, ...]", value))
    elif is_dataclass(value) and not isinstance(value, (type, *_WITHOUT_IDS)):
        changes = {
            field.name: number(inner) if field.name in _IDS else renumber(inner, number)
            for field in fields(value)
            for inner in [getattr(value, field.name)]
        }
        changed = replace(cast("Any", value), **changes)
    return cast("_Value", changed)
