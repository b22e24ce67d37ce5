"""Documents as readers return them: pages of plain text with headings, styles and sheet rows.

The text that is searched is the text that is shown: a view formats it by the styles, and adds,
drops and loads nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
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
    """A heading in a page. `text` begins at character `start`; level 1 is the outermost."""

    start: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class SourceLines:
    """Lines `first` to `last` of the file, from 1, for characters `start` to `end` of a page.

    Several lines of text correspond to as many lines of the file; a single line of text may join
    several lines of the file.
    """

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Page:
    r"""One page. All positions in Winnow are character offsets into `text`.

    `text` has `\n` line ends, no white space at either end, and a blank line between paragraphs.
    Formats without pages have one page, with `number` 1. `unread` holds the reasons, one per line,
    why the page has no text or lacks some, each as the end of a sentence that begins with the page.
    `styles` and the `rows` of a sheet serve display only and do not count in comparisons. `lines`
    maps the text, in order, to the lines of a text file, as far as they are known. `quotes` are the
    spans of a mail's text that repeat other mails.
    """

    number: int
    text: str
    headings: tuple[Heading, ...] = ()
    unread: str = ""
    styles: tuple[StyledSpan, ...] = field(default=(), compare=False)
    rows: Sequence[SheetRow] = field(default=(), compare=False)
    lines: tuple[SourceLines, ...] = field(default=(), compare=False)
    quotes: tuple[tuple[int, int], ...] = ()

    @property
    def is_picture(self) -> bool:
        """Whether only text recognition could read the page."""
        return IS_PICTURE in self.unread.split("\n")


# The reason in `Page.unread` of a page that only text recognition could read.
IS_PICTURE: Final = "Image: turn on text recognition to read it"


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its metadata, "" if absent, and all its pages, with or without text.

    `author` holds names separated by semicolons. `date` is when the content was last changed, or
    else created or sent, in ISO 8601: "2024-06-30", or with a time, "2024-06-30T12:05:00". `tags`
    without their "#" and `aliases` (other names of the document) are separated by semicolons, too.
    `senders` and `recipients` of a mail are names with addresses, as in its headers, and
    `conversation` is the same for all mails of a conversation.
    """

    title: str
    pages: tuple[Page, ...]
    author: str = ""
    date: str = ""
    tags: str = ""
    aliases: str = ""
    senders: str = ""
    recipients: str = ""
    conversation: str = ""


# The fields of a `Document` besides its title and pages, in their order.
METADATA: Final = tuple(each.name for each in fields(Document))[2:]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page image in pixels. The origin is the top left corner."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PageSize:
    """The displayed size of a page in points (1/72 inch)."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PageImage:
    """A rendered page. `rgb` holds height x width x 3 bytes, rows from the top.

    `boxes` has one entry per requested span: the rectangles, one per line of text, that cover the
    span's characters.
    """

    width: int
    height: int
    rgb: bytes
    boxes: tuple[tuple[Box, ...], ...]


class Style(StrEnum):
    """The kind of a span of text."""

    # A block in a bulleted or numbered list. The level is the nesting depth, from 1.
    ITEM = "item"
    NUMBERED = "numbered"
    # A quoted block. The level is the nesting depth, from 1.
    QUOTE = "quote"
    # A block in fixed width, and words in fixed width.
    CODE = "code"
    LITERAL = "literal"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    LINK = "link"
    # A table row, its cells separated by bars. The first row of a table has level 1.
    ROW = "row"
    # A mail header. The level is the length of its name.
    FIELD = "field"
    # The file name of a mail attachment.
    ATTACHMENT = "attachment"
    # The start of a line whose number, the level, is not one more than that of the line above.
    LINE = "line"


@dataclass(frozen=True, slots=True)
class StyledSpan:
    """Characters `start` to `end` of a page's text, and their style."""

    start: int
    end: int
    style: Style
    level: int = 0


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of a sheet. It begins at offset `start` of the page's text.

    `number` is the row's number in the sheet, from 1. Each cell is its column number, from 1, with
    the start and the end of its text. Empty cells are left out.
    """

    start: int
    number: int
    cells: tuple[tuple[int, int, int], ...]


class PackedRows(Sequence[SheetRow]):
    """Rows of a sheet as two tables of numbers. Each `SheetRow` is created on access.

    Args:
        rows: Start offset, row number and index of the first cell of each row.
        cells: Column number, start and end offset of each cell.
    """

    def __init__(self, rows: Table, cells: Table) -> None:
        self._rows = rows
        self._cells = cells
        self.most_columns = int(cells[:, 0].max(initial=0))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> SheetRow: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[SheetRow, ...]: ...

    def __getitem__(self, index: int | slice) -> SheetRow | tuple[SheetRow, ...]:
        if isinstance(index, slice):
            return tuple(self[row] for row in range(*index.indices(len(self))))
        index = range(len(self))[index]
        start, row_number, first = self._rows[index].tolist()
        last = self._rows[index + 1, 2] if index + 1 < len(self) else len(self._cells)
        cells = self._cells[first:last].tolist()
        return SheetRow(
            start, row_number, tuple((column, begin, end) for column, begin, end in cells)
        )

    def row_at(self, offset: int) -> int:
        """Return the index of the row at an offset of the page's text, or of the one before it."""
        return max(0, int(self._rows[:, 0].searchsorted(offset, side="right")) - 1)


def pack_rows(rows: Sequence[SheetRow]) -> list[str]:
    firsts = accumulate((len(row.cells) for row in rows), initial=0)
    starts = [(row.start, row.number, first) for row, first in zip(rows, firsts, strict=False)]
    cells = [cell for row in rows for cell in row.cells]
    return [_packed(starts), _packed(cells)]


def unpack_rows(packed: Sequence[str], length: int) -> PackedRows:
    """Unpack the two strings of `pack_rows`.

    Raises:
        ValueError: They are invalid for a text of `length` characters.

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
        raise ValueError("rows outside their page")
    return PackedRows(rows, cells)


def _packed(table: Sequence[tuple[int, int, int]]) -> str:
    import numpy as np

    values = np.array(table, "<u4").reshape(-1, 3)
    return base64.b64encode(values.tobytes()).decode("ascii")


def _unpacked(packed: str) -> Table:
    import numpy as np

    values = np.frombuffer(base64.b64decode(packed, validate=True), "<u4")
    return values.reshape(-1, 3)


def packed_rows(rows: Sequence[SheetRow], length: int) -> PackedRows:
    """Return the rows of a text of `length` characters as `PackedRows`."""
    return rows if isinstance(rows, PackedRows) else unpack_rows(pack_rows(rows), length)
