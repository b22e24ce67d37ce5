"""What `PageView` shows: the drawing of its current page, highlights and positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.reader.page_layout import area_of

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF, QRectF

    from app.highlighting import Highlight
    from app.reader.page_drawings import PageDrawing
    from app.reader.page_view import PageView
    from core.documents.document import Box


def drawing_of(view: PageView) -> PageDrawing | None:
    """Return the latest drawing of the current page."""
    pages = view._page_numbers
    return view._drawings.get(pages[view._current_index]) if pages else None


def highlight_boxes(view: PageView) -> list[tuple[Highlight, tuple[Box, ...]]]:
    """Return the highlights of the current page with their boxes, in pixels of the image."""
    pages = view._page_numbers
    return list(view._highlights_on(pages[view._current_index])) if pages else []


def highlight_rects(view: PageView) -> list[tuple[Highlight, list[QRectF]]]:
    """Return the highlights of the current page with their rectangles in the view."""
    pairs = view._highlight_rects(view._current_index) if view._page_numbers else ()
    return [(highlight, list(rects)) for highlight, rects in pairs]


def point_at(view: PageView, at: QPointF) -> tuple[int, float]:
    """Return the page at a point of the view, and the vertical position on it, from 0 to 1."""
    return view._anchor(at.y())


def rect_of(view: PageView, index: int) -> QRectF:
    """Return the rectangle of a page in the view."""
    return area_of(view._layout.rects[index], view._offset())


def wanted_width(view: PageView) -> int:
    """Return the width in device pixels at which the current page is sharp."""
    return view._width_of(view._current_index) if view._page_numbers else 1
