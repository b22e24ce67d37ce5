"""Checks on catalogs from other people, and limits on the queries that read them.

A published library, or a library folder on a USB stick, is untrusted data, and SQLite executes the
views, triggers and expressions stored in a database. A foreign catalog must therefore have exactly
the schema of this version, is never written to or migrated, and each of its queries stops when the
job that started it is cancelled.
See docs/decisions/0063-foreign-libraries.md.
"""

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

from core.errors import LibraryDamagedError, LibraryError, Message
from core.files import foreign_files
from core.files.own_files import size_of
from core.printable import label
from core.progress import Job

_log = logging.getLogger(__name__)

# SHA-256 of the normalised schema of this version; a test compares it with a new catalog.
SCHEMA_SUM: Final = "fc1fec18093c0e709def845e94f9068e8f838fbd856a9a1d4aa669bb1f389859"

# Largest catalog, write-ahead log or shared-memory file, in bytes.
_MOST_BYTES: Final = 1 << 40
# Largest text or blob, in bytes.
_MOST_VALUE_BYTES: Final = 100_000_000
# SQLite virtual machine instructions between two cancellation checks: about a millisecond.
STEPS: Final = 20_000
# Processor seconds per call. Large libraries need about 1% of this.
_MOST_PROCESSOR_S: Final = 120.0
# Document and passage ids are smaller; a federated search stores the library in the higher bits.
_ID_END: Final = 1 << 40
# Table of the migration package. Its layout depends on the package version; we never read it.
_MIGRATIONS_TABLE: Final = "_sqlite_migrations"
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,250}")
_FILE_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")
# Errors caused by values of the wrong type or range.
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
    """Return whether a file name from a catalog cannot leave its folder.

    >>> [is_plain_name(name) for name in ("ab-1.safetensors", "../a", "/dev/zero", "", None)]
    [True, False, False, False, False]
    """
    return isinstance(name, str) and _PLAIN_NAME.fullmatch(name) is not None


def check_files(path: Path, name: str) -> None:
    """Check that a catalog and its SQLite companion files are regular files.

    `name` is the library's, for messages, here and below.

    Raises:
        LibraryError: The catalog is missing, or one of the files is a link, a pipe or a device.
    """
    for end in _FILE_SUFFIXES:
        part = path.with_name(f"{path.name}{end}")
        try:
            # A rollback journal can make SQLite delete other files. Winnow never writes one.
            foreign_files.check(part, 0 if end == "-journal" else _MOST_BYTES)
        except FileNotFoundError as error:
            if not end:
                raise LibraryError("There is no catalog in the library {0}.", name) from error
        except OSError as error:
            raise LibraryDamagedError(
                "The library {0} was skipped because {1} cannot be used ({2}).",
                name,
                part.name,
                error.strerror or type(error).__name__,
            ) from error


def needs_log(path: Path) -> bool:
    """Return whether SQLite must create a write-ahead log to read a catalog.

    A read-only connection creates the log but never deletes it.
    """
    if size_of(path.with_name(f"{path.name}-wal")):
        return False
    with path.open("rb") as file:
        # Source: https://www.sqlite.org/fileformat2.html, "File format version numbers".
        return file.read(20)[18:19] == b"\2"


def prepare(connection: sqlite3.Connection) -> None:
    """Apply SQLite's settings for untrusted databases."""
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    # The process crashes if another program truncates a memory-mapped file.
    connection.execute("PRAGMA mmap_size = 0")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0)


def check_content(connection: sqlite3.Connection, name: str) -> None:
    """Check that a catalog has the schema of this version and that its ids are in range.

    Raises:
        LibraryDamagedError: The schema differs, or an id is out of range.
    """
    if schema_sum(connection) != SCHEMA_SUM:
        raise damaged(name, "its tables are not Winnow's")
    # With separate queries, SQLite reads only one end of the table for each.
    for table in ("documents", "passages"):
        for end in ("min", "max"):
            ((row_id,),) = connection.execute(f"SELECT {end}(id) FROM {table}")  # noqa: S608 - constants
            if row_id is not None and not 0 < row_id < _ID_END:
                raise damaged(name, "a document or passage ID is out of range")


def schema_sum(connection: sqlite3.Connection) -> str:
    """Return the SHA-256 of the normalised tables, indexes, triggers and views."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM main.sqlite_master")
    known = hashlib.sha256()
    for line in sorted(_normalised(*row) for row in rows if row[2] != _MIGRATIONS_TABLE):
        known.update(line.encode("utf-8", "replace") + b"\n")
    return known.hexdigest()


def _normalised(kind: object, name: object, table: object, sql: object) -> str:
    # sqlite-utils quotes names differently from version to version.
    statement = " ".join(re.sub(r'[\[\]"`]', "", str(sql or "")).split())
    return f"{kind}\t{name}\t{table}\t{statement}"


def damaged(name: str, how: str) -> LibraryDamagedError:
    """Return the error for a foreign library with content that Winnow never writes."""
    return LibraryDamagedError(
        "The library {0} was skipped because it is damaged or was not written by Winnow ({1}).",
        name,
        how,
    )


class Watch:
    """Stop condition for the queries of one thread: job cancelled or processor time used up."""

    def __init__(self, job: Job | None) -> None:
        self._job = job
        self._end_s = time.thread_time() + _MOST_PROCESSOR_S

    @property
    def is_over(self) -> bool:
        """Whether running queries must stop."""
        return self.is_cancelled or time.thread_time() > self._end_s

    @property
    def is_cancelled(self) -> bool:
        """Whether the job was cancelled."""
        return self._job is not None and self._job.is_cancelled


@contextlib.contextmanager
def wrap_data_errors(name: str) -> Iterator[None]:
    """Convert errors caused by invalid values into one that names the library.

    Raises:
        LibraryDamagedError: The library contains values that Winnow never writes.
    """
    try:
        yield
    except _DATA_ERRORS as error:
        _log.warning("%s contains invalid values", label(name), exc_info=error)
        raise LibraryDamagedError(
            "The library {0} was skipped because it contains invalid values ({1}). Ask its "
            "publisher to publish it again.",
            name,
            Message(type(error).__name__),
        ) from error
