"""The library: its folders, what could not be read, what is left out, and its upkeep."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.background import Latest
from app.errors import notice_of
from app.library.failures import FailuresPage
from app.library.folders_page import FoldersPage
from app.library.left_out_page import LeftOutPage
from app.library.status_strips import ProgressStrip
from app.library.upkeep_page import UpkeepPage
from app.widgets.notices import NoticeBar
from app.widgets.window_geometry import open_within_screen

if TYPE_CHECKING:
    from app.engine import Engine
    from app.session import Session
    from core.catalog.documents import Failure
    from core.catalog.reports import Status, SyncReport

_SIZE: Final = (760, 560)


class FoldersDialog(QDialog):
    """Four pages, and how far reading has come; stays open beside the window."""

    add_wanted = Signal()
    removed = Signal(object)
    rules_wanted = Signal(object)
    """The person wants to see or change what is left out of a Folder."""
    update_wanted = Signal()
    retry_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Library"))
        open_within_screen(self, *_SIZE)
        self._engine: Engine | None = None
        self.notice = NoticeBar()
        self.folders = FoldersPage()
        self.folders.add_wanted.connect(self.add_wanted)
        self.folders.update_wanted.connect(self.update_wanted)
        self.folders.removed.connect(self.removed)
        self.folders.rules_wanted.connect(self.rules_wanted)
        self.failures = FailuresPage()
        self.failures.retry_wanted.connect(self.retry_wanted)
        self.left_out = LeftOutPage()
        self.upkeep = UpkeepPage(session)
        self.upkeep.failed.connect(lambda error: self.notice.show_notice(notice_of(error)))
        self.pages = QTabWidget()
        self.pages.setDocumentMode(True)
        self.pages.addTab(self.folders, self.tr("&Folders"))
        self.pages.addTab(self.failures, "")
        self.pages.addTab(self.left_out, self.tr("Left &out"))
        self.pages.addTab(self.upkeep, self.tr("Up&keep"))
        self._name_failures(0)
        self.progress = ProgressStrip()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 14)
        layout.setSpacing(10)
        layout.addWidget(self.notice)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.progress)
        self._sharing = Latest(session.reads, self)
        self._sharing.succeeded.connect(self.folders.show_shares)
        self._sharing.failed.connect(lambda error: self.notice.show_notice(notice_of(error)))
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

    def show_state(self, status: Status, failures: tuple[Failure, ...]) -> None:
        self.folders.show_status(status)
        self.failures.show_failures(failures)
        self._name_failures(len(failures))
        # It looks at every passage: where nobody sees it, and while it is at it, it is not done.
        if self.isVisible() and not self._sharing.is_running:
            self._share()

    def _use(self, engine: Engine) -> None:
        self._engine = engine

    def _share(self) -> None:
        if self._engine is not None:
            engine = self._engine
            self._sharing.start(lambda _job: engine.shares())

    def _show_synced(self, report: SyncReport) -> None:
        self.progress.end()
        if report.is_whole:
            self.left_out.show_counts(report.left_out)

    def _name_failures(self, count: int) -> None:
        name = self.tr("Could &not be read")
        self.pages.setTabText(1, f"{name} ({texts.number(count)})" if count else name)


def ask_for_folder(parent: QWidget) -> QFileDialog:
    """Open the system's dialog for choosing a folder; it tells by its `fileSelected`."""
    title = QCoreApplication.translate("FoldersDialog", "Add a folder")
    dialog = QFileDialog(parent, title, str(Path.home()))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog
