"""The page of the library on its folders: what each holds and takes, and what to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.library.folders_model import PROGRESS, Column, FoldersModel
from app.library.rows import Rows
from app.palette import scheme_of
from app.widgets.labels import Label
from app.widgets.notices import EmptyState

if TYPE_CHECKING:
    from pathlib import Path

    from core.catalog.folders import Folder
    from core.catalog.reports import Shares, Status

_BAR = 3


class FoldersPage(QWidget):
    """A list of folders with buttons for the one that is chosen; removing asks once, in place."""

    add_wanted = Signal()
    update_wanted = Signal()
    removed = Signal(object)
    """The person wants this folder (a Path) out of the library."""
    rules_wanted = Signal(object)
    """The person wants to see or change what is left out of a Folder."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asked: Folder | None = None
        self._empty = EmptyState()
        self._empty.say(
            "folder",
            self.tr("No folders yet"),
            self.tr("Add the folders that hold your documents. Winnow only ever reads them."),
        )
        self.model = FoldersModel(self)
        self.view = Rows(
            self.tr("Folders of the library"), round(2.2 * self.fontMetrics().lineSpacing())
        )
        self.view.setObjectName("folders")
        self.view.setModel(self.model)
        self.view.setItemDelegate(_ProgressDelegate(self.view))
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(Column.FOLDER, QHeaderView.ResizeMode.Stretch)
        self.view.selectionModel().selectionChanged.connect(self._enable)
        self.model.modelReset.connect(self._enable)
        self._summary = Label()
        self._summary.setProperty("role", "muted")
        self._summary.setWordWrap(True)
        self._rules = QPushButton(self.tr("What is &left out…"))
        self._rules.clicked.connect(self._ask_for_rules)
        self._remove = QPushButton(self.tr("Remo&ve…"))
        self._remove.clicked.connect(self._ask)
        self._update = QPushButton(self.tr("&Update now"))
        self._update.clicked.connect(self.update_wanted)
        self._add = QPushButton(self.tr("&Add a folder…"))
        self._add.setProperty("main", "true")
        self._add.clicked.connect(self.add_wanted)
        self._question = _Question(self)
        self._question.keep.clicked.connect(self._stop_asking)
        self._question.really.clicked.connect(self._give_up)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._rules)
        buttons.addWidget(self._remove)
        buttons.addStretch(1)
        buttons.addWidget(self._update)
        buttons.addWidget(self._add)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self.view, 1)
        layout.addWidget(self._summary)
        layout.addWidget(self._question)
        layout.addLayout(buttons)

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """What the list shows, row by row, without the folders' names."""
        return [
            tuple(
                self.model.index(row, column).data() for column in Column if column != Column.FOLDER
            )
            for row in range(self.model.rowCount())
        ]

    @property
    def summary(self) -> str:
        return self._summary.text()

    def show_status(self, status: Status) -> None:
        chosen = self._chosen()
        self.model.show_folders(status.folders)
        if self._chosen() is None and status.folders:
            row = self.model.row_of(chosen.id) if chosen is not None else 0
            self.view.setCurrentIndex(self.model.index(max(row, 0), 0))
        has_folders = bool(status.folders)
        self._empty.setVisible(not has_folders)
        for widget in (self.view, self._update, self._rules, self._remove, self._summary):
            widget.setVisible(has_folders)
        self._summary.setText(self._summary_of(status))
        if self._asked is not None and self.model.row_of(self._asked.id) < 0:
            self._stop_asking()

    def show_shares(self, shares: Shares) -> None:
        self.model.show_shares(shares.of_folders)

    def _summary_of(self, status: Status) -> str:
        parts = [texts.documents(status.documents), texts.passages(status.passages)]
        if status.waiting:
            waiting = self.tr("{0} by words only as yet")
            parts.append(waiting.format(texts.number(status.waiting)))
        taken = self.tr("index {0}, text and words {1}, for files of {2}").format(
            texts.size(status.index_bytes),
            texts.size(status.catalog_bytes),
            texts.size(sum(folder.size_bytes for folder in status.folders)),
        )
        return " · ".join([*parts, taken])

    def _chosen(self) -> Folder | None:
        return self.model.folder(self.view.currentIndex().row())

    def _enable(self) -> None:
        for button in (self._rules, self._remove):
            button.setEnabled(self._chosen() is not None)

    def _ask_for_rules(self) -> None:
        if (folder := self._chosen()) is not None:
            self.rules_wanted.emit(folder)

    def _ask(self) -> None:
        if (folder := self._chosen()) is not None:
            self._asked = folder
            self._question.ask(folder.path)

    def end_removing(self) -> None:
        """Take note that a folder which was given up may still be there: removing it failed."""
        if self._asked is not None and self._question.is_removing:
            self._stop_asking()

    def _stop_asking(self) -> None:
        self._asked = None
        self._question.hide()
        self._remove.setFocus()

    def _give_up(self) -> None:
        if self._asked is not None:
            self._question.tell_removing()
            self.removed.emit(self._asked.path)


class _Question(QFrame):
    """Whether a folder is really to be removed, below the list."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self._text = Label()
        self._text.setWordWrap(True)
        self.keep = QPushButton(self.tr("K&eep"))
        self.really = QPushButton(self.tr("Re&move"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 8, 8)
        layout.setSpacing(8)
        layout.addWidget(self._text, 1)
        layout.addWidget(self.keep)
        layout.addWidget(self.really)
        self.hide()

    def ask(self, folder: Path) -> None:
        sentence = self.tr("Remove {0} from Winnow? The files stay where they are.")
        self._tell(sentence.format(texts.shown_path(folder)), is_open=True)
        self.keep.setFocus()

    def tell_removing(self) -> None:
        self._tell(self.tr("Removing…"), is_open=False)

    @property
    def is_removing(self) -> bool:
        return not self.isHidden() and not self.really.isEnabled()

    def _tell(self, text: str, *, is_open: bool) -> None:
        self._text.setText(text)
        self.setAccessibleName(text)
        self.keep.setEnabled(is_open)
        self.really.setEnabled(is_open)
        self.show()


class _ProgressDelegate(QStyledItemDelegate):
    """Draws below the state of a folder how much of it has been read."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        done = index.data(PROGRESS) if index.column() == Column.STATE else None
        if done is None:
            return
        scheme = scheme_of(option.palette)
        room = option.rect.adjusted(4, 0, -8, -2)
        room.setTop(room.bottom() - _BAR + 1)
        painter.fillRect(room, scheme.line)
        read = round(room.width() * done)
        if option.direction == Qt.LayoutDirection.RightToLeft:
            room.setLeft(room.right() - read + 1)
        else:
            room.setWidth(read)
        painter.fillRect(room, scheme.accent)
