"""The folders of the library, and the files in them that could not be read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.empty_state import EmptyState
from app.errors import NoticeBar
from app.library.failures import FailuresModel
from app.library.folder_row import FolderRow

if TYPE_CHECKING:
    from core.catalog.records import Failure, Status


class FoldersDialog(QDialog):
    """Lists the folders with their counts; stays open beside the window."""

    add_wanted = Signal()
    removed = Signal(object)
    rules_wanted = Signal(object)
    """The person wants to see or change what is left out of a Folder."""
    update_wanted = Signal()
    retry_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Folders"))
        self.resize(620, 520)
        self._rows: dict[int, FolderRow] = {}
        add = QPushButton(self.tr("Add a folder…"))
        add.setProperty("main", "true")
        add.clicked.connect(self.add_wanted)
        self._update = QPushButton(self.tr("Update now"))
        self._update.clicked.connect(self.update_wanted)
        self._summary = QLabel()
        self._summary.setProperty("role", "muted")
        self.notice = NoticeBar()
        self._empty = EmptyState()
        self._empty.say(
            "folder",
            self.tr("No folders yet"),
            self.tr("Add the folders that hold your documents. Winnow only ever reads them."),
        )
        self._list = QWidget()
        self._list.setObjectName("folderRows")
        self._lines = QVBoxLayout(self._list)
        self._lines.setContentsMargins(0, 0, 6, 0)
        self._lines.setSpacing(8)
        self._lines.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        # It follows the focus of what is in it.
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._list)
        self._failed_title = QLabel()
        self._failed_title.setProperty("role", "title")
        self._retry = QPushButton(self.tr("Try again"))
        self._retry.setProperty("quiet", "true")
        self._retry.clicked.connect(self.retry_wanted)
        self._failures = FailuresModel(self)
        self._failed = QListView()
        self._failed.setAccessibleName(self.tr("Files that could not be read"))
        self._failed.setObjectName("failures")
        self._failed.setModel(self._failures)
        self._failed.setFrameShape(QFrame.Shape.NoFrame)
        self._failed.setUniformItemSizes(True)
        self._failed.setTextElideMode(Qt.TextElideMode.ElideRight)
        buttons = QHBoxLayout()
        buttons.addWidget(self._summary, 1)
        buttons.addWidget(self._update)
        buttons.addWidget(add)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 18)
        layout.setSpacing(12)
        layout.addWidget(self.notice)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self._scroll, 3)
        failed_line = QHBoxLayout()
        failed_line.addWidget(self._failed_title, 1)
        failed_line.addWidget(self._retry)
        layout.addLayout(failed_line)
        layout.addWidget(self._failed, 2)
        layout.addLayout(buttons)
        add.setDefault(True)

    @property
    def rows(self) -> tuple[FolderRow, ...]:
        return tuple(self._rows.values())

    def show_state(self, status: Status, failures: tuple[Failure, ...]) -> None:
        for gone in self._rows.keys() - {folder.id for folder in status.folders}:
            self._rows.pop(gone).deleteLater()
        for place, folder in enumerate(status.folders):
            if folder.id in self._rows:
                self._rows[folder.id].show_folder(folder)
            else:
                row = FolderRow(folder)
                row.removed.connect(self.removed)
                row.rules_wanted.connect(self.rules_wanted)
                self._rows[folder.id] = row
                self._lines.insertWidget(place, row)
        has_folders = bool(status.folders)
        self._empty.setVisible(not has_folders)
        self._scroll.setVisible(has_folders)
        self._update.setVisible(has_folders)
        counts = (texts.documents(status.documents), texts.passages(status.passages))
        self._summary.setText(" · ".join(counts) if has_folders else "")
        self._failures.show_failures(failures)
        self._failed_title.setText(
            self.tr("Could not be read ({0})").format(texts.number(len(failures)))
        )
        self._failed_title.setVisible(bool(failures))
        self._retry.setVisible(bool(failures))
        self._failed.setVisible(bool(failures))


def ask_for_folder(parent: QWidget) -> QFileDialog:
    """Open the system's dialog for choosing a folder; it tells by its `fileSelected`."""
    title = QCoreApplication.translate("FoldersDialog", "Add a folder")
    dialog = QFileDialog(parent, title, str(Path.home()))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog
