"""The line under a word of the query and under what it lights: its pattern is a sign beside colour.

Five patterns and eight colours take turns, so that forty words have each their own of both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.palette import Scheme, line_color

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QColor

_PATTERNS: Final[tuple[tuple[float, ...], ...]] = (
    (),  # drawn through
    (4.0, 2.0),
    (),  # two lines
    (0.1, 2.2),
    (5.0, 2.0, 0.1, 2.0),
)
"""Dashes and gaps in widths of the line."""
_DOUBLE: Final = 2
_WIDTH: Final = 1.6


def pattern_of(word: int) -> int:
    """Give the number of the pattern of the query's word number `word`."""
    return word % len(_PATTERNS)


def paint_underline(
    painter: QPainter, box: QRectF, scheme: Scheme, word: int, strength: float, scale: float = 1.0
) -> None:
    """Draw the line of `word` along the bottom of `box`; `scale` makes it so many times as wide."""
    painter.save()
    paint_strokes(painter, underline(box, scheme, word, strength, scale))
    painter.restore()


def underline(
    box: QRectF, scheme: Scheme, word: int, strength: float, scale: float = 1.0
) -> tuple[tuple[QLineF, QPen], ...]:
    """Give the strokes of which the line of `word` along the bottom of `box` consists."""
    color = line_color(scheme, word, strength)
    width = _WIDTH * scale
    bottom = box.bottom() - width / 2
    if pattern_of(word) == _DOUBLE:
        pen = _pen(color, width * 0.6, ())
        return tuple((_along(box, bottom + width * lower), pen) for lower in (-1.1, 0.2))
    return ((_along(box, bottom), _pen(color, width, _PATTERNS[pattern_of(word)])),)


def paint_strokes(painter: QPainter, strokes: Iterable[tuple[QLineF, QPen]]) -> None:
    """Draw strokes; the painter's pen is that of the last one afterwards."""
    for line, pen in strokes:
        painter.setPen(pen)
        painter.drawLine(line)


def _along(box: QRectF, y: float) -> QLineF:
    return QLineF(box.left() + 1, y, box.right() - 1, y)


def _pen(color: QColor, width: float, pattern: tuple[float, ...]) -> QPen:
    pen = QPen(color, width)
    if pattern:
        # Round ends make dots of what is hardly longer than nothing.
        is_dotted = min(pattern) < 1
        pen.setCapStyle(Qt.PenCapStyle.RoundCap if is_dotted else Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(pattern)
    else:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen
