"""Stores of published libraries: a few operations on named files, in a folder or a bucket."""

import asyncio
import contextlib
import os
import secrets
from collections.abc import Iterator, Mapping
from concurrent import futures
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit, urlunsplit
from urllib.request import url2pathname

from core.errors import Cancelled, DiskFullError, LibraryError, UsageError
from core.files import foreign_files, own_files, paths
from core.files.foreign_files import UnexpectedFileError
from core.files.locations import Location
from core.files.object_storage import changed_s, silence_loggers
from core.progress import Job

# Permissions of published files, subject to the umask: other people read them.
_PUBLIC_MODE: Final = 0o666


class StoreError(LibraryError):
    """A place where a library is published cannot be reached, read or written."""


class NotStoredError(Exception):
    """The file does not exist; the caller converts this error."""


class UnexpectedPieceError(Exception):
    """The path is not a regular file, or the file is too large; the caller converts this error."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file's attributes; the time is by the store's clock, in seconds."""

    size_bytes: int
    changed_s: float


class Store(Protocol):
    """Files by names with slashes, written atomically.

    Each method raises `StoreError` if the store does not respond or denies access.
    """

    @property
    def address(self) -> str:
        """The address shown to people, without credentials."""

    def read(self, name: str, most_bytes: int, job: Job | None = None) -> bytes:
        """Return the contents of a file, which is untrusted.

        Args:
            name: of the file.
            most_bytes: largest size.
            job: to cancel it.

        Raises:
            NotStoredError: it does not exist.
            UnexpectedPieceError: it is not a regular file, or is larger.
            Cancelled: the job was cancelled.
        """

    def write(self, name: str, data: bytes) -> None:
        """Write or replace a file atomically."""

    def claim(self, name: str, data: bytes) -> bool:
        """Write a file unless it exists; return whether it was written."""

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""

    def files(self, folder: str) -> Mapping[str, StoredFile]:
        """Return all files in a folder, at any depth, by their full names."""

    def now_s(self) -> float:
        """Return the time of the store's clock."""

    def sweep(self) -> None:
        """Remove unfinished files; call it when no other program writes."""


