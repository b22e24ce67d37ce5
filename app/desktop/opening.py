"""Opening a document, its folder or the guide with the program that the system has for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app import texts
from app.desktop.viewers import ViewerCommand, at_line, at_page, in_folder
from app.errors import notice_of
from app.translation import said
from app.widgets.notices import Notice
from core import paths
from core.errors import DocumentError, WinnowError
from core.locations import Location

if TYPE_CHECKING:
    from app.background import Lane
    from core.progress import Job


_Found = tuple[Path, bool, ViewerCommand | None]
"""A path, whether there is anything, and the program that shows it best, if one is known."""


class Opener(QObject):
    """Opens what holds a document; looks for it in the background, which a network may delay.

    A document in an archive or a mail is opened with that, since it has no file of its own, and of
    one in a bucket a copy.
    """

    failed = Signal(object)
    """A Notice that says why nothing was opened."""

    def __init__(self, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._lane = lane

    def open(
        self,
        document: Path,
        page: int | None = None,
        line: Callable[[], int | None] | None = None,
    ) -> None:
        """Open the file of the document at this path, if it is there.

        At its `page` (from 1), or at the line that `line` gives in the background, where the
        system's program for such files is known to do that.
        """
        self._start(partial(_file_of, page=page, line=line), document)

    def open_folder(self, document: Path) -> None:
        """Show the file of the document at this path in its folder, if that is there."""
        self._start(_folder_of, document)

    def _start(self, find: Callable[[Path, Job], _Found], document: Path) -> None:
        task = self._lane.start(partial(find, document))
        task.succeeded.connect(self._open_if_there)
        task.failed.connect(lambda error: self.failed.emit(notice_of(error)))

    def _open_if_there(self, found: _Found) -> None:
        path, is_there, command = found
        if not is_there:
            sentence = self.tr("{0} is no longer there.")
        elif command is not None and QProcess.startDetached(command.program, command.arguments)[0]:
            return
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            sentence = self.tr("The system knows no program that opens {0}.")
        else:
            return
        self.failed.emit(Notice(sentence.format(texts.shown_path(path))))


def _file_of(
    document: Path,
    job: Job,
    page: int | None = None,
    line: Callable[[], int | None] | None = None,
) -> _Found:
    # Not before the window shows.
    from core.documents.containers.members import file_of
    from core.documents.files import copy_of_object, stub_of

    file = file_of(document)
    is_own = file == document
    if not Location.of(file).is_local:
        try:
            file = copy_of_object(file, job.checkpoint)
        except DocumentError as error:
            sentence = QCoreApplication.translate("Opener", "{0} cannot be opened: it {1}.")
            shown = texts.shown_path(file)
            raise WinnowError(sentence.format(shown, said(error.message))) from error
    elif not file.exists() and (stub := stub_of(file)) is not None:
        # The person wants it: its client fetches it.
        return stub, True, None
    is_there = file.is_file()
    command = None
    if is_there and is_own and page is not None:
        command = at_page(file, page)
    elif is_there and is_own and line is not None and (number := line()) is not None:
        command = at_line(file, number)
    return file, is_there, command


def _folder_of(document: Path, job: Job) -> _Found:
    if not Location.of(document).is_local:
        sentence = QCoreApplication.translate(
            "Opener", "{0} lies in a bucket: no program here shows its folder."
        )
        raise WinnowError(sentence.format(texts.shown_path(document)))
    file, is_there, _ = _file_of(document, job)
    folder = file.parent
    return folder, folder.is_dir(), in_folder(file) if is_there else None


def find_guide() -> Path | None:
    """Return the guide's first page; None where it was left out, or has not been built.

    An installed Winnow has it among its resources, a checkout where `dev.py docs` builds it.
    """
    for folder in (paths.RESOURCES / "guide", paths.RESOURCES.parent / "build" / "guide"):
        page = folder / "index.html"
        if page.is_file():
            return page
    return None
