"""The tour: opens each screen as a user would, and takes a screenshot of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLineEdit,
    QMenu,
    QPushButton,
    QTabWidget,
    QToolButton,
)

from app.errors import notice_of
from app.library.adding import DropOverlay
from app.library.other_libraries import AddLibraryDialog
from app.main_menu import MainMenu
from app.main_window import MainWindow
from app.reader.match_navigator import FindBar
from app.search.box import QueryHelp
from app.search.results_model import ROW_ROLE
from app.search.rows import MoreRow
from app.text_size import USUAL_PERCENT
from core.settings import LoadedSettings, load_settings
from tools.tour.other_libraries import PUBLISHED, SERVED
from tools.tour.person import Person, TourError

if TYPE_CHECKING:
    from app.theme import ThemeSwitch
    from core.library.library import Library
    from core.progress import Progress
    from tools.tour.other_libraries import OtherLibraries

_INDEXING_TIMEOUT_S: Final = 3600.0
"""Timeout for indexing a given folder."""
_ATTEMPTS: Final = 5
KINDS: Final = {
    "pdf": "type:pdf",
    "mail": "type:mail",
    "sheet": "type:spreadsheet",
    "text": "type:text",
    "code": "type:code",
    "markdown": "type:markdown",
}
"""Kinds of documents to show in the reader, with the filter that finds them."""


class Walk:
    """The tour in one variant.

    Args:
        open_library: opens the library in a folder.
        theme: theme of the window.
        pictures: folder for the screenshots.
        size: size of the window.
        text_percent: text size of the window.
    """

    def __init__(
        self,
        open_library: Callable[[Path], Library],
        theme: ThemeSwitch,
        pictures: Path,
        size: tuple[int, int],
        text_percent: int = USUAL_PERCENT,
    ) -> None:
        self._open_library = open_library
        self._theme = theme
        self._pictures = pictures
        self._size = size
        self._text_percent = text_percent
        self.screens: list[str] = []

    def index_folder(self, home: Path, folder: Path, *, is_complete: bool) -> None:
        """Create a library in `home`, and index `folder`, to the end if `is_complete`."""
        with self._window(home) as (window, person):
            person.shoot("01-start")
            states: list[object] = []
            window.session.state_changed.connect(states.append)
            synced: list[object] = []
            window.session.synced.connect(synced.append)
            read: list[Progress] = []
            window.session.sync_progressed.connect(read.append)
            window.start()
            person.wait("an empty library", lambda: bool(states))
            person.shoot("02-empty")
            _child(window, DropOverlay).dropped.emit([folder])
            person.wait("the page about the folder", partial(_preview_is_ready, window))
            person.shoot("03-add-folder")
            page = window.adding.page
            assert page is not None
            synced.clear()
            read.clear()
            person.click(_default_button(page), "button that adds the folder")
            person.wait(
                "the folder being read",
                lambda: any(one.passages for one in read) or bool(synced),
            )
            person.shoot("04-indexing")
            if not is_complete:
                return
            person.wait("the end of indexing", lambda: bool(synced), _INDEXING_TIMEOUT_S)
            person.wait("the count of documents", lambda: _documents(states) > 0)
            person.shoot("05-ready")

    def visit_screens(self, home: Path, query: str, *, is_own: bool) -> None:
        """Visit all screens with the library in `home`; the example folder must have all kinds."""
        with self._window(home) as (window, person):
            warmed: list[bool] = []
            window.session.warmed.connect(lambda: warmed.append(True))
            window.start()
            person.wait("the model", lambda: bool(warmed))
            self._search(window, person, query)
            person.shoot("10-results")
            self._visit_results(window, person)
            for kind, clause in KINDS.items():
                self._search(window, person, f"{query} {clause}", is_found=is_own)
                if window.main_view.shows_results:
                    self._wait_for_rest(window, person)
                    person.shoot(f"20-reader-{kind}")
            self._search(window, person, query)
            self._find(window, person, query)
            self._visit_inspector(window, person)
            self._visit_judgements(window, person)
            self._open_dialogs(window, person)
            self._visit_narrow_window(window, person)
            self._search(window, person, '"no document says this"', is_found=False)
            person.shoot("60-nothing-found")
            self._visit_errors(window, person)

    def visit_other_libraries(self, home: Path, query: str, libraries: OtherLibraries) -> None:
        """Search the library in `home` together with the others, until a token is revoked."""
        with self._window(home) as (window, person):
            warmed: list[bool] = []
            window.session.warmed.connect(lambda: warmed.append(True))
            window.start()
            person.wait("the model", lambda: bool(warmed))
            person.click(_header_button(window), "button of the folders")
            page = window.folders.others
            window.folders.pages.setCurrentWidget(page)
            person.shoot("70-no-other-libraries")
            self._add_library(window, person, page.add_button, libraries.published)
            self._add_library(window, person, page.connect_button, libraries.url, libraries.token)
            person.wait("both", lambda: not window.session.is_reading)
            person.shoot("73-other-libraries")
            window.folders.close()
            self._search_all(window, person, query)
            person.shoot("74-results-of-all")
            libraries.revoke()
            self._search(window, person, '"no document says this"', is_found=False)
            self._search(window, person, query)
            person.wait("the notice", lambda: window.remark.isVisible())
            person.shoot("75-token-revoked")
            person.click(_header_button(window), "button of the folders")
            page.view.selectRow(1)
            person.shoot("76-other-libraries-refused")

    @staticmethod
    def _add_library(
        window: MainWindow, person: Person, button: QPushButton, address: str, token: str = ""
    ) -> None:
        page = window.folders.others
        before = len(page.lines)
        person.click(button, "button that adds a library")
        dialog = _child(window, AddLibraryDialog)
        person.type(dialog.address, address)
        if token:
            person.type(dialog.name, SERVED)
            person.type(dialog.token, token)
        person.shoot(f"7{before + 1}-add-{'server' if token else 'library'}")
        person.click(dialog.add_button, "button that adds it")
        person.wait(
            "the library in the list",
            lambda: len(page.lines) > before and all(line[2] != "0" for line in page.lines),
        )
        person.wait("the dialog's end", lambda: window.findChild(AddLibraryDialog) is None)

    def _search_all(self, window: MainWindow, person: Person, query: str) -> None:
        """Search until every library answered in time; a busy machine may need several attempts."""
        # The first query of a library takes longer.
        self._search(window, person, query.split()[-1])
        for _ in range(_ATTEMPTS):
            self._search(window, person, query)
            answer = window.main_view.results.answer
            found = {row.document.library for row in answer.rows} if answer is not None else set()
            if found >= {"", PUBLISHED, SERVED}:
                return
            self._search(window, person, '"no document says this"', is_found=False)
        raise TourError(f"Not every library has results for {query!r}.")

    def show_open_error(self, home: Path) -> None:
        """Show the error for a library in `home` that cannot be opened."""
        with self._window(home) as (window, person):
            failed: list[object] = []
            window.session.open_failed.connect(failed.append)
            window.start()
            person.wait("a library that does not open", lambda: bool(failed))
            person.shoot("63-no-library")

    @contextmanager
    def _window(self, home: Path) -> Iterator[tuple[MainWindow, Person]]:
        settings = home / "settings.json"
        read = load_settings(settings).settings
        loaded = LoadedSettings(replace(read, text_percent=self._text_percent))
        window = MainWindow(partial(self._open_library, home), loaded, settings, self._theme)
        window.resize(*self._size)
        window.show()
        window.activateWindow()
        person = Person(window, self._pictures)
        try:
            yield window, person
        finally:
            self.screens += person.screens
            for one in QApplication.topLevelWidgets():
                if one is not window and one.isVisible():
                    one.close()
            window.close()
            person.wait("the window's end", lambda: window.is_closed)
            window.deleteLater()

    def _search(
        self, window: MainWindow, person: Person, query: str, *, is_found: bool = True
    ) -> None:
        # With the pills of filters.
        window.box.clear()
        person.type(_child(window, QLineEdit, "searchBox"), query)
        body = window.main_view

        def is_answered() -> bool:
            answer = body.results.answer
            is_this = answer is not None and answer.results.query == query
            return is_this and not window.searcher.is_waiting

        person.wait(f"the answer to {query!r}", is_answered)
        if is_found and not body.shows_results:
            raise TourError(f"Nothing is found for {query!r}.")
        self._wait_for_rest(window, person)

    @staticmethod
    def _wait_for_rest(window: MainWindow, person: Person) -> None:
        """Wait until the reader, the highlights and the counts are up to date."""
        person.wait(
            "the work behind the answer",
            lambda: not window.session.is_reading and not window.tools.filtering.is_counting,
        )

    def _visit_results(self, window: MainWindow, person: Person) -> None:
        results = window.main_view.results
        more = next(
            (row for row in range(results.model().rowCount()) if _is_more(window, row)), None
        )
        if more is not None:
            results.setCurrentIndex(results.model().index(more, 0))
            person.press(results, Qt.Key.Key_Space)
            person.shoot("11-further-passages")
        if chips := window.chips.buttons:
            chips[-1].setFocus(Qt.FocusReason.TabFocusReason)
            person.shoot("12-one-word-pointed-at")
        results.setFocus(Qt.FocusReason.TabFocusReason)
        results.setCurrentIndex(results.model().index(0, 0))
        self._wait_for_rest(window, person)
        person.shoot("13-keyboard-in-results")
        self._filter(window, person)
        self._open_menus(window, person)

    def _filter(self, window: MainWindow, person: Person) -> None:
        tree = window.main_view.filters.tree
        if not tree.isVisible():
            # It is a drawer in a window that is narrow for its text.
            person.click(window.tools.filters_button, "button of the side bar")
            self._wait_for_rest(window, person)
        model = tree.filters
        tree.setFocus(Qt.FocusReason.TabFocusReason)
        heading = model.index(1, 0)
        person.wait("the kinds of files", lambda: model.index(0, 0, heading).isValid())
        first = model.index(0, 0, heading)
        tree.setCurrentIndex(first)
        before = window.box.text()
        person.press(tree, Qt.Key.Key_Space)
        person.wait("the filter in the query", lambda: window.box.text() != before)
        self._search(window, person, window.box.text())
        tree.setFocus(Qt.FocusReason.TabFocusReason)
        person.shoot("14-filtered")
        self._search(window, person, before)

    def _open_menus(self, window: MainWindow, person: Person) -> None:
        buttons = [one for one in window.findChildren(QToolButton) if one.isVisible()]
        for number, button in enumerate((one for one in buttons if one.menu() is not None), 1):
            menu = button.menu()
            menu.popup(button.mapToGlobal(QPoint(0, button.height())))
            person.shoot(f"15-menu-{number}")
            menu.close()
        results = window.main_view.results
        place = results.visualRect(results.model().index(0, 0)).center()
        shown_at = results.viewport().mapToGlobal(place)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, shown_at)
        QApplication.sendEvent(results.viewport(), event)
        person.shoot("15-menu-of-a-result")
        _close_menus()
        window.tools.history.show_menu(window.box)
        person.shoot("16-menu-history")
        _close_menus()
        window.box.help_wanted.emit()
        person.wait("the help", lambda: bool(window.findChildren(QueryHelp)))
        person.shoot("17-help")
        for shown in window.findChildren(QueryHelp):
            shown.close()

    @staticmethod
    def _find(window: MainWindow, person: Person, query: str) -> None:
        reader = window.main_view.reader
        bar = _child(window, FindBar)
        reader.setFocus(Qt.FocusReason.TabFocusReason)
        person.press(reader, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        person.wait("the line to find in a document", lambda: bar.isVisible())
        person.type(bar.line, query.split()[-1])
        person.wait("the matches in it", lambda: not window.session.is_reading)
        person.shoot("21-find")
        person.press(bar.line, Qt.Key.Key_Escape)

    @staticmethod
    def _visit_inspector(window: MainWindow, person: Person) -> None:
        person.choose(_child(window, MainMenu), "Ctrl+I", "alignment inspector")
        inspector = window.inspector.dialog
        person.wait("the inspector's matrix", lambda: not inspector.message)
        person.shoot("30-inspector")
        person.click(inspector.details, "button that shows the details")
        person.shoot("30-inspector-details")
        inspector.close()

    @staticmethod
    def _visit_judgements(window: MainWindow, person: Person) -> None:
        window.main_view.results.setFocus()
        window.teaching.toggle_chosen()
        person.wait("the mark", lambda: not window.session.is_reading)
        person.shoot("31-marked-right")
        window.teaching.show_dialog()
        person.wait("what was learned", lambda: not window.session.is_reading)
        person.shoot("32-teaching")
        window.teaching.dialog.close()
        window.teaching.toggle_chosen()
        person.wait("the mark's end", lambda: not window.session.is_reading)

    def _open_dialogs(self, window: MainWindow, person: Person) -> None:
        person.choose(_child(window, MainMenu), "Ctrl+,", "settings")
        person.wait("the settings", lambda: not window.session.is_reading)
        person.shoot("40-settings")
        self._visit_tabs(window, person, window.preferences, "40-settings")
        self._choose_model(window, person)
        window.preferences.close()
        person.click(_header_button(window), "button of the folders")
        person.wait("the folders", lambda: bool(window.folders.folders.lines))
        person.wait("the folders' figures", lambda: not window.session.is_reading)
        person.shoot("41-library")
        remove = _button_with_label(window.folders, "FoldersPage", "Remo&ve…")
        person.click(remove, "button that removes a folder")
        person.shoot("42-remove-folder")
        keep = _button_with_label(window.folders, "_RemovalQuestion", "&Cancel")
        person.click(keep, "button that keeps it")
        self._visit_tabs(window, person, window.folders, "41-library")
        window.folders.close()

    @staticmethod
    def _choose_model(window: MainWindow, person: Person) -> None:
        """Choose another model, without applying it."""
        dialog = window.preferences
        dialog.pages.setCurrentIndex(1)
        box = dialog.index.model
        is_last = box.currentIndex() == box.count() - 1
        person.press(box, Qt.Key.Key_Home if is_last else Qt.Key.Key_End)
        person.wait("the choice", dialog.index.bar.apply.isVisible)
        person.wait("the time that it takes", lambda: not window.session.is_reading)
        person.shoot("40-settings-model")
        person.click(dialog.index.bar.drop, "button that reverts the choice")

    @staticmethod
    def _visit_tabs(window: MainWindow, person: Person, dialog: QDialog, name: str) -> None:
        for tabs in dialog.findChildren(QTabWidget):
            for number in range(1, tabs.count()):
                tabs.setCurrentIndex(number)
                person.wait("a page of a dialog", lambda: not window.session.is_reading)
                person.shoot(f"{name}-{number + 1}")

    def _visit_narrow_window(self, window: MainWindow, person: Person) -> None:
        """Make the window narrow, and open the side bar."""
        window.resize(560, self._size[1])
        person.shoot("50-narrow")
        person.click(window.tools.filters_button, "button of the side bar")
        self._wait_for_rest(window, person)
        person.shoot("51-narrow-filters")
        person.click(window.tools.filters_button, "button of the side bar")
        window.resize(*self._size)

    @staticmethod
    def _visit_errors(window: MainWindow, person: Person) -> None:
        window.opener.open(Path("/srv/papers/no longer there.pdf"))
        person.wait("the notice", lambda: window.trouble.isVisible())
        person.shoot("61-notice")
        window.trouble.show_notice(notice_of(RuntimeError("made for the tour")))
        person.shoot("62-unexpected")


_Child = TypeVar("_Child", bound=QObject)


def _child(window: MainWindow, kind: type[_Child], name: str = "") -> _Child:
    """Return the descendant of the window with this type.

    Raises:
        TourError: there is none.
    """
    found = window.findChild(kind, name) if name else window.findChild(kind)
    if found is None:
        raise TourError(f"The window has no {kind.__name__}.")
    return found


def _preview_is_ready(window: MainWindow) -> bool:
    page = window.adding.page
    return page is not None and page.isVisible() and not page.is_looking


def _default_button(dialog: QDialog) -> QPushButton | None:
    """Return the highlighted button."""
    buttons = dialog.findChildren(QPushButton)
    return next((one for one in buttons if one.property("main") == "true"), None)


def _button_with_label(dialog: QDialog, context: str, label: str) -> QPushButton | None:
    """Return the button with this label, in the current language."""
    translated = QCoreApplication.translate(context, label)
    return next((one for one in dialog.findChildren(QPushButton) if one.text() == translated), None)


def _documents(states: list[object]) -> int:
    return getattr(states[-1], "documents", 0) if states else 0


def _is_more(window: MainWindow, row: int) -> bool:
    return isinstance(window.main_view.results.model().index(row, 0).data(ROW_ROLE), MoreRow)


def _header_button(window: MainWindow) -> QToolButton | None:
    """Return the button with a text in the header of the window."""
    return next(
        (
            one
            for one in window.findChildren(QToolButton)
            if one.property("labelled") == "true" and one.menu() is None and one.isVisible()
        ),
        None,
    )


def _close_menus() -> None:
    for one in QApplication.topLevelWidgets():
        if isinstance(one, QMenu) and one.isVisible():
            one.close()
