"""Buckets of an object storage: listing, and fetching objects to read them like files.

fsspec accesses them. Only fsspec reads credentials, from the environment: nothing here, and nothing
stored, sent or logged, contains them.
"""

import errno
import hashlib
import logging
import math
import os
import shutil
import tempfile
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from core.addresses import readable_path
from core.errors import BucketAwayError, DocumentError, Message, UsageError
from core.files import own_files, paths
from core.files.filesystems import FileStamp

_PACKAGES: Final = {"s3": "winnow-search[buckets]", "gs": "gcsfs", "az": "adlfs"}
_OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "s3": {
        "config_kwargs": {
            "connect_timeout": 5,
            "read_timeout": 20,
            "retries": {"max_attempts": 1},
        }
    }
}
# Attempts of a request to S3 whose connection fails, or whose server is busy.
_TRIES: Final = 3
# Timeout of a request with a short answer.
_ANSWER_S: Final = 60.0
# Time without requests to a bucket that did not respond: many objects would each wait in turn.
_AWAY_S: Final = 30.0
_POLL_S: Final = 0.2
_COPY_S: Final = 24 * 60 * 60.0
_CACHED_FILES: Final = 64
_CACHED_BYTES: Final = 64_000_000
_SECOND_NS: Final = 10**9
_OPEN_FILES: Final = Path("/proc/self/fd")
# These loggers would log signed requests, including the signature.
_TALKATIVE: Final = ("botocore", "aiobotocore", "aiohttp", "s3fs", "fsspec", "gcsfs", "adlfs")


def _stamp(info: Mapping[str, Any]) -> FileStamp:
    """Return the stamp of an object that fsspec describes.

    Storages give times by the second; below that, `mtime_ns` has a checksum of the entity tag,
    which differs after a second change within the same second.
    """
    tag = str(info.get("ETag") or info.get("etag") or "").strip('"')
    below = zlib.crc32(tag.encode()) % _SECOND_NS if tag else 0
    return FileStamp(int(info.get("size") or 0), int(changed_s(info)) * _SECOND_NS + below)


def changed_s(info: Mapping[str, Any]) -> float:
    """Return the modification time of an object, whose key differs by kind of storage."""
    names = ("LastModified", "last_modified", "mtime", "created")
    changed = next((info[name] for name in names if info.get(name)), 0.0)
    return changed.timestamp() if isinstance(changed, datetime) else float(changed)


def silence_loggers() -> None:
    """Keep the storage libraries from logging signed requests."""
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)


def is_installed(path: Path) -> bool:
    """Return whether the package for this kind of bucket is installed."""
    try:
        _storage(_scheme(path))
    except UsageError:
        return False
    return True


def is_folder(path: Path) -> bool:
    """Return whether a path in a bucket is a folder: the bucket, or a prefix of objects.

    Raises:
        OSError: it does not exist, or access is denied; `BucketAwayError` without a response.
        UsageError: the library for this storage is not installed.
    """
    return bool(_ask(path, "info", limit_s=_ANSWER_S)["type"] == "directory")


def objects_in(
    folder: Path, on_step: Callable[[], None] = lambda: None
) -> list[tuple[str, FileStamp]]:
    """Return all objects in a folder, at any depth, by their keys below it.

    Raises:
        OSError: as `is_folder`.
        UsageError: the library for this storage is not installed.
    """
    objects = _ask(folder, "find", detail=True, on_step=on_step)
    start = len(_address(folder)) + 1
    return [
        (name[start:], _stamp(info))
        for name, info in objects.items()
        if info.get("type") != "directory" and len(name) > start
    ]


def stamp_of(path: Path) -> FileStamp:
    """Return the current stamp of the object at a path.

    Raises:
        OSError: it does not exist, or access is denied; `BucketAwayError` without a response.
        UsageError: the library for this storage is not installed.
    """
    info = _ask(path, "info", limit_s=_ANSWER_S)
    if info["type"] == "directory":
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), readable_path(path))
    return _stamp(info)


