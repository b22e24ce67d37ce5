"""Libraries of every released version open in this one, with all that is in them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core import cli
from core.catalog import documents, manifest, passages, scope
from core.catalog.catalog import Catalog
from core.catalog.normalisation import quoted
from core.catalog.schema import VERSION
from core.errors import LibraryTooNewError
from core.library import Library
from core.search.results import Mode
from tests.conftest import write_files

from . import released

TEXT = "Owls hunt mice 東京に住む"
NAME = "Owl letters.txt"


def tables_of(catalog: Catalog) -> list[str]:
    rows = catalog.connection().execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    return sorted(row["sql"] for row in rows)


def test_each_version_is_written_down() -> None:
    assert released.versions() == list(range(1, VERSION + 1)), (
        "the tables have changed: python -m tests.core.catalog.released"
    )


def test_what_is_written_down_of_this_version_is_what_it_makes() -> None:
    stamp = re.compile(r"'\d{4}-\d\d-\d\d \d\d:[^']*'")
    newest = released.path_of(VERSION).read_text(encoding="utf-8")
    assert stamp.sub("", newest) == stamp.sub("", released.written())


@pytest.mark.parametrize("version", released.versions())
def test_its_content_survives(version: int, tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "catalog.sqlite"
    docs = tmp_path / "papers"
    released.make(version, path, docs)
    opened = Catalog(path)
    with opened.reading() as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] == VERSION
        assert tables_of(opened) == tables_of(catalog)
        (document,) = documents.read(db)
        assert (document.path, document.title) == (docs / NAME, "To the owl")
        if version >= 7:
            assert (document.author, document.date) == ("A. Mouse", "2024-05-01")
        assert passages.page_texts(db, document.id) == {1: TEXT}
        for word in ("owl", "東京", "letters"):
            assert [number for number, _ in passages.find_words(db, quoted(word), 9)] == [21]
        assert [one.path.name for one in scope.find_names(db, ["letters"], 9)] == [NAME]
        # Before the fifth version vectors were stored in other ways: they are made again.
        kept = db.execute("SELECT count(*) FROM segments").fetchone()[0]
        assert kept == passages.counts(db).passages - passages.counts(db).waiting
        assert kept == (version >= 5)
        live = manifest.live(db)
        assert (live.spec.name if live else "") == ("m" if version >= 2 else "")
        for table, since in (
            ("recognised", 8),
            ("judgements", 12),
            ("adopted", 12),
            ("rereads", 14),
        ):
            count = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            assert count == (version >= since), table
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    with opened.transaction() as db:
        for words in ("passages_fts", "names_fts"):
            db.execute(f"INSERT INTO {words}({words}, rank) VALUES ('integrity-check', 1)")
    opened.close()


@pytest.mark.parametrize("version", released.versions()[:-1])
def test_a_copy_of_it_as_it_was_is_kept(version: int, tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    released.make(version, path, tmp_path)
    Catalog(path).close()
    kept = sqlite3.connect(path.with_suffix(f".v{version}.backup"))
    assert kept.execute("PRAGMA user_version").fetchone()[0] == version
    assert kept.execute("SELECT text FROM passages").fetchall() == [(TEXT,)]
    kept.close()


@pytest.mark.parametrize("version", released.versions())
def test_a_whole_library_goes_on_from_it(
    version: int, home: Path, folder: Path, open_library: Callable[..., Library]
) -> None:
    """Found at once by its words; after the next sync by its meaning, and changed files anew."""
    write_files(folder, {NAME: TEXT, "new.txt": "A crow hides food."})
    home.mkdir(parents=True)
    released.make(version, home / "catalog.sqlite", folder)
    library = open_library()
    assert [hit.title for hit in library.search("mice", mode=Mode.WORDS).hits] == ["To the owl"]
    report = library.sync()
    assert report.failed == ()
    assert (report.documents, library.status().waiting) == (2, 0)
    best = library.search("which birds eat mice", mode=Mode.MEANING).hits[0]
    assert best.path == folder / NAME
    assert library.check().problems == ()


def test_a_newer_library_is_refused_and_left_as_it_is(
    home: Path, catalog: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    catalog.connection().execute(f"PRAGMA user_version = {VERSION + 1}")
    catalog.close()
    before = catalog.path.read_bytes()
    for arguments in (["status"], ["search", "owl"], ["index"], ["check", "--repair"], ["folders"]):
        assert cli.main(arguments) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == (
            f"winnow: The library in {home} was written by a newer Winnow; "
            "install the newest version to open it.\n"
        )
    with pytest.raises(LibraryTooNewError):
        Library.open(home)
    assert catalog.path.read_bytes() == before
