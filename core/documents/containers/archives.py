"""Unpacks archives, detected by content: ZIP, tar, 7z and RAR; and single compressed files."""

from __future__ import annotations

import bz2
import contextlib
import ctypes
import gzip
import lzma
import stat
import struct
import tarfile
import time
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, Self, cast

from core.documents.containers.members import inner_path_of
from core.documents.containers.unpacking import CHUNK_BYTES, Level, Sink, Unpack, chunks_of
from core.documents.decoding import decode
from core.documents.files import is_of_the_machine, mapped, open_file, size_of
from core.documents.formats import PACKED, format_of
from core.errors import DocumentError, Message

_LINK: Final = Message("Link (not followed)")
_DAMAGED: Final = Message("Damaged in its archive")
_TAR_MAGIC = slice(257, 262)
# Archives that begin with a member, empty ones, and parts of split ones.
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
# An empty tar archive is two blocks of zeros, which some programs pad to a record.
_EMPTY_TAPES = (2 * tarfile.BLOCKSIZE, tarfile.RECORDSIZE)


def unpack(path: Path, level: Level) -> None:
    """Unpack the members of an archive.

    Raises:
        DocumentError: It is damaged, encrypted or unsupported.
        OSError: The file cannot be read.
    """
    with open_file(path) as file:
        start = file.read(512)
    if not start:
        raise DocumentError("Empty file")
    if not any(start) and size_of(path) in _EMPTY_TAPES:
        return
    _opener(start)(path, level)


def _opener(start: bytes) -> Unpack:
    if start.startswith(_ZIP_STARTS):
        return _unpack_zip
    if start.startswith(_7Z_MAGIC):
        return _unpack_7z
    if start.startswith(_COMPRESSED) or start[_TAR_MAGIC] == b"ustar" or _is_old_tape(start):
        return _unpack_tape
    if start.startswith(_RAR_MAGIC):
        return _unpack_rar
    if not any(start):
        raise DocumentError("Contains only zero bytes")
    raise DocumentError("Damaged, or not a supported archive")


def _is_old_tape(start: bytes) -> bool:
    """Return whether it begins with a header from before 1988, known by its checksum alone."""
    try:
        tarfile.TarInfo.frombuf(start, "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


_IS_ENCRYPTED: Final = 0x1
_IS_UTF8: Final = 0x800
_UNICODE_PATH: Final = 0x7075
_WINDOWS: Final = 0
_LATIN: Final = frozenset(map(chr, range(0x80, 0x250)))
# Raised by zipfile and the decompressors for archives that are damaged or truncated.
_ZIP_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
)


def _unpack_zip(path: Path, level: Level) -> None:
    """Unpack the members of a ZIP archive, refusing damaged ones.

    Raises:
        DocumentError: The archive is damaged, or all its documents are encrypted.
        OSError: The file cannot be read.
    """
    with open_file(path) as file:
        try:
            archive = zipfile.ZipFile(file)
        except _ZIP_DAMAGE as error:
            if is_of_the_machine(error):
                raise
            raise DocumentError(_CUT_OFF) from error
        except NotImplementedError as error:
            raise DocumentError(
                "Part of a split archive, or an unsupported type of archive"
            ) from error
        with archive:
            infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
            names = _member_names(infos)
            readable = [
                info
                for info, name in zip(infos, names, strict=True)
                if format_of(Path(*inner_path_of(name)[0]))
            ]
            if readable and all(info.flag_bits & _IS_ENCRYPTED for info in readable):
                raise DocumentError("Password required")
            for info, name in zip(infos, names, strict=True):
                _take_zipped(archive, info, name, level)


def _take_zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, level: Level) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if stat.S_ISLNK(kind):
        level.refuse(name, _LINK)
        return
    if info.flag_bits & _IS_ENCRYPTED:
        level.refuse(name, "Password required")
        return
    sink = level.member(name, size_bytes=info.file_size, mtime_ns=_zip_time(info))
    if not sink.is_open:
        return
    try:
        with archive.open(info) as content:
            for chunk in chunks_of(content):
                sink.write(chunk)
    except _ZIP_DAMAGE as error:
        if is_of_the_machine(error):
            raise
        sink.refuse(_DAMAGED)
    except RuntimeError:
        sink.refuse("Unsupported compression method")
    sink.close()


def _member_names(infos: Sequence[zipfile.ZipInfo]) -> list[str]:
    """Return the decoded names of the members.

    Names without the UTF-8 flag are in the encoding of the system that wrote the archive, which is
    guessed from all of them together.
    """
    unmarked = [info for info in infos if not info.flag_bits & _IS_UTF8]
    known = "\n".join(info.filename.replace("\n", "_") for info in unmarked)
    guessed: list[str] = []
    if not known.isascii():
        with contextlib.suppress(DocumentError):  # control characters only
            text = decode(known.encode("cp437"))
            from_windows = all(info.create_system == _WINDOWS for info in unmarked)
            is_of_dos = _is_of_dos(text, known, prefers_dos=from_windows)
            guessed = (known if is_of_dos else text).split("\n")
    by_id = dict(zip(map(id, unmarked), guessed, strict=False))
    return [_unicode_path(info) or by_id.get(id(info), info.filename) for info in infos]


