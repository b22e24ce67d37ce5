"""The parent's side of a reading process: start it, send requests with a time limit, replace it.

A process is reused for the next exchange. After a failed exchange, another process is started.
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
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from core import errors
from core.documents.containers.unpacking import SpentError
from core.documents.files import HANDS_OVER, FileIdentity, opened
from core.documents.formats import plugged_modules
from core.documents.limits import WALL_TO_PROCESSOR, Limits
from core.documents.sandbox import confinement, protocol
from core.documents.sandbox.child import serve
from core.documents.sandbox.confinement import COPIES_FOLDER, WorkerTask, largest_file_bytes
from core.documents.sandbox.scratch import Scratch
from core.progress import Job

_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)
_LARGEST_PICTURE_BYTES: Final = 100_000_000


@dataclass(eq=False)
class WorkerHandle:
    """Runs exchanges with a process, which is started when first needed and replaced.

    Threads may share it; it serves them one by one.

    Args:
        limits: Limits for one document.
        exchanges: Exchanges after which the process is replaced, because libraries leak.
        scratch: Folder in which it may write, created when a process starts; None for none. A
            process that only reads needs it for readers of other packages, which open files by
            name.
        unpacks: Whether the process unpacks containers.
    """

    limits: Limits
    exchanges: int
    scratch: Scratch | None = None
    unpacks: bool = field(default=False, kw_only=True)
    process: ReadingProcess | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closing: Job = field(default_factory=Job)
    _copies: Path | None = None

    @contextmanager
    def exchange(self, job: Job | None = None) -> Iterator[Exchange]:
        """Start an exchange with a running process. It ends when `job` is cancelled.

        Raises:
            Cancelled: The job was cancelled.
            LibraryClosedError: The handle was closed, before or during the exchange.
            WinnowError: The process cannot be started.
        """
        try:
            with self._lock, self._exchange(job or Job()) as exchange:
                yield exchange
        finally:
            self._drop_if_closed()

    @contextmanager
    def _exchange(self, job: Job) -> Iterator[Exchange]:
        if self._closing.is_cancelled:
            raise errors.LibraryClosedError(errors.CLOSED)
        if job.is_cancelled:
            raise errors.Cancelled
        process = self.fit_process()
        clock = process.clock(self.limits.timeout_s, self._is_overfull)
        exchange = Exchange(process, clock, self.limits, job, self._closing)
        try:
            with clock, job.on_cancel(clock.hurry), self._closing.on_cancel(process.end):
                yield exchange
        finally:
            process.answered += 1
            self._remove_copies()
            is_overfull = clock.is_overfull or self._is_overfull()
            is_fit = exchange.is_over and not (clock.has_passed or is_overfull)
            # Not only after a failure: after an interrupt, the pending response must not be taken
            # for that to the next request.
            if not is_fit or process.answered >= self.exchanges:
                self._drop()
            if is_overfull and self.scratch is not None:
                self.scratch.empty()

    def _is_overfull(self) -> bool:
        """Return whether the process has written more than the limits allow at one time."""
        if self.scratch is None or self.process is None or self.process.task.scratch is None:
            return False
        # A file at each depth, and the last member that was unpacked on request.
        files = self.limits.containers.depth + 1
        most_bytes = files * largest_file_bytes(self.process.task)
        return self.scratch.holds_more_than(self.limits.containers.scratch_files, most_bytes)

    def ask(
        self,
        request: dict[str, Any],
        finish: Callable[[dict[str, Any]], _Result],
        job: Job | None = None,
        expected: FileIdentity | None = None,
    ) -> _Result:
        """Send a single request about the file at its path; see `Exchange.ask`."""
        path = Path(request["path"])
        with opened(path, expected) as descriptors, self.exchange(job) as exchange:
            return exchange.ask(request, finish, descriptors)

    def rest(self) -> None:
        """End the process. The next exchange starts another one."""
        with self._lock:
            self._drop()

    def close(self) -> None:
        """End the process, also during an exchange. There can be none afterwards.

        Does not wait: the calling thread may be the one in an exchange.
        """
        self._closing.cancel()
        self._drop_if_closed()

    def _drop_if_closed(self) -> None:
        """Drop the process after `close`. During an exchange, its thread does so at the end."""
        if self._closing.is_cancelled and self._lock.acquire(blocking=False):
            try:
                self._drop()
            finally:
                self._lock.release()

    def fit_process(self) -> ReadingProcess:
        """Return the running process, or a new one if there is none or it died."""
        if self.process is not None and not self.process.is_alive:
            self._drop()
        if self.process is None:
            modules = plugged_modules()
            writes = self.scratch is not None and (self.unpacks or bool(modules))
            scratch = self.scratch.folder() if self.scratch is not None and writes else None
            if scratch is not None and modules:
                self._copies = scratch / COPIES_FOLDER
                self._copies.mkdir(exist_ok=True)
            self.process = ReadingProcess(WorkerTask(self.limits, scratch, modules))
        return self.process

    def _remove_copies(self) -> None:
        """Remove the copies of documents for readers of other packages."""
        if self._copies is not None:
            # The folder is removed when the reader is closed, even during an exchange.
            with suppress(FileNotFoundError):
                for copy in self._copies.iterdir():
                    copy.unlink()

    def _drop(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()


class Exchange:
    """Requests to a process and its responses. `is_over` after a healthy process has responded."""

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
        """Send a request with open descriptors, and return `finish` of the response.

        The pixels of a drawn page are in the response as `rgb`.

        Raises:
            Cancelled: The job was cancelled before there was a response.
            LibraryClosedError: The handle was closed before there was a response.
            DocumentError: The response is a failure, or the process crashed or took too long.
            OSError: The response is a failure of the system.
        """
        self.is_over = False
        self._clock.set()
        try:
            message = request | {"descriptors": len(descriptors)}
            self._process.hand_over(descriptors)
            self._process.send(protocol.pack_request(message))
            most = protocol.largest_message_bytes(self._limits.characters)
            fields = protocol.unpack(self._process.receive(most))
            if request["do"] == "draw" and "failure" not in fields:
                fields["rgb"] = self._process.receive(_LARGEST_PICTURE_BYTES)
            failure = protocol.failure_from(fields)
            result = None if failure is not None else finish(fields)
            self.is_over = fields.get("is_spent") is False
        except (ProcessDiedError, protocol.ProtocolError) as error:
            if self._closing.is_cancelled:
                raise errors.LibraryClosedError(errors.CLOSED) from error
            if self._clock.is_overfull:
                raise SpentError from error
            if self._clock.has_passed:
                if self._job.is_cancelled:
                    raise errors.Cancelled from error
                raise errors.DocumentError(
                    "Took longer than {0} s", f"{self._limits.timeout_s:g}"
                ) from error
            if isinstance(error, protocol.ProtocolError):
                _log.warning(
                    "Rejected the reader's response for %s: %s", request.get("path"), error
                )
            raise errors.DocumentError("Reading this file crashed the reader") from error
        finally:
            self._clock.stop()
        if result is None:
            if trace := protocol.trace_from(fields):
                _log.error("Reading %s failed:\n%s", request.get("path"), trace)
            raise failure if isinstance(failure, OSError) else errors.DocumentError(failure or "")
        return result


_START_TIMEOUT_S = 60.0
_END_TIMEOUT_S = 10.0
# Share of a processor that a working process uses, however busy the machine is.
_LEAST_SHARE: Final = 1 / WALL_TO_PROCESSOR
# Share of the time limit by which a process may exceed it unnoticed.
_LOOK_SHARE: Final = 0.05
# The kernel's clock of the processor time of all threads of a process.
_WHOLE_PROCESS: Final = 2
# How often the size of written files is checked.
_WRITTEN_EVERY_S: Final = 1.0
# Time for a pending response after a cancel; cheaper than starting a process.
_GRACE_S = 0.3
# While a process starts, `__main__` is temporarily another module.
_starting = threading.Lock()


class ProcessDiedError(Exception):
    """The process ended, was killed for taking too long, or sent too much."""


class ReadingProcess:
    """A process that handles requests one after another.

    Raises:
        WinnowError: It cannot be started.
    """

    def __init__(self, task: WorkerTask) -> None:
        self.task = task
        context = multiprocessing.get_context("spawn")
        child_requests, self._requests = context.Pipe(duplex=False)
        self._answers, child_answers = context.Pipe(duplex=False)
        # A socket pair, connected to this process only: pipes cannot hand over open files.
        child_files, files = context.Pipe(duplex=True) if HANDS_OVER else (None, None)
        self._files = files
        self._process = context.Process(
            target=serve,
            args=(child_requests, child_answers, child_files, task),
            name="winnow-reader",
            daemon=True,  # ends with the program
        )
        self.answered = 0
        try:
            with _without_main(), _bare_environment():
                self._process.start()
            # With the child's ends closed here, the pipes end when it dies.
            for end in (child_requests, child_answers, child_files):
                if end is not None:
                    end.close()
            with self.clock(_START_TIMEOUT_S) as clock:
                clock.set()
                standing = protocol.walls_from(protocol.unpack(self._answers.recv_bytes(1000)))
            if missing := set(confinement.available()) - set(standing):
                _log.warning("The sandbox for reading lacks: %s.", ", ".join(sorted(missing)))
            if not confinement.keep_from_files(standing):
                _log.warning(
                    "Documents are read without a sandbox, because this system supports none (%s).",
                    ", ".join(standing) or "no walls",
                )
        except (OSError, EOFError, protocol.ProtocolError) as error:
            self.kill()
            raise errors.WinnowError(
                "The process that reads documents cannot be started. Close other programs and "
                "try again."
            ) from error
        except BaseException:
            self.kill()
            raise

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def clock(self, timeout_s: float, overfull: Callable[[], bool] | None = None) -> Clock:
        """Return a clock that kills the process when a response takes longer.

        It also does so when `overfull` returns true.
        """
        return Clock(timeout_s, self.end, self._processor_s, overfull)

    def _processor_s(self) -> float:
        """Return the used processor time in seconds; NaN if the process has ended."""
        assert self._process.pid is not None
        if sys.platform == "linux":
            # Called for each document: a hundred times as fast as psutil, which reads a file.
            with suppress(OSError):
                return time.clock_gettime(~self._process.pid << 3 | _WHOLE_PROCESS)
        else:
            import psutil

            with suppress(psutil.Error):
                user_s, system_s = psutil.Process(self._process.pid).cpu_times()[:2]
                return float(user_s + system_s)
        return math.nan

    def hand_over(self, descriptors: Sequence[int]) -> None:
        """Hand over the open files of the next request.

        Raises:
            ProcessDiedError: The process is gone.
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
            ProcessDiedError: The process is gone.
        """
        try:
            self._requests.send_bytes(message)
        except OSError as error:
            raise ProcessDiedError from error

    def receive(self, most_bytes: int) -> bytes:
        """Wait for a message of at most `most_bytes`.

        Raises:
            ProcessDiedError: The process is gone, or the message is larger.
        """
        try:
            return self._answers.recv_bytes(most_bytes)
        except (OSError, EOFError) as error:
            raise ProcessDiedError from error

    def end(self) -> None:
        """Kill the process. A thread that waits for its response gets a `ProcessDiedError`."""
        self._process.kill()

    def kill(self) -> None:
        """Kill the process, and close its pipes."""
        self._requests.close()
        self._answers.close()
        if self._files is not None:
            self._files.close()
        if self._process.pid is not None:
            self._process.kill()
            self._process.join(_END_TIMEOUT_S)


class Clock(threading.Thread):
    """Calls a function once a time limit has passed, and then sets `has_passed`.

    The limit counts processor time, so that a process that other programs keep waiting is not
    killed, and never acts before the same wall-clock time has passed. A process that uses almost
    no processor time for that long waits for something that may never come, such as a network
    drive or a pipe, and is also killed.

    A timeout for the first byte is not enough: a process can also hang after it has begun to
    respond. A single thread serves many responses, each with the whole time; it wakes up only when
    the time could have passed at the earliest.
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
        # Processor time at the start, and at the last check with its wall-clock time.
        self._began_at_s = 0.0
        self._seen_s = 0.0
        self._seen_at_s = 0.0
        # Unlike an Event, it can be used in a signal handler at any point.
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
        """Start counting."""
        self._seen_at_s = time.monotonic()
        self._began_at_s = self._seen_s = self._processor_s()
        self._due_s = self._seen_at_s + self._most_s

    def stop(self) -> None:
        """Stop counting until `set` is called."""
        self._due_s = None

    def hurry(self) -> None:
        """Allow a short time only. A signal handler may call this."""
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
                    self.set()  # restart with the short time
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
        """Return the time to the next check after the wall-clock time has passed; 0 if over."""
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
    """Why a clock is woken."""

    ENDED = auto()
    HURRIED = auto()


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the program's `__main__`, so that a process started now does not import it.

    With `multiprocessing`, each new process imports the main module again, for classes defined in
    it. The reading process needs none, and the import would load all of Qt with `app.__main__`,
    run a script that has no guard, or fail for one from standard input.
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
        # paths
        *("HOME", "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "WINDIR"),
        # language and time
        *("LANG", "LANGUAGE", "TZ", "TZDIR"),
        # threads and kernels of numerical libraries
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "MKL_NUM_THREADS"),
        *("NPY_DISABLE_CPU_FEATURES", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX"),
    }
)
_NEEDED_BEGINNINGS: Final = ("LC_", "PYTHON", "_PYI_", "_MEIPASS")
_swapping = threading.Lock()


def bare(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables that a reading process needs, without secrets.

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
    """Let `multiprocessing` start processes, from this thread, with a bare environment.

    It has no option for that. The function that it uses to start a process is replaced temporarily,
    rather than the program's environment, which other threads read. On Windows the whole
    environment is passed on.
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
        # `multiprocessing` waits for the process; `Popen` must not.
        process.returncode = 0
        return process.pid

    with _swapping:
        multiprocessing.util.spawnv_passfds = start_bare
        try:
            yield
        finally:
            multiprocessing.util.spawnv_passfds = start
