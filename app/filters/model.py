"""The rows of the side bar as Qt's model."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
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


class FilterModel(QAbstractItemModel):
    """Rows with boxes. A click changes nothing here: it asks, and the query that follows ticks."""

    wanted = Signal(object)
    """The person clicked this Choice."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._parents: list[int] = []
        self._inner: dict[int, list[int]] = {-1: []}
        self._ticks: Mapping[Hashable, Ticked] = {}

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Take the place of the present rows; where only counts differ the rows stay."""
        before = self._shape()
        kept = (self._rows, self._parents, self._inner)
        self._lay_out(rows)
        if self._shape() == before:
            self._tell()
            return
        now = (self._rows, self._parents, self._inner)
        self._rows, self._parents, self._inner = kept
        self.beginResetModel()
        self._rows, self._parents, self._inner = now
        self.endResetModel()

    def show_ticks(self, ticks: Mapping[Hashable, Ticked]) -> None:
        """Tick the rows of these keys."""
        self._ticks = ticks
        self._tell()

    def row_at(self, index: AnyIndex) -> Row | None:
        return self._rows[index.internalId()] if index.isValid() else None

    def index_of(self, key: Hashable) -> QModelIndex:
        """Give the place of a row; an invalid index where there is none."""
        for number, row in enumerate(self._rows):
            if row.key == key:
                return self._index_at(number)
        return QModelIndex()

    def _shape(self) -> list[tuple[Hashable, int]]:
        keys = (row.key for row in self._rows)
        return list(zip(keys, self._parents, strict=True))

    def _lay_out(self, rows: tuple[Row, ...]) -> None:
        self._rows, self._parents, self._inner = [], [], {-1: []}
        waiting = [(-1, row) for row in reversed(rows)]
        while waiting:
            parent, row = waiting.pop()
            number = len(self._rows)
            self._rows.append(row)
            self._parents.append(parent)
            self._inner[parent].append(number)
            self._inner[number] = []
            waiting += [(number, one) for one in reversed(row.rows)]

    def _tell(self) -> None:
        """Say that any count or tick may be another one."""
        for numbers in self._inner.values():
            if numbers:
                self.dataChanged.emit(self._index_at(numbers[0]), self._index_at(numbers[-1]))

    def _index_at(self, number: int) -> QModelIndex:
        return self.createIndex(self._inner[self._parents[number]].index(number), 0, number)

    def _number(self, index: AnyIndex) -> int:
        return index.internalId() if index.isValid() else -1

    # Qt's names

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return len(self._inner[self._number(parent)])

    def columnCount(self, _parent: AnyIndex = _NOWHERE) -> int:
        return 1

    def index(self, row: int, column: int, parent: AnyIndex = _NOWHERE) -> QModelIndex:
        numbers = self._inner[self._number(parent)]
        if column != 0 or not 0 <= row < len(numbers):
            return QModelIndex()
        return self.createIndex(row, 0, numbers[row])

    def parent(self, index: AnyIndex) -> QModelIndex:  # type: ignore[override] # of the overloads the one with an index
        number = self._parents[index.internalId()] if index.isValid() else -1
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
