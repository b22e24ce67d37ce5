"""A catalog of an older version is upgraded; one that cannot be is refused and left as it is."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core import cli
from core.catalog import document_queries, maintenance, schema, word_index
from core.catalog.catalog import Catalog
from core.catalog.files import folders
from core.errors import LibraryDamagedError, LibraryError, LibraryTooNewError
from core.files import own_files
from core.library.library import Library

if TYPE_CHECKING:
    from sqlite_utils import Database


def version_of(path: Path) -> int:
    with contextlib.closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def set_version(catalog: Catalog, version: int) -> None:
    catalog.connection().execute(f"PRAGMA user_version = {version}")
    catalog.close()


def check_upgraded(path: Path, version: int) -> None:
    """Check that a catalog is of a version, with the one document of the older one in it."""
    opened = Catalog(path)
    with opened.reading() as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] == version
        assert [row["colour"] for row in db.execute("SELECT colour FROM colours")] == ["green"]
        assert [document.path for document in document_queries.read(db)] == [Path("/docs/owl.txt")]
        assert len(word_index.find_words(db, "owls", -1)) == 1
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    opened.close()


def test_libraries_in_use_are_upgraded() -> None:
    # Raising it would call the libraries of people damaged.
    assert schema.OLDEST == 28


def test_each_step_has_a_version() -> None:
    assert len(schema.STEPS) == schema.VERSION - schema.OLDEST + 1


def test_an_older_catalog_is_upgraded_with_a_backup(
    catalog: Catalog, add: Callable[..., int], next_version: int
) -> None:
    add("/docs/owl.txt", "Owls hunt mice.")
    catalog.close()
    check_upgraded(catalog.path, next_version)
    backup = catalog.path.with_suffix(f".v{next_version - 1}.backup")
    assert version_of(backup) == next_version - 1
    with contextlib.closing(sqlite3.connect(backup)) as db:
        assert db.execute("SELECT text FROM passages").fetchall() == [("Owls hunt mice.",)]


def test_an_upgraded_catalog_has_the_tables_of_a_new_one(
    catalog: Catalog, next_version: int, tmp_path: Path
) -> None:
    catalog.close()
    upgraded, new = Catalog(catalog.path), Catalog(tmp_path / "new" / "catalog.sqlite")
    assert maintenance.schema_of(upgraded.connection()) == maintenance.schema_of(new.connection())
    upgraded.close()
    new.close()


def test_a_killed_upgrade_is_completed(
    catalog: Catalog,
    add: Callable[..., int],
    next_version: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The files are copied at each statement of the upgrade, as a power cut would leave them."""
    add("/docs/owl.txt", "Owls hunt mice.")
    catalog.close()
    copies: list[Path] = []

    def copy(_statement: str) -> None:
        copies.append(tmp_path / f"copy{len(copies)}")
        shutil.copytree(catalog.path.parent, copies[-1])

    connect = Catalog._connect

    def connect_traced(self: Catalog) -> sqlite3.Connection:
        connection = connect(self)
        connection.set_trace_callback(copy)
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(Catalog, "_connect", connect_traced)
        upgraded = Catalog(catalog.path)
    upgraded.connection().set_trace_callback(None)
    upgraded.close()
    assert len(copies) > 5
    for folder in copies:
        check_upgraded(folder / "catalog.sqlite", next_version)


def test_a_step_that_fails_changes_nothing(
    catalog: Catalog,
    add: Callable[..., int],
    next_version: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add("/docs/owl.txt", "Owls hunt mice.")
    catalog.close()

    def fail(_db: Database) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(schema, "STEPS", (*schema.STEPS, fail))
        with pytest.raises(ZeroDivisionError):
            Catalog(catalog.path)
    assert version_of(catalog.path) == next_version - 1
    check_upgraded(catalog.path, next_version)


@pytest.mark.parametrize(
    ("number", "message"),
    [(errno.ENOSPC, "full. Free up space and try again"), (errno.EROFS, "cannot be written")],
)
def test_a_catalog_that_cannot_be_copied_is_not_upgraded(
    number: int,
    message: str,
    catalog: Catalog,
    add: Callable[..., int],
    next_version: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add("/docs/owl.txt", "Owls hunt mice.")
    catalog.close()
    make_file = own_files.make_file

    def refuse(path: Path) -> None:
        if path.suffix == ".backup":
            raise OSError(number, os.strerror(number))
        make_file(path)

    with monkeypatch.context() as patch:
        patch.setattr(own_files, "make_file", refuse)
        with pytest.raises(LibraryError, match=message):
            Catalog(catalog.path)
    assert version_of(catalog.path) == next_version - 1
    check_upgraded(catalog.path, next_version)


@pytest.mark.parametrize("is_read_only", [False, True])
@pytest.mark.parametrize("version", [1, schema.OLDEST - 1])
def test_an_unreleased_catalog_is_refused_and_left_as_it_is(
    catalog: Catalog, *, version: int, is_read_only: bool
) -> None:
    set_version(catalog, version)
    before = catalog.path.read_bytes()
    with pytest.raises(LibraryDamagedError, match=r"never released\)\. Run winnow check --repair"):
        Catalog(catalog.path, is_read_only=is_read_only)
    assert catalog.path.read_bytes() == before


def test_an_unreleased_library_is_recreated_with_its_folders(
    home: Path, catalog: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    with catalog.transaction() as db:
        folders.add(db, home.parent)
    set_version(catalog, schema.OLDEST - 1)
    assert cli.main(["check", "--repair"]) == 0
    assert "never released" in capsys.readouterr().out
    with Library.open(home) as library:
        assert [folder.path for folder in library.status().folders] == [home.parent]


def test_a_newer_library_is_refused_and_left_as_it_is(
    home: Path, catalog: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    set_version(catalog, schema.VERSION + 1)
    before = catalog.path.read_bytes()
    for arguments in (["status"], ["search", "owl"], ["index"], ["check", "--repair"], ["folders"]):
        assert cli.main(arguments) == 1
        message = capsys.readouterr()
        assert message.out == ""
        assert message.err == (
            f"winnow: The library in {home} was created by a newer version of Winnow. "
            "Update Winnow to open it.\n"
        )
    with pytest.raises(LibraryTooNewError):
        Library.open(home)
    assert catalog.path.read_bytes() == before
