"""The inspector dialog: why the chosen passage was found, in a sentence and in detail."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QDialog,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from app.background import Lane, Latest
from app.errors import notice_of
from app.inspector import score_table
from app.inspector.matrix import MatrixView
from app.search.row_labels import page_label
from app.text_size import px
from app.translation import translated
from app.widgets.controls import Disclosure, ElidedLabel, Label, close_box
from app.widgets.layouts import SLACK, fill, horizontal, vertical
from app.widgets.notices import EmptyState
from app.widgets.window_geometry import move_onto_screen, open_within_screen
from core.alignment.adaptation import STRATEGIES
from core.alignment.pairwise import AlignmentKind, AlignmentStrategy
from core.search.explanation import SCORE_DIGITS, break_down
from core.search.match_summary import summarise, summarise_words

if TYPE_CHECKING:
    from app.search.rows import PassageRow
    from core.progress import Job
    from core.requests import Answerer
    from core.responses import ScoreTerm
    from core.search.output.match import QueryWord
    from core.token_comparison import Explanation

    # Identifies an explanation: query, passage number and the terms of its score.
    _Key = tuple[str, int, tuple[ScoreTerm, ...]]

# Width and height without and with the details, in pixels.
_SHORT: Final = (640, 220)
_WHOLE: Final = (1040, 820)
# The alignments on offer: the strategies used in teaching, and all pairs.
CHOICES: Final = (*STRATEGIES, AlignmentStrategy(AlignmentKind.TOP_P, 1))


class AlignmentChoices(QWidget):
    """Two exclusive groups of buttons, for the vectors and for the alignment."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._strategies = QButtonGroup(self)
        self._vectors = QButtonGroup(self)
        # Two lines: next to each other they would not fit in a large text size.
        vectors, layout = horizontal(spacing=2), horizontal(spacing=2)
        fill(vertical(self, margins=(0, 0, 0, 0)), vectors, layout)
        vectors.addWidget(Label(self.tr("Vectors:"), role="muted"))
        self._stored = self._button(self._vectors, self.tr("Stored"))
        self._stored.setToolTip(self.tr("Vectors in the index: fewer, and compressed"))
        self._exact = self._button(self._vectors, self.tr("Exact"))
        self._exact.setToolTip(self.tr("All token vectors of the passage, not compressed"))
        for button in (self._stored, self._exact):
            button.setAccessibleDescription(button.toolTip())
            vectors.addWidget(button)
        vectors.addStretch(1)
        layout.addWidget(Label(self.tr("Aligned tokens:"), role="muted"))
        for index, strategy in enumerate(CHOICES):
            if index and strategy.kind is not CHOICES[index - 1].kind:
                layout.addSpacing(10)
            button = self._button(self._strategies, score_table.strategy_name(strategy))
            button.setToolTip(score_table.strategy_description(strategy))
            button.setAccessibleName(score_table.strategy_description(strategy))
            self._strategies.setId(button, index)
            layout.addWidget(button)
        layout.addStretch(1)
        self._stored.setChecked(True)
        self._strategies.buttons()[0].setChecked(True)
        for group in (self._vectors, self._strategies):
            group.buttonToggled.connect(self._emit_changed)

    @property
    def wants_stored(self) -> bool:
        return self._stored.isChecked()

    @property
    def strategy(self) -> AlignmentStrategy:
        return CHOICES[self._strategies.checkedId()]

    def choose(self, strategy: AlignmentStrategy) -> None:
        """Check the button of `strategy`, if there is one."""
        if strategy in CHOICES:
            self._strategies.button(CHOICES.index(strategy)).setChecked(True)

    def choose_vectors(self, *, stored: bool) -> None:
        """Check the button of these vectors."""
        (self._stored if stored else self._exact).setChecked(True)

    def offer_stored(self, *, is_there: bool) -> None:
        """Enable stored vectors if there are any."""
        self._stored.setEnabled(is_there)

    def _emit_changed(self, _button: QAbstractButton, is_down: bool) -> None:
        # Toggling emits twice: once for the button that is released.
        if is_down:
            self.changed.emit()

    @staticmethod
    def _button(group: QButtonGroup, text: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setCheckable(True)
        group.addButton(button)
        return button


def _scaled(size: tuple[int, int]) -> QSize:
    return QSize(px(size[0]), px(size[1]))


class Inspector(QDialog):
    """Stays open next to the window and follows the passage chosen there."""

    def __init__(self, lane: Lane, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Why this result?"))
        open_within_screen(self, *_SHORT)
        self._library: Answerer | None = None
        self._wanted: tuple[str, PassageRow] | None = None
        self._words: tuple[QueryWord, ...] = ()
        self._requested: _Key | None = None
        self._explanation: Explanation | None = None
        self._is_exact = False
        # Size before the details were shown.
        self._short = _scaled(_SHORT)
        self._explaining = Latest(lane, self, self._take, self._show_error)
        self.title = ElidedLabel(Qt.TextElideMode.ElideRight, role="title")
        self.sentence = Label(wraps=True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note = Label(role="muted", wraps=True)
        self.choices = AlignmentChoices()
        self.choices.changed.connect(self._break_down)
        self.matrix = MatrixView()
        self.matrix.selectionModel().currentChanged.connect(self._describe_cell)
        self.cell = Label(role="muted")
        self.score_table = score_table.SumView()
        self.score_table.selectionModel().currentRowChanged.connect(self._show_row)
        self.verdict = Label(role="title")
        self._empty = EmptyState()
        self._lay_out()
        self._show_nothing_chosen()

    def _lay_out(self) -> None:
        above = QWidget()
        fill(vertical(above, margins=(0, 0, 0, 0)), (self.matrix, 1), self.cell)
        below = QWidget()
        fill(vertical(below, margins=(0, 0, 0, 0)), (self.score_table, 1), self.verdict)
        splitter = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False, handleWidth=9)
        splitter.addWidget(above)
        splitter.addWidget(below)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        figures = QWidget()
        inner = vertical(figures, margins=(0, 0, 0, 0), spacing=8)
        fill(inner, self.note, self.choices, (splitter, 1))
        self.details = Disclosure(self.tr("&Details"), figures)
        self.details.toggled.connect(self._fit_details)
        whole = QWidget()
        outer = vertical(whole, margins=(0, 0, 0, 0), spacing=8)
        fill(outer, self.title, self.sentence, (self.details, Qt.AlignmentFlag.AlignLeft))
        fill(outer, (figures, 1), SLACK)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(whole)
        self._whole = whole
        buttons = close_box(self, self.tr("&Close"))
        fill(vertical(self, margins=(18, 16, 18, 14)), (self._stack, 1), buttons)

    @property
    def message(self) -> str:
        """The message shown in place of a matrix, or ""."""
        is_empty = self._stack.currentWidget() is self._empty
        return f"{self._empty.headline}: {self._empty.sentence}" if is_empty else ""

    def use(self, library: Answerer) -> None:
        self._library = library

    def follow(self, query: str, row: PassageRow | None, words: tuple[QueryWord, ...] = ()) -> None:
        """Show the passage that is chosen now, or none; `words` are those of the query."""
        self._words = words
        self._wanted = (query, row) if row is not None else None
        if self.isVisible():
            self._explain()
        else:
            self._forget()

    def _explain(self) -> None:
        if self._wanted is None or self._library is None:
            self._forget()
            self._show_nothing_chosen()
            return
        query, row = self._wanted
        if not row.hit.is_compared:
            self._forget()
            words = {highlight.word for highlight in (*row.highlights, *row.title_highlights)}
            self._say(
                translated(summarise_words(self._words, words).sentence),
                self.tr("This search did not use a model, so there are no similarities to show."),
            )
            return
        key = (query, row.passage_id, row.hit.terms)
        if key == self._requested:
            return
        self._requested = key
        if self._explanation is None:
            self._say(self.tr("Comparing"), self.tr("Comparing the query with the passage…"))
        self._explaining.start(
            partial(_explanation_of, self._library, query, row.passage_id, row.hit.terms)
        )

    def _take(self, explanation: Explanation) -> None:
        is_first = self._explanation is None
        self._explanation = explanation
        self.sentence.setText(translated(summarise(explanation).sentence))
        self.choices.offer_stored(is_there=explanation.stored is not None)
        if is_first:
            self.choices.choose(explanation.strategy)
        is_exact = self._wanted is not None and self._wanted[1].hit.is_exact
        if is_first or is_exact != self._is_exact:
            # Start with the vectors that ranked it; the person may choose others.
            self.choices.choose_vectors(stored=not is_exact)
            self._is_exact = is_exact
        self._stack.setCurrentWidget(self._whole)
        self._break_down()

    def _break_down(self) -> None:
        if self._explanation is None or self._wanted is None:
            return
        row = self._wanted[1]
        hit, explanation, strategy = row.hit, self._explanation, self.choices.strategy
        self.title.set_text(" · ".join(filter(None, (row.title, page_label(row)))))
        score = break_down(explanation, strategy, stored=self.choices.wants_stored)
        before = self.matrix.matrix.breakdown
        self.matrix.matrix.show_breakdown(explanation, score)
        if before is None or before.compared is not score.compared:
            self.matrix.setCurrentIndex(self.matrix.matrix.best_pair())
        self.score_table.sums.show_breakdown(explanation, score)
        self.verdict.setText(score_table.score_sentence(score, hit.score, SCORE_DIGITS))
        self.note.setText(self._about_vectors(explanation, is_exact=hit.is_exact))
        self._describe_cell(self.matrix.currentIndex())

    def _about_vectors(self, explanation: Explanation, *, is_exact: bool) -> str:
        if explanation.stored is None and is_exact:
            return self.tr("Not indexed by meaning yet; compared directly.")
        if explanation.stored is None:
            return self.tr("Not indexed by meaning yet; ranked by words. Compared directly here.")
        stored, tokens = len(explanation.stored.tokens), len(explanation.exact.tokens)
        if self.choices.wants_stored:
            text = self.tr(
                "The {0} vectors stored in the index for the {1} tokens of this passage, each "
                "under its most important token."
            )
        else:
            text = self.tr("All {1} token vectors of this passage; the index stores only {0}.")
        ranked = is_exact is not self.choices.wants_stored
        about = self.tr("This result was ranked by them.") if ranked else ""
        pruned = score_table.pruned_sentence(explanation)
        return " ".join(filter(None, (text.format(stored, tokens), pruned, about)))

    def _describe_cell(self, current: QModelIndex) -> None:
        text = current.data(Qt.ItemDataRole.AccessibleTextRole) if current.isValid() else ""
        self.cell.setText(text or "")
        self.cell.setAccessibleName(text or "")

    def _fit_details(self, are_shown: bool) -> None:
        """Resize the dialog when the details are shown or hidden, within its screen."""
        room, before = self.screen().availableGeometry(), self.frameGeometry()
        if are_shown:
            self._short = self.size()
            self.resize(self.size().expandedTo(_scaled(_WHOLE)).boundedTo(room.size()))
        else:
            self.resize(self._short)
        frame = self.frameGeometry()
        frame.moveCenter(before.center())
        move_onto_screen(self, frame)

    def _show_row(self, current: QModelIndex) -> None:
        """Go to the pair that contributes most to the selected line."""
        breakdown = self.matrix.matrix.breakdown
        if breakdown is None or self.score_table.sums.line(current.row()) is None:
            return
        added = breakdown.aligned.contributions[current.row()]
        if added.size:
            self.matrix.setCurrentIndex(
                self.matrix.matrix.index(current.row(), int(added.argmax()))
            )

    def _forget(self) -> None:
        self._explaining.drop()
        self._requested = self._explanation = None
        self.matrix.matrix.clear()
        self.score_table.sums.clear()

    def _show_nothing_chosen(self) -> None:
        self._say(
            self.tr("No result selected"), self.tr("Select a result to see why it was found.")
        )

    def _show_error(self, error: Exception) -> None:
        self._forget()
        self._say(self.tr("Cannot explain this result"), notice_of(error).text, "warning")

    def _say(self, headline: str, sentence: str, drawing: str = "search") -> None:
        self._empty.say(drawing, headline, sentence)
        self._stack.setCurrentWidget(self._empty)

    # Qt's names

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # A dialog that was closed with its details is restored as large, and shows them again.
        if not self.details.isChecked() and self.height() > 2 * self.minimumSizeHint().height():
            self.details.setChecked(True)
            self._short = _scaled(_SHORT)
        self._explain()


def _explanation_of(
    library: Answerer, query: str, passage_id: int, terms: tuple[ScoreTerm, ...], job: Job
) -> Explanation:
    # Imported here to keep the start of the window fast.
    from core.requests import Explain

    return library.answer(Explain(query, passage_id, terms), job)
