"""Tape archives, as they are or compressed: their members in the order in which they lie there."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zlib
from pathlib import Path
from typing import BinaryIO, Final, Literal, Self, cast

from core.documents.containers.unpacking import Level, chunks_of
from core.documents.files import open_file
from core.errors import DocumentError

_GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"
COMPRESSED: Final = (_GZIP, _BZIP2, _XZ)
_CUT_OFF: Final = "is damaged: the archive is cut off or changed"
# typeshed leaves them out.
_DAMAGED_HEADER: Final = (
    tarfile.TruncatedHeaderError,  # type: ignore[attr-defined]
    tarfile.InvalidHeaderError,  # type: ignore[attr-defined]
)
_DAMAGE: Final = (
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    ValueError,
    OverflowError,
)


def unpack(path: Path, level: Level) -> None:
    """Take the members of a tape archive, read once from its beginning to its end.

    Raises:
        DocumentError: The archive is damaged or cut off; what lies before that has been taken.
        OSError: It cannot be read.
    """
    try:
        with open_file(path) as file:
            content = _decompressed(file)
            mode: Literal["r:", "r|"] = "r:" if content is file else "r|"
            with tarfile.open(fileobj=content, mode=mode, tarinfo=_Header) as archive:
                while (info := archive.next()) is not None:
                    # tarfile remembers all members, for those who jump about. (typeshed does not.)
                    archive.members.clear()  # type: ignore[attr-defined]
                    _take(archive, info, level, skips=content is file)
    except _DAMAGE as error:
        raise DocumentError(_CUT_OFF) from error
    except OSError as error:
        # The decompressors' own, as opposed to the system's, have no number.
        if error.errno is not None:
            raise
        raise DocumentError(_CUT_OFF) from error


def _take(archive: tarfile.TarFile, info: tarfile.TarInfo, level: Level, *, skips: bool) -> None:
    if info.isdir():
        return
    if info.islnk() or info.issym():
        level.refuse(info.name, "is a link, which is not followed")
        return
    if not info.isreg():
        level.refuse(info.name, "is no file but a device")
        return
    sink = level.member(info.name, size_bytes=info.size, mtime_ns=_time(info))
    if sink.is_open or not skips:
        # Where nobody wants it, too: it has to be unpacked in any case, and that counts.
        content = archive.extractfile(info)
        assert content is not None  # as for every regular member
        for chunk in chunks_of(content):
            sink.write(chunk)
        sink.close()


def _decompressed(file: BinaryIO) -> BinaryIO:
    """Return a file for the bytes that are compressed in `file`, or `file` itself."""
    start = file.read(6)
    file.seek(0)
    if start.startswith(_GZIP):
        return cast("BinaryIO", gzip.GzipFile(fileobj=file))
    if start.startswith(_BZIP2):
        return cast("BinaryIO", bz2.BZ2File(file))
    if start.startswith(_XZ):
        return cast("BinaryIO", lzma.LZMAFile(file))
    return file


def _time(info: tarfile.TarInfo) -> int | None:
    try:
        return int(info.mtime * 1e9)
    except (ValueError, OverflowError):  # a number that is none, or has no end
        return None


class _Header(tarfile.TarInfo):
    """A member's header; one that is damaged is an error, where tarfile takes it for the end."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(archive)
        except _DAMAGED_HEADER as error:
            raise tarfile.ReadError("a header is damaged") from error
