"""How the words that are lit are painted, and what is said of one that is pointed at."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QLineF,
    QObject,
    QPoint,
    QPointF,
    QRectF,
    Qt,
)
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
from app.palette import Scheme, line_color, lit_color
from core.search.output.match import visible_highlights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from core.search.output.match import Highlight, QueryWord


_LINE_HEIGHT: Final = 1.32
_COUNTED_TWICE: Final = re.compile("[\U00010000-\U0010ffff]")
# Hebrew, Arabic and others, and what turns other letters round.
_FROM_THE_RIGHT: Final = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def line_height(font: QFont) -> int:
    """Return how far the lines of a `HighlightedText` in `font` are apart."""
    return round(QFontMetricsF(font).height() * _LINE_HEIGHT)


def qt_offset(text: str, offset: int) -> int:
    """Return Qt's offset for Python's: Qt counts a character beyond U+FFFF as two.

    >>> qt_offset("🌾 wheat", 2)
    3
    """
    if text.isascii():
        return offset
    return offset + sum(1 for _ in _COUNTED_TWICE.finditer(text, 0, offset))


def spans_in_qt_offsets(text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return `spans`, which lie in `text`, with Qt's offsets; it is looked through once for all.

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
    """Return `highlights`, which lie in `text`, with Qt's offsets."""
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
    """Yield the lines of a layout on which something from `start` to `end` stands.

    The others are not asked: a paragraph may have hundreds, and thousands of places in it marked.
    """
    line = layout.lineForTextPosition(start)
    while line.isValid() and line.textStart() < end:
        yield line
        line = layout.lineAt(line.lineNumber() + 1)


def goes_both_ways(text: str) -> bool:
    """Return whether something of `text` may run from the right to the left.

    >>> goes_both_ways("bees"), goes_both_ways("הדבורים bees")
    (False, True)
    """
    return not text.isascii() and _FROM_THE_RIGHT.search(text) is not None


def extents(
    line: QTextLine, start: int, end: int, *, both_ways: bool
) -> tuple[tuple[float, float], ...]:
    """Return where what is from `start` to `end` of a line stands, from left to right.

    It is in several places where a part of it runs the other way than the rest.

    Args:
        line: laid out, with `start` and `end` on it.
        start: in Qt's offsets, as `end`.
        end: behind the last character.
        both_ways: whether the text `goes_both_ways`: where a run ends, a cursor has two places, and
            Qt tells the one that belongs to the other run, so that the glyphs are asked.
    """
    if not both_ways:
        left, right = sorted((_x(line, start), _x(line, end)))
        return ((left, right),)
    found: list[tuple[float, float]] = []
    boxes = [run.boundingRect() for run in line.glyphRuns(start, end - start)]
    for left, right in sorted((box.left(), box.right()) for box in boxes):
        if found and left - found[-1][1] < 1:
            found[-1] = (found[-1][0], max(right, found[-1][1]))
        else:
            found.append((left, right))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class HighlightBox:
    """What lies beneath a lit word on one line: a coloured box, and the strokes of its line."""

    box: QRectF
    color: QColor
    strokes: tuple[tuple[QLineF, QPen], ...]

    @classmethod
    def of(
        cls, highlight: Highlight, box: QRectF, scheme: Scheme, scale: float = 1.0
    ) -> HighlightBox:
        """Return what lies beneath a lit word in `box`; `scale` makes the line so much wider."""
        strokes = underline(box, scheme, highlight.word, highlight.strength, scale)
        return cls(box, lit_color(scheme, highlight.word, highlight.strength), strokes)


def marks_beneath(
    layout: QTextLayout, highlights: Iterable[Highlight], scheme: Scheme, *, both_ways: bool
) -> tuple[HighlightBox, ...]:
    """Return what lies beneath the lit words of `layout`, counted from its top left corner.

    `highlights` have Qt's offsets into the layout's text, `both_ways` says whether that
    `goes_both_ways`.
    """
    made: list[HighlightBox] = []
    for highlight in highlights:
        for line in lines_with(layout, highlight.start, highlight.end):
            first, last = line.textStart(), line.textStart() + line.textLength()
            if highlight.start >= last:
                continue
            start, end = max(highlight.start, first), min(highlight.end, last)
            height = line.ascent() + line.descent() + 3
            for left, right in extents(line, start, end, both_ways=both_ways):
                box = QRectF(left - 1, line.y() - 1, right - left + 2, height)
                made.append(HighlightBox.of(highlight, box, scheme))
    return tuple(made)


def paint_beneath(
    painter: QPainter, marks: Iterable[HighlightBox], place: QPointF | None = None
) -> None:
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


