"""Winnow's own files: written atomically, and private to the person.

They contain the text of the person's documents. On Windows a person's folders are private by
default, and no permissions are changed there.
"""

import contextlib
import errno
import fnmatch
import logging
import math
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.errors import LibraryError

_log = logging.getLogger(__name__)

OWN_FILE: Final = 0o600
_OWN_FOLDER: Final = 0o700
_NOT_OWNER: Final = 0o077
# The error message if a command's output is written to a full disk.
NO_ROOM: Final = (
    "There is no room left on the disk that this is written to; make room, or write it elsewhere."
)
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
# Of this process, and of the system.
_NO_FILES: Final = frozenset({errno.EMFILE, errno.ENFILE})
# Files of a library's folder, wherever it is.
_FILES: Final = ("catalog.*", "*.json", "*.json.bad", "*.lock", "*.socket", ".winnow-*.making")
_FOLDERS: Final = ("index", "codebooks", ".scratch")


def size_of(path: Path) -> int:
    """Return the size of a file in bytes, 0 without one; another process may be removing it."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def free_bytes(folder: Path) -> float:
    """Return the free space of a folder's disk in bytes; infinity if the system does not say."""
    try:
        return shutil.disk_usage(folder).free
    except OSError as error:
        _log.info("The free space of %s is unknown: %s", folder, error)
        return math.inf


def atomic_write(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write `data` to a temporary file next to `path`, flush it to disk, and rename it.

    A symbolic link is kept, and its target is replaced.

    Args:
        path: in an existing folder.
        data: the whole contents.
        mode: permissions of a new file, subject to the umask; an existing file keeps its own.

    Raises:
        OSError: it cannot be written; the previous file is unchanged.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".winnow-{os.getpid()}-{os.urandom(4).hex()}.making")
    # On Windows, files are opened in text mode by default.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.is_file():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        discard(temporary)
        raise


def write(path: Path, data: bytes) -> None:
    """Write `data` atomically to a private file in an existing folder.

    Raises:
        OSError: it cannot be written; the previous file is unchanged.
    """
    atomic_write(path, data, OWN_FILE)


def discard(path: Path) -> None:
    """Remove an unfinished file if possible; otherwise it is cleaned up later.

    On a failing disk, removal may fail, too, and the first error is the one to report.
    """
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove unfinished files of killed programs in `folder`, as far as possible."""
    for temporary in folder.glob(".winnow-*.making"):
        process_id = temporary.name.split("-")[1]
        if process_id.isdigit() and not _is_running(int(process_id)):
            discard(temporary)


def sweep_folders(parent: Path, beginning: str) -> None:
    """Remove folders in `parent` that are named `beginning`, a process ID and a suffix.

    Only those of processes that have ended are removed, as far as possible.
    """
    for folder in parent.glob(f"{beginning}*-*"):
        process_id = folder.name.removeprefix(beginning).partition("-")[0]
        if process_id.isdigit() and not _is_running(int(process_id)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    """Return whether a process with this id runs, or may run."""
    if os.name == "nt":  # where sending a signal would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def is_out_of_room(error: OSError) -> bool:
    """Return whether an error means a full disk or an exceeded quota."""
    return error.errno in _NO_ROOM


def is_out_of_files(error: OSError) -> bool:
    """Return whether an error means that too many files are open, which will pass."""
    return error.errno in _NO_FILES


def out_of_files_error(path: Path) -> LibraryError:
    """Return the error for a file that cannot be opened because too many are open."""
    return LibraryError(
        "{0} cannot be opened, because too many files are open. Close other programs and try "
        "again.",
        path,
    )


def make_folder(folder: Path) -> None:
    """Create a private folder and its parents; it may exist.

    Raises:
        OSError: it cannot be created.
    """
    for missing in [*_missing(folder)][::-1]:
        missing.mkdir(mode=_OWN_FOLDER, exist_ok=True)
    if not folder.is_dir():
        raise FileExistsError(17, "a file of that name exists", str(folder))


def make_file(path: Path) -> None:
    """Create an empty private file if it does not exist.

    Raises:
        OSError: it cannot be created.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWN_FILE))
    except FileExistsError:
        return


def tighten(home: Path) -> None:
    """Make an existing library's folder private.

    Does nothing if the file system has no permissions (USB drives, some shares), or if the folder
    belongs to another user.
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
        _log.info("Other users may be able to read %s: %s", home, error)


def tighten_folder(folder: Path) -> None:
    """Make one folder private, under the same conditions."""
    if os.name == "nt":
        return
    try:
        if not _is_shared(folder):
            _keep(folder, _OWN_FOLDER)
    except OSError as error:
        _log.info("Other users may be able to read %s: %s", folder, error)


def _keep(path: Path, rights: int) -> None:
    """Remove other users' permissions; a folder keeps those that its owner needs."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode) or not status.st_mode & _NOT_OWNER:
        return
    if stat.S_ISDIR(status.st_mode):
        rights = _OWN_FOLDER
    path.chmod(rights)


def _is_shared(folder: Path) -> bool:
    """Return whether a folder also serves other purposes, so that its permissions are kept.

    World-writable folders (`/tmp`), the home folder, and its parents.
    """
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - there may be none
    return bool(folder.stat().st_mode & stat.S_ISVTX) or home.is_relative_to(folder.resolve())


def _missing(folder: Path) -> Iterator[Path]:
    while not folder.exists() and folder != folder.parent:
        yield folder
        folder = folder.parent
