"""Opening the catalog's file, whatever state it is in, and changing it all or not at all."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.catalog import catalog as catalog_module
from core.catalog import document_queries
from core.catalog.catalog import Catalog
from core.catalog.files import folders
from core.catalog.schema import VERSION
from core.errors import (
    DiskFullError,
    LibraryBusyError,
    LibraryDamagedError,
    LibraryError,
    LibraryTooNewError,
)
from tests.examples import examples


def schema_of(catalog: Catalog) -> set[str]:
    rows = catalog.connection().execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {row["sql"] for row in rows}


def test_an_empty_file_becomes_a_catalog(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "catalog.sqlite"
    path.touch()
    opened = Catalog(path)
    assert schema_of(opened) == schema_of(catalog)
    assert opened.connection().execute("PRAGMA user_version").fetchone()[0] == VERSION
    opened.close()


@pytest.mark.skipif(os.name == "nt", reason="rights are another matter there")
def test_a_new_library_is_private_to_its_owner(tmp_path: Path) -> None:
    opened = Catalog(tmp_path / "home" / "catalog.sqlite")
    assert (tmp_path / "home").stat().st_mode & 0o077 == 0
    opened.close()


@pytest.mark.slow
def test_a_partially_created_catalog_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each statement of the making the files are copied, as a power cut would leave them."""
    path = tmp_path / "made" / "catalog.sqlite"
    copies: list[Path] = []

    def copy(_statement: str) -> None:
        copies.append(tmp_path / f"copy{len(copies)}")
        shutil.copytree(path.parent, copies[-1])

    connect = Catalog._connect

    def connect_watched(self: Catalog) -> sqlite3.Connection:
        connection = connect(self)
        connection.set_trace_callback(copy)
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(Catalog, "_connect", connect_watched)
        created = Catalog(path)
    created.connection().set_trace_callback(None)
    assert len(copies) > 20
    for folder in copies:
        completed = Catalog(folder / "catalog.sqlite")
        assert schema_of(completed) == schema_of(created), folder
        with completed.transaction() as db:
            folders.add(db, Path("/docs"))
        completed.close()
    created.close()


