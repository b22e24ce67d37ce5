"""Quiet tables: figures to be read, and rows to choose from, however many there are."""

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
NOWHERE: Final = QModelIndex()
"""The parent of what has none."""
_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_NAMES = Qt.AlignmentFlag.AlignLeading | _MIDDLE
_FIGURES = Qt.AlignmentFlag.AlignTrailing | _MIDDLE


def set_row_height(table: QTableView, height: int) -> None:
    """Have all rows of a table so many pixels high."""
    heads = table.verticalHeader()
    # Else the least is what the head's own font asks for, which may be told its size later.
    heads.setMinimumSectionSize(height)
    heads.setDefaultSectionSize(height)


class MeasuredTable(QTableView):
    """A table whose rows and columns are as large as its text asks for.

    It is told its size of text when it is first shown, and whenever another is chosen.
    """

    def measure(self) -> None:
        """Make rows and columns as large as their texts may be; also for another font."""

    # Qt's names

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.measure()


class FigureTable(QTableWidget):
    """To be read, not to be worked with: the first column takes the room that the others leave."""

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
        """What it shows, row by row."""
        return self._lines

    def show_lines(self, lines: Iterable[tuple[str, ...]]) -> None:
        """Show these, each a name and its figures."""
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
        # As in a `MeasuredTable`, which this kind of Qt's tables cannot be.
        if event.type() == QEvent.Type.FontChange:
            self._measure()


_LOOKED_AT: Final = 20
"""Rows: by so many widths are found, not by all."""


class RowTable(MeasuredTable):
    """Whole rows are chosen, one at a time.

    A table and not a tree or a list, which ask the model for each row before they show one.
    """

    def __init__(self, name: str, lines: float, margin: int = 0) -> None:
        """Make a list that screen readers call `name`.

        Its rows have room for so many `lines` of its text, and a `margin` in pixels.
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
        header.setResizeContentsPrecision(_LOOKED_AT)

    def measure(self) -> None:
        height = round(self._line_count * self.fontMetrics().lineSpacing()) + self._margin
        set_row_height(self, height)
