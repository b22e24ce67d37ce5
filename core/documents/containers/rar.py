"""RAR archives, by the system's libarchive.

Its reader is the only one of RAR under a licence that lets everybody use it: RAR's own sources may
not be used to write another one, and so what is made of them is no free software.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from core.documents.containers.unpacking import CHUNK_BYTES, Level
from core.documents.files import mapped
from core.errors import DocumentError

MAGIC: Final = b"Rar!\x1a\x07"
_NAMES: Final = (
    *("libarchive.so.13", "libarchive.13.dylib", "/usr/lib/libarchive.2.dylib"),
    *("archive.dll", "libarchive-13.dll"),
)
_OK, _END, _WARNING, _FAILED = 0, 1, -20, -25
_FILE, _FOLDER = 0o100000, 0o040000
_MOST_LOST: Final = 100
"""Headers in a row that can only be passed over."""
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


def unpack(path: Path, level: Level) -> None:
    """Take the members of a RAR archive, read once from its beginning to its end.

    Raises:
        DocumentError: It is damaged or needs a password, or this system has no libarchive; what
            lies before the damage has been taken.
        OSError: It cannot be read.
    """
    library = _library()
    if library is None:
        raise DocumentError("is a RAR archive, and libarchive, which opens such, is not installed")
    content = mapped(path)
    with _opened(library, content) as archive:
        entry = _POINTER()
        room = ctypes.create_string_buffer(CHUNK_BYTES)
        lost = 0
        while (found := library.archive_read_next_header(archive, ctypes.byref(entry))) != _END:
            if found >= _WARNING:
                _take(library, archive, entry, room, level)
                lost = 0
                continue
            # Of locked names libarchive says it in words alone.
            if b"ncrypt" in (library.archive_error_string(archive) or b""):
                raise DocumentError("needs a password")
            lost += 1
            if found < _FAILED or lost > _MOST_LOST:
                raise DocumentError("is damaged: the archive is cut off or changed")


@cache
def _library() -> Any:
    """Return the system's libarchive, its functions declared; None where there is none."""
    for name in _NAMES:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        for function, (gives, *takes) in _FUNCTIONS.items():
            declared = getattr(library, function)
            declared.restype, declared.argtypes = gives, takes
        return library
    return None


@contextmanager
def _opened(library: Any, content: Any) -> Iterator[Any]:
    archive = library.archive_read_new()
    if not archive:
        raise MemoryError
    try:
        library.archive_read_support_format_rar(archive)
        library.archive_read_support_format_rar5(archive)
        if library.archive_read_open_memory(archive, content, len(content)) < _WARNING:
            raise DocumentError("is damaged: the archive is cut off or changed")
        yield archive
    finally:
        library.archive_read_free(archive)


def _take(library: Any, archive: Any, entry: Any, room: Any, level: Level) -> None:
    name = _name(library, entry)
    kind = library.archive_entry_filetype(entry)
    if kind == _FOLDER:
        return
    if kind != _FILE:
        level.refuse(name, "is a link, which is not followed")
        return
    if library.archive_entry_is_encrypted(entry):
        level.refuse(name, "needs a password")
        return
    has_size = library.archive_entry_size_is_set(entry)
    has_time = library.archive_entry_mtime_is_set(entry)
    sink = level.member(
        name,
        size_bytes=max(library.archive_entry_size(entry), 0) if has_size else None,
        mtime_ns=library.archive_entry_mtime(entry) * 1_000_000_000 if has_time else None,
    )
    # Read where nobody wants it, too: members behind it may need it to be unpacked.
    while (count := library.archive_read_data(archive, room, CHUNK_BYTES)) > 0:
        sink.write(ctypes.string_at(room, count))
    if count < _OK:
        sink.refuse("is damaged in its archive")
    sink.close()


def _name(library: Any, entry: Any) -> str:
    raw = library.archive_entry_pathname_utf8(entry) or library.archive_entry_pathname(entry)
    return (raw or b"").decode("utf-8", errors="replace")
