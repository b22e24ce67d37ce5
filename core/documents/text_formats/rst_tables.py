"""The tables of reStructuredText, drawn with characters: as rows of cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, zip_longest

_GRID = re.compile(r"\+(?:[-=]+\+)+")
_SIMPLE = re.compile(r"=+(?: +=+)+")
_RULE = re.compile(r"[=-]+(?: +[=-]+)*")


def is_grid(line: str) -> bool:
    """Say whether a line is the border of a table with all its lines drawn.

    >>> is_grid("+---+--+"), is_grid("+")
    (True, False)
    """
    return bool(_GRID.fullmatch(line))


def is_simple(line: str) -> bool:
    """Say whether a line is the border of a table that only has lines above and below.

    >>> is_simple("===  =="), is_simple("====")
    (True, False)
    """
    return bool(_SIMPLE.fullmatch(line))


def grid_rows(lines: Sequence[str], at: int) -> tuple[list[list[str]], int]:
    """Return the rows of the table that begins at line `at`, and the line after it.

    >>> grid_rows(["+--+---+", "|a |b  |", "|  |bb |", "+==+===+", "|c     |", "+--+---+"], 0)
    ([['a', 'b bb'], ['c']], 6)
    """
    rows: list[list[str]] = []
    running: list[str] = []  # the cells of the row being read
    columns = [match.start() for match in re.finditer(r"\+", lines[at])]
    while at < len(lines) and lines[at][:1] in {"+", "|"}:
        line = lines[at]
        at += 1
        if is_grid(line):
            if running:
                rows.append(running)
            running = []
            continue
        # A border that is not drawn in this line parts nothing: the cell spans columns.
        borders = [place for place in columns if line[place : place + 1] in {"+", "|"}]
        cells = [line[start + 1 : end].strip() for start, end in pairwise(borders)]
        # Where a cell spans rows, text and the border of its neighbours share a line.
        cells = ["" if _RULE.fullmatch(cell) else cell for cell in cells]
        running = [
            f"{above} {cell}".strip() for above, cell in zip_longest(running, cells, fillvalue="")
        ]
    if running:
        rows.append(running)
    return rows, at


def simple_rows(lines: Sequence[str], at: int) -> tuple[list[list[str]], int]:
    """Return the rows of the table that begins at line `at`, and the line after it.

    A line whose first cell is empty goes on with the row above it.

    >>> simple_rows(["==  ===", "a   b", "==  ===", "1   2", "    3", "==  ==="], 0)
    ([['a', 'b'], ['1', '2 3']], 6)
    """
    columns = [match.start() for match in re.finditer(r"=+", lines[at])]
    rows: list[list[str]] = []
    at += 1
    while at < len(lines):
        line = lines[at]
        at += 1
        if is_simple(line):
            if at == len(lines) or not lines[at]:
                break  # the lower border
        elif line and not _RULE.fullmatch(line):
            # What runs on over the beginning of a column spans it.
            starts = [place for place in columns if not line[place - 1 : place].strip()]
            cells = [line[start:end].strip() for start, end in pairwise([*starts, None])]
            if rows and cells and not cells[0]:
                joined = zip_longest(rows[-1], cells, fillvalue="")
                rows[-1] = [f"{above} {cell}".strip() for above, cell in joined]
            else:
                rows.append(cells)
        elif not line and not rows:
            break  # a border without a table
    return rows, at
