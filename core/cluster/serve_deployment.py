"""A replica of a published library: the part of a served library that runs on a cluster's machines.

Ray Serve starts replicas, checks their health, restarts them and routes requests to them. A
replica does not depend on Ray, which is not imported here.
"""

import asyncio
import logging
import os
import platform
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from core.catalog.integrity.foreign import wrap_data_errors
from core.errors import LibraryError, ModelError, WinnowError
from core.library.library import Library, LibraryOptions
from core.library.sanitising import sanitise
from core.progress import Job
from core.publishing import snapshot
from core.publishing.cache import CachedSnapshot, SnapshotMissingError, default_cache
from core.publishing.store import NotStoredError, Store, UnexpectedPieceError, open_store
from core.requests import Request, Response

# Requests that one replica answers at the same time.
CALLS_PER_REPLICA: Final = 4
# Snapshots kept open: the current one, and the one before for requests under way.
_MOST_OPEN: Final = 2
_log = logging.getLogger(__name__)


def read_current(store: Store) -> str:
    """Return the id of the newest snapshot of a published library.

    Raises:
        LibraryError: nothing is published there, it is damaged, or the store does not answer.
    """
    try:
        return snapshot.unpack_current(
            store.read(snapshot.CURRENT, snapshot.MOST_CURRENT_BYTES), store.address
        ).id
    except (NotStoredError, UnexpectedPieceError) as error:
        raise LibraryError(
            "No library is published at {0}. Publish one with winnow publish.", store.address
        ) from error


@dataclass(frozen=True, slots=True)
class _OpenSnapshot:
    """An open snapshot, and the threads that answer requests from it."""

    cached: CachedSnapshot
    library: Library
    threads: ThreadPoolExecutor

    def answer(self, request: Request[Response], job: Job) -> Response:
        with wrap_data_errors(self.cached.snapshot.name), self.library.with_job(job):
            return sanitise(self.library.answer(request, job))


class LibraryReplica:
    """Answers requests from snapshots of one published library, which it fetches and keeps open.

    Args:
        address: where the library is published; all machines must reach it there.
        model: a built-in model's name or a model's folder; "" for the built-in default.
    """

    def __init__(self, address: str, model: str) -> None:
        self._store = open_store(address)
        self._model = model
        self._cache = default_cache()
        # Least recently used first.
        self._opening: OrderedDict[str, asyncio.Task[_OpenSnapshot]] = OrderedDict()
        self._closing: set[asyncio.Task[None]] = set()

    async def reconfigure(self, _config: object) -> None:
        """Open the newest snapshot, so that a restarted replica gets requests only when ready.

        Ray Serve calls this when it starts a replica. Errors are not raised, so that `open` reports
        them to the server.
        """
        try:
            await self.open(await asyncio.to_thread(read_current, self._store))
        except WinnowError as error:
            _log.warning("%s", error)

    async def check_health(self) -> None:
        """Raise an error if an open snapshot is unreadable; Ray Serve then restarts the replica."""
        for task in tuple(self._opening.values()):
            if task.done() and not task.cancelled() and task.exception() is None:
                await asyncio.to_thread(task.result().library.check_newer)

    async def open(self, snapshot_id: str) -> str | WinnowError:
        """Open a snapshot, and return the name of this process: the machine's and its number."""
        try:
            await self._opened(snapshot_id)
        except WinnowError as error:
            return error
        return f"{platform.node()}:{os.getpid()}"

    async def answer(self, snapshot_id: str, request: Request[Any]) -> object:
        """Return the response to a request from a snapshot, or the `WinnowError` it ends with.

        Errors are returned so that they arrive unchanged. A cancelled call cancels the work.
        """
        job = Job()
        try:
            opened = await self._opened(snapshot_id)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(opened.threads, opened.answer, request, job)
        except WinnowError as error:
            return error
        finally:
            job.cancel()

    async def _opened(self, snapshot_id: str) -> _OpenSnapshot:
        """Return a snapshot, opened first if necessary.

        Raises:
            WinnowError: it cannot be fetched or opened; the next call tries again.
        """
        task = self._opening.get(snapshot_id)
        if task is None:
            task = asyncio.create_task(asyncio.to_thread(self._open, snapshot_id))
            self._opening[snapshot_id] = task
        self._opening.move_to_end(snapshot_id)
        while len(self._opening) > _MOST_OPEN:
            _, oldest = self._opening.popitem(last=False)
            closing = asyncio.create_task(self._close(oldest))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        try:
            # A cancelled call must not lose track of a snapshot that is being opened.
            return await asyncio.shield(task)
        except WinnowError:
            if self._opening.get(snapshot_id) is task:
                del self._opening[snapshot_id]
            raise

    def _open(self, snapshot_id: str) -> _OpenSnapshot:
        cached = self._cached_snapshot(snapshot_id)
        self._cache.hold(cached)
        try:
            self._cache.fetch(self._store, cached, Job())
            with wrap_data_errors(cached.snapshot.name):
                options = LibraryOptions(
                    is_foreign=True,
                    foreign_name=cached.snapshot.name,
                    model=self._model or None,
                )
                library = Library.open(cached.folder, options)
        except SnapshotMissingError as error:
            self._cache.let_go(cached)
            raise self._not_published(snapshot_id) from error
        except BaseException:
            self._cache.let_go(cached)
            raise
        try:
            library.warm_up()
        except ModelError as error:
            # Each search by meaning has a notice that says so.
            _log.warning("%s", error)
        return _OpenSnapshot(
            cached, library, ThreadPoolExecutor(CALLS_PER_REPLICA, "winnow-replica")
        )

    def _cached_snapshot(self, snapshot_id: str) -> CachedSnapshot:
        """Return a snapshot in the cache; a replica restarts also when the store does not answer.

        Raises:
            LibraryError: it is no longer published, or the store does not respond.
        """
        cached = self._cache.find(self._store.address, snapshot_id)
        if cached is not None:
            return cached
        try:
            data = self._store.read(snapshot.snapshot_name(snapshot_id), snapshot.MOST_BYTES)
        except (NotStoredError, UnexpectedPieceError) as error:
            raise self._not_published(snapshot_id) from error
        return self._cache.folder_for(
            self._store.address, snapshot.unpack_snapshot(data, self._store.address)
        )

    def _not_published(self, snapshot_id: str) -> LibraryError:
        return LibraryError(
            "Snapshot {0} of the library {1} is no longer published.",
            snapshot_id,
            self._store.address,
        )

    async def _close(self, task: asyncio.Task[_OpenSnapshot]) -> None:
        """Close a snapshot when its last request is answered."""
        try:
            opened = await task
        except WinnowError:
            return

        def close() -> None:
            opened.threads.shutdown(wait=True)
            opened.library.close()
            self._cache.let_go(opened.cached)

        await asyncio.to_thread(close)
