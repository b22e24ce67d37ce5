"""The settings dialog. Settings apply immediately, except those that rebuild the index."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QTabWidget, QWidget

from app.background import Latest, Task
from app.errors import notice_of
from app.preferences.index_controls import IndexControls
from app.preferences.pages import AdvancedPage, AppearancePage, IndexingPage, SearchPage
from app.translation import translated
from app.widgets.controls import close_box
from app.widgets.layouts import fill, vertical
from app.widgets.notices import NoticeBar
from app.widgets.window_geometry import bring_forward, open_within_screen, scrolled
from core.settings import Settings, change_settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.session import Session
    from app.theme import Appearance
    from core.catalog.reports import Status
    from core.library.library import Library
    from core.progress import Job

_SIZE: Final = (640, 600)


@dataclass(frozen=True, slots=True)
class _SettingsState:
    """The settings and facts of this machine that the dialog shows.

    Attributes:
        settings: the settings in their file.
        recognises: whether text recognition is installed.
        sandbox: a description of the sandbox for reading.
    """

    settings: Settings
    recognises: bool
    sandbox: str


class SettingChanges(QObject):
    """Applies and writes settings that the person changes, and announces them."""

    # The setting of this name has this value now.
    chosen = Signal(str, object)
    started = Signal()
    ended = Signal()
    failed = Signal(object)

    def __init__(self, session: Session, path: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.path = path
        self._running = 0

    @property
    def is_running(self) -> bool:
        """Whether a change is being applied."""
        return self._running > 0

    def subscribe(self, name: str, settings: Settings, take: Callable[[Any], object]) -> None:
        """Call `take` with a setting's value now, and with each value that is chosen later.

        Colours and sizes of text are announced by `Appearance` instead.
        """
        take(getattr(settings, name))
        self.chosen.connect(lambda chosen, value: take(value) if chosen == name else None)

    def choose(self, name: str, value: Any) -> None:
        """Apply a setting, and announce it."""
        self.apply({name: value})
        self.chosen.emit(name, value)

    def apply(self, changes: dict[str, Any]) -> None:
        """Apply settings; before the library is open they are only written."""
        task = self._session.change(lambda library, _job: library.choosing.choose(**changes))
        if task is None:
            task = self._session.reads.start(lambda _job: change_settings(self.path, **changes))
        self._follow(task)

    def take_back(self) -> None:
        """Keep the index that is in use instead of building the one that was chosen."""
        task = self._session.change(lambda library, _job: library.choosing.take_back())
        if task is not None:
            self._follow(task)

    def _follow(self, task: Task) -> None:
        self._running += 1
        self.started.emit()
        task.failed.connect(self.failed)
        for end in (task.succeeded, task.failed, task.cancelled):
            end.connect(self._end)

    def _end(self) -> None:
        self._running -= 1
        self.ended.emit()


class SettingsDialog(QDialog):
    """Four pages, by task; stays open next to the window."""

    def __init__(
        self, session: Session, changes: SettingChanges, appearance: Appearance, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self._changes = changes
        self.notice = NoticeBar()
        self.index = IndexControls(session.reads, self)
        self.appearance = AppearancePage(appearance)
        self.search = SearchPage(self.index)
        self.indexing = IndexingPage()
        self.advanced = AdvancedPage(self.index)
        for page in (self.appearance, self.indexing, self.advanced):
            page.chosen.connect(changes.choose)
        self.index.chosen.connect(changes.apply)
        self.index.current_kept.connect(changes.take_back)
        self.index.failed.connect(self.show_error)
        self.pages = QTabWidget(documentMode=True)
        self.pages.addTab(scrolled(self.appearance), self.tr("Appeara&nce"))
        self.pages.addTab(scrolled(self.search), self.tr("Searc&h"))
        self.pages.addTab(scrolled(self.indexing), self.tr("&Indexing"))
        self.pages.addTab(scrolled(self.advanced), self.tr("A&dvanced"))
        close = close_box(self, self.tr("Cl&ose"))
        layout = vertical(self, margins=(20, 20, 20, 18), spacing=14)
        fill(layout, self.notice, (self.pages, 1), self.index.bar, close)
        open_within_screen(self, *_SIZE)
        self._loading = Latest(session.reads, self, self._show, self.show_error)
        session.opened.connect(self._use)
        session.state_changed.connect(self._show_status)
        session.sync_progressed.connect(self.index.show_progress)
        changes.started.connect(self._prepare_change)
        changes.ended.connect(self._reload)
        # The dialog is built on first use, after these signals were emitted.
        if session.library is not None:
            self.index.use(session.library)
        if session.state is not None:
            self.index.show_status(session.state)

    def present(self) -> None:
        """Show the dialog with the current settings, which the command line may have changed."""
        self._load()
        self.index.reload()
        bring_forward(self)

    def _use(self, library: Library) -> None:
        self.index.use(library)
        if self.isVisible():
            self.index.reload()

    def _load(self) -> None:
        # Settings that are read before a choice is written would undo it on the page.
        if not self._changes.is_running:
            self._loading.start(partial(_settings_state, self._changes.path))

    def _show(self, state: _SettingsState) -> None:
        for page in (self.appearance, self.advanced):
            page.show_settings(state.settings)
        self.indexing.show_choices(state.settings, can_recognise=state.recognises)
        self.advanced.sandbox.setText(translated(state.sandbox))

    def _show_status(self, status: Status) -> None:
        self.index.show_status(status)
        if self.isVisible():
            self.index.refresh()

    def _prepare_change(self) -> None:
        self.notice.clear()
        self._loading.drop()

    def _reload(self) -> None:
        self._load()
        self.index.reload()

    def show_error(self, error: Exception) -> None:
        self.notice.show_notice(notice_of(error))

    # Qt's names

    def done(self, result: int) -> None:
        self.index.leave()
        super().done(result)


def _settings_state(path: Path, _job: Job) -> _SettingsState:
    # Imported after the window is shown: some of it loads numpy.
    from core.documents.pages.recognition import is_installed
    from core.documents.sandbox.confinement import in_words

    return _SettingsState(load_settings(path).settings, is_installed(), in_words())
