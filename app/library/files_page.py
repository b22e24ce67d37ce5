"""The page of files that are not searchable, or only in part: no text, unreadable, left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHeaderView, QMenu, QToolButton, QWidget

from app import texts
from app.background import Lane, Latest
from app.library.rules import rule_text
from app.translation import translated
from app.widgets.controls import Button, Label
from app.widgets.layouts import SLACK, fill, horizontal, vertical
from app.widgets.menus import Menu, copy_path
from app.widgets.tables import AnyIndex, RowModel, RowTable
from core.catalog.files.file_lists import FileCounts, FileGroup, FileList, ListedFile
from core.printable import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from core.catalog.reports import Status
    from core.library.library import Library
    from core.progress import Job

# In the order of the buttons: what can be changed is first.
LISTS: Final = (
    FileList.WITHOUT_TEXT,
    FileList.UNREADABLE,
    FileList.INCOMPLETE,
    FileList.EXCLUDED,
)


@dataclass(frozen=True, slots=True)
class FileLine:
    """The heading of a group, one of its files, or how many of them are not listed."""

    group: FileGroup
    file: ListedFile | None = None
    unlisted: int = 0


class FilesModel(RowModel):
    """Groups, each with a heading row, and a row per file."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: tuple[FileGroup, ...] = ()

    def show_groups(self, groups: tuple[FileGroup, ...]) -> bool:
        """Show groups; return whether they changed."""
        if groups == self._groups:
            return False
        self._groups = groups
        self.show_rows([line for group in groups for line in _lines_of(group)])
        return True

    def line(self, row: int) -> FileLine | None:
        """Return the content of a row; None if there is no such row."""
        return self.rows[row] if 0 <= row < len(self.rows) else None

    def row_of(self, path: Path) -> int:
        """Return the row of a file; -1 if it is not listed."""
        rows = enumerate(self.rows)
        return next((row for row, line in rows if line.file and line.file.path == path), -1)

    def text(self, line: FileLine, _column: int) -> str:
        if line.file is not None:
            return "    " + texts.shown_path(line.file.path)
        if line.unlisted:
            return "    " + self.tr("and {0} more").format(texts.grouped(line.unlisted))
        return f"{reason_text(line.group)} · {texts.grouped(line.group.count)}"

    def hint(self, line: FileLine) -> str:
        reason = reason_text(line.group)
        return texts.hint(f"{quoted(line.file.path)}\n{reason}" if line.file else reason)

    def is_heading(self, line: FileLine) -> bool:
        return line.file is None and not line.unlisted


def _lines_of(group: FileGroup) -> list[FileLine]:
    lines = [FileLine(group), *(FileLine(group, file) for file in group.files)]
    if unlisted := group.count - len(group.files):
        lines.append(FileLine(group, unlisted=unlisted))
    return lines


def reason_text(group: FileGroup) -> str:
    """Return the translated reason of a group."""
    return translated(group.reason) if group.rule is None else rule_text(group.rule)


@dataclass(frozen=True, slots=True)
class _Content:
    """The groups of a list, and whether text recognition can be switched on for its scans."""

    groups: tuple[FileGroup, ...]
    can_recognise: bool


