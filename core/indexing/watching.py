"""Being told where something changes in folders: a hint, where a scan now and then is the truth."""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core import filesystems
from core.left_out import rule_of
from core.locations import Location

_log = logging.getLogger(__name__)

# A file that is being saved is written several times.
_QUIET_MS: Final = 200
UNHURRIED_MS: Final = 1000
"""For who watches all day while nobody looks on: each look wakes the processor up."""
_LONGEST_MS: Final = 3000
# So many single places take longer to look at than everything.
_MANY: Final = 2000


@dataclass(frozen=True, slots=True)
class Watched:
    """A folder to be watched; `takes_back` where its rules take in what is left out by name."""

    path: Path
    takes_back: bool = False


class _UntoldError(Exception):
    """Something changed at a path that is no text, which ends what watches."""


class Watcher:
    """Tells where something has changed.

    The system tells of a local disk's changes at once. Shares and drives that can be taken out
    are looked at now and then instead, and so is what the system refuses to watch; a folder that
    is away is watched as soon as it is back. Everything is looked at after longer whiles, for
    notices get lost where there are many, and what was refused is then tried again.

    Args:
        folders: what to watch.
        home: Winnow's own folder, of which nothing is told.
        poll_s: after how long a folder that is not watched is looked at.
        whole_s: after how long everything is.
        tick_s: how often it is looked up whether that is due, and whether a folder has come back.
        look_ms: how often it is looked what the system told; nothing new for so long ends a saving.
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
        # Of what changes in a bucket nobody tells: it is looked at when everything is.
        self._folders = tuple(folder for folder in folders if Location.of(folder.path).is_local)
        self._home = str(home.resolve())
        self._poll_s = poll_s
        self._whole_s = whole_s
        self._tick_s = tick_s
        self._look_ms = look_ms

    def changes(self, stop: threading.Event) -> Iterator[frozenset[Path] | None]:
        """Yield the paths at which something changed, or None where all is to be looked at.

        Blocks in between, and ends within a fraction of a second after `stop` is set. What happens
        while the caller is at work is told afterwards.
        """
        refused: set[Path] = set()
        is_behind = False
        whole_s = polled_s = time.monotonic()
        behind_s = -math.inf
        while not stop.is_set():
            there = self._there()
            polled = {path for path, place in there.items() if place.is_polled} | refused
            try:
                for told in self._told(sorted(there.keys() - polled), stop):
                    now_s = time.monotonic()
                    if is_behind or now_s - whole_s >= self._whole_s:
                        is_behind = False
                        whole_s = polled_s = now_s
                        yield None
                        if refused:
                            # What was in the way may be gone.
                            refused = set()
                            break
                    elif now_s - polled_s >= self._poll_s:
                        polled_s = now_s
                        if places := frozenset(told | polled):
                            yield places
                    elif told:
                        yield frozenset(told) if len(told) <= _MANY else None
                    if (there_now := self._there()) != there:
                        # Before it is watched anew: something has come while it was not.
                        yield frozenset(there.keys() ^ there_now.keys()) or None
                        break
            except _UntoldError:
                # All is watched anew, and looked at as soon as it is: a single name stops nothing.
                # Where it changes again and again, all is looked at now and then.
                if is_behind:
                    yield None
                if time.monotonic() - behind_s < self._poll_s:
                    stop.wait(self._poll_s)
                is_behind, behind_s = True, time.monotonic()
            except OSError as error:
                # No watches left, or a file system that has none.
                _log.warning("folders are looked at now and then, not watched: %s", error)
                refused = set(there)

    def _told(self, paths: list[Path], stop: threading.Event) -> Iterator[set[Path]]:
        """What the system tells of these folders; an empty set after each tick without anything.

        Raises:
            _UntoldError: something changed that cannot be told, and more may have.
            OSError: they cannot be watched.
        """
        if not paths:
            while not stop.wait(self._tick_s):
                yield set()
            return
        # Late: a compiled library, of no use to a search.
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
                raise _UntoldError from error
            raise OSError(str(error)) from error

    def _matters(self, path: str) -> bool:
        """Return whether a change there can matter; what no rule could take in does not."""
        if path == self._home or path.startswith(self._home + os.sep):
            return False
        for folder in self._folders:
            if Path(path).is_relative_to(folder.path):
                *above, name = Path(path).relative_to(folder.path).parts or (".",)
                is_taken = (
                    folder.takes_back
                    or name == ".gitignore"
                    or not (any(rule_of(f"{part}/") for part in above) or rule_of(name))
                )
                # The system follows links to folders, a scan does not.
                return is_taken and not _is_linked(folder.path, above)
        return False

    def _there(self) -> dict[Path, _Place]:
        """The folders that are there now, each with what it would not share with another drive."""
        table = filesystems.mounted()
        found = {}
        for folder in self._folders:
            try:
                status = folder.path.stat()
                mount = filesystems.mount_of(folder.path, table)
            except OSError:
                continue  # away at the moment
            found[folder.path] = _Place(status.st_dev, status.st_ino, mount.is_polled)
        return found


def _is_linked(folder: Path, parts: Sequence[str]) -> bool:
    """Return whether one of the folders that lie in each other below `folder` is a link."""
    path = str(folder)
    for part in parts:
        path = os.path.join(path, part)  # noqa: PTH118 - often
        if os.path.islink(path):  # noqa: PTH114 - often
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Place:
    device: int
    number: int
    is_polled: bool
