"""A change reads only the affected entries, however large the library is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.catalog import document_queries, documents
from core.catalog.catalog import Catalog
from core.catalog.document_queries import KnownDocument
from core.catalog.files import folders
from core.files.filesystems import FileStamp
from core.indexing.scan.scanning import Changes
from core.library.library import Library
from tests.core.indexing.conftest import contents, put

_NAMES = ("a", "b", "a b", "é", ".gitignore")
_PLACES = [Path("/", *parts) for depth in (1, 2, 3) for parts in product(_NAMES, repeat=depth)]


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    created = Catalog(tmp_path / "catalog.sqlite")
    with created.transaction() as db:
        folder_id = folders.add(db, Path("/"))
        documents.add_new(db, ((folder_id, str(path), FileStamp(1, 1)) for path in _PLACES))
    yield created
    created.close()


def concerns(changes: Changes, path: Path) -> bool:
    is_in_whole = any(str(one) in changes.whole for one in (path, *path.parents))
    return is_in_whole or changes.are_in(str(path.parent))


@given(st.lists(st.sampled_from([Path("/"), *_PLACES, Path("/a/b/a/b")]), max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_only_entries_affected_by_the_changes_are_read(
    catalog: Catalog, changed: list[Path]
) -> None:
    changes = Changes(changed)
    with catalog.reading() as db:
        found = [
            one.path for one in document_queries.at_paths(db, 1, changes.whole, changes.listed)
        ]
        assert not list(document_queries.at_paths(db, 2, changes.whole, changes.listed))
    assert len(found) == len(set(found))
    assert set(found) == {path for path in _PLACES if concerns(changes, path)}


def test_unaffected_entries_are_not_read(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        put(folder / f"{number}" / "crow.txt", "Crows hide food.")
    library.add_folder(folder)
    library.sync()
    read_paths: list[str] = []
    known = document_queries._known

    def note(row: sqlite3.Row) -> KnownDocument:
        read_paths.append(row["path"])
        return known(row)

    monkeypatch.setattr(document_queries, "_known", note)
    changed = folder / "7" / "crow.txt"
    put(changed, "Crows hide food well.")
    assert library.sync(changed=[changed]).read == 1
    assert set(read_paths) == {str(changed)}
    assert contents(library)[str(changed)] == "Crows hide food well."
