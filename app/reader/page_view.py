"""A page as it was printed, with its words boxed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app import why
from app.highlights import lit_now
from app.palette import LIGHT, lit_color, scheme_of
from app.underlines import paint_underline

if TYPE_CHECKING:
    from app.engine import Engine
    from app.highlights import Lit, QueryWord
    from app.reader.marks import Marks
    from core.documents.document import Box
    from core.progress import Job

_MARGIN: Final = 28
_WIDEST_PAGE: Final = 1100
_RESIZE_PAUSE_MS: Final = 150
_USUAL_RATIO: Final = 1.414
# The bar beside the passage, in widths of the page.
_BAR_GAP: Final = 0.018
_BAR_WIDTH: Final = 0.005


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn page with the boxes of what is marked on it, in the image's pixels."""

    image: QImage
    passage: tuple[Box, ...]
    lits: tuple[tuple[Lit, tuple[Box, ...]], ...]


def draw_page(
    engine: Engine, document_id: int, page: int, width: int, marks: Marks, _job: Job
) -> Drawing:
    """Draw a page `width` pixels wide; for the background.

    Raises:
        WinnowError: the page cannot be drawn.
    """
    spans = [(lit.start, lit.end) for lit in marks.lits]
    passage = [marks.passage] if marks.passage is not None else []
    drawn = engine.page_image(document_id, page, width, [*passage, *spans])
    stride = 3 * drawn.width
    image = QImage(drawn.rgb, drawn.width, drawn.height, stride, QImage.Format.Format_RGB888)
    return Drawing(
        # What the screen has: converted here, painting it costs nothing. Also a copy of its own.
        image.convertToFormat(QImage.Format.Format_RGB32),
        drawn.boxes[0] if passage else (),
        tuple(zip(marks.lits, drawn.boxes[len(passage) :], strict=True)),
    )


class PageView(QAbstractScrollArea):
    """Shows one page at the width of the view; asks for a sharper one when that has changed."""

    width_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words: tuple[QueryWord, ...] = ()
        """The query's words, which are named where a lit word is pointed at."""
        self._only: int | None = None
        self._drawing: Drawing | None = None
        self._awaits_scroll = False
        self.setObjectName("pageView")
        self.setAccessibleName(self.tr("Page of the document"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(40)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_RESIZE_PAUSE_MS)
        self._pause.timeout.connect(self.width_changed)

    @property
    def drawing(self) -> Drawing | None:
        return self._drawing

    @property
    def wanted_width(self) -> int:
        """The width in device pixels at which a page is sharp."""
        return max(1, round(self._page_width() * self.devicePixelRatioF()))

    def scroll_to_passage(self) -> None:
        """Show the passage of the drawing that comes next."""
        self._awaits_scroll = True

    def show_drawing(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._measure()
        if self._awaits_scroll:
            self._awaits_scroll = False
            self._scroll_to(drawing)
        self.viewport().update()

    def show_only(self, word: int | None) -> None:
        """Light what the query's word with this number lights, and nothing else; None: all."""
        self._only = word
        self.viewport().update()

    def boxes_of_lit(self) -> list[tuple[Lit, tuple[Box, ...]]]:
        """Give the words that are lit now with their boxes, in the image's pixels."""
        if self._drawing is None:
            return []
        boxes = dict(self._drawing.lits)
        return [(lit, boxes[lit]) for lit in lit_now(boxes, self._only)]

    def _lit_at(self, place: QPoint) -> Lit | None:
        if self._drawing is None:
            return None
        page = self._page_rect()
        scale = page.width() / max(1, self._drawing.image.width())
        x, y = (place.x() - page.left()) / scale, (place.y() - page.top()) / scale
        for lit, boxes in self.boxes_of_lit():
            if any(one.left <= x <= one.right and one.top <= y <= one.bottom for one in boxes):
                return lit
        return None

    def clear(self) -> None:
        """Show an empty page."""
        self._drawing = None
        self._measure()
        self.viewport().update()

    def _page_width(self) -> int:
        return max(60, min(_WIDEST_PAGE, self.viewport().width() - 2 * _MARGIN))

    def _page_height(self) -> int:
        if self._drawing is None:
            return round(self._page_width() * _USUAL_RATIO)
        image = self._drawing.image
        return round(self._page_width() * image.height() / max(1, image.width()))

    def _measure(self) -> None:
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setRange(0, max(0, self._page_height() + 2 * _MARGIN - self.viewport().height()))

    def _scroll_to(self, drawing: Drawing) -> None:
        boxes = drawing.passage or tuple(box for _, found in drawing.lits for box in found)
        if not boxes:
            self.verticalScrollBar().setValue(0)
            return
        scale = self._page_width() / max(1, drawing.image.width())
        top = _MARGIN + boxes[0].top * scale
        self.verticalScrollBar().setValue(round(top - self.viewport().height() / 5))

    def _page_rect(self) -> QRectF:
        width = self._page_width()
        left = (self.viewport().width() - width) / 2
        top = _MARGIN - self.verticalScrollBar().value()
        return QRectF(round(left), top, width, self._page_height())

    def _paint_marks(self, painter: QPainter, drawing: Drawing, scale: float) -> None:
        # Pages are white whatever the window wears, and so their marks are those of the light one.
        for lit, boxes in self.boxes_of_lit():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(lit_color(LIGHT, lit.word, lit.strength))
            for box in boxes:
                area = QRectF(box.left, box.top, box.right - box.left, box.bottom - box.top)
                grown = area.adjusted(-1.5, -1.5, 1.5, 1.5)
                painter.drawRoundedRect(grown, 3, 3)
                paint_underline(painter, grown, LIGHT, lit.word, lit.strength, 1.15 / scale)
        painter.setPen(Qt.PenStyle.NoPen)
        bar = QColor(LIGHT.accent)
        bar.setAlphaF(0.75)
        painter.setBrush(bar)
        for area in _bars(drawing.passage, drawing.image.width()):
            painter.drawRoundedRect(area, area.width() / 2, area.width() / 2)

    # Qt's names

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            why.tell(event, self._lit_at(event.pos()), self.words, self.viewport())
            return True
        return super().viewportEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        scheme = scheme_of(self.palette())
        page = self._page_rect()
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(scheme.line), 1))
        painter.setBrush(Qt.GlobalColor.white)
        painter.drawRect(page.adjusted(-0.5, -0.5, 0.5, 0.5))
        if self._drawing is None:
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(page, self._drawing.image)
        scale = page.width() / max(1, self._drawing.image.width())
        painter.translate(page.topLeft())
        painter.scale(scale, scale)
        self._paint_marks(painter, self._drawing, scale)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()
        drawing = self._drawing
        if drawing is not None and drawing.image.width() != self.wanted_width:
            self._pause.start()


def _bars(boxes: tuple[Box, ...], page_width: int) -> list[QRectF]:
    """Give a bar left of each run of lines: a passage may go on in the next column."""
    runs: list[list[Box]] = []
    for box in boxes:
        if runs and box.top >= runs[-1][-1].top - 2 and box.left < runs[-1][0].right:
            runs[-1].append(box)
        else:
            runs.append([box])
    bars: list[QRectF] = []
    for run in runs:
        left = min(box.left for box in run) - page_width * _BAR_GAP
        top, bottom = min(box.top for box in run), max(box.bottom for box in run)
        bars.append(QRectF(left, top, page_width * _BAR_WIDTH, bottom - top))
    return bars
