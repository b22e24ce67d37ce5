"""Every changed byte is found, and damaged files are rebuilt from the stored text."""

from __future__ import annotations

import contextlib
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import cli
from core.catalog import scope
from core.documents.document import Document, Page
from core.errors import Cancelled, LibraryBusyError, LibraryError, WinnowError
from core.indexing import checking
from core.library.library import Library
from core.progress import Job
from core.responses import Mode
from core.writer_lock import writing
from tests.examples import examples
from tests.library_requests import search

from .conftest import assert_sound

Reopen = Callable[..., Library]


def index_file(library: Library) -> Path:
    (path,) = (library.home / "index").glob("*.safetensors")
    return path


def meant(library: Library) -> list[tuple[str, float]]:
    hits = library.search("a bird that hunts", mode=Mode.MEANING).hits
    return [(hit.path.name, round(hit.score, 4)) for hit in hits]


def test_a_healthy_library_is_reported(synced: Library) -> None:
    report = synced.check()
    assert (report.problems, report.is_repaired, report.files) == ((), False, 1)
    assert report.size_bytes == index_file(synced).stat().st_size


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_changed_or_missing_byte_is_found(synced: Library, data: st.DataObject) -> None:
    path = index_file(synced)
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    flipped = bytearray(whole)
    flipped[place] ^= data.draw(st.integers(1, 255))
    for content in (bytes(flipped), whole[:place]):
        path.write_bytes(content)
        (problem,) = synced.check().problems
        assert path.name in problem
    path.write_bytes(whole)
    assert synced.check().problems == ()


@pytest.mark.parametrize("harm", ["flip", "cut", "delete"])
def test_a_damaged_file_is_rebuilt(harm: str, synced: Library, open_library: Reopen) -> None:
    expected = meant(synced)
    path = index_file(synced)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]) if harm == "flip" else whole[:-1])
    if harm == "delete":
        path.unlink()
    opened = open_library(synced.home)
    report = opened.check(repairs=True)
    assert len(report.problems) == 1
    assert report.is_repaired
    assert meant(opened) == expected
    assert opened.check().problems == ()
    assert_sound(opened)


def test_a_check_that_is_cancelled_ends_in_the_middle_of_the_catalog(
    synced: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "_STEPS", 1)
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        synced.check(job=job)
    assert synced.check().problems == ()


def test_words_that_do_not_agree_with_the_text_are_reindexed(synced: Library) -> None:
    db = synced._catalog.connection()
    db.execute("INSERT INTO passages_fts(rowid, text, context) VALUES (99, 'ghost', '')")
    report = synced.check()
    assert [one for one in report.problems if "word index" in one]
    assert not report.is_repaired
    assert synced.check(repairs=True).is_repaired
    assert synced.search("ghost", mode=Mode.WORDS).hits == ()
    assert_sound(synced)


def test_names_that_do_not_agree_with_the_files_are_reindexed(synced: Library) -> None:
    db = synced._catalog.connection()
    document = synced.documents()[0]
    forget = "INSERT INTO names_fts(names_fts, rowid, name) VALUES ('delete', ?, ?)"
    db.execute(forget, [document.id, document.path.name])
    (problem,) = synced.check().problems
    assert "name index" in problem
    assert synced.check(repairs=True).is_repaired
    assert [one.path for one in scope.find_names(db, [document.path.stem], 9)] == [document.path]
    assert_sound(synced)


def test_an_index_of_words_that_sqlite_cannot_open_is_rebuilt(
    synced: Library, open_library: Reopen
) -> None:
    db = synced._catalog.connection()
    db.execute("PRAGMA writable_schema = ON")
    spoilt = "replace(sql, 'content_rowid', 'content_rkwid')"
    db.execute(f"UPDATE sqlite_master SET sql = {spoilt} WHERE name = 'passages_fts'")
    synced.close()
    library = open_library(synced.home)
    assert any("tables of the catalog" in problem for problem in library.check().problems)
    assert library.check(repairs=True).is_repaired
    assert_sound(library)


def test_words_that_cannot_be_checked_now_are_not_damaged(synced: Library) -> None:
    """Another program writes for longer than one waits for it."""
    synced._catalog.connection().execute("PRAGMA busy_timeout = 0")
    with contextlib.closing(sqlite3.connect(synced.home / "catalog.sqlite")) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LibraryBusyError, match="in use by another Winnow"):
            synced.check()
    assert synced.check().problems == ()


