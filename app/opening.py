"""Opening a document or its folder with the program that the system has for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app import texts
from app.errors import Notice, notice_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.background import Lane
    from core.progress import Job

    Found = tuple[Path, bool]
    """A path, and whether there is anything."""


class Opener(QObject):
    """Opens what holds a document; looks for it in the background, which a network may delay.

    A document in an archive or a mail is opened with that, since it has no file of its own.
    """

    failed = Signal(object)
    """A Notice that says why nothing was opened."""

    def __init__(self, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._lane = lane

    def open(self, document: Path) -> None:
        """Open the file of the document at this path, if it is there."""
        self._start(_file_of, document)

    def open_folder(self, document: Path) -> None:
        """Open the folder in which the file of the document at this path lies, if it is there."""
        self._start(_folder_of, document)

    def _start(self, find: Callable[[Path, Job], Found], document: Path) -> None:
        task = self._lane.start(partial(find, document))
        task.succeeded.connect(self._open_if_there)
        task.failed.connect(lambda error: self.failed.emit(notice_of(error)))

    def _open_if_there(self, found: Found) -> None:
        path, is_there = found
        if not is_there:
            sentence = self.tr("{0} is no longer there.")
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            sentence = self.tr("The system knows no program that opens {0}.")
        else:
            return
        self.failed.emit(Notice(sentence.format(texts.shown_path(path))))


def _file_of(document: Path, _job: Job) -> Found:
    # Not before the window shows.
    from core.documents.containers.members import file_of

    file = file_of(document)
    return file, file.is_file()


def _folder_of(document: Path, job: Job) -> Found:
    folder = _file_of(document, job)[0].parent
    return folder, folder.is_dir()
