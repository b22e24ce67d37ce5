"""The fields of a document that a result has, each declared once.

To add one that is a column of the table `documents`, add it here: results in the window, JSON, the
HTTP API and MCP have it then. Its `ResultField` describes it for agents, limits it in responses of
servers, and formats it for the terminal.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, Final

_METADATA: Final = "result_field"
_INT64: Final = (-(2**63), 2**63 - 1)


@dataclass(frozen=True, slots=True)
class ResultField:
    """What outputs do with a field of a result.

    Attributes:
        about: describes it to agents.
        is_listed: whether JSON exports and agents list it by its name.
        bounds: smallest and largest number in a response of a server.
        printed: a template for the terminal's line on a result; "" to leave it out. Empty values
            are left out, too.
        column: of the table `documents`, or a condition on one; "" if its name is the field's.
    """

    about: str = ""
    is_listed: bool = False
    bounds: tuple[int, int] = _INT64
    printed: str = ""
    column: str = ""


def result_field(default: Any = MISSING, **about: Any) -> Any:
    """Return a field of a dataclass with the attributes of a `ResultField`."""
    return field(default=default, metadata={_METADATA: ResultField(**about)})


def result_fields(kind: Any) -> Mapping[str, ResultField]:
    """Return the result fields of a dataclass by name.

    >>> [name for name, each in result_fields(DocumentFields).items() if each.is_listed]
    ['title', 'author', 'date', 'is_incomplete']
    """
    return _declared(kind)


@cache
def _declared(kind: Any) -> Mapping[str, ResultField]:
    return {
        each.name: each.metadata[_METADATA] for each in fields(kind) if _METADATA in each.metadata
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFields:
    """The fields of a document in results.

    `author` and `date` (ISO 8601) come from its metadata, "" if absent; `changed_ns` is the
    modification time of its file, 0 if it has none, and `said_ns` the time of `date`, None if
    absent. One that `is_incomplete` has parts that could not be read.
    """

    title: str = result_field(is_listed=True, about="Title of the document.")
    author: str = result_field(
        default="", is_listed=True, about='Author given in the document; "" if unknown.'
    )
    date: str = result_field(
        default="", is_listed=True, about='Date given in the document, ISO 8601; "" if unknown.'
    )
    changed_ns: int = result_field(default=0, column="mtime_ns")
    said_ns: int | None = result_field(default=None)
    is_incomplete: bool = result_field(
        default=False,
        is_listed=True,
        about="True if parts of the document could not be read; `winnow status --files` tells why.",
        printed="incomplete",
        column="gaps != ''",
    )


# The fields with their columns, for a query.
DOCUMENT_COLUMNS: Final = ", ".join(
    f"documents.{each.column or name} AS {name}"
    for name, each in result_fields(DocumentFields).items()
)


def fields_of_row(row: sqlite3.Row) -> dict[str, Any]:
    """Return the fields from a row with `DOCUMENT_COLUMNS`."""
    values = {name: row[name] for name in result_fields(DocumentFields)}
    return values | {"is_incomplete": bool(values["is_incomplete"])}


def fields_of(document: DocumentFields) -> dict[str, Any]:
    """Return the fields of a document, by name."""
    return {name: getattr(document, name) for name in result_fields(DocumentFields)}
