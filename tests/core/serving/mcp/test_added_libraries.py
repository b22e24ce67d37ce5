"""Agents' tools over the local library and added ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from core.encoders.encoder import Encoder
from core.errors import LibraryError
from core.federation.federation import Federation
from core.federation.library_list import add_library
from core.federation.source import LibrarySource, SourceUnavailableError
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.requests import Explain, LocateLines, Request, Response
from core.responses import Mode, SourceState
from core.search.query.language import filter_clause, parse
from core.serving.mcp import answers
from core.serving.mcp.tools import Extent, Tools, with_filters
from tests.conftest import write_files
from tests.waiting import patience

from .conftest import PROGRAM, Shelf, content, talk

if TYPE_CHECKING:
    from mcp import Client

HERON = {
    "heron.txt": "The heron stands in shallow water without moving and waits for fish.",
    "notes.md": "# Herons\n\nThe heron nests in colonies in tall trees near the water.",
}
QUERY = "which bird waits for fish in shallow water"


@pytest.fixture(scope="module")
def theirs(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Another user's library, published next to its home."""
    root = tmp_path_factory.mktemp("theirs").resolve()
    write_files(root / "documents", HERON)
    with pytest.MonkeyPatch.context() as patch, Library.open(root / "home") as library:
        patch.setattr(
            "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
        )
        library.add_folder(root / "documents")
        library.sync()
        library.publish(str(root / "share"), "Team")
        library.warm_up()
        yield library


class Leaving(LibrarySource):
    """A library whose machine may be turned off."""

    is_off = False

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        if self.is_off and isinstance(request, Explain):
            raise SourceUnavailableError("The library {0} does not answer.", self.name)
        return super().answer(request, job)

    def state(self) -> SourceState:
        problem = "The library Team does not answer." if self.is_off else ""
        return SourceState(self.name, "there", self.is_off, problem, documents=2)


@pytest.fixture
def team(theirs: Library) -> Leaving:
    return Leaving("Team", theirs)


@pytest.fixture
def tools(
    shelf: Shelf, team: Leaving, encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Tools]:
    monkeypatch.setattr(
        "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
    )
    with Library.open(shelf.home, LibraryOptions(is_read_only=True)) as own:
        federation = Federation(LibrarySource("", own), deadline_s=patience())
        federation.add(team)
        yield Tools(federation)


def find(tools: Tools, query: str = QUERY, **filters: tuple[str, ...]) -> answers.SearchAnswer:
    built = tools.filters(
        folders=filters.get("folders", ()),
        kinds=filters.get("kinds", ()),
        authors=(),
        names=(),
        after=None,
        before=None,
    )
    return tools.search(query, built, Mode.HYBRID, Extent(0, 10, passages=4, is_detailed=True))


def test_documents_of_an_added_library_are_found_read_and_explained(tools: Tools) -> None:
    found = find(tools)
    hit = found.documents[0]
    assert (Path(hit.path).name, hit.library) == ("heron.txt", "Team")
    assert {one.library for one in found.documents} == {"", "Team"}
    passage = hit.passages[0]
    explained = tools.explain(QUERY, passage.passage_id)
    assert explained.is_ranking_score
    assert explained.score == pytest.approx(passage.score, rel=1e-5)
    assert explained.path == hit.path
    reading = tools.read_passage(passage.passage_id, 1, 1)
    assert reading.passage.text == passage.text == HERON["heron.txt"]
    (read,) = tools.read([hit.document_id], 1, 0, 1_000).documents
    assert (read.path, read.text) == (hit.path, HERON["heron.txt"])
    with pytest.raises(LibraryError, match="has no page 9"):
        tools.read([hit.document_id], 9, 0, 1_000)


def test_ones_own_documents_are_read_as_before(tools: Tools, shelf: Shelf) -> None:
    hit = find(tools, "owls hunt mice at night").documents[0]
    assert (hit.path, hit.library) == (str(shelf.folder / "owl.txt"), "")
    by_path, by_id = tools.read([hit.path, hit.document_id], 1, 0, 1_000).documents
    assert by_path == by_id


def test_filters_hold_in_every_library(tools: Tools, shelf: Shelf) -> None:
    kinds = {Path(one.path).suffix for one in find(tools, kinds=("markdown",)).documents}
    assert kinds == {".md"}
    assert {one.library for one in find(tools, kinds=("markdown",)).documents} == {"", "Team"}
    within = find(tools, folders=(str(shelf.letters),)).documents
    assert {Path(one.path).parent for one in within} == {shelf.letters}


