"""Opening documents: regular files only, placeholders of cloud files, and messages for failures.

The reading process may not open the user's files. The program opens each one and hands over the
descriptor; readers open a document by its path with `open_file`, which looks up the descriptor.
"""

import ctypes
import errno
import io
import mmap
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Final, Self, cast

from core.documents.formats import format_of
from core.errors import BucketAwayError, DocumentError, Message
from core.files.filesystems import FileStamp
from core.files.locations import Location

LARGEST_TEXT_BYTES = 200_000_000
# Largest document that is not a container. In larger ones, seeking the end alone takes minutes.
LARGEST_BYTES = 2_000_000_000


# Open flags: do not follow a link in the last part of the path, and do not block on a pipe.
_PLAINLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_PLAINLY |= getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """Device and inode number of a file, to detect that another file replaced it.

    An object in a bucket has neither; its size and modification time are used instead.
    """

    device: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        return cls(status.st_dev, status.st_ino)


def open_plain(
    path: Path, expected: FileIdentity | None = None, on_step: Callable[[], None] = lambda: None
) -> BufferedReader:
    """Open the regular file at `path` for reading, without following links. Fetch an object.

    Args:
        path: Path of the file or object.
        expected: Identity that the file must have; None for any.
        on_step: Called repeatedly while an object is fetched; may raise to stop.

    Raises:
        DocumentError: It is not a regular file, not the expected one, or in the cloud.
        OSError: It cannot be opened, or is a link.
    """
    location = Location.of(path)
    if not location.is_local:
        return BufferedReader(_FetchedObject(_fetched(location, expected, on_step)), _BUFFER_BYTES)
    try:
        before = path.lstat()
    except OSError as error:
        check_no_stub(path, error)
        raise
    if not stat.S_ISLNK(before.st_mode):
        # Opening a device can have effects: rewind a tape, for example.
        _check_kind(before.st_mode)
        check_here(path, before)
    descriptor = os.open(path, _PLAINLY)
    try:
        status = os.fstat(descriptor)
        _check_kind(status.st_mode)
        if expected is not None and FileIdentity.of(status) != expected:
            raise DocumentError("Replaced by another file while being read")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _fetched(
    location: Location, expected: FileIdentity | None, on_step: Callable[[], None] = lambda: None
) -> int:
    stamp = None if expected is None else FileStamp(expected.device, expected.inode)
    return location.fetch(stamp, _most_bytes(location.path), on_step)


def _most_bytes(path: Path) -> int:
    """Return the largest size of an object to fetch: the limit of its reader."""
    kind = format_of(path)
    is_text = kind is not None and kind.reader.startswith(_OF_TEXT)
    return LARGEST_TEXT_BYTES if is_text else LARGEST_BYTES


_OF_TEXT: Final = ("core.documents.text_formats.", "core.documents.mail.")
_OF_THE_DRIVE: Final = frozenset(
    {
        errno.EIO,
        # A share whose server is unavailable.
        *(errno.ESTALE, errno.ETIMEDOUT, errno.ENOTCONN, errno.ECONNRESET, errno.ECONNABORTED),
        *(errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ENETUNREACH),
    }
)
_OF_THE_MACHINE: Final = _OF_THE_DRIVE | {
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
}


def is_of_the_machine(error: BaseException | None) -> bool:
    """Return whether the machine caused an error: it has no room, or a disk or a share failed.

    The document that was being read may be readable later.

    >>> is_of_the_machine(OSError(errno.ENOSPC, "No space left on device"))
    True
    """
    return isinstance(error, OSError) and error.errno in _OF_THE_MACHINE


def is_of_the_drive(error: BaseException | None) -> bool:
    """Return whether the disk or the share of a document caused an error.

    Running out of memory or of open files in a reading process is not included: the document may
    have caused that.
    """
    return isinstance(error, OSError) and error.errno in _OF_THE_DRIVE


# Whether a process can pass open files to another process.
HANDS_OVER: Final = sys.platform != "win32"
_BUFFER_BYTES = 1 << 16
_handed: dict[Path, int] = {}


def open_document(path: Path, expected: FileIdentity | None = None) -> int:
    """Open a regular file for another process to read, and return the descriptor.

    The path is resolved once. A link that replaces the file afterwards is not followed, and a file
    that is not the `expected` one is refused.

    Raises:
        DocumentError: It is gone, is not a regular file or not the expected one, or may not be
            read.
        OSError: The disk fails.
    """
    try:
        location = Location.of(path)
        if not location.is_local:
            return _fetched(location, expected)
        check_file(path)
        real = location.resolved()
        with open_plain(real, expected or FileIdentity.of(real.lstat())) as file:
            return os.dup(file.fileno())
    except OSError as error:
        if is_of_the_machine(error):
            raise
        raise unreadable(error) from error


