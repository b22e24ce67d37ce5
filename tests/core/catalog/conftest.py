"""A catalog in the test's home, and the words that can be found in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.catalog import document_queries, documents, schema, word_index
from core.catalog.catalog import Catalog
from core.catalog.documents import NewPassage
from core.catalog.files import folders
from core.files.filesystems import FileStamp

if TYPE_CHECKING:
    from sqlite_utils import Database


@pytest.fixture
def catalog(home: Path) -> Iterator[Catalog]:
    opened = Catalog(home / "catalog.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def next_version(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> int:
    """Let `catalog` be of the version before the current one, by one more step; its number."""

    def add_colours(db: Database) -> None:
        db.execute("CREATE TABLE colours (folder_id INTEGER NOT NULL, colour TEXT NOT NULL)")
        db.execute("INSERT INTO colours SELECT id, 'green' FROM folders")

    version = schema.VERSION + 1
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, add_colours))
    monkeypatch.setattr(schema, "VERSION", version)
    return version


@pytest.fixture
def add(catalog: Catalog) -> Callable[..., int]:
    """Store a document with passages of these texts, read; return its number."""

    def store(path: str, *texts: str, folder: str = "/docs", context: str = "") -> int:
        rows = []
        start = 0
        for text in texts:
            end = start + len(text)
            rows.append(NewPassage(1, start, start + len(text.rstrip()), text, context))
            start = end
        with catalog.transaction() as db:
            number = folders.add(db, Path(folder))
            documents.add_new(db, [(number, path, FileStamp(1, 1))])
            (document,) = (
                one.id for one in document_queries.in_folder(db, number) if one.path_text == path
            )
            documents.set_read(db, document, "hash", path, 1, rows)
        return document

    return store


@pytest.fixture
def find(catalog: Catalog) -> Callable[[str], list[int]]:
    def numbers(expression: str) -> list[int]:
        return [number for number, _ in word_index.find_words(catalog.connection(), expression, -1)]

    return numbers
