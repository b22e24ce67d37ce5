"""Bounded reads of regular files in folders that other people wrote.

A path in a foreign folder may be a pipe that blocks forever, a device without an end, or a link to
another folder.
"""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
)
_NO_LINKS: Final = getattr(os, "O_NOFOLLOW", 0)
# Bytes per read. `on_step` is called between two reads.
_STEP_BYTES: Final = 1 << 20


class UnexpectedFileError(OSError):
    """A path is a link, a folder, a pipe or a device, or the file is too large."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(errno.EINVAL, reason, str(path))


def read(
    path: Path,
    most_bytes: int,
    on_step: Callable[[], None] = lambda: None,
    *,
    follows_links: bool = False,
) -> bytes:
    """Return the contents of a regular file.

    Args:
        path: path of the file.
        most_bytes: largest accepted size.
        on_step: called between reads of up to 1 MiB; may raise to stop.
        follows_links: whether the path may be a link to a regular file.

    Raises:
        UnexpectedFileError: The file is not a regular file, or too large.
        OSError: The file is missing or cannot be read.
    """
    descriptor = open_regular(path, most_bytes, follows_links=follows_links)
    try:
        data = bytearray()
        while piece := os.read(descriptor, min(_STEP_BYTES, most_bytes + 1 - len(data))):
            if data:
                on_step()
            data += piece
            if len(data) > most_bytes:
                raise UnexpectedFileError(path, "it grew while being read")
    finally:
        os.close(descriptor)
    return bytes(data)


def open_regular(path: Path, most_bytes: int, *, follows_links: bool = False) -> int:
    """Return a descriptor of a regular file, for reading; a pipe or a device does not block.

    Raises:
        UnexpectedFileError: The file is not a regular file, or too large.
        OSError: The file is missing or cannot be opened.
    """
    try:
        descriptor = os.open(path, _FLAGS if follows_links else _FLAGS | _NO_LINKS)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise UnexpectedFileError(path, "not a regular file") from error
        raise
    try:
        _check(path, os.fstat(descriptor), most_bytes)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def check(path: Path, most_bytes: int, *, follows_links: bool = False) -> None:
    """Check that a path is a regular file of at most `most_bytes`.

    Use this for files that a library opens by name, for example databases.

    Raises:
        UnexpectedFileError: The file is not a regular file, or too large.
        OSError: The file is missing.
    """
    _check(path, path.stat() if follows_links else path.lstat(), most_bytes)


def _check(path: Path, status: os.stat_result, most_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnexpectedFileError(path, "not a regular file")
    if status.st_size > most_bytes:
        raise UnexpectedFileError(path, f"it has {status.st_size} bytes, more than {most_bytes}")
