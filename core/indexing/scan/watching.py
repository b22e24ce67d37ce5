"""Watching folders for changes: notifications are hints, regular scans find the rest."""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.documents.formats import is_of_maildir
from core.errors import LibraryClosedError
from core.files import filesystems
from core.files.excluded_names import rule_of
from core.files.locations import Location

_log = logging.getLogger(__name__)

# A file that is being saved is written several times.
_QUIET_MS: Final = 200
# Interval for a watcher that runs all day in the background: each check wakes the processor.
UNHURRIED_MS: Final = 1000
_LONGEST_MS: Final = 3000
# Scanning everything is faster than scanning more single paths than this.
_MANY: Final = 2000


@dataclass(frozen=True, slots=True)
class Watched:
    """A watched folder; `takes_back` if its rules include files excluded by name elsewhere."""

    path: Path
    takes_back: bool = False


class _UndecodablePathError(Exception):
    """A changed path cannot be decoded, which stops the watcher."""


class Watcher:
    """Yields paths of changes.

    The system notifies changes on local disks at once. Network shares, removable drives, and
    folders that the system refuses to watch are polled; an unavailable folder is watched as soon as
    it is back. Everything is scanned at longer intervals, since notifications get lost if there are
    many; refused folders are then tried again.

    Args:
        folders: the watched folders.
        home: Winnow's own folder, which is ignored.
        poll_s: polling interval of folders that are not watched.
        whole_s: interval of complete scans.
        tick_s: interval of checks whether a scan is due, and whether a folder is back.
        look_ms: interval of collecting notifications; this long without any ends a change.
    """

    def __init__(
        self,
        folders: Sequence[Watched],
        home: Path,
        *,
        poll_s: float = 60,
        whole_s: float = 1800,
        tick_s: float = 5,
        look_ms: int = _QUIET_MS,
    ) -> None:
        # Buckets send no notifications: they are part of complete scans.
        self._folders = tuple(folder for folder in folders if Location.of(folder.path).is_local)
        self._home = str(home.resolve())
        self._poll_s = poll_s
        self._whole_s = whole_s
        self._tick_s = tick_s
        self._look_ms = look_ms

    def changes(self, stop: threading.Event) -> Iterator[frozenset[Path] | None]:
        """Yield the paths at which something changed, or None if everything must be scanned.

        Blocks in between, and ends within a fraction of a second after `stop` is set. Changes
        during the caller's work are reported afterwards.
        """
        refused: set[Path] = set()
        is_behind = False
        whole_s = polled_s = time.monotonic()
        behind_s = -math.inf
        while not stop.is_set():
            there = self._there()
            polled = {path for path, watched in there.items() if watched.is_polled} | refused
            try:
                for notified in self._notifications(sorted(there.keys() - polled), stop):
                    now_s = time.monotonic()
                    if is_behind or now_s - whole_s >= self._whole_s:
                        is_behind = False
                        whole_s = polled_s = now_s
                        yield None
                        if refused:
                            # The cause may be gone.
                            refused = set()
                            break
                    elif now_s - polled_s >= self._poll_s:
                        polled_s = now_s
                        if changed := frozenset(notified | polled):
                            yield changed
                    elif notified:
                        yield frozenset(notified) if len(notified) <= _MANY else None
                    if (there_now := self._there()) != there:
                        # Before watching again: report the change of the folders.
                        yield frozenset(there.keys() ^ there_now.keys()) or None
                        break
            except _UndecodablePathError:
                # Watch again, and scan everything afterwards: a single undecodable name stops
                # nothing. If it recurs, everything is scanned at the polling interval.
                if is_behind:
                    yield None
                if time.monotonic() - behind_s < self._poll_s:
                    stop.wait(self._poll_s)
                is_behind, behind_s = True, time.monotonic()
            except OSError as error:
                # No watches left, or a file system without them.
                _log.warning("Scanning folders periodically instead of watching them: %s", error)
                refused = set(there)

    def _notifications(self, paths: list[Path], stop: threading.Event) -> Iterator[set[Path]]:
        """Yield the changed paths in these folders; an empty set after each tick without any.

        Raises:
            _UndecodablePathError: a changed path cannot be decoded, and others may be lost.
            OSError: they cannot be watched.
        """
        if not paths:
            while not stop.wait(self._tick_s):
                yield set()
            return
        # Imported here: a compiled library that a search does not need.
        import watchfiles

        try:
            for changes in watchfiles.watch(
                *paths,
                watch_filter=lambda _change, path: self._matters(path),
                debounce=_LONGEST_MS,
                step=self._look_ms,
                stop_event=stop,
                rust_timeout=round(self._tick_s * 1000),
                yield_on_timeout=True,
                raise_interrupt=True,
                ignore_permission_denied=True,
            ):
                yield {Path(path) for _, path in changes}
        except RuntimeError as error:
            if type(error).__name__ != "WatchfilesRustInternalError":
                raise
            if "decode path" in str(error):
                raise _UndecodablePathError from error
            raise OSError(str(error)) from error

    def _matters(self, path: str) -> bool:
        """Return whether a path could be included by the rules, so that its changes matter."""
        if path == self._home or path.startswith(self._home + os.sep):
            return False
        for folder in self._folders:
            if Path(path).is_relative_to(folder.path):
                *above, name = Path(path).relative_to(folder.path).parts or (".",)
                is_included = (
                    folder.takes_back
                    or name == ".gitignore"
                    or not (any(map(_excludes, _without_mail_folder(above, name))) or rule_of(name))
                )
                # The system follows links to folders, a scan does not.
                return is_included and not _is_linked(folder.path, above)
        return False

    def _there(self) -> dict[Path, _Watched]:
        """Return the folders that exist, each with the identity of its drive."""
        table = filesystems.mounted()
        folders = {}
        for folder in self._folders:
            try:
                status = folder.path.stat()
                mount = filesystems.mount_of(folder.path, table)
            except OSError:
                continue  # unavailable at the moment
            folders[folder.path] = _Watched(status.st_dev, status.st_ino, mount.is_polled)
        return folders


