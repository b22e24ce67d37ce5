"""Printed pages: drawn in the background and shown in a column with their marks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QFrame

from app import texts
from app.highlighting import HighlightTips
from app.palette import LIGHT, scheme_of
from app.reader.marks import NO_MARKS, Marks, Span
from app.reader.page_drawings import DrawRequest, PageDrawing
from app.reader.page_layout import (
    LARGEST,
    SMALLEST,
    USUAL_SIZE,
    PageLayout,
    area_of,
    factor_of,
    paint_marks,
    paint_paper,
    rects_in,
)
from app.reader.page_selection import PageSelection, Point
from app.reader.text_menu import open_text_menu
from app.reader.zoom import Fit, Zoom
from core.documents.document import Box, PageSize
from core.search.output.match import Highlight, QueryWord, visible_highlights

_RESIZE_PAUSE_MS: Final = 150
_ZOOM_STEP: Final = 1.2
# Drawings that are kept: the pages in view and some before and after them.
_CACHED_DRAWINGS: Final = 12
# Accessible interfaces of the views. Qt owns them from registration on and deletes them with their
# widgets; this list keeps Python from deleting them earlier.
_ACCESSIBLES: Final[list[QAccessibleWidget]] = []


class PageView(QAbstractScrollArea):
    """A column of pages; emits `wanting` when pages have to be drawn."""

    wanting = Signal()
    turned = Signal()
    """Another page is the current one."""
    zoomed = Signal()
    copy_wanted = Signal(str)
    """The selected text, or "" for the passage, is to be copied with its source."""
    search_wanted = Signal(str)
    """The text to search for."""

    def __init__(self) -> None:
        super().__init__()
        # The words of the query, which the tooltips of highlights name.
        self.words: tuple[QueryWord, ...] = ()
        self._only: int | None = None
        self._document_id = -1
        self._page_numbers: tuple[int, ...] = ()
        self._sizes: list[PageSize] = []
        self._drawings: dict[int, PageDrawing] = {}
        self._broken: set[int] = set()
        self._marks_of: Callable[[int], Marks] = lambda _page: NO_MARKS
        self.zoom: Zoom = Fit.WIDTH
        self._layout = PageLayout((), self.zoom, 0, 0)
        self._target: tuple[int, Span | None, bool] | None = None
        self._current_index = 0
        # Returns the text of a page; "" while it is not loaded.
        self.text_of: Callable[[int], str] = lambda _page: ""
        self._selection: PageSelection | None = None
        # Where the mouse was pressed: it selects when it moves.
        self._press: PageSelection | None = None
        HighlightTips(self, self._highlight_at, lambda: self.words)
        self.setObjectName("pageView")
        self.describe("")
        # Pages are not mirrored, whatever the language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(40)
        self.verticalScrollBar().valueChanged.connect(self._follow)
        self._pause = QTimer(self, singleShot=True, interval=_RESIZE_PAUSE_MS)
        self._pause.timeout.connect(self.wanting)
        # Qt's default for scroll areas has no document role.
        _ACCESSIBLES.append(QAccessibleWidget(self, QAccessible.Role.Document))
        QAccessible.registerAccessibleInterface(_ACCESSIBLES[-1])

    # Content

    def show_document(
        self,
        document_id: int,
        page_numbers: Sequence[int],
        sizes: Sequence[PageSize],
        marks_of: Callable[[int], Marks],
    ) -> None:
        """Show the pages with these `page_numbers`; `sizes` has the sizes of the first of them.

        Drawings are kept, and so is the position if the document is the same.
        """
        anchor = self._anchor() if document_id == self._document_id else None
        if document_id != self._document_id:
            self._drawings.clear()
            self._broken.clear()
            self._target = self._selection = self._press = None
        self._document_id = document_id
        self._page_numbers = tuple(page_numbers)
        usual = sizes[0] if sizes else USUAL_SIZE
        self._sizes = [sizes[i] if i < len(sizes) else usual for i in range(len(page_numbers))]
        for page, drawing in self._drawings.items():
            self._learn_size(page, drawing)
        self._marks_of = marks_of
        self._measure(anchor or (0, 0.0))
        self._follow()

    def describe(self, text: str) -> None:
        """Set the current page and its text for screen readers."""
        count = len(self._page_numbers)
        name = self.tr("Page {0} of {1}") if count else self.tr("Document page")
        self.setAccessibleName(
            name.format(texts.grouped(self._current_index + 1), texts.grouped(count))
        )
        self.setAccessibleDescription(text)

    def clear(self) -> None:
        self.show_document(-1, (), (), lambda _page: NO_MARKS)
        self.describe("")

    def show_marks(self) -> None:
        """Show the current marks."""
        self.viewport().update()
        self.wanting.emit()

    def show_only(self, word: int | None) -> None:
        """Show only the highlights of this query word, or all (None)."""
        self._only = word
        self.viewport().update()

    def show_drawing(self, page: int, drawing: PageDrawing) -> None:
        if page not in self._page_numbers:
            return
        self._drawings.pop(page, None)
        self._drawings[page] = drawing
        if self._learn_size(page, drawing):
            self._measure(self._anchor())
        self._reach_target()
        near = {self._page_numbers[i] for i in self._in_view(1)}
        for old in [current_index for current_index in self._drawings if current_index not in near][
            : -_CACHED_DRAWINGS or None
        ]:
            del self._drawings[old]
        self.viewport().update()

    def leave_blank(self, page: int) -> None:
        """Show a page blank, and do not request its drawing."""
        self._broken.add(page)
        self.wanting.emit()

    def next_request(self) -> DrawRequest | None:
        """Return the most urgent drawing: pages in view, then their neighbours."""
        order = dict.fromkeys([*self._in_view(0), *self._in_view(1)])
        for index in sorted(
            order, key=lambda index: index != self._current_index and index < self._current_index
        ):
            page = self._page_numbers[index]
            if page in self._broken:
                continue
            drawing = self._drawings.get(page)
            # While the view is resized or zoomed, existing drawings are scaled.
            is_settled = drawing is None or not self._pause.isActive()
            width = self._width_of(index) if drawing is None or is_settled else drawing.width
            has_picture = drawing is not None and drawing.width == width
            spans = self._marks_of(page).spans
            if self._selection is not None and self._selection.page == page:
                spans = tuple(dict.fromkeys((*spans, *self._selection.words)))
            request = DrawRequest(
                self._document_id, page, width, spans, drawing if has_picture else None
            )
            if drawing is None or not drawing.fulfils(request):
                return request
        return None

    # Position

    @property
    def index(self) -> int:
        """The index of the current page."""
        return self._current_index

    def go_to(self, index: int, span: Span | None = None, *, is_gentle: bool = False) -> None:
        """Show a page, at a span of its text if one is given.

        If `is_gentle`, do not scroll when the span is visible already.
        """
        self._target = (index, span, is_gentle)
        if not (is_gentle and index in self._in_view(0)):
            self._scroll(self._layout.rects[index].top - 10)
        self._reach_target()

    def turn(self, step: int) -> None:
        """Move by this many pages."""
        self.go_to(min(max(self._current_index + step, 0), len(self._page_numbers) - 1))

    @property
    def factor(self) -> float:
        """The factor between the shown and the printed size of the current page."""
        size = self._sizes[self._current_index] if self._sizes else USUAL_SIZE
        return factor_of(size, self.zoom, self.viewport().width(), self.viewport().height())

    def set_zoom(self, zoom: Zoom, at: QPointF | None = None) -> None:
        """Set the zoom and keep the content at point `at` of the view in place."""
        zoom = zoom if isinstance(zoom, Fit) else min(max(zoom, SMALLEST), LARGEST)
        if zoom == self.zoom:
            return
        anchor = self._anchor(0.0 if at is None else at.y())
        self.zoom = zoom
        self._measure(anchor, 0.0 if at is None else at.y())
        self.zoomed.emit()
        self._pause.start()

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Enlarge pages by this many steps; shrink them if negative."""
        self.set_zoom(self.factor * _ZOOM_STEP**steps, at)

    # Marks

    def _highlight_rects(self, index: int) -> Iterator[tuple[Highlight, Iterator[QRectF]]]:
        page = self._page_numbers[index]
        if (drawing := self._drawings.get(page)) is None:
            return
        area = area_of(self._layout.rects[index], self._offset())
        for highlight, boxes in self._highlights_on(page):
            yield highlight, rects_in(area, drawing, boxes)

    def _highlights_on(self, page: int) -> list[tuple[Highlight, tuple[Box, ...]]]:
        drawing = self._drawings.get(page)
        boxes = drawing.boxes if drawing is not None else {}
        highlights = visible_highlights(self._marks_of(page).highlights, self._only)
        return [
            (highlight, boxes[highlight.start, highlight.end])
            for highlight in highlights
            if (highlight.start, highlight.end) in boxes
        ]

    def _highlight_at(self, point: QPoint) -> Highlight | None:
        return next(
            (
                highlight
                for index in self._in_view(0)
                for highlight, rects in self._highlight_rects(index)
                if any(rect.contains(point) for rect in rects)
            ),
            None,
        )

    # Selection

    @property
    def selected_text(self) -> str:
        """The selected text; "" if there is none."""
        span = self._selected_span()
        return self._selection.text[slice(*span)] if self._selection and span else ""

    def select_page(self) -> None:
        """Select the text of the current page."""
        if self._page_numbers:
            page = self._page_numbers[self._current_index]
            self._select(PageSelection.on(page, self.text_of(page), (0.0, 0.0), is_whole=True))

    def _select(self, selection: PageSelection | None) -> None:
        self._selection = selection
        self.viewport().update()
        self.wanting.emit()

    def _selected_span(self) -> Span | None:
        drawing = self._drawings.get(self._selection.page) if self._selection else None
        if self._selection is None or drawing is None:
            return None
        return self._selection.span(drawing.boxes, drawing.image.width())

    def _spot_at(self, point: QPointF, index: int) -> Point:
        """Return a point of the view in shares of the width of a page."""
        area = area_of(self._layout.rects[index], self._offset())
        return (point.x() - area.left()) / area.width(), (point.y() - area.top()) / area.width()

    def _copy(self) -> None:
        """Copy the selected text, or without one the passage with its source."""
        if text := self.selected_text:
            QGuiApplication.clipboard().setText(text)
        else:
            self.copy_wanted.emit("")

    # Layout

    def _width_of(self, index: int) -> int:
        return max(1, round(self._layout.rects[index].width * self.devicePixelRatioF()))

    def _learn_size(self, page: int, drawing: PageDrawing) -> bool:
        """Update a page's proportions from its drawing; return whether they have changed."""
        index = self._page_numbers.index(page) if page in self._page_numbers else -1
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

    def _in_view(self, margin: int) -> range:
        """Return the visible pages, and this many before and after them."""
        top = self.verticalScrollBar().value()
        seen = self._layout.between(top, top + self.viewport().height())
        return range(max(0, seen.start - margin), min(len(self._page_numbers), seen.stop + margin))

    def _anchor(self, y: float = 0.0) -> tuple[int, float]:
        """Return the page at height `y` of the view, and the share of it that is above."""
        if not self._layout.rects:
            return 0, 0.0
        height = self.verticalScrollBar().value() + y
        index = self._layout.index_at(height)
        rect = self._layout.rects[index]
        return index, (height - rect.top) / max(rect.height, 1.0)

    def _measure(self, anchor: tuple[int, float], y: float = 0.0) -> None:
        """Update the layout; keep the content at height `y` of the view in place."""
        size = self.viewport().size()
        self._layout = PageLayout(self._sizes, self.zoom, size.width(), size.height())
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
        if anchor[0] < len(self._layout.rects):
            rect = self._layout.rects[anchor[0]]
            self.verticalScrollBar().setValue(round(rect.top + anchor[1] * rect.height - y))
        self.viewport().update()

    @Slot()  # not known to Qt before it is connected, it would make another class of this one
    def _follow(self) -> None:
        """Update the current page from the scroll position."""
        middle = self.verticalScrollBar().value() + self.viewport().height() / 3
        index = min(self._layout.index_at(middle), max(0, len(self._page_numbers) - 1))
        is_other, self._current_index = index != self._current_index, index
        if is_other:
            self.turned.emit()
        self.viewport().update()
        self.wanting.emit()

    def _scroll(self, top: float) -> None:
        self.verticalScrollBar().setValue(round(top))

    def _reach_target(self) -> None:
        """Scroll to the target span once its position is known."""
        if self._target is None:
            return
        index, span, is_gentle = self._target
        drawing = self._drawings.get(self._page_numbers[index])
        if drawing is None or (span is not None and span not in drawing.boxes):
            return
        self._target = None
        boxes = drawing.boxes[span] if span is not None else ()
        if not boxes:
            return
        rect = self._layout.rects[index]
        scale = rect.width / max(1, drawing.image.width())
        top, bottom = rect.top + boxes[0].top * scale, rect.top + boxes[0].bottom * scale
        seen = self.verticalScrollBar().value()
        high = self.viewport().height()
        if not is_gentle or top < seen + 20 or bottom > seen + high - 20:
            self._scroll(top - high / (3 if is_gentle else 5))
        across = self.horizontalScrollBar()
        left, right = (rect.left + edge * scale for edge in (boxes[0].left, boxes[0].right))
        if left < across.value() or right > across.value() + self.viewport().width():
            across.setValue(round(left - self.viewport().width() / 3))

    # Qt's names

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        # Not connected themselves, as in `_follow`.
        copy, select_page = (lambda: self._copy()), (lambda: self.select_page())
        open_text_menu(self, event, self.selected_text, copy, select_page)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() != Qt.MouseButton.LeftButton or not self._page_numbers:
            return
        index, _ = self._anchor(event.position().y())
        page, point = self._page_numbers[index], self._spot_at(event.position(), index)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._selection is not None:
            self._select(self._selection.to(point))
        else:
            self._press = PageSelection.on(page, self.text_of(page), point)
            self._select(None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        selection = self._selection or self._press
        if event.buttons() & Qt.MouseButton.LeftButton and selection is not None:
            index = self._page_numbers.index(selection.page)
            self._select(selection.to(self._spot_at(event.position(), index)))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            # The word under the mouse.
            self._select(self._press)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_page()
        else:
            super().keyPressEvent(event)

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
            page = self._page_numbers[index]
            area = area_of(self._layout.rects[index], self._offset())
            drawing = self._drawings.get(page)
            paint_paper(painter, area, scheme, drawing)
            if drawing is not None:
                highlights = self._highlights_on(page)
                paint_marks(painter, area, drawing, self._marks_of(page), highlights)
                self._paint_selection(painter, area, drawing, page)

    def _paint_selection(
        self, painter: QPainter, area: QRectF, drawing: PageDrawing, page: int
    ) -> None:
        span = self._selected_span()
        if self._selection is None or self._selection.page != page or span is None:
            return
        color = QColor(LIGHT.accent)
        color.setAlphaF(0.3)
        for rect in rects_in(area, drawing, self._selection.boxes(span, drawing.boxes)):
            painter.fillRect(rect, color)

    def resizeEvent(self, event: QResizeEvent) -> None:
        anchor = self._anchor()
        super().resizeEvent(event)
        self._measure(anchor)
        self._pause.start()
