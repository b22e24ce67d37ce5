"""How stretches of a page's text look where the document is shown: set apart from the text itself.

The text that is found is the text that is shown: a view sets it as the styles tell, and adds, drops
and loads nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Style(StrEnum):
    """What a stretch of text is."""

    ITEM = "item"
    """A block of a list; the level tells how deep it lies, from 1."""
    NUMBERED = "numbered"
    """A block of a list whose items are counted, likewise."""
    QUOTE = "quote"
    """A block that is quoted; the level tells how deep, from 1."""
    CODE = "code"
    """A block in fixed width."""
    LITERAL = "literal"
    """Words in fixed width."""
    STRONG = "strong"
    EMPHASIS = "emphasis"
    LINK = "link"
    ROW = "row"
    """A table's row, its cells apart by bars; the first one of a table has level 1."""
    FIELD = "field"
    """A header of a mail; the level is the length of its name."""
    ATTACHMENT = "attachment"
    """The name of what is attached to a mail."""
    LINE = "line"
    """The begin of a line whose number, the level, does not follow from the line above."""


@dataclass(frozen=True, slots=True)
class StyledSpan:
    """The characters from `start` to `end` of a page's text, which have a style."""

    start: int
    end: int
    style: Style
    level: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a sheet, which begins at `start` in the page's text.

    `number` is that of the row in the sheet, from 1; each cell has its column's number, from 1,
    and where its text starts and ends. Empty cells are left out.
    """

    start: int
    number: int
    cells: tuple[tuple[int, int, int], ...]
