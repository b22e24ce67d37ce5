"""A library that is opened to be read: it must be there, and stays as it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog.catalog import Catalog
from core.catalog.files import folders
from core.catalog.schema import VERSION
from core.errors import LibraryDamagedError, LibraryError, LibraryTooNewError
from core.library.library import Library, LibraryOptions
from core.requests import CountFacets, Explain
from core.responses import Mode

READ_ONLY = LibraryOptions(is_read_only=True)


def test_it_is_found_in_but_not_changed(birds: Library, folder: Path) -> None:
    with Library.open(birds.home, READ_ONLY) as library:
        assert library.search("who hunts at night").hits[0].title == "owl"
        number = library.search("crow", mode=Mode.WORDS).hits[0].passages[0].passage.id
        library.answer(Explain("crow", number))
        library.answer(CountFacets("crow"))
        assert library.status().documents == birds.status().documents
        for change in (
            lambda: library.add_folder(folder),
            lambda: library.remove_folder(birds.home.parent / "documents"),
            lambda: library.teaching.judge("crow", number),
            library.sync,
            library.retry,
        ):
            with pytest.raises(LibraryError, match="is open for reading only"):
                change()
    assert birds.status().documents == 8


def test_sqlite_itself_refuses_changes(catalog: Catalog) -> None:
    opened = Catalog(catalog.path, is_read_only=True)
    with pytest.raises(LibraryError, match="cannot be written"), opened.reading() as db:
        db.execute("INSERT INTO folders(path, is_collection) VALUES ('/docs', 0)")
    opened.close()


def test_it_sees_what_another_program_writes(catalog: Catalog, add: Callable[..., int]) -> None:
    opened = Catalog(catalog.path, is_read_only=True)
    with catalog.transaction() as db:
        folders.add(db, Path("/docs"))
        with opened.reading() as seen:
            assert folders.roots(seen) == []
    with opened.reading() as seen:
        assert [root.path for root in folders.roots(seen)] == [Path("/docs")]
    opened.close()


def test_read_only_creates_no_catalog(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=r"no library in .* yet. Create one with winnow index"):
        Library.open(tmp_path / "none", READ_ONLY)
    assert not (tmp_path / "none").exists()


def test_an_older_one_is_left_as_it_is(catalog: Catalog, next_version: int) -> None:
    catalog.close()
    with pytest.raises(LibraryError, match=r"older version of Winnow\. Update it"):
        Catalog(catalog.path, is_read_only=True)
    connection = sqlite3.connect(catalog.path)
    assert connection.execute("PRAGMA user_version").fetchone()[0] == next_version - 1
    connection.close()


def test_a_newer_and_a_damaged_one_are_refused(catalog: Catalog) -> None:
    catalog.connection().execute(f"PRAGMA user_version = {VERSION + 1}")
    catalog.close()
    with pytest.raises(LibraryTooNewError, match="newer version of Winnow"):
        Catalog(catalog.path, is_read_only=True)
    catalog.path.write_bytes(b"no catalog " * 99)
    with pytest.raises(LibraryDamagedError, match="damaged"):
        Catalog(catalog.path, is_read_only=True)