def _is_of_dos(text: str, known: str, *, prefers_dos: bool) -> bool:
    """Return whether names have more letters in code page 437 (`known`) than in the guessed one.

    Western code pages of Windows have punctuation where those of DOS have letters. Windows itself
    writes names in the latter.
    """
    letters = [letter for letter in text if letter.isalpha() and not letter.isascii()]
    if not all(letter in _LATIN for letter in letters):
        return False
    of_dos = sum(letter.isalpha() and letter in _LATIN for letter in known)
    return of_dos > len(letters) or (prefers_dos and of_dos == len(letters) > 0)


def _unicode_path(info: zipfile.ZipInfo) -> str:
    """Return the UTF-8 name in the Unicode path extra field, or ""."""
    extra = info.extra
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == _UNICODE_PATH and 5 < length <= len(extra) - 4:
            return extra[9 : 4 + length].decode("utf-8", errors="replace")
        extra = extra[4 + length :]
    return ""


def _zip_time(info: zipfile.ZipInfo) -> int | None:
    """Return the modification time of a member, which archives store in local time."""
    try:
        return int(time.mktime((*info.date_time, 0, 0, -1))) * 1_000_000_000
    except (ValueError, OverflowError):
        return None


_GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"
_COMPRESSED: Final = (_GZIP, _BZIP2, _XZ)
_CUT_OFF: Final = "Damaged: the archive is truncated or modified"
# Missing in typeshed.
_DAMAGED_HEADER: Final = (
    tarfile.TruncatedHeaderError,  # type: ignore[attr-defined]
    tarfile.InvalidHeaderError,  # type: ignore[attr-defined]
)
_TAPE_DAMAGE: Final = (
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    ValueError,
    OverflowError,
)


def _unpack_tape(path: Path, level: Level) -> None:
    """Unpack the members of a tar archive in one pass, or a single compressed file.

    Raises:
        DocumentError: The archive is damaged; the members before the damage were unpacked.
        OSError: The file cannot be read.
    """
    try:
        with open_file(path) as file:
            content = _decompressed(file)
            name = level.name or path.name
            if content is not file and _is_single(name, content):
                _take_single(content, name, level)
                return
            mode: Literal["r:", "r|"] = "r:" if content is file else "r|"
            with tarfile.open(fileobj=content, mode=mode, tarinfo=_TapeHeader) as archive:
                while (info := archive.next()) is not None:
                    # tarfile keeps all members in memory, for random access.
                    archive.members.clear()  # type: ignore[attr-defined]
                    _take_taped(archive, info, level, skips=content is file)
    except _TAPE_DAMAGE as error:
        raise DocumentError(_CUT_OFF) from error
    except OSError as error:
        # Errors of the decompressors, unlike those of the system, have no number.
        if error.errno is not None:
            raise
        raise DocumentError(_CUT_OFF) from error


def _is_single(name: str, content: BinaryIO) -> bool:
    """Return whether a compressed file of this name is not a tar archive."""
    stem, dot, last = name.lower().rpartition(".")
    if dot + last not in PACKED or stem.endswith(".tar"):
        return False
    start: bytes = cast("Any", content).peek(tarfile.BLOCKSIZE)[: tarfile.BLOCKSIZE]
    return start[_TAR_MAGIC] != b"ustar" and not _is_old_tape(start)


def _take_single(content: BinaryIO, name: str, level: Level) -> None:
    """Unpack a compressed file. Of a truncated one, the beginning is kept."""
    packed = cast("Any", content)
    time_s = getattr(packed, "mtime", None)  # stored by gzip only
    sink = level.member(name.rpartition(".")[0], mtime_ns=time_s * 10**9 if time_s else None)
    if not sink.is_open:
        return
    is_empty = True
    try:
        # `read` would lose what it has read when it fails.
        while chunk := packed.read1(CHUNK_BYTES):
            sink.write(chunk)
            is_empty = False
    except (*_TAPE_DAMAGE, OSError) as error:
        if is_of_the_machine(error):
            raise
        if is_empty:
            sink.refuse(_DAMAGED)
        sink.close()
        raise
    sink.close()


