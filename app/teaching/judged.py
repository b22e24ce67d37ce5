"""The results that a person marked as right, query by query, with the ranks they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app import texts

if TYPE_CHECKING:
    from core.catalog.judgements import Judgement
    from core.search.teaching import JudgedQuery

_NUMBERS: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_JUDGED_ROLE: Final = Qt.ItemDataRole.UserRole
"""The numbers of the judgements that a line stands for."""
_THEN: Final = 2


class JudgedList(QTreeWidget):
    """A line for each query, and below it one for each passage that is right for it."""

    removal_wanted = Signal(object)
    """The person wants the judgements of these numbers (a tuple) forgotten."""
    chosen = Signal(bool)
    """Whether a line is chosen now, which could be removed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._judgements: tuple[Judgement, ...] = ()
        self._queries: tuple[JudgedQuery, ...] = ()
        self.setObjectName("ranks")
        self.setAccessibleName(self.tr("Ranks of the results that you marked"))
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHeaderLabels([self.tr("Query"), self.tr("Rank now"), self.tr("Then")])
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, _THEN):
            self.headerItem().setTextAlignment(column, _NUMBERS)
        self._closed: set[str] = set()
        self.itemCollapsed.connect(lambda item: self._closed.add(item.text(0)))
        self.itemExpanded.connect(lambda item: self._closed.discard(item.text(0)))
        self.itemSelectionChanged.connect(lambda: self.chosen.emit(bool(self.selectedItems())))

    @property
    def is_empty(self) -> bool:
        return self.topLevelItemCount() == 0

    def show_judgements(self, judgements: tuple[Judgement, ...]) -> None:
        """List these, with the ranks that are known of their queries."""
        self._judgements = judgements
        self._list()

    def show_ranks(self, queries: tuple[JudgedQuery, ...], *, is_proposed: bool) -> None:
        """Show where the marked results stand, and where they would."""
        self._queries = queries
        self.setColumnHidden(_THEN, not is_proposed)
        self._list()

    def remove_chosen(self) -> None:
        """Ask for what is chosen to be forgotten: a passage, or a query with all its passages."""
        numbers = [one for item in self.selectedItems() for one in item.data(0, _JUDGED_ROLE)]
        if numbers:
            self.removal_wanted.emit(tuple(numbers))

    def _list(self) -> None:
        ranks = {one.query: one for one in self._queries}
        judged: dict[str, list[Judgement]] = {}
        for one in self._judgements:
            judged.setdefault(one.query, []).append(one)
        self.clear()
        for query, passages in judged.items():
            known = ranks.get(query)
            now, then = (known.before, known.after) if known is not None else ((), ())
            line = QTreeWidgetItem([query, _ranks(now), _ranks(then)])
            line.setToolTip(0, texts.hint(query))
            line.setData(0, _JUDGED_ROLE, [one.id for one in passages])
            for column in (1, _THEN):
                line.setTextAlignment(column, _NUMBERS)
            line.addChildren([self._line_of(one) for one in passages])
            self.addTopLevelItem(line)
            line.setExpanded(query not in self._closed)

    def _line_of(self, judged: Judgement) -> QTreeWidgetItem:
        said = [texts.name_of(judged.path), texts.page(judged.page)]
        if not judged.passages:
            said.append(self.tr("not in the library now"))
        line = QTreeWidgetItem([" · ".join(said)])
        line.setToolTip(0, texts.hint(texts.shown_path(judged.path)))
        line.setData(0, _JUDGED_ROLE, [judged.id])
        return line

    # Qt's names

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Delete):
            self.remove_chosen()
        else:
            super().keyPressEvent(event)


def _ranks(ranks: tuple[int, ...]) -> str:
    return ", ".join(map(texts.number, ranks)) or "–"
