"""The matrix as it is painted: cells by similarity, tokens and their saliences along the edges."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLine, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QTableView,
    QWidget,
)

from app.inspector.matrix_model import MatrixModel
from app.palette import Scheme, scheme_of, text_on, word_color
from app.underlines import paint_underline

if TYPE_CHECKING:
    from core.search.explanation import Comparison, ScoreBreakdown

_BAR: Final = 26
"""How long the bar of the most salient token is."""
_PADDING: Final = 7
_LONGEST_TOKEN: Final = 96
_MEASURED: Final = 8
_MOST_OPAQUE: Final = 0.85
_MOST_FIGURES: Final = 800
"""In view at once: more are not read, and take long to paint."""


class MatrixView(QTableView):
    """Tokens stay at the edges while the cells scroll; the arrow keys go from cell to cell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix = MatrixModel(self)
        self.setModel(self.matrix)
        self.setAccessibleName(self.tr("Similarity of each query token with each passage token"))
        self.setObjectName("matrix")
        self.setVerticalHeader(_QueryTokens(self))
        self.setHorizontalHeader(_PassageTokens(self))
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        side = QFontMetrics(self.font()).height() + 6
        for header in (self.verticalHeader(), self.horizontalHeader()):
            header.setMinimumSectionSize(side)
            header.setDefaultSectionSize(side)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(True)
        self._image: QImage | None = None
        self._drawn: tuple[Comparison, Scheme] | None = None

    def _cells(self, breakdown: ScoreBreakdown, scheme: Scheme) -> QImage:
        """Give the cells' colours, a pixel each: thousands of cells are painted at once."""
        wanted = (breakdown.compared, scheme)
        if self._image is None or self._drawn != wanted:
            rows = range(self.matrix.rowCount())
            colors = [_row_color(scheme, self.matrix, row) for row in rows]
            tints = np.array([[one.red(), one.green(), one.blue()] for one in colors])
            surface = QColor(scheme.surface)
            under = np.array([surface.red(), surface.green(), surface.blue()])
            alpha = _opacity(breakdown.compared.similarity)[:, :, None]
            mixed = (alpha * tints[:, None, :] + (1 - alpha) * under).round().astype(np.uint8)
            height, width, _ = mixed.shape
            image = QImage(mixed.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
            # A copy of its own, which the bytes need not outlive.
            self._image = image.convertToFormat(QImage.Format.Format_RGB32)
            self._drawn = wanted
        return self._image

    def _in_view(self) -> tuple[range, range]:
        """Give the rows and the columns that can be seen."""
        side, area = self.verticalHeader().defaultSectionSize(), self.viewport().rect()
        spans: list[range] = []
        for header, length, count in (
            (self.verticalHeader(), area.height(), self.matrix.rowCount()),
            (self.horizontalHeader(), area.width(), self.matrix.columnCount()),
        ):
            first = header.offset() // side
            spans.append(range(first, min(count, first + length // side + 2)))
        return spans[0], spans[1]

    def _paint_aligned(self, painter: QPainter, breakdown: ScoreBreakdown, scheme: Scheme) -> None:
        rows, columns = self._in_view()
        shown = np.ix_(rows, columns)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.8)
        painter.setFont(font)
        frames: list[QRectF] = []
        pairs = np.argwhere(breakdown.aligned.alignment[shown]).tolist()
        for row, column in pairs:
            index = self.matrix.index(rows[row], columns[column])
            area = QRectF(self.visualRect(index))
            frames.append(area.adjusted(1.5, 1.5, -1.5, -1.5))
            if len(pairs) > _MOST_FIGURES:
                continue
            tint = _row_color(scheme, self.matrix, index.row())
            tint.setAlphaF(float(_opacity(self.matrix.similarity(index))))
            painter.setPen(text_on(scheme, tint))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, index.data())
        painter.setPen(QPen(QColor(scheme.text), 1.4))
        painter.drawRects(frames)

    # Qt's names

    def paintEvent(self, _event: QPaintEvent) -> None:
        breakdown, scheme = self.matrix.breakdown, scheme_of(self.palette())
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(scheme.surface))
        if breakdown is None or not breakdown.compared.similarity.size:
            return
        first = self.visualRect(self.matrix.index(0, 0))
        last = self.visualRect(
            self.matrix.index(self.matrix.rowCount() - 1, self.matrix.columnCount() - 1)
        )
        whole = first.united(last)
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        cells = self._cells(breakdown, scheme)
        painter.drawImage(whole, cells.flipped(Qt.Orientation.Horizontal) if is_mirrored else cells)
        painter.setPen(QColor(scheme.surface))
        rows, columns = self._in_view()
        edges = [self.visualRect(self.matrix.index(row, 0)).top() for row in rows]
        painter.drawLines([QLine(whole.left(), y, whole.right(), y) for y in edges])
        sides = [self.visualRect(self.matrix.index(0, column)).left() for column in columns]
        painter.drawLines([QLine(x, whole.top(), x, whole.bottom()) for x in sides])
        self._paint_aligned(painter, breakdown, scheme)
        if (current := self.currentIndex()).isValid():
            painter.setPen(QPen(QColor(scheme.accent), 2))
            painter.drawRect(self.visualRect(current).adjusted(1, 1, -1, -1))


class _Tokens(QHeaderView):
    """The tokens along one edge of the matrix."""

    def __init__(self, orientation: Qt.Orientation, view: MatrixView) -> None:
        super().__init__(orientation, view)
        self.setSectionsClickable(True)

    def _matrix(self) -> MatrixModel:
        model = self.model()
        assert isinstance(model, MatrixModel)
        return model


class _QueryTokens(_Tokens):
    """The query's tokens with a bar for how much each counts."""

    def __init__(self, view: MatrixView) -> None:
        super().__init__(Qt.Orientation.Vertical, view)

    # Qt's names

    def sizeHint(self) -> QSize:
        matrix = self._matrix()
        metrics = self.fontMetrics()
        texts = (matrix.query_text(row) for row in range(matrix.rowCount()))
        longest = max((metrics.horizontalAdvance(text) for text in texts), default=40)
        return QSize(min(longest, 150) + _BAR + 4 * _PADDING, super().sizeHint().height())

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        matrix, scheme = self._matrix(), scheme_of(self.palette())
        direction = self.layoutDirection()
        token = matrix.query_token(section)
        painter.save()
        # A token reads in its own direction.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.fillRect(rect, QColor(scheme.surface))
        area = rect.adjusted(_PADDING, 0, -_BAR - 2 * _PADDING, 0)
        is_strong = token.is_significant and token.text
        painter.setPen(QColor(scheme.text if is_strong else scheme.muted))
        if self.selectionModel().currentIndex().row() == section:
            painter.setPen(QColor(scheme.accent))
            painter.setFont(_bold(painter.font()))
        text = painter.fontMetrics().elidedText(
            matrix.query_text(section), Qt.TextElideMode.ElideRight, area.width()
        )
        # Beside the bar, which stands beside the matrix.
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        # Else the painter would take the left for the right once more.
        trailing = QStyle.visualAlignment(direction, flags) | Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(QStyle.visualRect(direction, rect, area), trailing, text)
        if token.text:
            width = painter.fontMetrics().horizontalAdvance(text)
            line = QRect(area.right() + 1 - width, area.top(), width, area.height() - 2)
            under = QRectF(QStyle.visualRect(direction, rect, line))
            paint_underline(
                painter, under, scheme, token.word, 1.0 if token.is_significant else 0.4
            )
        length = round(_BAR * matrix.query_salience(section))
        bar = QRect(area.right() + 1 + _PADDING, rect.center().y() - 3, length, 7)
        color = _row_color(scheme, matrix, section)
        painter.fillRect(QStyle.visualRect(direction, rect, bar), color)
        painter.restore()


class _PassageTokens(_Tokens):
    """The passage's tokens, written upwards, with a bar for the salience of each."""

    def __init__(self, view: MatrixView) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)

    # Qt's names

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        # The widest is among the longest, as near as matters: to measure hundreds takes its time.
        texts = nlargest(_MEASURED, self._matrix().passage_texts, key=len)
        longest = max((metrics.horizontalAdvance(text) for text in texts), default=40)
        return QSize(super().sizeHint().width(), min(longest, _LONGEST_TOKEN) + _BAR + 3 * _PADDING)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        matrix, scheme = self._matrix(), scheme_of(self.palette())
        painter.save()
        painter.fillRect(rect, QColor(scheme.surface))
        token = matrix.passage_token(section)
        salience = matrix.salience(section)
        if salience is not None:
            length = _BAR * salience
            bar = QRectF(rect.center().x() - 3, rect.bottom() - _PADDING - length, 7, length)
            painter.fillRect(bar, QColor(scheme.faint))
        room = rect.height() - _BAR - 3 * _PADDING
        text = painter.fontMetrics().elidedText(
            matrix.passage_texts[section], Qt.TextElideMode.ElideRight, room
        )
        # Of the title and the headings above the passage, which the reader does not show.
        painter.setPen(QColor(scheme.muted if token.in_context else scheme.text))
        if self.selectionModel().currentIndex().column() == section:
            painter.setPen(QColor(scheme.accent))
            painter.setFont(_bold(painter.font()))
        painter.translate(rect.left(), rect.bottom() - _BAR - 2 * _PADDING)
        painter.rotate(-90)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        side, align = QRectF(0, 0, room, rect.width()), Qt.AlignmentFlag
        painter.drawText(side, align.AlignLeft | align.AlignVCenter | align.AlignAbsolute, text)
        painter.restore()


def _opacity(similarity: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Give how opaque cells are: squared, so that what is hardly alike does not fill the matrix."""
    opacity: npt.NDArray[np.float64] = _MOST_OPAQUE * np.clip(similarity, 0.0, 1.0) ** 2
    return opacity


def _bold(font: QFont) -> QFont:
    made = QFont(font)
    made.setWeight(QFont.Weight.DemiBold)
    return made


def _row_color(scheme: Scheme, matrix: MatrixModel, row: int) -> QColor:
    token = matrix.query_token(row)
    return word_color(scheme, token.word) if token.text else QColor(scheme.muted)
