"""Where pages are in a column of pages, and how they are painted with their highlights."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.highlighting import HighlightBox, paint_beneath
from app.palette import LIGHT, Scheme
from app.reader.marks import Marks
from app.reader.page_drawings import PageDrawing
from app.reader.zoom import Fit, Zoom
from core.documents.document import Box, PageSize
from core.search.output.match import Highlight

MARGIN: Final = 28
GAP: Final = 16
USUAL_SIZE: Final = PageSize(595.0, 842.0)
SMALLEST, LARGEST = 0.25, 6.0
_MAX_WIDTH: Final = 1100
_PIXELS_PER_POINT: Final = 96 / 72


@dataclass(frozen=True, slots=True)
class PageRect:
    """The rectangle of a page in the column, in logical pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return self.top + self.height


class PageLayout:
    """The layout of pages of these `sizes` in a view of `width` and `height`."""

    def __init__(self, sizes: Sequence[PageSize], zoom: Zoom, width: int, height: int) -> None:
        scales = [scale_of(size, zoom, width, height) for size in sizes]
        widths = [size.width * scale for size, scale in zip(sizes, scales, strict=True)]
        heights = [size.height * scale for size, scale in zip(sizes, scales, strict=True)]
        self.width = max([float(width), *(page_width + 2 * MARGIN for page_width in widths)])
        ends = list(
            accumulate(
                heights,
                lambda top, page_height: top + GAP + page_height,
                initial=float(MARGIN - GAP),
            )
        )
        self.height = ends[-1] + MARGIN if sizes else 0.0
        self.rects = [
            PageRect(round((self.width - wide) / 2), end - high, wide, high)
            for wide, high, end in zip(widths, heights, ends[1:], strict=True)
        ]
        self._tops = [rect.top for rect in self.rects]

    def index_at(self, y: float) -> int:
        """Return the index of the page at height `y`, or above the gap there."""
        return max(0, bisect_right(self._tops, y) - 1)

    def between(self, top: float, bottom: float) -> range:
        """Return the indices of the pages between two heights."""
        if not self.rects:
            return range(0)
        first = self.index_at(top)
        if self.rects[first].bottom < top and first + 1 < len(self.rects):
            first += 1
        return range(first, self.index_at(bottom) + 1)


def scale_of(size: PageSize, zoom: Zoom, width: int, height: int) -> float:
    """Return the pixels per point of a page in a view of this size."""
    if not isinstance(zoom, Fit):
        return zoom * _PIXELS_PER_POINT
    wide = max(60, min(_MAX_WIDTH, width - 2 * MARGIN)) / size.width
    return wide if zoom is Fit.WIDTH else min(wide, max(60, height - 2 * GAP) / size.height)


def factor_of(size: PageSize, zoom: Zoom, width: int, height: int) -> float:
    """Return the factor between the shown and the printed size of a page.

    >>> factor_of(USUAL_SIZE, 1.5, 800, 600)
    1.5
    """
    return scale_of(size, zoom, width, height) / _PIXELS_PER_POINT


# Distance and width of the passage's bar, as shares of the page's width.
_BAR_GAP: Final = 0.018
_BAR_WIDTH: Final = 0.005
# Minimum width of lines that get a bar, as a share of the page's width.
_MIN_BAR_LINE: Final = 0.2
# Dims white paper in the dark theme while pictures keep their colours.
_DIMMED: Final = QColor(0, 0, 0, 38)


def area_of(rect: PageRect, offset: QPointF) -> QRectF:
    """Return the area of a page in a view scrolled by `offset`."""
    return QRectF(rect.left - offset.x(), rect.top - offset.y(), rect.width, rect.height)


def rects_in(area: QRectF, drawing: PageDrawing, boxes: Iterable[Box]) -> Iterator[QRectF]:
    """Return the rectangles of boxes of a drawing that is painted in `area`."""
    scale = area.width() / max(1, drawing.image.width())
    for box in boxes:
        rect = _rect(box)
        yield QRectF(
            area.left() + rect.left() * scale,
            area.top() + rect.top() * scale,
            rect.width() * scale,
            rect.height() * scale,
        )


def paint_paper(
    painter: QPainter, area: QRectF, scheme: Scheme, drawing: PageDrawing | None
) -> None:
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
    drawing: PageDrawing,
    marks: Marks,
    highlights: Iterable[tuple[Highlight, Sequence[Box]]],
) -> None:
    """Paint the marks of a page and its `highlights`, each with its boxes."""
    # Pages are white in every theme, so their marks have the colours of the light one.
    scale = area.width() / max(1, drawing.image.width())
    painter.save()
    painter.translate(area.topLeft())
    painter.scale(scale, scale)
    for highlight, boxes in highlights:
        grown = (_rect(box).adjusted(-1.5, -1.5, 1.5, 1.5) for box in boxes)
        paint_beneath(
            painter, [HighlightBox.of(highlight, box, LIGHT, 1.15 / scale) for box in grown]
        )
    painter.setPen(Qt.PenStyle.NoPen)
    # Multiply like a highlighter pen, so that black text stays black.
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    painter.setBrush(QColor(LIGHT.match))
    for span in marks.matches:
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
    """Return a bar left of each run of lines; a passage may continue in the next column."""
    runs: list[list[Box]] = []
    for box in boxes:
        if runs and box.top >= runs[-1][-1].top - 2 and box.left < runs[-1][0].right:
            runs[-1].append(box)
        else:
            runs.append([box])
    # Words in a figure are scattered, and a bar for each would strike through the figure.
    wide = [run for run in runs if _width(run) >= _MIN_BAR_LINE * page_width]
    bars: list[QRectF] = []
    for run in wide or runs:
        left = min(box.left for box in run) - page_width * _BAR_GAP
        top, bottom = min(box.top for box in run), max(box.bottom for box in run)
        bars.append(QRectF(left, top, page_width * _BAR_WIDTH, bottom - top))
    return bars


def _width(run: Sequence[Box]) -> float:
    return max(box.right for box in run) - min(box.left for box in run)
