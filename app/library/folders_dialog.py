"""The library: its folders, what each holds and takes, and pages on how they were read."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.background import Latest
from app.errors import notice_of
from app.library.copies_page import SHOWN, CopiesPage
from app.library.failures import FailuresPage
from app.library.other_libraries import OtherLibrariesPage
from app.library.rules import LeftOutPage
from app.library.status_strips import ProgressStrip
from app.library.upkeep_page import UpkeepPage
from app.palette import scheme_of
from app.widgets.controls import Button, Label
from app.widgets.notices import EmptyState, NoticeBar
from app.widgets.tables import NOWHERE, AnyIndex, RowTable
from app.widgets.window_geometry import open_within_screen
from core.catalog.folders import NO_RULES
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.session import Session
    from core.catalog.documents import Failure
    from core.catalog.folders import Folder
    from core.catalog.reports import Shares, Status, SyncReport
    from core.library.library import Library

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
        if [folder.id for folder in folders] != [folder.id for folder in self._folders]:
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
        """Return where the folder of that number stands; -1 for nowhere."""
        return next((row for row, one in enumerate(self._folders) if one.id == number), -1)

    def _tell_change(self) -> None:
        # Shares and progress may be told before the folders are.
        if not self._folders:
            return
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
        if folder.in_cloud:
            parts.append(self.tr("{0} in the cloud").format(texts.number(folder.in_cloud)))
        if folder.rules != NO_RULES:
            parts.append(self.tr("with rules of your own"))
        return " · ".join(parts)

    def _hint(self, folder: Folder) -> str:
        if not folder.is_there:
            return self.tr("Cannot be reached at the moment; nothing is forgotten meanwhile.")
        lines = [quoted(folder.path), quoted(folder.description)]
        return texts.hint("\n".join(filter(None, lines)))

    # Qt's names

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._folders)

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
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
        self.view = RowTable(self.tr("Folders of the library"), 2.2)
        self.view.setObjectName("folders")
        self.view.setModel(self.model)
        self.view.setItemDelegate(_ProgressDelegate(self.view))
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(Column.FOLDER, QHeaderView.ResizeMode.Stretch)
        self.view.selectionModel().selectionChanged.connect(self._enable)
        self.model.modelReset.connect(self._enable)
        self._summary = Label(role="muted", wraps=True)
        self._rules = Button(self.tr("What is &left out…"), self._ask_for_rules)
        self._remove = Button(self.tr("Remo&ve…"), self._ask)
        self._update = Button(self.tr("&Update now"), self.update_wanted)
        self._add = Button(self.tr("&Add a folder…"), self.add_wanted, "main")
        self._question = _RemovalQuestion(self)
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


class _RemovalQuestion(QFrame):
    """Whether a folder is really to be removed, below the list."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self._text = Label(wraps=True)
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


_SIZE: Final = (760, 560)


class FoldersDialog(QDialog):
    """Six pages, and how far reading has come; stays open beside the window."""

    add_wanted = Signal()
    removed = Signal(object)
    rules_wanted = Signal(object)
    """The person wants to see or change what is left out of a Folder."""
    update_wanted = Signal()
    retry_wanted = Signal()
    file_wanted = Signal(object)
    """The person wants to see the file at this path in its folder."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Library"))
        open_within_screen(self, *_SIZE)
        self._library: Library | None = None
        self.notice = NoticeBar()
        self.folders = FoldersPage()
        self.folders.add_wanted.connect(self.add_wanted)
        self.folders.update_wanted.connect(self.update_wanted)
        self.folders.removed.connect(self.removed)
        self.folders.rules_wanted.connect(self.rules_wanted)
        self.failures = FailuresPage()
        self.failures.retry_wanted.connect(self.retry_wanted)
        self.left_out = LeftOutPage()
        self.copies = CopiesPage()
        self.copies.folder_wanted.connect(self.file_wanted)
        self.upkeep = UpkeepPage(session)
        self.upkeep.failed.connect(self._show_error)
        self.pages = QTabWidget()
        self.pages.setDocumentMode(True)
        self.pages.addTab(self.folders, self.tr("&Folders"))
        self.pages.addTab(self.failures, "")
        self.pages.addTab(self.left_out, self.tr("Left &out"))
        self.pages.addTab(self.copies, self.tr("Cop&ies"))
        self.pages.addTab(self.upkeep, self.tr("Up&keep"))
        self.others = OtherLibrariesPage()
        self.pages.addTab(self.others, self.tr("Othe&r libraries"))
        self._name_failures(0)
        self.progress = ProgressStrip()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 14)
        layout.setSpacing(10)
        layout.addWidget(self.notice)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.progress)
        self._sharing = Latest(session.reads, self, self.folders.show_shares, self._show_error)
        self._comparing = Latest(session.reads, self, self.copies.show_report, self._show_error)
        self.pages.currentChanged.connect(self._compare)
        session.opened.connect(self._use)
        session.failed.connect(lambda _: self.folders.end_removing())
        session.synced.connect(self._show_synced)
        session.sync_started.connect(self.progress.start)
        session.sync_progressed.connect(self.progress.show_progress)
        session.sync_stopped.connect(self.progress.show_stopped)
        self.progress.cancelled.connect(session.cancel_sync)
        self.progress.resumed.connect(session.sync)

    def open_anew(self) -> None:
        """Come forward, with what each folder takes of the index."""
        self.show()
        self.raise_()
        self.activateWindow()
        self._share()
        self._compare()

    def show_state(self, status: Status, failures: tuple[Failure, ...]) -> None:
        self.folders.show_status(status)
        self.failures.show_failures(failures)
        self._name_failures(len(failures))
        # It looks at every passage: where nobody sees it, and while it is at it, it is not done.
        if self.isVisible() and not self._sharing.is_running:
            self._share()
            if not self._comparing.is_running:
                self._compare()

    def _use(self, library: Library) -> None:
        self._library = library

    def _share(self) -> None:
        if self._library is not None:
            library = self._library
            self._sharing.start(lambda _job: library.shares())

    def _compare(self) -> None:
        """Look for what lies more than once; it looks at every document, and so only where seen."""
        if self._library is not None and self.pages.currentWidget() is self.copies:
            library = self._library
            self._comparing.start(lambda _job: library.copies(SHOWN))

    def _show_error(self, error: Exception) -> None:
        self.notice.show_notice(notice_of(error))

    def _show_synced(self, report: SyncReport) -> None:
        self.progress.end()
        if report.is_whole:
            self.left_out.show_counts(report.left_out)

    def _name_failures(self, count: int) -> None:
        name = self.tr("Could &not be read")
        self.pages.setTabText(1, f"{name} ({texts.number(count)})" if count else name)
