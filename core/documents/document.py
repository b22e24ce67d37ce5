"""What a reader gives: a document as pages of plain text with positions, and with styles.

The text that is found is the text that is shown: a view sets it as the styles tell, and adds, drops
and loads nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate
from typing import TYPE_CHECKING, Final, overload

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    # n x 3 numbers.
    Table = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a page: `text` begins at character `start`; level 1 is the outermost."""

    start: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class SourceLines:
    """The characters from `start` to `end` of a page's text, and the file's lines that they are.

    Those are `first` to `last`, numbered from 1. Several lines of text are as many of the file; one
    line of text may have been set from several.
    """

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Page:
    r"""One page as a person reads it; all positions in Winnow are character offsets into `text`.

    `text` has `\n` line ends, no white space at either end, and paragraphs apart by a blank line.
    Formats without pages have one page, whose `number` is 1. `unread` says why a page has no text
    though there may be some on it, or what of it is missing, as the end of a sentence that begins
    with the page; of several reasons each is a line. `styles` and the `rows` of a sheet serve
    whoever shows the page, and are not part of what it says. `lines` tell, in order, where in a
    file of text it stands, as far as that is known.
    """

    number: int
    text: str
    headings: tuple[Heading, ...] = ()
    unread: str = ""
    styles: tuple[StyledSpan, ...] = field(default=(), compare=False)
    rows: Sequence[SheetRow] = field(default=(), compare=False)
    lines: tuple[SourceLines, ...] = field(default=(), compare=False)


IS_PICTURE: Final = "is a picture; turn on text recognition to read it"
"""Why a page is unread that only text recognition could read."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document: what it says of itself, "" where it says nothing, and its pages.

    Pages without text are among them. `author` is as a person writes names, several apart by a
    semicolon. `date` is when the content was last changed, or else made or sent, in ISO 8601:
    "2024-06-30", with a time behind a "T" where one is given.
    """

    title: str
    pages: tuple[Page, ...]
    author: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page image in pixels; the origin is the top left corner."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PageSize:
    """How large a page is as it is shown, in points (1/72 inch)."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PageImage:
    """A drawn page: `rgb` holds height x width x 3 bytes, rows from the top.

    `boxes` has one entry per span that was asked for: the rectangles, one a line of text, that
    cover the span's characters.
    """

    width: int
    height: int
    rgb: bytes
    boxes: tuple[tuple[Box, ...], ...]


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
class SheetRow:
    """A row of a sheet, which begins at `start` in the page's text.

    `number` is that of the row in the sheet, from 1; each cell has its column's number, from 1,
    and where its text starts and ends. Empty cells are left out.
    """

    start: int
    number: int
    cells: tuple[tuple[int, int, int], ...]


class PackedRows(Sequence[SheetRow]):
    """Rows of a sheet, each made when it is asked for.

    Args:
        rows: for each row where it starts, its number, and which cell is its first.
        cells: for each cell its column, and where its text starts and ends.
    """

    def __init__(self, rows: Table, cells: Table) -> None:
        self._rows = rows
        self._cells = cells
        self.most_columns = int(cells[:, 0].max(initial=0))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> SheetRow: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[SheetRow, ...]: ...

    def __getitem__(self, place: int | slice) -> SheetRow | tuple[SheetRow, ...]:
        if isinstance(place, slice):
            return tuple(self[row] for row in range(*place.indices(len(self))))
        place = range(len(self))[place]
        start, number, first = self._rows[place].tolist()
        last = self._rows[place + 1, 2] if place + 1 < len(self) else len(self._cells)
        cells = self._cells[first:last].tolist()
        return SheetRow(start, number, tuple((column, begin, end) for column, begin, end in cells))

    def row_at(self, offset: int) -> int:
        """Return the row that a character of the page's text stands in, or the one before it."""
        return max(0, int(self._rows[:, 0].searchsorted(offset, side="right")) - 1)


def pack_rows(rows: Sequence[SheetRow]) -> list[str]:
    firsts = accumulate((len(row.cells) for row in rows), initial=0)
    starts = [(row.start, row.number, first) for row, first in zip(rows, firsts, strict=False)]
    cells = [cell for row in rows for cell in row.cells]
    return [_packed(starts), _packed(cells)]


def unpack_rows(packed: Sequence[str], length: int) -> PackedRows:
    """Return the rows that two strings hold.

    Raises:
        ValueError: They hold none that could lie in a text of that many characters.

    >>> rows = [SheetRow(0, 3, ((1, 0, 1), (4, 4, 5))), SheetRow(6, 4, ((2, 6, 7),))]
    >>> list(unpack_rows(pack_rows(rows), 7)) == rows
    True
    """
    import numpy as np

    rows, cells = map(_unpacked, packed)
    starts, firsts = rows[:, 0], rows[:, 2]
    is_sound = (
        (np.diff(starts.astype(np.int64)) >= 0).all()
        and (np.diff(firsts.astype(np.int64)) >= 0).all()
        and (starts <= length).all()
        and (firsts <= len(cells)).all()
        and (not len(firsts) or firsts[0] == 0)
        and (bool(len(rows)) or not len(cells))
        and (cells[:, 1] <= cells[:, 2]).all()
        and (cells[:, 2] <= length).all()
        and (cells[:, 0] >= 1).all()
    )
    if not is_sound:
        raise ValueError("rows that do not lie on their page")
    return PackedRows(rows, cells)


def _packed(table: Sequence[tuple[int, int, int]]) -> str:
    import numpy as np

    numbers = np.array(table, "<u4").reshape(-1, 3)
    return base64.b64encode(numbers.tobytes()).decode("ascii")


def _unpacked(packed: str) -> Table:
    import numpy as np

    numbers = np.frombuffer(base64.b64decode(packed, validate=True), "<u4")
    return numbers.reshape(-1, 3)


def packed_rows(rows: Sequence[SheetRow], length: int) -> PackedRows:
    """Return rows of a text of that many characters as such, if they are no such rows yet."""
    return rows if isinstance(rows, PackedRows) else unpack_rows(pack_rows(rows), length)
