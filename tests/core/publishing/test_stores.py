"""The operations of a store, on a folder and on fsspec's storage in memory."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path

import pytest

from core.errors import UsageError
from core.publishing import claim
from core.publishing.store import (
    BucketStore,
    FolderStore,
    NotStoredError,
    Store,
    StoreError,
    open_store,
)


@pytest.fixture(params=["folder", "memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "memory":
        return open_store(f"memory://{secrets.token_hex(4)}/library")
    if request.param == "file":
        return open_store((tmp_path / "a b").as_uri())
    return open_store(str(tmp_path / "share"))


def test_a_store_preserves_its_input(store: Store) -> None:
    store.write("data/ab/abc", b"one")
    store.write("current.json", b"{}")
    store.write("current.json", b"{1}")
    assert store.read("current.json", 100) == b"{1}"
    files = store.files("data")
    assert {name: file.size_bytes for name, file in files.items()} == {"data/ab/abc": 3}
    assert abs(store.now_s() - files["data/ab/abc"].changed_s) < 60
    assert set(store.files("")) == {"data/ab/abc", "current.json"}
    with pytest.raises(NotStoredError):
        store.read("nothing", 100)
    store.remove("data/ab/abc")
    store.remove("data/ab/abc")
    assert not store.files("data")
    store.sweep()


def test_only_one_claims(store: Store) -> None:
    assert store.claim("lock", b"mine")
    assert not store.claim("lock", b"yours")
    assert store.read("lock", 100) == b"mine"
    store.remove("lock")
    with claim.claimed(store):
        assert "publishing.lock" in store.files("")
    assert not store.files("")


def test_an_address_tells_which_store_it_is(tmp_path: Path) -> None:
    assert isinstance(open_store(str(tmp_path)), FolderStore)
    assert isinstance(open_store("memory://x"), BucketStore)
    assert open_store("memory://x/y").address == "memory://x/y"
    with pytest.raises(UsageError, match="not a supported address"):
        open_store("gopher://x")
    with pytest.raises(UsageError, match="Do not put a password") as error:
        open_store("s3://key:hush@bucket/x")
    assert "hush" not in str(error.value)


def test_without_its_package_a_bucket_names_the_install_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(UsageError, match=r"winnow-search\[buckets\]"):
        open_store("s3://bucket/x")


def test_error_texts_of_a_storage_are_not_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = open_store("memory://refusing")
    assert isinstance(store, BucketStore)

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("Authorization: hush")

    monkeypatch.setattr(store._fs, "cat_file", refuse)
    with pytest.raises(StoreError, match="does not respond or denies access") as error:
        store.read("current.json", 100)
    assert "hush" not in str(error.value)
    assert "RuntimeError" in str(error.value)


def test_a_file_system_without_links_lets_one_claim_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    store = FolderStore(tmp_path)
    assert store.claim("lock", b"mine")
    assert not store.claim("lock", b"yours")
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]
