"""Fuzz target: the manifests of a published library."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Final

from core.errors import LibraryError
from core.progress import Job
from core.publishing.cache import SnapshotCache, SnapshotMissingError
from core.publishing.publisher import newest
from core.publishing.snapshot import (
    CATALOG,
    CURRENT,
    Current,
    PublishedFile,
    PublishedModel,
    Replaced,
    Snapshot,
    chunk_name,
    pack_current,
    pack_snapshot,
    packed,
    snapshot_name,
    unpack_current,
)
from core.publishing.store import FolderStore, NotStoredError

KIND: Final = "manifest"
_CHUNK: Final = b"SQLite format 3\0"
_DIGEST: Final = hashlib.sha256(_CHUNK).hexdigest()
_ID: Final = "00000001-0123456789ab"


def seeds(folder: Path) -> list[bytes]:
    """Return both kinds of manifest, and store the one chunk that they refer to."""
    store = FolderStore(folder / "store")
    store.write(chunk_name(_DIGEST), _CHUNK)
    files = (
        PublishedFile(CATALOG, len(_CHUNK), _DIGEST, (_DIGEST,)),
        PublishedFile("index/ab.safetensors", len(_CHUNK), _DIGEST, (_DIGEST,)),
    )
    model = PublishedModel("winnow-mini", "0123456789abcdef", _DIGEST, 0.15)
    snapshot = Snapshot(
        _ID, "Bïrds", "0.1.0", 1, "2026-11-26T00:00:00+00:00", model, "m/1", 3, 9, 1 << 18, files
    )
    older = (Replaced("00000000-0123456789ab", "2026-11-25T00:00:00+00:00"),)
    return [pack_snapshot(snapshot), pack_current(Current(_ID, _DIGEST, older))]


def attempt(data: bytes, folder: Path) -> None:
    """Read a manifest as it is and with a correct checksum, and fetch the files in it."""
    store = FolderStore(folder / "store")
    cache = SnapshotCache(folder / "cache", 1 << 20)
    shutil.rmtree(folder / "cache", ignore_errors=True)
    errors = []
    for text in (data, _with_checksum(data)):
        try:
            unpack_current(text, store.address)
        except LibraryError as error:
            errors.append(error)
        store.write(CURRENT, pack_current(Current(_ID, hashlib.sha256(text).hexdigest())))
        store.write(snapshot_name(_ID), text)
        try:
            _, snapshot = newest(store)
            cached = cache.folder_for(store.address, snapshot)
            with cache.in_use(cached):
                cache.fetch(store, cached, Job())
        except LibraryError as error:
            errors.append(error)
        except (SnapshotMissingError, NotStoredError):
            pass
    if errors:
        raise errors[-1]


def _with_checksum(data: bytes) -> bytes:
    """Return a manifest with a correct checksum, if it is a JSON object."""
    try:
        fields = json.loads(data)
        fields.pop("sum", None)
        return packed(fields)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return data
