"""The text of a document with its styles and highlights.

The text is inserted with formats, character by character the same as the stored text; no HTML
is interpreted and no resources are loaded.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QEvent,
    QPoint,
    QPointF,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontDatabase,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextList,
    QTextListFormat,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from app.highlighting import (
    HighlightTips,
    extents,
    goes_both_ways,
    highlight_around,
    in_qt_offsets,
    lines_with,
    marks_beneath,
    paint_beneath,
    qt_offset,
    reads_from_right,
    spans_in_qt_offsets,
)
from app.palette import Scheme, scheme_of
from app.reader.controls import command_of
from app.reader.marks import NO_MARKS, Marks, Part, Span
from app.reader.text_menu import open_text_menu
from app.text_size import px
from core.documents.document import Page, Style, StyledSpan
from core.search.output.match import Highlight, QueryWord, shifted, visible_highlights

if TYPE_CHECKING:
    from collections.abc import Iterator


# Block property: the block has a background, which is painted below its highlights.
SHADED: Final = QTextFormat.Property.UserProperty.value
_LINE_PERCENT: Final = 138
_CODE_PERCENT: Final = 118
_HEADING_SIZES: Final = (1.55, 1.3, 1.15, 1.05)
_STEP: Final = 22
_BULLETS: Final = (
    QTextListFormat.Style.ListDisc,
    QTextListFormat.Style.ListCircle,
    QTextListFormat.Style.ListSquare,
)
_BLOCKS: Final = frozenset(
    {Style.ITEM, Style.NUMBERED, Style.QUOTE, Style.CODE, Style.ROW, Style.FIELD}
)


@dataclass(frozen=True, slots=True)
class Typesetting:
    """How a part of a page is typeset; positions are offsets into the part's text.

    `headings` map offsets to level and length. Code uses a fixed-width font, and its first line has
    the number `first_line`.
    """

    styles: tuple[StyledSpan, ...] = ()
    headings: tuple[tuple[int, int, int], ...] = ()
    is_code: bool = False
    first_line: int = 1


PLAIN: Final = Typesetting()


def typesetting_of(page: Page, part: Part, *, is_code: bool) -> Typesetting:
    """Return the typesetting of a part of a page."""
    styles = tuple(
        replace(span, start=max(span.start, part.start) - part.start, end=span.end - part.start)
        for span in page.styles
        if span.start < part.end and (span.end > part.start or span.start >= part.start)
    )
    headings = tuple(
        (heading.start - part.start, heading.level, len(heading.text))
        for heading in page.headings
        if part.start <= heading.start < part.end
    )
    start, number = 0, 1
    for span in page.styles:
        if span.style is Style.LINE and span.start <= part.start:
            start, number = span.start, span.level
    return Typesetting(styles, headings, is_code, number + page.text.count("\n", start, part.start))


def fixed_font(like: QFont) -> QFont:
    """Return the system's fixed-width font in the size of another font."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(like.pointSizeF() * 0.94)
    return font


def fill(document: QTextDocument, text: str, setting: Typesetting, scheme: Scheme) -> None:
    """Replace the content of a document with `text`."""
    document.clear()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    writer = _Writer(cursor, text, setting, scheme, document.defaultFont())
    for index, (start, end) in enumerate(_lines(text)):
        writer.line(start, end, is_first=index == 0)
    cursor.endEditBlock()


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


