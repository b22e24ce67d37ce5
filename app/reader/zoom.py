"""Sizes in which a page is shown; without the reader, so that the window starts sooner."""

from enum import Enum, auto


class Fit(Enum):
    """Ways to fit pages into the view."""

    WIDTH = auto()
    PAGE = auto()


# A way to fit, or a factor of the printed size.
Zoom = Fit | float
