"""Tables of figures and tables of selectable rows, of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app import texts

if TYPE_CHECKING:
    from collections.abc import Iterable


AnyIndex = QModelIndex | QPersistentModelIndex
# The parent of top-level indexes.
NOWHERE: Final = QModelIndex()
_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_NAMES = Qt.AlignmentFlag.AlignLeading | _MIDDLE
_FIGURES = Qt.AlignmentFlag.AlignTrailing | _MIDDLE


def set_row_height(table: QTableView, height: int) -> None:
    """Set the height of all rows in pixels."""
    heads = table.verticalHeader()
    # Otherwise the minimum follows the header's own font, which may be set later.
    heads.setMinimumSectionSize(height)
    heads.setDefaultSectionSize(height)


class MeasuredTable(QTableView):
    """A table whose rows and columns are sized by its font.

    The font is set when the table is first shown, and when the person chooses another size.
    """

    def measure(self) -> None:
        """Set the sizes of rows and columns from the font."""

    # Qt's names

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.measure()


class FigureTable(QTableWidget):
    """A read-only table; its first column takes the remaining width."""

    def __init__(self, title: str, *columns: str, parent: QWidget | None = None) -> None:
        super().__init__(0, 1 + len(columns), parent)
        self.setObjectName("figures")
        self.setAccessibleName(title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(self.EditTrigger.NoEditTriggers)
        self.setSelectionMode(self.SelectionMode.NoSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self._measure()
        for column, text in enumerate((title, *columns)):
            item = QTableWidgetItem(text)
            item.setTextAlignment(_FIGURES if column else _NAMES)
            self.setHorizontalHeaderItem(column, item)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(header.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, header.ResizeMode.Stretch)
        self._lines: list[tuple[str, ...]] = []

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """The shown rows."""
        return self._lines

    def show_lines(self, lines: Iterable[tuple[str, ...]]) -> None:
        """Show rows, each a name and its figures."""
        self._lines = list(lines)
        self.setRowCount(len(self._lines))
        for row, line in enumerate(self._lines):
            for column, text in enumerate(line):
                item = QTableWidgetItem(text)
                item.setToolTip(texts.hint(text))
                item.setTextAlignment(_FIGURES if column else _NAMES)
                self.setItem(row, column, item)

    def _measure(self) -> None:
        set_row_height(self, self.fontMetrics().lineSpacing() + 8)

    # Qt's names

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # As in `MeasuredTable`, which a QTableWidget cannot inherit from.
        if event.type() == QEvent.Type.FontChange:
            self._measure()


# Rows that are measured to find the widths of columns.
_MEASURED_ROWS: Final = 20


class RowTable(MeasuredTable):
    """A table of which one whole row is selected at a time.

    A table view, because tree and list views request every row from the model before they show one.
    """

    def __init__(self, name: str, lines: float, margin: int = 0) -> None:
        """Make a table with this accessible `name`.

        Its rows have the height of `lines` of text and a `margin` in pixels.
        """
        super().__init__()
        self._line_count, self._margin = lines, margin
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        heads = self.verticalHeader()
        heads.hide()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.measure()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionsMovable(False)
        header.setResizeContentsPrecision(_MEASURED_ROWS)

    def measure(self) -> None:
        height = round(self._line_count * self.fontMetrics().lineSpacing()) + self._margin
        set_row_height(self, height)
