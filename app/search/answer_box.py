"""The sentence that answers a question, large above the results, with its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app import texts
from app.highlighting import HighlightedText, reads_from_right
from app.palette import scheme_of
from app.text_size import set_font_factor
from app.widgets.controls import Button, ElidedLabel
from app.widgets.layouts import fill, horizontal, vertical
from app.widgets.notices import announce
from core.search.output.match import Snippet, on_single_line

if TYPE_CHECKING:
    from app.search.rows import Answer, PassageRow

_MOST_LINES: Final = 4


class AnswerBox(QFrame):
    """Shows the sentence of the best passage that answers the question; hidden without one."""

    opened = Signal(object)
    """The PassageRow whose document to open."""
    copy_wanted = Signal(object, str)
    """A PassageRow, and the sentence to copy with its source."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("answerBox")
        self._row: PassageRow | None = None
        self.sentence = ""
        self._shown = _Sentence()
        self._source = ElidedLabel(Qt.TextElideMode.ElideMiddle, role="muted")
        opening = Button(self.tr("Open"), self._open, "quiet")
        copying = Button(self.tr("Copy with source"), self._copy, "quiet")
        line = fill(horizontal(spacing=4), (self._source, 1), opening, copying)
        fill(vertical(self, (20, 10, 14, 6), spacing=4), self._shown, line)
        self.hide()

    def show_answer(self, answer: Answer | None) -> None:
        """Show the answer's sentence.

        An answer that is about to be reranked has none yet: the sentence before stays if its
        passage is still the best.
        """
        hit = answer.results.hits[0] if answer is not None and answer.results.hits else None
        if answer is None or hit is None:
            self._clear()
            return
        row = answer.of_document(hit.document_id).best
        span = hit.passages[0].answer
        if span is None:
            is_same = self._row is not None and self._row.passage_id == row.passage_id
            if not (is_same and answer.results.can_be_refined):
                self._clear()
            return
        passage = hit.passages[0].passage
        shown = on_single_line(passage.text, *span, row.highlights, is_cut=False)
        is_news = shown.text != self.sentence or self.isHidden()
        self._row, self.sentence = row, shown.text
        self._shown.show_sentence(shown)
        name = texts.name_of(row.document.path)
        page = texts.page(passage.page) if row.document.has_page_images else ""
        self._source.set_text(", ".join(filter(None, (name, page))))
        self.setAccessibleName(f"{shown.text} {self._source.whole}")
        self.show()
        if is_news:
            announce(self, self.accessibleName())

    def _clear(self) -> None:
        self._row, self.sentence = None, ""
        self.hide()

    def _open(self) -> None:
        if self._row is not None:
            self.opened.emit(self._row)

    def _copy(self) -> None:
        if self._row is not None:
            self.copy_wanted.emit(self._row, self.sentence)


class _Sentence(QWidget):
    """A sentence on a few lines, as wide as there is room, with its highlights."""

    def __init__(self) -> None:
        super().__init__()
        set_font_factor(self, 1.2)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._snippet: Snippet | None = None
        self._laid_out: HighlightedText | None = None

    def show_sentence(self, snippet: Snippet) -> None:
        self._snippet, self._laid_out = snippet, None
        self.setAccessibleName(snippet.text)
        self.updateGeometry()
        self.update()

    def _text(self, width: int) -> HighlightedText | None:
        if self._snippet is None or width <= 0:
            return None
        if self._laid_out is None or self._laid_out.width != width:
            self._laid_out = HighlightedText(
                self._snippet.text,
                self._snippet.highlights,
                self.font(),
                width,
                _MOST_LINES,
                from_right=reads_from_right(self._snippet.text),
            )
        return self._laid_out

    # Qt's names

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(max(self.width(), 1)))

    def heightForWidth(self, width: int) -> int:
        text = self._text(width)
        return 0 if text is None else text.height

    def paintEvent(self, _event: QPaintEvent) -> None:
        if (text := self._text(self.width())) is not None:
            painter = QPainter(self)
            scheme = scheme_of(self.palette())
            text.paint(painter, QPointF(0, 0), QColor(scheme.text), scheme)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._laid_out = None
            self.updateGeometry()
