"""Painting of highlighted words, and their tooltips."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self, cast
from unicodedata import bidirectional

from PySide6.QtCore import QCoreApplication, QEvent, QLineF, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPen,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip

from app import texts
from app.palette import Scheme, highlight_color, line_color
from core.search.output.match import Highlight, QueryWord, visible_highlights

_LINE_HEIGHT: Final = 1.32
_COUNTED_TWICE: Final = re.compile("[\U00010000-\U0010ffff]")
_STRONG: Final = {"L", "R", "AL"}
# Right-to-left scripts such as Hebrew and Arabic, and marks that reverse other letters.
_FROM_THE_RIGHT: Final = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def line_height(font: QFont) -> int:
    """Return the distance between lines of a `HighlightedText` in `font`."""
    return round(QFontMetricsF(font).height() * _LINE_HEIGHT)


def qt_offset(text: str, offset: int) -> int:
    """Return the UTF-16 offset, as Qt uses it, of a Python offset.

    >>> qt_offset("🌾 wheat", 2)
    3
    """
    if text.isascii():
        return offset
    return offset + sum(1 for _ in _COUNTED_TWICE.finditer(text, 0, offset))


def spans_in_qt_offsets(text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans of `text` in Qt's offsets; faster than separate calls of `qt_offset`.

    >>> spans_in_qt_offsets("🌾 wheat 🌾", [(0, 1), (2, 7), (8, 9)])
    ((0, 2), (3, 8), (9, 11))
    """
    twice = [match.start() for match in _COUNTED_TWICE.finditer(text)]
    if not twice:
        return tuple(spans)
    return tuple(
        (start + bisect_left(twice, start), end + bisect_left(twice, end)) for start, end in spans
    )


def in_qt_offsets(text: str, highlights: Sequence[Highlight]) -> tuple[Highlight, ...]:
    """Return highlights of `text` in Qt's offsets."""
    spans = spans_in_qt_offsets(
        text, [(highlight.start, highlight.end) for highlight in highlights]
    )
    return tuple(
        highlight
        if (highlight.start, highlight.end) == span
        else replace(highlight, start=span[0], end=span[1])
        for highlight, span in zip(highlights, spans, strict=True)
    )


def lines_with(layout: QTextLayout, start: int, end: int) -> Iterator[QTextLine]:
    """Yield the lines of a layout that overlap `start` to `end`.

    The others are not visited: a paragraph may have hundreds of lines and thousands of highlights.
    """
    line = layout.lineForTextPosition(start)
    while line.isValid() and line.textStart() < end:
        yield line
        line = layout.lineAt(line.lineNumber() + 1)


def goes_both_ways(text: str) -> bool:
    """Return whether `text` may contain right-to-left runs.

    >>> goes_both_ways("bees"), goes_both_ways("הדבורים bees")
    (False, True)
    """
    return not text.isascii() and _FROM_THE_RIGHT.search(text) is not None


def reads_from_right(text: str) -> bool:
    """Return whether the first letter with a direction is written from right to left.

    >>> reads_from_right("… (الفحم) coal"), reads_from_right("coal الفحم"), reads_from_right("12")
    (True, False, False)
    """
    directions = (bidirectional(letter) for letter in text)
    return next((direction != "L" for direction in directions if direction in _STRONG), False)


def extents(
    line: QTextLine, start: int, end: int, *, both_ways: bool
) -> tuple[tuple[float, float], ...]:
    """Return the horizontal extents (left, right) of `start` to `end` on a line, sorted.

    There are several if the text mixes directions.

    Args:
        line: a line of a finished layout that contains `start` and `end`.
        start: in Qt's offsets.
        end: exclusive, in Qt's offsets.
        both_ways: whether the text `goes_both_ways`: at the end of a run a cursor has two
            positions, and Qt returns that of the other run, so the glyphs are measured instead.
    """
    if not both_ways:
        left, right = sorted((_x(line, start), _x(line, end)))
        return ((left, right),)
    spans: list[tuple[float, float]] = []
    boxes = [run.boundingRect() for run in line.glyphRuns(start, end - start)]
    for left, right in sorted((box.left(), box.right()) for box in boxes):
        if spans and left - spans[-1][1] < 1:
            spans[-1] = (spans[-1][0], max(right, spans[-1][1]))
        else:
            spans.append((left, right))
    return tuple(spans)


