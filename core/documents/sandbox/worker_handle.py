"""A reading process as its parent sees it: started bare, asked within a time limit, and replaced.

It is kept from one exchange to the next; after one that went wrong another process is started.
"""

from __future__ import annotations

import logging
import math
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
from contextlib import contextmanager, suppress
from enum import Enum, auto
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from core.documents.containers.unpacking import SpentError
from core.documents.files import HANDS_OVER, FileIdentity, opened
from core.documents.formats import plugged_modules
from core.documents.limits import WALL_TO_PROCESSOR, Limits
from core.documents.sandbox import confinement, protocol
from core.documents.sandbox.child import serve
from core.documents.sandbox.confinement import GIVEN, WorkerTask, largest_file_bytes
from core.documents.sandbox.scratch import Scratch
from core.errors import (
    CLOSED,
    Cancelled,
    DocumentError,
    LibraryClosedError,
    WinnowError,
)
from core.progress import Job

_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)
_LARGEST_PICTURE_BYTES: Final = 100_000_000


class WorkerHandle:
    """Holds exchanges with one process after another, each started when it is first needed.

    Threads may share it; it serves them one by one.

    Args:
        limits: What one document may take.
        exchanges: After so many the process is replaced, for libraries leak.
        scratch: The folder in which it may write, made when a process starts; None for none. One
            that only reads has it for the formats of other packages, which may want a file.
        unpacks: Whether it writes what it unpacks.
    """

    def __init__(
        self,
        limits: Limits,
        exchanges: int,
        scratch: Scratch | None = None,
        *,
        unpacks: bool = False,
    ) -> None:
        self._limits = limits
        self._scratch = scratch
        self._unpacks = unpacks
        self._most = exchanges
        self._lock = threading.Lock()
        self._closing = Job()
        self._given: Path | None = None
        self.process: ReadingProcess | None = None

    @contextmanager
    def exchange(self, job: Job | None = None) -> Iterator[Exchange]:
        """Talk with a process that is alive, but no longer than until `job` is cancelled.

        Raises:
            Cancelled: The job was cancelled.
            LibraryClosedError: It was closed, before or meanwhile.
            WinnowError: It cannot be started.
        """
        try:
            with self._lock, self._exchange(job or Job()) as exchange:
                yield exchange
        finally:
            self._drop_if_closed()

    @contextmanager
    def _exchange(self, job: Job) -> Iterator[Exchange]:
        if self._closing.is_cancelled:
            raise LibraryClosedError(CLOSED)
        if job.is_cancelled:
            raise Cancelled
        process = self.fit_process()
        clock = process.clock(self._limits.timeout_s, self._is_overfull)
        exchange = Exchange(process, clock, self._limits, job, self._closing)
        try:
            with clock, job.on_cancel(clock.hurry), self._closing.on_cancel(process.end):
                yield exchange
        finally:
            process.answered += 1
            self._forget_given()
            is_overfull = clock.is_overfull or self._is_overfull()
            is_fit = exchange.is_over and not (clock.has_passed or is_overfull)
            # Not only after a failure: when a person interrupts, the answer that is still to
            # come must not be taken for one to the next question.
            if not is_fit or process.answered >= self._most:
                self._drop()
            if is_overfull and self._scratch is not None:
                self._scratch.empty()

    def _is_overfull(self) -> bool:
        """Return whether the process has written more than all that is unpacked at one time."""
        if self._scratch is None or self.process is None or self.process.task.scratch is None:
            return False
        # A file at each depth, and the member that was asked for last.
        files = self._limits.containers.depth + 1
        most_bytes = files * largest_file_bytes(self.process.task)
        return self._scratch.holds_more_than(self._limits.containers.scratch_files, most_bytes)

    def ask(
        self,
        request: dict[str, Any],
        finish: Callable[[dict[str, Any]], _Result],
        job: Job | None = None,
        expected: FileIdentity | None = None,
    ) -> _Result:
        """Ask one question about the file at the request's path; see `Exchange.ask`."""
        path = Path(request["path"])
        with opened(path, expected) as descriptors, self.exchange(job) as exchange:
            return exchange.ask(request, finish, descriptors)

    def rest(self) -> None:
        """End the process; the next exchange has a fresh one."""
        with self._lock:
            self._drop()

    def close(self) -> None:
        """End the process, also in the middle of an exchange; there can be none afterwards.

        Waits for nobody: who is in an exchange may be the thread that closes.
        """
        self._closing.cancel()
        self._drop_if_closed()

    def _drop_if_closed(self) -> None:
        """Let go of the process once it is closed; whoever is in an exchange does so at its end."""
        if self._closing.is_cancelled and self._lock.acquire(blocking=False):
            try:
                self._drop()
            finally:
                self._lock.release()

    def fit_process(self) -> ReadingProcess:
        """Return the running process, or a new one if there is none or it died while idle."""
        if self.process is not None and not self.process.is_alive:
            self._drop()
        if self.process is None:
            modules = plugged_modules()
            writes = self._scratch is not None and (self._unpacks or bool(modules))
            scratch = self._scratch.folder() if self._scratch is not None and writes else None
            if scratch is not None and modules:
                self._given = scratch / GIVEN
                self._given.mkdir(exist_ok=True)
            self.process = ReadingProcess(WorkerTask(self._limits, scratch, modules))
        return self.process

    def _forget_given(self) -> None:
        """Remove the copies that formats of other packages were read from."""
        if self._given is not None:
            # The folder goes at once when the reader is closed, whatever is read meanwhile.
            with suppress(FileNotFoundError):
                for copy in self._given.iterdir():
                    copy.unlink()

    def _drop(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()


class Exchange:
    """Questions to a process and its answers; `is_over` after a last one, by one in good shape."""

    def __init__(
        self, process: ReadingProcess, clock: Clock, limits: Limits, job: Job, closing: Job
    ) -> None:
        self._process = process
        self._clock = clock
        self._limits = limits
        self._job = job
        self._closing = closing
        self.is_over = False

    def ask(
        self,
        request: dict[str, Any],
        finish: Callable[[dict[str, Any]], _Result],
        descriptors: Sequence[int] = (),
    ) -> _Result:
        """Return what `finish` makes of the answer to a request about files that are open here.

        The pixels of what was drawn are in the answer as `rgb`.

        Raises:
            Cancelled: The job was cancelled before there was an answer.
            LibraryClosedError: The process was ended for good before there was one.
            DocumentError: The answer is a failure, or the process crashed or took too long.
            OSError: The answer is a failure that is not the document's but the system's.
        """
        self.is_over = False
        self._clock.set()
        try:
            asked = request | {"descriptors": len(descriptors)}
            self._process.hand_over(descriptors)
            self._process.send(protocol.pack_request(asked))
            most = protocol.largest_message_bytes(self._limits.characters)
            fields = protocol.unpack(self._process.receive(most))
            if request["do"] == "draw" and "failure" not in fields:
                fields["rgb"] = self._process.receive(_LARGEST_PICTURE_BYTES)
            failure = protocol.failure_from(fields)
            result = None if failure is not None else finish(fields)
            self.is_over = fields.get("is_spent") is False
        except (ProcessDiedError, protocol.ProtocolError) as error:
            if self._closing.is_cancelled:
                raise LibraryClosedError(CLOSED) from error
            if self._clock.is_overfull:
                raise SpentError from error
            if self._clock.has_passed:
                if self._job.is_cancelled:
                    raise Cancelled from error
                raise DocumentError("took over {0} s", f"{self._limits.timeout_s:g}") from error
            if isinstance(error, protocol.ProtocolError):
                _log.warning("The answer on %s was refused: %s", request.get("path"), error)
            raise DocumentError("crashed the reader") from error
        finally:
            self._clock.stop()
        if result is None:
            if trace := protocol.trace_from(fields):
                _log.error("Reading %s failed:\n%s", request.get("path"), trace)
            raise failure if isinstance(failure, OSError) else DocumentError(failure or "")
        return result


_START_TIMEOUT_S = 60.0
_END_TIMEOUT_S = 10.0
# Of the processor, that a process uses which is at work, however busy the machine is.
_LEAST_SHARE: Final = 1 / WALL_TO_PROCESSOR
# Of the time limit, by which a process may go beyond it unseen.
_LOOK_SHARE: Final = 0.05
# Of the kernel's clocks of a process, the one of the processor time of all its threads.
_WHOLE_PROCESS: Final = 2
# How often what it writes is looked at.
_WRITTEN_EVERY_S: Final = 1.0
# An answer that is about to come is worth more than a new process.
_GRACE_S = 0.3
# While a process starts, `__main__` is for a moment another module.
_starting = threading.Lock()


class ProcessDiedError(Exception):
    """The process ended, was ended for the time it took, or sent more than it may."""


class ReadingProcess:
    """One process that answers requests one after another.

    Raises:
        WinnowError: The system does not let it start.
    """

    def __init__(self, task: WorkerTask) -> None:
        self.task = task
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
            with self.clock(_START_TIMEOUT_S) as clock:
                clock.set()
                standing = protocol.walls_from(protocol.unpack(self._answers.recv_bytes(1000)))
            if missing := set(confinement.available()) - set(standing):
                _log.warning("Reading is not confined by: %s.", ", ".join(sorted(missing)))
            if not confinement.keep_from_files(standing):
                _log.warning(
                    "Documents are read by processes that may open any file: nothing on this"
                    " system keeps them from it (%s).",
                    ", ".join(standing) or "no walls",
                )
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

    def clock(self, timeout_s: float, overfull: Callable[[], bool] | None = None) -> Clock:
        """Return a clock that ends the process when an answer takes longer.

        It does so as well once there is more than may be where it writes.
        """
        return Clock(timeout_s, self.end, self._processor_s, overfull)

    def _processor_s(self) -> float:
        """Return the processor time that the process has used, in seconds; NaN if it is gone."""
        assert self._process.pid is not None
        if sys.platform == "linux":
            # Asked at each document: a hundred times as fast as psutil, which reads a file for it.
            with suppress(OSError):
                return time.clock_gettime(~self._process.pid << 3 | _WHOLE_PROCESS)
        else:
            import psutil

            with suppress(psutil.Error):
                user_s, system_s = psutil.Process(self._process.pid).cpu_times()[:2]
                return float(user_s + system_s)
        return math.nan

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

    def end(self) -> None:
        """End the process at once; whoever waits for its answer, on another thread, is told so."""
        self._process.kill()

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

    The limit is one of processor time, so that a process which other programs keep waiting is not
    blamed for it; and no process is ended before the same time has passed on the wall. One that
    uses next to no processor for that long waits for something that may never come, a network
    drive or a pipe, and is ended, too.

    A clock of its own rather than a wait for the first byte: a process can also hang after it has
    begun to answer. It is set for many answers, each with the whole time, at the cost of one
    thread; the thread looks up when the time could have passed at the earliest, and is not woken
    for less.
    """

    def __init__(
        self,
        timeout_s: float,
        act: Callable[[], None],
        processor_s: Callable[[], float],
        overfull: Callable[[], bool] | None = None,
    ) -> None:
        super().__init__(daemon=True)
        self.has_passed = False
        self.is_overfull = False
        self._overfull = overfull
        self._most_s = timeout_s
        self._act = act
        self._processor_s = processor_s
        self._hurries = False
        # The processor time at the beginning, and at the last look with its time.
        self._began_at_s = 0.0
        self._seen_s = 0.0
        self._seen_at_s = 0.0
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
        self._seen_at_s = time.monotonic()
        self._began_at_s = self._seen_s = self._processor_s()
        self._due_s = self._seen_at_s + self._most_s

    def stop(self) -> None:
        """Let no time pass until it is set again."""
        self._due_s = None

    def hurry(self) -> None:
        """Leave what is waited for a moment only; a signal handler may call this."""
        self._hurries = True
        self._most_s = min(self._most_s, _GRACE_S)
        self._news.put(_News.HURRIED)

    def run(self) -> None:
        wait_s = self._most_s
        while True:
            try:
                if self._overfull is not None:
                    wait_s = min(wait_s, _WRITTEN_EVERY_S)
                if self._news.get(timeout=wait_s) is _News.ENDED:
                    return
                if self._due_s is not None:
                    self.set()  # anew: it is in a hurry now
            except queue.Empty:
                pass
            if self._overfull is not None and self._overfull():
                self.is_overfull = True
                self._act()
                return
            due_s = self._due_s
            wait_s = self._most_s if due_s is None else due_s - time.monotonic()
            if wait_s <= 0:
                wait_s = self._left_s()
            if wait_s <= 0:
                self.has_passed = True
                self._act()
                return

    def _left_s(self) -> float:
        """Return when to look again once the time has passed on the wall; 0 if it is over."""
        now_s, used_s = time.monotonic(), self._processor_s()
        left_s = self._most_s - (used_s - self._began_at_s)
        if self._hurries or not left_s > 0:
            return 0.0
        if now_s - self._seen_at_s >= self._most_s:
            if used_s - self._seen_s < _LEAST_SHARE * (now_s - self._seen_at_s):
                return 0.0
            self._seen_s, self._seen_at_s = used_s, now_s
        return max(left_s, _LOOK_SHARE * self._most_s)


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
