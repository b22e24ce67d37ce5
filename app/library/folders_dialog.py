"""The library dialog: its folders with their figures, and pages on how they were read."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QPushButton,
    QStyleOptionViewItem,
    QTabWidget,
    QWidget,
)

from app import texts
from app.background import Latest
from app.errors import notice_of
from app.library.copies_page import SHOWN, CopiesPage
from app.library.files_page import FilesPage
from app.library.maintenance_page import MaintenancePage
from app.library.other_libraries import OtherLibrariesPage
from app.library.status_strips import ProgressStrip
from app.palette import scheme_of
from app.widgets.controls import Button, Label
from app.widgets.layouts import SPACE, fill, horizontal, vertical
from app.widgets.notices import EmptyState, NoticeBar
from app.widgets.tables import AnyIndex, RowDelegate, RowModel, RowTable
from app.widgets.window_geometry import bring_forward, open_within_screen
from core.catalog.files.file_lists import FileList
from core.catalog.files.folders import NO_RULES, Folder
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.session import Session
    from core.catalog.reports import Shares, Status
    from core.library.library import Library

# The role of the share of a folder that has been read; None if all of it was.
PROGRESS: Final = Qt.ItemDataRole.UserRole + 1


class FolderColumn(IntEnum):
    """The columns of the list of folders."""

    FOLDER = 0
    STATE = 1
    DOCUMENTS = 2
    FILES = 3
    INDEX = 4


_FIGURES: Final = {FolderColumn.DOCUMENTS, FolderColumn.FILES, FolderColumn.INDEX}


class FoldersModel(RowModel):
    """One row per folder; updates thousands of rows in milliseconds."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, _FIGURES)
        self.titles = (
            self.tr("Folder"),
            self.tr("Status"),
            self.tr("Documents"),
            self.tr("File size"),
            self.tr("Disk space"),
        )
        self._shares: Mapping[int, int] = {}

    def show_folders(self, folders: tuple[Folder, ...]) -> None:
        """Show folders; the selection survives if they are the same as before."""
        if [folder.id for folder in folders] != [folder.id for folder in self.rows]:
            self.show_rows(folders)
        elif folders != self.rows:
            self.rows = folders
            self._emit_change()

    def show_shares(self, shares: Mapping[int, int]) -> None:
        """Show the bytes of the index per folder id."""
        if shares != self._shares:
            self._shares = shares
            self._emit_change()

    def folder(self, row: int) -> Folder | None:
        return self.rows[row] if 0 <= row < len(self.rows) else None

    def row_of(self, folder_id: int) -> int:
        """Return the row of the folder with this id; -1 if there is none."""
        return next((row for row, folder in enumerate(self.rows) if folder.id == folder_id), -1)

    def _emit_change(self) -> None:
        # Shares and progress may arrive before the folders.
        if not self.rows:
            return
        last = self.index(len(self.rows) - 1, len(FolderColumn) - 1)
        self.dataChanged.emit(self.index(0, 0), last)

    def text(self, folder: Folder, column: int) -> str:
        match column:
            case FolderColumn.FOLDER:
                return texts.shown_path(folder.path)
            case FolderColumn.STATE:
                return self._state(folder)
            case FolderColumn.DOCUMENTS:
                return texts.grouped(folder.documents)
            case FolderColumn.FILES:
                return texts.size(folder.size_bytes)
        size = self._shares.get(folder.id)
        return "" if size is None else texts.size(size)

    def spoken_text(self, folder: Folder, column: int) -> str:
        text = super().spoken_text(folder, column)
        return f"{text}, {self._state(folder)}" if column == FolderColumn.FOLDER else text

    def _state(self, folder: Folder) -> str:
        if not folder.is_there:
            return self.tr("Unavailable")
        parts = []
        if folder.waiting:
            parts.append(self.tr("{0} to index").format(texts.grouped(folder.waiting)))
        if folder.failed:
            parts.append(self.tr("%Ln unreadable", "", folder.failed))
        if not parts:
            parts.append(self.tr("Up to date"))
        if folder.in_cloud:
            parts.append(self.tr("{0} online only").format(texts.grouped(folder.in_cloud)))
        if folder.rules != NO_RULES:
            parts.append(self.tr("custom rules"))
        return " · ".join(parts)

    def hint(self, folder: Folder) -> str:
        if not folder.is_there:
            return self.tr("This folder is unavailable. Its documents stay in the library.")
        lines = [quoted(folder.path), quoted(folder.description)]
        return texts.hint("\n".join(filter(None, lines)))

    # Qt's names

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        folder = self.folder(index.row())
        if role == PROGRESS and folder is not None and folder.waiting and folder.is_there:
            return 1 - min(folder.waiting / max(folder.documents, 1), 1.0)
        return super().data(index, role)


