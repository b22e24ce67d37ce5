"""Draws pages of documents on another thread, sharp at the width of the view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.background import Lane, Latest
from app.reader.marks import Span
from core.documents.document import Box

if TYPE_CHECKING:
    from core.progress import Job
    from core.requests import Answerer


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """A request to draw a page `width` pixels wide, with the boxes of spans of its text.

    If the page was already `drawn` at this width, only the missing boxes are computed.
    """

    document_id: int
    page: int
    width: int
    spans: tuple[Span, ...]
    drawn: PageDrawing | None = None


@dataclass(frozen=True, slots=True)
class PageDrawing:
    """A drawn page and the boxes of spans of its text, in pixels of the image."""

    image: QImage
    boxes: Mapping[Span, tuple[Box, ...]]
    width: int

    def fulfils(self, request: DrawRequest) -> bool:
        return self.width == request.width and all(span in self.boxes for span in request.spans)


def draw_page(library: Answerer, request: DrawRequest, job: Job) -> PageDrawing:
    """Draw a page. Runs in the background.

    Raises:
        WinnowError: the page cannot be drawn.
    """
    if request.drawn is not None:
        return _with_boxes(library, request, request.drawn, job)
    from core.requests import DrawPage

    document_id, page, width = request.document_id, request.page, request.width
    drawn = library.answer(DrawPage(document_id, page, width, tuple(request.spans)), job)
    stride = 3 * drawn.width
    image = QImage(drawn.rgb, drawn.width, drawn.height, stride, QImage.Format.Format_RGB888)
    return PageDrawing(
        # The screen's format, so that painting needs no conversion; this also copies the pixels.
        image.convertToFormat(QImage.Format.Format_RGB32),
        dict(zip(request.spans, drawn.boxes, strict=True)),
        request.width,
    )


# Spans per request, as many as a server allows.
_SPANS_AT_ONCE: Final = 500


def _with_boxes(
    library: Answerer, request: DrawRequest, drawing: PageDrawing, job: Job
) -> PageDrawing:
    from core.requests import LocateSpans

    missing = tuple(span for span in request.spans if span not in drawing.boxes)
    width, height = drawing.image.width(), drawing.image.height()
    boxes = dict(drawing.boxes)
    for start in range(0, len(missing), _SPANS_AT_ONCE):
        spans = missing[start : start + _SPANS_AT_ONCE]
        located = library.answer(
            LocateSpans(request.document_id, request.page, width, height, spans), job
        )
        boxes.update(zip(spans, located, strict=True))
    return replace(drawing, boxes={span: boxes[span] for span in request.spans})


class PageDrawer(QObject):
    """Draws pages one at a time, the most urgent request first."""

    drawn = Signal(int, object)
    """The page number and its PageDrawing."""
    failed = Signal(int, object)
    """The page number and the error."""

    def __init__(
        self, lane: Lane, next_request: Callable[[], DrawRequest | None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._next_request = next_request
        self._library: Answerer | None = None
        self._request: DrawRequest | None = None
        self._work = Latest(lane, self, self._take, self._fail)

    def use(self, library: Answerer) -> None:
        self._library = library

    def draw_next(self) -> None:
        """Draw the next page unless one is being drawn already."""
        if self._library is None or self._work.is_running:
            return
        self._request = self._next_request()
        if self._request is not None:
            self._work.start(partial(draw_page, self._library, self._request))

    def drop(self) -> None:
        self._work.drop()

    def _take(self, drawing: PageDrawing) -> None:
        assert self._request is not None
        self.drawn.emit(self._request.page, drawing)
        self.draw_next()

    def _fail(self, error: Exception) -> None:
        assert self._request is not None
        self.failed.emit(self._request.page, error)
