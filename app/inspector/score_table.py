"""The score breakdown by token, and the inspector's wording."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app import texts
from app.highlighting import paint_underline
from app.palette import scheme_of
from app.text_size import px
from app.translation import translated
from app.widgets.tables import AnyIndex, MeasuredTable, RowModel, set_row_height
from core.alignment.pairwise import AlignmentKind, AlignmentStrategy
from core.responses import QueryToken
from core.search.explanation import SCORE_DIGITS, ScoreBreakdown, TokenLine
from core.search.ranking import RankingConfig
from core.token_comparison import Explanation, PassageToken


def query_token_label(token: QueryToken, *, has_summaries: bool) -> str:
    if token.text:
        return token.text
    return _tr("(whole text)") if has_summaries and token.index == 0 else _tr("(special token)")


def passage_token_label(token: PassageToken) -> str:
    return token.text or _tr("(whole text)")


def strategy_name(strategy: AlignmentStrategy) -> str:
    """Return the short name on the strategy's button."""
    if strategy.kind is AlignmentKind.TOP_K:
        return texts.grouped(int(strategy.value))
    if strategy.value == 1:
        return _tr("All")
    digits = 0 if (100 * strategy.value) % 1 == 0 else 1
    return _tr("{0}%").format(texts.figure(100 * strategy.value, digits))


def strategy_description(strategy: AlignmentStrategy) -> str:
    """Return the description for tooltips and screen readers."""
    if strategy.kind is AlignmentKind.TOP_K:
        if strategy.value == 1:
            return _tr("Each query token with the most similar passage token")
        count = texts.grouped(int(strategy.value))
        return _tr("Each query token with the {0} most similar passage tokens").format(count)
    if strategy.value == 1:
        return _tr("Each query token with all passage tokens")
    share = strategy_name(strategy)
    return _tr("Each query token with the most similar {0} of the passage tokens").format(share)


def pair_description(
    query_token: QueryToken,
    passage_token: PassageToken,
    similarity: float,
    contribution: float | None,
    *,
    is_summary: bool,
) -> str:
    """Describe a cell of the matrix; `contribution` is None if the pair is not aligned."""
    text = _tr("“{0}” and “{1}”: similarity {2}").format(
        query_token_label(query_token, has_summaries=is_summary),
        passage_token_label(passage_token),
        texts.figure(similarity, 2),
    )
    if contribution is None:
        return _tr("{0}, not aligned").format(text)
    return _tr("{0}, aligned, contributes {1}").format(text, texts.figure(contribution, 4))


def partners_label(line: TokenLine) -> str:
    """Return the passage tokens that a query token is aligned with."""
    shown = " · ".join(partner or _tr("(whole text)") for partner in line.partners)
    rest = line.count - len(line.partners)
    return _tr("{0} and {1} more").format(shown, texts.grouped(rest)) if rest > 0 else shown


def score_sentence(breakdown: ScoreBreakdown, listed: float, digits: int) -> str:
    """Return a sentence that compares this score with the one in the list."""
    score, in_list = texts.figure(breakdown.score, digits), texts.figure(listed, digits)
    if breakdown.is_ranking_score:
        return _tr("Score in the list: {0}").format(score)
    return _tr("Total: {0}, score in the list: {1}").format(score, in_list)


# Words named in the sentence on tokens without a vector.
_PRUNED_NAMED: Final = 12


def pruned_sentence(explanation: Explanation) -> str:
    """Return a sentence on the passage's tokens without a vector in the index, or ""."""
    if not explanation.pruned:
        return ""
    words = explanation.pruned_words
    named = " · ".join(words[:_PRUNED_NAMED])
    if (rest := len(words) - _PRUNED_NAMED) > 0:
        named = _tr("{0} and {1} more").format(named, texts.grouped(rest))
    return _tr("{0} of them, the least salient, have no vector: {1}.").format(
        texts.grouped(len(explanation.pruned)), named
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("inspector", text)


# The column of the aligned tokens, the only one after the first without figures.
PARTNERS: Final = 2


class SumModel(RowModel):
    """A row for each token of the query, one for each other term of the score, and the sum."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, {1, 3, 4, 5})
        self.titles = (
            self.tr("Query"),
            self.tr("Weight"),
            self.tr("Aligned with"),
            self.tr("Similarity"),
            self.tr("Contribution"),
            self.tr("Running total"),
        )
        self.breakdown: ScoreBreakdown | None = None

    def show_breakdown(self, explanation: Explanation, breakdown: ScoreBreakdown) -> None:
        """Show the query's tokens, then the other terms and their sum."""
        self.breakdown = breakdown
        tokens = [
            (
                query_token_label(line.token, has_summaries=explanation.has_summaries),
                self.tr("{0}%").format(texts.grouped(round(100 * line.token.share))),
                partners_label(line),
                texts.figure(line.similarity, 2),
                *_score_texts(line.adds, line.so_far),
            )
            for line in breakdown.lines
        ]
        terms = [
            (translated(term.label), "", "", "", *_score_texts(term.adds, term.so_far))
            for term in breakdown.terms
        ]
        total = (self.tr("Total"), "", "", "", "", *_score_texts(breakdown.score))
        self.show_rows([*tokens, *terms, total])

    def clear(self) -> None:
        self.breakdown = None
        self.show_rows(())

    def line(self, row: int) -> TokenLine | None:
        """Return the token's line at `row`, or None for the other terms and the sum."""
        lines = self.breakdown.lines if self.breakdown is not None else ()
        return lines[row] if row < len(lines) else None

    def text(self, row: tuple[str, ...], column: int) -> str:
        return row[column]

    def is_heading(self, row: tuple[str, ...]) -> bool:
        return row is self.rows[-1]


def _score_texts(*scores: float) -> list[str]:
    return [texts.figure(score, SCORE_DIGITS) for score in scores]


# Text margin of cells: the style sheet's padding and Qt's own margin, in pixels.
_SIDE: Final = 9


class SumView(MeasuredTable):
    """The contribution of each query token to the score."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sums = SumModel(self)
        self.setModel(self.sums)
        self.setObjectName("sums")
        self.setAccessibleName(self.tr("Contribution of each query word to the score"))
        self.setItemDelegate(_Lines(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(PARTNERS, QHeaderView.ResizeMode.Stretch)
        self.measure()

    def measure(self) -> None:
        """Set the sizes of rows and columns from the font.

        Sizing by content would measure all lines whenever another alignment is chosen.
        """
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        set_row_height(self, metrics.height() + 8)
        for column in range(self.sums.columnCount()):
            title = self.sums.headerData(column, Qt.Orientation.Horizontal)
            header.resizeSection(
                column, max(map(metrics.horizontalAdvance, (title, "0.000"))) + px(26)
            )
        every = RankingConfig(similar=0.5).scorers(words=True, meaning=True, summaries=True)
        terms = (translated(term.label) for term, _ in every)
        header.resizeSection(0, max(map(metrics.horizontalAdvance, terms)) + px(26))


class _Lines(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().paint(painter, option, index)
        model = index.model()
        assert isinstance(model, SumModel)
        line = model.line(index.row())
        if index.column() or line is None or not line.token.text:
            return
        area: QRect = option.rect
        room = area.width() - 2 * _SIDE
        width = min(option.fontMetrics.horizontalAdvance(index.data()), room)
        word = QRect(area.left() + _SIDE, area.top(), width, area.height() - 2)
        under = QRectF(QStyle.visualRect(option.direction, area, word))
        strength = 1.0 if line.token.is_significant else 0.4
        paint_underline(painter, under, scheme_of(option.palette), line.token.word, strength)
