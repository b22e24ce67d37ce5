"""Commands and agents with an added server: search, explain and read through it."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from core.federation.library_list import add_library, added_libraries
from core.federation.server_tokens import TOKENS
from core.library.library import Library
from core.serving.http.tokens import TokenFile
from tests.conftest import BIRDS, Run
from tests.core.serving.http.conftest import Serve, Shelf
from tests.core.serving.mcp.conftest import content, talk

if TYPE_CHECKING:
    from mcp import Client

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]
QUERY = "who hunts mice at night"
ONLINE = """
import sys
from core.cli import main
sys.exit(main(["mcp"]))
"""


@pytest.fixture
def url(serve: Serve, home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the served library, added to a user's empty one."""
    monkeypatch.setitem(sys.modules, "keyring", None)
    Library.open(home).close()
    return f"http://127.0.0.1:{serve()}"


@pytest.fixture
def token(url: str, tokens: TokenFile, shelf: Shelf) -> Iterator[str]:
    """A token for one folder, known to this process during the test."""
    secret = tokens.add("anna", [shelf.letters], None)
    TOKENS.put(url, secret)
    yield secret
    TOKENS.remove(url)


def test_a_result_of_a_server_is_explained(url: str, home: Path, shelf: Shelf, run: Run) -> None:
    add_library(home, url, "Team")
    status, out, errors = run("explain", QUERY)
    assert (status, errors) == (0, "")
    assert f"{shelf.birds / 'owl.txt'}, page 1, in Team" in out
    assert "the score in the search results." in out
    fields = json.loads(run("explain", QUERY, "--json")[1])
    assert fields["library"] == "Team"
    assert fields["score"] == pytest.approx(fields["score_in_list"], abs=1e-3)


def test_results_outside_a_token_scope_are_hidden_and_its_expiry_is_reported(
    url: str, token: str, tokens: TokenFile, home: Path, shelf: Shelf, run: Run
) -> None:
    add_library(home, url, "Team")
    found = json.loads(run("search", QUERY, "--format", "json")[1])["results"]
    assert found
    assert all(Path(one["path"]).is_relative_to(shelf.letters) for one in found)
    tokens.revoke("anna")
    status, out, errors = run("search", QUERY)
    assert status == 0
    assert "rejected the token" in errors
    # A user who searches only added libraries gets no hint to fill one.
    assert "The library is empty" not in errors
    assert token not in out + errors
    (state,) = json.loads(run("library", "list", "--json")[1])["libraries"]
    assert "rejected the token" in state["problem"]


def test_a_server_that_is_added_again_gets_the_new_token(
    url: str,
    token: str,
    tokens: TokenFile,
    home: Path,
    shelf: Shelf,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def add(secret: str, *options: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{secret}\n"))
        return run("library", "add", url, *options)

    add_library(home, url, "Team")
    tokens.revoke("anna")
    renewed = tokens.add("bert", [shelf.letters], None)
    status, _, errors = add("winnow_wrong")
    assert status == 1
    assert "rejected the token" in errors
    assert TOKENS.get(url) == token
    status, _, errors = add(renewed, "--name", "Other")
    assert status == 2
    assert f"The library {url} was already added as Team." in errors
    assert add(renewed)[0] == 0
    assert [one.name for one in added_libraries(home)] == ["Team"]
    assert json.loads(run("search", QUERY, "--format", "json")[1])["results"]


def test_agents_find_read_and_explain_what_a_server_has(
    url: str, home: Path, shelf: Shelf, tmp_path: Path
) -> None:
    add_library(home, url, "Team")

    async def ask(client: Client) -> Any:
        found = await client.call_tool("search", {"query": QUERY, "limit": 1})
        assert not found.is_error, found.content
        (hit,) = content(found)["documents"]
        passage = hit["passages"][0]
        answers = {"hit": hit}
        for name, arguments in (
            ("explain", {"query": QUERY, "passage_id": passage["passage_id"]}),
            ("read_passage", {"passage_id": passage["passage_id"]}),
            ("list_folders", {}),
        ):
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, answer.content
            answers[name] = content(answer)
        return answers

    answers = talk(home, ask, tmp_path / "errors.txt", ONLINE)
    assert (answers["hit"]["library"], answers["hit"]["path"]) == (
        "Team",
        str(shelf.birds / "owl.txt"),
    )
    in_list = answers["hit"]["passages"][0]["score"]
    assert answers["explain"]["score"] == pytest.approx(in_list, rel=1e-5)
    assert answers["read_passage"]["passage"]["text"] == BIRDS["owl.txt"]
    (library,) = answers["list_folders"]["libraries"]
    assert (library["name"], library["is_there"]) == ("Team", True)
