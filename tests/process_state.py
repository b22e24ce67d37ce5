"""A check that each test leaves the process as it was, so that tests pass in any order."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

import pytest
from _pytest.logging import caplog_records_key

from tests.waiting import becomes_true, patience

# Set by torch when it is imported.
_LIBRARIES_VARIABLES: Final = frozenset({"TORCHINDUCTOR_CACHE_DIR", "KMP_INIT_AT_FORK"})
# Replaces itself when the first model is loaded.
_LIBRARIES_MODULES: Final = frozenset({"transformers"})
# Threads that are started once for the whole process: tqdm's, which transformers uses, and those on
# which Winnow encodes passages.
_PROCESS_THREADS: Final = ("tqdm_monitor", "winnow-encode")
_DESCRIPTORS: Final = Path("/proc/self/fd")


class ProcessState(NamedTuple):
    """What tests of one process share."""

    modules: dict[str, ModuleType]
    path: list[str]
    environment: dict[str, str]
    directory: str
    threads: set[threading.Thread]

    @classmethod
    def current(cls) -> ProcessState:
        return cls(
            sys.modules.copy(),
            sys.path.copy(),
            os.environ.copy(),
            os.getcwd(),  # noqa: PTH109 - as it is compared and restored
            set(threading.enumerate()),
        )

    def changes(self, folders: Sequence[Path]) -> list[str]:
        """Return a description of each change since this state; new modules are allowed.

        Args:
            folders: of the test, in which it must not leave files open.
        """
        now = ProcessState.current()
        found = []
        # Comparing views is done in C: a tenth of a millisecond for some thousands of modules.
        if not self.modules.items() <= now.modules.items():
            names = [
                name
                for name, module in self.modules.items()
                if now.modules.get(name) is not module and name not in _LIBRARIES_MODULES
            ]
            found += [f"modules replaced or removed: {', '.join(names)}"] if names else []
        if self.path != now.path:
            added = [place for place in now.path if place not in self.path]
            removed = [place for place in self.path if place not in now.path]
            found.append(f"sys.path changed: added {added}, removed {removed}, or moved")
        if self.environment != now.environment:
            names = sorted(
                name
                for name in self.environment.keys() | now.environment.keys()
                if self.environment.get(name) != now.environment.get(name)
                and name not in {*_LIBRARIES_VARIABLES, "PYTEST_CURRENT_TEST"}
            )
            found += [f"environment changed: {', '.join(names)}"] if names else []
        if self.directory != now.directory:
            found.append(f"working directory changed to {now.directory}")
        if threads := self._new_threads():
            found.append(f"threads left running: {', '.join(map(repr, threads))}")
        if files := open_files(folders):
            found.append(f"files left open: {', '.join(files)}")
        return found

    def settle(self, item: pytest.Item, folders: Sequence[Path]) -> None:
        """Wait for threads that are about to end, and free files that nothing uses any more."""
        if self._new_threads():
            gc.collect()  # an executor's threads end with it
        for thread in self._new_threads():
            thread.join(patience() / 10)
        if open_files(folders):
            # Logged errors hold the variables of the functions that they went through.
            for records in item.stash.get(caplog_records_key, {}).values():
                records.clear()
            gc.collect()
            # A thread closes its connections after it has left the list of threads.
            becomes_true(lambda: not open_files(folders), patience() / 10)

    def restore(self) -> None:
        """Undo changes, so that only the test that made them fails."""
        own = self.modules.keys() - _LIBRARIES_MODULES
        sys.modules.update((name, self.modules[name]) for name in own)
        sys.path[:] = self.path
        current = os.environ.get("PYTEST_CURRENT_TEST")
        os.environ.clear()
        os.environ.update(self.environment)
        if current is not None:
            os.environ["PYTEST_CURRENT_TEST"] = current
        os.chdir(self.directory)

    def _new_threads(self) -> list[threading.Thread]:
        return [
            thread
            for thread in threading.enumerate()
            if thread not in self.threads
            # Threads that Qt started, as Python sees them.
            and not isinstance(thread, threading._DummyThread)
            and not thread.name.startswith(_PROCESS_THREADS)
        ]


def open_files(folders: Sequence[Path]) -> list[str]:
    """Return the files in folders that this process has open, where the system tells (Linux)."""
    if not _DESCRIPTORS.is_dir():
        return []
    beginnings = tuple(f"{folder}{os.sep}" for folder in folders)
    found = []
    for descriptor in os.listdir(_DESCRIPTORS):  # noqa: PTH208 - a tenth of the time
        try:
            path = os.readlink(f"{_DESCRIPTORS}/{descriptor}")  # noqa: PTH115 - as above
        except OSError:
            continue  # the descriptor of the listing itself
        if path.startswith(beginnings):
            found.append(path)
    return found


@pytest.fixture(autouse=True)
def unchanged_process(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a change of the process to the tests after it.

    This is a plug-in, since its fixtures are set up before those of conftest files and end last.
    """
    before = ProcessState.current()
    yield
    values = getattr(request.node, "funcargs", {})
    folders = [values[name] for name in ("home", "tmp_path") if name in values]
    if not before.changes(folders):
        return
    before.settle(request.node, folders)
    changes = before.changes(folders)
    before.restore()
    if changes:
        pytest.fail("This test leaves to the tests after it:\n" + "\n".join(changes), pytrace=False)
