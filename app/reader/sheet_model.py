"""The rows and columns of a sheet, as Qt's views ask for them."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from app import texts
from core.documents.styles import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.reader.marks import Span
    from core.documents.document import Page

Index = QModelIndex | QPersistentModelIndex
_MOST_COLUMNS: Final = 16_384


class SheetModel(QAbstractTableModel):
    """A page of a workbook; its cells are looked up in the page's text when they are shown."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        # Not before the window shows.
        from core.documents.packed_rows import packed

        self._text = page.text
        self._rows = packed(page.rows, len(page.text))
        self._beside = _beside(page)
        self._columns = min(self._rows.most_columns, _MOST_COLUMNS)

    def row(self, place: int) -> Row:
        """Give a row; behind the last one of the sheet come the lines that stand beside it."""
        count = len(self._rows)
        return self._rows[place] if place < count else self._beside[place - count]

    def span_of(self, row: int, column: int) -> Span | None:
        """Give where in the page's text a cell stands; None for one without text."""
        number = column + 1
        for cell, start, end in self.row(row).cells:
            if cell == number:
                return start, end
        return None

    def text_of(self, row: int, column: int) -> str:
        span = self.span_of(row, column)
        return self._text[span[0] : span[1]] if span is not None else ""

    def lengths(self, row: int) -> Iterator[tuple[int, int]]:
        """Give the columns of a row's cells with how many characters are in them."""
        for column, start, end in self.row(row).cells:
            yield column - 1, end - start

    def at(self, offset: int) -> tuple[int, int]:
        """Give the row and column of the cell that a character of the page's text stands in."""
        if self._beside and offset >= self._beside[0].start:
            starts = [row.start for row in self._beside]
            row = len(self._rows) + bisect_right(starts, offset) - 1
        else:
            row = self._rows.row_at(offset)
        cells = self.row(row).cells if self.rowCount() else ()
        column = next((cell - 1 for cell, _, end in cells if offset < end), 0)
        return row, column

    def rows_of(self, span: Span) -> range:
        """Give the rows that a span of the page's text lies in."""
        return range(self.at(span[0])[0], self.at(max(span[0], span[1] - 1))[0] + 1)

    # Qt's names

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows) + len(self._beside)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self._columns

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            text = self.text_of(index.row(), index.column())
            return (texts.hint(text) if role == Qt.ItemDataRole.ToolTipRole else text) or None
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Horizontal:
            return letters_of(section + 1)
        return str(self.row(section).number or "") if section < self.rowCount() else None


def letters_of(column: int) -> str:
    """Give what programs call a column, counted from 1.

    >>> [letters_of(column) for column in (1, 26, 27, 703)]
    ['A', 'Z', 'AA', 'AAA']
    """
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def _beside(page: Page) -> list[Row]:
    """Give what stands behind the last row, comments and the like, as rows without a number."""
    if not page.rows or not page.rows[-1].cells:
        return []
    found = []
    start = max(end for _, _, end in page.rows[-1].cells)
    for line in page.text[start:].split("\n"):
        if line.strip():
            found.append(Row(start, 0, ((1, start, start + len(line)),)))
        start += len(line) + 1
    return found
