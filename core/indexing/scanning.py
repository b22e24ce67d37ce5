"""Which files a folder holds, told without opening any of them."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from core.catalog.documents import FileStamp
from core.catalog.records import Failure
from core.documents.files import unreadable
from core.documents.formats import format_of
from core.documents.left_out import is_left_out
from core.errors import FolderError


@dataclass(slots=True)
class Found:
    """What a scan came upon.

    `files` are those of a format that Winnow reads, `skipped` the other ones; `closed` are folders
    that could not be looked into, and files of which the system tells nothing, so that nothing
    can be said of what they hold.
    """

    files: dict[Path, FileStamp] = field(default_factory=dict)
    skipped: list[Path] = field(default_factory=list)
    closed: list[Failure] = field(default_factory=list)


def root_at(folder: Path) -> Path:
    """The one path of a folder that can be scanned: absolute, its links resolved.

    Raises:
        FolderError: there is no such folder, or it may not be read.
    """
    path = folder.expanduser().absolute()
    try:
        path = path.resolve(strict=True)
        str(path).encode()
        with os.scandir(path):
            return path
    except (OSError, RuntimeError, UnicodeEncodeError) as error:
        raise FolderError(_why_not(path, error)) from error


def _why_not(path: Path, error: Exception) -> str:
    """Why a folder cannot be added, in a sentence."""
    if isinstance(error, FileNotFoundError):
        return f"There is no folder {path}; check the spelling."
    if isinstance(error, NotADirectoryError):
        return f"{path} is not a folder; give the folder that it lies in."
    if isinstance(error, UnicodeEncodeError):
        return f"The folder {path} has a name that is no text; rename it."
    if isinstance(error, PermissionError):
        return f"The folder {path} may not be read; change its permissions or choose another."
    return f"The folder {path} cannot be read ({error}); check the path and the disk."


def scan(root: Path, on_folder: Callable[[Path, int], None], *, pictures: bool = False) -> Found:
    """Walk through `root`, links to folders not followed.

    Args:
        root: an absolute path.
        on_folder: called at each folder with the number of files found so far; may raise to stop.
        pictures: whether files that are pictures are documents, since their text is recognised.
    """
    found = Found()
    folders = [root]
    while folders:
        folder = folders.pop()
        on_folder(folder, len(found.files))
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            found.closed.append(Failure(folder, str(unreadable(error))))
            continue
        for entry in entries:
            _take(entry, found, folders, pictures=pictures)
    return found


def _take(entry: os.DirEntry[str], found: Found, folders: list[Path], *, pictures: bool) -> None:
    path = Path(entry.path)
    is_text = _is_text(entry.name)
    try:
        if entry.is_dir(follow_symlinks=False):
            if not is_left_out(f"{entry.name}/"):
                if is_text:
                    folders.append(path)
                else:
                    found.closed.append(_misnamed(path))
            return
        if is_left_out(entry.name):
            return
        status = entry.stat()
    except OSError as error:
        # A link to nowhere, or in a circle, or a file that has gone since the folder was listed.
        if not isinstance(error, FileNotFoundError) and error.errno != errno.ELOOP:
            found.closed.append(Failure(path, str(unreadable(error))))
        return
    if stat.S_ISDIR(status.st_mode):
        return
    kind = format_of(path)
    if kind is None or (kind.is_picture and not pictures):
        found.skipped.append(path if is_text else _printable(path))
    elif is_text:
        found.files[path] = FileStamp(status.st_size, status.st_mtime_ns)
    else:
        found.closed.append(_misnamed(path))


def _is_text(name: str) -> bool:
    """Whether a name is text; bytes that are none in this system's encoding come as surrogates."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _printable(path: Path) -> Path:
    return Path(os.fsencode(path).decode(errors="replace"))


def _misnamed(path: Path) -> Failure:
    return Failure(_printable(path), "has a name that is no text; rename it")
