"""Pages drawn in the background, one after another, those in view first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.background import Lane, Latest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.reader.marks import Span
    from core.documents.document import Box
    from core.progress import Job
    from core.requests import Answerer


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """A page to be drawn so many pixels wide, with the boxes of some spans of its text.

    Where it was `drawn` so before, only the boxes that are missing are wanted.
    """

    document_id: int
    page: int
    width: int
    spans: tuple[Span, ...]
    drawn: PageDrawing | None = None


@dataclass(frozen=True, slots=True)
class PageDrawing:
    """A drawn page, and the boxes of spans of its text in the image's pixels."""

    image: QImage
    boxes: Mapping[Span, tuple[Box, ...]]
    width: int

    def fulfils(self, request: DrawRequest) -> bool:
        return self.width == request.width and all(span in self.boxes for span in request.spans)


def draw_page(library: Answerer, request: DrawRequest, job: Job) -> PageDrawing:
    """Draw a page; for the background.

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
        # What the screen has: converted here, painting it costs nothing. Also a copy of its own.
        image.convertToFormat(QImage.Format.Format_RGB32),
        dict(zip(request.spans, drawn.boxes, strict=True)),
        request.width,
    )


def _with_boxes(
    library: Answerer, request: DrawRequest, drawing: PageDrawing, job: Job
) -> PageDrawing:
    from core.requests import LocateSpans

    missing = tuple(span for span in request.spans if span not in drawing.boxes)
    width, height = drawing.image.width(), drawing.image.height()
    spans = LocateSpans(request.document_id, request.page, width, height, missing)
    placed = library.answer(spans, job)
    boxes = {**drawing.boxes, **dict(zip(missing, placed, strict=True))}
    return replace(drawing, boxes={span: boxes[span] for span in request.spans})


class PageDrawer(QObject):
    """Has pages drawn, one at a time: when one is done it asks what is wanted most by then."""

    drawn = Signal(int, object)
    """The number of a page, and its PageDrawing."""
    failed = Signal(int, object)
    """The number of a page, and why it cannot be drawn."""

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

    def go_on(self) -> None:
        """Draw what is wanted, unless a page is being drawn: then afterwards."""
        if self._library is None or self._work.is_running:
            return
        self._request = self._next_request()
        if self._request is not None:
            self._work.start(partial(draw_page, self._library, self._request))

    def drop(self) -> None:
        """Forget the page that is being drawn."""
        self._work.drop()

    def _take(self, drawing: PageDrawing) -> None:
        assert self._request is not None
        self.drawn.emit(self._request.page, drawing)
        self.go_on()

    def _fail(self, error: Exception) -> None:
        assert self._request is not None
        self.failed.emit(self._request.page, error)
