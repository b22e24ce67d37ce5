"""Adding folders, chosen or dropped, after a preview."""

from __future__ import annotations

from collections import deque
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QStandardPaths, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QProgressBar, QWidget

from app import texts
from app.background import Lane, Latest
from app.errors import notice_of
from app.library.model_offer import ACCEPTED, percent
from app.library.rules import RulesForm, rule_text
from app.translation import translated
from app.widgets.controls import Button, Disclosure, ElidedLabel, Label, TickBox, ask_for_folder
from app.widgets.layouts import fill, horizontal, vertical
from app.widgets.notices import NoticeBar
from app.widgets.tables import FigureTable
from app.widgets.window_geometry import DialogSizes, open_within_screen
from core.model_names import MULTILINGUAL
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.session import Session
    from core.catalog.files.folders import Folder
    from core.catalog.reports import Preview, SampledFile
    from core.library.library import Library
    from core.progress import Job, Progress


_MARGIN: Final = 24


class DropOverlay(QLabel):
    """Covers a window while files from another program are dragged over it."""

    # Paths were dropped on the window; carries a list of Path.
    dropped = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(self.tr("Drop folders here to add them"), window)
        self._window = window
        self.setObjectName("dropHint")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hide()
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def _take_up(self, event: QDragEnterEvent) -> None:
        # Drags from the results are ignored.
        if event.source() is None and _local_paths(event):
            event.acceptProposedAction()
            self.setGeometry(self._window.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN))
            self.show()
            self.raise_()

    def _take(self, event: QDropEvent) -> None:
        self.hide()
        event.acceptProposedAction()
        self.dropped.emit(_local_paths(event))

    # Qt's names

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent):
            self._take_up(event)
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.hide()
            return True
        if event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self._take(event)
            return True
        return False


def _local_paths(event: QDropEvent) -> list[Path]:
    # Checked for folders in the background: a network may be slow.
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


_PAUSE_MS: Final = 250
# From this share of files in other languages than English the multilingual model is preselected.
_PRESELECTED_SHARE: Final = 0.5


def standard_folders() -> list[tuple[str, Path]]:
    """Return the names and paths of the person's usual folders, as far as they exist."""
    location = QStandardPaths.StandardLocation
    folders = []
    for name, standard_location in (
        (QCoreApplication.translate("AddDialog", "Docu&ments"), location.DocumentsLocation),
        (QCoreApplication.translate("AddDialog", "Des&ktop"), location.DesktopLocation),
        (QCoreApplication.translate("AddDialog", "Do&wnloads"), location.DownloadLocation),
    ):
        path = Path(QStandardPaths.writableLocation(standard_location))
        # Qt returns the home folder where a desktop has none of its own.
        if path.is_dir() and path != Path.home():
            folders.append((name, path))
    return folders


