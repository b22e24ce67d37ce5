"""The right to change a library's index, which one process has at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import filelock

from core import private
from core.errors import LibraryBusyError, LibraryError


@contextlib.contextmanager
def writing(home: Path) -> Iterator[None]:
    """Hold the right to change the index of the library in `home`.

    The system frees it when a process dies.

    Raises:
        LibraryBusyError: another process has it.
        LibraryError: the folder cannot be written to.
    """
    lock = filelock.FileLock(home / "writer.lock", timeout=0, mode=private.OWN_FILE)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        raise LibraryBusyError(
            f"Another Winnow is indexing the library in {home}; wait until it is done, or close it."
        ) from error
    except (OSError, NotImplementedError) as error:
        # NotImplementedError: a file system without locks, some network shares for example.
        raise LibraryError(
            f"The library in {home} cannot be locked for writing ({error}); "
            "set WINNOW_HOME to a folder that you may write to."
        ) from error
    try:
        yield
    finally:
        lock.release()
