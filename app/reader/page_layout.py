"""Where the pages of a document lie, one below the other, at some size; pure, without Qt."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum, auto
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from core.documents.document import PageSize

if TYPE_CHECKING:
    from collections.abc import Sequence

MARGIN: Final = 28
GAP: Final = 16
USUAL_SIZE: Final = PageSize(595.0, 842.0)
SMALLEST, LARGEST = 0.25, 6.0
_WIDEST: Final = 1100
_PIXELS_PER_POINT: Final = 96 / 72


class Fit(Enum):
    """How large pages are where no factor was chosen."""

    WIDTH = auto()
    PAGE = auto()


Zoom = Fit | float
"""A way to fit, or how many times its printed size a page has."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page lies in the column, in pixels of the window."""

    left: float
    top: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return self.top + self.height


class PageLayout:
    """Pages of some `sizes` in a view of `width` and `height`."""

    def __init__(self, sizes: Sequence[PageSize], zoom: Zoom, width: int, height: int) -> None:
        scales = [scale_of(size, zoom, width, height) for size in sizes]
        widths = [size.width * scale for size, scale in zip(sizes, scales, strict=True)]
        heights = [size.height * scale for size, scale in zip(sizes, scales, strict=True)]
        self.width = max([float(width), *(one + 2 * MARGIN for one in widths)])
        ends = list(
            accumulate(heights, lambda top, one: top + GAP + one, initial=float(MARGIN - GAP))
        )
        self.height = ends[-1] + MARGIN if sizes else 0.0
        self.places = [
            Place(round((self.width - wide) / 2), end - high, wide, high)
            for wide, high, end in zip(widths, heights, ends[1:], strict=True)
        ]
        self._tops = [place.top for place in self.places]

    def index_at(self, y: float) -> int:
        """Give the page that a height lies on, or the gap below which it lies."""
        return max(0, bisect_right(self._tops, y) - 1)

    def between(self, top: float, bottom: float) -> range:
        """Give the pages that show between two heights."""
        if not self.places:
            return range(0)
        first = self.index_at(top)
        if self.places[first].bottom < top and first + 1 < len(self.places):
            first += 1
        return range(first, self.index_at(bottom) + 1)


def scale_of(size: PageSize, zoom: Zoom, width: int, height: int) -> float:
    """Give how many pixels a point of a page has in a view of this size."""
    if not isinstance(zoom, Fit):
        return zoom * _PIXELS_PER_POINT
    wide = max(60, min(_WIDEST, width - 2 * MARGIN)) / size.width
    if zoom is Fit.WIDTH:
        return wide
    return min(wide, max(60, height - 2 * GAP) / size.height)


def factor_of(size: PageSize, zoom: Zoom, width: int, height: int) -> float:
    """Give how many times its printed size a page has.

    >>> factor_of(USUAL_SIZE, 1.5, 800, 600)
    1.5
    """
    return scale_of(size, zoom, width, height) / _PIXELS_PER_POINT
