"""Files that are there whole, as they were or as they are to be, whatever comes in between."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from pathlib import Path
from typing import Final

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def atomic_write(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write `data` to a file beside `path`, and onto the disk, then give it that name.

    A link stays one, and the file that it leads to is replaced.

    Args:
        path: in a folder that is there.
        data: all that the file is to hold.
        mode: who may read and write a file that was not there before, as far as the system's
            habits (umask) allow; one that was keeps its rights.

    Raises:
        OSError: it cannot be written; what was there before is untouched.
    """
    target = Path(os.path.realpath(path))
    making = target.with_name(f".winnow-{os.getpid()}-{secrets.token_hex(4)}.making")
    # In Windows a file is one of text unless it is said to be none.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    number = os.open(making, flags, mode)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.is_file():
            shutil.copymode(target, making)
        making.replace(target)
    except BaseException:
        discard(making)
        raise


def discard(path: Path) -> None:
    """Remove a file that was made in vain, if that can be; if not, it is swept up another time.

    A disk that would not hold a file may not let go of it, and what went wrong first is what
    counts.
    """
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove what programs that were killed had begun to write in `folder`, as far as can be."""
    for making in folder.glob(".winnow-*.making"):
        number = making.name.split("-")[1]
        if number.isdigit() and not _is_running(int(number)):
            discard(making)


def _is_running(process: int) -> bool:
    """Return whether there is a process of this number, or nobody can tell."""
    if os.name == "nt":  # where to ask by a signal is to end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def is_out_of_room(error: OSError) -> bool:
    """Return whether a disk is full, or all of it used that the person may use."""
    return error.errno in _NO_ROOM