@dataclass(frozen=True, slots=True)
class HighlightBox:
    """The background of a highlighted word on one line, and the strokes of its underline."""

    box: QRectF
    color: QColor
    strokes: tuple[tuple[QLineF, QPen], ...]

    @classmethod
    def of(cls, highlight: Highlight, box: QRectF, scheme: Scheme, scale: float = 1.0) -> Self:
        """Return the box of a highlight; `scale` multiplies the width of the underline."""
        strokes = underline(box, scheme, highlight.word, highlight.strength, scale)
        return cls(box, highlight_color(scheme, highlight.word, highlight.strength), strokes)


def marks_beneath(
    layout: QTextLayout, highlights: Iterable[Highlight], scheme: Scheme, *, both_ways: bool
) -> tuple[HighlightBox, ...]:
    """Return the boxes of highlighted words, relative to the top left corner of `layout`.

    `highlights` have Qt's offsets into the text of the layout; `both_ways` is whether that
    `goes_both_ways`.
    """
    boxes: list[HighlightBox] = []
    for highlight in highlights:
        for line in lines_with(layout, highlight.start, highlight.end):
            first, last = line.textStart(), line.textStart() + line.textLength()
            if highlight.start >= last:
                continue
            start, end = max(highlight.start, first), min(highlight.end, last)
            height = line.ascent() + line.descent() + 3
            for left, right in extents(line, start, end, both_ways=both_ways):
                box = QRectF(left - 1, line.y() - 1, right - left + 2, height)
                boxes.append(HighlightBox.of(highlight, box, scheme))
    return tuple(boxes)


def paint_beneath(
    painter: QPainter, marks: Iterable[HighlightBox], offset: QPointF | None = None
) -> None:
    """Draw `marks`, which are relative to `offset`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if offset is not None:
        painter.translate(offset)
    for mark in marks:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mark.color)
        painter.drawRoundedRect(mark.box, 3, 3)
        paint_strokes(painter, mark.strokes)
    painter.restore()


class HighlightedText:
    """A text laid out in at most `most_lines` lines of `width`, with the last one elided."""

    def __init__(
        self,
        text: str,
        highlights: Sequence[Highlight],
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
        # Cached at the first painting: texts are painted far more often than highlights change.
        self._marks: tuple[Scheme, tuple[HighlightBox, ...]] | None = None
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
        self.highlight(highlights)

    def highlight(self, highlights: Sequence[Highlight], only: int | None = None) -> None:
        """Highlight the words that `visible_highlights` returns for `only`, and no others."""
        inside = in_qt_offsets(self._text, visible_highlights(highlights, only))
        # The visible highlights in Qt's offsets.
        self.highlights = tuple(
            highlight for highlight in inside if self._seen is None or highlight.end <= self._seen
        )
        self._marks = None

    def highlight_at(self, point: QPointF) -> Highlight | None:
        """Return the highlight at `point`, relative to the top left corner of the text."""
        for index in range(self._lines):
            line = self._layout.lineAt(index)
            if line.naturalTextRect().contains(point):
                offset = line.xToCursor(point.x(), QTextLine.CursorPosition.CursorOnCharacter)
                return highlight_around(self.highlights, offset)
        return None

    @property
    def height(self) -> int:
        return self._lines * self._line_height

    def paint(self, painter: QPainter, corner: QPointF, color: QColor, scheme: Scheme) -> None:
        """Draw the text with its top left corner at `corner`."""
        if self._marks is None or self._marks[0] is not scheme:
            both_ways = goes_both_ways(self._text)
            beneath = marks_beneath(self._layout, self.highlights, scheme, both_ways=both_ways)
            self._marks = (scheme, beneath)
        paint_beneath(painter, self._marks[1], corner)
        painter.setPen(color)
        self._layout.draw(painter, corner)

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
        # One more line than wanted shows whether the text continues.
        for index in range(most_lines + 1):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(width)
            lead = (self._line_height - self._metrics.height()) / 2
            line.setPosition(QPointF(0, index * self._line_height + lead))
        layout.endLayout()
        return layout


def highlight_around(highlights: Iterable[Highlight], offset: int) -> Highlight | None:
    """Return the highlight that contains the character at `offset`."""
    return next(
        (highlight for highlight in highlights if highlight.start <= offset < highlight.end), None
    )


def _x(line: QTextLine, offset: int) -> float:
    x, _ = cast("tuple[float, int]", line.cursorToX(offset))
    return x


# Dashes and gaps of each underline pattern, in widths of the line.
_PATTERNS: Final[tuple[tuple[float, ...], ...]] = (
    (),  # solid
    (4.0, 2.0),
    (),  # double
    (0.1, 2.2),
    (5.0, 2.0, 0.1, 2.0),
)
_DOUBLE: Final = 2
_WIDTH: Final = 1.6


def pattern_of(word: int) -> int:
    """Return the number of the underline pattern of a word of the query."""
    return word % len(_PATTERNS)


def paint_underline(
    painter: QPainter, box: QRectF, scheme: Scheme, word: int, strength: float, scale: float = 1.0
) -> None:
    """Underline `box` for `word`; `scale` multiplies the width of the line."""
    painter.save()
    paint_strokes(painter, underline(box, scheme, word, strength, scale))
    painter.restore()


def underline(
    box: QRectF, scheme: Scheme, word: int, strength: float, scale: float = 1.0
) -> tuple[tuple[QLineF, QPen], ...]:
    """Return the strokes that underline `box` for `word`."""
    color = line_color(scheme, word, strength)
    width = _WIDTH * scale
    bottom = box.bottom() - width / 2
    if pattern_of(word) == _DOUBLE:
        pen = _pen(color, width * 0.6, ())
        return tuple((_along(box, bottom + width * lower), pen) for lower in (-1.1, 0.2))
    return ((_along(box, bottom), _pen(color, width, _PATTERNS[pattern_of(word)])),)


def paint_strokes(painter: QPainter, strokes: Iterable[tuple[QLineF, QPen]]) -> None:
    """Draw strokes; changes the painter's pen."""
    for line, pen in strokes:
        painter.setPen(pen)
        painter.drawLine(line)


