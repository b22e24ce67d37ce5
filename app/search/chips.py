"""The query's words as chips, in the colours in which they are lit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.palette import lit_color, scheme_of, word_color

if TYPE_CHECKING:
    from app.search.rows import Answer

_PADDING: Final = 9.0
_GAP: Final = 6.0


@dataclass(frozen=True, slots=True)
class Chip:
    """A word with the number of its colour; one that lights nothing is only an outline."""

    text: str
    word: int
    is_lit: bool


class ChipRow(QWidget):
    """One line of chips; those that find no room are counted at its end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips: tuple[Chip, ...] = ()
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.92)
        self.setFont(font)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.clear()

    @property
    def chips(self) -> tuple[Chip, ...]:
        return self._chips

    def show_answer(self, answer: Answer) -> None:
        self._set(
            tuple(
                Chip(word.text, word.number, word.number in answer.lit_words)
                for word in answer.words
            )
        )

    def clear(self) -> None:
        self._set(())

    def _set(self, chips: tuple[Chip, ...]) -> None:
        self._chips = chips
        words = ", ".join(chip.text for chip in chips)
        self.setAccessibleName(self.tr("Words of the query: {0}").format(words) if words else "")
        self.setVisible(bool(chips))
        self.update()

    # Qt's names

    def paintEvent(self, _event: QPaintEvent) -> None:
        scheme = scheme_of(self.palette())
        metrics = QFontMetricsF(self.font())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = 1.0
        for number, chip in enumerate(self._chips):
            rest = self.tr("+{0}").format(len(self._chips) - number)
            width = metrics.horizontalAdvance(chip.text) + 2 * _PADDING
            is_last = number == len(self._chips) - 1
            room = self.width() - left - (0 if is_last else metrics.horizontalAdvance(rest) + _GAP)
            area = QRectF(left, 1, width, self.height() - 2)
            if width > room:
                painter.setPen(QColor(scheme.muted))
                painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, rest)
                break
            painter.setPen(Qt.PenStyle.NoPen)
            if chip.is_lit:
                painter.setBrush(lit_color(scheme, chip.word, 1.0))
                painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
                painter.setBrush(word_color(scheme, chip.word))
                painter.drawRoundedRect(
                    QRectF(left + _PADDING, area.bottom() - 4, width - 2 * _PADDING, 2), 1, 1
                )
                painter.setPen(QColor(scheme.text))
            else:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QColor(scheme.line))
                painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
                painter.setPen(QColor(scheme.faint))
            painter.drawText(area.adjusted(0, -1, 0, -1), Qt.AlignmentFlag.AlignCenter, chip.text)
            left += width + _GAP

    def sizeHint(self) -> QSize:
        return QSize(200, round(QFontMetricsF(self.font()).height()) + 10)
