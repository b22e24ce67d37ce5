"""Local agents over HTTP: on this machine, with a token, for one user only."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from core import cli
from core.commands.mcp import mcp
from core.library.library import Library
from core.serving.http.application import HttpApplication
from core.serving.http.tokens import OWN_AGENTS_FILE, TokenFile

from .conftest import ENOUGH, URL, Shelf
from .test_token_scopes import call, content

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


@pytest.fixture
def agents(served: Library, tmp_path: Path) -> Iterator[Callable[..., TestClient]]:
    """Return a client of the owner's agents that sends a token."""
    tokens = TokenFile(tmp_path, OWN_AGENTS_FILE)
    secret = tokens.add("agents", (), None)
    hosts = ("127.0.0.1", "localhost")
    application = HttpApplication(served, hosts, tokens, ENOUGH, is_own=True)
    shown = {"authorization": f"Bearer {secret}", "accept": "application/json"}
    with TestClient(application.asgi, URL) as client:

        def make(**headers: str) -> TestClient:
            client.headers.update({**shown, **headers})
            return client

        yield make


def test_they_are_answered_as_their_owner_is(
    agents: Callable[..., TestClient], shelf: Shelf
) -> None:
    found = content(call(agents(), "search", query="zanzibar mice"))
    assert found["documents"][0]["path"] == str(shelf.letters / "owl.md")
    assert found["documents"][0]["passages"][0]["cite_as"].endswith("owl.md:1-3")
    refused = call(agents(), "read", documents=["/etc/passwd"])
    assert refused["isError"]
    # They get the reason in words, as over standard input and output.
    assert "not in a folder of the library" in refused["content"][0]["text"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer winnow_wrong"}, 401),
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:8765"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"host": "localhost:8765", "origin": "http://localhost:8765"}, 200),
    ],
)
def test_strangers_are_refused(
    agents: Callable[..., TestClient], headers: dict[str, str], status: int
) -> None:
    assert agents(**headers).post("/mcp", json=LIST).status_code == status


@pytest.mark.parametrize("path", ["/", "/v1/status", "/v1/openapi.json", "/metrics", "/health"])
def test_only_the_tools_are_served(agents: Callable[..., TestClient], path: str) -> None:
    assert agents().get(path).status_code == 404


def test_a_revoked_token_opens_nothing(agents: Callable[..., TestClient], tmp_path: Path) -> None:
    client = agents()
    assert client.post("/mcp", json=LIST).status_code == 200
    (tmp_path / OWN_AGENTS_FILE).unlink()
    assert client.post("/mcp", json=LIST).status_code == 401


@pytest.fixture
def started(
    served: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Callable[..., list[str]]]:
    """Run `winnow mcp --http` up to the first request; return the lines that it prints."""
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    agents_file = served.home / OWN_AGENTS_FILE
    monkeypatch.setenv("WINNOW_HOME", str(served.home))

    def run(*arguments: str) -> list[str]:
        done = CliRunner().invoke(mcp, ["--http", "0", *arguments], catch_exceptions=False)
        assert done.exit_code == 0
        assert agents_file.stat().st_mode & 0o077 == 0
        return done.stdout.splitlines()

    yield run
    agents_file.unlink(missing_ok=True)


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_the_token_is_shown_once_with_the_line_for_the_agents_program(
    started: Callable[..., list[str]], served: Library
) -> None:
    def token(lines: list[str]) -> str:
        entry: Any = json.loads(lines[1])["mcpServers"]["winnow"]
        assert entry["url"].startswith("http://127.0.0.1:")
        assert entry["url"].endswith("/mcp")
        kind, _, secret = entry["headers"]["Authorization"].partition(" ")
        assert kind == "Bearer"
        return str(secret)

    tokens = TokenFile(served.home, OWN_AGENTS_FILE)
    first = token(started())
    assert tokens.find(first) is not None
    assert first not in (served.home / OWN_AGENTS_FILE).read_text(encoding="utf-8")
    again = started()
    assert "shown before" in again[0]
    assert not any("winnow_" in line for line in again)
    second = token(started("--new-token"))
    assert tokens.find(first) is None
    assert tokens.find(second) is not None
    # The server for a team still works without a token.
    assert not TokenFile(served.home).is_there


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--http", "--install"], "--http cannot be used with"),
        (["--new-token"], "--new-token requires --http"),
    ],
)
def test_conflicting_options_are_reported(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["mcp", *arguments]) != 0
    assert sentence in capsys.readouterr().err
