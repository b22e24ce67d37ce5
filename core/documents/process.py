"""The reading process as its parent sees it: started, asked within a time limit, and ended."""

from __future__ import annotations

import multiprocessing
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager

from core.documents.limits import Limits
from core.documents.worker import serve
from core.errors import WinnowError

_START_TIMEOUT_S = 60.0
_END_TIMEOUT_S = 10.0
# While a process starts, `__main__` is for a moment another module.
_starting = threading.Lock()


class ProcessDiedError(Exception):
    """The process ended, was ended for the time it took, or sent more than it may."""


class ReadingProcess:
    """One process that answers requests one after another.

    Raises:
        WinnowError: The system does not let it start.
    """

    def __init__(self, limits: Limits) -> None:
        context = multiprocessing.get_context("spawn")
        # Two pipes and no socket: they work where sockets are forbidden, too.
        child_requests, self._requests = context.Pipe(duplex=False)
        self._answers, child_answers = context.Pipe(duplex=False)
        self._process = context.Process(
            target=serve,
            args=(child_requests, child_answers, limits),
            name="winnow-reader",
            daemon=True,  # ended when the program ends without having closed it
        )
        self.answered = 0
        try:
            with _without_main():
                self._process.start()
            # With the child's ends closed here, its death is the end of the pipes.
            child_requests.close()
            child_answers.close()
            if not self._answers.poll(_START_TIMEOUT_S):
                raise TimeoutError
            self._answers.recv_bytes(1000)
        except (OSError, EOFError) as error:
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

    @contextmanager
    def time_limit(self, timeout_s: float) -> Iterator[threading.Event]:
        """End the process if the block takes longer; the event given tells whether it did."""
        has_passed = threading.Event()

        def end() -> None:
            has_passed.set()
            self._process.kill()

        # A clock of its own rather than a wait for the first byte: a process can also hang after
        # it has begun to answer.
        timer = threading.Timer(timeout_s, end)
        timer.daemon = True
        timer.start()
        try:
            yield has_passed
        finally:
            timer.cancel()
            timer.join()

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
        if self._process.pid is not None:
            self._process.kill()
            self._process.join(_END_TIMEOUT_S)


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
