"""Archives: which kind one is, told by how it begins and not by its name."""

from __future__ import annotations

import tarfile
from pathlib import Path

from core.documents.containers import sevenzips, tars, zips
from core.documents.containers.unpacking import Level, Unpack
from core.documents.files import open_file, size_of
from core.errors import DocumentError

_TAR_MAGIC = slice(257, 262)
# The ones that begin with a member, that have none, and that are parts of a larger one.
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
# A tape archive without members is two blocks of zeros, which some programs fill up to a record.
_EMPTY_TAPES = (2 * tarfile.BLOCKSIZE, tarfile.RECORDSIZE)


def unpack(path: Path, level: Level) -> None:
    """Take the members of an archive.

    Raises:
        DocumentError: It is damaged, needs a password, or is none that Winnow opens.
        OSError: It cannot be read.
    """
    with open_file(path) as file:
        start = file.read(512)
    if not start:
        raise DocumentError("is empty: not even an archive without files")
    if not any(start) and size_of(path) in _EMPTY_TAPES:
        return
    _opener(start)(path, level)


def _opener(start: bytes) -> Unpack:
    if start.startswith(_ZIP_STARTS):
        return zips.unpack
    if start.startswith(sevenzips.MAGIC):
        return sevenzips.unpack
    if start.startswith(tars.COMPRESSED) or start[_TAR_MAGIC] == b"ustar" or _is_old_tape(start):
        return tars.unpack
    if start.startswith(b"Rar!"):
        raise DocumentError("is a RAR archive, which Winnow does not open")
    if not any(start):
        raise DocumentError("holds nothing but zeros")
    raise DocumentError("is damaged, or no archive of a kind that Winnow opens")


def _is_old_tape(start: bytes) -> bool:
    """Whether it begins with a header of the time before 1988, known by its sum alone."""
    try:
        tarfile.TarInfo.frombuf(start, "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True
