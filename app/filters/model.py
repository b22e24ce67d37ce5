"""The rows of the side bar as Qt's model."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from app import texts
from app.filters.tree import Row

if TYPE_CHECKING:
    from core.search.choices import Ticked

    AnyIndex = QModelIndex | QPersistentModelIndex

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
_NOWHERE: Final = QModelIndex()
# By the names of `Ticked`, whose module is not loaded before the library is.
_STATES: Final = {
    "NO": Qt.CheckState.Unchecked,
    "PARTLY": Qt.CheckState.PartiallyChecked,
    "YES": Qt.CheckState.Checked,
}


@dataclass(frozen=True, slots=True)
class _Layout:
    """Rows in the order in which an open tree shows them, and how they hang together.

    `parents` gives the number of the row above each (-1 for the first level), `places` its place
    below that, `inner` the numbers of the rows below each.
    """

    rows: tuple[Row, ...] = ()
    parents: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    inner: Mapping[int, Sequence[int]] = field(default_factory=lambda: {-1: ()})
    numbers: Mapping[Hashable, int] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: tuple[Row, ...]) -> _Layout:
        """Lay out the rows of the first level with all that is below them."""
        found: list[Row] = []
        parents: list[int] = []
        places: list[int] = []
        inner: dict[int, list[int]] = {-1: []}
        waiting = [(-1, row) for row in reversed(rows)]
        while waiting:
            parent, row = waiting.pop()
            number = len(found)
            found.append(row)
            parents.append(parent)
            places.append(len(inner[parent]))
            inner[parent].append(number)
            inner[number] = []
            waiting += [(number, one) for one in reversed(row.rows)]
        numbers = {row.key: number for number, row in enumerate(found)}
        return cls(tuple(found), tuple(parents), tuple(places), inner, numbers)

    def is_like(self, other: _Layout) -> bool:
        """Whether the same rows stand in the same places."""
        keys, others = ((row.key for row in one.rows) for one in (self, other))
        return self.parents == other.parents and all(map(operator.eq, keys, others))


class FilterModel(QAbstractItemModel):
    """Rows with boxes. A click changes nothing here: it asks, and the query that follows ticks."""

    wanted = Signal(object)
    """The person clicked this Choice."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._layout = _Layout()
        self._ticks: Mapping[Hashable, Ticked] = {}

    def show_rows(self, rows: tuple[Row, ...]) -> bool:
        """Take the place of the present rows; whether there are others, and not only counts."""
        before, now = self._layout, _Layout.of(rows)
        if now.is_like(before):
            self._layout = now
            pairs = zip(before.rows, now.rows, strict=True)
            self._tell(place for place, (old, new) in enumerate(pairs) if old.count != new.count)
            return False
        self.beginResetModel()
        self._layout = now
        self.endResetModel()
        return True

    def show_ticks(self, ticks: Mapping[Hashable, Ticked]) -> None:
        """Tick the rows of these keys."""
        before, self._ticks = self._ticks, ticks
        keys = (row.key for row in self._layout.rows)
        self._tell(
            number for number, key in enumerate(keys) if before.get(key) is not ticks.get(key)
        )

    def row_at(self, index: AnyIndex) -> Row | None:
        return self._layout.rows[index.internalId()] if index.isValid() else None

    def index_of(self, key: Hashable) -> QModelIndex:
        """Give the place of a row; an invalid index where there is none."""
        number = self._layout.numbers.get(key)
        return QModelIndex() if number is None else self._index_at(number)

    def _tell(self, changed: Iterable[int]) -> None:
        """Say that the rows of these numbers, in order, have other counts or ticks."""
        spans: dict[int, tuple[int, int]] = {}
        for number in changed:
            parent = self._layout.parents[number]
            spans[parent] = (spans.get(parent, (number, number))[0], number)
        for first, last in spans.values():
            self.dataChanged.emit(self._index_at(first), self._index_at(last))

    def _index_at(self, number: int) -> QModelIndex:
        return self.createIndex(self._layout.places[number], 0, number)

    def _number(self, index: AnyIndex) -> int:
        return index.internalId() if index.isValid() else -1

    # Qt's names

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return len(self._layout.inner[self._number(parent)])

    def columnCount(self, _parent: AnyIndex = _NOWHERE) -> int:
        return 1

    def index(self, row: int, column: int, parent: AnyIndex = _NOWHERE) -> QModelIndex:
        numbers = self._layout.inner[self._number(parent)]
        if column != 0 or not 0 <= row < len(numbers):
            return QModelIndex()
        return self.createIndex(row, 0, numbers[row])

    def parent(self, index: AnyIndex) -> QModelIndex:  # type: ignore[override] # of the overloads the one with an index
        number = self._layout.parents[index.internalId()] if index.isValid() else -1
        return self._index_at(number) if number >= 0 else QModelIndex()

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        row = self.row_at(index)
        if row is not None and row.choice is not None:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.label}, {texts.documents(row.count)}" if row.choice else row.label
        if role == Qt.ItemDataRole.CheckStateRole and row.choice is not None:
            ticked = self._ticks.get(row.key)
            return _STATES[ticked.name] if ticked is not None else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole and row.tip:
            return row.tip
        return None

    def setData(self, index: AnyIndex, _value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row_at(index)
        if role != Qt.ItemDataRole.CheckStateRole or row is None or row.choice is None:
            return False
        self.wanted.emit(row.choice)
        return True