def _take_taped(
    archive: tarfile.TarFile, info: tarfile.TarInfo, level: Level, *, skips: bool
) -> None:
    if info.isdir():
        return
    if info.islnk() or info.issym():
        level.refuse(info.name, _LINK)
        return
    if not info.isreg():
        level.refuse(info.name, Message("Device file (skipped)"))
        return
    sink = level.member(info.name, size_bytes=info.size, mtime_ns=_tape_time(info))
    if sink.is_open or not skips:
        # Unwanted members, too: decompressing them counts towards the limit.
        content = archive.extractfile(info)
        assert content is not None  # true for every regular member
        for chunk in chunks_of(content):
            sink.write(chunk)
        sink.close()


def _decompressed(file: BinaryIO) -> BinaryIO:
    """Return a file with the decompressed bytes of `file`, or `file` itself."""
    start = file.read(6)
    file.seek(0)
    if start.startswith(_GZIP):
        return cast("BinaryIO", gzip.GzipFile(fileobj=file))
    if start.startswith(_BZIP2):
        return cast("BinaryIO", bz2.BZ2File(file))
    return cast("BinaryIO", lzma.LZMAFile(file)) if start.startswith(_XZ) else file


def _tape_time(info: tarfile.TarInfo) -> int | None:
    try:
        return int(info.mtime * 1e9)
    except (ValueError, OverflowError):  # NaN or infinite
        return None


class _TapeHeader(tarfile.TarInfo):
    """A member's header. A damaged one is an error, where tarfile takes it for the end."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(archive)
        except _DAMAGED_HEADER as error:
            raise tarfile.ReadError("damaged header") from error


_7Z_MAGIC: Final = b"7z\xbc\xaf\x27\x1c"
_7Z_DAMAGE: Final = (
    lzma.LZMAError,
    zlib.error,
    struct.error,
    EOFError,
    # Raised by py7zr for inconsistent headers.
    *(AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError),
    OverflowError,
)


def _unpack_7z(path: Path, level: Level) -> None:
    """Unpack the members of a 7z archive.

    Members are compressed together, so a member can only be read after all before it.

    Raises:
        DocumentError: The archive is encrypted, or damaged; the members before the damage were
            unpacked.
        OSError: The file cannot be read.
    """
    import py7zr

    with open_file(path) as file:
        try:
            # Given a path, py7zr would unpack in several threads.
            with py7zr.SevenZipFile(file) as archive:
                if archive.needs_password():
                    raise DocumentError("Password required")
                infos = {info.filename: info for info in archive.list() if not info.is_directory}
                wanted = [info.filename for info in infos.values() if _is_file(info, level)]
                writers = cast("py7zr.WriterFactory", _MemberWriters(infos, level))
                if wanted:
                    archive.extract(targets=wanted, factory=writers)
        except py7zr.PasswordRequired as error:
            raise DocumentError("Password required") from error
        except py7zr.UnsupportedCompressionMethodError as error:
            raise DocumentError("Unsupported compression method") from error
        except (py7zr.exceptions.ArchiveError, *_7Z_DAMAGE) as error:
            raise DocumentError(_CUT_OFF) from error


def _is_file(info: Any, level: Level) -> bool:
    """Return whether a member is a file with a name inside the archive; refuse it otherwise."""
    if info.is_symlink:
        level.refuse(info.filename, _LINK)
        return False
    _, wrong = inner_path_of(info.filename)
    if wrong:
        level.refuse(info.filename, wrong)
    return not wrong


class _MemberWriters:
    """Creates the writers that py7zr unpacks members to."""

    def __init__(self, infos: dict[str, Any], level: Level) -> None:
        self._infos = infos
        self._level = level

    def create(self, filename: str) -> _MemberWriter:
        info = self._infos.get(filename)
        if info is None:
            return _MemberWriter(self._level.member(filename))
        time = info.creationtime
        sink = self._level.member(
            filename,
            size_bytes=info.uncompressed,
            mtime_ns=None if time is None else int(time.timestamp() * 1e9),
        )
        return _MemberWriter(sink, info.uncompressed, info.crc32)


class _MemberWriter:
    """Forwards what py7zr unpacks of a member, checking its size and checksum."""

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
        """End the member. py7zr also calls this after an error."""
        if self._is_refused:
            return
        pairs = zip(self._expected, (self._size_bytes, self._checksum), strict=True)
        if any(expected not in {None, actual} for expected, actual in pairs):
            self._sink.refuse(_DAMAGED)
        self._sink.close()


_RAR_MAGIC: Final = b"Rar!\x1a\x07"
_LIBRARIES: Final = (
    *("libarchive.so.13", "libarchive.13.dylib", "/usr/lib/libarchive.2.dylib"),
    *("archive.dll", "libarchive-13.dll"),
)
_RAR_OK, _RAR_END, _RAR_WARNING, _RAR_FAILED = 0, 1, -20, -25
_RAR_FILE, _RAR_FOLDER = 0o100000, 0o040000
# Unreadable headers in a row after which the archive counts as damaged.
_MOST_BAD_HEADERS: Final = 100
_INT, _LONG, _TEXT, _POINTER = ctypes.c_int, ctypes.c_int64, ctypes.c_char_p, ctypes.c_void_p
_FUNCTIONS: Final = {
    "archive_read_new": (_POINTER,),
    "archive_read_support_format_rar": (_INT, _POINTER),
    "archive_read_support_format_rar5": (_INT, _POINTER),
    "archive_read_open_memory": (_INT, _POINTER, _POINTER, ctypes.c_size_t),
    "archive_read_next_header": (_INT, _POINTER, ctypes.POINTER(_POINTER)),
    "archive_read_data": (ctypes.c_ssize_t, _POINTER, _POINTER, ctypes.c_size_t),
    "archive_error_string": (_TEXT, _POINTER),
    "archive_read_free": (_INT, _POINTER),
    "archive_entry_pathname": (_TEXT, _POINTER),
    "archive_entry_pathname_utf8": (_TEXT, _POINTER),
    "archive_entry_filetype": (ctypes.c_uint, _POINTER),
    "archive_entry_size": (_LONG, _POINTER),
    "archive_entry_size_is_set": (_INT, _POINTER),
    "archive_entry_mtime": (_LONG, _POINTER),
    "archive_entry_mtime_is_set": (_INT, _POINTER),
    "archive_entry_is_encrypted": (_INT, _POINTER),
}


def _unpack_rar(path: Path, level: Level) -> None:
    """Unpack the members of a RAR archive in one pass with the system's libarchive.

    No other RAR reader has a free licence: the licence of RAR's own sources forbids using them to
    write another RAR program.

    Raises:
        DocumentError: libarchive is missing, or the archive is encrypted or damaged; the members
            before the damage were unpacked.
        OSError: The file cannot be read.
    """
    library = _libarchive()
    if library is None:
        raise DocumentError("RAR archive: libarchive, which is needed to open it, is not installed")
    content = mapped(path)
    with _opened_rar(library, content) as archive:
        entry = _POINTER()
        room = ctypes.create_string_buffer(CHUNK_BYTES)
        lost = 0
        while (
            status := library.archive_read_next_header(archive, ctypes.byref(entry))
        ) != _RAR_END:
            if status >= _RAR_WARNING:
                _take_rar(library, archive, entry, room, level)
                lost = 0
                continue
            # libarchive reports encrypted names in its message only.
            if b"ncrypt" in (library.archive_error_string(archive) or b""):
                raise DocumentError("Password required")
            lost += 1
            if status < _RAR_FAILED or lost > _MOST_BAD_HEADERS:
                raise DocumentError(_CUT_OFF)


@cache
def _libarchive() -> Any:
    """Return the system's libarchive with its functions declared; None if it is missing."""
    for name in _LIBRARIES:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        for function, (result, *arguments) in _FUNCTIONS.items():
            declared = getattr(library, function)
            declared.restype, declared.argtypes = result, arguments
        return library
    return None