def test_a_passage_that_the_model_sees_nothing_of_is_not_missing(synced: Library) -> None:
    texts = [("seen", "A rook."), ("unseen", "\u200b\u200b")]
    synced.add_collection("given", [(key, Document("", (Page(1, text),))) for key, text in texts])
    synced.sync()
    db = synced._catalog.connection()
    assert db.execute("SELECT count(*) FROM passages WHERE tokens = 0").fetchone()[0] == 1
    assert synced.check().problems == ()


def test_a_file_that_lacks_passages_is_rebuilt(synced: Library) -> None:
    """The catalog of an older backup, for example, with the index of today."""
    db = synced._catalog.connection()
    db.execute("UPDATE passages SET id = id + 50 WHERE id = 2")
    db.execute("INSERT INTO passages_fts(passages_fts) VALUES ('rebuild')")
    (problem,) = synced.check().problems
    assert "are missing from the index file" in problem
    assert synced.check(repairs=True).is_repaired
    assert_sound(synced)


def test_leftovers_of_a_killed_indexing_are_named_and_removed(synced: Library) -> None:
    (synced.home / "index" / "half.safetensors").write_bytes(b"half")
    (problem,) = synced.check().problems
    assert problem.endswith(f"remain in {synced.home / 'index'}: 1.")
    assert synced.check(repairs=True).is_repaired
    assert not (synced.home / "index" / "half.safetensors").exists()


def test_a_library_that_is_being_indexed_is_not_checked(synced: Library) -> None:
    with writing(synced.home), pytest.raises(LibraryBusyError):
        synced.check()


def test_check_at_the_command_line(
    synced: Library, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_HOME", str(synced.home))
    assert cli.main(["check"]) == 0
    assert "No problems found: 1 index file," in capsys.readouterr().out
    path = index_file(synced)
    path.write_bytes(path.read_bytes()[:-1])
    assert cli.main(["check"]) == 1
    output = capsys.readouterr()
    assert path.name in output.out
    assert "Run winnow check --repair to repair it" in output.err
    assert cli.main(["check", "--repair"]) == 0
    assert "parts were rebuilt" in capsys.readouterr().out
    assert cli.main(["check"]) == 0


def test_a_damaged_letter_of_the_schema_is_reported_in_a_sentence(
    synced: Library, tmp_path: Path
) -> None:
    """The fault may be in a name, a type or a function: SQLite has many errors for that."""
    synced.close()
    path = synced.home / "catalog.sqlite"
    good = path.read_bytes()
    letters = [
        match.start() + offset
        for match in re.finditer(rb"CREATE [\x20-\x7e\n]+", good)
        for offset, letter in enumerate(match[0])
        if chr(letter).isalpha()
    ]
    for index in letters[:: max(len(letters) // 150, 1)]:
        damaged = bytearray(good)
        damaged[index] = ord("q")
        home = tmp_path / "damaged"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        (home / "catalog.sqlite").write_bytes(damaged)
        with contextlib.suppress(WinnowError), Library.open(home) as library:
            search(library, "owl", mode="words")
            library.status()


def test_after_a_catalog_was_replaced_a_search_says_how_to_fill_it(
    synced: Library, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_HOME", str(synced.home))
    synced.close()
    (synced.home / "catalog.sqlite").write_bytes(b"no catalog" * 1000)
    assert cli.main(["check", "--repair"]) == 0
    capsys.readouterr()
    cli.main(["search", "owl"])
    errors = capsys.readouterr().err
    assert "Run winnow index to read the files in your folders" in errors
    assert "Add a folder" not in errors
    assert cli.main(["index"]) == 0


def test_a_library_on_a_read_only_disk_can_be_checked(
    synced: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = synced.home
    with synced._catalog.transaction() as db:
        db.execute("UPDATE passages_fts_data SET block = zeroblob(20) WHERE id > 1000")
    problems = synced.check().problems
    synced.close()
    monkeypatch.setattr("core.catalog.catalog.may_write", lambda _path: False)
    files = {path: path.stat().st_mtime_ns for path in home.rglob("*")}
    with Library.open(home) as library:
        assert not library._catalog.is_writable
        report = library.check()
        assert problems
        assert report.problems == problems
        assert not report.is_repaired
        with pytest.raises(LibraryError, match="read-only"):
            library.check(repairs=True)
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*")} == files
