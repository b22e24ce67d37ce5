"""The files that could not be read, as Qt's model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.sentences import said

if TYPE_CHECKING:
    from core.catalog.records import Failure

    AnyIndex = QModelIndex | QPersistentModelIndex

_NOWHERE: Final = QModelIndex()


class FailuresModel(QAbstractListModel):
    """Each row names a file and, on a second line, the reason."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._failures: tuple[Failure, ...] = ()

    def show_failures(self, failures: tuple[Failure, ...]) -> None:
        if failures != self._failures:
            self.beginResetModel()
            self._failures = failures
            self.endResetModel()

    # Qt's names

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._failures)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        failure = self._failures[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{failure.path.name}\n{said(failure.reason)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{failure.path}\n{said(failure.reason)}"
        return None