def opened(
    path: Path, stamp: FileStamp | None, most_bytes: int, on_step: Callable[[], None] = lambda: None
) -> int:
    """Return a descriptor of an object's contents, fetched into an unnamed file.

    Recently fetched objects are cached, so that hashing, reading and unpacking an object fetch it
    once.

    Args:
        path: of the object.
        stamp: as listed; None for the current one. The caller checks afterwards whether the fetched
            object still has it.
        most_bytes: a larger object is not fetched.
        on_step: called regularly; may raise to stop.

    Raises:
        DocumentError: it is too large.
        OSError: it cannot be fetched, or the disk is full; `BucketAwayError` if there is no
            response.
        UsageError: the library for this storage is not installed.
    """
    stamp = stamp or stamp_of(path)
    if stamp.size_bytes > most_bytes:
        raise DocumentError("Larger than {0} MB", most_bytes // 1000000)
    if (cached := _fetched.get(path, stamp)) is not None:
        return cached
    descriptor = _fetch(path, on_step)
    try:
        _fetched.keep(path, stamp, os.dup(descriptor))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def forget() -> None:
    """Clear the cache of fetched objects."""
    _fetched.clear()


def copied(path: Path, most_bytes: int, on_step: Callable[[], None] = lambda: None) -> Path:
    """Return a copy of an object in the cache, for another program to show; it is kept for a day.

    Raises:
        DocumentError, OSError, UsageError: as `opened`.
    """
    stamp = stamp_of(path)
    digest = hashlib.blake2b(f"{path}\n{stamp}".encode(), digest_size=8).hexdigest()
    _sweep_copies(older_s=_COPY_S)
    folder = _copies() / digest
    own_files.make_folder(folder)
    copy = folder / path.name
    if not copy.exists():
        descriptor, temporary = tempfile.mkstemp(dir=folder)
        try:
            with (
                os.fdopen(descriptor, "wb") as target,
                os.fdopen(opened(path, stamp, most_bytes, on_step), "rb") as source,
            ):
                source.seek(0)
                shutil.copyfileobj(source, target)
            # Writes to a copy would be lost.
            Path(temporary).chmod(0o400)
            Path(temporary).replace(copy)
        except BaseException:
            own_files.discard(Path(temporary))
            raise
    return copy


def remove_copies() -> None:
    """Remove the copies of objects made for other programs."""
    _sweep_copies(older_s=0)


def _copies() -> Path:
    return paths.cache() / "objects"


def _sweep_copies(older_s: float) -> None:
    for folder in _copies().glob("*"):
        if time.time() - folder.stat().st_mtime >= older_s:
            shutil.rmtree(folder, ignore_errors=True)


class _ObjectCache:
    """Cache of recently fetched objects, as descriptors of unnamed files. Thread-safe."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._files: OrderedDict[tuple[Path, FileStamp], int] = OrderedDict()

    def get(self, path: Path, stamp: FileStamp) -> int | None:
        """Return a new descriptor of an object's content, for the caller; None if not cached."""
        with self._guard:
            descriptor = self._files.get((path, stamp))
            if descriptor is None:
                return None
            self._files.move_to_end((path, stamp))
            return os.dup(descriptor)

    def keep(self, path: Path, stamp: FileStamp, descriptor: int) -> None:
        """Cache a descriptor, and evict the oldest ones beyond the limit."""
        with self._guard:
            if (earlier := self._files.pop((path, stamp), None)) is not None:
                os.close(earlier)
            self._files[path, stamp] = descriptor
            total = sum(stamp.size_bytes for _, stamp in self._files)
            while len(self._files) > 1 and (
                len(self._files) > _CACHED_FILES or total > _CACHED_BYTES
            ):
                (_, oldest), file = self._files.popitem(last=False)
                total -= oldest.size_bytes
                os.close(file)

    def clear(self) -> None:
        with self._guard:
            while self._files:
                os.close(self._files.popitem()[1])


_fetched: Final = _ObjectCache()


def _fetch(path: Path, on_step: Callable[[], None]) -> int:
    """Return the descriptor of an unnamed file with an object's contents."""
    own_files.make_folder(paths.cache())
    descriptor, name = tempfile.mkstemp(prefix="object-", dir=paths.cache())
    try:
        try:
            if _OPEN_FILES.is_dir():
                # Unnamed, so that nothing remains even if this process is killed.
                Path(name).unlink()
                _ask(path, "get_file", str(_OPEN_FILES / str(descriptor)), on_step=on_step)
            else:
                _ask(path, "get_file", name, on_step=on_step)
        finally:
            Path(name).unlink(missing_ok=True)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


# Asking

_storages: dict[str, Any] = {}
_away: dict[str, tuple[float, BucketAwayError]] = {}
_creating: Final = threading.Lock()


def _scheme(path: Path) -> str:
    return str(path).partition(":")[0]


def _address(path: Path) -> str:
    """Return the bucket and the key in fsspec's form."""
    return readable_path(path).partition("://")[2]


def _bucket(path: Path) -> str:
    return f"{_scheme(path)}://{_address(path).partition('/')[0]}"


def _storage(scheme: str) -> Any:
    """Return fsspec's file system for a kind of bucket.

    Raises:
        UsageError: its package is not installed.
    """
    with _creating:
        if scheme not in _storages:
            silence_loggers()
            try:
                import fsspec

                # Bypass fsspec's cache of listings: other programs write to the bucket.
                storage = fsspec.filesystem(
                    scheme,
                    use_listings_cache=False,
                    skip_instance_cache=True,
                    **_OPTIONS.get(scheme, {}),
                )
            except ImportError as error:
                raise UsageError(
                    "Reading documents at {0} requires a package that is not installed. Install "
                    "{1}.",
                    f"{scheme}://",
                    _PACKAGES[scheme],
                ) from error
            if scheme == "s3":
                storage.retries = _TRIES
            _storages[scheme] = storage
        return _storages[scheme]


def _ask(
    path: Path,
    what: str,
    *arguments: Any,
    on_step: Callable[[], None] = lambda: None,
    limit_s: float | None = None,
    **options: Any,
) -> Any:
    """Call a method of fsspec's file system with an address, and return the result.

    Raises:
        OSError: it does not exist, access is denied, or the disk is full; `BucketAwayError`
            without a response.
        UsageError: the library for this storage is not installed.
    """
    storage, bucket = _storage(_scheme(path)), _bucket(path)
    until_s, before = _away.get(bucket, (0.0, None))
    if before is not None and time.monotonic() < until_s:
        raise before
    import asyncio
    from concurrent import futures

    # The asynchronous method behind the public one, because it can be cancelled.
    call = getattr(storage, f"_{what}")(_address(path), *arguments, **options)
    future = asyncio.run_coroutine_threadsafe(call, storage.loop)
    end_s = math.inf if limit_s is None else time.monotonic() + limit_s
    try:
        while not futures.wait([future], _POLL_S).done:
            on_step()
            if time.monotonic() > end_s:
                raise _silence(bucket, TimeoutError())
    finally:
        future.cancel()
    error = future.exception()
    if error is not None:
        raise _plain(error, bucket) from error
    _away.pop(bucket, None)
    return future.result()


# Class names of botocore, to avoid importing it.
_REFUSALS: Final = ("NoCredentialsError", "PartialCredentialsError", "TokenRetrievalError")


def _plain(error: BaseException, bucket: str) -> BaseException:
    """Return the corresponding plain OSError without the storage's message.

    The message may contain a signature.
    """
    kind = type(error).__name__
    if isinstance(error, (FileNotFoundError, ValueError)) or kind == "ParamValidationError":
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), bucket)
    if isinstance(error, PermissionError) or kind in _REFUSALS:
        return PermissionError(errno.EACCES, os.strerror(errno.EACCES), bucket)
    if not isinstance(error, OSError) or isinstance(error, (ConnectionError, TimeoutError)):
        return _silence(bucket, error)
    if own_files.is_out_of_room(error):
        return error
    # The bucket responds, so other objects may be readable.
    reason = Message("{0} returned an error ({1})", bucket, kind)
    return BucketAwayError(errno.EHOSTUNREACH, reason)


def _silence(bucket: str, error: BaseException) -> BucketAwayError:
    reason = Message("{0} does not respond ({1})", bucket, type(error).__name__)
    silent = BucketAwayError(errno.EHOSTUNREACH, reason)
    _away[bucket] = time.monotonic() + _AWAY_S, silent
    return silent
