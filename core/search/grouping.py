"""From ranked passages to documents: the first few of each, best first."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

import numpy as np

from core.catalog import passages
from core.catalog.scope import Scope
from core.search import phrases
from core.search.query import Query
from core.search.stages import Asked, Found, Ranked

_PASSAGES_SHOWN: Final = 4
"""Passages of one document that are given with it."""


def group(db: sqlite3.Connection, query: Query, ranked: Ranked, limit: int) -> Found:
    """The first `limit` documents of a ranking, each with its best passages."""
    groups: dict[int, list[tuple[int, float]]] = {}
    step = max(4 * limit, 50)
    for start in range(0, len(ranked.passages), step):
        numbers = ranked.passages[start : start + step].tolist()
        of = passages.document_of(db, numbers)
        if phrases.are_checked(query):
            of = {number: of[number] for number in accepted(db, query, numbers)}
        for number, value in zip(numbers, ranked.scores[start : start + step], strict=True):
            if number not in of:
                continue
            group = groups.get(of[number])
            if group is None:
                if len(groups) == limit:
                    continue
                group = groups[of[number]] = []
            if len(group) < _PASSAGES_SHOWN:
                group.append((number, float(value)))
        # Within this step the last documents could show their further passages as well.
        if len(groups) == limit:
            break
    return Found(groups, ranked)


def accepted(db: sqlite3.Connection, query: Query, numbers: Sequence[int]) -> set[int]:
    """Those of the passages in which the query's phrases stand, and no unwanted one."""
    return {
        number
        for number, one in passages.fetch(db, numbers).items()
        if phrases.accepts(query, (one.text, one.context))
    }


def newest(db: sqlite3.Connection, asked: Asked, limit: int) -> Found:
    """Documents by their age alone; phrases are left out by their words' stems here."""
    scope = asked.scope & Scope(without_words=asked.query.unwanted_phrases)
    nothing = np.empty(0, dtype=np.int64)
    ranked = Ranked(nothing, nothing.astype(np.float32), frozenset(), frozenset(), True)
    listed = passages.newest(db, scope, limit)
    return Found({document: [(number, 0.0)] for document, number in listed.items()}, ranked)
