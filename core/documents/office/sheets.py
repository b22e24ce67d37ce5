"""How the sheets of a spreadsheet become pages, whatever format they come in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.documents import limits
from core.documents.damage import Losses
from core.documents.document import Page
from core.documents.text import PageText


def add_rows(
    page: PageText, name: str, rows: Iterable[tuple[int, Iterable[tuple[int, str]]]]
) -> None:
    """Add a sheet to `page`: its `name` as a heading, then a line for each row with text.

    Each row is given as its number and its cells that are not empty, with the numbers of their
    columns, all counted from 1. The name of a sheet says something without any, too.
    """
    page.heading(1, name)
    is_first = True
    for number, cells in rows:
        line = list(spaced(cells))
        if not line:
            continue
        page.sheet_row(line, number, first=is_first)
        is_first = False


def check_sheets(pages: Iterable[Page], losses: Losses) -> None:
    """Refuse a workbook of which nothing is left but the names of its sheets.

    Raises:
        DocumentError: No sheet has more, and some was left out.
    """
    losses.check(page for page in pages if page.text != "".join(h.text for h in page.headings))


def spaced(cells: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Give a row's cells with text, and one empty cell for each run of empty ones within it."""
    last: int | None = None
    length = 0
    for column, text in cells:
        if not text or text.isspace():
            continue
        length += len(text)
        limits.DEFAULT.check_characters(length)
        if last is not None and column > last + 1:
            yield column - 1, ""
        yield column, text
        last = column
