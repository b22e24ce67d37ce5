"""Small pictures of the pages in the results, drawn in the background while nobody waits."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

from app.background import Lane, Latest

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.search.rows import PassageRow
    from core.progress import Job
    from core.requests import Answerer

# Time without a search before the next picture is drawn.
_PAUSE_MS: Final = 250
# Width of a drawn page in pixels: sharp at twice the size of a screen's pixels.
_WIDTH: Final = 96
_MOST_KEPT: Final = 300
# Rows that wait for their pictures: those that were painted last.
_MOST_WAITING: Final = 12


class _Key(NamedTuple):
    """A page of a document, as of a change of its file."""

    document_id: int
    page: int
    changed_ns: int


class Thumbnails(QObject):
    """Keeps the pictures of pages, and draws missing ones one at a time in the sandbox.

    Args:
        lane: draws them.
        is_busy: returns whether the person waits for something.
        parent: the Qt parent.
    """

    drawn = Signal()

    def __init__(self, lane: Lane, is_busy: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._is_busy = is_busy
        self._library: Answerer | None = None
        # None for a page that cannot be drawn, which the reader says.
        self._pictures: OrderedDict[_Key, QPixmap | None] = OrderedDict()
        self._waiting: OrderedDict[_Key, None] = OrderedDict()
        self._current: _Key | None = None
        self._work = Latest(lane, self, self._take, self._fail)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._draw_next)

    def use(self, library: Answerer) -> None:
        """Replace the library."""
        self._library = library
        self._pictures.clear()
        self._waiting.clear()
        self._work.drop()

    def of(self, row: PassageRow) -> QPixmap | None:
        """Return the picture of a row's page; None before it is drawn, which begins soon."""
        key = _Key(row.document.document_id, row.hit.passage.page, row.document.changed_ns)
        if key in self._pictures:
            self._pictures.move_to_end(key)
            return self._pictures[key]
        self._waiting[key] = None
        self._waiting.move_to_end(key)
        while len(self._waiting) > _MOST_WAITING:
            self._waiting.popitem(last=False)
        if not self._work.is_running and not self._pause.isActive():
            self._pause.start()
        return None

    def _draw_next(self) -> None:
        if self._library is None or not self._waiting:
            return
        if self._is_busy():
            self._pause.start()
            return
        self._current, _ = self._waiting.popitem()
        self._work.start(partial(_draw, self._library, self._current))

    def _take(self, image: QImage) -> None:
        self._keep(QPixmap.fromImage(image))
        self.drawn.emit()

    def _fail(self, _error: Exception) -> None:
        self._keep(None)

    def _keep(self, picture: QPixmap | None) -> None:
        assert self._current is not None
        self._pictures[self._current] = picture
        while len(self._pictures) > _MOST_KEPT:
            self._pictures.popitem(last=False)
        self._pause.start()


def _draw(library: Answerer, key: _Key, job: Job) -> QImage:
    from core.requests import DrawPage

    page = library.answer(DrawPage(key.document_id, key.page, _WIDTH), job)
    image = QImage(page.rgb, page.width, page.height, 3 * page.width, QImage.Format.Format_RGB888)
    # A long receipt would be a line: its beginning says enough.
    shown = image.copy(0, 0, page.width, min(page.height, 2 * page.width))
    return shown.convertToFormat(QImage.Format.Format_RGB32)


def fitted(picture: QPixmap, width: int, height: int, scale: float) -> QPixmap:
    """Return a picture scaled to fit into a room in logical pixels, sharp on the screen."""
    result = picture.scaled(
        round(width * scale),
        round(height * scale),
        Qt.AspectRatioMode.KeepAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    result.setDevicePixelRatio(scale)
    return result
