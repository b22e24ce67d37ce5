"""The file of the catalog: whether it can be used, and its errors as sentences."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from core import errors
from core.catalog import maintenance
from core.catalog.integrity import foreign
from core.files import own_files
from core.printable import label


def damaged(home: Path, how: str) -> str:
    """Return the message for a damaged library."""
    return errors.Message(
        "The library in {0} is damaged ({1}). Run winnow check --repair to rebuild it from your "
        "files, which are not affected.",
        home,
        how,
    )


def _tells_damage(error: sqlite3.Error) -> bool:
    """Return whether an error of SQLite means damaged tables or texts."""
    message = str(error)
    beginnings = (
        "no such table",
        "no such column",
        "Could not decode",
        "vtable constructor failed",
    )
    return message.startswith(beginnings) or (
        "has no column" in message or "malformed" in message or "duplicate column" in message
    )


def quarantine(path: Path) -> None:
    """Rename the damaged catalog at `path`, so that a new one can be created.

    Raises:
        LibraryError: it cannot be renamed.
    """
    # The catalog last: a new catalog would otherwise adopt the old one's log.
    for end in ("-wal", "-shm", ""):
        part = path.with_name(f"{path.name}{end}")
        with errors.LibraryError.on_os_error(
            "The damaged library in {0} cannot be moved aside ({1}). Close other programs "
            "that use it and try again.",
            path.parent,
        ):
            if part.exists():
                part.replace(part.with_name(f"{part.name}.bad"))


def is_there(path: Path) -> bool:
    """Return whether a catalog exists at a path.

    Raises:
        LibraryError: permission is denied.
    """
    home = path.parent
    try:
        is_there = path.is_file()
    except OSError:
        is_there = True
    if is_there and not os.access(path, os.R_OK):
        raise errors.LibraryError(
            "Permission to read the library in {0} was denied. Check its owner and permissions, "
            "or set WINNOW_HOME to a folder of your own.",
            home,
        )
    return is_there


def may_write(path: Path) -> bool:
    """Return whether a catalog, and files next to it, can be written."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)


@contextlib.contextmanager
def translating_file_errors(home: Path) -> Iterator[None]:
    """Translate the system's errors about files in the library's folder."""
    try:
        yield
    except OSError as error:
        if own_files.is_out_of_room(error):
            raise _disk_full(home) from error
        raise errors.LibraryError(
            "The library in {0} cannot be written to ({1}). Set WINNOW_HOME to a writable folder.",
            home,
            error.strerror,
        ) from error


def _disk_full(home: Path) -> errors.DiskFullError:
    return errors.DiskFullError(
        "The disk with the library in {0} is full. Free up space and try again; no stored data "
        "was lost.",
        home,
    )


@contextlib.contextmanager
def sentences(path: Path, foreign_name: str = "") -> Iterator[None]:
    """Translate SQLite's errors on the catalog at `path` into errors that a person can act on."""
    home = path.parent
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if foreign_name and code not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR):
            # SQLite's message may contain names from the catalog.
            raise foreign.damaged(foreign_name, label(str(error))) from error
        match code:
            case sqlite3.SQLITE_FULL:
                raise _disk_full(home) from error
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                raise errors.LibraryBusyError(
                    "The library in {0} is in use by another Winnow process. Try again when it "
                    "has finished.",
                    home,
                ) from error
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                raise errors.LibraryDamagedError(damaged(home, str(error))) from error
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
                raise errors.LibraryError(
                    "The library in {0} cannot be written to ({1}). Set WINNOW_HOME to a "
                    "writable folder.",
                    home,
                    error,
                ) from error
            case sqlite3.SQLITE_IOERR:
                raise errors.LibraryError(
                    "The disk with the library in {0} reported an error ({1}). Check the disk "
                    "and try again.",
                    home,
                    error,
                ) from error
        # A query of ours that SQLite does not understand: a bug, or damaged tables.
        is_refused = code == sqlite3.SQLITE_ERROR and maintenance.has_changed(path)
        if is_refused or _tells_damage(error):
            raise errors.LibraryDamagedError(damaged(home, str(error))) from error
        raise
    except (LookupError, TypeError, ValueError) as error:
        # A bug of ours, unless damaged tables or rows cause it.
        if foreign_name:
            raise  # `foreign.wrap_data_errors` names the library
        if maintenance.has_changed(path):
            raise errors.LibraryDamagedError(damaged(home, "its contents have changed")) from error
        raise
