"""The similarity matrix: its cells, tokens and saliences, and their painting."""

from heapq import nlargest
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
    QAbstractTableModel,
    QLine,
    QModelIndex,
    QObject,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyle, QWidget

from app import texts
from app.highlighting import paint_underline
from app.inspector.score_table import pair_description, passage_token_label, query_token_label
from app.palette import Scheme, scheme_of, text_on, word_color
from app.text_size import px, scaled
from app.widgets.tables import NOWHERE, AnyIndex, MeasuredTable
from core.responses import QueryToken
from core.search.explanation import ScoreBreakdown
from core.token_comparison import Comparison, Explanation, PassageToken


class MatrixModel(QAbstractTableModel):
    """A row for each token of the query, a column for each vector of the passage."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._explanation: Explanation | None = None
        self.breakdown: ScoreBreakdown | None = None
        # The labels of the columns.
        self.passage_texts: tuple[str, ...] = ()
        self._most_salient = 1.0
        self._greatest_share = 1.0

    def show_breakdown(self, explanation: Explanation, breakdown: ScoreBreakdown) -> None:
        """Show a comparison; another alignment keeps all tokens in place."""
        before = self.breakdown
        if before is not None and before.compared is breakdown.compared:
            self.breakdown = breakdown
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._explanation, self.breakdown = explanation, breakdown
        self.passage_texts = tuple(map(passage_token_label, breakdown.compared.tokens))
        saliences = breakdown.compared.saliences
        most = float(saliences.max(initial=0)) if saliences is not None else 0.0
        self._most_salient = most or 1.0
        shares = (token.share for token in explanation.tokens)
        self._greatest_share = max(shares, default=0.0) or 1.0
        self.endResetModel()

    def clear(self) -> None:
        self.beginResetModel()
        self._explanation = self.breakdown = None
        self.passage_texts = ()
        self.endResetModel()

    # Contents. Rows and columns must exist.

    def query_token(self, row: int) -> QueryToken:
        assert self._explanation is not None
        return self._explanation.tokens[row]

    def query_text(self, row: int) -> str:
        assert self._explanation is not None
        has_summaries = self._explanation.has_summaries
        return query_token_label(self.query_token(row), has_summaries=has_summaries)

    def query_salience(self, row: int) -> float:
        """Return the weight of a query token relative to the largest weight."""
        return self.query_token(row).share / self._greatest_share

    def passage_token(self, column: int) -> PassageToken:
        assert self.breakdown is not None
        return self.breakdown.compared.tokens[column]

    def salience(self, column: int) -> float | None:
        """The salience of a passage token relative to the largest, or None without saliences."""
        assert self.breakdown is not None
        saliences = self.breakdown.compared.saliences
        return None if saliences is None else float(saliences[column]) / self._most_salient

    def is_pruned(self, column: int) -> bool:
        """Return whether a passage token has no vector in the index."""
        assert self._explanation is not None
        assert self.breakdown is not None
        is_exact = self.breakdown.compared is self._explanation.exact
        return is_exact and column in self._explanation.pruned

    def similarity(self, index: AnyIndex) -> float:
        assert self.breakdown is not None
        return float(self.breakdown.compared.similarity[index.row(), index.column()])

    def is_aligned(self, index: AnyIndex) -> bool:
        assert self.breakdown is not None
        return bool(self.breakdown.aligned.alignment[index.row(), index.column()])

    def best_pair(self) -> QModelIndex:
        """Return the cell that contributes most to the score; invalid if there are no cells."""
        if self.breakdown is None or not self.breakdown.aligned.contributions.size:
            return QModelIndex()
        added = self.breakdown.aligned.contributions
        row, column = divmod(int(added.argmax()), added.shape[1])
        return self.index(row, column)

    def _cell_description(self, index: AnyIndex) -> str:
        assert self._explanation is not None
        assert self.breakdown is not None
        return pair_description(
            self.query_token(index.row()),
            self.passage_token(index.column()),
            self.similarity(index),
            self.breakdown.adds(index.row(), index.column()),
            is_summary=self._explanation.has_summaries,
        )

    # Qt's names

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() or self._explanation is None else len(self._explanation.tokens)

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        if parent.isValid() or self.breakdown is None:
            return 0
        return len(self.breakdown.compared.tokens)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{100 * self.similarity(index):.0f}" if self.is_aligned(index) else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return texts.hint(self._cell_description(index))
        return self._cell_description(index) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        if role not in roles or self.breakdown is None:
            return None
        label = None
        if orientation == Qt.Orientation.Vertical:
            label = self.query_text(section) if section < self.rowCount() else None
        elif section < self.columnCount():
            label = self.passage_texts[section]
        return texts.hint(label) if label and role == Qt.ItemDataRole.ToolTipRole else label


# Length of the bar of the most salient token, in pixels.
_BAR: Final = 26
_PADDING: Final = 7
_LONGEST_TOKEN: Final = 96
_MEASURED: Final = 8
_MOST_OPAQUE: Final = 0.85
# Cells in view up to which figures are painted: more are unreadable and slow.
_MAX_FIGURES: Final = 800


class MatrixView(MeasuredTable):
    """A matrix with fixed token headers; the arrow keys move between cells."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix = MatrixModel(self)
        self.setModel(self.matrix)
        self.setAccessibleName(self.tr("Similarity of query and passage tokens"))
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
        self.measure()
        self.matrix.modelReset.connect(self.updateGeometry)
        for header in (self.verticalHeader(), self.horizontalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(True)
        self._image: QImage | None = None
        self._drawn: tuple[Comparison, Scheme] | None = None

    def measure(self) -> None:
        side = self.fontMetrics().height() + 6
        for header in (self.verticalHeader(), self.horizontalHeader()):
            header.setMinimumSectionSize(side)
            header.setDefaultSectionSize(side)

    def _cells(self, breakdown: ScoreBreakdown, scheme: Scheme) -> QImage:
        """Return the colours of the cells, one pixel each, for fast painting."""
        wanted = (breakdown.compared, scheme)
        if self._image is None or self._drawn != wanted:
            rows = range(self.matrix.rowCount())
            colors = [_row_color(scheme, self.matrix, row) for row in rows]
            tints = np.array([[color.red(), color.green(), color.blue()] for color in colors])
            surface = QColor(scheme.surface)
            under = np.array([surface.red(), surface.green(), surface.blue()])
            alpha = _opacity(breakdown.compared.similarity)[:, :, None]
            mixed = (alpha * tints[:, None, :] + (1 - alpha) * under).round().astype(np.uint8)
            height, width, _ = mixed.shape
            image = QImage(mixed.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
            # Copies the pixels, whose buffer may then be freed.
            self._image = image.convertToFormat(QImage.Format.Format_RGB32)
            self._drawn = wanted
        return self._image

    def _in_view(self) -> tuple[range, range]:
        """Return the visible rows and columns."""
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
        painter.setFont(scaled(self.font(), 0.8))
        frames: list[QRectF] = []
        pairs = np.argwhere(breakdown.aligned.alignment[shown]).tolist()
        for row, column in pairs:
            index = self.matrix.index(rows[row], columns[column])
            area = QRectF(self.visualRect(index))
            frames.append(area.adjusted(1.5, 1.5, -1.5, -1.5))
            if len(pairs) > _MAX_FIGURES:
                continue
            tint = _row_color(scheme, self.matrix, index.row())
            tint.setAlphaF(float(_opacity(self.matrix.similarity(index))))
            painter.setPen(text_on(scheme, tint))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, index.data())
        painter.setPen(QPen(QColor(scheme.text), 1.4))
        painter.drawRects(frames)

    # Qt's names

    def minimumSizeHint(self) -> QSize:
        # Qt's own is that of a few rows without the header.
        return super().minimumSizeHint() + QSize(0, self.horizontalHeader().sizeHint().height())

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
    """The query's tokens with a bar for the weight of each."""

    def __init__(self, view: MatrixView) -> None:
        super().__init__(Qt.Orientation.Vertical, view)

    # Qt's names

    def sizeHint(self) -> QSize:
        matrix = self._matrix()
        metrics = self.fontMetrics()
        texts = (matrix.query_text(row) for row in range(matrix.rowCount()))
        longest = max((metrics.horizontalAdvance(text) for text in texts), default=40)
        return QSize(min(longest, px(150)) + _BAR + 4 * _PADDING, super().sizeHint().height())

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        matrix, scheme = self._matrix(), scheme_of(self.palette())
        direction = self.layoutDirection()
        token = matrix.query_token(section)
        painter.save()
        # Tokens keep their own text direction.
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
        # Next to the bar, which is next to the matrix.
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        # Without this, the painter would mirror the alignment a second time.
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
        # Measure only the longest texts: measuring hundreds is slow.
        texts = nlargest(_MEASURED, self._matrix().passage_texts, key=len)
        longest = max((metrics.horizontalAdvance(text) for text in texts), default=40)
        return QSize(
            super().sizeHint().width(), min(longest, px(_LONGEST_TOKEN)) + _BAR + 3 * _PADDING
        )

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
        # Tokens of the title and headings, which are not part of the passage's text.
        painter.setPen(QColor(scheme.muted if token.in_context else scheme.text))
        if self.selectionModel().currentIndex().column() == section:
            painter.setPen(QColor(scheme.accent))
            painter.setFont(_bold(painter.font()))
        if matrix.is_pruned(section):
            font = QFont(painter.font())
            font.setStrikeOut(True)
            painter.setFont(font)
        painter.translate(rect.left(), rect.bottom() - _BAR - 2 * _PADDING)
        painter.rotate(-90)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        side, align = QRectF(0, 0, room, rect.width()), Qt.AlignmentFlag
        painter.drawText(side, align.AlignLeft | align.AlignVCenter | align.AlignAbsolute, text)
        painter.restore()


def _opacity(similarity: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the opacity of cells: squared, so that weak similarities stay faint."""
    opacity: npt.NDArray[np.float64] = _MOST_OPAQUE * np.clip(similarity, 0.0, 1.0) ** 2
    return opacity


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    return bold


def _row_color(scheme: Scheme, matrix: MatrixModel, row: int) -> QColor:
    token = matrix.query_token(row)
    return word_color(scheme, token.word) if token.text else QColor(scheme.muted)
