"""The main window: creates its parts and connects them.

It is on screen and accepts input before most parts are imported: `_build_parts` imports what it
needs.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QKeyCombination, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QMainWindow,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.errors import notice_of
from app.library.status_strips import ProgressStrip, StatusLine
from app.main_menu import MainMenu
from app.reader.controls import EVERYWHERE, command_of
from app.search.box import SearchBox
from app.theme import Appearance
from app.translation import translated
from app.widgets.icons import IconButton
from app.widgets.notices import EmptyState, Notice, NoticeBar
from app.widgets.window_geometry import DialogSizes, open_within_screen, resize_dialogs
from core.daemon_client.protocol import existing_addresses
from core.errors import LibraryDamagedError
from core.printable import quoted
from core.progress import Stage
from core.settings import LoadedSettings, Settings, change_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PySide6.QtWidgets import QMenu

    from app.library.folders_dialog import FoldersDialog
    from app.preferences.dialog import SettingsDialog
    from app.search.rows import Answer, PassageRow
    from app.theme import ThemeSwitch
    from core.catalog.reports import Status
    from core.library.library import Library
    from core.progress import Job
    from core.requests import Answerer
    from core.responses import DocumentHit


_UNPAINTED_MS: Final = 500
# How long building the window waits for the first results, in milliseconds.
_FIRST_RESULTS_MS: Final = 400
_MARK_RIGHT: Final = QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_D)


class MainWindow(QMainWindow):
    """Winnow's only window. It is shown immediately; the library opens in the background."""

    # All work has ended and the library is closed: the program can quit.
    closed = Signal()
    preferences_built = Signal()
    # All parts are built.
    furnished = Signal()

    def __init__(
        self,
        open_library: Callable[[], Library],
        loaded: LoadedSettings,
        settings_path: Path,
        theme: ThemeSwitch,
        folders: Sequence[Path] = (),
        *,
        is_whole: bool = True,
    ) -> None:
        """Build the window with all parts, or only those that are visible first.

        The others are then built one by one once the window is on screen, so that it appears
        sooner and stays responsive; `furnished` is emitted at the end.
        """
        super().__init__()
        self._settings_path = settings_path
        self.appearance = Appearance(theme, loaded.settings, self)
        self.sizes = DialogSizes(loaded.settings.dialog_sizes, self)
        self._dismissed_notice = ""
        self._library: Library | None = None
        self._is_closed = False
        self._folders: FoldersDialog | None = None
        self._preferences: SettingsDialog | None = None
        # Whether closing the window only hides it instead of quitting the program.
        self.stays_when_closed: Callable[[], bool] = bool
        self.setWindowTitle("Winnow")
        self.box = SearchBox()
        self.trouble = NoticeBar()
        self.remark = NoticeBar()
        self.status_line = StatusLine()
        self._lay_out()
        self._restore_geometry(loaded.settings)
        self.box.setFocus()
        self._is_whole = self._is_building = self._is_closed_early = False
        # Keys pressed for the menu before it is built.
        self._early_keys: list[QKeyCombination] = []
        # Nothing else is built while the first results are pending.
        self._first_results_timer = QTimer(self, singleShot=True, interval=_FIRST_RESULTS_MS)
        self._first_results_timer.timeout.connect(self._build_next)
        self._parts = self._build_parts(open_library, loaded, folders)
        if is_whole:
            for _ in self._parts:
                pass
        else:
            # The window may never be painted: it may be minimised or on another desktop.
            QTimer.singleShot(_UNPAINTED_MS, self, self._begin_building)

    def _build_parts(
        self,
        open_library: Callable[[], Library],
        loaded: LoadedSettings,
        folders: Sequence[Path],
    ) -> Iterator[None]:
        """Build the remaining parts, in short steps, so that typing stays responsive."""
        from app.desktop.opening import Opener
        from app.session import Session

        self.session = Session(open_library, self)
        self.opener = Opener(self.session.files, self)
        yield
        from app.search.chips import ChipRow
        from app.search.searcher import Aligner, Searcher

        self.chips = ChipRow()
        yield
        from app.search.results_view import ResultsView

        results = ResultsView()
        yield
        from app.main_view import MainView

        yield
        self.main_view = MainView(results)
        self.searcher = Searcher(self.session.reads, lambda: results.answer, self)
        self.aligner = Aligner(self.session.reads, results.in_view, self)
        yield
        from app.search_tools import SearchTools

        self.tools = SearchTools(
            self.session, self.searcher, self.box, self.filters_button, self.main_view, self
        )
        self._lay_out_view()
        self._connect_answers()
        self._restore(loaded)
        self._search_first()
        yield
        from app.reader.reader import ReaderView

        yield
        reader = ReaderView(self.session.files)
        yield
        self.main_view.take_reader(reader)
        self.tools.take_reader(reader)
        yield
        from app.teaching.teaching import TeachingController

        self.teaching = TeachingController(self.session, results, self)
        self.teaching.learned.connect(self.searcher.refresh)
        self.teaching.failed.connect(self._show_trouble)
        self.progress = ProgressStrip()
        yield
        from app.folder_actions import FolderActions
        from app.library.adding import Adding, DropOverlay
        from app.library.model_offer import ModelOffer, ModelOfferStrip
        from app.library.other_libraries import OtherLibraries

        self.others = OtherLibraries(self.session, self._settings_path.parent, self)
        self.adding = Adding(self.session, self.sizes, self, self._front)
        self.folder_actions = FolderActions(self.session, self.opener, self)
        DropOverlay(self).dropped.connect(self.adding.add)
        self.model_offer = ModelOfferStrip()
        self._head.addWidget(self.model_offer)
        offer = ModelOffer(self.session, self.model_offer, self)
        self.searcher.answered.connect(offer.look_at)
        self.searcher.outdated.connect(offer.forget_query)
        yield
        from app.inspector.opener import InspectorOpener
        from app.library.model_offer import ACCEPTED, DECLINED
        from app.preferences.dialog import SettingChanges

        yield
        self.settings = SettingChanges(self.session, self._settings_path, self)
        self.settings.failed.connect(lambda error: self.preferences.show_error(error))
        self.adding.settings_chosen.connect(self.settings.apply)
        self.model_offer.accepted.connect(lambda: self.settings.apply(ACCEPTED))
        self.model_offer.declined.connect(lambda: self.settings.apply(DECLINED))
        self.inspector = InspectorOpener(self.session.reads, results, self.sizes, self)
        self.sizes.hold(self.teaching.dialog, "teaching")
        yield
        self._connect_search()
        self._connect_session()
        self._connect_folders()
        self._lay_out_parts()
        self.session.add_folders(list(folders))
        self._is_whole = True

    def _begin_building(self) -> None:
        if not self._is_building:
            self._is_building = True
            self._build_next()

    def _build_next(self) -> None:
        """Build the next part, and process events in between."""
        for _ in self._parts:
            if not self._first_results_timer.isActive():
                QTimer.singleShot(0, self, self._build_next)
            return
        self.furnished.emit()
        for keys in self._early_keys:
            self._menu.do(keys)
        if self._is_closed_early:
            self.close()

    def _search_first(self) -> None:
        """Search for text that was typed already before building more, if that is possible."""
        self.searcher.use_catalog(self._settings_path.parent)
        if not (typed := self.box.text()):
            return
        # The parts that follow the box were built after the text was typed.
        self.box.changed.emit(typed)
        self.searcher.ask_now()
        if not self._is_whole and self.searcher.is_waiting:
            self._first_results_timer.start()

    def _continue_building(self) -> None:
        """Continue building once the first results are painted."""
        if self._first_results_timer.isActive():
            self._first_results_timer.stop()
            # After the lists are laid out.
            QTimer.singleShot(0, self, self._paint_answer)

    def _paint_answer(self) -> None:
        self.main_view.repaint()
        self._build_next()

    def start(self) -> None:
        """Open the library. Call it once the window is on screen."""
        self.session.open()

    def quit(self) -> None:
        """Hide the window, end all work, close the library, then emit `closed`."""
        geometry = self._geometry()
        # Also closes open dialogs, which stores their sizes.
        self.put_away()
        left, path = {**geometry, **self._choices()}, self._settings_path

        def save(_job: Job) -> None:
            self.others.end()
            change_settings(path, **left)

        self.session.close(save)

    def put_away(self) -> None:
        """Hide the window and cancel its open dialogs."""
        self.adding.leave()
        for dialog in self.findChildren(QDialog):
            if dialog.isVisible():
                dialog.close()
        self.hide()

    @property
    def is_closed(self) -> bool:
        return self._is_closed

    # The two dialogs that cost most time are built on first use.

    @property
    def folders(self) -> FoldersDialog:
        """The dialog on the library."""
        if self._folders is None:
            self._folders = self._build_folders()
        return self._folders

    @property
    def preferences(self) -> SettingsDialog:
        """The dialog with the settings."""
        if self._preferences is None:
            from app.preferences.dialog import SettingsDialog

            self._preferences = SettingsDialog(self.session, self.settings, self.appearance, self)
            self.sizes.hold(self._preferences, "settings")
            self.preferences_built.emit()
        return self._preferences

    @property
    def existing_preferences(self) -> SettingsDialog | None:
        """The dialog with the settings if it has been built."""
        return self._preferences

    def _build_folders(self) -> FoldersDialog:
        from app.library.folders_dialog import FoldersDialog

        dialog = FoldersDialog(self.session, self)
        dialog.progress.copy(self.progress)
        self.sizes.hold(dialog, "folders")
        dialog.add_wanted.connect(self.adding.ask)
        dialog.rules_wanted.connect(self.adding.change)
        dialog.removed.connect(self.session.remove_folder)
        dialog.update_wanted.connect(self.session.sync)
        dialog.files.recognition_wanted.connect(partial(self.settings.choose, "ocr", value=True))
        dialog.files.menu_built.connect(self.folder_actions.add_to)
        dialog.file_wanted.connect(self.opener.open_folder)
        dialog.folders.menu_wanted.connect(
            lambda folder, point: self.folder_actions.show_menu(folder, point, dialog)
        )
        page = dialog.others
        page.add_wanted.connect(self._ask_for_library)
        page.connect_wanted.connect(self._ask_for_library)
        page.removed.connect(self.others.remove)
        page.switched.connect(self.others.switch)
        page.update_wanted.connect(self.others.refresh)
        self.others.changed.connect(page.show_states)
        self.others.emit_states()
        return dialog

    def _front(self) -> QWidget:
        """Return the window, or the dialog on the library while that is open."""
        if self._folders is not None and self._folders.isVisible():
            return self._folders
        return self

    def _lay_out(self) -> None:
        """Lay out the first parts, with a hint at the centre that the library is opening."""
        self.filters_button = IconButton("filter", self.tr("Filters (F9)"))
        self._folders_button = IconButton("folder", self.tr("Library"))
        self._folders_button.setText(self.tr("Library"))
        self._folders_button.setProperty("labelled", "true")
        self._folders_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._more = IconButton("more", self.tr("Menu"))
        self._more.setPopupMode(self._more.ToolButtonPopupMode.InstantPopup)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.filters_button)
        line.addWidget(self.box, 1)
        line.addWidget(self._folders_button)
        line.addWidget(self._more)
        self._head = QVBoxLayout()
        self._head.setContentsMargins(14, 16, 14, 14)
        self._head.setSpacing(10)
        self._head.addLayout(line)
        self._head.addWidget(self.trouble)
        self._head.addWidget(self.remark)
        # Styled like the main view.
        self._opening = QWidget()
        self._opening.setObjectName("body")
        self._opening.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        opening_hint = EmptyState()
        opening_hint.say("search", *texts.opening())
        QVBoxLayout(self._opening).addWidget(opening_hint)
        center = QWidget()
        self._column = QVBoxLayout(center)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(self._head)
        self._column.addWidget(self._opening, 1)
        self._column.addWidget(self.status_line)
        self.setCentralWidget(center)

    def _lay_out_view(self) -> None:
        """Lay out the parts that show results."""
        self._head.insertWidget(1, self.chips)
        self.chips.follow(self._more)
        self._column.replaceWidget(self._opening, self.main_view)
        self._opening.hide()
        self._opening.deleteLater()

    def _lay_out_parts(self) -> None:
        """Lay out the remaining parts."""
        self._menu = self._make_menu()
        self._more.setMenu(self._menu)
        self._head.addWidget(self.teaching.bar)
        # In the place of the library's figures while it is visible.
        self.status_line.add_progress(self.progress)
        for keys in ("Ctrl+F", "Ctrl+L"):
            QShortcut(QKeySequence(keys), self, self.box.select)
        self.appearance.changed.connect(self._save_choices)
        self.appearance.scaled.connect(resize_dialogs)
        self.sizes.changed.connect(self._save_choices)

    def _make_menu(self) -> MainMenu:
        menu = MainMenu(self.appearance, self)
        menu.add_heading(self.tr("Library"))
        menu.add(self.tr("Add folder…"), self.adding.ask)
        menu.add(self.tr("Library…"), self._show_folders)
        menu.add(self.tr("Update now"), self.session.sync, "F5")
        menu.add(self.tr("Teach Winnow…"), self.teaching.show_dialog)
        menu.add_heading(self.tr("View"))
        menu.add(self.tr("Why this result?"), self.inspector.open, "Ctrl+I")
        menu.add_appearance()
        menu.add_heading(self.tr("Help"))
        menu.add(self.tr("Guide"), self._open_guide, "F1")
        menu.add(self.tr("Search tips"), self.box.help_wanted.emit)
        menu.add(self.tr("Keyboard shortcuts"), self._show_shortcuts)
        menu.add(self.tr("About Winnow"), self._show_about)
        menu.addSeparator()
        menu.add(self.tr("Settings…"), lambda: self.preferences.present(), "Ctrl+,")
        menu.add(self.tr("Quit"), self.quit, QKeySequence.StandardKey.Quit)
        return menu

    def _connect_answers(self) -> None:
        """Connect search and results."""
        self.box.changed.connect(self._ask)
        if existing_addresses(home := self._settings_path.parent):
            # The service answers while the library opens and its model loads.
            self.searcher.use_service(home)
        self.searcher.answered.connect(self._show_answer)
        self.searcher.settled.connect(self._show_reranked)
        self.searcher.failed.connect(self._show_search_error)
        self.searcher.outdated.connect(self.aligner.drop)
        for signal in (self.searcher.answered, self.searcher.failed, self.searcher.unanswered):
            signal.connect(self._continue_building)
        self.aligner.aligned.connect(self._show_lights)
        self.aligner.failed.connect(self._show_search_error)
        self.remark.dismissed.connect(self._dismiss_notice)
        self.tools.changed.connect(self._save_choices)
        self.tools.failed.connect(self._show_trouble)
        self.tools.actions.written.connect(self.trouble.show_notice)

    def _connect_search(self) -> None:
        results, reader = self.main_view.results, self.main_view.reader
        self.box.left_downwards.connect(self._go_to_results)
        self.box.entered.connect(partial(self._open_current, is_folder=False))
        self.box.entered_for_folder.connect(partial(self._open_current, is_folder=True))
        self.session.has_pending_search = lambda: self.searcher.is_waiting
        for signal in (self.searcher.answered, self.searcher.failed):
            signal.connect(self.session.begin)
        results.view_moved.connect(self.aligner.look)
        self.chips.pointed.connect(self.main_view.show_only)
        for signal in (results.why_wanted, reader.header.why_wanted):
            signal.connect(self.inspector.open)
        results.left_upwards.connect(self.box.setFocus)
        results.typed.connect(self.box.type_on)
        self.main_view.named.opened.connect(self.opener.open)
        self.main_view.start_lists.document_opened.connect(self._open_listed)
        for view in (results, reader):
            view.document_opened.connect(self._open_document)
            view.folder_opened.connect(self._open_folder)
        self.opener.failed.connect(self.trouble.show_notice)

    def _connect_session(self) -> None:
        session = self.session
        session.opened.connect(self._use)
        session.open_failed.connect(self._show_problem)
        session.warmed.connect(self.searcher.use_meaning)
        session.warmed.connect(partial(self.status_line.show_model, is_warm=True, is_coming=False))
        session.not_warmed.connect(partial(self.searcher.use_service, None))
        session.not_warmed.connect(
            partial(self.status_line.show_model, is_warm=False, is_coming=False)
        )
        session.recovered.connect(self._remove_trouble)
        session.state_changed.connect(self._show_status)
        session.grown.connect(self.searcher.refresh)
        session.sync_started.connect(self.progress.start)
        session.sync_started.connect(partial(self.main_view.show_stage, Stage.SCANNING))
        session.sync_progressed.connect(self.progress.show_progress)
        session.sync_progressed.connect(lambda now: self.main_view.show_stage(now.stage))
        session.synced.connect(lambda _: self.progress.end())
        session.sync_stopped.connect(self.progress.show_stopped)
        session.synced.connect(lambda _: self.main_view.show_stage(None))
        session.sync_stopped.connect(partial(self.main_view.show_stage, None))
        session.failed.connect(self._show_trouble)
        session.closed.connect(self._end)
        self.status_line.news_wanted.connect(lambda: self.folders.show_news())
        self.progress.cancelled.connect(session.cancel_sync)
        self.progress.resumed.connect(session.sync)

    def _connect_folders(self) -> None:
        self._folders_button.clicked.connect(self._show_folders)
        actions = self.folder_actions
        self.main_view.filters.folder_menu_wanted.connect(
            lambda folder, point: actions.show_menu(folder, point, self)
        )
        self.main_view.results.menu_built.connect(self._add_folder_actions)
        actions.only_wanted.connect(self._search_only)
        actions.removal_wanted.connect(self._ask_removal)
        actions.excluded.connect(self._show_notice)
        self.others.opened.connect(self._use_all)
        self.others.renewed.connect(self.session.grown)
        self.others.failed.connect(self._show_trouble)
        self.main_view.add_wanted.connect(self.adding.ask)
        self.main_view.retry_wanted.connect(self._try_again)
        self.main_view.beginning_wanted.connect(self._replace_library)

    def _restore_geometry(self, settings: Settings) -> None:
        geometry = QByteArray.fromBase64(settings.window_geometry.encode("ascii", "replace"))
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            open_within_screen(self, 1240, 800)

    def _restore(self, loaded: LoadedSettings) -> None:
        settings = loaded.settings
        self.main_view.arrangement.set_widths(settings.splitter)
        self.tools.restore(settings)
        if loaded.problem:
            self.trouble.show_notice(Notice(translated(loaded.problem)))

    def _geometry(self) -> dict[str, object]:
        """Return the geometry of the window as settings."""
        geometry = bytes(self.saveGeometry().toBase64().data()).decode("ascii")
        return {
            "window_geometry": geometry,
            "splitter": self.main_view.arrangement.widths,
        }

    def _choices(self) -> dict[str, object]:
        """Return the choices made in the window as settings."""
        return {
            **self.appearance.as_settings(),
            **self.tools.as_settings(),
            **self.sizes.as_settings(),
        }

    def _save_choices(self) -> None:
        """Write the choices immediately, without waiting for the window to close."""
        choices, path = self._choices(), self._settings_path
        task = self.session.reads.start(lambda _job: change_settings(path, **choices))
        task.failed.connect(self._show_trouble)

    # The library

    def _use(self, library: Library) -> None:
        self._library = library
        self.main_view.show_problem("")
        self.main_view.reader.use(library)
        self.inspector.use(library)
        self.aligner.use(library)
        self.searcher.use(library, is_alone=True)

    def _use_all(self, libraries: Answerer) -> None:
        """Search and read the own library together with others."""
        self.tools.use(libraries)
        self.main_view.reader.use(libraries)
        self.inspector.use(libraries)
        self.aligner.use(libraries)
        # The service only knows the own library.
        self.searcher.use_service(None)
        self.searcher.use(libraries, is_alone=False)

    def _ask_for_library(self, address: str = "") -> None:
        from app.library.other_libraries import AddLibraryDialog

        AddLibraryDialog(self.others, self.folders, address).open()

    def _show_problem(self, error: Exception) -> None:
        notice = notice_of(error)
        self.main_view.show_problem(notice.text, is_damaged=isinstance(error, LibraryDamagedError))
        if notice.report:
            self.trouble.show_notice(notice)

    def _replace_library(self) -> None:
        from app.session import replace_library

        self.main_view.show_problem("")
        self.trouble.clear()
        self.session.replace_library(partial(replace_library, self._settings_path.parent))

    def _try_again(self) -> None:
        self.main_view.show_problem("")
        self.trouble.clear()
        self.session.open()

    def _show_status(self, status: Status) -> None:
        self.main_view.show_status(status)
        self.status_line.show_status(status)
        if self._folders is not None:
            self._folders.show_status(status)

    def _show_trouble(self, error: Exception) -> None:
        self._show_notice(notice_of(error))

    def _show_notice(self, notice: Notice) -> None:
        """Show a notice in the window, or in the dialog on the library while that is open."""
        (self.trouble if self._front() is self else self.folders.notice).show_notice(notice)

    def _add_folder_actions(self, menu: QMenu, row: PassageRow) -> None:
        if not row.document.is_elsewhere:
            document = row.document
            self.folder_actions.add_to(menu, (document.file or document.path).parent)

    def _search_only(self, folder: Path) -> None:
        self.tools.filtering.choose_only(folder)
        self.activateWindow()
        self.raise_()

    def _ask_removal(self, folder: Path) -> None:
        self._show_folders()
        self.folders.ask_removal_of(folder)

    def _remove_trouble(self, error: Exception) -> None:
        """Remove the notice of an error whose cause is gone."""
        bars = [self.trouble, *([] if self._folders is None else [self._folders.notice])]
        for bar in bars:
            if bar.notice == notice_of(error):
                bar.clear()

    def _retry(self) -> None:
        """Repeat what failed: while the window was inactive, the person may have solved it."""
        if self._is_whole and not self._is_closed:
            self.session.retry_model()
            self.searcher.retry()

    def _show_folders(self) -> None:
        self.others.emit_states()
        self.folders.present()

    # Searching

    def _ask(self, query: str) -> None:
        self.searcher.ask(query)
        self.main_view.show_query(query)
        if not query.strip():
            self.chips.clear()
            self.remark.clear()
            self.status_line.clear_answer()

    def _show_answer(self, answer: Answer) -> None:
        from app.search.rows import with_earlier_highlights

        if (before := self.main_view.results.answer) is not None:
            # Keeps highlights that arrived during this search.
            answer = with_earlier_highlights(answer, before)
        self.chips.show_answer(answer)
        self.status_line.show_answer(answer)
        is_whole = len(answer.documents) < self.searcher.limit
        self.main_view.show_answer(answer, is_whole=is_whole)
        notice = translated(answer.results.notice)
        if notice and notice != self._dismissed_notice:
            self.remark.show_notice(Notice(notice, is_plain=True))
        else:
            self.remark.clear()
        # Reranking returns highlights anyway.
        if not self.searcher.is_settling:
            self._align(answer)

    def _show_reranked(self, answer: Answer) -> None:
        """Show the reranked results, unless the person is using the list."""
        shown = self.main_view.results.answer
        if self.main_view.results.is_in_use and shown is not None:
            self._align(shown)
        else:
            self._show_answer(answer)

    def _align(self, answer: Answer) -> None:
        # It needs the model, and would delay loading it.
        if not self.searcher.has_service:
            self.aligner.align(answer)

    def _show_lights(self, answer: Answer) -> None:
        self.chips.show_answer(answer)
        self.main_view.update_highlights(answer)

    def _dismiss_notice(self, notice: Notice) -> None:
        """Do not show the notice again with the next key."""
        self._dismissed_notice = notice.text

    def _show_search_error(self, error: Exception) -> None:
        self.remark.show_notice(notice_of(error))

    def _clear(self) -> None:
        self.box.clear()

    def _go_to_results(self) -> None:
        if self.main_view.shows_results:
            self.main_view.results.setFocus()

    def _open_current(self, *, is_folder: bool) -> None:
        """Open the selected result; if it belongs to an older query, search for the new one now."""
        shown = self.main_view.results.answer
        is_new = shown is not None and shown.results.asked == self.searcher.query
        # Results by words only can be opened, too.
        if self.searcher.is_waiting and not is_new:
            self.searcher.ask_now()
        elif (row := self.main_view.results.current_document()) is not None:
            (self._open_folder if is_folder else self._open_document)(row)

    def _open_document(self, row: PassageRow) -> None:
        if self._is_elsewhere(row.document):
            return
        page = row.hit.passage.page if row.document.has_page_images else None
        library, others = self._library, self.others.federation
        line = None if library is None else partial(_line_of, others or library, row.passage_id)
        self.opener.open(row.document.path, page, line)

    def _open_folder(self, row: PassageRow) -> None:
        if self._is_elsewhere(row.document):
            return
        self.opener.open_folder(row.document.path)

    def _open_listed(self, document: DocumentHit) -> None:
        if not self._is_elsewhere(document):
            self.opener.open(document.path)

    def _is_elsewhere(self, document: DocumentHit) -> bool:
        """Return whether a document is on another machine; if so, show a notice."""
        if document.is_elsewhere:
            sentence = self.tr(
                "This document belongs to the library {0}. You can read its text here, but its "
                "file is on another computer."
            )
            library = quoted(document.library)
            self.trouble.show_notice(Notice(sentence.format(library), is_plain=True))
        return document.is_elsewhere

    def _open_guide(self) -> None:
        from app.desktop.opening import find_guide

        guide = find_guide()
        if guide is None:
            # A copy of the sources has no guide until it is built.
            self._show_shortcuts()
        else:
            self.opener.open(guide)

    def _show_shortcuts(self) -> None:
        from app.help.shortcuts import ShortcutsDialog

        ShortcutsDialog(self).show()

    def _show_about(self) -> None:
        from app.help.about import AboutDialog

        AboutDialog(self).open()

    def _end(self) -> None:
        self._is_closed = True
        self.close()
        self.closed.emit()

    # Qt's names

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Not a shortcut: those need an active window, and some window managers never activate it.
        # None of our widgets consumes the key.
        if event.key() == Qt.Key.Key_Escape:
            self._clear()
        elif not self._is_whole:
            self._early_keys.append(event.keyCombination())
            super().keyPressEvent(event)
        elif (command := command_of(event)) in EVERYWHERE:
            self.main_view.reader.do(command)
        elif event.keyCombination() == _MARK_RIGHT:
            self.teaching.toggle_chosen()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not (self._is_whole or self._is_building):
            # Not before: the screen would wait for the next part.
            QTimer.singleShot(0, self, self._begin_building)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._retry()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.setAccepted(self._is_closed)
        if self._is_closed:
            return
        if not self._is_whole:
            self._is_closed_early = True
            self.hide()
        elif self.stays_when_closed():
            self.put_away()
        else:
            self.quit()


def _line_of(library: Answerer, passage_id: int) -> int | None:
    """Return the line at which a passage begins in its file; None if it is unknown."""
    from core.requests import LocateLines

    lines = library.answer(LocateLines((passage_id,))).get(passage_id)
    return None if lines is None else lines[0]
