"""The text of a document, with its words lit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from app import why
from app.highlights import Lit, QueryWord, lit_now, shifted
from app.lit_text import in_qt_offsets, lit_around, paint_lits, qt_offset
from app.palette import scheme_of
from app.reader.marks import Marks

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDEST_COLUMN: Final = 720
_SIDE: Final = 28
# Room left of the text for the bar that marks the passage.
_GUTTER: Final = 14
_LINE_PERCENT: Final = 138
_FONT_FACTOR: Final = 1.06


class TextView(QTextEdit):
    """Shows a part of a document in a column that reads well, scrolled to the passage."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words: tuple[QueryWord, ...] = ()
        """The query's words, which are named where a lit word is pointed at."""
        self._whole = ""
        self._marked: tuple[Lit, ...] = ()
        self._only: int | None = None
        self._lits: tuple[Lit, ...] = ()
        self._passage: tuple[int, int] | None = None
        self.setObjectName("textView")
        self.setAccessibleName(self.tr("Text of the document"))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(_GUTTER)
        self._set_font()

    @property
    def lits(self) -> tuple[Lit, ...]:
        """The lit words, in Qt's offsets into the text that is shown."""
        return self._lits

    def show_text(self, text: str, marks: Marks) -> None:
        """Show `text` with `marks`, whose offsets lie in it; text that is shown stays in place."""
        if text != self.toPlainText():
            self.setPlainText(text)
            spacing = QTextBlockFormat()
            spacing.setLineHeight(
                _LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
            )
            cursor = QTextCursor(self.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.mergeBlockFormat(spacing)
        self._whole = text
        self._marked = marks.lits
        self._passage = None
        if marks.passage is not None:
            start, end = marks.passage
            self._passage = (qt_offset(text, start), qt_offset(text, end))
        self.show_only(self._only)

    def show_only(self, word: int | None) -> None:
        """Light what the query's word with this number lights, and nothing else; None: all."""
        self._only = word
        self._lits = in_qt_offsets(self._whole, lit_now(self._marked, word))
        self.viewport().update()

    def scroll_to_passage(self) -> None:
        """Bring the passage into view with some of what stands before it."""
        bar = self.verticalScrollBar()
        if self._passage is None:
            bar.setValue(0)
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._passage[0])
        top = self.cursorRect(cursor).top() + bar.value()
        bar.setValue(max(0, top - self.viewport().height() // 5))

    def _set_font(self) -> None:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * _FONT_FACTOR)
        self.document().setDefaultFont(font)

    def _lit_at(self, place: QPoint) -> Lit | None:
        # The cursor stands between two characters: the one that is meant may lie on either side.
        cursor = self.cursorForPosition(place)
        if not self.cursorRect(cursor).adjusted(-40, 0, 40, 0).contains(place):
            return None
        is_before = place.x() < self.cursorRect(cursor).left()
        return lit_around(self._lits, cursor.position() - int(is_before))

    def _blocks(self) -> Iterator[tuple[QTextBlock, QPointF]]:
        """Give the blocks in view with the places of their top left corners."""
        layout = self.document().documentLayout()
        offset = QPointF(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())
        block = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid():
            place = layout.blockBoundingRect(block).topLeft() + offset
            if place.y() > self.viewport().height():
                return
            yield block, place
            block = block.next()

    def _paint_marks(self) -> None:
        scheme = scheme_of(self.palette())
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for block, place in self._blocks():
            start, end = block.position(), block.position() + block.length()
            inside = shifted(
                (lit for lit in self._lits if lit.start < end and start < lit.end), -start
            )
            paint_lits(painter, block.layout(), place, inside, scheme)
        if self._passage is not None:
            top, bottom = (self._line_of(offset) for offset in self._passage)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.accent))
            painter.setOpacity(0.75)
            bar = QRectF(0, top.top(), 3, bottom.bottom() - top.top())
            painter.drawRoundedRect(bar, 1.5, 1.5)

    def _line_of(self, offset: int) -> QRectF:
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(offset, self.document().characterCount() - 1))
        return QRectF(self.cursorRect(cursor))

    # Qt's names

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_font()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            why.tell(event, self._lit_at(event.pos()), self.words, self.viewport())
            return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._paint_marks()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        side = max(_SIDE, (self.width() - _WIDEST_COLUMN) // 2)
        margins = self.viewportMargins()
        if margins.left() != side:
            self.setViewportMargins(side, 0, side - 12, 0)
        super().resizeEvent(event)
