"""Where a reader's unpacked members lie for a moment, and how nothing of them stays."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import threading
from pathlib import Path

import filelock

from core.errors import WinnowError


class Scratch:
    """A folder of one reader's own, made when it is first needed.

    A program that is killed leaves its folder behind, but no lock on it: whoever makes the next
    one in the same place removes it.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._guard = threading.Lock()
        self._lock: filelock.BaseFileLock | None = None
        self._folder: Path | None = None

    def folder(self) -> Path:
        """Return the folder.

        Raises:
            WinnowError: It cannot be made.
        """
        with self._guard:
            if self._folder is None:
                try:
                    self._make()
                except OSError as error:
                    raise WinnowError(
                        f"Winnow cannot unpack files in {self._place} ({error.strerror}); "
                        "make room there, or set WINNOW_HOME to a folder that you may write to."
                    ) from error
            assert self._folder is not None
            return self._folder

    def close(self) -> None:
        """Remove the folder."""
        with self._guard:
            if self._folder is not None and self._lock is not None:
                _remove(self._folder, self._lock)
            self._folder = self._lock = None

    def _make(self) -> None:
        self._place.mkdir(parents=True, exist_ok=True)
        # One at a time, so that nobody takes a lock that was made and not yet taken for a dead one.
        with filelock.FileLock(self._place / "making", thread_local=False):
            for left in self._place.glob("*.lock"):
                lock = filelock.FileLock(left, timeout=0, thread_local=False)
                with contextlib.suppress(filelock.Timeout):
                    lock.acquire()
                    _remove(left.with_suffix(""), lock)
            folder = self._place / secrets.token_hex(8)
            self._lock = filelock.FileLock(folder.with_suffix(".lock"), thread_local=False)
            self._lock.acquire()
            folder.mkdir(mode=0o700)
            self._folder = folder


def _remove(folder: Path, lock: filelock.BaseFileLock) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    lock.release()
    with contextlib.suppress(OSError):  # Windows keeps what somebody else has open
        Path(lock.lock_file).unlink()
