"""A bucket, or whatever else fsspec reaches by an address, as a place to publish to."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Iterator, Mapping
from concurrent import futures

from core.errors import Cancelled, UsageError
from core.object_storage import changed_s, hush
from core.progress import Job
from core.publishing.store import NotStoredError, StoredFile, StoreError, UnexpectedPieceError


class BucketStore:
    """A folder of an object storage; credentials come from the environment and stay there."""

    def __init__(self, address: str) -> None:
        """Open what the address, without credentials, names.

        Raises:
            UsageError: what reaches such addresses is not installed, or there are none such.
        """
        self._address = address
        hush()
        try:
            from fsspec.core import url_to_fs

            # Others write there: what was listed a moment ago may not be so any more.
            self._fs, self._root = url_to_fs(
                address, use_listings_cache=False, skip_instance_cache=True
            )
        except ImportError as error:
            raise UsageError(
                "Libraries at {0} need packages that are not installed; install winnow[buckets].",
                address,
            ) from error
        except ValueError as error:
            raise UsageError(
                "{0} is no address that Winnow knows; write a folder or s3://BUCKET/FOLDER.",
                address,
            ) from error

    @property
    def address(self) -> str:
        return self._address

    def read(self, name: str, most_bytes: int, job: Job | None = None) -> bytes:
        with self._sentences():
            try:
                data = self._fetched(self._path(name), most_bytes + 1, job or Job())
            except FileNotFoundError as error:
                raise NotStoredError(name) from error
        if len(data) > most_bytes:
            raise UnexpectedPieceError(name)
        return data

    def _fetched(self, path: str, most_bytes: int, job: Job) -> bytes:
        """Return the first bytes of an object; cancelling ends a request that is under way."""
        if not self._fs.async_impl:
            job.checkpoint()
            return bytes(self._fs.cat_file(path, start=0, end=most_bytes))
        asked = asyncio.run_coroutine_threadsafe(
            self._fs._cat_file(path, start=0, end=most_bytes),  # noqa: SLF001 - it can be given up
            self._fs.loop,
        )

        def give_up() -> None:
            asked.cancel()

        with job.on_cancel(give_up):
            try:
                return bytes(asked.result())
            except futures.CancelledError:
                job.checkpoint()
                raise

    def write(self, name: str, data: bytes) -> None:
        # An object is there whole or not at all.
        with self._sentences():
            self._fs.pipe_file(self._path(name), data)

    def claim(self, name: str, data: bytes) -> bool:
        with self._sentences():
            try:
                self._fs.pipe_file(self._path(name), data, mode="create")
            except FileExistsError:
                return False
            return True

    def remove(self, name: str) -> None:
        with self._sentences(), contextlib.suppress(FileNotFoundError):
            self._fs.rm_file(self._path(name))

    def files(self, folder: str) -> Mapping[str, StoredFile]:
        with self._sentences():
            try:
                found = self._fs.find(self._path(folder), detail=True)
            except FileNotFoundError:
                return {}
            start = len(self._root.rstrip("/")) + 1
            return {
                path[start:]: StoredFile(int(info.get("size") or 0), changed_s(info))
                for path, info in found.items()
            }

    def now_s(self) -> float:
        probe = f"clock-{secrets.token_hex(4)}"
        self.write(probe, b"")
        try:
            with self._sentences():
                return changed_s(self._fs.info(self._path(probe)))
        finally:
            self.remove(probe)

    def sweep(self) -> None:
        """Do nothing: no object is there half."""

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}".rstrip("/")

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except (NotStoredError, Cancelled):
            raise
        except Exception as error:
            # Each kind of storage has its own; not its message, in which a signature may stand.
            raise StoreError(
                "{0} does not answer or refuses ({1}); check the address, the connection, the "
                "credentials in the environment and this machine's clock.",
                self._address,
                type(error).__name__,
            ) from error
