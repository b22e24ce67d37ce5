"""Catalogs that others wrote: what is checked before anything in one is used, and its limits.

A library that was published, or that lies on somebody's stick, is data from others, and SQLite
runs what a database says: views, triggers, and expressions of columns and indexes. So a foreign
catalog must have exactly the tables of this version, is never written to or brought up to date, and
each question to it ends with the job that asked it. docs/decisions/0063-foreign-libraries.md.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core import foreign_files
from core.errors import LibraryDamagedError, LibraryError, Message
from core.printable import label
from core.progress import Job

_log = logging.getLogger(__name__)

SCHEMA_SUM: Final = "93bff1b395a5a6cfc02f5b510d628dd2e19624a1fbc4f63af4a0ce4104943c58"
# SHA-256 of the normalised schema of a catalog of this version; a test says what it has to be.

# Bytes of a catalog and of SQLite's files beside it.
_MOST_BYTES: Final = 1 << 40
# Bytes of one text or blob.
_MOST_VALUE_BYTES: Final = 100_000_000
# Steps of SQLite's machine between two looks at the job: about a millisecond.
STEPS: Final = 20_000
# Seconds of processor time that one question may take: some hundred times what large libraries do.
_MOST_PROCESSOR_S: Final = 120.0
# Above it numbers tell libraries apart that are searched together.
_END_OF_NUMBERS: Final = 1 << 40
# Made and used by what applies the schema, with a layout of its own; never read here.
_UNREAD: Final = "_sqlite_migrations"
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,250}")
_ENDS: Final = ("", "-wal", "-shm", "-journal")
# What comes of rows whose values are not such as Winnow writes.
_DATA_ERRORS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
    sqlite3.Error,
)


def is_plain_name(name: object) -> bool:
    """Return whether a file's name that a catalog gives leads nowhere but into its own folder.

    >>> [is_plain_name(name) for name in ("ab-1.safetensors", "../a", "/dev/zero", "", None)]
    [True, False, False, False, False]
    """
    return isinstance(name, str) and _PLAIN_NAME.fullmatch(name) is not None


def check_files(path: Path) -> None:
    """Make sure that a catalog and what SQLite keeps beside it are regular files.

    Raises:
        LibraryError: one is a link, a pipe or a device, or the catalog is not there.
    """
    for end in _ENDS:
        part = path.with_name(f"{path.name}{end}")
        try:
            # By what a journal names SQLite would remove other files; nobody writes one here.
            foreign_files.check(part, 0 if end == "-journal" else _MOST_BYTES)
        except FileNotFoundError as error:
            if not end:
                raise LibraryError("There is no library in {0}.", path.parent) from error
        except OSError as error:
            raise LibraryDamagedError(
                "The library in {0} is left out: {1} cannot be used ({2}).",
                path.parent,
                part.name,
                error.strerror or type(error).__name__,
            ) from error


def needs_log(path: Path) -> bool:
    """Return whether SQLite has to make files beside a catalog to read it.

    Opened only to be read it would leave them there, and take away those of nobody else's.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.is_file() and log.stat().st_size:
        return False
    with path.open("rb") as file:
        # Source: https://www.sqlite.org/fileformat2.html, "File format version numbers".
        return file.read(20)[18:19] == b"\2"


def prepare(connection: sqlite3.Connection) -> None:
    """Have SQLite distrust what it is about to read."""
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    # A mapped file that somebody cuts ends the program.
    connection.execute("PRAGMA mmap_size = 0")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0)


def check_content(connection: sqlite3.Connection, home: Path) -> None:
    """Make sure that a catalog has the tables of this version, nothing else, and usual numbers.

    Raises:
        LibraryDamagedError: it has not.
    """
    if schema_sum(connection) != SCHEMA_SUM:
        raise damaged(home, "its tables are not those of Winnow")
    # Not all at once: each alone is looked up at an end of the table.
    for table in ("documents", "passages"):
        for end in ("min", "max"):
            ((number,),) = connection.execute(f"SELECT {end}(id) FROM {table}")  # noqa: S608 - ours
            if number is not None and not 0 < number < _END_OF_NUMBERS:
                raise damaged(home, "its documents are not numbered as Winnow does it")


def schema_sum(connection: sqlite3.Connection) -> str:
    """Return the SHA-256 of all that a catalog consists of: tables, indexes, triggers, views."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM main.sqlite_master")
    known = hashlib.sha256()
    for line in sorted(_normalised(*row) for row in rows if row[2] != _UNREAD):
        known.update(line.encode("utf-8", "replace") + b"\n")
    return known.hexdigest()


def _normalised(kind: object, name: object, table: object, sql: object) -> str:
    # What makes the tables has quoted names in one way and in another over time.
    statement = " ".join(re.sub(r'[\[\]"`]', "", str(sql or "")).split())
    return f"{kind}\t{name}\t{table}\t{statement}"


def damaged(home: Path, how: str) -> LibraryDamagedError:
    """Return the sentence on a foreign library that is not as Winnow writes one."""
    return LibraryDamagedError(
        "The library in {0} is damaged, or was not written by Winnow ({1}); it is left out.",
        home,
        how,
    )


class Watch:
    """What ends the questions of one thread: the job that they are asked for, and their time."""

    def __init__(self, job: Job | None) -> None:
        self._job = job
        self._end_s = time.thread_time() + _MOST_PROCESSOR_S

    @property
    def is_over(self) -> bool:
        """Whether the thread's questions are to end."""
        return self.is_cancelled or time.thread_time() > self._end_s

    @property
    def is_cancelled(self) -> bool:
        """Whether they are to end because nobody waits for the answer."""
        return self._job is not None and self._job.is_cancelled


@contextlib.contextmanager
def distrusted(name: str) -> Iterator[None]:
    """Turn what comes of rows that no Winnow writes into a sentence on the library of that name.

    Raises:
        LibraryDamagedError: something did.
    """
    try:
        yield
    except _DATA_ERRORS as error:
        _log.warning("%s holds what no Winnow writes", label(name), exc_info=error)
        raise LibraryDamagedError(
            "The library {0} holds what no Winnow writes ({1}); it is left out. Whoever made it "
            "can publish or index it again.",
            name,
            Message(type(error).__name__),
        ) from error
