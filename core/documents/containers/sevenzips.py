"""7z archives: their members in the order in which they are packed, all unpacked in one go."""

from __future__ import annotations

import lzma
import struct
import zlib
from pathlib import Path
from typing import Any, Final, cast

from core.documents.containers.members import place_of
from core.documents.containers.unpacking import Level, Sink
from core.documents.files import open_file
from core.errors import DocumentError

MAGIC: Final = b"7z\xbc\xaf\x27\x1c"
_DAMAGE: Final = (
    lzma.LZMAError,
    zlib.error,
    struct.error,
    EOFError,
    # What py7zr stumbles over in headers that contradict themselves.
    *(AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError),
    OverflowError,
)


def unpack(path: Path, level: Level) -> None:
    """Take the members of a 7z archive.

    Members are packed together, so that each can be had only after all before it.

    Raises:
        DocumentError: The archive is damaged or needs a password; what lies before the damage has
            been taken.
        OSError: It cannot be read.
    """
    import py7zr

    with open_file(path) as file:
        try:
            # Given a path and not a file, py7zr would unpack in several threads at once.
            with py7zr.SevenZipFile(file) as archive:
                if archive.needs_password():
                    raise DocumentError("needs a password")
                infos = {info.filename: info for info in archive.list() if not info.is_directory}
                wanted = [info.filename for info in infos.values() if _is_file(info, level)]
                writers = cast("py7zr.WriterFactory", _Writers(infos, level))
                if wanted:
                    archive.extract(targets=wanted, factory=writers)
        except py7zr.PasswordRequired as error:
            raise DocumentError("needs a password") from error
        except py7zr.UnsupportedCompressionMethodError as error:
            raise DocumentError("is packed in a way that Winnow does not know") from error
        except (py7zr.exceptions.ArchiveError, *_DAMAGE) as error:
            raise DocumentError("is damaged: the archive is cut off or changed") from error


def _is_file(info: Any, level: Level) -> bool:
    """Whether a member is a file whose name stays in the archive; if not, refuse it."""
    if info.is_symlink:
        level.refuse(info.filename, "is a link, which is not followed")
        return False
    _, wrong = place_of(info.filename)
    if wrong:
        level.refuse(info.filename, wrong)
    return not wrong


class _Writers:
    """Gives py7zr something to write each member to."""

    def __init__(self, infos: dict[str, Any], level: Level) -> None:
        self._infos = infos
        self._level = level

    def create(self, filename: str) -> _Writer:
        info = self._infos.get(filename)
        if info is None:
            return _Writer(self._level.member(filename))
        time = info.creationtime
        sink = self._level.member(
            filename,
            size_bytes=info.uncompressed,
            mtime_ns=None if time is None else int(time.timestamp() * 1e9),
        )
        return _Writer(sink, info.uncompressed, info.crc32)


class _Writer:
    """Passes on what py7zr unpacks of a member, and holds it against size and checksum."""

    def __init__(self, sink: Sink, size_bytes: int | None = None, checksum: int | None = None):
        self._sink = sink
        self._expected = (size_bytes, checksum)
        self._size_bytes = self._checksum = 0
        self._is_refused = False

    def write(self, data: bytes) -> int:
        self._size_bytes += len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        self._is_refused = True
        self._sink.write(data)
        self._is_refused = False
        return len(data)

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        """End the member; py7zr calls it, too, when something was wrong."""
        if self._is_refused:
            return
        pairs = zip(self._expected, (self._size_bytes, self._checksum), strict=True)
        if any(expected not in {None, found} for expected, found in pairs):
            self._sink.refuse("is damaged in its archive")
        self._sink.close()
