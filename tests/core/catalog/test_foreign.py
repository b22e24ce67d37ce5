"""Catalogs that others wrote: opened only as Winnow writes them, and never changed."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog import foreign, normalisation, passages, sums
from core.catalog.catalog import Catalog
from core.catalog.schema import VERSION
from core.errors import Cancelled, LibraryDamagedError, LibraryError, LibraryTooOldError
from core.progress import Job

ENDLESS = "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT count(*) FROM x"


@pytest.fixture
def closed(catalog: Catalog, add: Callable[..., int]) -> Path:
    """A catalog with a document, that its own Winnow has closed."""
    add("/docs/owl.txt", "Owls hunt mice.")
    catalog.close()
    return catalog.path


def change(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA legacy_alter_table = ON")
        for statement in statements:
            db.execute(statement)


def opened(path: Path) -> Catalog:
    return Catalog(path, is_foreign=True)


def test_the_sum_of_the_schema_is_that_of_a_new_catalog(catalog: Catalog) -> None:
    with catalog.reading() as db:
        assert foreign.schema_sum(db) == foreign.SCHEMA_SUM


def test_one_as_winnow_writes_it_is_read_and_not_changed(closed: Path) -> None:
    before = {path: path.read_bytes() for path in closed.parent.iterdir()}
    with contextlib.closing(opened(closed)) as catalog:
        with catalog.reading() as db:
            assert passages.count(db) == 1
            # The word index reads a view with functions of ours.
            assert passages.find_words(db, '"owls"', 9)
        with pytest.raises(LibraryError, match="read only"), catalog.transaction():
            pass
    assert {path: path.read_bytes() for path in closed.parent.iterdir()} == before


def test_what_a_running_winnow_writes_is_seen(catalog: Catalog, add: Callable[..., int]) -> None:
    with contextlib.closing(opened(catalog.path)) as reader:
        add("/docs/owl.txt", "Owls hunt mice.")
        with reader.reading() as db:
            assert passages.count(db) == 1


@pytest.mark.parametrize(
    "statements",
    [
        (
            "ALTER TABLE documents RENAME TO documents_",
            f"CREATE VIEW documents AS SELECT d.* FROM documents_ d, ({ENDLESS})",
        ),
        ("CREATE VIEW more AS SELECT 1",),
        ("CREATE TRIGGER t AFTER INSERT ON kept BEGIN SELECT 1; END",),
        ("CREATE TABLE more (a, b AS (zeroblob(1000000000)))",),
        ("CREATE INDEX more ON documents(hex(zeroblob(id)))",),
        ("DROP TRIGGER passages_add_words",),
        ("ALTER TABLE segments ADD COLUMN more",),
    ],
)
def test_other_tables_than_winnows_are_refused(closed: Path, statements: tuple[str, ...]) -> None:
    change(closed, *statements)
    with pytest.raises(LibraryDamagedError, match="its tables are not those of Winnow"):
        opened(closed)


def test_one_of_an_older_winnow_is_not_brought_up_to_date(closed: Path) -> None:
    change(closed, f"PRAGMA user_version = {VERSION - 1}")
    with pytest.raises(LibraryTooOldError):
        opened(closed)
    with contextlib.closing(sqlite3.connect(closed)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION - 1,)


@pytest.mark.parametrize("number", [1 << 40, -1, (1 << 63) - 1])
def test_numbers_that_would_be_of_another_library_are_refused(closed: Path, number: int) -> None:
    with contextlib.closing(sqlite3.connect(closed, isolation_level=None)) as db:
        normalisation.add_functions(db)
        sums.add_functions(db)
        db.execute(f"UPDATE passages SET id = {number}")
    with pytest.raises(LibraryDamagedError, match="not numbered"):
        opened(closed)


def test_questions_end_with_their_job(closed: Path) -> None:
    job = Job()
    job.cancel()
    with contextlib.closing(opened(closed)) as catalog:
        with catalog.watched(job), pytest.raises(Cancelled), catalog.reading() as db:
            db.execute(ENDLESS).fetchone()
        # The next question is nobody's who has gone.
        with catalog.watched(Job()), catalog.reading() as db:
            assert passages.count(db) == 1


def test_questions_end_when_their_time_is_over(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "_MOST_PROCESSOR_S", 0.05)
    with (
        contextlib.closing(opened(closed)) as catalog,
        catalog.watched(None),
        pytest.raises(LibraryError, match="takes too long"),
        catalog.reading() as db,
    ):
        db.execute(ENDLESS).fetchone()


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes in folders")
@pytest.mark.parametrize("name", ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"])
def test_neither_a_pipe_nor_a_link_is_opened(closed: Path, name: str) -> None:
    place = closed.with_name(name)
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    with pytest.raises(LibraryDamagedError, match="not a regular file"):
        opened(closed)
    place.unlink()
    place.symlink_to("/dev/zero")
    with pytest.raises(LibraryDamagedError, match="not a regular file"):
        opened(closed)


def test_a_journal_by_which_other_files_would_go_is_not_followed(closed: Path) -> None:
    closed.with_name("catalog.sqlite-journal").write_bytes(b"x" * 512)
    with pytest.raises(LibraryDamagedError):
        opened(closed)


def test_what_sqlite_says_of_names_does_not_steer_a_terminal(closed: Path) -> None:
    change(
        closed,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE x(', name = char(27) || '[2J' || name"
        " WHERE name = 'folders'",
    )
    with pytest.raises(LibraryDamagedError) as told:
        opened(closed)
    assert "\x1b" not in str(told.value)
