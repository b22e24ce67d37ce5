"""The orders in which results can be shown."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from core.catalog.normalisation import fold
from core.settings import Order

if TYPE_CHECKING:
    from app.search.rows import Answer


def in_order(answer: Answer, order: Order) -> Answer:
    """Give `answer` with its documents in `order`; equals stand as they rank."""
    ranks = {hit.document_id: rank for rank, hit in enumerate(answer.results.hits)}
    found = sorted(answer.found, key=lambda one: ranks[one.best.document.document_id])
    if order is Order.DATE:
        found.sort(key=lambda one: -one.best.document.dated_ns)
    elif order is Order.NAME:
        found.sort(key=lambda one: name_key(one.best.title))
    return replace(answer, found=tuple(found))


def ordered_as(answer: Answer, shown: Answer) -> Answer:
    """Give `answer`, which has the documents of `shown`, in the order in which those stand."""
    places = {one.best.document.document_id: place for place, one in enumerate(shown.found)}
    found = sorted(answer.found, key=lambda one: places[one.best.document.document_id])
    return replace(answer, found=tuple(found))


def name_key(name: str) -> list[tuple[int, str]]:
    """What names are compared by: case and accents don't count, and numbers by their size.

    >>> sorted(["Été 10", "ete 9", "Eta"], key=name_key)
    ['Eta', 'ete 9', 'Été 10']
    """
    pieces = re.split("([0-9]+)", fold(name))
    return [(int(one), "") if one.isdecimal() else (-1, one) for one in pieces if one]
