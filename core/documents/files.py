"""Opening a document's file: only plain files, and why one that cannot be opened cannot."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final, Self

from core.errors import DocumentError

LARGEST_TEXT_BYTES = 200_000_000
LARGEST_BYTES = 2_000_000_000
"""Of a document that is no container: beyond it, looking for its end alone takes minutes."""


# Not followed where the last part of a path is a link, and not waited for where it is a pipe.
_PLAINLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_PLAINLY |= getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """Which file lies at a path, as the system numbers files: another one there is told by it."""

    device: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        return cls(status.st_dev, status.st_ino)


def open_plain(path: Path, expected: FileIdentity | None = None) -> BufferedReader:
    """Open the plain file at `path`, which is no link, to be read.

    Raises:
        DocumentError: It is no plain file, or another one than is expected.
        OSError: It cannot be opened, or is a link.
    """
    number = os.open(path, _PLAINLY)
    try:
        status = os.fstat(number)
        _check_kind(status.st_mode)
        if expected is not None and FileIdentity.of(status) != expected:
            raise DocumentError("was replaced by another file while it was read")
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


_OF_THE_MACHINE: Final = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.ENOMEM}


def is_of_the_machine(error: BaseException | None) -> bool:
    """Whether an error is the machine's, which has no room or whose disk fails.

    It is no verdict on the document that was being read: that can be read another time.

    >>> is_of_the_machine(OSError(errno.ENOSPC, "No space left on device"))
    True
    """
    return isinstance(error, OSError) and error.errno in _OF_THE_MACHINE


def check_file(path: Path) -> None:
    """Make sure that `path` is a plain file, before anything opens it.

    Opening a pipe or a device can wait for ever, so the kind is asked for first.

    Raises:
        DocumentError: It is gone, is no plain file, or may not be read.
    """
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise unreadable(error) from error
    _check_kind(mode)


def _check_kind(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise DocumentError("is a folder, not a file")
    if not stat.S_ISREG(mode):
        raise DocumentError("is not a file but a pipe, a socket or a device")


def check_size(path: Path, most_bytes: int = LARGEST_BYTES) -> None:
    """Make sure that a file is no larger than a document may be.

    Raises:
        DocumentError: It is larger, or may not be looked at.
    """
    try:
        size_bytes = path.stat().st_size
    except OSError as error:
        raise unreadable(error) from error
    if size_bytes > most_bytes:
        raise DocumentError(f"is larger than {most_bytes // 1_000_000} MB")


def read_bytes(path: Path) -> bytes:
    """Return the contents of a file of text.

    Raises:
        DocumentError: It is larger than 200 MB, or cannot be read.
    """
    check_size(path, LARGEST_TEXT_BYTES)
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(error) from error


def unreadable(error: OSError) -> DocumentError:
    """Return the reason to show for an operating system's refusal.

    >>> str(unreadable(FileNotFoundError(2, "No such file")))
    'is no longer there'
    """
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return DocumentError("is no longer there")
    if isinstance(error, PermissionError):
        return DocumentError("may not be read: permission denied")
    if isinstance(error, IsADirectoryError):
        return DocumentError("is a folder, not a file")
    return DocumentError(f"could not be read: {error.strerror or error}")
