"""Removing a folder leaves no byte of its text."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from core.catalog import maintenance
from core.errors import Cancelled
from core.indexing.build.generations import Generations
from core.library.library import Library
from core.progress import Job
from core.writer_lock import writing

from .conftest import assert_sound, contents, found, put

SECRET = "xylophonequartz"


def files_with(home: Path, word: str) -> list[str]:
    return [
        path.name
        for path in home.rglob("*")
        if path.is_file() and word.encode() in path.read_bytes().lower()
    ]


def _two_folders(library: Library, folder: Path) -> Path:
    other = folder.parent / "other"
    for number in range(5):
        put(folder / f"{SECRET} {number}.txt", f"The {SECRET} of number {number} is hidden.")
        put(other / f"{number}.txt", f"Crows of number {number}.")
    library.add_folder(folder)
    library.add_folder(other)
    library.sync()
    return other


def test_no_byte_of_a_removed_folder_is_left(library: Library, folder: Path) -> None:
    other = _two_folders(library, folder)
    (library.home / "catalog.v1.backup").write_text(SECRET)
    assert files_with(library.home, SECRET)
    library.remove_folder(folder)
    assert files_with(library.home, SECRET) == []
    assert found(library, SECRET) == []
    db = library._catalog.connection()
    assert db.execute("SELECT count(*) FROM tombstones").fetchone()[0] == 0
    assert len(contents(library)) == 5
    assert found(library, "crows")
    library.sync()
    assert set(contents(library)) == {str(path) for path in other.iterdir()}
    assert_sound(library)


def test_a_backup_that_cannot_be_removed_goes_with_the_next_sync(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _two_folders(library, folder)
    backup = library.home / "catalog.v1.backup"
    backup.write_text(SECRET)
    unlink = Path.unlink

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        if path == backup:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        unlink(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        library.remove_folder(folder)
    assert backup.exists()
    library.sync()
    assert files_with(library.home, SECRET) == []


def test_vectors_go_with_the_next_sync_where_one_was_under_way(
    library: Library, folder: Path
) -> None:
    _two_folders(library, folder)
    with writing(library.home):
        library.remove_folder(folder)
    db = library._catalog.connection()
    assert maintenance.last_purge_due(db)
    assert db.execute("SELECT count(*) FROM tombstones").fetchone()[0] == 5
    library.sync()
    assert not maintenance.last_purge_due(db)
    assert db.execute("SELECT count(*) FROM tombstones").fetchone()[0] == 0
    assert files_with(library.home, SECRET) == []


def test_a_folder_that_is_removed_while_another_is_purged_stays_due(
    library: Library, folder: Path, monkeypatch
) -> None:
    other = _two_folders(library, folder)
    purge = Generations.purge

    def purge_meanwhile(generations: Generations) -> bool:
        is_done = purge(generations)
        library.remove_folder(other)  # by another thread, in the window
        return is_done

    with monkeypatch.context() as patch:
        patch.setattr(Generations, "purge", purge_meanwhile)
        library.remove_folder(folder)
    db = library._catalog.connection()
    assert maintenance.last_purge_due(db)
    library.sync()
    assert not maintenance.last_purge_due(db)
    assert list((library.home / "index").iterdir()) == []


def test_a_purge_that_could_not_be_finished_stays_due(
    library: Library, folder: Path, monkeypatch
) -> None:
    _two_folders(library, folder)
    with monkeypatch.context() as patch:
        patch.setattr(Generations, "purge", lambda _self: False)
        library.remove_folder(folder)
    assert maintenance.last_purge_due(library._catalog.connection())


class _Between(Job):
    """A job during whose pauses another writer changes the catalog without waiting its turn."""

    def __init__(self, home: Path) -> None:
        super().__init__()
        self.rests = 0
        self._other = sqlite3.connect(home / "catalog.sqlite", timeout=0, isolation_level=None)

    def rest(self, seconds: float) -> None:
        self.rests += 1
        self._other.execute("BEGIN IMMEDIATE")
        self._other.execute("ROLLBACK")
        if self.rests == 2:
            self.cancel()
        super().rest(0)

    def close(self) -> None:
        self._other.close()


def test_writers_may_proceed_during_erasure_and_a_cancelled_erasure_resumes_later(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.catalog.catalog._PAGES", 1)
    _two_folders(library, folder)
    job = _Between(library.home)
    with pytest.raises(Cancelled):
        library.remove_folder(folder, job)
    job.close()
    assert job.rests == 2
    assert folder not in [one.path for one in library.folders()]
    assert maintenance.last_purge_due(library._catalog.connection())
    assert files_with(library.home, SECRET)
    library.sync()
    assert not maintenance.last_purge_due(library._catalog.connection())
    assert files_with(library.home, SECRET) == []
    assert found(library, "crows")
    assert_sound(library)
