"""A library in a bucket of a real server of S3's protocol, on this machine, where moto is there."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import UsageError
from core.federation.published import PublishedSource
from core.federation.source import SourceUnavailableError
from core.library import Library
from core.progress import Job
from core.publishing.addresses import open_store
from core.publishing.cache import SnapshotCache
from core.publishing.publisher import publish
from tests.conftest import BIRDS

pytest.importorskip("s3fs", reason="of the extra buckets")
boto3 = pytest.importorskip("boto3", reason="comes with moto")
pytest.importorskip("moto", reason="the server of the tests")

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1"]),
    # Of botocore and aiohttp, whose versions are not ours to choose.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
]


@pytest.fixture
def bucket(
    monkeypatch: pytest.MonkeyPatch, socket_enabled: None
) -> Iterator[subprocess.Popen[bytes]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        deadline_s = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert server.poll() is None
                assert time.monotonic() < deadline_s
        for name, value in (
            ("AWS_ACCESS_KEY_ID", "key"),
            ("AWS_SECRET_ACCESS_KEY", "hush"),
            ("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}"),
            ("AWS_DEFAULT_REGION", "us-east-1"),
        ):
            monkeypatch.setenv(name, value)
        boto3.client("s3").create_bucket(Bucket="team")
        yield server
        server.terminate()


def test_a_bucket_holds_a_library_and_answers_from_the_cache_when_it_is_gone(
    bucket: subprocess.Popen[bytes], birds: Library, tmp_path: Path
) -> None:
    store = open_store("s3://team/birds")
    assert store.claim("lock", b"mine")
    assert not store.claim("lock", b"yours")
    store.remove("lock")
    assert abs(store.now_s() - time.time()) < 600
    options = (birds._catalog, store, "Birds", birds._published_model, Job())
    assert publish(*options).is_new
    assert not publish(*options).is_new
    cache = SnapshotCache(tmp_path / "cache", 1 << 30)
    source = PublishedSource("Birds", "s3://team/birds", cache)
    assert source.refresh()
    assert source.state().documents == len(BIRDS)
    assert source.search("who walks under water?").hits[0].path.name == "dipper.txt"
    bucket.terminate()
    bucket.wait()
    assert not source.refresh()
    state = source.state()
    assert state.is_offline
    assert "does not answer or refuses" in state.problem
    assert "hush" not in state.problem
    assert "It cannot be reached" in source.search("owl").notice
    source.close()
    with pytest.raises(SourceUnavailableError, match="does not answer or refuses"):
        PublishedSource("Other", "s3://team/other", cache).refresh()


def test_credentials_are_not_taken_from_an_address() -> None:
    with pytest.raises(UsageError, match="AWS_ACCESS_KEY_ID"):
        PublishedSource("Birds", "s3://key:hush@team/birds")
