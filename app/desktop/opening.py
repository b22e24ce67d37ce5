"""Opening a document, its folder or the guide with the program that the system has for it.

Nothing is guessed: the program that the system has for a kind of files opens them, at a page if it
is one of those below, and as ever if not.
"""

from __future__ import annotations

import configparser
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QCoreApplication,
    QMimeDatabase,
    QObject,
    QProcess,
    QUrl,
    Signal,
)
from PySide6.QtGui import QDesktopServices

from app import texts
from app.errors import notice_of
from app.translation import said
from app.widgets.notices import Notice
from core import paths
from core.addresses import is_in_bucket
from core.errors import DocumentError, WinnowError

if TYPE_CHECKING:
    from app.background import Lane
    from core.progress import Job


@dataclass(frozen=True, slots=True)
class ViewerCommand:
    """A program and what it is called with."""

    program: str
    arguments: list[str]


# By what the program is called in its desktop entry or as a file, in lower case.
_AT_PAGE: Final[dict[str, Callable[[Path, int], list[str]]]] = {
    "okular": lambda path, page: ["-p", str(page), str(path)],
    "evince": lambda path, page: [f"--page-index={page}", str(path)],
    "papers": lambda path, page: [f"--page-index={page}", str(path)],
    "atril": lambda path, page: [f"--page-index={page}", str(path)],
    "xreader": lambda path, page: [f"--page-index={page}", str(path)],
    "zathura": lambda path, page: [f"--page={page}", str(path)],
    "qpdfview": lambda path, page: [f"{path}#{page}"],
    "mupdf": lambda path, page: [str(path), str(page)],
    "xpdf": lambda path, page: [str(path), str(page)],
    "sumatrapdf": lambda path, page: ["-page", str(page), str(path)],
}


def at_page(path: Path, page: int) -> ViewerCommand | None:
    """Return how the system's program for a file opens it at a page; None where none can."""
    if sys.platform == "win32":
        program = shutil.which("SumatraPDF")
    elif sys.platform == "darwin":
        program = None  # Preview cannot be asked for a page
    else:
        program = _default_program(QMimeDatabase().mimeTypeForFile(str(path)).name())
    return command_for(program, path, page) if program else None


def command_for(program: str, path: Path, page: int) -> ViewerCommand | None:
    """Return how a program opens a file at a page; None for one that is not known to.

    >>> command_for("/usr/bin/okular", Path("a.pdf"), 3).arguments
    ['-p', '3', 'a.pdf']
    """
    ask = _AT_PAGE.get(Path(program).name.lower().removesuffix(".exe"))
    return ViewerCommand(program, ask(path, page)) if ask is not None else None


def in_folder(path: Path) -> ViewerCommand | None:
    """Return how the system's file manager shows a file in its folder, chosen among the others."""
    if sys.platform == "win32":
        # One argument: the program takes its command line apart at the commas itself.
        return ViewerCommand("explorer", [f"/select,{path}"])
    if sys.platform == "darwin":
        return ViewerCommand("open", ["-R", str(path)])
    sender = shutil.which("gdbus")
    if sender is None or not os.environ.get("DBUS_SESSION_BUS_ADDRESS") or not _has_file_manager():
        return None
    uri = bytes(QUrl.fromLocalFile(str(path)).toEncoded().data()).decode("ascii")
    return ViewerCommand(
        sender,
        [
            *("call", "--session", "--dest", "org.freedesktop.FileManager1"),
            *("--object-path", "/org/freedesktop/FileManager1"),
            *("--method", "org.freedesktop.FileManager1.ShowItems"),
            # A URI has neither quotation marks nor backslashes: those are written as numbers.
            f"['{uri.replace(chr(39), '%27')}']",
            "''",
        ],
    )


def _has_file_manager() -> bool:
    """Say whether a program is installed that D-Bus starts to show files in their folder."""
    name = "dbus-1/services/org.freedesktop.FileManager1.service"
    return any((folder / name).exists() for folder in _data_folders())


def _default_program(kind: str) -> str | None:
    """Return the program that opens files of a MIME type, by the freedesktop associations."""
    for entry in _default_entries(kind):
        for folder in _data_folders():
            if program := _program_in(folder / "applications" / entry):
                return program
    return None


def _default_entries(kind: str) -> Iterator[str]:
    """Return the desktop entries for a MIME type, what the person chose first."""
    lists = [
        *(folder / "mimeapps.list" for folder in _config_folders()),
        *(folder / "applications" / "mimeapps.list" for folder in _data_folders()),
        *(folder / "applications" / "defaults.list" for folder in _data_folders()),
    ]
    for path in lists:
        if said := _parsed(path).get("Default Applications", kind, fallback=""):
            yield from (entry for entry in said.split(";") if entry)


def _program_in(entry: Path) -> str | None:
    """Return the program that a desktop entry starts, if it is there."""
    line = _parsed(entry).get("Desktop Entry", "Exec", fallback="")
    return shutil.which(line.split()[0].strip('"')) if line.split() else None


def _parsed(path: Path) -> configparser.RawConfigParser:
    """Return what an ini file says; nothing for one that is not there or is none."""
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError, OSError):
        return configparser.RawConfigParser()
    return parser


def _config_folders() -> list[Path]:
    own = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return _folders(own, os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg")


def _data_folders() -> list[Path]:
    own = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return _folders(own, os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share")


def _folders(own: str, others: str) -> list[Path]:
    return [Path(folder) for folder in (own, *others.split(":")) if folder]


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

    def open(self, document: Path, page: int | None = None) -> None:
        """Open the file of the document at this path, if it is there.

        At its `page` (from 1) where the system's program for such files is known to do that.
        """
        self._start(partial(_file_of, page=page), document)

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


def _file_of(document: Path, job: Job, page: int | None = None) -> _Found:
    # Not before the window shows.
    from core.documents.containers.members import file_of
    from core.documents.files import copy_of_object
    from core.documents.placeholders import stub_of

    file = file_of(document)
    is_own = file == document
    if is_in_bucket(file):
        try:
            file = copy_of_object(file, job.checkpoint)
        except DocumentError as error:
            sentence = QCoreApplication.translate("Opener", "{0} cannot be opened: it {1}.")
            shown = texts.shown_path(file)
            raise WinnowError(sentence.format(shown, said(error.message))) from error
    elif not file.exists() and (stub := stub_of(file)) is not None:
        # The person wants it: its client fetches it.
        return stub, True, None
    return file, file.is_file(), at_page(file, page) if page is not None and is_own else None


def _folder_of(document: Path, job: Job) -> _Found:
    if is_in_bucket(document):
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
