"""ZIP archives: their members in the order of their directory."""

from __future__ import annotations

import contextlib
import lzma
import stat
import struct
import time
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.documents.containers.members import place_of
from core.documents.containers.unpacking import Level, chunks_of
from core.documents.decoding import decode
from core.documents.files import is_of_the_machine, open_file
from core.documents.formats import format_of
from core.errors import DocumentError

_IS_ENCRYPTED: Final = 0x1
_IS_UTF8: Final = 0x800
_UNICODE_PATH: Final = 0x7075
# What zipfile and the decompressors raise for archives that are damaged, cut off or mended by hand.
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
)


def unpack(path: Path, level: Level) -> None:
    """Take the members of a ZIP archive; one that is damaged is refused, the others are taken.

    Raises:
        DocumentError: The archive is damaged or cut off, or all that is in it needs a password.
        OSError: It cannot be read.
    """
    with open_file(path) as file:
        try:
            archive = zipfile.ZipFile(file)
        except _DAMAGE as error:
            if is_of_the_machine(error):
                raise
            raise DocumentError("is damaged: the archive is cut off or changed") from error
        except NotImplementedError as error:
            raise DocumentError("is a part of an archive, or of a kind that is not read") from error
        with archive:
            infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
            names = _names(infos)
            readable = [
                info
                for info, name in zip(infos, names, strict=True)
                if format_of(Path(place_of(name)[0][-1]))
            ]
            if readable and all(info.flag_bits & _IS_ENCRYPTED for info in readable):
                raise DocumentError("needs a password")
            for info, name in zip(infos, names, strict=True):
                _take(archive, info, name, level)


def _take(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, level: Level) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if stat.S_ISLNK(kind):
        level.refuse(name, "is a link, which is not followed")
        return
    if info.flag_bits & _IS_ENCRYPTED:
        level.refuse(name, "needs a password")
        return
    sink = level.member(name, size_bytes=info.file_size, mtime_ns=_time(info))
    if not sink.is_open:
        return
    try:
        with archive.open(info) as content:
            for chunk in chunks_of(content):
                sink.write(chunk)
    except _DAMAGE as error:
        if is_of_the_machine(error):
            raise
        sink.refuse("is damaged in its archive")
    except RuntimeError:
        sink.refuse("is packed in a way that Winnow does not know")
    sink.close()


def _names(infos: Sequence[zipfile.ZipInfo]) -> list[str]:
    """Return the members' names as their archive's maker wrote them.

    Names that are not marked as UTF-8 are in the encoding of the system that made the archive,
    which is told from all of them together.
    """
    unmarked = [info for info in infos if not info.flag_bits & _IS_UTF8]
    known = "\n".join(info.filename.replace("\n", "_") for info in unmarked)
    guessed: list[str] = []
    if not known.isascii():
        with contextlib.suppress(DocumentError):  # names of control characters, no text at all
            guessed = decode(known.encode("cp437")).split("\n")
    by_id = dict(zip(map(id, unmarked), guessed, strict=False))
    return [_unicode_path(info) or by_id.get(id(info), info.filename) for info in infos]


def _unicode_path(info: zipfile.ZipInfo) -> str:
    """Return the name in the extra field that some programs put it in, in UTF-8; else ""."""
    extra = info.extra
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == _UNICODE_PATH and 5 < length <= len(extra) - 4:
            return extra[9 : 4 + length].decode("utf-8", errors="replace")
        extra = extra[4 + length :]
    return ""


def _time(info: zipfile.ZipInfo) -> int | None:
    """Return when a member was changed, which archives tell in local time."""
    try:
        return int(time.mktime((*info.date_time, 0, 0, -1))) * 1_000_000_000
    except (ValueError, OverflowError):
        return None
