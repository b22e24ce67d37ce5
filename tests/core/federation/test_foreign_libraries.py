"""Tests of hostile libraries: they cause error messages, and open no other files."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.catalog.integrity import checksums
from core.catalog.text import sql_functions
from core.errors import WinnowError
from core.federation.folder_source import FolderSource
from core.index import segment, segment_store
from core.library.library import Library
from core.progress import Job
from core.requests import GetDocument, ReadPages, ReadPassage
from tests.conftest import copy_home
from tests.library_requests import facets, search

QUERY = "a bird that waits for fish in shallow water"


@pytest.fixture
def stick(birds: Library, tmp_path: Path) -> Path:
    """A copy of an indexed library, as on a USB stick."""
    return copy_home(birds, tmp_path / "stick")


@pytest.fixture
def change(stick: Path) -> Callable[[str], None]:
    """A function that runs an SQL statement on the library on the stick."""

    def execute(statement: str) -> None:
        path = stick / "catalog.sqlite"
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            sql_functions.add_functions(db)
            checksums.add_functions(db)
            db.execute(statement)

    return execute


@pytest.fixture
def source(stick: Path, library: Library) -> Iterator[FolderSource]:
    source = FolderSource("Stick", stick, library)
    yield source
    source.close()


def test_an_unmodified_library_is_searched_by_meaning(source: FolderSource) -> None:
    found = search(source, QUERY, mode="meaning")
    assert found.hits
    assert not found.notice


def test_a_model_path_in_a_catalog_is_not_opened(
    source: FolderSource, change: Callable[[str], None], tmp_path: Path
) -> None:
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "config.json")  # opening it would block forever
    change(f"UPDATE generations SET source = '{tmp_path}', is_chosen = 1, fingerprint = '0123'")
    found = search(source, QUERY)
    assert found.hits
    assert "is not available" in found.notice


def test_settings_of_a_foreign_library_are_ignored(
    source: FolderSource, stick: Path, tmp_path: Path
) -> None:
    (stick / "settings.json").write_text(f'{{"model": "{(tmp_path / "evil").as_posix()}"}}')
    assert search(source, QUERY, mode="meaning").hits


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes in folders")
def test_index_files_and_codebooks_outside_their_folders_are_refused(
    source: FolderSource, stick: Path, change: Callable[[str], None], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (stick / "codebooks").mkdir(exist_ok=True)
    change("UPDATE segments SET file = '../../pipe'")
    assert "damaged and were skipped" in search(source, QUERY, mode="meaning").notice
    assert "Only the owner of the library can rebuild them" in (
        search(source, QUERY, mode="meaning").notice
    )
    (segment,) = [*(stick / "index").iterdir()][:1]
    segment.unlink()
    os.mkfifo(segment)
    change(f"UPDATE segments SET file = '{segment.name}', id = id + 1000")
    assert "damaged and were skipped" in search(source, QUERY, mode="meaning").notice
    for codebook in ("../../pipe", "pipe"):
        with contextlib.suppress(FileExistsError):
            os.mkfifo(stick / "codebooks" / "pipe")
        change(f"UPDATE generations SET codebook = '{codebook}'")
        notice = search(source, QUERY).notice
        assert "missing or damaged" in notice
        assert str(stick / "codebooks") not in notice  # but what a person calls the library


@pytest.mark.parametrize("limit", ["MOST_FOREIGN_FILES", "MOST_FOREIGN_BYTES"])
def test_an_index_of_too_many_files_or_bytes_is_not_opened(
    source: FolderSource, stick: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    files = [*(stick / "index").iterdir()]
    bytes_ = sum(path.stat().st_size for path in files)
    least = len(files) if limit == "MOST_FOREIGN_FILES" else bytes_
    monkeypatch.setattr(segment_store, limit, least - 1)
    with monkeypatch.context() as patch:
        patch.setattr(segment, "MappedFile", lambda path: pytest.fail(f"{path} was opened"))
        found = search(source, QUERY, mode="hybrid")
    assert found.hits  # by words
    assert "The index was skipped, because it has" in found.notice
    monkeypatch.setattr(segment_store, limit, least)
    source.close()
    again = FolderSource("Stick", stick)
    assert not search(again, QUERY, mode="hybrid").notice
    again.close()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_the_files_of_an_index_hold_no_descriptors(
    source: FolderSource, stick: Path, change: Callable[[str], None]
) -> None:
    (name,) = [path.name for path in (stick / "index").iterdir()][:1]
    others = [f"copy-{number}.safetensors" for number in range(200)]
    for other in others:
        shutil.copy(stick / "index" / name, stick / "index" / other)
        change(
            "INSERT INTO segments(file, model, codec, passages, tokens, size_bytes, checksum)"
            f" SELECT '{other}', model, codec, passages, tokens, size_bytes, checksum"
            f" FROM segments WHERE file = '{name}'"
        )
    assert search(source, QUERY, mode="words").hits
    before = len([*Path("/proc/self/fd").iterdir()])
    assert not search(source, QUERY, mode="meaning").notice
    maps = Path("/proc/self/maps").read_text()
    assert all(other in maps for other in others)
    assert len([*Path("/proc/self/fd").iterdir()]) < before + 20


def test_names_are_escaped_and_shortened(
    source: FolderSource, change: Callable[[str], None]
) -> None:
    change("UPDATE documents SET title = char(27) || '[2J' || title, author = hex(zeroblob(9000))")
    hit = search(source, QUERY, mode="words").hits[0]
    document = source.answer(GetDocument(hit.document_id))
    authors = facets(source, QUERY, mode="words").authors
    for text in (hit.title, hit.author, document.title, document.author, *authors):
        assert "\x1b" not in text
        assert len(text) <= 200


@settings(
    max_examples=40,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(data=st.data())
def test_any_bytes_in_a_catalog_give_results_or_an_error(stick: Path, data: st.DataObject) -> None:
    path = stick / "catalog.sqlite"
    good = path.read_bytes()
    changed = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(good) - 1))
        changed[place : place + 4] = data.draw(st.binary(min_size=4, max_size=4))
    path.write_bytes(bytes(changed[: len(good)]))
    source = FolderSource("Stick", stick)
    try:
        source.refresh(Job())
        for hit in search(source, QUERY, mode="words").hits:
            source.answer(ReadPages(hit.document_id))
            source.answer(ReadPassage(hit.passages[0].passage.id, 1, 1))
        facets(source, QUERY, mode="words")
    except WinnowError:
        pass
    finally:
        source.close()
        path.write_bytes(good)


@settings(
    max_examples=40,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(
    column=st.sampled_from(
        [
            *("documents.path", "documents.title", "documents.state", "documents.mtime_ns"),
            *("documents.said_ns", "documents.size_bytes", "passages.start", "passages.end"),
            *("passages.text", "passages.page", "passages.segment_id", "folders.path"),
            *("generations.bits", "generations.epoch", "generations.name", "generations.reduction"),
            *("segments.file", "segments.size_bytes", "segments.passages", "segments.codec"),
        ]
    ),
    value=st.sampled_from(
        [-1, 1 << 62, 1e308, "", "x", b"\xff\x00", "../../../etc/passwd", "[[{}", "y" * 70_000]
    ),
)
def test_any_values_in_a_row_give_results_or_an_error(
    stick: Path, library: Library, column: str, value: object
) -> None:
    path = stick / "catalog.sqlite"
    good = path.read_bytes()
    table, name = column.split(".")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        sql_functions.add_functions(db)
        checksums.add_functions(db)
        with contextlib.suppress(sqlite3.Error):
            db.execute(f"UPDATE {table} SET {name} = ?", [value])
    source = FolderSource("Stick", stick, library)
    try:
        source.refresh(Job())
        for hit in search(source, QUERY).hits:
            source.answer(ReadPages(hit.document_id))
            source.answer(GetDocument(hit.document_id))
        facets(source, QUERY)
    except WinnowError:
        pass
    finally:
        source.close()
        path.write_bytes(good)
