"""Makes rows and columns of widgets."""

from typing import Final, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

# Empty space that takes the room which no other part of the layout takes.
SPACE: Final = 1
# Empty space that only takes room if no other part of the layout can.
SLACK: Final = 0

_Box = TypeVar("_Box", bound=QBoxLayout)
_Margins = tuple[int, int, int, int]


def horizontal(
    parent: QWidget | None = None, margins: _Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Return a row with margins (left, top, right, bottom) and spacing in pixels.

    None keeps those of the style.
    """
    return _spaced(QHBoxLayout(), parent, margins, spacing)


def vertical(
    parent: QWidget | None = None, margins: _Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Return a column with margins (left, top, right, bottom) and spacing in pixels.

    None keeps those of the style.
    """
    return _spaced(QVBoxLayout(), parent, margins, spacing)


def _spaced(
    box: _Box, parent: QWidget | None, margins: _Margins | None, spacing: int | None
) -> _Box:
    if parent is not None:
        parent.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    return box


def fill(
    box: _Box, *parts: QWidget | QLayout | int | tuple[QWidget | QLayout, int | Qt.AlignmentFlag]
) -> _Box:
    """Add parts to a row or column, and return it.

    A pair has the stretch factor or the alignment of its part; a number is empty space with this
    stretch factor, `SPACE` or `SLACK`.
    """
    for part in parts:
        if isinstance(part, int):
            box.addStretch(part)
            continue
        item, rule = part if isinstance(part, tuple) else (part, 0)
        if isinstance(item, QWidget):
            box.addWidget(item)
        else:
            box.addLayout(item)
        # An alignment is a whole number, too.
        if isinstance(rule, Qt.AlignmentFlag):
            box.setAlignment(item, rule)
        else:
            box.setStretch(box.count() - 1, rule)
    return box