def copy_of_object(path: Path, on_step: Callable[[], None] = lambda: None) -> Path:
    """Return a copy of an object in a bucket, for another program to open.

    Raises:
        DocumentError: It cannot be fetched.
    """
    try:
        return Location.of(path).fetch_copy(_most_bytes(path), on_step)
    except OSError as error:
        raise unreadable(error) from error


@contextmanager
def opened(path: Path, expected: FileIdentity | None = None) -> Iterator[list[int]]:
    """Yield the descriptor of a document's file; an empty list where none can be handed over.

    Raises:
        DocumentError: As for `open_document`.
    """
    if not HANDS_OVER:
        if not Location.of(path).is_local:
            raise DocumentError("Stored in a bucket, which Winnow cannot read on Windows")
        check_file(path)
        yield []
        return
    descriptor = open_document(path, expected)
    try:
        yield [descriptor]
    finally:
        os.close(descriptor)


@contextmanager
def handed(descriptors: Mapping[Path, int]) -> Iterator[None]:
    """Make `open_file` use these descriptors, and close them at the end."""
    _handed.update(descriptors)
    try:
        yield
    finally:
        for path in descriptors:
            _handed.pop(path, None)
        for descriptor in descriptors.values():
            os.close(descriptor)


def copy_handed(path: Path, folder: Path) -> Path:
    """Copy a file that was handed over, for a package that opens files by name.

    Return `path` if it was not handed over.

    Raises:
        OSError: It cannot be copied.
    """
    if path not in _handed:
        return path
    copy = folder / path.name
    with open_file(path) as file, copy.open("wb") as target:
        shutil.copyfileobj(file, target, 1 << 20)
    return copy


def open_file(path: Path) -> BinaryIO:
    """Open the file of a document or of an unpacked member for reading.

    Raises:
        OSError: It cannot be opened.
    """
    descriptor = _handed.get(path)
    if descriptor is None:
        return path.open("rb")
    return cast("BinaryIO", io.BufferedReader(_HandedFile(descriptor), _BUFFER_BYTES))


def mapped(path: Path) -> Any:
    """Memory-map a file that is not empty, as a ctypes array.

    Raises:
        OSError: It cannot be opened.
    """
    descriptor = _handed.get(path)
    if descriptor is not None:
        content = mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)
    else:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    return (ctypes.c_char * len(content)).from_buffer(content)


def size_of(path: Path) -> int:
    """Return the size of a file in bytes.

    Raises:
        OSError: The size is not available.
    """
    descriptor = _handed.get(path)
    return (path.stat() if descriptor is None else os.fstat(descriptor)).st_size