def _without_mail_folder(above: list[str], name: str) -> list[str]:
    """Return the folders of a file, for a mail without the Maildir, whose name may have a dot.

    >>> _without_mail_folder(["Mail", ".Sent", "cur"], "1715000000.M5P7.host:2,S")
    ['Mail', 'cur']
    """
    return [*above[:-2], above[-1]] if above and is_of_maildir(above[-1], name) else above


def _excludes(part: str) -> bool:
    return rule_of(f"{part}/") is not None


def _is_linked(folder: Path, parts: Sequence[str]) -> bool:
    """Return whether one of the nested folders below `folder` is a link."""
    path = str(folder)
    for part in parts:
        path = os.path.join(path, part)  # noqa: PTH118 - often
        if os.path.islink(path):  # noqa: PTH114 - often
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Watched:
    device: int
    folder_id: int
    is_polled: bool


@dataclass(frozen=True, slots=True)
class DueSync:
    """A sync to start.

    Attributes:
        changed: the paths to sync; None for all folders.
    """

    changed: frozenset[Path] | None


class SyncSchedule:
    """Schedules the syncs of a library, one at a time.

    No sync starts while the library is blocked, because something else is about to change it, or
    paused, because the person stopped the last sync. A sync that is interrupted by a block is due
    again after it.

    It has no threads and no lock: the window uses it on its main thread, the background service
    under its own lock.
    """

    def __init__(self) -> None:
        self._paths: set[Path] = set()
        self._is_whole_due = False
        # The running sync, and what failed ones have not handled.
        self._running = DueSync(frozenset())
        self._left: set[Path] = set()
        self._is_whole_left = False
        self._blocks = 0
        self.is_paused = False
        # Whether a sync was started and has not ended.
        self.is_running = False
        self._is_interrupted = False

    @property
    def paths(self) -> frozenset[Path]:
        """The changed paths that no sync has handled yet."""
        return frozenset(self._paths)

    @property
    def is_blocked(self) -> bool:
        return self._blocks > 0

    @property
    def is_due(self) -> bool:
        """Whether `start` would return a sync."""
        is_free = not (self._blocks or self.is_paused or self.is_running)
        return is_free and (self._is_whole_due or bool(self._paths))

    def note(self, changed: frozenset[Path] | None) -> None:
        """Note that paths have changed; None if any of the library's folders may have."""
        if changed is None:
            self._is_whole_due = True
        else:
            self._paths |= changed

    def start(self) -> DueSync | None:
        """Return the sync to start now, and mark it as running; None if none is due."""
        if not self.is_due:
            return None
        is_whole = self._is_whole_due or self._is_whole_left
        due = DueSync(None if is_whole else self.paths | self._left)
        self.is_running, self._running = True, due
        self._is_whole_due = self._is_whole_left = self._is_interrupted = False
        self._paths.clear()
        self._left.clear()
        return due

    def end(self, *, has_failed: bool = False) -> bool:
        """End the running sync; returns whether a block interrupted it, so that it is due again.

        What a failed sync should have handled is part of the next one, which is not due for it:
        the failure would repeat at once.
        """
        if has_failed:
            self._is_whole_left |= self._running.changed is None
            self._left |= self._running.changed or frozenset()
        is_interrupted, self._is_interrupted = self._is_interrupted, False
        self.is_running = False
        return is_interrupted

    def block(self) -> None:
        """Prevent syncs until `unblock` is called as often; the caller cancels a running one.

        Blocks can be nested.
        """
        self._blocks += 1
        self._is_interrupted = self.is_running

    def unblock(self) -> None:
        """End a block; all folders are due then, unless the library is paused."""
        self._blocks -= 1
        self._is_whole_due = not self.is_paused

    def pause(self) -> None:
        """Prevent syncs until `resume` is called; the caller cancels a running one."""
        self.is_paused = True
        self._is_whole_due = self._is_interrupted = False

    def resume(self) -> None:
        self.is_paused = False


def watch(
    open_watcher: Callable[[], Watcher],
    stop: threading.Event,
    note: Callable[[frozenset[Path] | None], object],
) -> None:
    """Note changes until stopped; to be run on a separate thread.

    If watching fails, changes are found by the next sync of all folders.

    Args:
        open_watcher: opens the watcher, on this thread.
        stop: set to end watching.
        note: receives changed paths, as `SyncSchedule.note` does.
    """
    try:
        for changed in open_watcher().changes(stop):
            if stop.is_set():
                return
            note(changed)
    except Exception as error:  # noqa: BLE001 - the boundary of background work
        if isinstance(error, LibraryClosedError) and stop.is_set():
            return
        _log.error("Watching folders failed", exc_info=error)
