"""Opening documents, folders and the guide with the system's programs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app import texts
from app.desktop.viewers import ViewerCommand, at_line, at_page, in_folder, in_vault, in_zotero
from app.errors import notice_of
from app.translation import translated
from app.widgets.notices import Notice
from core.errors import DocumentError, WinnowError
from core.files import paths
from core.files.locations import Location

if TYPE_CHECKING:
    from app.background import Lane
    from core.progress import Job


# A path, whether it exists, and the command that opens it at the right place, if one is known.
_FileState = tuple[Path, bool, ViewerCommand | None]


class Opener(QObject):
    """Opens the file of a document; looks it up in the background, because a network may be slow.

    For a document in an archive or a mail the archive or mail is opened, for one in a bucket a
    copy.
    """

    # A file or folder was handed to a program.
    opened = Signal()
    # Carries a Notice that says why nothing was opened.
    failed = Signal(object)

    def __init__(self, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._lane = lane

    def open(
        self, document: Path, page: int | None = None, line: Callable[[], int | None] | None = None
    ) -> None:
        """Open the file of a document, if it exists.

        It is opened at its `page` (from 1), or at the line that `line` returns in the background,
        if the system's program for the file is known to support that.
        """
        self._start(partial(_file_of, page=page, line=line), document)

    def open_folder(self, document: Path) -> None:
        """Show the file of a document, or a folder, in the folder that contains it."""
        self._start(_folder_of, document)

    def _start(self, find: Callable[[Path, Job], _FileState], document: Path) -> None:
        task = self._lane.start(partial(find, document))
        task.succeeded.connect(self._open_if_there)
        task.failed.connect(lambda error: self.failed.emit(notice_of(error)))

    def _open_if_there(self, state: _FileState) -> None:
        path, is_there, command = state
        if not is_there:
            sentence = self.tr("{0} no longer exists.")
        elif command is not None and QProcess.startDetached(command.program, command.arguments)[0]:
            self.opened.emit()
            return
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            sentence = self.tr("No application found to open {0}.")
        else:
            self.opened.emit()
            return
        self.failed.emit(Notice(sentence.format(texts.shown_path(path))))


def _file_of(
    document: Path, job: Job, page: int | None = None, line: Callable[[], int | None] | None = None
) -> _FileState:
    # Imported after the window is shown.
    from core.documents.containers.members import file_of
    from core.documents.files import copy_of_object, stub_of

    file = file_of(document)
    is_own = file == document
    if not Location.of(file).is_local:
        try:
            file = copy_of_object(file, job.checkpoint)
        except DocumentError as error:
            sentence = QCoreApplication.translate("Opener", "Cannot open {0}. {1}.")
            shown = texts.shown_path(file)
            raise WinnowError(sentence.format(shown, translated(error.message))) from error
    elif not file.exists() and (stub := stub_of(file)) is not None:
        # Opening the placeholder makes its client fetch the file.
        return stub, True, None
    is_there = file.is_file()
    command = None
    if is_there and (in_program := in_vault(document) or in_zotero(document)) is not None:
        command = in_program
    elif is_there and is_own and page is not None:
        command = at_page(file, page)
    elif is_there and is_own and line is not None and (line_number := line()) is not None:
        command = at_line(file, line_number)
    return file, is_there, command


def _folder_of(document: Path, job: Job) -> _FileState:
    if not Location.of(document).is_local:
        sentence = QCoreApplication.translate(
            "Opener", "{0} is in a bucket, whose folders cannot be opened here."
        )
        raise WinnowError(sentence.format(texts.shown_path(document)))
    file, is_there, _ = _file_of(document, job)
    is_folder = not is_there and file.is_dir()
    folder = file if is_folder else file.parent
    return folder, folder.is_dir(), in_folder(file) if is_there or is_folder else None


def find_guide() -> Path | None:
    """Return the first page of the guide; None if it is not installed or not built.

    It is part of the resources of an installed Winnow; in a checkout `dev.py docs` builds it.
    """
    for folder in (paths.RESOURCES / "guide", paths.RESOURCES.parent / "build" / "guide"):
        page = folder / "index.html"
        if page.is_file():
            return page
    return None
