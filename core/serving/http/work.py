"""The threads that answer a server's requests: a limited number, each with a deadline."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from core.progress import Job
from core.serving.http.limits import ServerLimits

Result = TypeVar("Result")


class BusyError(Exception):
    """Too many requests are waiting already."""


class LateError(Exception):
    """The deadline has passed; the work was cancelled."""


class ClientDisconnectedError(Exception):
    """The client has disconnected; the work was cancelled."""


class Work:
    """Runs requests on a few threads, which end with `close`."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(limits.threads, "winnow-serve")
        self._jobs: set[Job] = set()

    @property
    def count(self) -> int:
        """The number of running and waiting requests."""
        return len(self._jobs)

    async def run(
        self, call: Callable[[Job], Result], disconnected: Callable[[], Awaitable[None]]
    ) -> Result:
        """Return the result of a call, run on one of the threads.

        Args:
            call: receives the job that cancels it.
            disconnected: returns when the client has disconnected.

        Raises:
            BusyError: too many requests are waiting.
            LateError: it took too long.
            ClientDisconnectedError: the client disconnected.
        """
        job = self._admitted()
        working = self._pool.submit(call, job)
        # A thread cannot be ended: the work counts until the thread has noticed.
        working.add_done_callback(lambda _: self._jobs.discard(job))
        future = asyncio.wrap_future(working)
        watch = asyncio.ensure_future(disconnected())
        try:
            waited: set[asyncio.Future[Any]] = {future, watch}
            await asyncio.wait(
                waited,
                timeout=self._limits.deadline_s,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if future.done():
                return future.result()
            raise ClientDisconnectedError if watch.done() else LateError
        finally:
            watch.cancel()
            if not future.done():
                job.cancel()
                future.cancel()

    @contextlib.asynccontextmanager
    async def slot(self) -> AsyncIterator[Job]:
        """Reserve a slot for work that runs elsewhere; its job is cancelled at the end.

        Raises:
            BusyError: too many requests are waiting.
            LateError: the deadline has passed.
        """
        job = self._admitted()
        try:
            async with asyncio.timeout(self._limits.deadline_s):
                yield job
        except TimeoutError as error:
            raise LateError from error
        finally:
            job.cancel()
            self._jobs.discard(job)

    def close(self) -> None:
        """Cancel all work, and wait for the threads."""
        for job in tuple(self._jobs):
            job.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _admitted(self) -> Job:
        if len(self._jobs) >= self._limits.threads + self._limits.waiting:
            raise BusyError
        job = Job()
        self._jobs.add(job)
        return job
