"""Files of one JSON object a line, as people and programs list things: read with plain errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import UsageError


def lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield where each line stands, in words, and its text; lines of white space are left out."""
    try:
        with path.open("rb") as file:
            # Split at b"\n" alone: a text may hold U+2028 and others that str.splitlines takes
            # for the end of a line.
            for number, line in enumerate(file, start=1):
                where = f"{path}, line {number}"
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError as error:
                    raise UsageError("{0}: this is not UTF-8 text.", where) from error
                if text.strip():
                    yield where, text
    except OSError as error:
        raise UsageError("{0} cannot be read: {1}.", path, error.strerror) from error


def object_of(text: str, where: str) -> dict[str, Any]:
    """Return the JSON object that a line holds.

    Raises:
        UsageError: it holds none; the sentence begins with `where`.
    """
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError("{0}: this is not JSON.", where) from error
    if not isinstance(entry, dict):
        raise UsageError("{0}: this is not a JSON object.", where)
    return entry


def text_of(entry: Mapping[str, Any], name: str, where: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str):
        reason = f'"{name}" is not a text' if name in entry else f'there is no "{name}"'
        raise UsageError("{0}: {1}.", where, reason)
    return value
