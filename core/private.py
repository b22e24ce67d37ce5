"""Keeping what Winnow writes from everybody but the person: their documents' text is in it.

Windows keeps a person's folders to them by itself, and there nothing is done.
"""

from __future__ import annotations

import fnmatch
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_log = logging.getLogger(__name__)

OWN_FILE: Final = 0o600
_OWN_FOLDER: Final = 0o700
_OTHERS: Final = 0o077
# What a library's folder holds, in whatever folder of theirs a person keeps it.
_FILES: Final = ("catalog.*", "*.json", "*.json.bad", "*.lock", "window.socket", ".winnow-*.making")
_FOLDERS: Final = ("index", "codebooks", ".scratch")


def make_folder(folder: Path) -> None:
    """Make a folder, and those it lies in, that nobody else may look into; one may be there.

    Raises:
        OSError: it cannot be made.
    """
    for missing in [*_missing(folder)][::-1]:
        missing.mkdir(mode=_OWN_FOLDER, exist_ok=True)
    if not folder.is_dir():
        raise FileExistsError(17, "there is a file of that name", str(folder))


def make_file(path: Path) -> None:
    """Make an empty file that nobody else may look into, where there is none.

    Raises:
        OSError: it cannot be made.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWN_FILE))
    except FileExistsError:
        return


def tighten(home: Path) -> None:
    """Take from others the right to look into a library's folder that was there before.

    Where the file system knows no rights (sticks, some shares), or the folder is somebody else's,
    all stays as it is.
    """
    if os.name == "nt":
        return
    try:
        if not _is_shared(home):
            _keep(home, _OWN_FOLDER)
        for path in home.iterdir():
            if path.name in _FOLDERS:
                _keep(path, _OWN_FOLDER)
                for inner in path.iterdir() if path.is_dir() else ():
                    _keep(inner, OWN_FILE)
            elif any(fnmatch.fnmatch(path.name, pattern) for pattern in _FILES):
                _keep(path, OWN_FILE)
    except OSError as error:
        _log.info("others may be able to look into %s: %s", home, error)


def tighten_folder(folder: Path) -> None:
    """Take from others the right to look into one folder, likewise."""
    if os.name == "nt":
        return
    try:
        if not _is_shared(folder):
            _keep(folder, _OWN_FOLDER)
    except OSError as error:
        _log.info("others may be able to look into %s: %s", folder, error)


def _keep(path: Path, rights: int) -> None:
    """Take a file's or folder's rights from others; a folder keeps those that its owner needs."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode) or not status.st_mode & _OTHERS:
        return
    if stat.S_ISDIR(status.st_mode):
        rights = _OWN_FOLDER
    path.chmod(rights)


def _is_shared(folder: Path) -> bool:
    """Whether a folder is one that serves for other things, too: its rights are not ours to change.

    Those for everybody (`/tmp`), the person's home, and what that lies in.
    """
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - there may be none
    return bool(folder.stat().st_mode & stat.S_ISVTX) or home.is_relative_to(folder.resolve())


def _missing(folder: Path) -> Iterator[Path]:
    while not folder.exists() and folder != folder.parent:
        yield folder
        folder = folder.parent
