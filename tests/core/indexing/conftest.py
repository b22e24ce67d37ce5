"""Watching what a sync does to files, and what it leaves in the catalog."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from core.documents.document import Document
from core.documents.reader import Reader
from core.library import Library
from core.search.results import Mode

_clock = count(1_700_000_000_000_000_000, 1_000_000_000)


def put(path: Path, text: str) -> None:
    """Write a file whose time differs from that of every other one, however fast the test is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    touch(path)


def touch(path: Path) -> None:
    now = next(_clock)
    os.utime(path, ns=(now, now))


def contents(library: Library) -> dict[str, str]:
    """The text of every document that is read, by path."""
    rows = library._catalog.connection().execute(
        "SELECT id, path FROM documents WHERE state = 'read'"
    )
    return {
        row["path"]: "\n".join(page.text for page in library.page_texts(row["id"])) for row in rows
    }


def on_disk(folder: Path) -> dict[str, str]:
    return {str(path): path.read_text(encoding="utf-8") for path in folder.rglob("*.txt")}


def passage_ids(library: Library, path: Path) -> list[int]:
    rows = library._catalog.connection().execute(
        "SELECT passages.id FROM passages JOIN documents ON documents.id = document_id"
        " WHERE path = ? ORDER BY passages.id",
        [str(path)],
    )
    return [row["id"] for row in rows]


def found(library: Library, query: str) -> list[str]:
    return [hit.path.name for hit in library.search(query, mode=Mode.WORDS).hits]


def assert_sound(library: Library) -> None:
    """Nothing waits, every passage has its vectors, and the word index agrees with the text."""
    db = library._catalog.connection()
    assert db.execute("SELECT count(*) FROM documents WHERE state = 'found'").fetchone()[0] == 0
    assert library.status().waiting == 0
    db.execute("INSERT INTO passages_fts(passages_fts, rank) VALUES ('integrity-check', 1)")
    numbers = {row["id"] for row in db.execute("SELECT id FROM passages WHERE tokens > 0")}
    assert set(library._editions.answering().index.vectors(sorted(numbers))) == numbers


@pytest.fixture
def was_read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Gives the names of the files that readers have been asked for since the last call."""
    names: list[str] = []
    read = Reader.read

    def read_noted(self: Reader, path: Path, **options: Any) -> Document:
        names.append(path.name)
        return read(self, path, **options)

    def since() -> list[str]:
        noted = sorted(names)
        names.clear()
        return noted

    monkeypatch.setattr(Reader, "read", read_noted)
    return since


@pytest.fixture
def synced(library: Library, folder: Path, was_read: Callable[[], list[str]]) -> Library:
    """A library of three files, in step."""
    put(folder / "crow.txt", "The crow hides food.")
    put(folder / "owl.txt", "The owl hunts mice.")
    put(folder / "sub" / "swift.txt", "The swift sleeps in the air.")
    library.add_folder(folder)
    library.sync()
    assert was_read() == ["crow.txt", "owl.txt", "swift.txt"]
    return library
