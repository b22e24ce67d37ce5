"""What a published library says of itself: manifests, and the pieces that they name."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Final

from core.errors import LibraryError
from core.progress import Job
from core.publishing.cache import SnapshotCache, SnapshotGoneError
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
_PIECE: Final = b"SQLite format 3\0"
_DIGEST: Final = hashlib.sha256(_PIECE).hexdigest()
_ID: Final = "00000001-0123456789ab"


def seeds(folder: Path) -> list[bytes]:
    """Return both kinds of manifest; the store in the folder has the one piece that they name."""
    store = FolderStore(folder / "store")
    store.write(chunk_name(_DIGEST), _PIECE)
    files = (
        PublishedFile(CATALOG, len(_PIECE), _DIGEST, (_DIGEST,)),
        PublishedFile("index/ab.safetensors", len(_PIECE), _DIGEST, (_DIGEST,)),
    )
    model = PublishedModel("winnow-mini", "0123456789abcdef", _DIGEST, 0.15)
    snapshot = Snapshot(
        _ID, "Bïrds", "0.1.0", 1, "2026-11-26T00:00:00+00:00", model, "m/1", 3, 9, 1 << 18, files
    )
    older = (Replaced("00000000-0123456789ab", "2026-11-25T00:00:00+00:00"),)
    return [pack_snapshot(snapshot), pack_current(Current(_ID, _DIGEST, older))]


def attempt(data: bytes, folder: Path) -> None:
    """Read a manifest as it is, and with a checksum that is right; fetch what it names."""
    store = FolderStore(folder / "store")
    cache = SnapshotCache(folder / "cache", 1 << 20)
    shutil.rmtree(folder / "cache", ignore_errors=True)
    errors = []
    for text in (data, _summed(data)):
        try:
            unpack_current(text, store.address)
        except LibraryError as error:
            errors.append(error)
        store.write(CURRENT, pack_current(Current(_ID, hashlib.sha256(text).hexdigest())))
        store.write(snapshot_name(_ID), text)
        try:
            _, snapshot = newest(store)
            cached = cache.place(store.address, snapshot)
            with cache.in_use(cached):
                cache.fetch(store, cached, Job())
        except LibraryError as error:
            errors.append(error)
        except (SnapshotGoneError, NotStoredError):
            pass
    if errors:
        raise errors[-1]


def _summed(data: bytes) -> bytes:
    """Return a manifest with the checksum that its publisher would have given it."""
    try:
        fields = json.loads(data)
        fields.pop("sum", None)
        return packed(fields)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return data
