"""A library in a bucket of a real server of S3's protocol, on this machine, where moto is there."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import pytest

from core.errors import UsageError
from core.federation.published import PublishedSource
from core.federation.source import SourceUnavailableError
from core.library.library import Library
from core.library.publication import published_model
from core.progress import Job
from core.publishing.cache import SnapshotCache
from core.publishing.publisher import publish
from core.publishing.store import open_store
from tests.conftest import BIRDS
from tests.core.conftest import SECRET, Bucket
from tests.library_requests import search

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1"]),
    # From botocore and aiohttp, whose versions are not ours to choose.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
]


def test_a_bucket_holds_a_library_and_answers_from_the_cache_when_unavailable(
    bucket: Bucket, birds: Library, tmp_path: Path
) -> None:
    address = f"s3://{bucket.name}/birds"
    store = open_store(address)
    assert store.claim("lock", b"mine")
    assert not store.claim("lock", b"yours")
    store.remove("lock")
    assert abs(store.now_s() - time.time()) < 600
    options = (birds._catalog, store, "Birds", partial(published_model, birds._generations), Job())
    assert publish(*options).is_new
    assert not publish(*options).is_new
    cache = SnapshotCache(tmp_path / "cache", 1 << 30)
    source = PublishedSource("Birds", address, cache)
    assert source.refresh()
    assert source.state().documents == len(BIRDS)
    assert search(source, "who walks under water?").hits[0].path.name == "dipper.txt"
    source.close()
    bucket.go_away()
    source = PublishedSource("Birds", address, cache)
    assert not source.refresh()
    state = source.state()
    assert state.is_offline
    assert "does not respond or denies access" in state.problem
    assert SECRET not in state.problem
    assert "The library cannot be reached" in search(source, "owl").notice
    source.close()
    with pytest.raises(SourceUnavailableError, match="does not respond or denies access"):
        PublishedSource("Other", f"s3://{bucket.name}/other", cache).refresh()


def test_credentials_are_not_read_from_an_address() -> None:
    with pytest.raises(UsageError, match="AWS_ACCESS_KEY_ID"):
        PublishedSource("Birds", "s3://key:hush@team/birds")