def _along(box: QRectF, y: float) -> QLineF:
    return QLineF(box.left() + 1, y, box.right() - 1, y)


def _pen(color: QColor, width: float, pattern: tuple[float, ...]) -> QPen:
    pen = QPen(color, width)
    if pattern:
        # Round caps turn very short dashes into dots.
        is_dotted = min(pattern) < 1
        pen.setCapStyle(Qt.PenCapStyle.RoundCap if is_dotted else Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(pattern)
    else:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def about_highlight(highlight: Highlight, words: Sequence[QueryWord]) -> str:
    """Return the tooltip of a highlight: the word of the query, and the similarity."""
    word = next((candidate for candidate in words if candidate.index == highlight.word), None)
    if word is None:
        return ""
    if highlight.similarity is None:
        return _tr("“{0}”: word match").format(word.text)
    tooltip = _tr("“{0}”: similarity {1}").format(word.text, texts.figure(highlight.similarity, 2))
    return f"{tooltip}\n{about_share(word)}"


class HighlightTips(QObject):
    """Shows a tooltip for highlighted words of a view.

    Args:
        view: the view; elsewhere it shows its own tooltips.
        highlight_at: returns the highlight at a position in the view.
        words: returns the words of the query.
    """

    def __init__(
        self,
        view: QAbstractScrollArea,
        highlight_at: Callable[[QPoint], Highlight | None],
        words: Callable[[], Sequence[QueryWord]],
    ) -> None:
        super().__init__(view)
        self._viewport = view.viewport()
        self._highlight_at = highlight_at
        self._words = words
        self._viewport.installEventFilter(self)

    # Qt's names

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent):
            return False
        highlight = self._highlight_at(event.pos())
        tooltip = about_highlight(highlight, self._words()) if highlight is not None else ""
        QToolTip.showText(event.globalPos(), texts.hint(tooltip), self._viewport)
        return highlight is not None


def about_share(word: QueryWord) -> str:
    """Return the share of a word in the query; "" if no model was used."""
    if word.share is None:
        return ""
    return _tr("{0}% of the query weight").format(texts.grouped(round(100 * word.share)))


def _tr(text: str) -> str:
    return QCoreApplication.translate("highlighting", text)
