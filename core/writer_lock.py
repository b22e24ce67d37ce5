"""The lock of a library's index: only one process at a time changes it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import filelock

from core.daemon_client import client
from core.errors import LibraryBusyError, LibraryError
from core.files import own_files

_HANDOVER_S: Final = 2.0


@contextlib.contextmanager
def writing(home: Path) -> Iterator[None]:
    """Hold the lock of the index of the library in `home` during the block.

    The system frees it when a process dies.

    Raises:
        LibraryBusyError: another process has it.
        LibraryError: the folder cannot be written to.
    """
    lock = filelock.FileLock(home / "writer.lock", timeout=0, mode=own_files.OWN_FILE)
    with contextlib.ExitStack() as stack:
        try:
            is_ours = _is_locked(lock)
            if not is_ours and stack.enter_context(client.hold(home)):
                # The service yields to all others, because a person may be waiting.
                is_ours = _is_locked(lock, _HANDOVER_S)
        except (OSError, NotImplementedError) as error:
            # NotImplementedError: a file system without locks, some network shares for example.
            raise LibraryError(
                "The library in {0} cannot be locked for writing ({1}). Set WINNOW_HOME to a "
                "writable folder.",
                home,
                error,
            ) from error
        if not is_ours:
            raise LibraryBusyError(
                "Another Winnow process is indexing the library in {0}. Wait until it finishes, "
                "or close it.",
                home,
            )
        stack.callback(lock.release)
        yield


def _is_locked(lock: filelock.BaseFileLock, timeout_s: float = 0) -> bool:
    """Acquire a lock within a time limit; return whether it succeeded.

    Raises:
        OSError, NotImplementedError: the file cannot be locked at all.
    """
    try:
        lock.acquire(timeout=timeout_s)
    except filelock.Timeout:
        return False
    return True