def test_two_programs_may_make_the_catalog_at_once(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    for turn in range(5):
        path = tmp_path / str(turn) / "catalog.sqlite"
        start = threading.Barrier(3)

        def open_it(path: Path = path, start: threading.Barrier = start) -> None:
            start.wait()
            try:
                Catalog(path).close()
            except BaseException as error:  # noqa: BLE001 - the assertion below shows it
                failures.append(error)

        threads = [threading.Thread(target=open_it) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures


def test_a_newer_catalog_is_refused_and_left_as_it_is(home: Path, catalog: Catalog) -> None:
    catalog.connection().execute(f"PRAGMA user_version = {VERSION + 1}")
    catalog.close()
    before = catalog.path.read_bytes()
    with pytest.raises(LibraryTooNewError, match=r"newer version of Winnow"):
        Catalog(catalog.path)
    assert catalog.path.read_bytes() == before


@settings(max_examples=examples(20))
@given(content=st.binary(min_size=20, max_size=5000))
def test_a_file_that_is_no_catalog_is_a_sentence(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("home") / "catalog.sqlite"
    path.write_bytes(content)
    with pytest.raises(LibraryDamagedError, match=r"damaged .*Run winnow check --repair"):
        Catalog(path)
    assert path.read_bytes() == content


def test_a_file_that_is_no_catalog_is_closed_again(tmp_path: Path) -> None:
    import psutil

    path = tmp_path.resolve() / "catalog.sqlite"
    path.write_bytes(b"no catalog" * 20)
    with pytest.raises(LibraryDamagedError) as raised:
        Catalog(path)
    # The error is kept, and with it all that its frames hold.
    assert raised.tb is not None
    assert path not in {Path(one.path) for one in psutil.Process().open_files()}


def read_all(path: Path) -> None:
    opened = Catalog(path)
    try:
        with opened.reading() as db:
            folders.describe(db)
            list(db.execute("SELECT text, context FROM passages"))
            list(db.execute("SELECT rowid FROM passages_fts WHERE passages_fts MATCH 'words'"))
    finally:
        opened.close()


def test_a_cut_catalog_is_a_sentence_wherever_it_is_cut(
    catalog: Catalog, add: Callable[..., int], tmp_path: Path
) -> None:
    for number in range(40):
        add(f"/docs/{number}.txt", f"some words {number} " * 50)
    catalog.close()
    whole = catalog.path.read_bytes()
    for share in range(1, 20):
        path = tmp_path / str(share) / "catalog.sqlite"
        path.parent.mkdir()
        path.write_bytes(whole[: len(whole) * share // 20])
        with pytest.raises(LibraryDamagedError, match=f"The library in {path.parent} is damaged"):
            read_all(path)


def test_a_folder_that_cannot_be_created_raises_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LibraryError, match=r"cannot be created .*Set WINNOW_HOME"):
        Catalog(tmp_path / "file" / "home" / "catalog.sqlite")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_a_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(LibraryError, match=r"cannot be created .*Set WINNOW_HOME"):
            Catalog(tmp_path / "home" / "catalog.sqlite")
        with pytest.raises(LibraryError, match=r"cannot be (written|created)"):
            Catalog(tmp_path / "catalog.sqlite")
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_in_the_files_place_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "catalog.sqlite").mkdir()
    with pytest.raises(LibraryError, match="Set WINNOW_HOME to a writable folder"):
        Catalog(tmp_path / "catalog.sqlite")


def test_a_catalog_that_is_being_written_elsewhere_is_busy(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog_module, "_BUSY_TIMEOUT_S", 0.05)
    other = Catalog(catalog.path)
    with (
        catalog.transaction(),
        pytest.raises(LibraryBusyError, match="in use by another Winnow process"),
        other.transaction(),
    ):
        pass
    # Reading never waits.
    with catalog.transaction(), other.reading() as db:
        assert folders.describe(db) == ()
    other.close()


def test_a_transaction_that_fails_changes_nothing(catalog: Catalog) -> None:

    def fail() -> None:
        with catalog.transaction() as db:
            folders.add(db, Path("/docs"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with catalog.reading() as db:
        assert folders.describe(db) == ()
    with catalog.transaction() as db:
        folders.add(db, Path("/docs"))
    with catalog.reading() as db:
        assert len(folders.describe(db)) == 1


def test_a_full_disk_is_a_sentence_and_changes_nothing(
    catalog: Catalog, add: Callable[..., int]
) -> None:
    add("/docs/a.txt", "kept")
    db = catalog.connection()
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(DiskFullError, match=r"full\. Free up space and try again"):
        add("/docs/b.txt", *(f"more and more words {number} " * 30 for number in range(300)))
    assert [row["text"] for row in db.execute("SELECT text FROM passages")] == ["kept"]
    db.execute("PRAGMA max_page_count = 1000000")
    add("/docs/b.txt", "room again")
    assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_a_snapshot_sees_one_moment(catalog: Catalog, add: Callable[..., int]) -> None:
    add("/docs/a.txt", "first")
    other = Catalog(catalog.path)
    with other.snapshot() as db:
        before = document_queries.count(db)
        add("/docs/b.txt", "second")
        assert document_queries.count(db) == before
    assert document_queries.count(other.connection()) != before
    other.close()


def test_a_closed_catalog_returns_no_connection(catalog: Catalog) -> None:
    catalog.close()
    refused: list[str] = []

    def read() -> None:
        try:
            catalog.connection()
        except LibraryError as error:
            refused.append(str(error))

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert refused == ["The library is closed."]


def test_threads_that_have_ended_keep_no_files_open(catalog: Catalog) -> None:
    """A window's pool makes a new thread for nearly every search; a library stays open for days."""

    def read() -> None:
        with catalog.reading() as db:
            folders.describe(db)

    for _ in range(20):
        thread = threading.Thread(target=read)
        thread.start()
        thread.join()
    assert len(catalog._connections) < 5


def test_a_catalog_that_cannot_be_opened_leaves_no_connection_open(
    tmp_path: Path, connections: list[sqlite3.Connection]
) -> None:
    path = tmp_path / "catalog.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(LibraryError, match="newer version of Winnow") as raised:
        Catalog(path)
    # A caller may hold the error, which holds a reference to the catalog.
    assert connections
    assert raised.value.__traceback__ is not None
    for connection in connections:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
