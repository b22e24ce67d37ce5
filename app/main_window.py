"""The main window: creates its parts and connects them.

It is on screen and accepts input before most parts are imported: `_build_parts` imports what it
needs.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QKeyCombination, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import QDialog, QMainWindow, QMenu, QWidget

from app.errors import notice_of
from app.library.status_strips import ProgressStrip, StatusLine
from app.main_menu import MainMenu
from app.reader.controls import EVERYWHERE, command_of
from app.search.box import SearchBox
from app.theme import Appearance, ThemeSwitch
from app.translation import translated
from app.widgets.notices import BriefNotice, Notice, NoticeBar
from app.widgets.window_geometry import DialogSizes, resize_dialogs
from app.window.building import StagedBuilding
from app.window.choices import restore_geometry
from app.window.layout import WindowLayout
from core.daemon_client.protocol import existing_addresses
from core.errors import LibraryDamagedError
from core.progress import Job, Stage
from core.settings import LoadedSettings, change_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.library.folders_dialog import FoldersDialog
    from app.preferences.dialog import SettingsDialog
    from app.search.rows import PassageRow
    from core.catalog.reports import Status, SyncReport
    from core.library.library import Library
    from core.requests import Answerer


# Qt opens menus by the menu key only.
_CONTEXT_MENU: Final = QKeyCombination(Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_F10)
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
        self.is_closed = self._is_closed_early = False
        self._preferences: SettingsDialog | None = None
        self._is_update_wanted = False
        # Why a file was not opened, until another one is or something else is searched for.
        self._opening_problem: Notice | None = None
        # Whether closing the window only hides it instead of quitting the program.
        self.stays_when_closed: Callable[[], bool] = bool
        self.setWindowTitle("Winnow")
        self.box = SearchBox()
        self.trouble = NoticeBar()
        self.remark = NoticeBar()
        self.status_line = StatusLine()
        self._layout = WindowLayout(self.box, self.trouble, self.remark, self.status_line)
        self.filters_button = self._layout.filters_button
        self.setCentralWidget(self._layout)
        restore_geometry(self, loaded.settings)
        self.box.setFocus()
        # Keys pressed for the menu before it is built.
        self._early_keys: list[QKeyCombination] = []
        self._building = StagedBuilding(self._build_parts(open_library, loaded, folders), self)
        self._building.ended.connect(self._take_early_input)
        if is_whole:
            self._building.build_all()
        else:
            self._building.begin_unpainted()

    def _build_parts(
        self, open_library: Callable[[], Library], loaded: LoadedSettings, folders: Sequence[Path]
    ) -> Iterator[None]:
        """Build the remaining parts, in short steps, so that typing stays responsive."""
        from app.desktop.opening import Opener
        from app.session import Session
        from app.window.library_dialog import LibraryDialogOwner

        self.session = Session(open_library, self)
        self._library_dialog = LibraryDialogOwner(self.session, self.sizes, self.trouble, self)
        self._library_dialog.built.connect(self._connect_library_dialog)
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
        from app.window.answers import AnswerDisplay
        from app.window.choices import WindowChoices

        self.tools = SearchTools(
            self.session, self.searcher, self.box, self.filters_button, self.main_view, self
        )
        self._layout.add_results(self.chips, self.main_view)
        answers = AnswerDisplay(
            self.searcher,
            self.aligner,
            self.chips,
            self.main_view,
            self.remark,
            self.status_line,
            self,
        )
        self.box.changed.connect(answers.ask)
        self._choices = WindowChoices(
            self._settings_path, self.appearance, self.sizes, self.tools, self.main_view, self
        )
        self._choices.restore(loaded.settings)
        if loaded.problem:
            self.trouble.show_notice(Notice(translated(loaded.problem)))
        self._connect_answers()
        self._search_first()
        yield
        from app.reader.reader import ReaderView
        from app.search.thumbnails import Thumbnails

        yield
        reader = ReaderView(self.session.files)
        yield
        self.main_view.take_reader(reader)
        self.pictures = Thumbnails(self.session.files, self._is_searching, self)
        results.show_pictures(self.pictures)
        self.tools.take_reader(reader)
        yield
        from app.teaching.teaching import TeachingController

        self.teaching = TeachingController(self.session, results, self)
        self.teaching.learned.connect(self.searcher.refresh)
        self.teaching.failed.connect(self._library_dialog.show_error)
        self.progress = ProgressStrip()
        yield
        from app.folder_actions import FolderActions
        from app.library.adding import Adding, DropOverlay
        from app.library.model_offer import ModelOffer, ModelOfferStrip
        from app.library.other_libraries import OtherLibraries

        self.others = OtherLibraries(self.session, self._settings_path.parent, self)
        self.adding = Adding(self.session, self.sizes, self, self._library_dialog.front)
        self.folder_actions = FolderActions(self.session, self.opener, self)
        DropOverlay(self).dropped.connect(self.adding.add)
        self.model_offer = ModelOfferStrip()
        self._layout.add_offer(self.model_offer)
        offer = ModelOffer(self.session, self.model_offer, self)
        self.searcher.answered.connect(offer.look_at)
        self.searcher.outdated.connect(offer.forget_query)
        yield
        from app.inspector.opener import InspectorOpener
        from app.library.model_offer import ACCEPTED, DECLINED
        from app.preferences.dialog import SettingChanges
        from app.window.help_actions import HelpActions
        from app.window.result_opening import ResultOpener

        yield
        self.settings = SettingChanges(self.session, self._settings_path, self)
        self.settings.ended.connect(offer.look_again)
        recognise = partial(self.settings.choose, "ocr", value=True)
        self.main_view.reader.recognition_wanted.connect(recognise)
        self.settings.failed.connect(lambda error: self.preferences.show_error(error))
        self.adding.settings_chosen.connect(self.settings.apply)
        self.model_offer.accepted.connect(lambda: self.settings.apply(ACCEPTED))
        self.model_offer.declined.connect(lambda: self.settings.apply(DECLINED))
        self.inspector = InspectorOpener(self.session.reads, results, self.sizes, self)
        self.sizes.hold(self.teaching.dialog, "teaching")
        self._help = HelpActions(self.opener, self)
        self.result_opener = ResultOpener(
            self.opener, self.session, self.others, self.searcher, results, self.trouble, self
        )
        yield
        self._connect_search()
        self._connect_session()
        self._connect_folders()
        self._lay_out_parts()
        self.session.add_folders(list(folders))

    def _take_early_input(self) -> None:
        """Do what the person wanted before all parts were built."""
        self.furnished.emit()
        for keys in self._early_keys:
            self._menu.do(keys)
        if self._is_closed_early:
            self.close()

    def _search_first(self) -> None:
        """Search for text that was typed already before building more, if that is possible."""
        self.searcher.use_catalog(self._settings_path.parent)
        if typed := self.box.text():
            # The parts that follow the box were built after the text was typed.
            self.box.changed.emit(typed)
            self.searcher.ask_now()
            if self.searcher.is_waiting:
                self._building.wait_for_results()

    def _continue_building(self) -> None:
        """Continue building once the first results are painted."""
        if self._building.stop_waiting():
            # After the lists are laid out.
            QTimer.singleShot(0, self, self._paint_answer)

    def _paint_answer(self) -> None:
        self.main_view.repaint()
        self._building.build_next()

    def start(self) -> None:
        """Open the library. Call it once the window is on screen."""
        self.session.open()

    def quit(self) -> None:
        """Hide the window, end all work, close the library, then emit `closed`."""
        geometry = self._choices.geometry(self)
        # Also closes open dialogs, which stores their sizes.
        self.put_away()
        left, path = {**geometry, **self._choices.as_settings()}, self._settings_path

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

    # The two dialogs that cost most time are built on first use.

    @property
    def folders(self) -> FoldersDialog:
        """The dialog on the library."""
        return self._library_dialog.dialog

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

    def _connect_library_dialog(self, dialog: FoldersDialog) -> None:
        dialog.progress.copy(self.progress)
        dialog.finished.connect(lambda _: self.box.setFocus())
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

    def _lay_out_parts(self) -> None:
        """Lay out the remaining parts."""
        self._menu = self._make_menu()
        self._layout.menu_button.setMenu(self._menu)
        self._layout.add_strip(self.teaching.bar)
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
        menu.add(self.tr("Library…"), self.show_library)
        menu.add(self.tr("Update now"), self._update_now, "F5")
        menu.add(self.tr("Teach Winnow…"), self.teaching.show_dialog)
        menu.add_heading(self.tr("View"))
        menu.add(self.tr("Why this result?"), self.inspector.open, "Ctrl+I")
        menu.add_appearance()
        menu.add_heading(self.tr("Help"))
        menu.add(self.tr("Guide"), self._help.open_guide, "F1")
        menu.add(self.tr("Search tips"), self.box.help_wanted.emit)
        menu.add(self.tr("Keyboard shortcuts"), self._help.show_shortcuts)
        menu.add(self.tr("About Winnow"), self._help.show_about)
        menu.addSeparator()
        menu.add(self.tr("Settings…"), lambda: self.preferences.present(), "Ctrl+,")
        menu.add(self.tr("Quit"), self.quit, QKeySequence.StandardKey.Quit)
        return menu

    def _connect_answers(self) -> None:
        """Connect search and results."""
        if existing_addresses(home := self._settings_path.parent):
            # The service answers while the library opens and its model loads.
            self.searcher.use_service(home)
        for signal in (self.searcher.answered, self.searcher.failed, self.searcher.unanswered):
            signal.connect(self._continue_building)
        self.tools.changed.connect(self._save_choices)
        self.tools.failed.connect(self._library_dialog.show_error)
        self.brief = BriefNotice(self)
        for signal in (self.tools.actions.done, self.tools.history.edited):
            signal.connect(self.brief.show_notice)
        self._choices.failed.connect(self._library_dialog.show_error)

    def _connect_search(self) -> None:
        results, reader = self.main_view.results, self.main_view.reader
        opener = self.result_opener
        self.box.left_downwards.connect(self._go_to_results)
        self.box.entered.connect(partial(opener.open_current, is_folder=False))
        self.box.entered_for_folder.connect(partial(opener.open_current, is_folder=True))
        self.session.has_pending_search = lambda: self.searcher.is_waiting
        for signal in (self.searcher.answered, self.searcher.failed):
            signal.connect(self.session.begin)
        results.view_moved.connect(self.aligner.look)
        self.chips.pointed.connect(self.main_view.show_only)
        for signal in (results.why_wanted, reader.header.why_wanted):
            signal.connect(self.inspector.open)
        results.left_upwards.connect(self.box.setFocus)
        results.typed.connect(self.box.type_on)
        self.box.changed.connect(self._end_quick_look)
        self.main_view.named.opened.connect(self.opener.open)
        self.main_view.answer.opened.connect(opener.open_document)
        self.main_view.start_lists.document_opened.connect(opener.open_listed)
        for view in (results, reader):
            view.document_opened.connect(opener.open_document)
            view.folder_opened.connect(opener.open_folder)
        self.opener.failed.connect(self._show_opening_problem)
        self.opener.opened.connect(self._end_opening_problem)
        self.box.changed.connect(self._end_opening_problem)

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
        session.recovered.connect(self._library_dialog.remove_error)
        session.state_changed.connect(self._show_status)
        session.grown.connect(self.searcher.refresh)
        session.sync_started.connect(self.progress.start)
        session.sync_started.connect(partial(self.main_view.show_stage, Stage.SCANNING))
        session.sync_progressed.connect(self.progress.show_progress)
        session.sync_progressed.connect(lambda now: self.main_view.show_stage(now.stage))
        session.synced.connect(lambda _: self.progress.end())
        session.synced.connect(self._say_up_to_date)
        session.sync_stopped.connect(self.progress.show_stopped)
        session.synced.connect(lambda _: self.main_view.show_stage(None))
        session.sync_stopped.connect(partial(self.main_view.show_stage, None))
        session.failed.connect(self._library_dialog.show_error)
        session.closed.connect(self._end)
        self.status_line.news_wanted.connect(lambda: self.folders.show_news())
        self.status_line.folders_wanted.connect(self.show_library)
        self.progress.cancelled.connect(session.cancel_sync)
        self.progress.resumed.connect(session.sync)

    def _connect_folders(self) -> None:
        self._layout.library_button.clicked.connect(self.show_library)
        actions = self.folder_actions
        self.main_view.filters.folder_menu_wanted.connect(
            lambda folder, point: actions.show_menu(folder, point, self)
        )
        self.main_view.results.menu_built.connect(self._add_folder_actions)
        actions.only_wanted.connect(self._search_only)
        actions.removal_wanted.connect(self._ask_removal)
        actions.excluded.connect(self._library_dialog.show_notice)
        self.others.opened.connect(self._use_all)
        self.others.renewed.connect(self.session.grown)
        self.others.failed.connect(self._library_dialog.show_error)
        self.main_view.add_wanted.connect(self.adding.ask)
        self.main_view.retry_wanted.connect(self._try_again)
        self.main_view.beginning_wanted.connect(self._replace_library)

    def _save_choices(self) -> None:
        self._choices.save(self.session.reads)

    # The library

    def _use(self, library: Library) -> None:
        self.main_view.show_problem("")
        self._read_from(library)
        self.searcher.use(library, is_alone=True)

    def _read_from(self, libraries: Answerer) -> None:
        self.main_view.reader.use(libraries)
        self.pictures.use(libraries)
        self.inspector.use(libraries)
        self.aligner.use(libraries)

    def _use_all(self, libraries: Answerer) -> None:
        """Search and read the own library together with others."""
        self.tools.use(libraries)
        self._read_from(libraries)
        # The service only knows the own library.
        self.searcher.use_service(None)
        self.searcher.use(libraries, is_alone=False)

    def _ask_for_library(self, address: str = "") -> None:
        from app.library.other_libraries import AddLibraryDialog

        AddLibraryDialog(self.others, self.folders, address).open()

    def _update_now(self) -> None:
        """Sync the library; say so if that is in progress, or finds nothing new."""
        if self.progress.is_running:
            sentence = self.tr("Your folders are being read already")
            self.brief.show_notice(Notice(sentence, is_plain=True))
        else:
            self._is_update_wanted = True
            self.session.sync()

    def _say_up_to_date(self, report: SyncReport) -> None:
        if self._is_update_wanted and not (report.read or report.removed or report.problem):
            sentence = self.tr("Your documents are up to date")
            self.brief.show_notice(Notice(sentence, is_plain=True))
        self._is_update_wanted = False

    def _show_opening_problem(self, notice: Notice) -> None:
        self._opening_problem = notice
        self.trouble.show_notice(notice)

    def _end_opening_problem(self) -> None:
        self.trouble.retract(self._opening_problem)

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
        self._library_dialog.show_status(status)

    def _add_folder_actions(self, menu: QMenu, row: PassageRow) -> None:
        if not (document := row.document).is_elsewhere:
            self.folder_actions.add_to(menu, (document.file or document.path).parent)

    def _search_only(self, folder: Path) -> None:
        self.tools.filtering.choose_only(folder)
        self.activateWindow()
        self.raise_()

    def _ask_removal(self, folder: Path) -> None:
        self.others.emit_states()
        self._library_dialog.ask_removal(folder)

    def _is_searching(self) -> bool:
        return self.searcher.is_waiting or self.searcher.is_settling

    def _retry(self) -> None:
        """Repeat what failed: while the window was inactive, the person may have solved it."""
        if self._building.is_whole and not self.is_closed:
            self.session.retry_model()
            self.searcher.retry()

    def show_library(self) -> None:
        """Open the dialog on the library."""
        self.others.emit_states()
        self.folders.present()

    def _go_to_results(self) -> None:
        if self.main_view.shows_results:
            self.main_view.results.setFocus()

    def _end_quick_look(self) -> None:
        if self.main_view.end_quick_look():
            self.box.setFocus()

    def _open_context_menu(self) -> None:
        """Open the menu of the widget with the focus, as the menu key does."""
        focused = self.focusWidget()
        if isinstance(focused, QWidget):
            by_key = QContextMenuEvent.Reason.Keyboard
            point = focused.rect().center()
            event = QContextMenuEvent(by_key, point, focused.mapToGlobal(point))
            QCoreApplication.sendEvent(focused, event)

    def _end(self) -> None:
        self.is_closed = True
        self.close()
        self.closed.emit()

    # Qt's names

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Not a shortcut: those need an active window, and some window managers never activate it.
        # None of our widgets consumes the key.
        if event.key() == Qt.Key.Key_Escape:
            if not (self._building.is_whole and self.main_view.end_quick_look()):
                self.box.clear()
        elif not self._building.is_whole:
            self._early_keys.append(event.keyCombination())
            super().keyPressEvent(event)
        elif (command := command_of(event)) in EVERYWHERE:
            self.main_view.reader.do(command)
        elif event.keyCombination() == _CONTEXT_MENU:
            self._open_context_menu()
        elif event.keyCombination() == _MARK_RIGHT:
            self.teaching.toggle_chosen()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._building.begin_painted()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._retry()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.setAccepted(self.is_closed)
        if self.is_closed:
            return
        if not self._building.is_whole:
            self._is_closed_early = True
            self.hide()
        elif self.stays_when_closed():
            self.put_away()
        else:
            self.quit()
