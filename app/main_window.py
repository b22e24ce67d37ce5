"""The window: puts its parts together and connects them, and does nothing else.

It is on the screen, and can be typed into, before most parts are imported: what `_furnish` needs is
imported there.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QKeyCombination, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
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
    QMenu,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.errors import notice_of
from app.library.status_strips import ProgressStrip, StatusLine
from app.reader.controls import EVERYWHERE, command_of
from app.search.box import SearchBox
from app.theme import Appearance
from app.translation import said
from app.widgets.icons import IconButton
from app.widgets.notices import EmptyState, Notice, NoticeBar
from app.widgets.window_geometry import DialogSizes, open_within_screen
from core.daemon_client.protocol import existing_addresses
from core.errors import LibraryDamagedError
from core.printable import quoted
from core.settings import LoadedSettings, Settings, Theme, change_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.search.rows import Answer, PassageRow
    from app.theme import ThemeSwitch
    from core.catalog.documents import Failure
    from core.catalog.reports import Status
    from core.library.library import Library
    from core.progress import Job
    from core.requests import Answerer


_UNSEEN_MS: Final = 500
_PATIENCE_MS: Final = 400
"""For so long at most the first answer has the processor to itself."""
_MARK_RIGHT: Final = QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_D)


class MainWindow(QMainWindow):
    """Winnow's one window. It is there at once; the library comes after it, in the background."""

    closed = Signal()
    """All work has ended and the library is closed: the program may end."""
    furnished = Signal()
    """All parts are there, where the window began with a few."""

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
        """Make the window with all its parts, or else with those alone that are seen first.

        The others are then made one after another once it is on the screen, so that it is there
        sooner and can be typed into all the while; `furnished` says when.
        """
        super().__init__()
        self._settings_path = settings_path
        self.appearance = Appearance(theme, loaded.settings, self)
        self.sizes = DialogSizes(loaded.settings.dialog_sizes, self)
        self._remark_unwanted = ""
        self._library: Library | None = None
        self._is_closed = False
        self.stays_when_closed: Callable[[], bool] = bool
        """Whether closing the window only hides it; it ends the program unless somebody says so."""
        self.setWindowTitle("Winnow")
        self.box = SearchBox()
        self.trouble = NoticeBar()
        self.remark = NoticeBar()
        self.status_line = StatusLine()
        self._lay_out()
        self._restore_geometry(loaded.settings)
        self.box.setFocus()
        self._is_whole = self._is_begun = self._is_left = False
        # What was pressed for the menu, which is not there at first.
        self._keys_before: list[QKeyCombination] = []
        # Nothing else is made while the first answer is on its way.
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._make_next)
        self._parts = self._furnish(open_library, loaded, folders)
        if is_whole:
            for _ in self._parts:
                pass
        else:
            # It may never be painted: it may be minimised, or on another desktop.
            QTimer.singleShot(_UNSEEN_MS, self, self._begin_making)

    def _furnish(
        self,
        open_library: Callable[[], Library],
        loaded: LoadedSettings,
        folders: Sequence[Path],
    ) -> Iterator[None]:
        """Make what the window lacks, so much at a time as nobody who types is kept waiting by."""
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
        self._take_in_view()
        self._connect_answers()
        self._restore(loaded)
        self._answer_first()
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
        from app.library.folders_dialog import FoldersDialog

        yield
        self.folders = FoldersDialog(self.session, self)
        yield
        from app.library.adding import Adding, DropPlace
        from app.library.other_libraries import OtherLibraries

        self.others = OtherLibraries(self.session, self._settings_path.parent, self)
        self.adding = Adding(self.session, self.folders, self.sizes, self)
        DropPlace(self).dropped.connect(self.adding.add)
        yield
        from app.inspector.opener import InspectorOpener
        from app.preferences.dialog import SettingsDialog

        yield
        self.preferences = SettingsDialog(self.session, self._settings_path, self.appearance, self)
        self.inspector = InspectorOpener(self.session.reads, results, self.sizes, self)
        self.sizes.hold(self.folders, "folders")
        self.sizes.hold(self.preferences, "settings")
        self.sizes.hold(self.teaching.dialog, "teaching")
        yield
        self._connect_search()
        self._connect_session()
        self._connect_folders()
        self._take_in_parts()
        self.session.add_folders(list(folders))
        self._is_whole = True

    def _begin_making(self) -> None:
        if not self._is_begun:
            self._is_begun = True
            self._make_next()

    def _make_next(self) -> None:
        """Make the next part, and let whoever types come in between."""
        for _ in self._parts:
            if not self._patience.isActive():
                QTimer.singleShot(0, self, self._make_next)
            return
        self.furnished.emit()
        for keys in self._keys_before:
            self._menu.do(keys)
        if self._is_left:
            self.close()

    def _answer_first(self) -> None:
        """Have what is in the box already answered before more is made, if it can be so soon."""
        self.searcher.use_catalog(self._settings_path.parent)
        if not (typed := self.box.text()):
            return
        # What follows the box has been made since.
        self.box.changed.emit(typed)
        self.searcher.ask_now()
        if not self._is_whole and self.searcher.is_waiting:
            self._patience.start()

    def _go_on(self) -> None:
        """Go on making parts, once the answer that was waited for has been painted."""
        if self._patience.isActive():
            self._patience.stop()
            # After the lists have found their places.
            QTimer.singleShot(0, self, self._paint_answer)

    def _paint_answer(self) -> None:
        self.main_view.repaint()
        self._make_next()

    def start(self) -> None:
        """Open the library; call it once the window is on screen."""
        self.session.open()

    def quit(self) -> None:
        """End all work, close the library, then emit `closed`; the window is gone at once."""
        geometry = self._geometry()
        # A dialog that is open is left now.
        self.put_away()
        left, path = {**geometry, **self._kept()}, self._settings_path

        def save(_job: Job) -> None:
            self.others.end()
            change_settings(path, **left)

        self.session.close(save)

    def put_away(self) -> None:
        """Hide the window with all that belongs to it; what a dialog asks is left undone."""
        self.adding.leave()
        for dialog in self.findChildren(QDialog):
            if dialog.isVisible():
                dialog.close()
        self.hide()

    @property
    def is_closed(self) -> bool:
        return self._is_closed

    def _lay_out(self) -> None:
        """Lay out what is seen first; the middle says that there is more to come."""
        self.filters_button = IconButton("filter", self.tr("Filters (F9)"))
        self._folders_button = IconButton("folder", self.tr("Folders"))
        self._folders_button.setText(self.tr("Folders"))
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
        # As the main view will be.
        self._opening = QWidget()
        self._opening.setObjectName("body")
        self._opening.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        said_meanwhile = EmptyState()
        said_meanwhile.say("search", *texts.opening())
        QVBoxLayout(self._opening).addWidget(said_meanwhile)
        center = QWidget()
        self._column = QVBoxLayout(center)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(self._head)
        self._column.addWidget(self._opening, 1)
        self._column.addWidget(self.status_line)
        self.setCentralWidget(center)

    def _take_in_view(self) -> None:
        """Lay out what shows answers."""
        self._head.insertWidget(1, self.chips)
        self._column.replaceWidget(self._opening, self.main_view)
        self._opening.hide()
        self._opening.deleteLater()

    def _take_in_parts(self) -> None:
        """Lay out the parts that were made since."""
        self._menu = self._make_menu()
        self._more.setMenu(self._menu)
        self._head.addWidget(self.teaching.bar)
        self._column.insertWidget(2, self.progress)
        for keys in ("Ctrl+F", "Ctrl+L"):
            QShortcut(QKeySequence(keys), self, self.box.select)
        self.appearance.changed.connect(self._keep)
        self.sizes.changed.connect(self._keep)

    def _make_menu(self) -> MainMenu:
        menu = MainMenu(self.appearance, self)
        menu.add(self.tr("Add a folder…"), self.adding.ask)
        menu.add(self.tr("Folders…"), self._show_folders)
        menu.add(self.tr("Update now"), self.session.sync, "F5")
        menu.add(self.tr("Why this result…"), self.inspector.open, "Ctrl+I")
        menu.add(self.tr("Teach Winnow…"), self.teaching.show_dialog)
        menu.add(self.tr("Settings…"), self.preferences.open_anew, "Ctrl+,")
        menu.add(self.tr("What you can type"), self.box.help_wanted.emit)
        menu.add(self.tr("Guide"), self._open_guide, "F1")
        menu.quit_wanted.connect(self.quit)
        return menu

    def _connect_answers(self) -> None:
        """Connect what asks and what shows answers."""
        self.box.changed.connect(self._ask)
        if existing_addresses(home := self._settings_path.parent):
            # The library opens, and its model loads, while the service answers.
            self.searcher.use_service(home)
        self.searcher.answered.connect(self._show_answer)
        self.searcher.settled.connect(self._settle)
        self.searcher.failed.connect(self._show_search_error)
        self.searcher.outdated.connect(self.aligner.drop)
        for told in (self.searcher.answered, self.searcher.failed, self.searcher.unanswered):
            told.connect(self._go_on)
        self.aligner.aligned.connect(self._show_lights)
        self.aligner.failed.connect(self._show_search_error)
        self.remark.dismissed.connect(self._hush)
        self.tools.changed.connect(self._keep)
        self.tools.failed.connect(self._show_trouble)
        self.tools.actions.written.connect(self.trouble.show_notice)

    def _connect_search(self) -> None:
        results, reader = self.main_view.results, self.main_view.reader
        self.box.left_downwards.connect(self._go_to_results)
        self.box.entered.connect(partial(self._open_current, is_folder=False))
        self.box.entered_for_folder.connect(partial(self._open_current, is_folder=True))
        self.session.is_asked = lambda: self.searcher.is_waiting
        for told in (self.searcher.answered, self.searcher.failed):
            told.connect(self.session.begin)
        results.view_moved.connect(self.aligner.look)
        self.chips.pointed.connect(self.main_view.show_only)
        for asked in (results.why_wanted, reader.header.why_wanted):
            asked.connect(self.inspector.open)
        results.left_upwards.connect(self.box.setFocus)
        results.typed.connect(self.box.type_on)
        self.main_view.named.opened.connect(self.opener.open)
        for place in (results, reader):
            place.document_opened.connect(self._open_document)
            place.folder_opened.connect(self._open_folder)
        self.opener.failed.connect(self.trouble.show_notice)
        self.folders.file_wanted.connect(self.opener.open_folder)

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
        session.state_changed.connect(self._show_state)
        session.grown.connect(self.searcher.refresh)
        session.sync_started.connect(self.progress.start)
        session.sync_started.connect(partial(self.main_view.show_syncing, is_syncing=True))
        session.sync_progressed.connect(self.progress.show_progress)
        session.synced.connect(lambda _: self.progress.end())
        session.sync_stopped.connect(self.progress.show_stopped)
        session.synced.connect(lambda _: self.main_view.show_syncing(is_syncing=False))
        session.sync_stopped.connect(partial(self.main_view.show_syncing, is_syncing=False))
        session.failed.connect(self._show_trouble)
        session.closed.connect(self._end)
        self.progress.cancelled.connect(session.cancel_sync)
        self.progress.resumed.connect(session.sync)

    def _connect_folders(self) -> None:
        self._folders_button.clicked.connect(self._show_folders)
        self.folders.removed.connect(self.session.remove_folder)
        self.folders.update_wanted.connect(self.session.sync)
        self.folders.retry_wanted.connect(self.session.retry)
        page = self.folders.others
        page.add_wanted.connect(self._ask_for_library)
        page.connect_wanted.connect(partial(self._ask_for_library, "https://"))
        page.removed.connect(self.others.remove)
        page.switched.connect(self.others.switch)
        page.update_wanted.connect(self.others.refresh)
        self.others.changed.connect(page.show_states)
        self.others.opened.connect(self._use_all)
        self.others.renewed.connect(self.session.grown)
        self.others.failed.connect(self._show_trouble)
        self.main_view.add_wanted.connect(self.adding.ask)
        self.main_view.retry_wanted.connect(self._try_again)
        self.main_view.beginning_wanted.connect(self._begin_anew)

    def _restore_geometry(self, settings: Settings) -> None:
        geometry = QByteArray.fromBase64(settings.window_geometry.encode("ascii", "replace"))
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            open_within_screen(self, 1240, 800)

    def _restore(self, loaded: LoadedSettings) -> None:
        settings = loaded.settings
        self.main_view.arrangement.set_widths(settings.splitter)
        self.tools.restore(settings)
        if loaded.problem:
            self.trouble.show_notice(Notice(said(loaded.problem)))

    def _geometry(self) -> dict[str, object]:
        """Return how the window is left, as settings."""
        geometry = bytes(self.saveGeometry().toBase64().data()).decode("ascii")
        return {
            "window_geometry": geometry,
            "splitter": self.main_view.arrangement.widths,
        }

    def _kept(self) -> dict[str, object]:
        """Return what was chosen in the window itself, as settings."""
        return {
            **self.appearance.as_settings(),
            **self.tools.as_settings(),
            **self.sizes.as_settings(),
        }

    def _keep(self) -> None:
        """Have what was chosen written at once, without waiting for the window to be closed."""
        kept, path = self._kept(), self._settings_path
        task = self.session.reads.start(lambda _job: change_settings(path, **kept))
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
        """Search and read one's own library and others from now on."""
        self.tools.use(libraries)
        self.main_view.reader.use(libraries)
        self.inspector.use(libraries)
        self.aligner.use(libraries)
        # It knows one's own library alone.
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

    def _begin_anew(self) -> None:
        from app.session import begin_anew

        self.main_view.show_problem("")
        self.trouble.clear()
        self.session.begin_anew(partial(begin_anew, self._settings_path.parent))

    def _try_again(self) -> None:
        self.main_view.show_problem("")
        self.trouble.clear()
        self.session.open()

    def _show_state(self, status: Status, failures: tuple[Failure, ...]) -> None:
        self.main_view.show_status(status)
        self.status_line.show_status(status)
        self.folders.show_state(status, failures)

    def _show_trouble(self, error: Exception) -> None:
        notice = notice_of(error)
        (self.folders.notice if self.folders.isVisible() else self.trouble).show_notice(notice)

    def _show_folders(self) -> None:
        self.others.tell()
        self.folders.open_anew()

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
            # What was lit while this answer was searched for.
            answer = with_earlier_highlights(answer, before)
        self.chips.show_answer(answer)
        self.status_line.show_answer(answer)
        is_whole = len(answer.found) < self.searcher.limit
        self.main_view.show_answer(answer, is_whole=is_whole)
        notice = said(answer.results.notice)
        if notice and notice != self._remark_unwanted:
            self.remark.show_notice(Notice(notice, is_plain=True))
        else:
            self.remark.clear()
        # What is compared anew for the order is lit with it.
        if not self.searcher.is_settling:
            self._align(answer)

    def _settle(self, answer: Answer) -> None:
        """Put the list in order once more, unless the person has turned to a place in it."""
        shown = self.main_view.results.answer
        if self.main_view.results.is_in_use and shown is not None:
            self._align(shown)
        else:
            self._show_answer(answer)

    def _align(self, answer: Answer) -> None:
        # It takes the model, and would keep it from being loaded sooner.
        if not self.searcher.has_service:
            self.aligner.align(answer)

    def _show_lights(self, answer: Answer) -> None:
        self.chips.show_answer(answer)
        self.main_view.update_highlights(answer)

    def _hush(self, notice: Notice) -> None:
        """Don't say again with every key what the person has closed once."""
        self._remark_unwanted = notice.text

    def _show_search_error(self, error: Exception) -> None:
        self.remark.show_notice(notice_of(error))

    def _clear(self) -> None:
        self.box.clear()

    def _go_to_results(self) -> None:
        if self.main_view.shows_results:
            self.main_view.results.setFocus()

    def _open_current(self, *, is_folder: bool) -> None:
        """Open what is chosen, unless it answers an older query: then hurry the new one."""
        shown = self.main_view.results.answer
        is_new = shown is not None and shown.results.asked == self.searcher.query
        # What words alone found meanwhile can be opened, too.
        if self.searcher.is_waiting and not is_new:
            self.searcher.ask_now()
        elif (row := self.main_view.results.current_document()) is not None:
            (self._open_folder if is_folder else self._open_document)(row)

    def _open_document(self, row: PassageRow) -> None:
        if self._is_elsewhere(row):
            return
        page = row.hit.passage.page if row.document.has_page_images else None
        library, others = self._library, self.others.federation
        line = None if library is None else partial(_line_of, others or library, row.passage_id)
        self.opener.open(row.document.path, page, line)

    def _open_folder(self, row: PassageRow) -> None:
        if self._is_elsewhere(row):
            return
        self.opener.open_folder(row.document.path)

    def _is_elsewhere(self, row: PassageRow) -> bool:
        """Return whether a document's file is another machine's, and say so then."""
        if row.document.is_elsewhere:
            sentence = self.tr(
                "This document is in the library {0}: its text can be read here, its file is on "
                "another computer."
            )
            library = quoted(row.document.library)
            self.trouble.show_notice(Notice(sentence.format(library), is_plain=True))
        return row.document.is_elsewhere

    def _open_guide(self) -> None:
        from app.desktop.opening import find_guide

        guide = find_guide()
        if guide is None:
            sentence = self.tr("The guide is not part of this copy of Winnow.")
            self.trouble.show_notice(Notice(sentence))
        else:
            self.opener.open(guide)

    def _end(self) -> None:
        self._is_closed = True
        self.close()
        self.closed.emit()

    # Qt's names

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Not a shortcut: those work in an active window only, which some window managers (and a
        # screen without one) never make it. No widget of ours keeps the key to itself.
        if event.key() == Qt.Key.Key_Escape:
            self._clear()
        elif not self._is_whole:
            self._keys_before.append(event.keyCombination())
            super().keyPressEvent(event)
        elif (command := command_of(event)) in EVERYWHERE:
            self.main_view.reader.do(command)
        elif event.keyCombination() == _MARK_RIGHT:
            self.teaching.toggle_chosen()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not (self._is_whole or self._is_begun):
            # Not before, or the screen would wait for what is made next.
            QTimer.singleShot(0, self, self._begin_making)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.setAccepted(self._is_closed)
        if self._is_closed:
            return
        if not self._is_whole:
            self._is_left = True
            self.hide()
        elif self.stays_when_closed():
            self.put_away()
        else:
            self.quit()


def _line_of(library: Answerer, passage_id: int) -> int | None:
    """Return the line of its file at which a passage begins; None if it is not known."""
    from core.requests import LocateLines

    lines = library.answer(LocateLines((passage_id,))).get(passage_id)
    return None if lines is None else lines[0]


class MainMenu(QMenu):
    """What is done now and then: each entry is told to whom it concerns."""

    quit_wanted = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._doing = self.addSeparator()
        larger = self.addAction(self.tr("Larger text"), appearance.enlarge)
        # Where the plus is above the equals sign, Shift is already spent on it.
        larger.setShortcuts([QKeySequence("Ctrl+Shift++"), QKeySequence("Ctrl+Shift+=")])
        smaller = self.addAction(self.tr("Smaller text"), appearance.reduce)
        smaller.setShortcuts([QKeySequence("Ctrl+Shift+-"), QKeySequence("Ctrl+Shift+_")])
        self.addSeparator()
        themes = QActionGroup(self)
        self._themes: dict[Theme, QAction] = {}
        for one, name in (
            (Theme.SYSTEM, self.tr("Colours of the system")),
            (Theme.LIGHT, self.tr("Light")),
            (Theme.DARK, self.tr("Dark")),
        ):
            action = self.addAction(name, partial(appearance.choose_theme, one))
            action.setCheckable(True)
            themes.addAction(action)
            self._themes[one] = action
        self._show_appearance()
        appearance.changed.connect(self._show_appearance)
        self.addSeparator()
        self.addAction(self.tr("Quit"), QKeySequence.StandardKey.Quit, self.quit_wanted.emit)

    def add(self, name: str, do: Callable[[], object], keys: str = "") -> None:
        """Add something to do, after the others of its kind."""
        action = QAction(name, self)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: do())
        self.insertAction(self._doing, action)

    def do(self, keys: QKeyCombination) -> None:
        """Do what these keys are for, if they are for something here."""
        for action in self.actions():
            if QKeySequence(keys) in action.shortcuts():
                action.trigger()
                return

    def _show_appearance(self) -> None:
        self._themes[self._appearance.theme].setChecked(True)
