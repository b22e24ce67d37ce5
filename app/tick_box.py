"""Boxes that are ticked: how one is painted, and one with a label beside it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton

from app.palette import Scheme, scheme_of

SIDE: Final = 14
"""How wide and high a box is, in pixels."""


class TickBox(QCheckBox):
    """A check box in our colours: Fusion takes its edge from the window, and in dark loses it."""

    # Qt's names

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        style, scheme = self.style(), scheme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = style.subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        box = QRectF(0, 0, SIDE, SIDE)
        box.moveCenter(QRectF(room).center())
        if not self.isEnabled():
            painter.setOpacity(0.5)
        paint_box(painter, box, self.checkState(), scheme)
        painter.setOpacity(1.0)
        option.rect = style.subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
        style.drawControl(QStyle.ControlElement.CE_CheckBoxLabel, option, painter, self)
        if self.hasFocus():
            painter.setPen(QPen(QColor(scheme.accent), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-1.4, -1.4, 1.4, 1.4), 5, 5)


def paint_box(painter: QPainter, area: QRectF, state: Qt.CheckState, scheme: Scheme) -> None:
    """Paint a box that is ticked, half ticked or empty."""
    is_empty = state is Qt.CheckState.Unchecked
    painter.setPen(QPen(QColor(scheme.faint if is_empty else scheme.accent), 1.2))
    painter.setBrush(QColor(scheme.raised if is_empty else scheme.accent))
    painter.drawRoundedRect(area.adjusted(0.6, 0.6, -0.6, -0.6), 3.5, 3.5)
    painter.setPen(QPen(QColor(scheme.on_accent), 1.8, c=Qt.PenCapStyle.RoundCap))
    middle = area.center()
    if state is Qt.CheckState.Checked:
        corner = QPointF(middle.x() - 0.8, middle.y() + 2.8)
        painter.drawLine(QPointF(middle.x() - 3.4, middle.y() + 0.2), corner)
        painter.drawLine(corner, QPointF(middle.x() + 3.6, middle.y() - 2.8))
    elif state is Qt.CheckState.PartiallyChecked:
        painter.drawLine(middle - QPointF(3, 0), middle + QPointF(3, 0))
