"""How a drawn page is painted: the paper, and what is marked on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.lit_text import Mark, paint_beneath
from app.palette import LIGHT, Scheme

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from app.reader.drawing import Drawing
    from app.reader.marks import Marks
    from app.reader.page_layout import Place
    from core.documents.document import Box
    from core.search.match import Highlight

# The bar beside the passage, in widths of the page.
_BAR_GAP: Final = 0.018
_BAR_WIDTH: Final = 0.005
# How much of the page's width lines of a passage take.
_LEAST_WIDTH: Final = 0.2
# White paper glares in a dark room; pictures on it are to keep their colours.
_DIMMED: Final = QColor(0, 0, 0, 38)


def area_of(place: Place, offset: QPointF) -> QRectF:
    """Give where a page is painted in a view that is scrolled by `offset`."""
    return QRectF(place.left - offset.x(), place.top - offset.y(), place.width, place.height)


def rects_in(area: QRectF, drawing: Drawing, boxes: Iterable[Box]) -> Iterator[QRectF]:
    """Give where boxes of a drawing are that is painted in `area`."""
    scale = area.width() / max(1, drawing.image.width())
    for box in boxes:
        rect = _rect(box)
        yield QRectF(
            area.left() + rect.left() * scale,
            area.top() + rect.top() * scale,
            rect.width() * scale,
            rect.height() * scale,
        )


def paint_paper(painter: QPainter, area: QRectF, scheme: Scheme, drawing: Drawing | None) -> None:
    """Paint a page without marks, blank if it is not drawn yet."""
    painter.setPen(QPen(QColor(scheme.line), 1))
    painter.setBrush(Qt.GlobalColor.white)
    painter.drawRect(area.adjusted(-0.5, -0.5, 0.5, 0.5))
    if drawing is not None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, drawing.image)
    if scheme.is_dark:
        painter.fillRect(area, _DIMMED)


def paint_marks(
    painter: QPainter,
    area: QRectF,
    drawing: Drawing,
    marks: Marks,
    lit: Iterable[tuple[Highlight, Sequence[Box]]],
) -> None:
    """Paint what is marked on a page, and of it the words that are `lit`, with their boxes."""
    # Pages are white whatever the window wears, and so their marks are those of the light one.
    scale = area.width() / max(1, drawing.image.width())
    painter.save()
    painter.translate(area.topLeft())
    painter.scale(scale, scale)
    for one, boxes in lit:
        grown = (_rect(box).adjusted(-1.5, -1.5, 1.5, 1.5) for box in boxes)
        paint_beneath(painter, [Mark.of(one, box, LIGHT, 1.15 / scale) for box in grown])
    painter.setPen(Qt.PenStyle.NoPen)
    # As a pen for marking does: what is black stays black.
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    painter.setBrush(QColor(LIGHT.found))
    for span in marks.found:
        for box in drawing.boxes.get(span, ()):
            painter.drawRect(_rect(box).adjusted(-1, -1, 1, 1))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    bar = QColor(LIGHT.accent)
    bar.setAlphaF(0.75)
    painter.setBrush(bar)
    if marks.passage is not None:
        for rect in _bars(drawing.boxes.get(marks.passage, ()), drawing.image.width()):
            painter.drawRoundedRect(rect, rect.width() / 2, rect.width() / 2)
    if marks.current is not None:
        painter.setPen(QPen(QColor(LIGHT.accent), 2 / scale))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for box in drawing.boxes.get(marks.current, ()):
            painter.drawRoundedRect(_rect(box).adjusted(-3, -3, 3, 3), 3, 3)
    painter.restore()


def _rect(box: Box) -> QRectF:
    return QRectF(box.left, box.top, box.right - box.left, box.bottom - box.top)


def _bars(boxes: Sequence[Box], page_width: int) -> list[QRectF]:
    """Give a bar left of each run of lines: a passage may go on in the next column."""
    runs: list[list[Box]] = []
    for box in boxes:
        if runs and box.top >= runs[-1][-1].top - 2 and box.left < runs[-1][0].right:
            runs[-1].append(box)
        else:
            runs.append([box])
    # The words in a figure lie here and there: a bar for each would strike it through.
    wide = [run for run in runs if _width(run) >= _LEAST_WIDTH * page_width]
    bars: list[QRectF] = []
    for run in wide or runs:
        left = min(box.left for box in run) - page_width * _BAR_GAP
        top, bottom = min(box.top for box in run), max(box.bottom for box in run)
        bars.append(QRectF(left, top, page_width * _BAR_WIDTH, bottom - top))
    return bars


def _width(run: Sequence[Box]) -> float:
    return max(box.right for box in run) - min(box.left for box in run)
