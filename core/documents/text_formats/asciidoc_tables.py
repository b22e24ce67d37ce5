"""The tables of AsciiDoc as rows of cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.documents.text_formats.delimited import comma_rows

_BORDER = re.compile(r"[|,:!]={3,}")
_NESTED_BORDER = re.compile(r"!={3,}")
# Span, repetition, alignment and style of a cell, right before its bar.
_BARS = {
    bar: re.compile(
        r"(?:(?<=\s)|^)(?:(?:\d+(?:\.\d+)?|\.\d+)[+*])?[<^>]?(?:\.[<^>])?[aehlmsdv]?"
        rf"(?<!\\){re.escape(bar)}|(?<!\\){re.escape(bar)}"
    )
    for bar in "|!"
}
_COLUMNS = re.compile(r"\bcols=(?:\"([^\"]*)\"|'([^']*)'|([^,\]]+))")
_REPEATED = re.compile(r"\s*(\d+)\*")
_MOST_COLUMNS = 1_000


def is_border(line: str) -> bool:
    """Say whether a line begins or ends a table.

    >>> is_border("|==="), is_border(",====="), is_border("====")
    (True, True, False)
    """
    return bool(_BORDER.fullmatch(line.rstrip()))


def rows(border: str, attributes: str, lines: Sequence[str]) -> list[list[str]]:
    """Return the rows of a table between two borders.

    >>> rows("|===", '[cols="2*"]', ["|a", "|b", "2+|c", "|d |e"])
    [['a', 'b'], ['c', 'd'], ['e']]
    >>> rows("|===", "", ["|a |b", "|c", "more |d"])
    [['a', 'b'], ['c more', 'd']]
    >>> rows("|===", "", ["|a", "a|", "!===", "!b !c", "!===", "|d"])
    [['a'], ['b c'], ['d']]
    """
    said = attributes.replace('"', "").replace("'", "")
    if border[0] in {",", ":"} or "format=csv" in said or "format=dsv" in said:
        by_colon = border[0] == ":" or "format=dsv" in said
        return comma_rows(lines, ":" if by_colon else ",")
    bar = "!" if border[0] == "!" else "|"
    width = _width(attributes)
    found: list[list[str]] = []
    for line in lines if bar == "!" else _without_nested(lines):
        before, *cells = _BARS[bar].split(line)
        if not cells or before.strip():
            # Goes on with the cell above it.
            if found and before.strip():
                found[-1][-1] = f"{found[-1][-1]} {before.strip()}".strip()
            elif before.strip():
                found.append([before.strip()])
        if cells:
            new = [cell.strip().replace(f"\\{bar}", bar) for cell in cells]
            if found and before.strip():
                found[-1] += new
            else:
                found.append(new)
    if not width:
        return found
    flat = [cell for row in found for cell in row]
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def _without_nested(lines: Sequence[str]) -> Iterator[str]:
    """Give the lines of a table; those of tables within its cells as text of the cells."""
    is_nested = False
    for line in lines:
        if _NESTED_BORDER.fullmatch(line.rstrip()):
            is_nested = not is_nested
        elif is_nested:
            yield " ".join(cell.strip() for cell in _BARS["!"].split(line)).strip()
        else:
            yield line


def _width(attributes: str) -> int:
    """Return the number of columns that a table declares; 0 if it declares none."""
    match = _COLUMNS.search(attributes)
    if not match:
        return 0
    width = 0
    for column in re.split(r"[,;]", match[1] or match[2] or match[3] or ""):
        repeated = _REPEATED.match(column)
        width += min(int(repeated[1]), _MOST_COLUMNS) if repeated else 1
    return min(width, _MOST_COLUMNS)
