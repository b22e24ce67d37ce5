"""The connection to the catalog's SQLite file, its transactions, and what can go wrong with it."""

import contextlib
import logging
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.addresses import readable_path
from core.catalog import maintenance, schema
from core.catalog.catalog_file import (
    damaged,
    is_there,
    may_write,
    quarantine,
    sentences,
    translating_file_errors,
)
from core.catalog.integrity import checksums, foreign
from core.catalog.integrity.user_data_backup import UserDataBackup
from core.catalog.text import sql_functions
from core.errors import (
    CLOSED,
    Cancelled,
    LibraryBusyError,
    LibraryClosedError,
    LibraryDamagedError,
    LibraryError,
    LibraryTooNewError,
    LibraryTooOldError,
)
from core.files import own_files
from core.progress import Job

_BUSY_TIMEOUT_S = 10
# Pages of about 4 kB that a merge step writes, in some hundredths of a second.
_PAGES: Final = 64
# Maximum number of versions that a catalog can be ahead; a higher number means damage.
_MOST_NEWER: Final = 200
_log = logging.getLogger(__name__)


class _Owned:
    """A thread's connection, which is closed when the thread ends.

    Attributes:
        users: number of active blocks of the thread that use it.
        is_lent: whether it was returned outside a block, so that the end of its use is unknown.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.users = 0
        self.is_lent = False
        # Not `__del__`: the connection may be collected first, without being closed.
        weakref.finalize(self, connection.close)


class Catalog:
    """An SQLite file in WAL mode, with one connection per thread.

    Readers never wait. Writers take turns: `transaction` holds SQLite's single write lock.

    Any thread may call `close` at any time. Closing a connection while SQLite executes in it
    crashes the process, so that each connection in use is interrupted and then closed by its own
    thread (docs/decisions/0003-layers.md).
    """

    def __init__(
        self,
        path: Path,
        *,
        is_read_only: bool = False,
        is_foreign: bool = False,
        foreign_name: str = "",
    ) -> None:
        """Open the catalog at `path`; create or upgrade it if needed.

        A read-only catalog must exist in the current version; SQLite then refuses changes. A
        foreign catalog, written by others, is read-only and checked by
        `core.catalog.integrity.foreign`.

        Raises:
            LibraryError: it cannot be opened, is damaged, or was written by a newer Winnow; or it
                is read-only and missing, or was written by an older one.
        """
        self.path = path
        self.is_foreign = is_foreign
        # For messages: a person may not know the folder, for example that of a downloaded one.
        self.foreign_name = (foreign_name or readable_path(path.parent)) if is_foreign else ""
        if is_foreign:
            foreign.check_files(path, self.foreign_name)
        # Whether the catalog can be changed at all; False on a read-only disk.
        self.is_writable = not is_there(path) or may_write(path)
        self._is_read_only = is_read_only or is_foreign or not self.is_writable
        self._local = threading.local()
        # Weakly: a window's pool makes and ends a thread for nearly every search, for days.
        self._connections: weakref.WeakSet[_Owned] = weakref.WeakSet()
        # Reentrant: garbage collection may meanwhile finalise an abandoned reader.
        self._guard = threading.RLock()
        self._closing = Job()
        self._turn = 0
        self.user_data_backup = UserDataBackup(path)
        try:
            self._begin()
        except BaseException:
            # The error's traceback refers to this catalog and its connection.
            self.close()
            raise

    def _begin(self) -> None:
        path = self.path
        if self._is_read_only:
            self._check_version()
            return
        with LibraryError.on_os_error(
            "The library folder {0} cannot be created ({1}). Set WINNOW_HOME to a writable folder.",
            path.parent,
        ):
            # It contains the text of the person's documents: only they may read it.
            own_files.make_folder(path.parent)
            # The write-ahead log inherits the catalog's permissions.
            own_files.make_file(path)
        self._open()

    def _open(self) -> None:
        with self.reading() as db:
            self._bring_up_to_date(db)
            self.user_data_backup.look(db)
            self.user_data_backup.keep(db)

    def connection(self) -> sqlite3.Connection:
        """This thread's connection, in autocommit mode; use it to read.

        Use it inside `reading` or a similar block. Outside, it stays open until this thread ends,
        even if another thread closes the catalog.

        Raises:
            LibraryClosedError: the catalog was closed.
            LibraryError: it cannot be opened.
        """
        owned = self._owned()
        owned.is_lent |= not owned.users
        return owned.connection

    def _owned(self) -> _Owned:
        self._check_open()
        owned: _Owned | None = getattr(self._local, "owned", None)
        if owned is None or self._local.turn != self._turn:
            turn = self._turn
            with sentences(self.path, self.foreign_name):
                owned = _Owned(self._connect())
            with self._guard:
                self._check_open()
                self._connections.add(owned)
            self._local.owned, self._local.turn = owned, turn
        return owned

    def _check_open(self) -> None:
        if self._closing.is_cancelled:
            raise LibraryClosedError(CLOSED)

    @contextlib.contextmanager
    def until_closed(self, job: Job) -> Iterator[None]:
        """Cancel the job of a long call when the catalog is closed.

        Raises:
            LibraryClosedError: it was closed in the meantime.
        """
        with self._closing.on_cancel(job.cancel):
            try:
                yield
            except Cancelled:
                self._check_open()
                raise

    @contextlib.contextmanager
    def watched(self, job: Job | None) -> Iterator[None]:
        """Interrupt this thread's queries of a foreign catalog when its job is cancelled.

        Also when a query takes far too long, as one crafted by an attacker may. If the job is
        cancelled during a query, `Cancelled` is raised.
        """
        before = getattr(self._local, "watch", None)
        self._local.watch = foreign.Watch(job)
        try:
            yield
        finally:
            self._local.watch = before

    def _is_over(self) -> bool:
        watch: foreign.Watch | None = getattr(self._local, "watch", None)
        return watch is not None and watch.is_over

    def _check_watch(self, error: sqlite3.Error) -> None:
        watch: foreign.Watch | None = getattr(self._local, "watch", None)
        if watch is None or not watch.is_over:
            return
        if watch.is_cancelled:
            raise Cancelled from error
        raise LibraryError(
            "The library {0} was skipped because it took too long to respond.", self.foreign_name
        ) from error

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield this thread's connection for reads, and translate its errors.

        It stays open until the block ends, even if another thread closes the catalog.

        Raises:
            LibraryClosedError: the catalog was closed, before or during the block.
        """
        owned = self._owned()
        with self._guard:
            self._check_open()
            owned.users += 1
        try:
            with sentences(self.path, self.foreign_name):
                try:
                    yield owned.connection
                except sqlite3.Error as error:
                    # When interrupted, SQLite may report other errors, as the word index does.
                    self._check_open()
                    self._check_watch(error)
                    raise
        finally:
            with self._guard:
                owned.users -= 1
                is_left = self._closing.is_cancelled and not owned.users
                if is_left:
                    self._connections.discard(owned)
            if is_left:
                owned.connection.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the block as a transaction: all of its changes, or none.

        Raises:
            LibraryBusyError: another process kept the write lock for ten seconds.
            DiskFullError: there is no room.
            LibraryClosedError: the catalog was closed, before or during the block.
            LibraryError: the catalog is read only.
        """
        self.check_writable()
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                # A full disk may have rolled back already.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
            self.user_data_backup.keep(connection)

    @property
    def may_change(self) -> bool:
        """Whether changes are permitted and possible, in the catalog and in files next to it."""
        return self.is_writable and not self._is_read_only

    def check_writable(self) -> None:
        """Check that the catalog can be changed.

        Raises:
            LibraryError: it is read-only.
        """
        if not self.is_writable:
            raise LibraryError(
                "The library in {0} is in a read-only location. It can be searched, but not "
                "updated or changed.",
                self.path.parent,
            )
        if self._is_read_only:
            raise LibraryError("The library in {0} is open for reading only.", self.path.parent)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Run the block's reads on one snapshot."""
        with self.reading() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")

    @property
    def size_bytes(self) -> int:
        """Size on disk, including the write-ahead log, which the last connection removes."""
        return own_files.size_of(self.path) + own_files.size_of(self._log)

    def settle(self) -> bool:
        """Checkpoint the write-ahead log into the catalog and truncate it.

        Return False if a reader still uses an older snapshot; nothing is lost then.
        """
        with self.reading() as db:
            busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def purge_words(self, job: Job) -> None:
        """Rewrite the indexes of words and names without the entries of removed documents.

        Until then they are only marked as deleted. Works in steps, each a transaction; between
        them other writers get as much time as a step took.

        Raises:
            Cancelled: the job was cancelled; the next call starts over.
        """
        for table in ("passages_fts", "names_fts"):
            # The first call starts merging all parts into one; the others continue.
            pages = -_PAGES
            is_done = False
            while not is_done:
                began_s = time.monotonic()
                with self.transaction() as db:
                    is_done = not maintenance.merge(db, table, pages)
                pages = _PAGES
                # SQLite polls for a lock at growing intervals.
                job.rest(time.monotonic() - began_s)

    def remove_backups(self) -> bool:
        """Remove the copies that were made before upgrades of the catalog.

        Return False if one of them cannot be removed now.
        """
        are_removed = True
        for pattern in (f"{self.path.stem}.v*.backup", f"{self.path.name}*.bad"):
            for backup in self.path.parent.glob(pattern):
                try:
                    backup.unlink(missing_ok=True)
                except OSError as error:
                    _log.warning("Cannot remove %s now: %s", backup, error)
                    are_removed = False
        return are_removed

    def recreate(self) -> None:
        """Set the damaged catalog aside, and create one from the backup of the user's data.

        Call it under the library's lock. It can be repeated after being killed.

        Raises:
            LibraryError: the catalog cannot be set aside, or no new one can be created.
        """
        quarantine(self.path)
        with translating_file_errors(self.path.parent):
            own_files.make_file(self.path)
        with self._guard:
            # Readers of the old catalog keep its open files until they finish.
            self._turn += 1
        self._open()

    def close(self) -> None:
        """Close all connections; returns immediately, even while some are in use.

        Their queries are interrupted, and they are closed at the end of their threads' blocks. A
        transaction is completed or rolled back.
        """
        # First: after this, no block starts, and a block that ends closes its connection.
        self._closing.cancel()
        own: _Owned | None = getattr(self._local, "owned", None)
        with self._guard:
            for owned in self._connections:
                if owned.users:
                    owned.connection.interrupt()
                elif owned is own or not owned.is_lent:
                    owned.connection.close()
            self._connections.clear()

    @property
    def _log(self) -> Path:
        return self.path.with_name(f"{self.path.name}-wal")

    def _address(self) -> str:
        """Return the URI for SQLite."""
        address = self.path.absolute().as_uri()
        if self.is_writable and self.is_foreign and not foreign.needs_log(self.path):
            return f"{address}?mode=ro"
        if self.is_writable:
            # Do not create a file on the mount point if the disk has just been unplugged.
            return f"{address}?mode=rw" if self._is_read_only else address
        if own_files.size_of(self._log):
            # The writer was killed, or another process may still write. SQLite reads the log by
            # means of the shared-memory file, or in memory if it may not write that.
            if not self.path.with_name(f"{self.path.name}-shm").is_file():
                if self.is_foreign:
                    raise foreign.damaged(self.foreign_name, "it was still open when it was copied")
                raise LibraryError(
                    "The library in {0} was still open when it was copied or its disk became "
                    "read-only. Open it once in a writable location.",
                    self.path.parent,
                )
            return f"{address}?mode=ro"
        # SQLite would try to create files next to it.
        return f"{address}?mode=ro&immutable=1"

    def _connect(self) -> sqlite3.Connection:
        if self.is_foreign:
            foreign.check_files(self.path, self.foreign_name)
        connection = sqlite3.connect(
            self._address(),
            uri=True,
            timeout=_BUSY_TIMEOUT_S,
            isolation_level=None,
            check_same_thread=False,  # `close` closes it for all threads outside a block
        )
        try:
            connection.row_factory = sqlite3.Row
            if self.is_foreign:
                self._distrust(connection)
            sql_functions.add_functions(connection)
            checksums.add_functions(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            # A removed document's text must not linger in free pages of the file.
            connection.execute("PRAGMA secure_delete = ON")
            # The terms of the word index: a virtual table in memory, read on demand.
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(
                "CREATE VIRTUAL TABLE temp.passage_terms USING fts5vocab(main, passages_fts, row)"
            )
            if self._is_read_only:
                connection.execute("PRAGMA query_only = ON")
        except BaseException:  # no caller could close it, for example if the file is damaged
            connection.close()
            raise
        return connection

    def _distrust(self, connection: sqlite3.Connection) -> None:
        """Verify that a foreign catalog contains nothing but data."""
        foreign.prepare(connection)
        self._check_version_of(connection)
        foreign.check_content(connection, self.foreign_name)
        connection.set_progress_handler(self._is_over, foreign.STEPS)

    def check_newer(self) -> None:
        """Check that no newer Winnow has changed the schema since the catalog was opened.

        Raises:
            LibraryTooNewError: the schema is newer.
            LibraryError: the catalog can no longer be read.
        """
        with self.reading() as db:
            self._refuse_newer(db.execute("PRAGMA user_version").fetchone()[0])

    def _check_version(self) -> None:
        """Check that a read-only catalog exists in the current version.

        Raises:
            LibraryError: it is missing, or has an older or newer version.
        """
        if not self.path.is_file():
            raise LibraryError(
                "There is no library in {0} yet. Create one with winnow index FOLDER.",
                self.path.parent,
            )
        with self.reading() as db:
            self._check_version_of(db)

    def _check_version_of(self, db: sqlite3.Connection) -> None:
        home = self.path.parent
        version = db.execute("PRAGMA user_version").fetchone()[0]
        self._refuse_newer(version)
        if version < schema.VERSION and not self.is_writable:
            raise LibraryTooOldError(
                "The library in {0} was created by an older version of Winnow and is read-only. "
                "Copy it to a writable folder and set WINNOW_HOME to that folder.",
                home,
            )
        if not self.is_foreign:
            self._refuse_unreleased(version)
        if version < schema.VERSION:
            raise LibraryTooOldError(
                "The library in {0} was created by an older version of Winnow. Update it with "
                "winnow status, then try again.",
                home,
            )

    def _refuse_newer(self, version: int) -> None:
        if version > schema.VERSION + _MOST_NEWER and self.is_foreign:
            raise foreign.damaged(self.foreign_name, "its version is invalid")
        if version > schema.VERSION + _MOST_NEWER:
            raise LibraryDamagedError(damaged(self.path.parent, "its version is invalid"))
        if version > schema.VERSION:
            raise LibraryTooNewError(
                "The library in {0} was created by a newer version of Winnow. Update Winnow to "
                "open it.",
                self.path.parent,
            )

    def _refuse_unreleased(self, version: int) -> None:
        # Handled as damage: the folders and judgements in the second file are kept.
        if 0 < version < schema.OLDEST:
            raise LibraryDamagedError(damaged(self.path.parent, "its version was never released"))

    @contextlib.contextmanager
    def _upgrading(self) -> Iterator[None]:
        """Hold the lock for upgrading the catalog."""
        # Imported here: read-only users such as the desktop's search do not need it.
        import filelock

        lock = filelock.FileLock(
            self.path.with_suffix(".upgrade-lock"), _BUSY_TIMEOUT_S, own_files.OWN_FILE
        )
        try:
            lock.acquire()
        except filelock.Timeout as error:
            raise LibraryBusyError(
                "The library in {0} is in use by another Winnow process. Try again when it has "
                "finished.",
                self.path.parent,
            ) from error
        except (OSError, NotImplementedError) as error:
            raise LibraryError(
                "The library in {0} cannot be locked for writing ({1}). Set WINNOW_HOME to a "
                "writable folder.",
                self.path.parent,
                error,
            ) from error
        try:
            yield
        finally:
            lock.release()

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == schema.VERSION:
            return
        self._refuse_newer(version)
        self._refuse_unreleased(version)
        # Two programs may start for the first time: one creates the tables, the other finds them.
        with self._upgrading():
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            # The mode persists in the file. It is set under the lock only: two connections that
            # change it at the same time fail at once, whatever their timeout.
            connection.execute("PRAGMA journal_mode = WAL")
            if 0 < version < schema.VERSION:
                backup = self.path.with_suffix(f".v{version}.backup")
                with translating_file_errors(self.path.parent):
                    backup.unlink(missing_ok=True)
                    own_files.make_file(backup)
                # Not a copy of the file: recent changes may only be in the write-ahead log.
                connection.execute("VACUUM INTO ?", [str(backup)])
            # Not by `transaction`: the backup of the user's data has not been read yet.
            connection.execute("BEGIN IMMEDIATE")
            try:
                schema.apply(connection)
                if version == 0:
                    self.user_data_backup.restore(connection)
                connection.execute(f"PRAGMA user_version = {schema.VERSION}")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
