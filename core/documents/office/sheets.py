"""How the sheets of a spreadsheet become pages, whatever format they come in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.documents import limits
from core.documents.text import PageText


def add_rows(page: PageText, name: str, rows: Iterable[Iterable[tuple[int, str]]]) -> None:
    """Add a sheet to `page`: its `name` as a heading, then a line for each row with text.

    Each row is given as its cells that are not empty, with the numbers of their columns. A sheet
    without such cells adds nothing.
    """
    is_first = True
    for cells in rows:
        line = list(spaced(cells))
        if not line:
            continue
        if is_first:
            page.heading(1, name)
        page.row(line, first=is_first)
        is_first = False


def spaced(cells: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Give a row's texts, with one empty cell for each run of empty ones within it."""
    last: int | None = None
    length = 0
    for column, text in cells:
        if not text or text.isspace():
            continue
        length += len(text)
        limits.DEFAULT.check_characters(length)
        if last is not None and column > last + 1:
            yield ""
        yield text
        last = column
