"""A library of an older version gets this version's words, and files are read again."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Final

import pytest

from core.catalog import maintenance, schema
from core.catalog.catalog import Catalog
from core.catalog.integrity import checksums
from core.catalog.text import sql_functions, text_version
from core.documents import reader_changes
from core.errors import Cancelled
from core.indexing import text_updates
from core.indexing.text_updates import update_texts
from core.library.library import Library
from core.progress import Job, Progress, Stage
from core.responses import Mode

TEXTS: Final = {
    "french.txt": "La sœur arrive.",
    "persian.txt": "سال ۱۳۹۹",
    "notes.md": "An owl sent an e-mail. #birds",
}


def columns_of(db: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return the tables that steps add columns to, each with each of its columns."""
    tables = ("documents", "passages")
    return {
        (table, row[1]) for table in tables for row in db.execute(f"PRAGMA table_info({table})")
    }


def schema_of_steps(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[tuple[str, str], str], set[tuple[str, str]]]:
    """Return what the first steps make: tables, views and triggers by kind and name; columns."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db, monkeypatch.context() as patch:
        patch.setattr(schema, "STEPS", schema.STEPS[:count])
        sql_functions.add_functions(db)
        schema.apply(db)
        return dict(maintenance.schema_of(db)), columns_of(db)


def older_words(text: str) -> str:
    """Return words as the first version indexed them: letters as they are."""
    return text


def older_joined(_context: str, text: str) -> str:
    """Return joined forms as older versions indexed them, in a column of the word index."""
    return "email" if "e-mail" in text else ""


@pytest.fixture(params=range(1, len(schema.STEPS)))
def older(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    """A folder of documents in a library that a version with fewer steps has written."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    with Library.open(home) as library:
        library.add_folder(folder)
        library.sync()
    before, columns = schema_of_steps(request.param, monkeypatch)
    with contextlib.closing(sqlite3.connect(home / "catalog.sqlite")) as db:
        sql_functions.add_functions(db)
        checksums.add_functions(db)
        db.create_function("word_text", 1, older_words, deterministic=True)
        db.create_function("joined_text", 2, older_joined, deterministic=True)
        later = {*maintenance.schema_of(db).items()} - {*before.items()}
        columns_change = {("table", "documents"), ("table", "passages")}
        for kind, name in sorted({key for key, _ in later} - columns_change):
            db.execute(f"DROP {kind} IF EXISTS {name}")
        db.execute("UPDATE documents SET tags = ''")
        for table, column in columns_of(db) - columns:
            db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        summed = [name for name in checksums.DOCUMENT if ("documents", name) in columns]
        db.execute(f"UPDATE documents SET row_sum = {checksums.of_row('documents', summed)}")
        for (kind, name), sql in before.items():
            if kind in {"view", "trigger"} and (kind, name) not in maintenance.schema_of(db):
                db.execute(sql)
        for table in ("passages_fts", "names_fts"):
            db.execute(f"INSERT INTO {table}({table}) VALUES ('rebuild')")
        for step in schema.STEPS[request.param :]:
            db.execute("DELETE FROM _sqlite_migrations WHERE name = ?", [step.__name__])
        if request.param > 1:
            db.execute("UPDATE text_versions SET folding = 4, readers = 4")
        db.execute(f"PRAGMA user_version = {schema.OLDEST + request.param - 1}")
        db.commit()
    return folder


def names(library: Library, query: str) -> list[str]:
    return [hit.path.name for hit in library.search(query, mode=Mode.WORDS).hits]


def test_words_of_an_older_version_answer_until_they_are_built_again(
    home: Path, older: Path
) -> None:
    with Library.open(home) as library:
        assert [folder.path for folder in library.status().folders] == [older]
        assert names(library, "arrive") == ["french.txt"]
        assert names(library, "soeur") == []
        assert names(library, "email") == ["notes.md"]
        assert library.check().problems == ()
        stages: list[Stage] = []
        library.sync(Job(on_progress=lambda progress: stages.append(progress.stage)))
        assert stages[0] is Stage.UPDATING
        assert names(library, "soeur") == names(library, "sœur") == ["french.txt"]
        assert names(library, "1399") == names(library, "۱۳۹۹") == ["persian.txt"]
        assert names(library, "email") == names(library, "e-mail") == ["notes.md"]
        assert library.check().problems == ()
        stages.clear()
        library.sync(Job(on_progress=lambda progress: stages.append(progress.stage)))
        assert Stage.UPDATING not in stages


def test_tags_are_read_from_the_files_of_an_older_version(home: Path, older: Path) -> None:
    with Library.open(home) as library:
        assert names(library, "tag:birds") == []
        library.sync()
        assert names(library, "tag:birds") == ["notes.md"]
        assert library.check().problems == ()


def test_a_folder_removed_before_the_update_leaves_no_words(home: Path, older: Path) -> None:
    with Library.open(home) as library:
        library.remove_folder(older)
        assert library.check().problems == ()
    with contextlib.closing(sqlite3.connect(home / "catalog.sqlite")) as db:
        assert db.execute("SELECT count(*) FROM passages_fts_docsize").fetchone() == (0,)


def test_a_cancelled_update_starts_over(home: Path, older: Path) -> None:

    def cancel(progress: Progress) -> None:
        if progress.stage is Stage.UPDATING:
            job.cancel()

    job = Job(on_progress=cancel)
    with Library.open(home) as library:
        with pytest.raises(Cancelled):
            library.sync(job)
        assert names(library, "arrive") == ["french.txt"]
        library.sync()
        assert names(library, "soeur") == ["french.txt"]


def test_files_are_read_again_when_their_reader_has_changed(
    home: Path, older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(home) as library:
        library.sync()
        changes = (*reader_changes.READER_CHANGES, frozenset({".md"}))
        monkeypatch.setattr(text_updates, "READER_CHANGES", changes)
        monkeypatch.setattr(reader_changes, "READER_CHANGES", changes)
        catalog = Catalog(home / "catalog.sqlite")
        update_texts(catalog, Job())
        with catalog.reading() as db:
            rows = db.execute("SELECT path FROM rereads JOIN documents ON id = document_id")
            assert [Path(row["path"]).name for row in rows] == ["notes.md"]
            assert text_version.readers(db) == len(changes)
        catalog.close()
        assert library.status().is_rebuilding
        assert library.sync().read == 1
        assert not library.status().is_rebuilding
        assert library.sync().read == 0
