"""Opening a document or its folder with the program that the system has for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app import texts
from app.errors import Notice, notice_of

if TYPE_CHECKING:
    from pathlib import Path

    from app.background import Lane
    from core.progress import Job


class Opener(QObject):
    """Opens paths; looks in the background whether they are there, which a network may delay."""

    failed = Signal(object)
    """A Notice that says why nothing was opened."""

    def __init__(self, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._lane = lane

    def open(self, path: Path) -> None:
        task = self._lane.start(partial(_is_there, path))
        task.succeeded.connect(partial(self._open_if_there, path))
        task.failed.connect(lambda error: self.failed.emit(notice_of(error)))

    def _open_if_there(self, path: Path, is_there: bool) -> None:
        if not is_there:
            sentence = self.tr("{0} is no longer there.")
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            sentence = self.tr("The system knows no program that opens {0}.")
        else:
            return
        self.failed.emit(Notice(sentence.format(texts.shown_path(path))))


def _is_there(path: Path, _job: Job) -> bool:
    return path.exists()
