"""Text with lit words, laid out and painted: a colour behind the word and a line beneath it."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextLayout,
    QTextLine,
    QTextOption,
)

from app.palette import Scheme, lit_color
from app.underlines import paint_strokes, underline
from core.search.match import visible_highlights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from core.search.match import Highlight

_LINE_HEIGHT: Final = 1.32
_COUNTED_TWICE: Final = re.compile("[\U00010000-\U0010ffff]")


def line_height(font: QFont) -> int:
    """Give how far the lines of a `LitText` in `font` are apart."""
    return round(QFontMetricsF(font).height() * _LINE_HEIGHT)


def qt_offset(text: str, offset: int) -> int:
    """Give Qt's offset for Python's: Qt counts a character beyond U+FFFF as two.

    >>> qt_offset("🌾 wheat", 2)
    3
    """
    if text.isascii():
        return offset
    return offset + sum(1 for _ in _COUNTED_TWICE.finditer(text, 0, offset))


def spans_in_qt_offsets(text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Give `spans`, which lie in `text`, with Qt's offsets; it is looked through once for all.

    >>> spans_in_qt_offsets("🌾 wheat 🌾", [(0, 1), (2, 7), (8, 9)])
    ((0, 2), (3, 8), (9, 11))
    """
    twice = [match.start() for match in _COUNTED_TWICE.finditer(text)]
    if not twice:
        return tuple(spans)
    return tuple(
        (start + bisect_left(twice, start), end + bisect_left(twice, end)) for start, end in spans
    )


def in_qt_offsets(text: str, lits: Sequence[Highlight]) -> tuple[Highlight, ...]:
    """Give `lits`, which lie in `text`, with Qt's offsets."""
    spans = spans_in_qt_offsets(text, [(lit.start, lit.end) for lit in lits])
    return tuple(
        lit if (lit.start, lit.end) == span else replace(lit, start=span[0], end=span[1])
        for lit, span in zip(lits, spans, strict=True)
    )


def lines_with(layout: QTextLayout, start: int, end: int) -> Iterator[QTextLine]:
    """Give the lines of a layout on which something from `start` to `end` stands.

    The others are not asked: a paragraph may have hundreds, and thousands of places in it marked.
    """
    line = layout.lineForTextPosition(start)
    while line.isValid() and line.textStart() < end:
        yield line
        line = layout.lineAt(line.lineNumber() + 1)


@dataclass(frozen=True, slots=True)
class Mark:
    """What lies beneath a lit word on one line: a coloured box, and the strokes of its line."""

    box: QRectF
    color: QColor
    strokes: tuple[tuple[QLineF, QPen], ...]

    @classmethod
    def of(cls, lit: Highlight, box: QRectF, scheme: Scheme, scale: float = 1.0) -> Mark:
        """Give what lies beneath a lit word in `box`; `scale` makes the line so much wider."""
        strokes = underline(box, scheme, lit.word, lit.strength, scale)
        return cls(box, lit_color(scheme, lit.word, lit.strength), strokes)


def marks_beneath(
    layout: QTextLayout, lits: Iterable[Highlight], scheme: Scheme
) -> tuple[Mark, ...]:
    """Give what lies beneath the lit words of `layout`, counted from its top left corner.

    `lits` have Qt's offsets into the layout's text.
    """
    made: list[Mark] = []
    for lit in lits:
        for line in lines_with(layout, lit.start, lit.end):
            first, last = line.textStart(), line.textStart() + line.textLength()
            if lit.start >= last:
                continue
            ends = (_x(line, max(lit.start, first)), _x(line, min(lit.end, last)))
            height = line.ascent() + line.descent() + 3
            width = abs(ends[1] - ends[0]) + 2
            box = QRectF(min(ends) - 1, line.y() - 1, width, height)
            made.append(Mark.of(lit, box, scheme))
    return tuple(made)


