"""A real server of S3's protocol on this machine, moto's, and a bucket of it."""

from __future__ import annotations

import importlib.util
import secrets
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen

import pytest

from core.files import object_storage

SECRET = "hush-hush-hush"


@dataclass
class Bucket:
    """A bucket, with methods that write to it without Winnow."""

    name: str
    client: Any
    patch: pytest.MonkeyPatch

    def put(self, key: str, content: str | bytes) -> None:
        data = content.encode() if isinstance(content, str) else content
        self.client.put_object(Bucket=self.name, Key=key, Body=data)

    def remove(self, key: str) -> None:
        self.client.delete_object(Bucket=self.name, Key=key)

    def refuse(self, after: int) -> None:
        """Make the server, which has no accounts, refuse every request after a number of them."""
        address = f"{self.client.meta.endpoint_url}/moto-api/reset-auth"
        kind = {"Content-Type": "text/plain"}
        urlopen(Request(address, str(after).encode(), kind, method="POST")).close()

    def go_away(self) -> None:
        """Set its address to one at which no server answers."""
        self.patch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
        reset_stores(self.patch)

    def come_back(self) -> None:
        self.patch.setenv("AWS_ENDPOINT_URL", self.client.meta.endpoint_url)
        reset_stores(self.patch)


def reset_stores(patch: pytest.MonkeyPatch) -> None:
    """Make the next request use the current environment."""
    patch.setattr(object_storage, "_storages", {})
    patch.setattr(object_storage, "_away", {})
    object_storage.forget()


@pytest.fixture(scope="session")
def object_server() -> Iterator[str]:
    """The address of the server."""
    for package in ("s3fs", "moto", "boto3"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"there is no {package}")
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        address_line = next(line for line in server.stderr if "Running on" in line)
        yield address_line.split("Running on ")[1].split()[0]
        server.terminate()
        # Drain its output, so that it does not block.
        server.stderr.read()


@pytest.fixture
def bucket(
    object_server: str, monkeypatch: pytest.MonkeyPatch, socket_enabled: None
) -> Iterator[Bucket]:
    """A separate bucket for a test, with its credentials in the environment."""
    import boto3

    for name, value in (
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_ENDPOINT_URL", object_server),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    reset_stores(monkeypatch)
    client = boto3.client("s3")
    name = f"team-{secrets.token_hex(4)}"
    client.create_bucket(Bucket=name)
    yield Bucket(name, client, monkeypatch)
    client.close()
