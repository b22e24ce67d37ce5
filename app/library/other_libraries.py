"""Other libraries that are searched with the own one: opening, updating, adding, removing."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.background import Latest, Task, Work
from app.errors import notice_of
from app.translation import translated
from app.widgets.controls import Button, Label, ask_for_folder
from app.widgets.layouts import SPACE, fill, horizontal, vertical
from app.widgets.notices import EmptyState, NoticeBar
from app.widgets.tables import RowTable
from core.federation import library_list
from core.printable import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from app.session import Session
    from core.federation.federation import Federation
    from core.library.library import Library
    from core.progress import Job
    from core.responses import SourceState

# Milliseconds between checks for a new snapshot.
_LOOK_MS: Final = 600_000


class OtherLibraries(QObject):
    """The added libraries, which are searched together with the person's own one.

    Without added libraries nothing is loaded, and the own library is searched directly.
    """

    # Carries the `Federation` that replaces the own library for searching and reading.
    opened = Signal(object)
    # Carries the states, a tuple of `SourceState`.
    changed = Signal(object)
    # The content of a library changed.
    renewed = Signal()
    failed = Signal(object)

    def __init__(self, session: Session, home: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._home = home
        # A share or a server may hang: no work on the own library uses this lane.
        self._lane = session.files
        self._library: Library | None = None
        # The libraries that are searched; None without added ones.
        self.federation: Federation | None = None
        self._refreshing = Latest(self._lane, self, self._take_refresh, self.failed)
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.refresh)
        session.opened.connect(self._use)
        session.warmed.connect(self.refresh)
        session.not_warmed.connect(self.refresh)
        session.closing.connect(self._close)

    def refresh(self) -> None:
        """Update all of them in the background."""
        if self.federation is not None and not self._refreshing.is_running:
            self._refreshing.start(partial(_refreshed, self.federation))

    def emit_states(self) -> None:
        """Emit the last known states, without a request to any library."""
        if self.federation is not None:
            self.changed.emit(self.federation.states())

    def add(self, address: str, name: str, token: str = "") -> Task | None:
        """Fetch a library or connect to its server, and add it; None until the own one is open."""
        if self._library is None:
            return None
        task = self._lane.start(
            partial(_added, self._home, self._library, self.federation, address, name, token)
        )
        task.succeeded.connect(self._take_result)
        return task

    def remove(self, name: str) -> None:
        """Remove a library and its fetched files."""
        if self.federation is not None:
            self._start(partial(_removed, self._home, self.federation, name))

    def switch(self, name: str, is_on: bool) -> None:
        """Include a library in searches or exclude it, and store the choice."""
        if self.federation is not None:
            task = self._start(partial(_switched, self._home, self.federation, name, is_on))
            task.succeeded.connect(lambda _: self.refresh())

    def _use(self, library: Library) -> None:
        self._library = library
        self._start(partial(_opened, self._home, library))

    def _start(self, change: Work) -> Task:
        task = self._lane.start(change)
        task.succeeded.connect(self._take_result)
        task.failed.connect(self.failed)
        return task

    def _take_result(self, result: tuple[Federation | None, tuple[SourceState, ...]]) -> None:
        federation, states = result
        is_first = federation is not None and self.federation is None
        if is_first:
            self.federation = federation
            self.opened.emit(federation)
            self._timer.start()
            self.refresh()
        elif federation is not None:
            self.renewed.emit()
        self.changed.emit(states)

    def _take_refresh(self, result: tuple[bool, tuple[SourceState, ...]]) -> None:
        has_changed, states = result
        self.changed.emit(states)
        if has_changed:
            self.renewed.emit()

    def _close(self) -> None:
        self._timer.stop()
        self._refreshing.drop()

    def end(self) -> None:
        """Close the libraries after running calls have ended; blocks, so not on the main thread."""
        if self.federation is not None:
            self.federation.close()


def _opened(
    home: Path, library: Library, _job: Job
) -> tuple[Federation | None, tuple[SourceState, ...]]:
    """Open the local copies of the added libraries, without a request to the network."""
    if not library_list.added_libraries(home):
        return None, ()
    federation = _federation_of(library)
    for source, is_on in library_list.open_all(home, library):
        federation.add(source, is_on=is_on)
    return federation, federation.states()


def _federation_of(library: Library) -> Federation:
    from core.federation.federation import Federation
    from core.federation.source import LibrarySource

    return Federation(LibrarySource("", library))


def _added(
    home: Path,
    library: Library,
    federation: Federation | None,
    address: str,
    name: str,
    token: str,
    job: Job,
) -> tuple[Federation, tuple[SourceState, ...]]:
    federation = federation or _federation_of(library)
    source = library_list.fetch_and_add(home, address, name, library, job, token)
    # A server may be connected to again, with a new token.
    if not federation.replace(source):
        federation.add(source)
    return federation, federation.states()


def _removed(
    home: Path, federation: Federation, name: str, _job: Job
) -> tuple[Federation, tuple[SourceState, ...]]:
    federation.remove(name)
    library_list.remove_library(home, name)
    return federation, federation.states()


def _switched(
    home: Path, federation: Federation, name: str, is_on: bool, _job: Job
) -> tuple[Federation, tuple[SourceState, ...]]:
    library_list.switch_library(home, name, is_on=is_on)
    federation.switch(name, is_on=is_on)
    return federation, federation.states()


def _refreshed(federation: Federation, job: Job) -> tuple[bool, tuple[SourceState, ...]]:
    has_changed = federation.refresh(job)
    return has_changed, federation.states()


_COLUMNS: Final = 4


class OtherLibrariesPage(QWidget):
    """A list of the added libraries with their states."""

    add_wanted = Signal()
    # The person wants to connect to a server; its address, or the beginning of one.
    connect_wanted = Signal(str)
    removed = Signal(str)
    # The person includes a library in searches or excludes it.
    switched = Signal(str, bool)
    update_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._empty = EmptyState()
        self._empty.say(
            "folder",
            self.tr("No other libraries"),
            self.tr(
                "Add another library of yours, or one that someone has published, to search it "
                "together with this one."
            ),
        )
        self.model = QStandardItemModel(0, _COLUMNS, self)
        self.model.setHorizontalHeaderLabels(
            [self.tr("Library"), self.tr("Status"), self.tr("Documents"), self.tr("Published")]
        )
        self.view = RowTable(self.tr("Other libraries"), 2.2)
        self.view.setObjectName("folders")  # styled like the list of folders
        self.view.show_model(self.model)
        header = self.view.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        self._remove = Button(self.tr("Remo&ve"), self._remove_chosen)
        self._update = Button(self.tr("&Update now"), self.update_wanted)
        self.add_button = Button(self.tr("&Add library…"), self.add_wanted, "main")
        self.connect_button = Button(self.tr("&Connect to server…"), self._connect)
        self._problem = Label(role="muted", wraps=True)
        self.view.selectionModel().selectionChanged.connect(self._show_problem)
        self.model.itemChanged.connect(self._switch)
        buttons = horizontal(spacing=8)
        fill(buttons, self._remove, SPACE, self._update, self.connect_button, self.add_button)
        layout = vertical(self, margins=(0, 12, 0, 0), spacing=10)
        fill(layout, (self._empty, 1), (self.view, 1), self._problem, buttons)
        self._states: tuple[SourceState, ...] = ()
        self.show_states(())

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """The rows of the list."""
        return [
            tuple(self.model.index(row, column).data() for column in range(_COLUMNS))
            for row in range(self.model.rowCount())
        ]

    def show_states(self, states: tuple[SourceState, ...]) -> None:
        chosen = max(self.view.currentIndex().row(), 0)
        self._states = states
        self.model.removeRows(0, self.model.rowCount())
        for state in states:
            items = [QStandardItem(text) for text in self._texts(state)]
            for item in items:
                item.setEditable(False)
                item.setToolTip(texts.hint(quoted(state.address)))
            items[0].setCheckable(True)
            items[0].setCheckState(
                Qt.CheckState.Checked if state.is_on else Qt.CheckState.Unchecked
            )
            items[2].setTextAlignment(
                Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
            )
            self.model.appendRow(items)
        self._empty.setVisible(not states)
        for widget in (self.view, self._remove, self._update):
            widget.setVisible(bool(states))
        if states:
            self.view.setCurrentIndex(self.model.index(min(chosen, len(states) - 1), 0))
        self._show_problem()

    def _texts(self, state: SourceState) -> tuple[str, ...]:
        published = ""
        if state.published_at:
            published = texts.day(datetime.fromisoformat(state.published_at).date())
        return (quoted(state.name), self._state(state), texts.grouped(state.documents), published)

    def _state(self, state: SourceState) -> str:
        if not state.is_on:
            return self.tr("Turned off")
        if state.is_offline:
            return self.tr("Unavailable")
        if state.problem:
            return self.tr("Needs attention")
        is_ready = state.published_at or state.documents or state.is_here
        return self.tr("Ready") if is_ready else self.tr("Downloading")

    def _chosen(self) -> SourceState | None:
        row = self.view.currentIndex().row()
        return self._states[row] if 0 <= row < len(self._states) else None

    def _show_problem(self) -> None:
        """Show the problem of the selected library, or else the first problem."""
        chosen = self._chosen()
        first = () if chosen is None else (chosen, *self._states)
        problem = next((state.problem for state in first if state.problem), "")
        self._problem.setText(translated(problem) if problem else "")
        self._problem.setVisible(bool(self._problem.text()))

    def _switch(self, item: QStandardItem) -> None:
        """Emit `switched` if the person clicked a check box; a known state is not a click."""
        state = self._states[item.row()]
        is_on = item.checkState() == Qt.CheckState.Checked
        if item.column() == 0 and is_on != state.is_on:
            self.switched.emit(state.name, is_on)

    def _connect(self) -> None:
        """Ask for a server, or for a new token of the selected one if it rejected the last."""
        chosen = self._chosen()
        if chosen is not None and chosen.is_refused:
            self.connect_wanted.emit(chosen.address)
        else:
            self.connect_wanted.emit("https://")

    def _remove_chosen(self) -> None:
        if (chosen := self._chosen()) is not None:
            self.removed.emit(chosen.name)


class AddLibraryDialog(QDialog):
    """Asks for the address and the name of another library."""

    def __init__(self, others: OtherLibraries, parent: QWidget, address: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Add library"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._others = others
        self._task: Task | None = None
        self.notice = NoticeBar()
        self.address = QLineEdit(text=address)
        self.address.setPlaceholderText(self.tr("Folder or s3://bucket/folder"))
        self.address.setMinimumWidth(44 * self.fontMetrics().averageCharWidth())
        self.address.textChanged.connect(self._enable)
        self.address.textChanged.connect(self._show_token)
        self.token = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self.name = QLineEdit()
        self._choose_button = Button(self.tr("C&hoose…"), self._choose)
        address_row = fill(horizontal(), (self.address, 1), self._choose_button)
        self._label = Label()
        self._label.setBuddy(self.address)
        form = QFormLayout()
        form.addRow(self._label, address_row)
        form.addRow(self.tr("&Name:"), self.name)
        form.addRow(self.tr("Access &token:"), self.token)
        self._form = form
        self._state = Label(role="muted", wraps=True)
        self.buttons = QDialogButtonBox()
        self.add_button = self.buttons.addButton(
            self.tr("A&dd"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.add_button.setProperty("main", "true")
        self.cancel_button = self.buttons.addButton(
            self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole
        )
        self.buttons.accepted.connect(self._add)
        self.buttons.rejected.connect(self.reject)
        layout = vertical(self, margins=(20, 18, 20, 14), spacing=12)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        # Resizes to its content, also when a notice appears.
        fill(layout, self.notice, form, self._state, self.buttons)
        self._enable()
        self._show_token()

    def _show_token(self) -> None:
        """Show the fields and the note for the kind of address: a server needs a token."""
        from core.addresses import is_server_address

        is_server = is_server_address(self.address.text())
        self._form.setRowVisible(self.token, is_server)
        self._choose_button.setVisible(not is_server)
        if is_server:
            self._label.setText(self.tr("&Server address:"))
            self.name.setPlaceholderText(self.tr("Same as the address"))
            self._state.setText(
                self.tr(
                    "Your queries are sent to this server. The token is stored in your keyring "
                    "or, if there is none, until you quit Winnow."
                )
            )
        else:
            self._label.setText(self.tr("&Location:"))
            self.name.setPlaceholderText(self.tr("Name of the folder or publication"))
            self._state.setText(
                self.tr(
                    "For a library of your own, choose the folder that contains its "
                    "catalog.sqlite. It is searched in place and never changed. A published "
                    "library is downloaded and searched on this computer; its publisher cannot "
                    "see your searches."
                )
            )

    def _enable(self) -> None:
        self.add_button.setEnabled(bool(self.address.text().strip()) and self._task is None)

    def _choose(self) -> None:
        dialog = ask_for_folder(self, self.tr("Choose library"))
        dialog.fileSelected.connect(self.address.setText)

    def _add(self) -> None:
        self.notice.clear()
        address, name = self.address.text().strip(), self.name.text().strip()
        token = self.token.text().strip() if self._form.isRowVisible(self.token) else ""
        self._task = self._others.add(address, name, token)
        if self._task is None:
            return
        self._enable()
        self._state.setText(self.tr("Adding…"))
        self._task.succeeded.connect(self.accept)
        self._task.failed.connect(self._fail)
        self._task.cancelled.connect(self.close)

    def _fail(self, error: Exception) -> None:
        self._task = None
        self._enable()
        self._state.setText("")
        self.notice.show_notice(notice_of(error))

    # Qt's names

    def reject(self) -> None:
        if self._task is not None:
            self._task.cancel()
        super().reject()
