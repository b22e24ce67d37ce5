"""The rows of the side bar as Qt's model."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QStandardItemModel

from app import texts
from app.filters.change import Change, Insertion, Item
from app.filters.tree import Offer, Row

if TYPE_CHECKING:
    from core.search.choices import Ticked

    AnyIndex = QModelIndex | QPersistentModelIndex

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
COUNT_ROLE: Final = Qt.ItemDataRole.UserRole + 2
_TOLD_AT_ONCE: Final = 2000
"""Rows: a few milliseconds' work."""
# By the names of `Ticked`, whose module is not loaded before the library is.
_STATES: Final = {
    "NO": Qt.CheckState.Unchecked,
    "PARTLY": Qt.CheckState.PartiallyChecked,
    "YES": Qt.CheckState.Checked,
}


class FilterModel(QStandardItemModel):
    """Rows with boxes. A click changes nothing here: it asks, and the query that follows ticks.

    Counts and ticks are taken over at once. Views are told of the rows that have changed by and by,
    because there may be tens of thousands of them; a view that shows some paints them anew itself.
    """

    wanted = Signal(object)
    """The person clicked this Choice."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Kept here, for Qt keeps what it needs of them only.
        self._items: dict[Hashable, Item] = {}
        self._offer = Offer()
        self._ticks: Mapping[Hashable, Ticked] = {}
        self._untold: deque[Hashable] = deque()
        self._telling = QTimer(self)
        self._telling.setSingleShot(True)
        self._telling.setInterval(0)
        self._telling.timeout.connect(self._tell_some)

    @property
    def offer(self) -> Offer:
        """What is shown."""
        return self._offer

    def show_change(self, change: Change) -> None:
        """Have what is shown changed in place."""
        self._offer = change.offer
        for step in change.steps:
            inner = self._items[step.parent] if step.parent is not None else None
            parent = inner if inner is not None else self.invisibleRootItem()
            if isinstance(step, Insertion):
                parent.insertRow(step.place, step.items[step.row.key])
                self._items.update(step.items)
            else:
                parent.removeRow(step.place)
                for row in _with_inner(step.row):
                    del self._items[row.key]
        self._tell(change.counted)

    def show_ticks(self, ticks: Mapping[Hashable, Ticked]) -> None:
        """Tick the rows of these keys, and no others."""
        before, self._ticks = self._ticks, ticks
        keys = dict.fromkeys((*before, *ticks))
        self._tell(tuple(key for key in keys if before.get(key) is not ticks.get(key)))

    def row_at(self, index: AnyIndex) -> Row | None:
        item = self._item_at(index)
        return item.row_shown if item is not None else None

    def index_of(self, key: Hashable) -> QModelIndex:
        """Give the place of a row; an invalid index where there is none."""
        item = self._items.get(key)
        return item.index() if item is not None else QModelIndex()

    def find(self, start: str, after: AnyIndex) -> Iterator[QModelIndex]:
        """Give the rows whose labels begin so, from `after` on and round.

        Qt's own search asks in Python for the text of each row.
        """
        sought, current = start.casefold(), self.row_at(after)
        rows = [row for one in self._offer.rows for row in _with_inner(one)]
        place = next((at for at, row in enumerate(rows) if row is current), 0)
        for row in (*rows[place:], *rows[:place]):
            if row.label.casefold().startswith(sought):
                yield self._items[row.key].index()

    def _item_at(self, index: AnyIndex) -> Item | None:
        item = self.itemFromIndex(index)
        return item if isinstance(item, Item) else None

    def _tell(self, changed: tuple[Hashable, ...]) -> None:
        """Say that the rows of these keys have other counts or ticks."""
        self._untold.extend(changed)
        if self._untold:
            self._telling.start()

    def _tell_some(self) -> None:
        spans: dict[Hashable, tuple[Item, int, int]] = {}
        for key in [self._untold.popleft() for _ in range(min(len(self._untold), _TOLD_AT_ONCE))]:
            if (item := self._items.get(key)) is None:
                continue
            outer, row = item.parent(), item.row()
            parent = outer.row_shown.key if isinstance(outer, Item) else None
            _, first, last = spans.get(parent, (item, row, row))
            spans[parent] = (item, min(first, row), max(last, row))
        for one, first, last in spans.values():
            index = one.index()
            self.dataChanged.emit(index.siblingAtRow(first), index.siblingAtRow(last))
        if self._untold:
            self._telling.start()

    # Qt's names

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == COUNT_ROLE:
            return self._offer.counts.get(row.key, 0)
        if role == Qt.ItemDataRole.DisplayRole:
            return row.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            count = texts.documents(self._offer.counts.get(row.key, 0))
            return f"{row.label}, {count}" if row.choice else row.label
        if role == Qt.ItemDataRole.CheckStateRole and row.choice is not None:
            ticked = self._ticks.get(row.key)
            return _STATES[ticked.name] if ticked is not None else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = texts.shown_path(row.key) if isinstance(row.key, Path) else row.tip
            return texts.hint(tip) or None
        return None

    def setData(self, index: AnyIndex, _value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row_at(index)
        if role != Qt.ItemDataRole.CheckStateRole or row is None or row.choice is None:
            return False
        self.wanted.emit(row.choice)
        return True


def _with_inner(row: Row) -> Iterator[Row]:
    """A row and all that is below it, in the order of the tree."""
    waiting = [row]
    while waiting:
        yield (one := waiting.pop())
        waiting += reversed(one.rows)
