"""The sum as it is painted: each token with the line of its word, the sum in bold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.inspector.sum_model import PARTNERS, SumModel
from app.palette import scheme_of
from app.underlines import paint_underline

if TYPE_CHECKING:
    from app.inspector.sum_model import AnyIndex

_SIDE: Final = 9
"""Where texts begin in their cells: what the style sheet says, and Qt's own margin."""


class SumView(QTableView):
    """What each word of the query adds to the score, line by line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sums = SumModel(self)
        self.setModel(self.sums)
        self.setObjectName("sums")
        self.setAccessibleName(self.tr("What each word of the query adds to the score"))
        self.setItemDelegate(_Lines(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(PARTNERS, QHeaderView.ResizeMode.Stretch)
        # Not by their contents: all lines would be measured each time another alignment is chosen.
        metrics = self.fontMetrics()
        for column in range(self.sums.columnCount()):
            title = self.sums.headerData(column, Qt.Orientation.Horizontal)
            header.resizeSection(column, max(map(metrics.horizontalAdvance, (title, "0.000"))) + 26)
        header.resizeSection(0, metrics.horizontalAdvance(self.sums.name_of_words) + 26)


class _Lines(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().paint(painter, option, index)
        model = index.model()
        assert isinstance(model, SumModel)
        line = model.line(index.row())
        if index.column() or line is None or not line.token.text:
            return
        area: QRect = option.rect
        room = area.width() - 2 * _SIDE
        width = min(option.fontMetrics.horizontalAdvance(index.data()), room)
        word = QRect(area.left() + _SIDE, area.top(), width, area.height() - 2)
        under = QRectF(QStyle.visualRect(option.direction, area, word))
        strength = 1.0 if line.token.is_significant else 0.4
        paint_underline(painter, under, scheme_of(option.palette), line.token.word, strength)
