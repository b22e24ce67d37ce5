"""How high the rows of the results list are, known before their texts are laid out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF

from app.lit_text import line_height
from core.search.match import BEST_SNIPPET, FURTHER_SNIPPET, width_in_letters

if TYPE_CHECKING:
    from app.search.rows import PassageRow

SIDE: Final = 20
TOP: Final = 13
INDENT: Final = 18
GAP: Final = 5
MORE_HEIGHT: Final = 34
_SAMPLE: Final = "the results that were found stand here, in 20 lines of text"
_LOST_AT_END: Final = 2.5
"""Letters that find no room at the end of a line, on average, because words stay whole."""


@dataclass(frozen=True, slots=True)
class Measures:
    """The fonts of the rows and what the rows' heights are made of, for one font of the list.

    `letter` is the mean width of a letter of the snippets. With it the lines of a snippet are told
    well enough without laying it out, which takes a hundred times as long: in a list of a thousand
    documents that would be a second on the window's thread. A snippet that needs more is elided.
    """

    letter: float
    snippet_line: int
    title: int
    label: int
    title_font: QFont
    snippet_font: QFont
    path_font: QFont
    tag_font: QFont

    def lines(self, row: PassageRow, width: int) -> int:
        """How many lines the row's snippet gets."""
        most = (BEST_SNIPPET if row.is_best else FURTHER_SNIPPET).lines
        room = max(inner_width(row, width) / self.letter - _LOST_AT_END, 1.0)
        return max(1, min(most, math.ceil(width_in_letters(row.snippet) / room)))

    def height(self, row: PassageRow, width: int, *, has_label: bool) -> int:
        """How high a row is that is `width` pixels wide; `has_label` counts for further rows."""
        snippet = self.lines(row, width) * self.snippet_line
        if row.is_best:
            return 2 * TOP + self.title + self.label + 2 * GAP + snippet
        return TOP + (self.label + GAP if has_label else 0) + snippet


def inner_width(row: PassageRow, width: int) -> int:
    """How wide a row's texts are."""
    return width - 2 * SIDE - (0 if row.is_best else INDENT)


def measures_of(font: QFont) -> Measures:
    """Give the measures for the font of the list."""
    title, snippet, path = scaled(font, 1.06), scaled(font, 0.96), scaled(font, 0.86)
    tag = scaled(path, 0.86)
    for strong in (title, tag):
        strong.setWeight(QFont.Weight.DemiBold)
    return Measures(
        letter=QFontMetricsF(snippet).horizontalAdvance(_SAMPLE) / len(_SAMPLE),
        snippet_line=line_height(snippet),
        title=line_height(title),
        label=QFontMetrics(path).height(),
        title_font=title,
        snippet_font=snippet,
        path_font=path,
        tag_font=tag,
    )


def scaled(font: QFont, factor: float) -> QFont:
    made = QFont(font)
    if font.pointSizeF() > 0:
        made.setPointSizeF(font.pointSizeF() * factor)
    else:
        made.setPixelSize(max(1, round(font.pixelSize() * factor)))
    return made