class AddDialog(QDialog):
    """Shows the files, bytes and time of a folder, and the number of excluded files by rule.

    Without a folder it first offers the usual ones. The same dialog changes the rules and the
    description of a folder that was added before.
    """

    # The person adds a folder (a Path) with rules (FolderRules) and a description.
    chosen = Signal(object, object, str)
    # These settings (a dict) were chosen for the library.
    settings_chosen = Signal(object)

    def __init__(
        self,
        library: Library,
        lane: Lane,
        folder: Path | None,
        known: Folder | None,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        is_new = known is None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Add folder") if is_new else self.tr("Folder rules"))
        open_within_screen(self, 760, 580)
        self._library = library
        self.folder: Path | None = None
        self._name = ElidedLabel(Qt.TextElideMode.ElideMiddle, role="title")
        self._locations = _LocationButtons()
        self._locations.chosen.connect(self._choose)
        self._locations.setVisible(folder is None)
        self.summary = Label(role="muted", wraps=True)
        self.summary.setMinimumHeight(2 * self.summary.fontMetrics().lineSpacing())
        self.summary.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._bar = QProgressBar(textVisible=False)
        self._bar.setRange(0, 0)
        self._bar.setFixedHeight(4)
        self._bar.setAccessibleName(self.tr("Scanning the folder"))
        self.notice = NoticeBar()
        self._kinds = FigureTable(self.tr("Will be added"), self.tr("Files"), self.tr("Size"))
        self._excluded = FigureTable(self.tr("Will be skipped"), self.tr("Count"))
        self._form = RulesForm()
        self.options = Disclosure(self.tr("&Options"), self._form)
        self.multilingual = TickBox("")
        self.multilingual.hide()
        # Its index has another size, and takes longer.
        self.multilingual.toggled.connect(self._look)
        if known is not None:
            self._form.set_rules(known.rules)
            self._form.set_description(known.description)
            self.options.setChecked(True)
        buttons = QDialogButtonBox()
        self._go = buttons.addButton(
            self.tr("Add") if is_new else self.tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self._go.setProperty("main", "true")
        self._go.setDefault(True)
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        tables = fill(horizontal(spacing=12), (self._kinds, 1), (self._excluded, 1))
        layout = vertical(self, margins=(20, 20, 20, 18), spacing=12)
        fill(layout, self._name, self._locations, self.summary, self._bar, self.notice)
        fill(layout, (tables, 1), self.multilingual, (self.options, Qt.AlignmentFlag.AlignLeft))
        fill(layout, self._form, buttons)
        self._looking = Latest(lane, self, self._show, self._show_error)
        self._looking.progressed.connect(self._show_progress)
        self._sampling = Latest(lane, self, self._take_sample, self._show_error)
        # The files whose text was measured last, and their text as a multiple of the expected.
        self._sample: tuple[SampledFile, ...] | None = None
        self._text_scale: float | None = None
        self._preview: Preview | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._look)
        self._form.changed.connect(self._wait)
        if folder is not None:
            self._choose(folder)
        else:
            self._bar.hide()
            self._name.set_text(self.tr("Which folder do you want to search?"))
            self.summary.setText(
                self.tr("Your files stay where they are. Winnow reads them on this computer.")
            )
            self._go.setEnabled(False)

    @property
    def is_looking(self) -> bool:
        """Whether the preview does not match the fields yet."""
        return self._pause.isActive() or self._looking.is_running or self._sampling.is_running

    def lines(self) -> list[tuple[str, ...]]:
        """Return the rows of the two tables."""
        return [*self._kinds.lines, *self._excluded.lines]

    def accept(self) -> None:
        if self.folder is None:
            return
        # Before the folder is added, so that it is encoded once.
        if self.multilingual.isChecked():
            self.settings_chosen.emit(ACCEPTED)
        self.chosen.emit(self.folder, self._form.rules(), self._form.description)
        super().accept()

    def done(self, result: int) -> None:
        self._pause.stop()
        self._looking.drop()
        self._sampling.drop()
        super().done(result)

    def _choose(self, folder: Path) -> None:
        """Preview this folder."""
        self.folder = folder
        self._name.set_text(texts.shown_path(folder))
        self._name.setToolTip(texts.hint(quoted(folder)))
        self._look()

    def _wait(self) -> None:
        """Restart the preview shortly after the last key."""
        self._looking.drop()
        self._pause.start()

    def _look(self) -> None:
        if self.folder is None:
            return
        self._bar.show()
        model = MULTILINGUAL if self.multilingual.isChecked() else ""
        preview = partial(self._library.preview, self.folder, self._form.rules(), model=model)
        self._looking.start(lambda job: preview(job))

    def _show_progress(self, progress: Progress) -> None:
        self.summary.setText(self.tr("{0} found so far…").format(texts.files(progress.done)))

    def _show(self, preview: Preview) -> None:
        self._preview = preview
        if preview.sample != self._sample:
            self._sample, self._text_scale = preview.sample, None
            self._sampling.start(partial(_sampled, self._library, preview))
        else:
            self._bar.hide()
        self.notice.clear()
        self._go.setEnabled(True)
        self.summary.setText(self._summary_of(preview))
        self._kinds.show_lines(
            (translated(kind.name), texts.grouped(kind.files), texts.size(kind.size_bytes))
            for kind in preview.kinds
        )
        counts = sorted(preview.excluded.items(), key=lambda item: -item[1])
        self._excluded.show_lines(
            (
                *((rule_text(rule), texts.grouped(count)) for rule, count in counts),
                *(
                    (translated(failure.reason), texts.name_of(failure.path))
                    for failure in preview.closed
                ),
            )
        )

    def _take_sample(self, measured: tuple[float, float]) -> None:
        self._text_scale, share = measured
        self._bar.hide()
        if self._preview is not None:
            self.summary.setText(self._summary_of(self._preview))
        self._offer_model(share)

    def _offer_model(self, share: float) -> None:
        """Offer the multilingual model, preselected where most files are not in English."""
        self.multilingual.setVisible(share > 0)
        self.multilingual.setChecked(share > _PRESELECTED_SHARE)
        self.multilingual.setText(
            self.tr(
                "&Use the multilingual model: about {0} of the text is not in English "
                "(indexing takes twice as long)"
            ).format(percent(share))
        )

    def _summary_of(self, preview: Preview) -> str:
        whole = [texts.files(preview.files), texts.size(preview.size_bytes)]
        if not preview.files:
            return self.tr("There are no files to add.")
        if not preview.waiting:
            return " · ".join([*whole, self.tr("already in the library")])
        if preview.waiting < preview.files:
            whole.append(self.tr("{0} to index").format(texts.files(preview.waiting)))
        if self._text_scale is None:
            costs = self.tr("Estimating time and size from some of the files…")
        else:
            expected = preview.scaled(self._text_scale)
            costs = self.tr(
                "Searchable by words in {0}, by meaning {1} later. The index takes up about {2}."
            ).format(
                texts.duration(expected.reading_s),
                texts.duration(expected.encoding_s),
                texts.size(expected.index_bytes),
            )
            if preview.has_recognition:
                costs += " " + self.tr(
                    "Recognising text in pictures and scans takes longer and adds to it."
                )
        return f"{' · '.join(whole)}\n{costs}"

    def _show_error(self, error: Exception) -> None:
        self._bar.hide()
        self.summary.setText("")
        self._go.setEnabled(False)
        for table in (self._kinds, self._excluded):
            table.show_lines(())
        self.notice.show_notice(notice_of(error))


def _sampled(library: Library, preview: Preview, job: Job) -> tuple[float, float]:
    """Return the text of a preview as a multiple of the expected, and the share not in English."""
    read = library.read_sample(preview, job)
    return read.scale, library.offered_share(read.beginnings)


class _LocationButtons(QWidget):
    """Buttons for the usual folders, and one for any other."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        row = horizontal(self, margins=(0, 0, 0, 0), spacing=8)
        for name, path in standard_folders():
            button = Button(name, partial(self.chosen.emit, path))
            button.setAutoDefault(False)
            button.setToolTip(texts.hint(texts.shown_path(path)))
            row.addWidget(button)
        other = Button(QCoreApplication.translate("AddDialog", "Another fo&lder…"), self._ask)
        other.setAutoDefault(False)
        row.addWidget(other)
        row.addStretch(1)

    def _ask(self) -> None:
        title = QCoreApplication.translate("AddDialog", "Add folder")
        dialog = ask_for_folder(self.window(), title, str(Path.home()))
        dialog.fileSelected.connect(lambda path: self.chosen.emit(Path(path)))


class Adding(QObject):
    """Shows the person each folder before it is added, one dialog after the other.

    Args:
        parent_widget: returns the widget over which a dialog opens.
    """

    settings_chosen = Signal(object)

    def __init__(
        self,
        session: Session,
        sizes: DialogSizes,
        window: QWidget,
        parent_widget: Callable[[], QWidget],
    ) -> None:
        super().__init__(window)
        self._session = session
        self._sizes = sizes
        self._parent_widget = parent_widget
        self._library: Library | None = None
        self._waiting: deque[tuple[Path | None, Folder | None]] = deque()
        # The dialog that is open, if any.
        self.page: AddDialog | None = None
        session.opened.connect(self._use)

    def ask(self) -> None:
        """Ask the person for a folder, beginning with the usual ones if there are any."""
        if self._library is not None and standard_folders():
            self._waiting.append((None, None))
            self._turn()
            return
        dialog = ask_for_folder(self._parent_widget(), self.tr("Add folder"), str(Path.home()))
        dialog.fileSelected.connect(lambda path: self.add([Path(path)]))

    def add(self, folders: Iterable[Path]) -> None:
        """Preview folders; add them without a preview if the library is not open yet."""
        if self._library is None:
            self._session.add_folders(list(folders))
            return
        self._waiting.extend((folder, None) for folder in folders)
        self._turn()

    def change(self, folder: Folder) -> None:
        """Let the person change the rules of a folder."""
        self._waiting.append((folder.path, folder))
        self._turn()

    def leave(self) -> None:
        """Cancel the folders that are not confirmed."""
        self._waiting.clear()
        if self.page is not None:
            self.page.reject()

    def _use(self, library: Library) -> None:
        self._library = library

    def _turn(self) -> None:
        """Open the dialog of the next folder, if none is open."""
        if self.page is not None or not self._waiting or self._library is None:
            return
        folder, known = self._waiting.popleft()
        parent = self._parent_widget()
        self.page = AddDialog(self._library, self._session.files, folder, known, parent)
        self._sizes.hold(self.page, "adding")
        self.page.settings_chosen.connect(self.settings_chosen)
        self.page.chosen.connect(self._session.add_folder)
        self.page.finished.connect(self._end_page)
        self.page.open()

    def _end_page(self, _result: int) -> None:
        self.page = None
        self._turn()
