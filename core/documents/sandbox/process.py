"""The reading process as its parent sees it: started bare, asked within a time limit, and ended."""

from __future__ import annotations

import logging
import multiprocessing
import multiprocessing.util
import os
import queue
import socket
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum, auto
from typing import Any, Final, Self

from core.documents.files import HANDS_OVER
from core.documents.sandbox import protocol, walls
from core.documents.sandbox.child import serve
from core.documents.sandbox.confinement import WorkerTask
from core.errors import WinnowError

_START_TIMEOUT_S = 60.0
_END_TIMEOUT_S = 10.0
# An answer that is about to come is worth more than a new process.
_GRACE_S = 0.3
# While a process starts, `__main__` is for a moment another module.
_starting = threading.Lock()
_log = logging.getLogger(__name__)


class ProcessDiedError(Exception):
    """The process ended, was ended for the time it took, or sent more than it may."""


class ReadingProcess:
    """One process that answers requests one after another.

    Raises:
        WinnowError: The system does not let it start.
    """

    def __init__(self, task: WorkerTask) -> None:
        context = multiprocessing.get_context("spawn")
        child_requests, self._requests = context.Pipe(duplex=False)
        self._answers, child_answers = context.Pipe(duplex=False)
        # By a socket of the kind that leads nowhere but to the process: only such a one hands over
        # open files.
        child_files, files = context.Pipe(duplex=True) if HANDS_OVER else (None, None)
        self._files = files
        self._process = context.Process(
            target=serve,
            args=(child_requests, child_answers, child_files, task),
            name="winnow-reader",
            daemon=True,  # ended when the program ends without having closed it
        )
        self.answered = 0
        try:
            with _without_main(), _bare_environment():
                self._process.start()
            # With the child's ends closed here, its death is the end of the pipes.
            for end in (child_requests, child_answers, child_files):
                if end is not None:
                    end.close()
            if not self._answers.poll(_START_TIMEOUT_S):
                raise TimeoutError
            standing = protocol.walls_from(protocol.unpack(self._answers.recv_bytes(1000)))
            if missing := set(walls.available()) - set(standing):
                _log.warning("Reading is not confined by: %s.", ", ".join(sorted(missing)))
        except (OSError, EOFError, protocol.ProtocolError) as error:
            self.kill()
            raise WinnowError(
                "Winnow cannot start the process that reads documents; close other programs and"
                " try again."
            ) from error
        except BaseException:
            self.kill()
            raise

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def clock(self, timeout_s: float) -> Clock:
        """Return a clock that ends the process when an answer takes longer."""
        return Clock(timeout_s, self._process.kill)

    def hand_over(self, descriptors: Sequence[int]) -> None:
        """Hand over the files that the next request is about, open.

        Raises:
            ProcessDiedError: There is nobody to take them.
        """
        if not descriptors:
            return
        assert self._files is not None
        try:
            own = os.dup(self._files.fileno())
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, own) as files:
                socket.send_fds(files, [b"."], list(descriptors))
        except OSError as error:
            raise ProcessDiedError from error

    def send(self, message: bytes) -> None:
        """Send a request.

        Raises:
            ProcessDiedError: There is nobody to take it.
        """
        try:
            self._requests.send_bytes(message)
        except OSError as error:
            raise ProcessDiedError from error

    def receive(self, most_bytes: int) -> bytes:
        """Wait for a message of at most `most_bytes`.

        Raises:
            ProcessDiedError: None comes any more, or it is larger.
        """
        try:
            return self._answers.recv_bytes(most_bytes)
        except (OSError, EOFError) as error:
            raise ProcessDiedError from error

    def kill(self) -> None:
        """End the process at once and leave nothing of it."""
        self._requests.close()
        self._answers.close()
        if self._files is not None:
            self._files.close()
        if self._process.pid is not None:
            self._process.kill()
            self._process.join(_END_TIMEOUT_S)


