"""A part of the library to search in: folders, kinds of files, times, sizes."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

_NS: int = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Scope:
    """Conditions on documents, all of which must hold; an empty one holds for all.

    Attributes:
        places: folders, with all that is in them, or single files; any of them.
        suffixes: of the files' names, with their dot (".pdf"); a name without one is a whole file
            name ("makefile"). Any of them, in upper or lower case.
        since: the first day on which the file was last changed, in local time.
        until: the last such day.
        least_bytes: of the file.
        most_bytes: of the file.
    """

    places: tuple[Path, ...] = ()
    suffixes: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    least_bytes: int | None = None
    most_bytes: int | None = None

    @property
    def is_everything(self) -> bool:
        """Whether there are no conditions."""
        return self == Scope()

    def condition(self) -> tuple[str, list[str | int]]:
        """The conditions on a row of `documents` as SQL, with its parameters.

        >>> Scope(most_bytes=9).condition()
        ('documents.size_bytes <= ?', [9])
        """
        parts: list[tuple[str, list[str | int]]] = []
        if self.places:
            parts.append(_any([_in_place(str(place)) for place in self.places]))
        if self.suffixes:
            parts.append(_any([_named(suffix) for suffix in self.suffixes]))
        for column, comparison, value in (
            ("mtime_ns", ">=", None if self.since is None else _start_of(self.since)),
            ("mtime_ns", "<", None if self.until is None else _start_of(self.until, days=1)),
            ("size_bytes", ">=", self.least_bytes),
            ("size_bytes", "<=", self.most_bytes),
        ):
            if value is not None:
                parts.append((f"documents.{column} {comparison} ?", [value]))
        sql = " AND ".join(sql for sql, _ in parts) or "1"
        return sql, [value for _, values in parts for value in values]


EVERYWHERE = Scope()


def passages_in(db: sqlite3.Connection, scope: Scope) -> npt.NDArray[np.int64]:
    """The numbers of the passages of the scope's documents, ascending."""
    condition, values = scope.condition()
    rows = db.execute(
        "SELECT passages.id FROM documents JOIN passages ON document_id = documents.id"  # noqa: S608 - ours
        f" WHERE {condition}",
        values,
    )
    return np.sort(np.fromiter((row[0] for row in rows), dtype=np.int64))


def _any(parts: list[tuple[str, list[str | int]]]) -> tuple[str, list[str | int]]:
    sql = " OR ".join(sql for sql, _ in parts)
    return f"({sql})", [value for _, values in parts for value in values]


def _in_place(place: str) -> tuple[str, list[str | int]]:
    # Not LIKE: a folder's name may hold its wildcards, and case may matter.
    inside = place.rstrip(os.sep) + os.sep
    return (
        "(documents.path = ? OR substr(documents.path, 1, ?) = ?)",
        [place, len(inside), inside],
    )


def _named(suffix: str) -> tuple[str, list[str | int]]:
    ending = suffix if suffix.startswith(".") else os.sep + suffix
    return "lower(substr(documents.path, ?)) = lower(?)", [-len(ending), ending]


def _start_of(day: date, days: int = 0) -> int:
    """The beginning of a day, or of one some days after it, in nanoseconds as files have them."""
    moment = datetime.fromordinal(day.toordinal() + days).astimezone()
    return int(moment.timestamp()) * _NS