_BAR = 3


class FoldersPage(QWidget):
    """A list of folders, with buttons for the selected one; removal is confirmed in place."""

    add_wanted = Signal()
    update_wanted = Signal()
    # The person removes a folder; carries its Path.
    removed = Signal(object)
    # The person wants to see or change the rules of a Folder.
    rules_wanted = Signal(object)
    # The person wants the menu of a folder; carries its Path and the place on the screen.
    menu_wanted = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._folder_to_remove: Folder | None = None
        self._empty = EmptyState()
        self._empty.say(
            "folder",
            self.tr("No folders"),
            self.tr(
                "Add folders to search the documents in them. Winnow never changes your files."
            ),
        )
        self.model = FoldersModel(self)
        self.view = RowTable(self.tr("Folders in the library"), 2.2)
        self.view.setObjectName("folders")
        self.view.show_model(self.model)
        self.view.setItemDelegate(_ProgressDelegate(self.view))
        self.view.selectionModel().selectionChanged.connect(self._enable)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._request_menu)
        self.model.modelReset.connect(self._enable)
        self.summary = Label(role="muted", wraps=True)
        self._rules = Button(self.tr("Edit ru&les…"), self._request_rules)
        self._remove = Button(self.tr("Remo&ve…"), self._ask_removal)
        self._update = Button(self.tr("&Update now"), self.update_wanted)
        self._add = Button(self.tr("&Add folder…"), self.add_wanted, "main")
        self._question = _RemovalQuestion(self)
        self._question.keep.clicked.connect(self._close_question)
        self._question.really.clicked.connect(self._remove_folder)
        buttons = horizontal(spacing=8)
        fill(buttons, self._rules, self._remove, SPACE, self._update, self._add)
        layout = vertical(self, margins=(0, 12, 0, 0), spacing=10)
        fill(layout, (self._empty, 1), (self.view, 1), self.summary, self._question, buttons)

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """The rows of the list without the folders' names."""
        return [
            tuple(
                self.model.index(row, column).data()
                for column in FolderColumn
                if column != FolderColumn.FOLDER
            )
            for row in range(self.model.rowCount())
        ]

    def show_status(self, status: Status) -> None:
        chosen = self._chosen()
        self.model.show_folders(status.folders)
        if self._chosen() is None and status.folders:
            row = self.model.row_of(chosen.id) if chosen is not None else 0
            self.view.setCurrentIndex(self.model.index(max(row, 0), 0))
        has_folders = bool(status.folders)
        self._empty.setVisible(not has_folders)
        for widget in (self.view, self._update, self._rules, self._remove, self.summary):
            widget.setVisible(has_folders)
        self.summary.setText(self._summary_of(status))
        if self._folder_to_remove is not None and self.model.row_of(self._folder_to_remove.id) < 0:
            self._close_question()

    def show_shares(self, shares: Shares) -> None:
        self.model.show_shares(shares.of_folders)

    def _summary_of(self, status: Status) -> str:
        parts = [texts.documents(status.documents), texts.passages(status.passages)]
        if status.waiting:
            waiting = self.tr("{0} not yet searchable by meaning")
            parts.append(waiting.format(texts.grouped(status.waiting)))
        sizes = self.tr("index {0}, stored text {1}, original files {2}").format(
            texts.size(status.index_bytes),
            texts.size(status.catalog_bytes),
            texts.size(sum(folder.size_bytes for folder in status.folders)),
        )
        return " · ".join([*parts, sizes])

    def _chosen(self) -> Folder | None:
        return self.model.folder(self.view.currentIndex().row())

    def _enable(self) -> None:
        for button in (self._rules, self._remove):
            button.setEnabled(self._chosen() is not None)

    def _request_rules(self) -> None:
        if (folder := self._chosen()) is not None:
            self.rules_wanted.emit(folder)

    def _request_menu(self, point: QPoint) -> None:
        row = self.view.rowAt(point.y())
        if (folder := self.model.folder(row)) is not None:
            self.menu_wanted.emit(folder.path, self.view.viewport().mapToGlobal(point))

    def ask_removal_of(self, path: Path) -> None:
        """Select one of the folders, and ask whether to remove it."""
        row = next((row for row, folder in enumerate(self.model.rows) if folder.path == path), -1)
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row, 0))
            self._ask_removal()

    def _ask_removal(self) -> None:
        if (folder := self._chosen()) is not None:
            self._folder_to_remove = folder
            self._question.ask(folder.path)

    def end_removing(self) -> None:
        """Reset the question if removing a folder failed."""
        if self._folder_to_remove is not None and self._question.is_removing:
            self._close_question()

    def _close_question(self) -> None:
        self._folder_to_remove = None
        self._question.hide()
        self._remove.setFocus()

    def _remove_folder(self) -> None:
        if self._folder_to_remove is not None:
            self._question.show_removing()
            self.removed.emit(self._folder_to_remove.path)


