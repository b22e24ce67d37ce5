"""Pages as they were printed, one below the other, with their words boxed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QFrame, QWidget

from app import texts, why
from app.palette import scheme_of
from app.reader import page_painting
from app.reader.drawing import Drawing, Wish
from app.reader.marks import NO_MARKS, Marks, Span
from app.reader.page_layout import LARGEST, SMALLEST, USUAL_SIZE, Fit, PageLayout, Zoom, factor_of
from core.documents.document import PageSize
from core.search.match import visible_highlights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.documents.document import Box
    from core.search.match import Highlight, QueryWord

_RESIZE_PAUSE_MS: Final = 150
_ZOOM_STEP: Final = 1.2
# Pages that are kept drawn: those in view, and some on either side for whoever turns back.
_KEPT: Final = 12
# What screen readers are told of views. Qt owns these from their registration on, and ends them
# with their widgets; Python would end them sooner.
_TOLD: Final[list[QAccessibleWidget]] = []


class PageView(QAbstractScrollArea):
    """Shows a column of pages; tells when pages are wanted that have not been drawn as they are."""

    wanting = Signal()
    turned = Signal()
    """Another page than before is the one that is read."""
    zoomed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words: tuple[QueryWord, ...] = ()
        """The query's words, which are named where a lit word is pointed at."""
        self._only: int | None = None
        self._document_id = -1
        self._numbers: tuple[int, ...] = ()
        self._sizes: list[PageSize] = []
        self._drawings: dict[int, Drawing] = {}
        self._broken: set[int] = set()
        self._marks_of: Callable[[int], Marks] = lambda _page: NO_MARKS
        self._zoom: Zoom = Fit.WIDTH
        self._layout = PageLayout((), self._zoom, 0, 0)
        self._target: tuple[int, Span | None, bool] | None = None
        self._place = 0
        why.Telling(self, self._lit_at, lambda: self.words)
        self.setObjectName("pageView")
        self.tell("")
        # Paper has its left on the left in every language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(40)
        self.verticalScrollBar().valueChanged.connect(self._follow)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_RESIZE_PAUSE_MS)
        self._pause.timeout.connect(self.wanting)
        # Of a place that scrolls Qt itself tells no more than that.
        _TOLD.append(QAccessibleWidget(self, QAccessible.Role.Document))
        QAccessible.registerAccessibleInterface(_TOLD[-1])

    # What is shown

    def show_document(
        self,
        document_id: int,
        numbers: Sequence[int],
        sizes: Sequence[PageSize],
        marks_of: Callable[[int], Marks],
    ) -> None:
        """Show a document's pages, by their `numbers`; of `sizes` as many as are known.

        Pages that were drawn before are kept, and so is the place if the document is the same.
        """
        anchor = self._anchor() if document_id == self._document_id else None
        if document_id != self._document_id:
            self._drawings.clear()
            self._broken.clear()
            self._target = None
        self._document_id = document_id
        self._numbers = tuple(numbers)
        usual = sizes[0] if sizes else USUAL_SIZE
        self._sizes = [sizes[i] if i < len(sizes) else usual for i in range(len(numbers))]
        for page, drawing in self._drawings.items():
            self._learn_size(page, drawing)
        self._marks_of = marks_of
        self._measure(anchor or (0, 0.0))
        self._follow()

    def tell(self, text: str) -> None:
        """Tell who cannot see it which page is read, and its text."""
        count = len(self._numbers)
        name = self.tr("Page {0} of {1}") if count else self.tr("Page of the document")
        self.setAccessibleName(name.format(texts.number(self._place + 1), texts.number(count)))
        self.setAccessibleDescription(text)

    def clear(self) -> None:
        """Show no pages."""
        self.show_document(-1, (), (), lambda _page: NO_MARKS)
        self.tell("")

    def show_marks(self) -> None:
        """Show what is marked by now."""
        self.viewport().update()
        self.wanting.emit()

    def show_only(self, word: int | None) -> None:
        """Light what the query's word with this number lights, and nothing else; None: all."""
        self._only = word
        self.viewport().update()

    def show_drawing(self, page: int, drawing: Drawing) -> None:
        if page not in self._numbers:
            return
        self._drawings.pop(page, None)
        self._drawings[page] = drawing
        if self._learn_size(page, drawing):
            self._measure(self._anchor())
        self._reach_target()
        kept = {self._numbers[i] for i in self._in_view(1)}
        for old in [one for one in self._drawings if one not in kept][: -_KEPT or None]:
            del self._drawings[old]
        self.viewport().update()

    def leave_blank(self, page: int) -> None:
        """Show no picture of a page, for there is none, and wish for none."""
        self._broken.add(page)
        self.wanting.emit()

    def next_wish(self) -> Wish | None:
        """Give the page that is to be drawn first: one in view, then the ones beside them."""
        order = dict.fromkeys([*self._in_view(0), *self._in_view(1)])
        for index in sorted(order, key=lambda index: index != self._place and index < self._place):
            page = self._numbers[index]
            if page in self._broken:
                continue
            drawing = self._drawings.get(page)
            # While one resizes or zooms, what there is will do.
            is_settled = drawing is None or not self._pause.isActive()
            width = self._width_of(index) if drawing is None or is_settled else drawing.width
            has_picture = drawing is not None and drawing.width == width
            spans = self._marks_of(page).spans
            wish = Wish(self._document_id, page, width, spans, drawing if has_picture else None)
            if drawing is None or not drawing.fulfils(wish):
                return wish
        return None

    # Where one is

    @property
    def place(self) -> int:
        """The index of the page that is read."""
        return self._place

    @property
    def drawing(self) -> Drawing | None:
        """The page that is read as it was drawn last."""
        return self._drawings.get(self._numbers[self._place]) if self._numbers else None

    @property
    def wanted_width(self) -> int:
        """The width in device pixels at which the page that is read is sharp."""
        return self._width_of(self._place) if self._numbers else 1

    def go_to(self, index: int, span: Span | None = None, *, is_gentle: bool = False) -> None:
        """Show a page, at a span of its text if one is given.

        Gently: what can be seen already stays where it is.
        """
        self._target = (index, span, is_gentle)
        if not (is_gentle and index in self._in_view(0)):
            self._scroll(self._layout.places[index].top - 10)
        self._reach_target()

    def place_of(self, index: int) -> QRectF:
        """Give where in the view a page is."""
        return page_painting.area_of(self._layout.places[index], self._offset())

    def point_at(self, at: QPointF) -> tuple[int, float]:
        """Give what is at a place of the view: a page, and how far down on it, of 1."""
        return self._anchor(at.y())

    def turn(self, step: int) -> None:
        """Go on or back by so many pages."""
        self.go_to(min(max(self._place + step, 0), len(self._numbers) - 1))

    @property
    def zoom(self) -> Zoom:
        return self._zoom

    @property
    def factor(self) -> float:
        """How many times its printed size the page that is read has."""
        size = self._sizes[self._place] if self._sizes else USUAL_SIZE
        return factor_of(size, self._zoom, self.viewport().width(), self.viewport().height())

    def set_zoom(self, zoom: Zoom, at: QPointF | None = None) -> None:
        """Show pages at a factor or fit to the view; what is `at` a place of the view stays."""
        zoom = zoom if isinstance(zoom, Fit) else min(max(zoom, SMALLEST), LARGEST)
        if zoom == self._zoom:
            return
        anchor = self._anchor(0.0 if at is None else at.y())
        self._zoom = zoom
        self._measure(anchor, 0.0 if at is None else at.y())
        self.zoomed.emit()
        self._pause.start()

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Make pages larger, or smaller with less than no `steps`."""
        self.set_zoom(self.factor * _ZOOM_STEP**steps, at)

    # What is marked

    def boxes_of_lit(self) -> list[tuple[Highlight, tuple[Box, ...]]]:
        """Give the words lit on the page that is read with their boxes, in the image's pixels."""
        return self._lit_on(self._numbers[self._place]) if self._numbers else []

    def places_of_lit(self) -> list[tuple[Highlight, list[QRectF]]]:
        """Give the same with the places of their boxes in the view."""
        if not self._numbers:
            return []
        return [(lit, list(places)) for lit, places in self._lit_in(self._place)]

    def _lit_in(self, index: int) -> Iterator[tuple[Highlight, Iterator[QRectF]]]:
        page = self._numbers[index]
        if (drawing := self._drawings.get(page)) is None:
            return
        area = page_painting.area_of(self._layout.places[index], self._offset())
        for lit, boxes in self._lit_on(page):
            yield lit, page_painting.rects_in(area, drawing, boxes)

    def _lit_on(self, page: int) -> list[tuple[Highlight, tuple[Box, ...]]]:
        drawing = self._drawings.get(page)
        boxes = drawing.boxes if drawing is not None else {}
        lits = visible_highlights(self._marks_of(page).lits, self._only)
        return [(lit, boxes[lit.start, lit.end]) for lit in lits if (lit.start, lit.end) in boxes]

    def _lit_at(self, place: QPoint) -> Highlight | None:
        return next(
            (
                lit
                for index in self._in_view(0)
                for lit, places in self._lit_in(index)
                if any(rect.contains(place) for rect in places)
            ),
            None,
        )

    # Measures

    def _width_of(self, index: int) -> int:
        return max(1, round(self._layout.places[index].width * self.devicePixelRatioF()))

    def _learn_size(self, page: int, drawing: Drawing) -> bool:
        """Take a page's proportions from its picture; give whether they were others."""
        index = self._numbers.index(page) if page in self._numbers else -1
        if index < 0:
            return False
        size = self._sizes[index]
        height = size.width * drawing.image.height() / max(1, drawing.image.width())
        if abs(height - size.height) < 0.01 * size.height:
            return False
        self._sizes[index] = PageSize(size.width, height)
        return True

    def _offset(self) -> QPointF:
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _in_view(self, beside: int) -> range:
        """Give the pages that can be seen, and as many on either side."""
        top = self.verticalScrollBar().value()
        seen = self._layout.between(top, top + self.viewport().height())
        return range(max(0, seen.start - beside), min(len(self._numbers), seen.stop + beside))

    def _anchor(self, y: float = 0.0) -> tuple[int, float]:
        """Give what stands at a height of the view: a page, and how much of it is above."""
        if not self._layout.places:
            return 0, 0.0
        height = self.verticalScrollBar().value() + y
        index = self._layout.index_at(height)
        place = self._layout.places[index]
        return index, (height - place.top) / max(place.height, 1.0)

    def _measure(self, anchor: tuple[int, float], y: float = 0.0) -> None:
        """Lay the pages out anew; what stood at height `y` of the view stays there."""
        size = self.viewport().size()
        self._layout = PageLayout(self._sizes, self._zoom, size.width(), size.height())
        bars = (
            (self.verticalScrollBar(), size.height(), self._layout.height),
            (self.horizontalScrollBar(), size.width(), self._layout.width),
        )
        for bar, shown, whole in bars:
            middle = (bar.value() + bar.pageStep() / 2) / max(1, bar.maximum() + bar.pageStep())
            bar.setPageStep(shown)
            bar.setRange(0, max(0, round(whole - shown)))
            if bar is self.horizontalScrollBar():
                bar.setValue(round(middle * whole - shown / 2))
        if anchor[0] < len(self._layout.places):
            place = self._layout.places[anchor[0]]
            self.verticalScrollBar().setValue(round(place.top + anchor[1] * place.height - y))
        self.viewport().update()

    @Slot()  # not known to Qt before it is connected, it would make another class of this one
    def _follow(self) -> None:
        """Take note of where one is by now."""
        middle = self.verticalScrollBar().value() + self.viewport().height() / 3
        place = min(self._layout.index_at(middle), max(0, len(self._numbers) - 1))
        is_other, self._place = place != self._place, place
        if is_other:
            self.turned.emit()
        self.viewport().update()
        self.wanting.emit()

    def _scroll(self, top: float) -> None:
        self.verticalScrollBar().setValue(round(top))

    def _reach_target(self) -> None:
        """Scroll to the span that one wants to see, if it is known where that stands."""
        if self._target is None:
            return
        index, span, is_gentle = self._target
        drawing = self._drawings.get(self._numbers[index])
        if drawing is None or (span is not None and span not in drawing.boxes):
            return
        self._target = None
        boxes = drawing.boxes[span] if span is not None else ()
        if not boxes:
            return
        place = self._layout.places[index]
        scale = place.width / max(1, drawing.image.width())
        top, bottom = place.top + boxes[0].top * scale, place.top + boxes[0].bottom * scale
        seen = self.verticalScrollBar().value()
        high = self.viewport().height()
        if not is_gentle or top < seen + 20 or bottom > seen + high - 20:
            self._scroll(top - high / (3 if is_gentle else 5))
        across = self.horizontalScrollBar()
        left, right = (place.left + edge * scale for edge in (boxes[0].left, boxes[0].right))
        if left < across.value() or right > across.value() + self.viewport().width():
            across.setValue(round(left - self.viewport().width() / 3))

    # Qt's names

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(event.angleDelta().y() / 120, event.position())
            event.accept()
            return
        self._target = None
        super().wheelEvent(event)

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        scheme = scheme_of(self.palette())
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in self._in_view(0):
            page = self._numbers[index]
            area = page_painting.area_of(self._layout.places[index], self._offset())
            drawing = self._drawings.get(page)
            page_painting.paint_paper(painter, area, scheme, drawing)
            if drawing is not None:
                lit = self._lit_on(page)
                page_painting.paint_marks(painter, area, drawing, self._marks_of(page), lit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        anchor = self._anchor()
        super().resizeEvent(event)
        self._measure(anchor)
        self._pause.start()