def paint_beneath(painter: QPainter, marks: Iterable[Mark], place: QPointF | None = None) -> None:
    """Draw `marks`, which count from `place`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if place is not None:
        painter.translate(place)
    for mark in marks:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mark.color)
        painter.drawRoundedRect(mark.box, 3, 3)
        paint_strokes(painter, mark.strokes)
    painter.restore()


class LitText:
    """A text set in `font` to at most `most_lines` lines of `width`, the last one elided."""

    def __init__(
        self,
        text: str,
        lits: Sequence[Highlight],
        font: QFont,
        width: float,
        most_lines: int,
        *,
        from_right: bool = False,
    ) -> None:
        self._text = text
        self._font = font
        self._from_right = from_right
        self.width = width
        self._metrics = QFontMetricsF(font)
        self._line_height = line_height(font)
        self._layout = self._laid_out(text, width, most_lines)
        self._seen: int | None = None
        # Worked out at the first painting: a text is painted far more often than it is lit.
        self._marks: tuple[Scheme, tuple[Mark, ...]] | None = None
        last = self._layout.lineAt(most_lines - 1) if self._lines > most_lines else None
        if last is not None:
            encoded = text.encode("utf-16-le")
            start = last.textStart()
            rest = encoded[start * 2 :].decode("utf-16-le", "replace")
            elided = self._metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width - 2)
            self._layout = self._laid_out(
                encoded[: start * 2].decode("utf-16-le", "replace") + elided, width, most_lines
            )
            self._seen = start + qt_offset(elided, len(elided)) - 1
        self.light(lits)

    def light(self, lits: Sequence[Highlight], only: int | None = None) -> None:
        """Light of these words what `visible_highlights` gives for `only`, and no others."""
        inside = in_qt_offsets(self._text, visible_highlights(lits, only))
        self._lits = tuple(lit for lit in inside if self._seen is None or lit.end <= self._seen)
        self._marks = None

    @property
    def lits(self) -> tuple[Highlight, ...]:
        """The lit words that can be seen, in Qt's offsets."""
        return self._lits

    def lit_at(self, place: QPointF) -> Highlight | None:
        """Give the lit word at `place`, which counts from the text's top left corner."""
        for number in range(self._lines):
            line = self._layout.lineAt(number)
            if line.naturalTextRect().contains(place):
                offset = line.xToCursor(place.x(), QTextLine.CursorPosition.CursorOnCharacter)
                return lit_around(self._lits, offset)
        return None

    @property
    def height(self) -> int:
        return self._lines * self._line_height

    def paint(self, painter: QPainter, place: QPointF, color: QColor, scheme: Scheme) -> None:
        """Draw the text with its top left corner at `place`."""
        if self._marks is None or self._marks[0] is not scheme:
            self._marks = (scheme, marks_beneath(self._layout, self._lits, scheme))
        paint_beneath(painter, self._marks[1], place)
        painter.setPen(color)
        self._layout.draw(painter, place)

    @property
    def _lines(self) -> int:
        return self._layout.lineCount()

    def _laid_out(self, text: str, width: float, most_lines: int) -> QTextLayout:
        layout = QTextLayout(text, self._font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        if self._from_right:
            option.setAlignment(Qt.AlignmentFlag.AlignRight)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        layout.beginLayout()
        # One line more than is wanted tells that the text goes on.
        for number in range(most_lines + 1):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(width)
            lead = (self._line_height - self._metrics.height()) / 2
            line.setPosition(QPointF(0, number * self._line_height + lead))
        layout.endLayout()
        return layout


def lit_around(lits: Iterable[Highlight], offset: int) -> Highlight | None:
    """Give the one of `lits` that the character at `offset` belongs to."""
    return next((lit for lit in lits if lit.start <= offset < lit.end), None)


def _x(line: QTextLine, offset: int) -> float:
    x, _ = cast("tuple[float, int]", line.cursorToX(offset))
    return x
