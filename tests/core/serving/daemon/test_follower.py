"""A library in step with its folders, whatever comes in between."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import DiskFullError, LibraryBusyError
from core.library.library import Library
from core.progress import Job
from core.serving.daemon.follower import Follower
from tests.conftest import write_files
from tests.waiting import patience, wait_until


@pytest.fixture
def follower(library: Library, folder: Path) -> Iterator[Follower]:
    write_files(folder, {"owl.txt": "Owls hunt mice."})
    library.add_folder(folder)
    created = Follower(library, retry_s=0.05)
    yield created
    created.close()


def test_it_brings_in_step_and_follows(
    follower: Follower, library: Library, folder: Path, synced: Callable[[int], None]
) -> None:
    follower.start()
    synced(1)
    assert follower.is_in_step
    write_files(folder, {"crow.txt": "Crows hide food."})
    synced(2)
    assert library.status().documents == 2


@pytest.fixture
def synced(library: Library, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Waits for so many syncs to have ended."""
    changed = threading.Condition()
    count = [0]
    sync = library.sync

    def counted(*arguments: Any, **options: Any) -> Any:
        try:
            return sync(*arguments, **options)
        finally:
            with changed:
                count[0] += 1
                changed.notify_all()

    monkeypatch.setattr(library, "sync", counted)

    def wait(wanted: int) -> None:
        with changed:
            assert changed.wait_for(lambda: count[0] >= wanted, patience())

    return wait


def test_while_it_is_held_nothing_changes(
    follower: Follower, library: Library, folder: Path, synced: Callable[[int], None]
) -> None:
    with follower.held(), follower.held():
        follower.start()
        assert not follower.is_working
    synced(1)
    with follower.held():
        write_files(folder, {"crow.txt": "Crows hide food."})
        assert library.status().documents == 1
    synced(2)
    assert library.status().documents == 2


def test_holding_it_stops_what_it_is_at(
    follower: Follower, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work = threading.Event()

    def long(job: Job, *_: object, **__: object) -> None:
        at_work.set()
        while True:
            job.checkpoint()

    monkeypatch.setattr(library, "sync", long)
    follower.start()
    assert at_work.wait(patience())
    with follower.held():
        assert not follower.is_working
        assert not follower.is_in_step


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (LibraryBusyError("Another Winnow is indexing."), ""),
        (DiskFullError("There is no room."), "There is no room."),
        (RuntimeError("what nobody thought of"), "what nobody thought of"),
    ],
)
def test_failures_are_reported_and_retried(
    follower: Follower,
    library: Library,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    problem: str,
) -> None:
    sync, is_fixed, failures = library.sync, threading.Event(), []

    def fail(*arguments: Any, **options: Any) -> Any:
        if is_fixed.is_set():
            return sync(*arguments, **options)
        failures.append(follower.problem)
        raise error

    monkeypatch.setattr(library, "sync", fail)
    follower.start()
    wait_until(lambda: len(failures) > 1)
    assert not follower.is_in_step
    assert failures[1] == problem
    is_fixed.set()
    wait_until(lambda: follower.is_in_step)
    assert follower.problem == ""
