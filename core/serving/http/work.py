"""The searches of a server: so many at a time, so many waiting, each with a deadline."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from core.progress import Job
from core.serving.http.limits import ServerLimits

Given = TypeVar("Given")


class BusyError(Exception):
    """So many wait already that this one would wait too long."""


class LateError(Exception):
    """The deadline has passed; the work was cancelled."""


class ClientGoneError(Exception):
    """Nobody waits for the answer any more; the work was cancelled."""


class Work:
    """Runs what the library is asked on a few threads, which end with `close`."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(limits.threads, "winnow-serve")
        self._jobs: set[Job] = set()

    @property
    def count(self) -> int:
        """How many are worked on or wait."""
        return len(self._jobs)

    async def run(self, call: Callable[[Job], Given], gone: Callable[[], Awaitable[None]]) -> Given:
        """Return what a call gives, made on one of the threads.

        Args:
            call: is given the job that cancels it.
            gone: returns when the client has gone away.

        Raises:
            BusyError: too many wait.
            LateError: it took too long.
            ClientGoneError: the client went away.
        """
        job = self._admitted()
        working = self._pool.submit(call, job)
        # A thread cannot be ended: the work counts until the thread has noticed.
        working.add_done_callback(lambda _: self._jobs.discard(job))
        future = asyncio.wrap_future(working)
        watch = asyncio.ensure_future(gone())
        try:
            waited: set[asyncio.Future[Any]] = {future, watch}
            await asyncio.wait(
                waited,
                timeout=self._limits.deadline_s,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if future.done():
                return future.result()
            raise ClientGoneError if watch.done() else LateError
        finally:
            watch.cancel()
            if not future.done():
                job.cancel()
                future.cancel()

    @contextlib.asynccontextmanager
    async def slot(self) -> AsyncIterator[Job]:
        """Take one of the places for work that is run elsewhere; its job is cancelled at the end.

        Raises:
            BusyError: too many wait.
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
        """Cancel all, and wait until the threads have noticed."""
        for job in tuple(self._jobs):
            job.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _admitted(self) -> Job:
        if len(self._jobs) >= self._limits.threads + self._limits.waiting:
            raise BusyError
        job = Job()
        self._jobs.add(job)
        return job
