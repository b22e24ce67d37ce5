"""How a row of the side bar is painted: a box, its label, and the count at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app import texts
from app.filters.model import COUNT_ROLE, ROW_ROLE
from app.palette import scheme_of
from app.widgets.fields import SIDE, paint_box

if TYPE_CHECKING:
    from app.filters.tree import Row

    AnyIndex = QModelIndex | QPersistentModelIndex

_RIGHT: Final = 12
_GAP: Final = 8


class FilterDelegate(QStyledItemDelegate):
    """Paints rows; a click anywhere on one ticks it, as Space does."""

    # Qt's names

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: Row = index.data(ROW_ROLE)
        number: int = index.data(COUNT_ROLE)
        scheme = scheme_of(option.palette)
        is_mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        painter.save()
        # Else the painter would take the left for the right once more.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(_font(row, option.font))
        metrics = QFontMetrics(painter.font())
        count = texts.number(number) if row.choice is not None else ""
        text = option.rect.adjusted(0, 0, -_RIGHT - metrics.horizontalAdvance(count) - _GAP, 0)
        if row.choice is not None:
            box = QRect(option.rect.left(), option.rect.center().y() - SIDE // 2 + 1, SIDE, SIDE)
            placed = QStyle.visualRect(option.direction, option.rect, box)
            state = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole))
            paint_box(painter, QRectF(placed), state, scheme)
            text.adjust(SIDE + _GAP, 0, 0, 0)
        painter.setPen(QColor(scheme.text if number or row.choice is None else scheme.faint))
        label = metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, text.width())
        leading = Qt.AlignmentFlag.AlignRight if is_mirrored else Qt.AlignmentFlag.AlignLeft
        trailing = Qt.AlignmentFlag.AlignLeft if is_mirrored else Qt.AlignmentFlag.AlignRight
        place = QStyle.visualRect(option.direction, option.rect, text)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | leading, label)
        painter.setPen(QColor(scheme.muted if number else scheme.faint))
        area = option.rect.adjusted(0, 0, -_RIGHT, 0)
        place = QStyle.visualRect(option.direction, option.rect, area)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | trailing, count)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(0, option.fontMetrics.height() + 10)

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: AnyIndex,
    ) -> bool:
        if isinstance(event, QMouseEvent):
            is_click = event.type() == QEvent.Type.MouseButtonRelease
            if not is_click or event.button() != Qt.MouseButton.LeftButton:
                return False
            if not option.rect.contains(event.position().toPoint()):
                return False
        elif not (isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space):
            return False
        return model.setData(index, None, Qt.ItemDataRole.CheckStateRole)


def _font(row: Row, font: QFont) -> QFont:
    made = QFont(font)
    if row.choice is None:
        made.setWeight(QFont.Weight.DemiBold)
    return made
