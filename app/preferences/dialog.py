"""The settings: each holds as soon as it is chosen, but what takes long is told before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.background import Latest
from app.errors import notice_of
from app.preferences.index_page import IndexPage
from app.preferences.pages import DesktopPage, RecognitionPage, SettingsPage
from app.translation import own_names, said
from app.widgets.controls import note
from app.widgets.notices import NoticeBar
from app.widgets.window_geometry import open_within_screen, scrolled
from core.daemon_client.protocol import has_sockets
from core.settings import PreferencesPage, Settings, change_settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.background import Task
    from app.session import Session
    from app.theme import Appearance
    from core.catalog.documents import Failure
    from core.catalog.reports import Status
    from core.library.library import Library
    from core.progress import Job

_SIZE: Final = (640, 600)


@dataclass(frozen=True, slots=True)
class _SettingsState:
    """What is set, what of it is there, and what confines reading here.

    Attributes:
        settings: as they are in their file.
        recognises: whether text recognition is installed.
        walls: what confines reading, in words.
    """

    settings: Settings
    recognises: bool
    walls: str


class SettingsDialog(QDialog):
    """Four pages; stays open beside the window."""

    changed = Signal()
    """Something was written."""
    chosen = Signal(str, object)
    """The setting of this name has this value from now on."""

    def __init__(
        self, session: Session, path: Path, appearance: Appearance, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self._session = session
        self._path = path
        self._changing = 0
        self.notice = NoticeBar()
        self.general = SettingsPage(PreferencesPage.GENERAL)
        self.general.offer("language", list(own_names()))
        self.walls = note()
        self.general.lines.addRow(self.tr("Reading:"), self.walls)
        self.general.switches["service"].setEnabled(has_sockets())
        self.desktop = DesktopPage(appearance)
        self.recognition = RecognitionPage()
        for page in (self.general, self.desktop, self.recognition):
            page.chosen.connect(self.choose)
        self.index = IndexPage(session.reads, self)
        self.index.chosen.connect(self._choose)
        self.index.taken_back.connect(self._take_back)
        self.index.failed.connect(self.show_error)
        self.pages = QTabWidget()
        self.pages.setDocumentMode(True)
        self.pages.addTab(scrolled(self.general), self.tr("&General"))
        self.pages.addTab(scrolled(self.desktop), self.tr("&Desktop"))
        self.pages.addTab(scrolled(self.index), self.tr("&Index"))
        self.pages.addTab(scrolled(self.recognition), self.tr("&Text recognition"))
        close = QDialogButtonBox()
        close.addButton(self.tr("Cl&ose"), QDialogButtonBox.ButtonRole.RejectRole)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 18)
        layout.setSpacing(14)
        layout.addWidget(self.notice)
        layout.addWidget(self.pages, 1)
        layout.addWidget(close)
        open_within_screen(self, *_SIZE)
        self._looking = Latest(session.reads, self, self._show, self.show_error)
        session.opened.connect(self._use)
        session.state_changed.connect(self._show_state)
        session.sync_progressed.connect(self.index.show_progress)

    @property
    def home(self) -> Path:
        """The folder of the library whose settings these are."""
        return self._path.parent

    def open_anew(self) -> None:
        """Show what is set at this moment, which the command line may have changed."""
        self._look()
        self.index.open_anew()
        self.show()
        self.raise_()
        self.activateWindow()

    def _use(self, library: Library) -> None:
        self.index.use(library)
        if self.isVisible():
            self.index.open_anew()

    def _look(self) -> None:
        # What is read before a choice is written would take back, on the page, what was clicked.
        if not self._changing:
            self._looking.start(partial(_settings_state, self._path))

    def _show(self, found: _SettingsState) -> None:
        for page in (self.general, self.desktop):
            page.show_settings(found.settings)
        self.walls.setText(said(found.walls))
        self.recognition.show_choice(found.settings, is_installed=found.recognises)

    def _show_state(self, status: Status, _failures: tuple[Failure, ...]) -> None:
        self.index.show_status(status)
        if self.isVisible():
            self.index.refresh()

    def heed(self, name: str, settings: Settings, take: Callable[[Any], object]) -> None:
        """Have a part of the window take a setting: its value now, and each that is chosen later.

        Args:
            name: of a setting that `chosen` tells of; colours and sizes are told by `Appearance`.
            settings: those that the window begins with.
            take: is given the values.
        """
        take(getattr(settings, name))
        self.chosen.connect(lambda chosen, value: take(value) if chosen == name else None)

    def choose(self, name: str, value: Any) -> None:
        """Have a setting hold, and tell whoever heeds it."""
        self._choose({name: value})
        self.chosen.emit(name, value)

    def _choose(self, changes: dict[str, Any]) -> None:
        """Have settings hold; before the library is open they are written, and hold from then."""
        task = self._session.change(lambda library, _job: library.choosing.choose(**changes))
        if task is None:
            task = self._session.reads.start(lambda _job: change_settings(self._path, **changes))
        task.succeeded.connect(lambda _: self.changed.emit())
        self._follow(task)

    def _take_back(self) -> None:
        task = self._session.change(lambda library, _job: library.choosing.take_back())
        if task is not None:
            self._follow(task)

    def _follow(self, task: Task) -> None:
        """Show what is set once this change, and any that was begun meanwhile, has ended."""
        self.notice.clear()
        self._looking.drop()
        self._changing += 1
        task.failed.connect(self.show_error)
        for end in (task.succeeded, task.failed, task.cancelled):
            end.connect(self._look_again)

    def _look_again(self) -> None:
        self._changing -= 1
        self._look()
        self.index.open_anew()

    def show_error(self, error: Exception) -> None:
        self.notice.show_notice(notice_of(error))

    # Qt's names

    def done(self, result: int) -> None:
        self.index.leave()
        super().done(result)


def _settings_state(path: Path, _job: Job) -> _SettingsState:
    # Not before the window shows: some of it loads numpy.
    from core.documents.pages.recognition import is_installed
    from core.documents.sandbox.confinement import in_words

    return _SettingsState(load_settings(path).settings, is_installed(), in_words())