class FolderStore:
    """A folder on a disk or a share; everyone with access to it can read the library."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def address(self) -> str:
        return str(self.folder)

    def read(self, name: str, most_bytes: int, job: Job | None = None) -> bytes:
        on_step = (job or Job()).checkpoint
        try:
            return foreign_files.read(self._path(name), most_bytes, on_step)
        except UnexpectedFileError as error:
            raise UnexpectedPieceError(name) from error
        except (FileNotFoundError, NotADirectoryError) as error:
            if not Location.of(self.folder).is_folder():
                raise StoreError(
                    "The folder {0} cannot be reached. Check the path and the connection.",
                    self.folder,
                ) from error
            raise NotStoredError(name) from error
        except OSError as error:
            raise self._error("read", error) from error

    def write(self, name: str, data: bytes) -> None:
        path = self._path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            own_files.atomic_write(path, data, _PUBLIC_MODE)
        except OSError as error:
            raise self._error("written", error) from error

    def claim(self, name: str, data: bytes) -> bool:
        path = self._path(name)
        temporary = path.with_name(f".winnow-{os.getpid()}-{secrets.token_hex(4)}.making")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Complete before it is renamed: a killed program leaves no empty claim.
            own_files.atomic_write(temporary, data, _PUBLIC_MODE)
            try:
                os.link(temporary, path)
            except FileExistsError:
                return False
            except OSError:
                # A file system without links, as on USB drives and some shares.
                try:
                    with path.open("xb") as file:
                        file.write(data)
                except FileExistsError:
                    return False
            return True
        except OSError as error:
            raise self._error("written", error) from error
        finally:
            own_files.discard(temporary)

    def remove(self, name: str) -> None:
        try:
            self._path(name).unlink(missing_ok=True)
        except OSError as error:
            raise self._error("written", error) from error

    def files(self, folder: str) -> Mapping[str, StoredFile]:
        files = {}
        try:
            for path in (self.folder / folder).rglob("*"):
                if path.name.startswith(".winnow-") or not path.is_file():
                    continue
                status = path.stat()
                name = path.relative_to(self.folder).as_posix()
                files[name] = StoredFile(status.st_size, status.st_mtime)
        except FileNotFoundError:
            # Removed concurrently by another program.
            pass
        except OSError as error:
            raise self._error("read", error) from error
        return files

    def now_s(self) -> float:
        probe = self._path(f".winnow-{os.getpid()}-{secrets.token_hex(4)}.making")
        try:
            probe.touch()
            return probe.stat().st_mtime
        except OSError as error:
            raise self._error("written", error) from error
        finally:
            own_files.discard(probe)

    def sweep(self) -> None:
        for temporary in self.folder.rglob(".winnow-*.making"):
            own_files.discard(temporary)

    def _path(self, name: str) -> Path:
        return self.folder / name

    def _error(self, how: str, error: OSError) -> LibraryError:
        if own_files.is_out_of_room(error):
            return DiskFullError(
                "The disk of {0} is full. Free up space and try again; the previously published "
                "version is unchanged.",
                self.folder,
            )
        if how == "read":
            return StoreError(
                "The folder {0} cannot be read ({1}). Check the path and your permissions.",
                self.folder,
                error.strerror or error,
            )
        return StoreError(
            "The folder {0} cannot be written to ({1}). Check the path and your permissions.",
            self.folder,
            error.strerror or error,
        )


class BucketStore:
    """A folder of an object storage; credentials come from the environment and stay there."""

    def __init__(self, address: str) -> None:
        """Open the bucket at an address, without credentials.

        Raises:
            UsageError: the library for this storage is not installed, or the scheme is unknown.
        """
        self.address = address
        silence_loggers()
        try:
            from fsspec.core import url_to_fs

            # Bypass fsspec's cache of listings: other programs write to the bucket.
            self._fs, self._root = url_to_fs(
                address, use_listings_cache=False, skip_instance_cache=True
            )
        except ImportError as error:
            raise UsageError(
                "Libraries at {0} require packages that are not installed. Run: pip install "
                "'winnow-search[buckets]'.",
                address,
            ) from error
        except ValueError as error:
            raise UsageError(
                "{0} is not a supported address. Use a folder or s3://BUCKET/FOLDER.",
                address,
            ) from error

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
        """Return the first bytes of an object; cancellation ends a pending request."""
        if not self._fs.async_impl:
            job.checkpoint()
            return bytes(self._fs.cat_file(path, start=0, end=most_bytes))
        future = asyncio.run_coroutine_threadsafe(
            self._fs._cat_file(path, start=0, end=most_bytes),  # noqa: SLF001 - it can be given up
            self._fs.loop,
        )

        def give_up() -> None:
            future.cancel()

        with job.on_cancel(give_up):
            try:
                return bytes(future.result())
            except futures.CancelledError:
                job.checkpoint()
                raise

    def write(self, name: str, data: bytes) -> None:
        # Objects are written atomically.
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
                infos = self._fs.find(self._path(folder), detail=True)
            except FileNotFoundError:
                return {}
            start = len(self._root.rstrip("/")) + 1
            return {
                path[start:]: StoredFile(int(info.get("size") or 0), changed_s(info))
                for path, info in infos.items()
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
        """Do nothing: objects are written atomically."""

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}".rstrip("/")

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except (NotStoredError, Cancelled):
            raise
        except Exception as error:
            # Each kind of storage has its own errors. Their messages may contain a signature.
            raise StoreError(
                "{0} does not respond or denies access ({1}). Check the address, the connection, "
                "the credentials and this computer's clock.",
                self.address,
                type(error).__name__,
            ) from error


def open_store(address: str) -> Store:
    """Return the store at an address: a folder's path, file:// or what fsspec knows (s3://…).

    Raises:
        UsageError: the address contains a password, or its kind is not supported.
    """
    scheme, separator, _ = address.partition("://")
    if not separator or len(scheme) < 2:  # C:\ is not a scheme
        return FolderStore(paths.absolute(address))
    if scheme == "file":
        return FolderStore(Path(url2pathname(urlsplit(address).path)))
    return BucketStore(without_credentials(address))


def without_credentials(address: str) -> str:
    """Return an address if it contains no credentials.

    Raises:
        UsageError: it contains a user name or a password.

    >>> without_credentials("s3://team/library")
    's3://team/library'
    """
    parts = urlsplit(address)
    if "@" in parts.netloc or parts.query:
        bare = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
        raise UsageError(
            "Do not put a password in the address {0}, because addresses are stored and shown. "
            "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.",
            bare,
        )
    return address
