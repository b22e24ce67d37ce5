"""Which syncs are due after changes, and when they may start."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from core.errors import LibraryClosedError
from core.indexing.scan.watching import DueSync, SyncSchedule, Watcher, watch

OWL, CROW = Path("/birds/owl.txt"), Path("/birds/crow.txt")


def changed(*paths: Path) -> DueSync:
    return DueSync(frozenset(paths))


EVERYTHING = DueSync(None)


def test_changes_are_collected_until_a_sync_starts() -> None:
    schedule = SyncSchedule()
    assert schedule.start() is None
    schedule.note(frozenset({OWL}))
    schedule.note(frozenset({CROW}))
    assert schedule.start() == changed(OWL, CROW)
    schedule.end()
    assert schedule.start() is None


def test_all_folders_include_each_path() -> None:
    schedule = SyncSchedule()
    schedule.note(frozenset({OWL}))
    schedule.note(None)
    assert schedule.start() == EVERYTHING
    schedule.end()
    assert not schedule.is_due


def test_one_sync_runs_at_a_time() -> None:
    schedule = SyncSchedule()
    schedule.note(None)
    assert schedule.start() == EVERYTHING
    assert schedule.is_running
    schedule.note(frozenset({OWL}))
    assert schedule.start() is None
    assert not schedule.end()
    assert schedule.start() == changed(OWL)


def test_a_failed_sync_is_part_of_the_next_one() -> None:
    schedule = SyncSchedule()
    schedule.note(frozenset({Path("/docs/a")}))
    schedule.start()
    schedule.end(has_failed=True)
    assert not schedule.is_due
    schedule.note(frozenset({Path("/docs/b")}))
    assert schedule.start() == changed(Path("/docs/a"), Path("/docs/b"))
    schedule.end()
    schedule.note(None)
    schedule.start()
    schedule.end(has_failed=True)
    schedule.note(frozenset({Path("/docs/b")}))
    assert schedule.start() == DueSync(None)
    schedule.end()
    assert schedule.start() is None


def test_after_all_blocks_everything_is_due() -> None:
    schedule = SyncSchedule()
    schedule.block()
    schedule.block()
    schedule.note(frozenset({OWL}))
    assert schedule.start() is None
    schedule.unblock()
    assert schedule.is_blocked
    assert schedule.start() is None
    schedule.unblock()
    assert schedule.start() == EVERYTHING


def test_a_block_interrupts_a_running_sync() -> None:
    schedule = SyncSchedule()
    schedule.note(None)
    schedule.start()
    schedule.block()
    assert schedule.end(), "it is due again"
    schedule.unblock()
    assert schedule.start() == EVERYTHING
    assert not schedule.end()


def test_a_pause_holds_back_everything_until_it_is_resumed() -> None:
    schedule = SyncSchedule()
    schedule.note(None)
    schedule.start()
    schedule.block()
    schedule.pause()
    assert not schedule.end(), "the person stopped it"
    schedule.unblock()
    schedule.note(frozenset({OWL}))
    assert schedule.start() is None
    schedule.resume()
    assert schedule.start() == changed(OWL)


class Changes:
    """A watcher that yields given changes, and then fails."""

    def __init__(self, *changes: frozenset[Path] | None, error: Exception | None = None) -> None:
        self._changes = changes
        self._error = error

    def changes(self, _stop: threading.Event) -> Iterator[frozenset[Path] | None]:
        yield from self._changes
        if self._error is not None:
            raise self._error


def test_watched_folders_are_noted() -> None:
    noted: list[frozenset[Path] | None] = []
    stop = threading.Event()
    watcher = cast("Watcher", Changes(frozenset({OWL}), None))
    watch(lambda: watcher, stop, noted.append)
    assert noted == [frozenset({OWL}), None]
    stop.set()
    watch(lambda: watcher, stop, noted.append)
    assert len(noted) == 2


@pytest.mark.parametrize(
    ("error", "is_stopped", "is_logged"),
    [
        (OSError("no more watches"), False, True),
        (LibraryClosedError("closed"), False, True),
        (LibraryClosedError("closed"), True, False),
    ],
)
def test_a_failure_is_logged_unless_the_library_was_closed(
    caplog: pytest.LogCaptureFixture, error: Exception, is_stopped: bool, is_logged: bool
) -> None:
    stop = threading.Event()
    if is_stopped:
        stop.set()
    watcher = cast("Watcher", Changes(error=error))
    with caplog.at_level(logging.ERROR):
        watch(lambda: watcher, stop, lambda _changed: None)
    assert bool(caplog.records) == is_logged