class FilesPage(QWidget):
    """Shows one of four lists, chosen by buttons with counts, and loads it while visible.

    Args:
        lane: where lists are loaded.
        parent: the Qt parent.
    """

    # The person wants Winnow to read a file again; carries its Path, or None for all.
    retry_wanted = Signal(object)
    recognition_wanted = Signal()
    # The person wants to see a file in its folder; carries a Path.
    file_wanted = Signal(object)
    # The menu of a file was built; carries it and the Path of the file's folder.
    menu_built = Signal(QMenu, object)
    # The person has seen the files without text, or those that are unreadable.
    seen = Signal()
    failed = Signal(object)

    # Emitted on the lane's thread, with the number of the request and its groups.
    _part_listed = Signal(int, object)

    def __init__(self, lane: Lane) -> None:
        super().__init__()
        self._library: Library | None = None
        self._counts = FileCounts()
        self._requests = 0
        self._loading = Latest(lane, self, self._take, self.failed)
        self._part_listed.connect(self._take_part)
        self.model = FilesModel(self)
        self._choices = QButtonGroup(self)
        choices = horizontal(spacing=2)
        for index, which in enumerate(LISTS):
            button = QToolButton()
            button.setCheckable(True)
            button.setChecked(index == 0)
            button.setText(self.name_of(which))
            self._choices.addButton(button, index)
            choices.addWidget(button)
        choices.addStretch(1)
        self._choices.idToggled.connect(self._choose)
        self.note = Label(role="muted", wraps=True)
        self._recognise = Button(self.tr("&Recognise text"), self.recognition_wanted, "main")
        self._retry = Button(self.tr("&Try again"), partial(self.retry_wanted.emit, None))
        self.view = RowTable(self.tr("Files"), 1.8)
        self.view.setObjectName("files")
        self.view.setModel(self.model)
        self.view.horizontalHeader().hide()
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.doubleClicked.connect(self._ask_for_file)
        line = fill(horizontal(), (self.note, 1), self._recognise, self._retry)
        layout = vertical(self, margins=(0, 12, 0, 0), spacing=10)
        fill(layout, choices, line, (self.view, 1), SLACK)
        self._show(_Content((), can_recognise=False), is_loading=True)

    @property
    def which(self) -> FileList:
        """The list that is shown."""
        return LISTS[self._choices.checkedId()]

    @property
    def is_loading(self) -> bool:
        return self._loading.is_running

    def use(self, library: Library) -> None:
        """Show the lists of this library."""
        self._library = library

    def choose(self, which: FileList) -> None:
        """Show one of the lists."""
        button = self._choices.button(LISTS.index(which))
        if any(choice.hasFocus() for choice in self._choices.buttons()):
            button.setFocus()
        button.setChecked(True)

    def choose_full(self) -> None:
        """Show the first list with files if the present one is empty."""
        if not self.count_of(self.which):
            self.choose(
                next((file_list for file_list in LISTS if self.count_of(file_list)), self.which)
            )

    def show_status(self, status: Status) -> None:
        """Show the counts, and load the list again if they have changed."""
        before, self._counts = self._counts, status.files
        for index, which in enumerate(LISTS):
            count, name = self.count_of(which), self.name_of(which)
            text = f"{name} ({texts.grouped(count)})" if count else name
            self._choices.button(index).setText(text)
        # The names of those that are left out take a scan: they are loaded once each time.
        is_cheap = self.which is not FileList.EXCLUDED
        if is_cheap and (self._counts != before or status.has_news):
            self.load_if_visible()

    def count_of(self, which: FileList) -> int:
        """Return the number of files in a list; incomplete documents are not counted."""
        match which:
            case FileList.INCOMPLETE:
                return 0
            case FileList.WITHOUT_TEXT:
                return self._counts.without_text
            case FileList.UNREADABLE:
                return self._counts.unreadable
            case FileList.EXCLUDED:
                return self._counts.excluded + self._counts.excluded_folders

    def name_of(self, which: FileList) -> str:
        """Return the translated name of a list."""
        return {
            FileList.WITHOUT_TEXT: self.tr("No text found"),
            FileList.UNREADABLE: self.tr("Unreadable"),
            FileList.INCOMPLETE: self.tr("Incomplete"),
            FileList.EXCLUDED: self.tr("Excluded"),
        }[which]

    def load_if_visible(self) -> None:
        """Load the list, unless it is hidden or being loaded."""
        if self.isVisible() and not self._loading.is_running:
            self._load()

    def leave(self) -> None:
        """Stop loading: the page is no longer visible."""
        self._loading.drop()

    def _choose(self, _request_id: int, is_down: bool) -> None:
        # Toggling emits twice: once for the button that is released.
        if is_down:
            self._show(_Content((), can_recognise=False), is_loading=True)
            self._loading.drop()
            self.load_if_visible()

    def _load(self) -> None:
        if self._library is None:
            return
        self._requests += 1
        on_part = partial(self._part_listed.emit, self._requests)
        self._loading.start(partial(_content, self._library, self.which, on_part))

    def _take_part(self, request_id: int, groups: tuple[FileGroup, ...]) -> None:
        if request_id == self._requests and self._loading.is_running:
            self._show(_Content(groups, can_recognise=False), is_loading=True)

    def _take(self, content: _Content) -> None:
        self._show(content)
        if self.isVisible() and self.which is not FileList.EXCLUDED:
            self.seen.emit()

    def _show(self, content: _Content, *, is_loading: bool = False) -> None:
        """Show groups; the selected file and the first visible row keep their places."""
        chosen = self.model.line(self.view.currentIndex().row())
        first = self.model.line(self.view.rowAt(0))
        is_at_start = self.view.verticalScrollBar().value() == 0
        with QSignalBlocker(self.view.selectionModel()):
            if self.model.show_groups(content.groups):
                if chosen is not None and chosen.file is not None:
                    self.view.selectRow(self.model.row_of(chosen.file.path))
                if first is not None and first.file is not None and not is_at_start:
                    top = self.model.index(self.model.row_of(first.file.path), 0)
                    self.view.scrollTo(top, RowTable.ScrollHint.PositionAtTop)
        self.view.setVisible(bool(content.groups))
        self._retry.setVisible(self.which is FileList.UNREADABLE and bool(content.groups))
        self._recognise.setVisible(content.can_recognise)
        self.note.setText(self._note_text(content, is_loading=is_loading))

    def _note_text(self, content: _Content, *, is_loading: bool) -> str:
        if is_loading:
            is_scan = self.which is FileList.EXCLUDED
            return self.tr("Scanning folders…") if is_scan else self.tr("Loading…")
        match self.which:
            case FileList.WITHOUT_TEXT:
                return (
                    self.tr("These files contain no text. You can find them by name.")
                    if content.groups
                    else self.tr("All files that were read contain text.")
                )
            case FileList.UNREADABLE:
                return (
                    self.tr("Winnow tries again when a file changes.")
                    if content.groups
                    else self.tr("All files were read.")
                )
            case FileList.INCOMPLETE:
                return (
                    self.tr("Parts of these documents could not be read. The rest can be found.")
                    if content.groups
                    else self.tr("All documents were read completely.")
                )
            case FileList.EXCLUDED:
                return (
                    self.tr(
                        "A folder counts once, including everything in it. To change the rules of "
                        "a folder, select it on the Folders page."
                    )
                    if content.groups
                    else self.tr("No files are excluded.")
                )

    def _show_menu(self, point: QPoint) -> None:
        line = self.model.line(self.view.rowAt(point.y()))
        if line is None or line.file is None:
            return
        path = line.file.path
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Show in folder"), partial(self.file_wanted.emit, path))
        menu.addAction(self.tr("Copy path"), partial(copy_path, path))
        if self.which is not FileList.EXCLUDED:
            menu.addAction(self.tr("Try again"), partial(self.retry_wanted.emit, path))
            if not line.file.is_member:
                self.menu_built.emit(menu, path.parent)
        menu.popup(self.view.viewport().mapToGlobal(point))

    def _ask_for_file(self, index: AnyIndex) -> None:
        line = self.model.line(index.row())
        if line is not None and line.file is not None:
            self.file_wanted.emit(line.file.path)


def _content(library: Library, which: FileList, on_part: Any, job: Job) -> _Content:
    # Imported after the window is shown: it loads numpy.
    from core.documents.pages.recognition import is_installed
    from core.settings import load_settings

    groups = library.list_files(which, job, on_part)
    has_scans = any(group.is_scan for group in groups)
    is_on = load_settings(library.home / "settings.json").settings.ocr
    return _Content(groups, has_scans and not is_on and is_installed())
