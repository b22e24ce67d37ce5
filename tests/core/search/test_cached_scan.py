"""The maximum age of the cached scan, and which callers wait for a new one."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog import passages
from core.errors import Cancelled
from core.library.library import Library
from core.progress import Job
from core.responses import Mode
from core.search import cached_scan as rereading
from core.search.cached_scan import CachedScan
from tests.core.search.test_search import fill


class Clock:
    """A clock that the test advances."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def monotonic(self) -> float:
        return self.now_s

    def counted_slowly(self, db: sqlite3.Connection, _job: Job) -> int:
        self.now_s += 1
        return passages.count(db)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    created = Clock()
    monkeypatch.setattr(rereading, "time", created)
    return created


@pytest.fixture
def library(open_library: Callable[..., Library]) -> Library:
    created = open_library()
    fill(created, owl="Owls hunt mice at night.")
    return created


def test_it_is_read_again_once_the_library_has_grown(library: Library) -> None:
    words = CachedScan(lambda db, _job: passages.count(db))
    db = library._catalog.connection()
    assert words.current(db) == words.current(db) == 1
    fill(library, crow="Crows hunt by day.")
    assert words.current(db) == 2


def test_a_slow_scan_is_not_repeated_at_once(library: Library, clock: Clock) -> None:
    words = CachedScan(clock.counted_slowly)
    db = library._catalog.connection()
    assert words.current(db) == 1
    fill(library, crow="Crows hunt by day.")
    clock.now_s += 19
    assert words.current(db) == 1, "it was read again"
    clock.now_s += 2
    assert words.current(db) == 2


def test_background_reading_does_not_block(
    library: Library, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rereading, "_SMALL_LIBRARY_PASSAGES", 0)
    going_on, may_end = threading.Event(), threading.Event()

    def read(db: sqlite3.Connection, job: Job) -> int:
        going_on.set()
        assert may_end.wait(60)
        return clock.counted_slowly(db, job)

    words = CachedScan(read)
    words.compute_in_background()
    assert words.current(library._catalog.connection()) is None
    reader = threading.Thread(target=lambda: words.learn(library._catalog.connection()))
    reader.start()
    assert going_on.wait(60)
    assert words.current(library._catalog.connection()) is None, "while it is being read"
    may_end.set()
    reader.join(60)
    assert words.current(library._catalog.connection()) == 1
    fill(library, crow="Crows hunt by day.")
    clock.now_s += 21
    assert words.current(library._catalog.connection()) == 1
    words.learn(library._catalog.connection())
    assert words.current(library._catalog.connection()) == 2


def test_a_small_library_is_read_all_the_same(library: Library) -> None:
    words = CachedScan(lambda db, _job: passages.count(db))
    words.compute_in_background()
    assert words.current(library._catalog.connection()) == 1


def test_a_cancelled_scan_leaves_nothing_half_read(library: Library) -> None:
    job = Job()
    job.cancel()
    db = library._catalog.connection()
    for words in (
        library._caches.vocabulary.spelling.words,
        library._caches.vocabulary.forms.words,
    ):
        with pytest.raises(Cancelled):
            words.learn(db, job)
        assert words.current(db) is not None


def test_a_misspelt_query_is_answered_before_the_words_are_read(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rereading, "_SMALL_LIBRARY_PASSAGES", 0)
    learn = library.background_vocabulary()
    assert library.search("owls at nihgt", mode=Mode.WORDS).suggestion is None
    learn(Job())
    suggestion = library.search("owls at nihgt", mode=Mode.WORDS).suggestion
    assert suggestion is not None
    assert suggestion.query == "owls at night"