class _Writer:
    """Writes a text line by line."""

    def __init__(
        self, cursor: QTextCursor, text: str, setting: Typesetting, scheme: Scheme, font: QFont
    ) -> None:
        self._cursor = cursor
        self._text = text
        self._setting = setting
        self._scheme = scheme
        self._font = font
        self._fixed = fixed_font(font)
        blocks = [span for span in setting.styles if span.style in _BLOCKS]
        inline = [span for span in setting.styles if span.style not in _BLOCKS]
        self._blocks = sorted(blocks, key=lambda block: block.start)
        self._inline = sorted(inline, key=lambda style: style.start)
        self._headings = {start: (level, length) for start, level, length in setting.headings}
        self._next_block = self._next_inline = 0
        self._open: list[StyledSpan] = []
        self._within: list[StyledSpan] = []
        self._lists: dict[tuple[Style, int], QTextList] = {}

    def line(self, start: int, end: int, *, is_first: bool) -> None:
        styles = self._styles_at(start)
        block, char = self._formats(start, end, styles)
        if is_first:
            self._cursor.setBlockFormat(block)
            self._cursor.setBlockCharFormat(char)
        else:
            self._cursor.insertBlock(block, char)
        self._make_item(start, styles)
        start_of_rest = start
        if Style.FIELD in styles:
            start_of_rest = min(start + styles[Style.FIELD].level + 1, end)
            muted = QTextCharFormat(char)
            muted.setForeground(QColor(self._scheme.muted))
            self._cursor.insertText(self._text[start:start_of_rest], muted)
        for first, last, inside in self._inside(start_of_rest, end):
            self._cursor.insertText(self._text[first:last], self._styled(char, inside))

    def _styles_at(self, start: int) -> dict[Style, StyledSpan]:
        while (
            self._next_block < len(self._blocks) and self._blocks[self._next_block].start <= start
        ):
            self._open.append(self._blocks[self._next_block])
            self._next_block += 1
        self._open = [span for span in self._open if start < span.end]
        return {span.style: span for span in self._open}

    def _inside(self, start: int, end: int) -> Iterator[tuple[int, int, list[Style]]]:
        """Split a line into runs, each with its styles."""
        while self._next_inline < len(self._inline) and self._inline[self._next_inline].start < end:
            self._within.append(self._inline[self._next_inline])
            self._next_inline += 1
        self._within = [span for span in self._within if span.end > start]
        edges = {edge for span in self._within for edge in (span.start, span.end)}
        offsets = sorted({start, end, *(edge for edge in edges if start < edge < end)})
        waiting, now = deque(self._within), list[StyledSpan]()
        for first, last in pairwise(offsets):
            while waiting and waiting[0].start <= first:
                now.append(waiting.popleft())
            now = [span for span in now if span.end > first]
            yield first, last, [span.style for span in now]

    def _formats(
        self, start: int, end: int, styles: dict[Style, StyledSpan]
    ) -> tuple[QTextBlockFormat, QTextCharFormat]:
        block, char = QTextBlockFormat(), QTextCharFormat()
        is_code = self._setting.is_code or Style.CODE in styles
        percent = _CODE_PERCENT if is_code or Style.FIELD in styles else _LINE_PERCENT
        if Style.CODE in styles:
            percent = 100  # or there were stripes between its lines
        block.setLineHeight(percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        char.setFont(self._fixed if is_code else self._font)
        if is_code and not self._setting.is_code:
            block.setProperty(SHADED, True)
            block.setLeftMargin(10)
        if quote := styles.get(Style.QUOTE):
            block.setLeftMargin(block.leftMargin() + _STEP * min(quote.level, 5))
            char.setForeground(QColor(self._scheme.muted))
        if (row := styles.get(Style.ROW)) is not None and row.level:
            char.setFontWeight(QFont.Weight.DemiBold)
        if heading := self._headings.get(start):
            level, length = heading
            if length >= end - start:
                font = QFont(self._font)
                size = _HEADING_SIZES[min(level, len(_HEADING_SIZES)) - 1]
                font.setPointSizeF(font.pointSizeF() * size)
                font.setWeight(QFont.Weight.DemiBold)
                char.setFont(font)
                block.setTopMargin(6 if start else 0)
        if start == end and not is_code:
            # The blank line between two paragraphs is lower than a line of text.
            small = QFont(self._font)
            small.setPointSizeF(max(1.0, small.pointSizeF() * 0.5))
            char.setFont(small)
        return block, char

    def _make_item(self, start: int, styles: dict[Style, StyledSpan]) -> None:
        item = styles.get(Style.ITEM) or styles.get(Style.NUMBERED)
        if item is None:
            if self._text[start : start + 1].strip():
                self._lists.clear()
            return
        if item.start != start:
            # Indent further lines of an item to the text of its first line.
            block = self._cursor.blockFormat()
            block.setLeftMargin(block.leftMargin() + _STEP * item.level)
            self._cursor.setBlockFormat(block)
            return
        for key in [key for key in self._lists if key[1] > item.level]:
            del self._lists[key]
        known = self._lists.get((item.style, item.level))
        if known is not None:
            known.add(self._cursor.block())
            return
        shape = QTextListFormat()
        shape.setIndent(item.level)
        numbered = item.style is Style.NUMBERED
        shape.setStyle(
            QTextListFormat.Style.ListDecimal
            if numbered
            else _BULLETS[(item.level - 1) % len(_BULLETS)]
        )
        self._lists[item.style, item.level] = self._cursor.createList(shape)

    def _styled(self, plain: QTextCharFormat, styles: list[Style]) -> QTextCharFormat:
        char = QTextCharFormat(plain)
        # Set the font first: it would override the other properties.
        if Style.LITERAL in styles:
            # Without a background, which would cover highlights.
            char.setFont(self._fixed)
        if Style.STRONG in styles:
            char.setFontWeight(QFont.Weight.Bold)
        if Style.EMPHASIS in styles:
            char.setFontItalic(True)
        if Style.LINK in styles:
            char.setForeground(QColor(self._scheme.accent))
        return char


def line_numbers(setting: Typesetting, text: str) -> list[int]:
    """Return the number of each line of a text of code."""
    jumps = {span.start: span.level for span in setting.styles if span.style is Style.LINE}
    numbers: list[int] = []
    number = setting.first_line
    for start, _ in _lines(text):
        number = jumps.get(start, number)
        numbers.append(number)
        number += 1
    return numbers


_MAX_COLUMN_WIDTH: Final = 720
_SIDE: Final = 28
# Space left of the text for the bar that marks the passage.
_GUTTER: Final = 14
_ZOOM_STEP: Final = 1.1
_FONT_FACTOR: Final = 1.06


class TextView(QTextEdit):
    """A part of a document in a readable column, scrolled to the passage."""

    copy_wanted = Signal(str)
    """The selected text, to be copied with its source; "" for the passage."""
    search_wanted = Signal(str)
    """The selected text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The words of the query, which the tooltips of highlights name.
        self.words: tuple[QueryWord, ...] = ()
        self._text = ""
        self._both_ways = False
        self._setting = PLAIN
        # The line numbers of code; empty for other text.
        self.line_numbers: list[int] = []
        # The marks of the shown text.
        self.marks = NO_MARKS
        self._only: int | None = None
        # The highlights, in Qt's offsets into the shown text.
        self.highlights: tuple[Highlight, ...] = ()
        self._matches: tuple[Span, ...] = ()
        HighlightTips(self, self._highlight_at, lambda: self.words)
        self.setObjectName("textView")
        self.setAccessibleName(self.tr("Document text"))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(_GUTTER)
        # The factor between the current and the default text size.
        self.zoom = 1.0
        self._anchor: tuple[int, float] | None = None
        self._is_resizing = False
        self.verticalScrollBar().valueChanged.connect(self._drop_anchor)
        self._update_font()

    def zoom_by(self, steps: float) -> None:
        """Enlarge the text by this many steps, shrink it if negative, or reset it (0)."""
        self.zoom = min(max(self.zoom * _ZOOM_STEP**steps, 0.5), 4.0) if steps else 1.0
        self._update_font()
        self._typeset_again()

    def show_text(self, text: str, marks: Marks, setting: Typesetting = PLAIN) -> None:
        """Show `text` with `marks` in its offsets; keep the position if the text is the same."""
        if text != self._text or setting != self._setting:
            self._text, self._setting = text, setting
            self._both_ways = goes_both_ways(text)
            self._anchor = None
            self._typeset()
        self.marks = marks
        self._matches = spans_in_qt_offsets(text, marks.matches)
        self.show_only(self._only)

    def show_only(self, word: int | None) -> None:
        """Show only the highlights of this query word, or all (None)."""
        self._only = word
        self.highlights = in_qt_offsets(self._text, visible_highlights(self.marks.highlights, word))
        self.viewport().update()

    def scroll_to(self, span: Span | None, *, is_gentle: bool = False) -> None:
        """Scroll to a span of the text and show some of the text before it.

        If `is_gentle`, do not scroll when the span is visible already.
        """
        bar = self.verticalScrollBar()
        if span is None:
            bar.setValue(0)
            return
        line = self._line_of(qt_offset(self._text, span[0]))
        high = self.viewport().height()
        if not is_gentle or line.top() < 10 or line.bottom() > high - 10:
            bar.setValue(max(0, round(line.top()) + bar.value() - high // (3 if is_gentle else 5)))

    def _typeset_again(self) -> None:
        """Set the shown text again after a change of colours or size."""
        bar = self.verticalScrollBar()
        share = bar.value() / max(1, bar.maximum())
        self._typeset()
        bar.setValue(round(share * bar.maximum()))

    def _typeset(self) -> None:
        is_code = self._setting.is_code
        self.line_numbers = line_numbers(self._setting, self._text) if is_code else []
        # Lines of code are not wrapped; long ones can be scrolled.
        wrap = QTextEdit.LineWrapMode.NoWrap if is_code else QTextEdit.LineWrapMode.WidgetWidth
        self.setLineWrapMode(wrap)
        if is_code:
            self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        else:
            self.unsetLayoutDirection()
        fill(self.document(), self._text, self._setting, scheme_of(self.palette()))
        self._set_margins()

    def _update_font(self) -> None:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * _FONT_FACTOR * self.zoom)
        self.document().setDefaultFont(font)

    def _highlight_at(self, point: QPoint) -> Highlight | None:
        # A cursor is between two characters, and the point may be on either of them.
        cursor = self.cursorForPosition(point)
        if not self.cursorRect(cursor).adjusted(-40, 0, 40, 0).contains(point):
            return None
        is_before = point.x() < self.cursorRect(cursor).left()
        return highlight_around(self.highlights, cursor.position() - int(is_before))

    def _blocks(self) -> Iterator[tuple[QTextBlock, QPointF]]:
        """Return the blocks in view with their top left corners."""
        layout = self.document().documentLayout()
        offset = QPointF(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())
        block = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid():
            corner = layout.blockBoundingRect(block).topLeft() + offset
            if corner.y() > self.viewport().height():
                return
            yield block, corner
            block = block.next()

    def _matches_in_view(self) -> tuple[Span, ...]:
        """Return the matches on the visible lines, in Qt's offsets."""
        if not self._matches:
            return ()
        area, move = self.viewport().rect(), QTextCursor.MoveOperation
        first = self.cursorForPosition(area.topLeft())
        first.movePosition(move.StartOfLine)
        last = self.cursorForPosition(area.bottomRight())
        last.movePosition(move.EndOfLine)
        # Sorted, so bisect: there may be thousands of matches, and this runs on each paint.
        begin = bisect_right(self._matches, first.position(), key=lambda span: span[1])
        end = bisect_left(self._matches, last.position(), key=lambda span: span[0])
        return self._matches[begin:end]

    def _paint_marks(self) -> None:
        scheme = scheme_of(self.palette())
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for block, corner in self._blocks():
            if block.blockFormat().hasProperty(SHADED):
                painter.fillRect(self._background_of(block, corner), QColor(scheme.hover))
        for span in self._matches_in_view():
            for rect in self._rects_of(span):
                painter.fillRect(rect, QColor(scheme.match))
        for block, corner in self._blocks():
            start, end = block.position(), block.position() + block.length()
            inside = shifted(
                (
                    highlight
                    for highlight in self.highlights
                    if highlight.start < end and start < highlight.end
                ),
                -start,
            )
            boxes = marks_beneath(block.layout(), inside, scheme, both_ways=self._both_ways)
            paint_beneath(painter, boxes, corner)
            if self.line_numbers and block.blockNumber() < len(self.line_numbers):
                self._paint_line_number(painter, block, corner, QColor(scheme.faint))
        if self.marks.current is not None:
            painter.setPen(QPen(QColor(scheme.accent), 1.5))
            (current,) = spans_in_qt_offsets(self._text, [self.marks.current])
            for rect in self._rects_of(current):
                painter.drawRoundedRect(rect.adjusted(-2, -1, 2, 1), 3, 3)
        if self.marks.passage is not None:
            offsets = (qt_offset(self._text, offset) for offset in self.marks.passage)
            top, bottom = (self._line_of(offset) for offset in offsets)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.accent))
            painter.setOpacity(0.75)
            start, end = self.marks.passage
            from_right = self._both_ways and reads_from_right(self._text[start:end])
            left = self.viewport().width() - 3 if from_right else 0
            bar = QRectF(left, top.top(), 3, bottom.bottom() - top.top())
            painter.drawRoundedRect(bar, 1.5, 1.5)

    def _background_of(self, block: QTextBlock, corner: QPointF) -> QRectF:
        """Return the background area of a shaded block, starting at its text."""
        document = self.document()
        height = document.documentLayout().blockBoundingRect(block).height()
        start = block.layout().position().x()
        left = start - self.horizontalScrollBar().value()
        width = document.size().width() - document.documentMargin() - start
        return QRectF(left, corner.y(), width, height)

    def _paint_line_number(
        self, painter: QPainter, block: QTextBlock, corner: QPointF, color: QColor
    ) -> None:
        line_number = self.line_numbers[block.blockNumber()]
        painter.setFont(fixed_font(self.document().defaultFont()))
        painter.setPen(color)
        line = block.layout().lineAt(0)
        right = _GUTTER + self._line_numbers_width() - 12
        box = QRectF(0, corner.y() + line.y(), right, line.height())
        # A painter follows the application's direction, not the widget's.
        align = Qt.AlignmentFlag
        painter.drawText(box, align.AlignRight | align.AlignAbsolute, str(line_number))
        painter.setPen(Qt.PenStyle.NoPen)

    def _rects_of(self, span: Span) -> Iterator[QRectF]:
        """Return the rectangles in view of a span in Qt's offsets, one per line."""
        first, last = span
        high = self.viewport().height()
        block = self.document().findBlock(first)
        while block.isValid() and block.position() < last:
            layout = block.layout()
            corner = self.document().documentLayout().blockBoundingRect(block).topLeft()
            corner -= QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
            if corner.y() > high:
                return
            begin = max(first - block.position(), 0)
            for line in lines_with(layout, begin, last - block.position()):
                start = max(begin, line.textStart())
                end = min(last - block.position(), line.textStart() + line.textLength())
                if start < end:
                    height = line.ascent() + line.descent()
                    for left, right in extents(line, start, end, both_ways=self._both_ways):
                        x, y = corner.x() + left, corner.y() + line.y()
                        yield QRectF(x, y, right - left, height)
            block = block.next()

    def _resize_anchor(self) -> tuple[int, float]:
        """Return the offset to keep in place on a resize, in Qt's offsets, and its height in the
        view.

        It is the start of the passage if that is in view, otherwise the text at the top.
        """
        if self.marks.passage is not None:
            offset = qt_offset(self._text, self.marks.passage[0])
            top = self._line_of(offset).top()
            if 0 <= top < self.viewport().height():
                return offset, top
        cursor = self.cursorForPosition(QPoint(0, 0))
        return cursor.position(), float(self.cursorRect(cursor).top())

    def _drop_anchor(self) -> None:
        # Keep one anchor during a whole resize; otherwise the text would creep with each step.
        if not self._is_resizing:
            self._anchor = None

    def _line_of(self, offset: int) -> QRectF:
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(offset, self.document().characterCount() - 1))
        return QRectF(self.cursorRect(cursor))

    def _line_numbers_width(self) -> int:
        if not self.line_numbers:
            return 0
        digits = len(str(max(self.line_numbers)))
        return self.fontMetrics().horizontalAdvance("0") * max(digits, 2) + 26

    def _set_margins(self) -> None:
        side = (
            max(_SIDE, (self.width() - px(_MAX_COLUMN_WIDTH)) // 2) if not self.line_numbers else 6
        )
        margins = self.viewportMargins()
        if margins.left() != side:
            self.setViewportMargins(side, 0, max(side - 12, 0), 0)
        frame = self.document().rootFrame()
        shape = frame.frameFormat()
        if shape.leftMargin() != _GUTTER + self._line_numbers_width():
            shape.setLeftMargin(_GUTTER + self._line_numbers_width())
            frame.setFrameFormat(shape)

    # Qt's names

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        selected = self.textCursor().selection().toPlainText().strip()
        open_text_menu(self, event, selected, self.copy, self.selectAll)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Leave the reader's keys to the reader instead of moving the cursor.
        if command_of(event) is not None:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._paint_marks()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._anchor is None:
            self._anchor = self._resize_anchor()
        self._is_resizing = True
        self._set_margins()
        super().resizeEvent(event)
        offset, top = self._anchor
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + round(self._line_of(offset).top() - top))
        self._is_resizing = False

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._update_font()
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.PaletteChange} and self._text:
            self._typeset_again()
