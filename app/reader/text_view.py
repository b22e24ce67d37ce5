"""The text of a document with its styles and highlights.

The text is inserted with formats, character by character the same as the stored text but for the
bars between the cells of tables; no HTML is interpreted and no resources are loaded.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit

from app import highlighting
from app.palette import scheme_of
from app.reader import typesetting
from app.reader.controls import command_of
from app.reader.marks import NO_MARKS, Marks, Span
from app.reader.text_menu import open_text_menu
from app.text_size import px
from core.search.output.match import Highlight, QueryWord, shifted, visible_highlights

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

    def __init__(self) -> None:
        super().__init__()
        # The words of the query, which the tooltips of highlights name.
        self.words: tuple[QueryWord, ...] = ()
        self._text = ""
        self._both_ways = False
        self._setting = typesetting.PLAIN
        # The line numbers of code; empty for other text.
        self.line_numbers: list[int] = []
        # The marks of the shown text.
        self.marks = NO_MARKS
        self._only: int | None = None
        # The highlights, in Qt's offsets into the shown text.
        self.highlights: tuple[Highlight, ...] = ()
        self._matches: tuple[Span, ...] = ()
        highlighting.HighlightTips(self, self._highlight_at, lambda: self.words)
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

    def show_text(
        self, text: str, marks: Marks, setting: typesetting.Typesetting = typesetting.PLAIN
    ) -> None:
        """Show `text` with `marks` in its offsets; keep the position if the text is the same."""
        if text != self._text or setting != self._setting:
            self._text, self._setting = text, setting
            self._both_ways = highlighting.goes_both_ways(text)
            self._anchor = None
            self._typeset()
        self.marks = marks
        self._matches = highlighting.spans_in_qt_offsets(text, marks.matches)
        self.show_only(self._only)

    def show_only(self, word: int | None) -> None:
        """Show only the highlights of this query word, or all (None)."""
        self._only = word
        self.highlights = highlighting.in_qt_offsets(
            self._text, visible_highlights(self.marks.highlights, word)
        )
        self.viewport().update()

    def scroll_to(self, span: Span | None, *, is_gentle: bool = False) -> None:
        """Scroll to a span of the text and show some of the text before it.

        If `is_gentle`, do not scroll when the span is visible already.
        """
        bar = self.verticalScrollBar()
        if span is None:
            bar.setValue(0)
            return
        line = self._line_of(highlighting.qt_offset(self._text, span[0]))
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
        self.line_numbers = typesetting.line_numbers(self._setting, self._text) if is_code else []
        # Lines of code are not wrapped; long ones can be scrolled.
        wrap = QTextEdit.LineWrapMode.NoWrap if is_code else QTextEdit.LineWrapMode.WidgetWidth
        self.setLineWrapMode(wrap)
        if is_code:
            self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        else:
            self.unsetLayoutDirection()
        typesetting.fill(self.document(), self._text, self._setting, scheme_of(self.palette()))
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
        return highlighting.highlight_around(self.highlights, cursor.position() - int(is_before))

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

    def _paint_cells(self, painter: QPainter, row: QRectF, edges: str) -> None:
        """Paint the frames of a table row's cells."""
        painter.setPen(QPen(QColor(scheme_of(self.palette()).line), 1))
        # The space between two lines is outside of their blocks.
        space = row.height() * (typesetting.LINE_PERCENT / 100 - 1) / 2
        row = row.adjusted(0, -space, 0, space)
        for left, right in pairwise([0.0, *map(float, edges.split())]):
            painter.drawRect(QRectF(row.left() + left, row.top(), right - left, row.height()))
        painter.setPen(Qt.PenStyle.NoPen)

    def _paint_marks(self) -> None:
        scheme = scheme_of(self.palette())
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for block, corner in self._blocks():
            if block.blockFormat().hasProperty(typesetting.SHADED):
                painter.fillRect(self._background_of(block, corner), QColor(scheme.hover))
            elif edges := block.blockFormat().property(typesetting.COLUMNS):
                self._paint_cells(painter, self._background_of(block, corner), edges)
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
            boxes = highlighting.marks_beneath(
                block.layout(), inside, scheme, both_ways=self._both_ways
            )
            highlighting.paint_beneath(painter, boxes, corner)
            if self.line_numbers and block.blockNumber() < len(self.line_numbers):
                self._paint_line_number(painter, block, corner, QColor(scheme.faint))
        if self.marks.current is not None:
            painter.setPen(QPen(QColor(scheme.accent), 1.5))
            (current,) = highlighting.spans_in_qt_offsets(self._text, [self.marks.current])
            for rect in self._rects_of(current):
                painter.drawRoundedRect(rect.adjusted(-2, -1, 2, 1), 3, 3)
        if self.marks.passage is not None:
            offsets = (highlighting.qt_offset(self._text, offset) for offset in self.marks.passage)
            top, bottom = (self._line_of(offset) for offset in offsets)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.accent))
            painter.setOpacity(0.75)
            start, end = self.marks.passage
            from_right = self._both_ways and highlighting.reads_from_right(self._text[start:end])
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
        painter.setFont(typesetting.fixed_font(self.document().defaultFont()))
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
            for line in highlighting.lines_with(layout, begin, last - block.position()):
                start = max(begin, line.textStart())
                end = min(last - block.position(), line.textStart() + line.textLength())
                if start < end:
                    height = line.ascent() + line.descent()
                    for left, right in highlighting.extents(
                        line, start, end, both_ways=self._both_ways
                    ):
                        x, y = corner.x() + left, corner.y() + line.y()
                        yield QRectF(x, y, right - left, height)
            block = block.next()

    def _resize_anchor(self) -> tuple[int, float]:
        """Return the offset to keep in place on a resize, in Qt's offsets, and its height in the
        view.

        It is the start of the passage if that is in view, otherwise the text at the top.
        """
        if self.marks.passage is not None:
            offset = highlighting.qt_offset(self._text, self.marks.passage[0])
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
