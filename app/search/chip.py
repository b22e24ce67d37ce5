"""One word of the query as a chip, in the colour and with the line that its matches have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QWidget

from app import texts, why
from app.palette import lit_color, scheme_of, word_color
from app.underlines import paint_underline
from core.search.match import QueryWord

_PADDING: Final = 9.0
_KEYBOARD: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.OtherFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


@dataclass(frozen=True, slots=True)
class Chip:
    """A word of the query; one that lights nothing is only an outline, one that says little faded.

    `word` is the number of its colour.
    """

    text: str
    word: int
    is_lit: bool
    share: float | None = None
    is_significant: bool = True


class ChipButton(QAbstractButton):
    """A chip that can be pointed at, by mouse or by keyboard, and pressed to stay so."""

    pointed = Signal(bool)
    """The mouse or the keyboard's focus has come to the chip, or has left it."""
    stepped = Signal(int)
    """Right (1) or left (-1) was pressed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._chip = Chip("", 0, is_lit=False)
        self._is_under_mouse = False
        self._is_focused = False
        self.setCheckable(True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def chip(self) -> Chip:
        return self._chip

    @property
    def is_under_mouse(self) -> bool:
        return self._is_under_mouse

    @property
    def is_focused(self) -> bool:
        """The keyboard has brought the focus here; a click does not count."""
        return self._is_focused

    def show_chip(self, chip: Chip) -> None:
        self._chip = chip
        self.setText(chip.text)
        self.setAccessibleName(chip.text)
        said = self._said()
        self.setAccessibleDescription(said)
        self.setToolTip(texts.hint(said))
        self.update()

    def _said(self) -> str:
        chip = self._chip
        if not chip.is_significant:
            said = self.tr("Says little in this query: nothing is lit for it.")
        elif not chip.is_lit:
            said = self.tr("Nothing in the results is like it.")
        else:
            said = self.tr("Point here to see what it lights alone; press to keep it so.")
        share = why.of_share(QueryWord(chip.word, chip.text, chip.share))
        return f"{said}\n{chip.text}: {share}" if share else said

    def _tell(self) -> None:
        self.pointed.emit(self._is_under_mouse or self._is_focused)
        self.update()

    # Qt's names

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        width = metrics.horizontalAdvance(self._chip.text) + 2 * _PADDING
        return QSize(round(width + 0.5), round(metrics.height()) + 10)

    def paintEvent(self, _event: QPaintEvent) -> None:
        chip, scheme = self._chip, scheme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        radius = area.height() / 2
        is_pointed = self._is_under_mouse or self._is_focused or self.isChecked()
        color = word_color(scheme, chip.word)
        pen = QPen(QColor(scheme.line), 1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if chip.is_significant and chip.is_lit:
            painter.setBrush(lit_color(scheme, chip.word, 1.0))
            pen = QPen(Qt.PenStyle.NoPen)
        elif not chip.is_significant:
            pen = QPen(QColor(scheme.line), 1, Qt.PenStyle.DotLine)
        if is_pointed:
            pen = QPen(color, 2 if self.isChecked() else 1.4)
        painter.setPen(pen)
        painter.drawRoundedRect(area, radius, radius)
        if self.hasFocus() and self._is_focused:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(scheme.accent), 1.6))
            painter.drawRoundedRect(area.adjusted(-0.6, -0.6, 0.6, 0.6), radius, radius)
        if chip.is_significant or is_pointed:
            line = area.adjusted(_PADDING - 2, 0, 2 - _PADDING, -2.5)
            paint_underline(painter, line, scheme, chip.word, 1.0 if chip.is_lit else 0.4)
        is_strong = (chip.is_significant and chip.is_lit) or is_pointed
        painter.setPen(QColor(scheme.text if is_strong else scheme.muted))
        painter.drawText(area.adjusted(0, -1.5, 0, -1.5), Qt.AlignmentFlag.AlignCenter, chip.text)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        # Not as soon as it is entered: a chip that comes up under a resting mouse was not meant.
        super().mouseMoveEvent(event)
        if not self._is_under_mouse:
            self._is_under_mouse = True
            self._tell()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._is_under_mouse = False
        self._tell()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._is_focused = event.reason() in _KEYBOARD
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._is_focused = False
        self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
        if event.key() in steps:
            is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            self.stepped.emit(steps[Qt.Key(event.key())] * (-1 if is_mirrored else 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)
