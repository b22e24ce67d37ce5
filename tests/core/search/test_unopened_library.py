"""A library that is not open, searched by words: as it would answer, and nothing is loaded."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.catalog.catalog import Catalog
from core.catalog.schema import VERSION
from core.errors import Cancelled, UsageError
from core.library.library import Library
from core.progress import Job
from core.requests import WHILE_TYPING, Search
from core.responses import Mode, SearchResults
from core.search.pipeline import from_catalog
from core.search.words.vocabulary import Vocabulary
from tests.core.search.test_search import fill

TEXTS = {
    "heron": "The grey heron waits in the reeds. Herons fish at dawn.",
    "copy": "The grey heron waits in the reeds. Herons fish at dawn.",
    "pond": "A pond with reeds, frogs and one heron.",
    "bill": "Invoice for a pond in Zürich, paid at dawn.",
    "german": "Der Graureiher fischt im Teich; die Reiher brüten im Wald.",
}


@pytest.fixture
def library(open_library: Callable[..., Library]) -> Library:
    created = open_library()
    fill(created, **TEXTS)
    return created


def found(home: Path, query: str, limit: int = 20) -> SearchResults | None:
    return from_catalog(home, Search(query, limit=limit, rewrites=WHILE_TYPING), Vocabulary())


@pytest.mark.parametrize(
    "query",
    [
        "heron",
        "herons in reeds",
        '"grey heron" dawn',
        "pond -frogs",
        "(heron OR invoice) dawn",
        "her",
        "hern reeds",  # misspelt
        "hernos",
        "Reiher Teich",
        "ext:pdf heron",
        "before:2099",  # a filter alone
        "bill",  # a name
        "zebra",
    ],
)
@pytest.mark.parametrize("limit", [1, 20])
def test_it_answers_as_the_library_does(
    library: Library, home: Path, query: str, limit: int
) -> None:
    expected = library.search(query, mode=Mode.WORDS, limit=limit, rewrites=WHILE_TYPING)
    answered = found(home, query, limit)
    assert answered is not None
    assert replace(answered, took_ms=0) == replace(expected, took_ms=0)


def test_an_invalid_request_is_reported(library: Library, home: Path) -> None:
    with pytest.raises(UsageError):
        found(home, "")
    with pytest.raises(UsageError):
        found(home, "heron", limit=0)


def test_it_can_be_cancelled(library: Library, home: Path) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        from_catalog(home, Search("heron"), Vocabulary(), job)


def test_a_missing_library_is_left_to_the_opener(home: Path) -> None:
    assert found(home, "heron") is None
    assert not (home / "catalog.sqlite").exists()


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
def test_another_version_is_left_to_who_opens_the_library(home: Path, version: int) -> None:
    Catalog(home / "catalog.sqlite").close()
    with closing(sqlite3.connect(home / "catalog.sqlite")) as db:
        db.execute(f"PRAGMA user_version = {version}")
    assert found(home, "heron") is None


def test_a_damaged_catalog_is_left_to_who_opens_the_library(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "catalog.sqlite").write_bytes(b"no catalog" * 1000)
    assert found(home, "heron") is None


def test_a_large_library_is_opened_first(
    library: Library, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.search.pipeline._MOST_UNOPENED", 2)
    assert found(home, "heron") is None


ANSWERED = """
from pathlib import Path
from core.requests import (Search)
from core.search.pipeline import from_catalog
from core.search.words.vocabulary import Vocabulary
assert from_catalog(Path(sys.argv[1]), Search("heron reeds"), Vocabulary()).hits
"""


def test_nothing_of_the_engine_is_loaded_for_it(library: Library, home: Path) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", f"import sys\n{ANSWERED}\nprint(*sys.modules)", str(home)],
        cwd=Path(__file__).resolve().parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    engine = ("core.alignment", "core.encoders", "core.index", "core.library.library", "numpy")
    assert not [name for name in printed.stdout.split() if name.startswith(engine)]