class Clock(threading.Thread):
    """Does something once a time limit has passed: `has_passed` tells whether it did.

    A clock of its own rather than a wait for the first byte: a process can also hang after it has
    begun to answer. It is set for many answers, each with the whole time, at the cost of one
    thread; the thread looks up when the time could have passed at the earliest, and is not woken
    for less.
    """

    def __init__(self, timeout_s: float, act: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.has_passed = False
        self._most_s = timeout_s
        self._act = act
        # Unlike an Event it can be told something in a signal handler, whatever that interrupts.
        self._news: queue.SimpleQueue[_News] = queue.SimpleQueue()
        self._due_s: float | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        self._news.put(_News.ENDED)
        self.join()

    def set(self) -> None:
        """Let the time begin."""
        self._due_s = time.monotonic() + self._most_s

    def stop(self) -> None:
        """Let no time pass until it is set again."""
        self._due_s = None

    def hurry(self) -> None:
        """Leave what is waited for a moment only; a signal handler may call this."""
        self._most_s = min(self._most_s, _GRACE_S)
        self._news.put(_News.HURRIED)

    def run(self) -> None:
        wait_s = self._most_s
        while True:
            try:
                if self._news.get(timeout=wait_s) is _News.ENDED:
                    return
                if self._due_s is not None:
                    self.set()  # anew: it is in a hurry now
            except queue.Empty:
                pass
            due_s = self._due_s
            wait_s = self._most_s if due_s is None else due_s - time.monotonic()
            if wait_s <= 0:
                self.has_passed = True
                self._act()
                return


class _News(Enum):
    """What a clock is woken for."""

    ENDED = auto()
    HURRIED = auto()


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the program's `__main__`, so that a process started now does not import it.

    `multiprocessing` has each new process import the main module again, for classes defined in
    it. The reading process needs none, and the import would load all of Qt with `app.__main__`,
    run a script that has no guard, or fail for one that came from standard input.
    """
    with _starting:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


_NEEDED: Final = frozenset(
    {
        # where things are
        *("HOME", "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "WINDIR"),
        # language and time
        *("LANG", "LANGUAGE", "TZ", "TZDIR"),
        # how many threads libraries start, and by which kernels they compute
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "MKL_NUM_THREADS"),
        *("NPY_DISABLE_CPU_FEATURES", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX"),
    }
)
_NEEDED_BEGINNINGS: Final = ("LC_", "PYTHON", "_PYI_", "_MEIPASS")
_swapping = threading.Lock()


def bare(environment: Mapping[str, str]) -> dict[str, str]:
    """Return of an environment what a reading process needs: no keys, no addresses, no names.

    >>> bare({"LANG": "de_DE.UTF-8", "AWS_SECRET_ACCESS_KEY": "x", "LC_ALL": "C"})
    {'LANG': 'de_DE.UTF-8', 'LC_ALL': 'C'}
    """
    return {
        name: value
        for name, value in environment.items()
        if name.upper() in _NEEDED or name.startswith(_NEEDED_BEGINNINGS)
    }


@contextmanager
def _bare_environment() -> Iterator[None]:
    """Have `multiprocessing` start processes, from this thread, with a bare environment.

    It has no way to ask for that. What it calls to start one is replaced for the moment, and not
    the program's own environment, which other threads read. On Windows the whole environment is
    passed on.
    """
    if sys.platform == "win32":
        yield
        return
    start = multiprocessing.util.spawnv_passfds
    mine = threading.get_ident()

    def start_bare(path: bytes, args: Sequence[Any], passfds: Sequence[int]) -> int:
        if threading.get_ident() != mine:
            return start(path, args, passfds)
        process = subprocess.Popen(
            args,
            executable=path,
            pass_fds=[int(descriptor) for descriptor in passfds],
            env=bare(os.environ),
        )
        # `multiprocessing` waits for it: nobody else may.
        process.returncode = 0
        return process.pid

    with _swapping:
        multiprocessing.util.spawnv_passfds = start_bare
        try:
            yield
        finally:
            multiprocessing.util.spawnv_passfds = start
