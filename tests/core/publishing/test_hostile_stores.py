"""Tests of hostile stores: they cause error messages, and every read is bounded."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import LibraryDamagedError, LibraryError
from core.federation.published import PublishedSource
from core.library.library import Library
from core.publishing.cache import SnapshotCache
from core.publishing.publisher import newest
from core.publishing.snapshot import (
    CATALOG,
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
    unpack_snapshot,
)
from core.publishing.store import FolderStore
from core.responses import Mode
from tests.library_requests import search

DIGEST = "ab" * 32
SNAPSHOT = Snapshot(
    "00000001-0123456789ab",
    "Birds",
    "0.1.0",
    1,
    "2026-11-26T00:00:00+00:00",
    PublishedModel("winnow-mini", "0123456789abcdef", DIGEST, 0.15),
    "m/1",
    3,
    9,
    1 << 18,
    (PublishedFile(CATALOG, 9, DIGEST, (DIGEST,)),),
)
CURRENT = Current(
    SNAPSHOT.id, DIGEST, (Replaced("00000000-0123456789ab", "2026-11-25T00:00:00+00:00"),)
)
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def published(birds: Library, tmp_path: Path) -> FolderStore:
    store = FolderStore(tmp_path / "share")
    birds.publish(store.address, "Birds")
    return store


@pytest.fixture
def source(published: FolderStore, tmp_path: Path) -> PublishedSource:
    return PublishedSource("Birds", published.address, SnapshotCache(tmp_path / "cache", 1 << 30))


def put(store: FolderStore, data: bytes) -> None:
    """Replace the newest manifest, with correct checksums."""
    _, snapshot = newest(store)
    store.write(snapshot_name(snapshot.id), data)
    store.write(
        "current.json", pack_current(Current(snapshot.id, hashlib.sha256(data).hexdigest()))
    )


def change_manifest(store: FolderStore, change: Change) -> None:
    _, snapshot = newest(store)
    fields = json.loads(store.read(snapshot_name(snapshot.id), 1 << 20))
    del fields["sum"]
    change(fields)
    put(store, packed(fields))


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: fields.update(documents=10**30),
        lambda fields: fields.update(documents=-1),
        lambda fields: fields.update(documents=float("inf")),
        lambda fields: fields.update(chunk_bytes=float("nan")),
        lambda fields: fields.update(passages=True),
        lambda fields: fields.update(name=["Birds"]),
        lambda fields: fields.update(published_at="yesterday\x1b[31m"),
        lambda fields: fields.update(codec="x" * 5000),
        lambda fields: fields.update(files=5),
        lambda fields: fields["model"].update(words="0.15"),
        lambda fields: fields["files"][1].update(size_bytes=1 << 62),
        lambda fields: fields["files"][1].update(path="index/.."),
        lambda fields: fields["files"][1].update(path="index/" + "x" * 300),
    ],
)
def test_invalid_values_are_refused(
    published: FolderStore, source: PublishedSource, change: Change
) -> None:
    change_manifest(published, change)
    with pytest.raises(LibraryDamagedError):
        source.refresh()


def test_a_long_snapshot_id_is_refused() -> None:
    with pytest.raises(LibraryDamagedError):
        unpack_current(pack_current(Current("1" * 5000, DIGEST)), "a folder")


@pytest.mark.parametrize("text", [b'"\\ud800"', b"[" * 3_000_000, b'"a", "name": "b"', b"NaN"])
def test_ambiguous_or_invalid_json_is_refused(
    published: FolderStore, source: PublishedSource, text: bytes
) -> None:
    _, snapshot = newest(published)
    data = published.read(snapshot_name(snapshot.id), 1 << 20)
    put(published, data.replace(b'"Birds"', text))
    with pytest.raises(LibraryDamagedError):
        source.refresh()


def test_the_published_name_is_escaped_and_shortened(
    published: FolderStore, source: PublishedSource
) -> None:
    change_manifest(
        published, lambda fields: fields.update(name="\x1b]52;c;eA==\x07" + "n" * 1_000_000)
    )
    source.refresh()
    assert source.published_name.startswith("\\x1b]52;c;eA==\\x07nnn")
    assert len(source.published_name) <= 200
    assert search(source, "owl", mode=Mode.WORDS).hits
    source.close()


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes and devices in folders")
@pytest.mark.parametrize("which", ["current.json", "snapshot", "piece"])
@pytest.mark.parametrize("kind", ["pipe", "device", "link", "long"])
def test_only_regular_files_of_limited_size_are_read(
    published: FolderStore, source: PublishedSource, which: str, kind: str, tmp_path: Path
) -> None:
    _, snapshot = newest(published)
    piece = chunk_name(snapshot.files[0].chunks[0])
    name = {"snapshot": snapshot_name(snapshot.id), "piece": piece}.get(which, which)
    place = published.folder / name
    data = place.read_bytes()
    if kind == "long":
        os.truncate(place, 1 << 40)  # sparse: uses no disk space
    else:
        place.unlink()
    match kind:
        case "pipe":
            os.mkfifo(place)
        case "device":
            place.symlink_to("/dev/zero")
        case "link":
            (tmp_path / "elsewhere").write_bytes(data)
            place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LibraryDamagedError):
        source.refresh()


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes and devices in folders")
def test_publishing_replaces_a_chunk_that_is_a_pipe(published: FolderStore, birds: Library) -> None:
    _, snapshot = newest(published)
    place = published.folder / chunk_name(snapshot.files[0].chunks[0])
    place.unlink()
    os.mkfifo(place)
    birds.publish(published.address, checks=True)
    assert place.is_file()


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["../x", "index/a", "\ud800", DIGEST, SNAPSHOT.id, 1 << 62, 10**400]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(derandomize=True)
@given(st.sampled_from([pack_snapshot(SNAPSHOT), pack_current(CURRENT)]), JSON, st.data())
def test_any_values_in_a_manifest_are_accepted_or_refused(
    good: bytes, value: object, data: st.DataObject
) -> None:
    fields = json.loads(good)
    del fields["sum"]
    within, key = fields, data.draw(st.sampled_from(sorted(fields)))
    while isinstance(within[key], (dict, list)) and within[key] and data.draw(st.booleans()):
        within = within[key]
        keys = sorted(within) if isinstance(within, dict) else range(len(within))
        key = data.draw(st.sampled_from(keys))
    within[key] = value
    try:
        text = packed(fields)
    except UnicodeEncodeError:
        body = json.dumps(fields, sort_keys=True, indent=1).encode()
        text = json.dumps(fields | {"sum": hashlib.sha256(body).hexdigest()}).encode()
    for unpack in (unpack_snapshot, unpack_current):
        try:
            unpacked = unpack(text, "a folder")
        except LibraryError:
            continue
        if isinstance(unpacked, Snapshot):
            assert max(map(len, (unpacked.name, unpacked.winnow, unpacked.published_at))) <= 200
            assert (unpacked.name + unpacked.winnow + unpacked.published_at).isprintable()


@settings(derandomize=True)
@given(st.binary(max_size=200))
def test_random_bytes_are_not_a_manifest(data: bytes) -> None:
    for unpack in (unpack_snapshot, unpack_current):
        with pytest.raises(LibraryError):
            unpack(data, "a folder")
