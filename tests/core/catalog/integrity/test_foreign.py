"""Tests of foreign catalogs: they must have our schema and are never modified."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog import passages, word_index
from core.catalog.catalog import Catalog
from core.catalog.integrity import checksums, foreign
from core.catalog.schema import VERSION
from core.catalog.text import sql_functions
from core.errors import Cancelled, LibraryDamagedError, LibraryError, LibraryTooOldError
from core.progress import Job

ENDLESS = "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT count(*) FROM x"


@pytest.fixture
def closed(catalog: Catalog, add: Callable[..., int]) -> Path:
    """Path of a closed catalog with one document."""
    add("/docs/owl.txt", "Owls hunt mice.")
    catalog.close()
    return catalog.path


def change(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA legacy_alter_table = ON")
        for statement in statements:
            db.execute(statement)


def open_foreign(path: Path) -> Catalog:
    return Catalog(path, is_foreign=True)


def test_schema_sum_matches_a_new_catalog(catalog: Catalog) -> None:
    with catalog.reading() as db:
        assert foreign.schema_sum(db) == foreign.SCHEMA_SUM


def test_a_valid_catalog_is_read_and_not_modified(closed: Path) -> None:
    before = {path: path.read_bytes() for path in closed.parent.iterdir()}
    with contextlib.closing(open_foreign(closed)) as catalog:
        with catalog.reading() as db:
            assert passages.count(db) == 1
            # The word index uses a view that calls our SQL functions.
            assert word_index.find_words(db, '"owls"', 9)
        with pytest.raises(LibraryError, match="reading only"), catalog.transaction():
            pass
    assert {path: path.read_bytes() for path in closed.parent.iterdir()} == before


def test_changes_of_a_running_winnow_are_visible(catalog: Catalog, add: Callable[..., int]) -> None:
    with contextlib.closing(open_foreign(catalog.path)) as reader:
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
def test_a_different_schema_is_refused(closed: Path, statements: tuple[str, ...]) -> None:
    change(closed, *statements)
    with pytest.raises(LibraryDamagedError, match="its tables are not Winnow's"):
        open_foreign(closed)


def test_an_older_catalog_is_not_migrated(closed: Path) -> None:
    change(closed, f"PRAGMA user_version = {VERSION - 1}")
    with pytest.raises(LibraryTooOldError):
        open_foreign(closed)
    with contextlib.closing(sqlite3.connect(closed)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION - 1,)


@pytest.mark.parametrize("number", [1 << 40, -1, (1 << 63) - 1])
def test_ids_out_of_range_are_refused(closed: Path, number: int) -> None:
    with contextlib.closing(sqlite3.connect(closed, isolation_level=None)) as db:
        sql_functions.add_functions(db)
        checksums.add_functions(db)
        db.execute(f"UPDATE passages SET id = {number}")
    with pytest.raises(LibraryDamagedError, match="ID is out of range"):
        open_foreign(closed)


def test_cancelling_the_job_stops_its_query(closed: Path) -> None:
    job = Job()
    job.cancel()
    with contextlib.closing(open_foreign(closed)) as catalog:
        with catalog.watched(job), pytest.raises(Cancelled), catalog.reading() as db:
            db.execute(ENDLESS).fetchone()
        # A cancelled job does not affect the queries of the next one.
        with catalog.watched(Job()), catalog.reading() as db:
            assert passages.count(db) == 1


def test_a_query_stops_when_its_time_is_used_up(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "_MOST_PROCESSOR_S", 0.05)
    with (
        contextlib.closing(open_foreign(closed)) as catalog,
        catalog.watched(None),
        pytest.raises(LibraryError, match="took too long"),
        catalog.reading() as db,
    ):
        db.execute(ENDLESS).fetchone()


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes in folders")
@pytest.mark.parametrize("name", ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"])
def test_pipes_and_links_are_not_opened(closed: Path, name: str) -> None:
    path = closed.with_name(name)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    with pytest.raises(LibraryDamagedError, match="not a regular file"):
        open_foreign(closed)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(LibraryDamagedError, match="not a regular file"):
        open_foreign(closed)


def test_a_rollback_journal_is_refused(closed: Path) -> None:
    closed.with_name("catalog.sqlite-journal").write_bytes(b"x" * 512)
    with pytest.raises(LibraryDamagedError):
        open_foreign(closed)


def test_control_characters_in_sqlite_errors_are_escaped(closed: Path) -> None:
    change(
        closed,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE x(', name = char(27) || '[2J' || name"
        " WHERE name = 'folders'",
    )
    with pytest.raises(LibraryDamagedError) as raised:
        open_foreign(closed)
    assert "\x1b" not in str(raised.value)
