"""Query tokens by passage tokens as Qt's model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app import texts
from app.inspector import wording

if TYPE_CHECKING:
    from core.search.explanation import Explanation, PassageToken, ScoreBreakdown
    from core.search.results import QueryToken

    AnyIndex = QModelIndex | QPersistentModelIndex

_NOWHERE: Final = QModelIndex()


class MatrixModel(QAbstractTableModel):
    """A row for each token of the query, a column for each vector of the passage."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._explanation: Explanation | None = None
        self._breakdown: ScoreBreakdown | None = None
        self._passage_texts: tuple[str, ...] = ()
        self._most_salient = 1.0
        self._greatest_share = 1.0

    @property
    def breakdown(self) -> ScoreBreakdown | None:
        return self._breakdown

    def show_breakdown(self, explanation: Explanation, breakdown: ScoreBreakdown) -> None:
        """Show a comparison; under another alignment all tokens stay in place."""
        before = self._breakdown
        if before is not None and before.compared is breakdown.compared:
            self._breakdown = breakdown
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._explanation, self._breakdown = explanation, breakdown
        self._passage_texts = tuple(map(wording.of_passage_token, breakdown.compared.tokens))
        saliences = breakdown.compared.saliences
        most = float(saliences.max(initial=0)) if saliences is not None else 0.0
        self._most_salient = most or 1.0
        shares = (token.share for token in explanation.tokens)
        self._greatest_share = max(shares, default=0.0) or 1.0
        self.endResetModel()

    def clear(self) -> None:
        self.beginResetModel()
        self._explanation = self._breakdown = None
        self._passage_texts = ()
        self.endResetModel()

    # What stands where; all rows and columns are there

    def query_token(self, row: int) -> QueryToken:
        assert self._explanation is not None
        return self._explanation.tokens[row]

    def query_text(self, row: int) -> str:
        assert self._explanation is not None
        has_summaries = self._explanation.has_summaries
        return wording.of_query_token(self.query_token(row), has_summaries=has_summaries)

    def query_salience(self, row: int) -> float:
        """How much a token of the query counts, of 1 for the one that counts most."""
        return self.query_token(row).share / self._greatest_share

    @property
    def passage_texts(self) -> tuple[str, ...]:
        """What is written above each column."""
        return self._passage_texts

    def passage_token(self, column: int) -> PassageToken:
        assert self._breakdown is not None
        return self._breakdown.compared.tokens[column]

    def salience(self, column: int) -> float | None:
        """How salient a passage token is, of 1 for the most salient; None where none has any."""
        assert self._breakdown is not None
        saliences = self._breakdown.compared.saliences
        return None if saliences is None else float(saliences[column]) / self._most_salient

    def similarity(self, index: AnyIndex) -> float:
        assert self._breakdown is not None
        return float(self._breakdown.compared.similarity[index.row(), index.column()])

    def is_aligned(self, index: AnyIndex) -> bool:
        assert self._breakdown is not None
        return bool(self._breakdown.aligned.alignment[index.row(), index.column()])

    def best_pair(self) -> QModelIndex:
        """Give the cell that adds most to the score; an invalid index where there is no cell."""
        if self._breakdown is None or not self._breakdown.aligned.contributions.size:
            return QModelIndex()
        added = self._breakdown.aligned.contributions
        row, column = divmod(int(added.argmax()), added.shape[1])
        return self.index(row, column)

    def _said(self, index: AnyIndex) -> str:
        assert self._explanation is not None
        assert self._breakdown is not None
        return wording.of_pair(
            self.query_token(index.row()),
            self.passage_token(index.column()),
            self.similarity(index),
            self._breakdown.adds(index.row(), index.column()),
            is_summary=self._explanation.has_summaries,
        )

    # Qt's names

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        if parent.isValid() or self._explanation is None:
            return 0
        return len(self._explanation.tokens)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        if parent.isValid() or self._breakdown is None:
            return 0
        return len(self._breakdown.compared.tokens)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{100 * self.similarity(index):.0f}" if self.is_aligned(index) else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return texts.hint(self._said(index))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._said(index)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        if role not in roles or self._breakdown is None:
            return None
        told = None
        if orientation == Qt.Orientation.Vertical:
            told = self.query_text(section) if section < self.rowCount() else None
        elif section < self.columnCount():
            told = self._passage_texts[section]
        return texts.hint(told) if told and role == Qt.ItemDataRole.ToolTipRole else told
