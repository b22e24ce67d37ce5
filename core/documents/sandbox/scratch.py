"""Where a reader's unpacked members lie for a moment, and how nothing of them stays."""

from __future__ import annotations

import contextlib
import logging
import secrets
import shutil
import threading
from pathlib import Path
from typing import Final

import filelock

from core import own_files
from core.errors import CLOSED, LibraryClosedError, ScratchError, WinnowError

_log = logging.getLogger(__name__)

_MAKING: Final = "making"
"""The lock under which folders are made and swept."""


class Scratch:
    """A folder of one reader's own, made when it is first needed.

    A program that is killed leaves its folder behind, but no lock on it: whoever makes the next
    one in the same place removes it, and so does `sweep`.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._guard = threading.Lock()
        self._lock: filelock.BaseFileLock | None = None
        self._folder: Path | None = None
        self._is_closed = False

    def folder(self) -> Path:
        """Return the folder.

        Raises:
            LibraryClosedError: It was closed.
            ScratchError: It cannot be made.
        """
        with self._guard:
            if self._is_closed:
                raise LibraryClosedError(CLOSED)
            if self._folder is None:
                try:
                    self._make()
                except OSError as error:
                    raise ScratchError(
                        "Winnow cannot unpack files in {0} ({1}); make room "
                        "there, or set WINNOW_HOME to a folder that you may "
                        "write to.",
                        self._place,
                        error.strerror,
                    ) from error
            assert self._folder is not None
            return self._folder

    def holds_more_than(self, most_files: int, most_bytes: int) -> bool:
        """Return whether there are more files in the folder, or more bytes, than there may be."""
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
        """Remove the files in the folder; nobody may be using them."""
        with self._guard:
            if self._folder is not None:
                for path in self._folder.rglob("*"):
                    if not path.is_dir():
                        path.unlink()

    def close(self) -> None:
        """Remove the folder; no other is made."""
        with self._guard:
            self._is_closed = True
            if self._folder is not None and self._lock is not None:
                _remove(self._folder, self._lock)
            self._folder = self._lock = None

    def _make(self) -> None:
        own_files.make_folder(self._place)
        # One at a time, so that nobody takes a lock that was made and not yet taken for a dead one.
        with _lock_at(self._place / _MAKING):
            _sweep(self._place)
            folder = self._place / secrets.token_hex(8)
            self._lock = _lock_at(folder.with_suffix(".lock"))
            self._lock.acquire()
            folder.mkdir(mode=0o700)
            self._folder = folder


def sweep(place: Path) -> None:
    """Remove the scratch folders in `place` whose program is gone, killed in the middle of a file.

    Raises:
        WinnowError: They cannot be removed.
    """
    try:
        if any(path.name != _MAKING for path in place.iterdir()):
            with _lock_at(place / _MAKING):
                _sweep(place)
    except FileNotFoundError:
        return
    except OSError as error:
        raise WinnowError(
            "What was unpacked in {0} by a Winnow that was killed cannot be "
            "removed ({1}); remove that folder yourself.",
            place,
            error.strerror,
        ) from error


def _sweep(place: Path) -> None:
    # Those without a lock as well: of a folder that could not be removed at once, for example.
    names = {path.with_suffix("").name for path in place.iterdir() if path.name != _MAKING}
    for name in names:
        lock = _lock_at(place / f"{name}.lock", timeout=0)
        with contextlib.suppress(filelock.Timeout):
            lock.acquire()
            _remove(place / name, lock)


def _remove(folder: Path, lock: filelock.BaseFileLock) -> None:
    """Remove a folder with its lock, which is held; where it cannot be, the next sweep tries."""
    shutil.rmtree(folder, ignore_errors=True)
    lock.release()
    if folder.exists():
        _log.warning("%s cannot be removed now", folder)
        return
    with contextlib.suppress(OSError):  # Windows keeps what somebody else has open
        Path(lock.lock_file).unlink()


def _lock_at(path: Path, timeout: float = -1) -> filelock.BaseFileLock:
    return filelock.FileLock(path, timeout, mode=0o600, thread_local=False)
