"""A watcher reports changed places, and unwatchable folders are scanned."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import watchfiles

from core.files import filesystems
from core.files.filesystems import Mount
from core.indexing.scan.watching import Watched, Watcher
from core.library.library import Library
from tests.core.indexing.conftest import contents, put


@pytest.fixture
def stop() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def watcher(folder: Path, **times: float) -> Watcher:
    return Watcher([Watched(folder)], folder.parent / "home", **{"tick_s": 0.05, **times})


def changes_after(
    folder: Path, stop: threading.Event, act: Callable[[], None], **times: float
) -> Iterator[Path]:
    """Return the reported changes after an action, repeated since a watch takes time to begin."""
    reported = watcher(folder, poll_s=0.1, **times).changes(stop)
    acting = threading.Event()

    def keep_acting() -> None:
        while not acting.wait(0.1):
            act()

    thread = threading.Thread(target=keep_acting)
    thread.start()
    try:
        yield from next(places for places in reported if places)
    finally:
        acting.set()
        thread.join()


def test_a_new_file_is_reported_by_its_path(folder: Path, stop: threading.Event) -> None:
    assert set(changes_after(folder, stop, lambda: put(folder / "a.txt", "x"))) == {
        folder / "a.txt"
    }


def test_files_ignored_by_name_are_not_reported(folder: Path, stop: threading.Event) -> None:
    for name in (".git", "node_modules", "sub"):
        (folder / name).mkdir()
    (folder.parent / "home").mkdir(exist_ok=True)

    def act() -> None:
        put(folder / ".git" / "index.txt", "x")
        put(folder / "node_modules" / "a.js", "x")
        put(folder / "sub" / "a.tmp", "x")
        put(folder / "sub" / ".gitignore", "x")

    assert set(changes_after(folder, stop, act)) == {folder / "sub" / ".gitignore"}


def test_new_mails_in_hidden_folders_of_a_maildir_are_reported(
    folder: Path, stop: threading.Event
) -> None:
    mail = folder / "Mail" / ".Sent" / "cur" / "1715000000.M5P7.host:2,S"
    other = folder / "Mail" / ".Sent" / "cur" / "index.txt"

    def act() -> None:
        put(mail, "Subject: Owl")
        put(other, "x")

    mail.parent.mkdir(parents=True)
    assert set(changes_after(folder, stop, act)) == {mail}


def test_winnows_own_folder_is_not_reported(folder: Path, stop: threading.Event) -> None:
    home = folder / "home"
    home.mkdir()
    reported = Watcher([Watched(folder)], home)
    assert not reported._matters(str(home / "catalog.txt"))
    assert reported._matters(str(folder / "homes.txt"))


def test_a_share_is_scanned_now_and_then(
    folder: Path, stop: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filesystems, "mounted", lambda: (Mount(folder, "cifs"),))
    monkeypatch.setattr(watchfiles, "watch", lambda *_paths, **_options: 1 / 0)
    assert next(watcher(folder, poll_s=0).changes(stop)) == {folder}


def test_folders_the_system_refuses_to_watch_are_scanned(
    folder: Path, stop: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_paths: Path, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(watchfiles, "watch", refuse)
    assert next(watcher(folder, poll_s=0).changes(stop)) == {folder}


def test_a_refused_folder_is_watched_as_soon_as_possible(
    folder: Path, stop: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that came and went while watching began are no reason to stop for good."""
    watch = watchfiles.watch
    started: list[tuple[Path, ...]] = []

    def refuse_first(*paths: Path, **options: Any) -> Any:
        started.append(paths)
        if len(started) == 1:
            raise FileNotFoundError(2, "No such file or directory")
        return watch(*paths, **options)

    monkeypatch.setattr(watchfiles, "watch", refuse_first)
    changes = watcher(folder, whole_s=0.1).changes(stop)
    assert [next(changes), next(changes)] == [None, None]
    assert started == [(folder,), (folder,)]


def test_a_name_that_is_no_text_does_not_end_the_watch(folder: Path, stop: threading.Event) -> None:
    odd = folder / os.fsdecode(b"caf\xe9.txt")
    try:
        odd.write_text("x")
    except OSError:
        pytest.skip("names are text on this disk")
    changes = watcher(folder, poll_s=1).changes(stop)
    written, acting = [odd], threading.Event()

    def keep_writing() -> None:
        while not acting.wait(0.1):
            written[-1].write_text("x")

    thread = threading.Thread(target=keep_writing)
    thread.start()
    try:
        # Not the folder, as for unwatchable ones.
        assert next(changes) is None
        written.append(folder / "a.txt")
        assert next(places for places in changes if places) == {folder / "a.txt"}
    finally:
        acting.set()
        thread.join()


def test_everything_is_scanned_at_longer_intervals(folder: Path, stop: threading.Event) -> None:
    assert next(watcher(folder, whole_s=0).changes(stop)) is None


def test_a_folder_that_was_away_is_reported_when_it_is_back(
    folder: Path, stop: threading.Event
) -> None:
    folder.rename(folder.with_name("away"))
    reported = watcher(folder).changes(stop)
    threading.Timer(0.2, lambda: folder.with_name("away").rename(folder)).start()
    assert next(reported) == {folder}


@pytest.mark.parametrize("is_there", [True, False])
def test_it_ends_at_once(folder: Path, stop: threading.Event, is_there: bool) -> None:
    if not is_there:
        folder.rmdir()
    reported = Watcher([Watched(folder)], folder.parent / "home", tick_s=60).changes(stop)
    threading.Timer(0.1, stop.set).start()
    assert list(reported) == []


def test_a_library_is_synced_by_its_watcher(
    library: Library, folder: Path, stop: threading.Event
) -> None:
    library.add_folder(folder)
    library.sync()
    reported = iter(changes_after(folder, stop, lambda: put(folder / "sub" / "a.txt", "Crows.")))
    library.sync(changed=list(reported))
    assert contents(library) == {str(folder / "sub" / "a.txt"): "Crows."}
