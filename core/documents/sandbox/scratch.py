"""Temporary folders for unpacked members, removed on close or by the next sweep."""

import contextlib
import logging
import secrets
import shutil
import threading
from pathlib import Path
from typing import Final

import filelock

from core.errors import CLOSED, LibraryClosedError, ScratchError, WinnowError
from core.files import own_files

_log = logging.getLogger(__name__)

# Lock file for creating and sweeping folders.
_CREATION_LOCK: Final = "making"


class Scratch:
    """A temporary folder of one reader, created when first needed.

    A killed program leaves its folder without a lock. `sweep`, and the creation of another folder
    in the same place, remove it.
    """

    def __init__(self, folder: Path) -> None:
        self._place = folder
        self._guard = threading.Lock()
        self._lock: filelock.BaseFileLock | None = None
        self._folder: Path | None = None
        self._is_closed = False

    def folder(self) -> Path:
        """Return the folder.

        Raises:
            LibraryClosedError: It was closed.
            ScratchError: It cannot be created.
        """
        with self._guard:
            if self._is_closed:
                raise LibraryClosedError(CLOSED)
            if self._folder is None:
                with ScratchError.on_os_error(
                    "Files cannot be unpacked in {0} ({1}). Free up space there, or set "
                    "WINNOW_HOME to a writable folder.",
                    self._place,
                ):
                    self._make()
            assert self._folder is not None
            return self._folder

    def holds_more_than(self, most_files: int, most_bytes: int) -> bool:
        """Return whether the folder has more files or more bytes than allowed."""
        with self._guard:
            if self._folder is None:
                return False
            size_bytes = 0
            for count, path in enumerate(self._folder.rglob("*"), 1):
                with contextlib.suppress(FileNotFoundError):
                    size_bytes += path.lstat().st_size
                if count > most_files or size_bytes > most_bytes:
                    return True
            return False

    def empty(self) -> None:
        """Remove the files in the folder. They must not be in use."""
        with self._guard:
            if self._folder is not None:
                for path in self._folder.rglob("*"):
                    if not path.is_dir():
                        path.unlink()

    def close(self) -> None:
        """Remove the folder for good."""
        with self._guard:
            self._is_closed = True
            if self._folder is not None and self._lock is not None:
                _remove(self._folder, self._lock)
            self._folder = self._lock = None

    def _make(self) -> None:
        own_files.make_folder(self._place)
        # One at a time: a lock file that was created and not yet locked looks abandoned.
        with _lock_at(self._place / _CREATION_LOCK):
            _sweep(self._place)
            folder = self._place / secrets.token_hex(8)
            self._lock = _lock_at(folder.with_suffix(".lock"))
            self._lock.acquire()
            folder.mkdir(mode=0o700)
            self._folder = folder


def sweep(folder: Path) -> None:
    """Remove the scratch folders in `folder` that killed programs left.

    Raises:
        WinnowError: They cannot be removed.
    """
    try:
        if any(path.name != _CREATION_LOCK for path in folder.iterdir()):
            with _lock_at(folder / _CREATION_LOCK):
                _sweep(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise WinnowError(
            "Temporary files of an interrupted Winnow process in {0} cannot be removed ({1}). "
            "Remove that folder yourself.",
            folder,
            error.strerror,
        ) from error


def _sweep(folder: Path) -> None:
    # Also those without a lock, such as folders that could not be removed at once.
    names = {path.with_suffix("").name for path in folder.iterdir() if path.name != _CREATION_LOCK}
    for name in names:
        lock = _lock_at(folder / f"{name}.lock", timeout=0)
        with contextlib.suppress(filelock.Timeout):
            lock.acquire()
            _remove(folder / name, lock)


def _remove(folder: Path, lock: filelock.BaseFileLock) -> None:
    """Remove a folder and its held lock. If that fails, the next sweep tries again."""
    shutil.rmtree(folder, ignore_errors=True)
    lock.release()
    if folder.exists():
        _log.warning("Cannot remove %s now", folder)
        return
    with contextlib.suppress(OSError):  # Windows does not remove open files
        Path(lock.lock_file).unlink()


def _lock_at(path: Path, timeout: float = -1) -> filelock.BaseFileLock:
    return filelock.FileLock(path, timeout, mode=0o600, thread_local=False)
