"""Opening a document or its folder with the program that the system has for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app import texts
from app.errors import Notice, notice_of
from app.viewers import Command, at_page, in_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.background import Lane
    from core.progress import Job

    Found = tuple[Path, bool, Command | None]
    """A path, whether there is anything, and the program that shows it best, if one is known."""


class Opener(QObject):
    """Opens what holds a document; looks for it in the background, which a network may delay.

    A document in an archive or a mail is opened with that, since it has no file of its own.
    """

    failed = Signal(object)
    """A Notice that says why nothing was opened."""

    def __init__(self, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._lane = lane

    def open(self, document: Path, page: int | None = None) -> None:
        """Open the file of the document at this path, if it is there.

        At its `page` (from 1) where the system's program for such files is known to do that.
        """
        self._start(partial(_file_of, page=page), document)

    def open_folder(self, document: Path) -> None:
        """Show the file of the document at this path in its folder, if that is there."""
        self._start(_folder_of, document)

    def _start(self, find: Callable[[Path, Job], Found], document: Path) -> None:
        task = self._lane.start(partial(find, document))
        task.succeeded.connect(self._open_if_there)
        task.failed.connect(lambda error: self.failed.emit(notice_of(error)))

    def _open_if_there(self, found: Found) -> None:
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


def _file_of(document: Path, _job: Job, page: int | None = None) -> Found:
    # Not before the window shows.
    from core.documents.containers.members import file_of

    file = file_of(document)
    is_own = file == document
    return file, file.is_file(), at_page(file, page) if page is not None and is_own else None


def _folder_of(document: Path, job: Job) -> Found:
    file, is_there, _ = _file_of(document, job)
    folder = file.parent
    return folder, folder.is_dir(), in_folder(file) if is_there else None