class _RemovalQuestion(QFrame):
    """Asks below the list whether to remove a folder."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self._text = Label(wraps=True)
        self.keep = QPushButton(self.tr("&Cancel"))
        self.really = QPushButton(self.tr("Re&move"))
        layout = horizontal(self, margins=(12, 8, 8, 8), spacing=8)
        fill(layout, (self._text, 1), self.keep, self.really)
        self.hide()

    def ask(self, folder: Path) -> None:
        sentence = self.tr("Remove {0} from the library? Your files will not be deleted.")
        self._show_text(sentence.format(texts.shown_path(folder)), is_open=True)
        self.keep.setFocus()

    def show_removing(self) -> None:
        self._show_text(self.tr("Removing…"), is_open=False)

    @property
    def is_removing(self) -> bool:
        return not self.isHidden() and not self.really.isEnabled()

    def _show_text(self, text: str, *, is_open: bool) -> None:
        self._text.setText(text)
        self.setAccessibleName(text)
        self.keep.setEnabled(is_open)
        self.really.setEnabled(is_open)
        self.show()


class _ProgressDelegate(RowDelegate):
    """Draws a progress bar below the state of a folder."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        done = index.data(PROGRESS) if index.column() == FolderColumn.STATE else None
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
    """Its pages, and the progress of reading; stays open next to the window."""

    add_wanted = Signal()
    removed = Signal(object)
    # The person wants to see or change the rules of a Folder.
    rules_wanted = Signal(object)
    update_wanted = Signal()
    # The person wants to see a file in its folder; carries a Path.
    file_wanted = Signal(object)

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Library"))
        open_within_screen(self, *_SIZE)
        self._library = session.library
        self.notice = NoticeBar()
        self.folders = FoldersPage()
        self.folders.add_wanted.connect(self.add_wanted)
        self.folders.update_wanted.connect(self.update_wanted)
        self.folders.removed.connect(self.removed)
        self.folders.rules_wanted.connect(self.rules_wanted)
        self.files = FilesPage(session.reads)
        self.files.retry_wanted.connect(session.retry)
        self.files.file_wanted.connect(self.file_wanted)
        self.files.seen.connect(session.set_seen)
        self.files.failed.connect(self._show_error)
        self.copies = CopiesPage()
        self.copies.folder_wanted.connect(self.file_wanted)
        self.maintenance = MaintenancePage(session)
        self.maintenance.failed.connect(self._show_error)
        self.pages = QTabWidget(documentMode=True)
        self.pages.addTab(self.folders, self.tr("&Folders"))
        self.pages.addTab(self.files, "")
        self.pages.addTab(self.copies, self.tr("Dupl&icates"))
        self.pages.addTab(self.maintenance, self.tr("Maint&enance"))
        self.others = OtherLibrariesPage()
        self.pages.addTab(self.others, self.tr("Othe&r libraries"))
        self._name_files(0)
        self.progress = ProgressStrip()
        layout = vertical(self, margins=(20, 18, 20, 14), spacing=10)
        fill(layout, self.notice, (self.pages, 1), self.progress)
        self._counting_shares = Latest(
            session.reads, self, self.folders.show_shares, self._show_error
        )
        self._finding_copies = Latest(
            session.reads, self, self.copies.show_report, self._show_error
        )
        self.pages.currentChanged.connect(self._show_page)
        session.opened.connect(self._use)
        session.failed.connect(lambda _: self.folders.end_removing())
        session.synced.connect(self._show_synced)
        session.sync_started.connect(self.progress.start)
        session.sync_progressed.connect(self.progress.show_progress)
        session.sync_stopped.connect(self.progress.show_stopped)
        self.progress.cancelled.connect(session.cancel_sync)
        self.progress.resumed.connect(session.sync)
        # The dialog is built on first use, after these signals were emitted.
        if session.library is not None:
            self.files.use(session.library)
        if session.state is not None:
            self.show_status(session.state)
            self.maintenance.show_status(session.state)

    def present(self) -> None:
        """Show the dialog with current figures, at its first page unless it is open."""
        if not self.isVisible():
            self.pages.setCurrentIndex(0)
        bring_forward(self)
        self._count_shares()
        self._show_page()

    def show_news(self) -> None:
        """Show the files without text, or those that are unreadable."""
        self.present()
        self.files.choose(FileList.WITHOUT_TEXT)
        self.pages.setCurrentWidget(self.files)

    def ask_removal_of(self, folder: Path) -> None:
        """Ask on the page of folders whether to remove one."""
        self.pages.setCurrentWidget(self.folders)
        self.folders.ask_removal_of(folder)

    def show_status(self, status: Status) -> None:
        self.folders.show_status(status)
        self.files.show_status(status)
        self._name_files(status.files.without_text + status.files.unreadable)
        # It reads every passage, so only while it is visible, and not twice at a time.
        if self.isVisible() and not self._counting_shares.is_running:
            self._count_shares()
            if not self._finding_copies.is_running:
                self._find_copies()

    def _use(self, library: Library) -> None:
        self._library = library
        self.files.use(library)

    def _show_page(self) -> None:
        """Load the contents of the visible page. Both read every document or scan the folders."""
        self._find_copies()
        if self.pages.currentWidget() is self.files:
            self.files.choose_full()
            self.files.load_if_visible()
        else:
            self.files.leave()

    def _count_shares(self) -> None:
        if self._library is not None:
            library = self._library
            self._counting_shares.start(lambda _job: library.shares())

    def _find_copies(self) -> None:
        """Look for copies. It reads every document, so only while the page is visible."""
        if self._library is not None and self.pages.currentWidget() is self.copies:
            library = self._library
            self._finding_copies.start(lambda _job: library.copies(SHOWN))

    def _show_error(self, error: Exception) -> None:
        self.notice.show_notice(notice_of(error))

    def _show_synced(self, _report: object) -> None:
        self.progress.end()
        self.files.load_if_visible()

    def _name_files(self, count: int) -> None:
        name = self.tr("&Not searchable")
        self.pages.setTabText(1, f"{name} ({texts.grouped(count)})" if count else name)