@contextmanager
def _opened_rar(library: Any, content: Any) -> Iterator[Any]:
    archive = library.archive_read_new()
    if not archive:
        raise MemoryError
    try:
        library.archive_read_support_format_rar(archive)
        library.archive_read_support_format_rar5(archive)
        if library.archive_read_open_memory(archive, content, len(content)) < _RAR_WARNING:
            raise DocumentError(_CUT_OFF)
        yield archive
    finally:
        library.archive_read_free(archive)


def _take_rar(library: Any, archive: Any, entry: Any, room: Any, level: Level) -> None:
    name = _rar_name(library, entry)
    kind = library.archive_entry_filetype(entry)
    if kind == _RAR_FOLDER:
        return
    if kind != _RAR_FILE:
        level.refuse(name, _LINK)
        return
    if library.archive_entry_is_encrypted(entry):
        level.refuse(name, "Password required")
        return
    has_size = library.archive_entry_size_is_set(entry)
    has_time = library.archive_entry_mtime_is_set(entry)
    sink = level.member(
        name,
        size_bytes=max(library.archive_entry_size(entry), 0) if has_size else None,
        mtime_ns=library.archive_entry_mtime(entry) * 1_000_000_000 if has_time else None,
    )
    # Read unwanted members, too: later ones in a solid archive depend on them.
    while (count := library.archive_read_data(archive, room, CHUNK_BYTES)) > 0:
        sink.write(ctypes.string_at(room, count))
    if count < _RAR_OK:
        sink.refuse(_DAMAGED)
    sink.close()


def _rar_name(library: Any, entry: Any) -> str:
    raw = library.archive_entry_pathname_utf8(entry) or library.archive_entry_pathname(entry)
    return (raw or b"").decode("utf-8", errors="replace")
