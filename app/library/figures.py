"""A quiet table: names, and figures beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QTableWidget, QTableWidgetItem, QWidget

from app import texts

if TYPE_CHECKING:
    from collections.abc import Iterable

_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_NAMES = Qt.AlignmentFlag.AlignLeading | _MIDDLE
_FIGURES = Qt.AlignmentFlag.AlignTrailing | _MIDDLE


class Figures(QTableWidget):
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
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().lineSpacing() + 8)
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
