"""A catalog that is closed while others are at work in it."""

from __future__ import annotations

import queue
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.catalog import document_queries
from core.catalog.catalog import Catalog
from core.errors import Cancelled, LibraryClosedError
from core.progress import Job
from tests.waiting import patience

_CLOSED_IN_A_STATEMENT = """
    import sys, threading
    from pathlib import Path
    from core.catalog.catalog import Catalog
    from core.errors import LibraryClosedError

    catalog = Catalog(Path(sys.argv[1]))
    begun, closed = threading.Event(), threading.Event()

    def pause():
        begun.set()
        closed.wait()

    def read():
        try:
            with catalog.reading() as db:
                db.create_function("pause", 0, pause)
                db.execute("SELECT pause() UNION ALL SELECT count(*) FROM sqlite_master").fetchall()
        except LibraryClosedError as error:
            print(error)

    reader = threading.Thread(target=read)
    reader.start()
    begun.wait()
    catalog.close()
    closed.set()
    reader.join()
"""


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return False
    return True


@pytest.fixture
def second_thread() -> Iterator[ThreadPoolExecutor]:
    """Another thread, which stays."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


def test_closing_interrupts_sqlite_on_another_thread(tmp_path: Path) -> None:
    # In a separate process: closing the connection during the statement would crash it.
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_CLOSED_IN_A_STATEMENT), tmp_path / "c.sqlite"],
        capture_output=True,
        text=True,
        timeout=patience(),
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "The library is closed.\n"), ended.stderr


def test_a_block_that_is_under_way_ends_before_its_connection_is_closed(
    catalog: Catalog, add: Callable[..., int], second_thread: ThreadPoolExecutor
) -> None:
    add("/docs/a.txt", "kept")
    handed_over: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
    is_closed = threading.Event()

    def read() -> int:
        with catalog.snapshot() as db:
            handed_over.put(db)
            is_closed.wait(60)
            return sum(document_queries.count(db).values())

    reading = second_thread.submit(read)
    connection = handed_over.get()
    catalog.close()
    is_closed.set()
    assert reading.result() == 1
    assert not _is_open(connection)
    with pytest.raises(LibraryClosedError):
        second_thread.submit(catalog.check_newer).result()


def test_an_abandoned_transaction_leaves_nothing(catalog: Catalog, add: Callable[..., int]) -> None:
    number = add("/docs/a.txt", "kept")

    def change() -> None:
        with catalog.transaction() as db:
            db.create_function("close", 0, catalog.close)
            db.execute("UPDATE documents SET title = 'another' WHERE id = ?", [number])
            # Closed during the statement.
            db.execute("SELECT close() UNION ALL SELECT id FROM documents").fetchall()

    with pytest.raises(LibraryClosedError):
        change()
    opened = Catalog(catalog.path)
    with opened.reading() as db:
        assert db.execute("SELECT title FROM documents").fetchone()[0] != "another"
    opened.close()


def test_the_thread_that_reads_may_close(catalog: Catalog) -> None:
    with catalog.reading() as db:
        with catalog.reading():
            catalog.close()
        catalog.close()
        assert _is_open(db)
        with pytest.raises(LibraryClosedError):
            catalog.connection()
    assert not _is_open(db)


def test_connections_of_threads_that_read_nothing_are_closed_at_once(
    catalog: Catalog, second_thread: ThreadPoolExecutor, connections: list[sqlite3.Connection]
) -> None:
    def read() -> None:
        with catalog.reading() as db, catalog.snapshot():
            document_queries.count(db)

    second_thread.submit(read).result()
    (connection,) = connections
    assert _is_open(connection)
    catalog.close()
    assert not _is_open(connection)


def test_a_connection_without_a_block_is_open_until_its_thread_ends(catalog: Catalog) -> None:
    with ThreadPoolExecutor(1) as pool:
        connection = pool.submit(catalog.connection).result()
        catalog.close()
        assert _is_open(connection)
    assert not _is_open(connection)


def test_a_long_call_is_ended_by_its_job(catalog: Catalog) -> None:
    job = Job()

    def work() -> None:
        with catalog.until_closed(job):
            catalog.close()
            job.checkpoint()

    with pytest.raises(LibraryClosedError):
        work()


def test_a_cancelled_job_gets_no_closed_error(catalog: Catalog) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled), catalog.until_closed(job):
        job.checkpoint()


def test_an_open_reader_of_a_damaged_catalog_reads_to_the_end(
    catalog: Catalog, add: Callable[..., int]
) -> None:
    add("/docs/a.txt", "kept")
    with catalog.reading() as db:
        catalog.recreate()
        with catalog.reading() as new:
            assert sum(document_queries.count(new).values()) == 0
        assert sum(document_queries.count(db).values()) == 1