def test_an_agent_names_the_libraries_that_it_searches(tools: Tools) -> None:
    both = find(tools)
    assert {one.library for one in both.documents} == {"", "Team"}
    assert {one.library for one in find(tools, f"{QUERY} library:team").documents} == {"Team"}
    own = find(tools, f"{QUERY} -library:team", kinds=("text", "markdown"))
    assert {one.library for one in own.documents} == {""}
    assert "There is no library teem" in find(tools, f"{QUERY} library:teem").notice
    numbers = tuple(one.passages[0].passage_id for one in both.documents)
    assert set(tools._library.answer(LocateLines(numbers))) == set(numbers)


def test_a_filter_narrows_what_the_query_filters_itself() -> None:
    narrow = with_filters("owls type:pdf", [filter_clause("type", "word")])
    either = with_filters("owls", [filter_clause("type", "word"), filter_clause("type", "pdf")])
    assert parse(narrow).scope != parse("owls type:pdf type:word").scope
    assert parse(narrow).text == "owls"
    assert parse(either).scope.either


def test_a_disabled_library_is_reported(tools: Tools, team: Leaving) -> None:
    number = find(tools).documents[0].passages[0].passage_id
    team.is_off = True
    with pytest.raises(SourceUnavailableError, match="The library Team does not answer"):
        tools.explain(QUERY, number)
    (state,) = tools.list_folders(0, 50).libraries
    assert (state.name, state.is_there, state.documents) == ("Team", False, 2)
    assert state.problem == "The library Team does not answer."


def test_winnow_mcp_answers_for_added_libraries(
    shelf: Shelf, theirs: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    share = theirs.home.parent / "share"
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))

    async def ask(client: Client) -> Any:
        found = await client.call_tool("search", {"query": QUERY, "limit": 1, "mode": "words"})
        assert not found.is_error, found.content
        (hit,) = content(found)["documents"]
        number = {"passage_id": hit["passages"][0]["passage_id"]}
        read = await client.call_tool("read_passage", number)
        assert not read.is_error, read.content
        listed = await client.call_tool("list_folders", {})
        return hit["library"], content(read)["path"], content(listed)

    with Library.open(home) as own:
        add_library(own.home, str(share))
    from core.federation.published import open_published

    open_published("share", str(share)).close()
    replies = talk(home, ask, tmp_path / "errors.txt")
    assert replies[:2] == ("share", str(share.parent / "documents" / "heron.txt"))
    assert [one["name"] for one in replies[2]["libraries"]] == ["share"]


LOOKING = PROGRAM.replace(
    "from core.cli import main",
    "from core.commands import mcp as served\nserved._REFRESHED_EACH_S = 0.05\n"
    "from core.cli import main",
)
"""Looks for news as often as a test has patience for."""


def test_documents_published_while_winnow_mcp_runs_are_found(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, share = tmp_path / "home", str(tmp_path / "share")
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(
        "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
    )
    write_files(tmp_path / "documents", HERON)
    Library.open(home).close()
    with Library.open(tmp_path / "theirs") as library:
        library.add_folder(tmp_path / "documents")
        library.sync()
        library.publish(share)
        add_library(home, share, "Team")

        async def ask(client: Client) -> list[str]:
            arguments = {"query": "stork", "mode": "words"}
            before = await client.call_tool("search", arguments)
            assert "documents" not in content(before)
            write_files(tmp_path / "documents", {"stork.txt": "The stork nests on chimneys."})
            library.sync()
            library.publish(share)
            with anyio.fail_after(patience()):
                while "documents" not in content(await client.call_tool("search", arguments)):
                    await anyio.lowlevel.checkpoint()
            found = await client.call_tool("search", arguments)
            return [Path(one["path"]).name for one in content(found)["documents"]]

        assert talk(home, ask, tmp_path / "errors.txt", LOOKING) == ["stork.txt"]


def test_ones_own_library_alone_is_served_where_that_is_wanted(
    shelf: Shelf, theirs: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    home = tmp_path / "home"
    Library.open(home).close()
    add_library(home, str(theirs.home.parent / "share"), "Team")

    async def ask(client: Client) -> Any:
        found = await client.call_tool("search", {"query": QUERY, "mode": "words"})
        listed = await client.call_tool("list_folders", {})
        return content(found).get("documents"), content(listed).get("libraries")

    program = PROGRAM.replace('["mcp"]', '["mcp", "--own"]')
    assert talk(home, ask, tmp_path / "errors.txt", program) == (None, None)
    assert not (tmp_path / "cache" / "libraries").exists()