class HighlightedText:
    """A text set in `font` to at most `most_lines` lines of `width`, the last one elided."""

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
        # Worked out at the first painting: a text is painted far more often than it is lit.
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
        self.light(highlights)

    def light(self, highlights: Sequence[Highlight], only: int | None = None) -> None:
        """Light of these words what `visible_highlights` gives for `only`, and no others."""
        inside = in_qt_offsets(self._text, visible_highlights(highlights, only))
        self._highlights = tuple(
            highlight for highlight in inside if self._seen is None or highlight.end <= self._seen
        )
        self._marks = None

    @property
    def highlights(self) -> tuple[Highlight, ...]:
        """The lit words that can be seen, in Qt's offsets."""
        return self._highlights

    def highlight_at(self, place: QPointF) -> Highlight | None:
        """Return the lit word at `place`, which counts from the text's top left corner."""
        for number in range(self._lines):
            line = self._layout.lineAt(number)
            if line.naturalTextRect().contains(place):
                offset = line.xToCursor(place.x(), QTextLine.CursorPosition.CursorOnCharacter)
                return lit_around(self._highlights, offset)
        return None

    @property
    def height(self) -> int:
        return self._lines * self._line_height

    def paint(self, painter: QPainter, place: QPointF, color: QColor, scheme: Scheme) -> None:
        """Draw the text with its top left corner at `place`."""
        if self._marks is None or self._marks[0] is not scheme:
            both_ways = goes_both_ways(self._text)
            beneath = marks_beneath(self._layout, self._highlights, scheme, both_ways=both_ways)
            self._marks = (scheme, beneath)
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


def lit_around(highlights: Iterable[Highlight], offset: int) -> Highlight | None:
    """Return the one of `highlights` that the character at `offset` belongs to."""
    return next(
        (highlight for highlight in highlights if highlight.start <= offset < highlight.end), None
    )


def _x(line: QTextLine, offset: int) -> float:
    x, _ = cast("tuple[float, int]", line.cursorToX(offset))
    return x


# Dashes and gaps in widths of the line.
_PATTERNS: Final[tuple[tuple[float, ...], ...]] = (
    (),  # drawn through
    (4.0, 2.0),
    (),  # two lines
    (0.1, 2.2),
    (5.0, 2.0, 0.1, 2.0),
)
_DOUBLE: Final = 2
_WIDTH: Final = 1.6


def pattern_of(word: int) -> int:
    """Return the number of the pattern of the query's word number `word`."""
    return word % len(_PATTERNS)


def paint_underline(
    painter: QPainter, box: QRectF, scheme: Scheme, word: int, strength: float, scale: float = 1.0
) -> None:
    """Draw the line of `word` along the bottom of `box`; `scale` makes it so many times as wide."""
    painter.save()
    paint_strokes(painter, underline(box, scheme, word, strength, scale))
    painter.restore()


def underline(
    box: QRectF, scheme: Scheme, word: int, strength: float, scale: float = 1.0
) -> tuple[tuple[QLineF, QPen], ...]:
    """Return the strokes of which the line of `word` along the bottom of `box` consists."""
    color = line_color(scheme, word, strength)
    width = _WIDTH * scale
    bottom = box.bottom() - width / 2
    if pattern_of(word) == _DOUBLE:
        pen = _pen(color, width * 0.6, ())
        return tuple((_along(box, bottom + width * lower), pen) for lower in (-1.1, 0.2))
    return ((_along(box, bottom), _pen(color, width, _PATTERNS[pattern_of(word)])),)


def paint_strokes(painter: QPainter, strokes: Iterable[tuple[QLineF, QPen]]) -> None:
    """Draw strokes; the painter's pen is that of the last one afterwards."""
    for line, pen in strokes:
        painter.setPen(pen)
        painter.drawLine(line)


def _along(box: QRectF, y: float) -> QLineF:
    return QLineF(box.left() + 1, y, box.right() - 1, y)


def _pen(color: QColor, width: float, pattern: tuple[float, ...]) -> QPen:
    pen = QPen(color, width)
    if pattern:
        # Round ends make dots of what is hardly longer than nothing.
        is_dotted = min(pattern) < 1
        pen.setCapStyle(Qt.PenCapStyle.RoundCap if is_dotted else Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(pattern)
    else:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def about_highlight(highlight: Highlight, words: Sequence[QueryWord]) -> str:
    """Return why a word is lit: which word of the query lights it, and how similar they are."""
    word = next((candidate for candidate in words if candidate.number == highlight.word), None)
    if word is None:
        return ""
    if highlight.similarity is None:
        return _tr("“{0}”: the word itself").format(word.text)
    said = _tr("“{0}”: similarity {1}").format(word.text, texts.figure(highlight.similarity, 2))
    return f"{said}\n{about_share(word)}"


class HighlightTips(QObject):
    """Tells at the pointer why a word of a view is lit.

    Args:
        view: whose words are lit; where the pointer is on none it tells what it told before.
        highlight_at: gives the lit word at a place of the view.
        words: gives those of the query.
    """

    def __init__(
        self,
        view: QAbstractScrollArea,
        highlight_at: Callable[[QPoint], Highlight | None],
        words: Callable[[], Sequence[QueryWord]],
    ) -> None:
        super().__init__(view)
        self._place = view.viewport()
        self._highlight_at = highlight_at
        self._words = words
        self._place.installEventFilter(self)

    # Qt's names

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent):
            return False
        highlight = self._highlight_at(event.pos())
        said = about_highlight(highlight, self._words()) if highlight is not None else ""
        QToolTip.showText(event.globalPos(), texts.hint(said), self._place)
        return highlight is not None


def about_share(word: QueryWord) -> str:
    """Return how much of the query a word decides; "" where no model took part."""
    if word.share is None:
        return ""
    return _tr("counts for {0} % of the query").format(texts.number(round(100 * word.share)))


def _tr(text: str) -> str:
    return QCoreApplication.translate("highlighting", text)
