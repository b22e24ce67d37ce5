"""The rows of the results list as Qt's model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, Qt, QUrl

from app import texts
from app.search.row_labels import name_label, page_label
from app.search.rows import Answer, MoreRow, PassageRow, Row
from app.widgets.tables import NOWHERE, AnyIndex
from core.printable import quoted

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
# Whether the person marked the passage as right.
RIGHT_ROLE: Final = Qt.ItemDataRole.UserRole + 2


class ResultsModel(QAbstractListModel):
    """Documents with their best passage; further passages are below a row that expands."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self.answer: Answer | None = None
        self._open: set[int] = set()
        self._open_copies: set[int] = set()
        self._right: frozenset[int] = frozenset()
        # The number of the passage below the divider of less likely results.
        self.first_unlikely: int | None = None

    def show_answer(self, answer: Answer) -> None:
        """Replace all rows; documents stay expanded while the query is the same."""
        before = self.answer
        if before is None or before.results.query != answer.results.query:
            self._open.clear()
            self._open_copies.clear()
            self._right = frozenset()
        self.beginResetModel()
        self.answer = answer
        self._rows = []
        unlikely = (entry.best.passage_id for entry in answer.documents if not entry.best.is_likely)
        self.first_unlikely = next(unlikely, None)
        for entry in answer.documents:
            document = entry.best.document
            self._rows.append(entry.best)
            if entry.further:
                is_open = document.document_id in self._open
                self._rows.append(MoreRow(document, len(entry.further), is_open))
                self._rows.extend(entry.further if is_open else ())
            if document.copies:
                is_open = document.document_id in self._open_copies
                self._rows.append(MoreRow(document, len(document.copies), is_open, True))
                self._rows.extend(entry.copies if is_open else ())
        self.endResetModel()

    def show_copies(self, answer: Answer, document_id: int) -> None:
        """Update to `answer`, which adds the copies of one document.

        They are inserted below its row of copies if that is expanded.
        """
        self.answer = answer
        copies = answer.of_document(document_id).copies
        for row_index, row in enumerate(self._rows):
            if not isinstance(row, MoreRow) or row.document.document_id != document_id:
                continue
            if (
                row.is_of_copies
                and row.is_open
                and copies
                and not self._has_copies_at(row_index + 1)
            ):
                self.beginInsertRows(QModelIndex(), row_index + 1, row_index + len(copies))
                self._rows[row_index + 1 : row_index + 1] = copies
                self.endInsertRows()
                return

    def _has_copies_at(self, row_index: int) -> bool:
        row = self._rows[row_index] if row_index < len(self._rows) else None
        return isinstance(row, PassageRow) and row.is_copy

    def update_highlights(self, answer: Answer) -> None:
        """Update to `answer`, which differs only in its highlights; rows stay in place."""
        self.answer = answer
        now = {row.passage_id: row for row in answer.rows}
        for row_index, row in enumerate(self._rows):
            if isinstance(row, PassageRow) and now[row.passage_id] is not row:
                self._rows[row_index] = now[row.passage_id]
                index = self.index(row_index)
                self.dataChanged.emit(index, index, [ROW_ROLE])

    def show_marks(self, right: frozenset[int]) -> None:
        """Mark the passages with these numbers as right, and no others."""
        changed = self._right ^ right
        self._right = right
        for row_index, row in enumerate(self._rows):
            if isinstance(row, PassageRow) and row.passage_id in changed:
                index = self.index(row_index)
                self.dataChanged.emit(index, index, [RIGHT_ROLE])

    def clear(self) -> None:
        self.beginResetModel()
        self.answer = None
        self._rows = []
        self.first_unlikely = None
        self._open.clear()
        self._open_copies.clear()
        self.endResetModel()

    def row_at(self, index: AnyIndex) -> Row | None:
        return self._rows[index.row()] if index.isValid() else None

    def has_more_below(self, row_index: int) -> bool:
        """Return whether the row that shows or hides further passages follows a row."""
        return row_index + 1 < len(self._rows) and isinstance(self._rows[row_index + 1], MoreRow)

    def index_of_passage(self, passage_id: int) -> QModelIndex:
        """Return the index of a passage; invalid if it is not in the list."""
        for row_index, row in enumerate(self._rows):
            if isinstance(row, PassageRow) and row.passage_id == passage_id:
                return self.index(row_index)
        return QModelIndex()

    def index_of_document(self, document_id: int) -> QModelIndex:
        """Return the index of a document's best passage; invalid if it is not in the list."""
        for row_index, row in enumerate(self._rows):
            if row.document.document_id == document_id:
                return self.index(row_index)
        return QModelIndex()

    def toggle(self, index: AnyIndex) -> None:
        """Expand or collapse the further passages, or copies, of the row at `index`."""
        row = self.row_at(index)
        if not isinstance(row, MoreRow) or self.answer is None:
            return
        row_index = index.row()
        document_id = row.document.document_id
        document = self.answer.of_document(document_id)
        rows = document.copies if row.is_of_copies else document.further
        self._rows[row_index] = replace(row, is_open=not row.is_open)
        opened = self._open_copies if row.is_of_copies else self._open
        if row.is_open:
            opened.discard(document_id)
        else:
            opened.add(document_id)
        if rows and row.is_open:
            self.beginRemoveRows(QModelIndex(), row_index + 1, row_index + len(rows))
            del self._rows[row_index + 1 : row_index + 1 + len(rows)]
            self.endRemoveRows()
        elif rows:
            self.beginInsertRows(QModelIndex(), row_index + 1, row_index + len(rows))
            self._rows[row_index + 1 : row_index + 1] = rows
            self.endInsertRows()
        self.dataChanged.emit(self.index(row_index), self.index(row_index))

    def _accessible_text(self, row: Row) -> str:
        """Return a row's text for screen readers."""
        if isinstance(row, MoreRow):
            return texts.more(
                row.count, are_shown=row.is_open, are_copies=row.is_of_copies, mails=row.mails
            )
        name = name_label(row) if row.is_best else ""
        labels = (row.title, name, page_label(row))
        spoken = f"{', '.join(filter(None, labels))}: {row.snippet.text}"
        if row.is_copy:
            spoken = self.tr("Copy or version, {0}: {1}").format(
                texts.shown_document_path(row.document), spoken
            )
        if row.document.library:
            spoken = self.tr("In {0}: {1}").format(quoted(row.document.library), spoken)
        if not row.is_likely:
            spoken = self.tr("Less likely: {0}").format(spoken)
        if row.passage_id in self._right:
            return self.tr("Marked as correct: {0}").format(spoken)
        return spoken

    # Qt's names

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        row = self.row_at(index)
        flags = super().flags(index)
        # The files of other people's libraries are on other machines.
        is_here = isinstance(row, PassageRow) and not row.document.is_elsewhere
        if isinstance(row, PassageRow) and is_here and row.document.file is not None:
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        return flags

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def mimeTypes(self) -> list[str]:
        return ["text/uri-list"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the files that contain the documents, as a file manager does."""
        rows = (self.row_at(index) for index in indexes)
        files = dict.fromkeys(row.document.file for row in rows if row is not None)
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(file)) for file in files if file is not None])
        return data

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == RIGHT_ROLE:
            return isinstance(row, PassageRow) and row.passage_id in self._right
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._accessible_text(row)
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(row, PassageRow):
            return texts.hint(texts.shown_document_path(row.document))
        return None
