"""The folders of the library, as Qt's model: what each holds, takes, and waits for."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app import texts
from core.catalog.folders import NO_RULES
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.catalog.folders import Folder

    AnyIndex = QModelIndex | QPersistentModelIndex

_NOWHERE: Final = QModelIndex()

PROGRESS: Final = Qt.ItemDataRole.UserRole + 1
"""The role that gives the share of a folder that has been read, None where all was."""


class Column(IntEnum):
    """What stands beside each other."""

    FOLDER = 0
    STATE = 1
    DOCUMENTS = 2
    FILES = 3
    INDEX = 4


_FIGURES: Final = {Column.DOCUMENTS, Column.FILES, Column.INDEX}


class FoldersModel(QAbstractTableModel):
    """A row a folder; thousands of them change in a moment."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folders: tuple[Folder, ...] = ()
        self._shares: Mapping[int, int] = {}

    def show_folders(self, folders: tuple[Folder, ...]) -> None:
        """Show these; rows stay where they are as long as they are the same folders."""
        if [one.id for one in folders] != [one.id for one in self._folders]:
            self.beginResetModel()
            self._folders = folders
            self.endResetModel()
        elif folders != self._folders:
            self._folders = folders
            self._tell_change()

    def show_shares(self, shares: Mapping[int, int]) -> None:
        """Show what of the index is each folder's, in bytes by the folders' numbers."""
        if shares != self._shares:
            self._shares = shares
            self._tell_change()

    def folder(self, row: int) -> Folder | None:
        return self._folders[row] if 0 <= row < len(self._folders) else None

    def row_of(self, number: int) -> int:
        """Where the folder of that number stands; -1 for nowhere."""
        return next((row for row, one in enumerate(self._folders) if one.id == number), -1)

    def _tell_change(self) -> None:
        last = self.index(len(self._folders) - 1, len(Column) - 1)
        self.dataChanged.emit(self.index(0, 0), last)

    def _text(self, folder: Folder, column: Column) -> str:
        match column:
            case Column.FOLDER:
                return texts.shown_path(folder.path)
            case Column.STATE:
                return self._state(folder)
            case Column.DOCUMENTS:
                return texts.number(folder.documents)
            case Column.FILES:
                return texts.size(folder.size_bytes)
            case Column.INDEX:
                taken = self._shares.get(folder.id)
                return "" if taken is None else texts.size(taken)

    def _state(self, folder: Folder) -> str:
        if not folder.is_there:
            return self.tr("Cannot be reached")
        parts = []
        if folder.waiting:
            parts.append(self.tr("{0} to be read").format(texts.number(folder.waiting)))
        if folder.failed:
            parts.append(self.tr("%Ln could not be read", "", folder.failed))
        if not parts:
            parts.append(self.tr("Up to date"))
        if folder.rules != NO_RULES:
            parts.append(self.tr("with rules of your own"))
        return " · ".join(parts)

    def _hint(self, folder: Folder) -> str:
        if not folder.is_there:
            return self.tr("Cannot be reached at the moment; nothing is forgotten meanwhile.")
        return texts.hint(quoted(folder.path))

    # Qt's names

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._folders)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        column = Column(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            Column.FOLDER: self.tr("Folder"),
            Column.STATE: self.tr("State"),
            Column.DOCUMENTS: self.tr("Documents"),
            Column.FILES: self.tr("Files"),
            Column.INDEX: self.tr("In the index"),
        }[column]

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        folder, column = self._folders[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(folder, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._hint(folder)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.AccessibleTextRole and column is Column.FOLDER:
            return f"{self._text(folder, column)}, {self._state(folder)}"
        if role == PROGRESS and folder.waiting and folder.is_there:
            return 1 - min(folder.waiting / max(folder.documents, 1), 1.0)
        return None


def _alignment(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignTrailing if column in _FIGURES else Qt.AlignmentFlag.AlignLeading
    return side | Qt.AlignmentFlag.AlignVCenter