class _HandedFile(io.RawIOBase):
    """A file that was handed over. Each object has a separate position."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = os.preadv(self._descriptor, [buffer], self._at)
        self._at += count
        return count

    def readall(self) -> bytes:
        # The inherited method reads a few kilobytes at a time.
        chunks = []
        left = os.fstat(self._descriptor).st_size - self._at
        while chunk := os.pread(self._descriptor, max(left, 0) + 1, self._at):
            self._at += len(chunk)
            chunks.append(chunk)
        return b"".join(chunks)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at}.get(whence)
        if start is None:
            start = os.fstat(self._descriptor).st_size
        if start + offset < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        self._at = start + offset
        return self._at

    def tell(self) -> int:
        return self._at


class _FetchedObject(_HandedFile):
    """A fetched object. Closing it closes its descriptor."""

    def close(self) -> None:
        if not self.closed:
            os.close(self._descriptor)
        super().close()


def check_file(path: Path) -> None:
    """Raise unless `path` is a regular file with local content. Opens nothing.

    Opening a pipe or a device can block forever, and opening a cloud file would fetch it.

    Raises:
        DocumentError: It is gone, is not a regular file, may not be read, or is in the cloud.
    """
    try:
        status = path.stat()
    except OSError as error:
        check_no_stub(path, error)
        raise unreadable(error) from error
    _check_kind(status.st_mode)
    check_here(path, status)


def _check_kind(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise DocumentError("Is a folder, not a file")
    if not stat.S_ISREG(mode):
        raise DocumentError("Not a regular file (pipe, socket or device)")


def check_size(path: Path, most_bytes: int = LARGEST_BYTES) -> None:
    """Raise if a file is larger than a document may be.

    Raises:
        DocumentError: It is larger, or its size is not available.
    """
    try:
        size_bytes = size_of(path)
    except OSError as error:
        raise unreadable(error) from error
    if size_bytes > most_bytes:
        raise DocumentError("Larger than {0} MB", most_bytes // 1000000)


def read_bytes(path: Path) -> bytes:
    """Return the contents of a text file.

    Raises:
        DocumentError: It is larger than 200 MB, or cannot be read.
    """
    check_size(path, LARGEST_TEXT_BYTES)
    return start_of(path, -1)


def start_of(path: Path, most_bytes: int) -> bytes:
    """Return the first bytes of a file.

    Raises:
        DocumentError: It cannot be read.
    """
    try:
        with open_file(path) as file:
            return file.read(most_bytes)
    except OSError as error:
        raise unreadable(error) from error


def unreadable(error: OSError) -> DocumentError:
    """Return the error to show for an `OSError`.

    >>> str(unreadable(FileNotFoundError(2, "No such file")))
    'No longer exists'
    """
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return DocumentError("No longer exists")
    if isinstance(error, PermissionError):
        return DocumentError("Permission denied")
    if isinstance(error, IsADirectoryError):
        return DocumentError("Is a folder, not a file")
    if isinstance(error, BucketAwayError):
        return DocumentError("Download failed: {0}", error.strerror)
    return DocumentError("Cannot be read: {0}", error.strerror or error)


# Files whose content is in the cloud and not on this computer are detected without opening them:
# opening one would have its client fetch it. See docs/decisions/0036-remote-files.md.
IN_CLOUD: Final = Message("Stored in the cloud only; will be read once it is on this computer")

# Windows, in `st_file_attributes`: FILE_ATTRIBUTE_OFFLINE, _RECALL_ON_OPEN and
# _RECALL_ON_DATA_ACCESS. The module `stat` names the first alone.
_RECALLED: Final = stat.FILE_ATTRIBUTE_OFFLINE | 0x0004_0000 | 0x0040_0000
# macOS, in `st_flags`: SF_DATALESS.
_DATALESS: Final = 0x4000_0000
# Linux: Nextcloud's client marks placeholders that have the files' real names.
_ATTRIBUTE: Final = "user.nextcloud.hydrate_exec"
_STUB: Final = re.compile(
    r"\.(?P<icloud>.+)\.icloud|(?P<name>.+)\.(?:nextcloud|owncloud)", re.DOTALL
)
_STUB_ENDINGS: Final = (".icloud", ".nextcloud", ".owncloud")
# Largest size in bytes: a stub is a property list, or a single space.
_LARGEST_STUB: Final = {"icloud": 4096, "name": 1}


class InCloudError(DocumentError):
    """The content of a document is not on this computer."""

    def __init__(self) -> None:
        super().__init__(IN_CLOUD)


def is_placeholder(path: str | Path, status: os.stat_result) -> bool:
    """Return whether a file with its real name has its content in the cloud.

    Taking no room on the disk is not a sign: sparse and very small files take none either.
    """
    if getattr(status, "st_file_attributes", 0) & _RECALLED:
        return True
    if getattr(status, "st_flags", 0) & _DATALESS:
        return True
    return status.st_size <= 1 and stat.S_ISREG(status.st_mode) and _is_marked(path)


def _is_marked(path: str | Path) -> bool:
    if sys.platform != "linux":
        return False
    try:
        return bool(os.getxattr(path, _ATTRIBUTE, follow_symlinks=False))
    except OSError:
        return False


def may_be_stub(name: str) -> bool:
    """Return whether a file of this name may be the stub of a cloud file."""
    return name.endswith(_STUB_ENDINGS)


def name_behind(name: str, status: os.stat_result) -> str | None:
    """Return the real name of the cloud file whose stub this is; None if it is not a stub.

    >>> from types import SimpleNamespace as Status
    >>> name_behind(".tax.pdf.icloud", Status(st_mode=stat.S_IFREG, st_size=190))
    'tax.pdf'
    >>> name_behind("tax.pdf.nextcloud", Status(st_mode=stat.S_IFREG, st_size=5000)) is None
    True
    """
    match = _STUB.fullmatch(name)
    if match is None or not stat.S_ISREG(status.st_mode):
        return None
    kind = match.lastgroup or ""
    return match[kind] if status.st_size <= _LARGEST_STUB[kind] else None


def check_here(path: Path, status: os.stat_result) -> None:
    """Raise if the content of a file is not on this computer.

    Raises:
        InCloudError: The content is in the cloud.
    """
    if is_placeholder(path, status):
        raise InCloudError


def check_no_stub(path: Path, error: OSError) -> None:
    """Raise if a missing file has a stub.

    Raises:
        InCloudError: There is a stub.
    """
    if error.errno == errno.ENOENT and stub_of(path) is not None:
        raise InCloudError from error


def stub_of(path: Path) -> Path | None:
    """Return the stub of a missing cloud file; None if there is none.

    Opening the stub with its client fetches the file.
    """
    for name in (f".{path.name}.icloud", f"{path.name}.nextcloud", f"{path.name}.owncloud"):
        stub = path.with_name(name)
        try:
            if name_behind(name, stub.lstat()) is not None:
                return stub
        except OSError:
            continue
    return None
