"""A reading process that is kept between exchanges, and replaced after one that went wrong."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from core.documents.formats import plugged_modules
from core.documents.limits import Limits
from core.documents.sandbox import protocol
from core.documents.sandbox.confinement import GIVEN, WorkerTask
from core.documents.sandbox.process import Clock, ProcessDiedError, ReadingProcess
from core.documents.sandbox.scratch import Scratch
from core.errors import Cancelled, DocumentError
from core.progress import Job

_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)


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
        self._is_closed = False
        self._given: Path | None = None
        self.process: ReadingProcess | None = None

    @contextmanager
    def exchange(self, job: Job | None = None) -> Iterator[Exchange]:
        """Talk with a process that is alive, but no longer than until `job` is cancelled.

        Raises:
            Cancelled: The job was cancelled.
            WinnowError: It cannot be started.
        """
        job = job or Job()
        with self._lock:
            if self._is_closed:
                raise ValueError("the reader is closed")
            if job.is_cancelled:
                raise Cancelled
            process = self.fit_process()
            clock = process.clock(self._limits.timeout_s)
            exchange = Exchange(process, clock, self._limits, job)
            try:
                with clock, job.on_cancel(clock.hurry):
                    yield exchange
            finally:
                process.answered += 1
                self._forget_given()
                is_fit = exchange.is_over and not clock.has_passed
                # Not only after a failure: when a person interrupts, the answer that is still to
                # come must not be taken for one to the next question.
                if not is_fit or process.answered >= self._most:
                    self._drop()

    def rest(self) -> None:
        """End the process; the next exchange has a fresh one."""
        with self._lock:
            self._drop()

    def close(self) -> None:
        """End the process; there can be no exchange afterwards."""
        with self._lock:
            self._is_closed = True
            self._drop()

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
            for copy in self._given.iterdir():
                copy.unlink()

    def _drop(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()


class Exchange:
    """Questions to a process and its answers; `is_over` after a last one, by one in good shape."""

    def __init__(self, process: ReadingProcess, clock: Clock, limits: Limits, job: Job) -> None:
        self._process = process
        self._clock = clock
        self._limits = limits
        self._job = job
        self.is_over = False

    def ask(
        self,
        request: dict[str, Any],
        finish: Callable[[dict[str, Any], ReadingProcess], _Result],
        descriptors: Sequence[int] = (),
    ) -> _Result:
        """Return what `finish` makes of the answer to a request about files that are open here.

        Raises:
            Cancelled: The job was cancelled before there was an answer.
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
            result = None if "failure" in fields else finish(fields, self._process)
            self.is_over = fields.get("is_spent") is False
        except (ProcessDiedError, protocol.ProtocolError) as error:
            if self._clock.has_passed:
                if self._job.is_cancelled:
                    raise Cancelled from error
                raise DocumentError(f"took over {self._limits.timeout_s:g} s") from error
            raise DocumentError("crashed the reader") from error
        finally:
            self._clock.stop()
        if result is None:
            if trace := fields.get("trace"):
                _log.error("Reading %s failed:\n%s", request.get("path"), trace)
            if isinstance(number := fields.get("errno"), int):
                raise OSError(number, str(fields["failure"]))
            raise DocumentError(str(fields["failure"]))
        return result
