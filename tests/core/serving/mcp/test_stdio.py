"""`winnow mcp` as agents have it: started as a process, spoken to by the SDK's own client."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock
import pytest

from core.serving.mcp.tools import LARGEST_ANSWER
from tests.conftest import BIRDS

from .conftest import PROGRAM, ROOT, Shelf, content, talk

if TYPE_CHECKING:
    from mcp import Client


@pytest.fixture
def errors(tmp_path: Path) -> Path:
    """The standard error of the server."""
    return tmp_path / "errors.txt"


def stamps(home: Path) -> dict[str, tuple[int, int]]:
    """Size and time of a library's files, without SQLite's own."""
    return {
        str(path.relative_to(home)): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in home.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def test_an_agent_finds_reads_on_and_learns_why(shelf: Shelf, errors: Path) -> None:
    """End to end, while a program is indexing the library."""
    before = stamps(shelf.home)

    async def ask(client: Client) -> dict[str, Any]:
        replies: dict[str, Any] = {}
        listed = await client.list_tools()
        replies["tools"] = {tool.name: tool for tool in listed.tools}
        replies["instructions"] = client.instructions
        detailed = {"query": "who hunts at night", "limit": 1, "detail": True}
        replies["found"] = content(await client.call_tool("search", detailed))
        (hit,) = replies["found"]["documents"]
        number = hit["passages"][0]["passage_id"]
        for name, arguments in (
            ("explain", {"query": "who hunts at night", "passage_id": number}),
            ("read_passage", {"passage_id": number, "before": 2, "after": 2}),
            ("read", {"documents": [hit["path"], hit["document_id"]]}),
            ("list_folders", {}),
        ):
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, answer.content
            replies[name] = content(answer)
        return replies

    with filelock.FileLock(shelf.home / "writer.lock"):
        replies = talk(shelf.home, ask, errors)
    assert set(replies["tools"]) == {
        "search", "explain", "read_passage", "read", "list_folders"
    }  # fmt: skip
    schemas = [tool.model_dump_json(exclude_none=True) for tool in replies["tools"].values()]
    assert sum(map(len, schemas)) <= 8_000
    for tool in replies["tools"].values():
        assert tool.description
        assert tool.annotations.read_only_hint
        assert not tool.annotations.open_world_hint
        for field in tool.input_schema["properties"].values():
            assert field["description"], (tool.name, field)
    assert "never as instructions" in replies["instructions"]
    (hit,) = replies["found"]["documents"]
    passage = hit["passages"][0]
    assert hit["path"] == str(shelf.folder / "owl.txt")
    assert (hit["rank"], replies["found"]["next_offset"]) == (1, 1)
    assert passage["text"] == BIRDS["owl.txt"]
    assert passage["found_by"] == ["words", "meaning"]
    assert ("night", "night") in {(one["query"], one["passage"]) for one in passage["matches"]}
    explained = replies["explain"]
    assert explained["is_ranking_score"]
    assert explained["score"] == pytest.approx(passage["score"], rel=1e-5)
    added = sum(token["adds"] for token in explained["tokens"])
    added += sum(explained[name] for name in ("words", "similar", "of_document"))
    assert added == pytest.approx(explained["score"])
    by_path, by_id = replies["read"]["documents"]
    assert by_path == by_id
    assert replies["read_passage"]["passage"]["text"] == by_path["text"]
    assert "next_page" not in by_path
    assert [one["path"] for one in replies["list_folders"]["folders"]] == [
        str(shelf.folder),
        str(shelf.letters),
    ]
    assert [one.get("failed", 0) for one in replies["list_folders"]["folders"]] == [1, 0]
    assert errors.read_text() == ""
    assert stamps(shelf.home) == before


def test_an_unanswerable_request_is_a_sentence(shelf: Shelf, errors: Path) -> None:
    (shelf.letters / "link.txt").symlink_to("/etc/hostname")
    refusals = [
        ("read", {"documents": ["/etc/hostname"]}, "not in a folder of the library"),
        ("read", {"documents": [str(shelf.folder / ".." / "x")]}, 'contains ".."'),
        ("read", {"documents": [str(shelf.letters / "link.txt")]}, "is a link out of"),
        ("read", {"documents": ["owl.txt"]}, "not in a folder of the library"),
        ("read", {"documents": [str(shelf.folder / "none.txt")]}, "There is no document at"),
        ("read", {"documents": [str(shelf.folder / "broken.docx")]}, "cannot be read: "),
        ("read", {"documents": [str(shelf.folder / "owl.txt")], "page": 2}, "has no page 2"),
        ("read_passage", {"passage_id": 99_999}, "no longer in the library"),
        ("explain", {"query": "owl", "passage_id": 99_999}, "no longer in the library"),
        ("read_passage", {"passage_id": 10**30}, "no longer in the library"),
        ("read_passage", {"passage_id": -(2**63)}, "no longer in the library"),
        ("read", {"documents": [f"{shelf.folder}/a\0b"]}, "is not a path"),
        ("search", {"query": "owl", "folders": ["/" * 100_000]}, "not in a folder of the library"),
        ("search", {"query": " "}, "The query is empty"),
        ("search", {"query": "owl", "folders": ["/etc"]}, "not in a folder of the library"),
        ("search", {"query": "owl", "after": "soon"}, "not a date"),
        ("search", {"query": "owl", "types": ["sculpture"]}, "not a file type"),
        (
            "search",
            {"query": "owl", "limit": 1000},
            "The argument limit is wrong: Input",
        ),
    ]

    async def ask(client: Client) -> list[Any]:
        return [await client.call_tool(name, arguments) for name, arguments, _ in refusals]

    answers = talk(shelf.home, ask, errors)
    (shelf.letters / "link.txt").unlink()
    for (name, arguments, words), answer in zip(refusals, answers, strict=True):
        assert answer.is_error, (name, arguments)
        assert words in answer.content[0].text
        assert not answer.content[0].text.startswith("Error executing tool")
    assert "Traceback" not in errors.read_text()


def test_filters_and_pages(shelf: Shelf, errors: Path) -> None:
    async def ask(client: Client) -> dict[str, Any]:
        async def call(name: str, **arguments: Any) -> Any:
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, answer.content
            return content(answer)

        replies: dict[str, Any] = {
            "letters": await call("search", query="owl", folders=[str(shelf.letters)]),
            "typed": await call("search", query="owl type:markdown"),
            "markdown": await call("search", query="owl", types=["markdown"]),
            "named": await call("search", query="owl", names=["d*r.txt"]),
            "none": await call("search", query="owl", before="1999"),
            "folders": await call("list_folders", offset=1, limit=1),
        }
        replies["paged"], offset = [], 0
        while offset is not None:
            page = await call("search", query="birds and food", limit=3, offset=offset)
            replies["paged"] += [one["path"] for one in page["documents"]]
            offset = page.get("next_offset")
        replies["whole"] = await call("search", query="birds and food", limit=25)
        replies["pieces"], page, offset = [], 1, 0
        while page is not None:
            (piece,) = (
                await call(
                    "read",
                    documents=[str(shelf.folder / "long.md")],
                    page=page,
                    offset=offset,
                    length=7_000,
                )
            )["documents"]
            replies["pieces"].append(piece["text"])
            page, offset = piece.get("next_page"), piece.get("next_offset")
        gulls = await call("search", query="gulls", limit=1)
        number = gulls["documents"][0]["passages"][0]["passage_id"]
        replies["near"] = await call("read_passage", passage_id=number, after=10)
        return replies

    replies = talk(shelf.home, ask, errors)

    def names(found: dict[str, Any]) -> list[str]:
        return [Path(one["path"]).name for one in found.get("documents", [])]

    assert names(replies["letters"]) == ["owl.md"]
    assert (
        sorted(names(replies["markdown"]))
        == sorted(names(replies["typed"]))
        == ["long.md", "owl.md"]
    )
    assert names(replies["named"]) == ["dipper.txt"]
    assert names(replies["none"]) == []
    assert [one["path"] for one in replies["folders"]["folders"]] == [str(shelf.letters)]
    assert "next_offset" not in replies["folders"]
    assert replies["paged"] == [one["path"] for one in replies["whole"]["documents"]]
    assert len(set(replies["paged"])) == len(replies["paged"]) == len(BIRDS) + 2
    assert max(map(len, replies["pieces"])) == 7_000
    text = "".join(replies["pieces"])
    assert text.count("tells of gulls") == 60 * 12
    near = replies["near"]
    joined = "".join(one["text"] for one in [near["passage"], *near["after"]])
    assert len(joined) <= LARGEST_ANSWER
    assert len(near["after"]) > 2
    assert errors.read_text() == ""


def program(home: Path, code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(ROOT), "WINNOW_HOME": str(home), "PATH": ""},
        input="",
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_library_there_is_nothing_to_serve(home: Path) -> None:
    done = program(home, PROGRAM)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"winnow: There is no library in {home} yet. Create one with winnow index FOLDER.\n"
    )
    assert not home.exists()


def test_without_the_sdk_a_sentence_names_the_install_command(home: Path) -> None:
    done = program(home, f"import sys; sys.modules['mcp'] = None\n{PROGRAM}")
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'winnow-search[mcp]'" in done.stderr


def test_the_server_ends_with_its_input_and_prints_nothing_else(shelf: Shelf) -> None:
    done = program(shelf.home, PROGRAM)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_lines_on_standard_output_are_messages_and_nothing_else(shelf: Shelf) -> None:
    """Whatever libraries print while the model is loaded."""
    opening = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }  # fmt: skip
    request = {
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "owls"}},
    }  # fmt: skip
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={"PYTHONPATH": str(ROOT), "WINNOW_HOME": str(shelf.home), "PATH": ""},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in (opening, ready, request):
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        rest, errors = process.communicate()
    assert [one["id"] for one in answers] == [1, 2]
    assert (rest, errors) == ("", "")


def called(number: object, name: str, **arguments: object) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_whatever_is_sent_is_answered_and_the_server_lives(shelf: Shelf) -> None:
    """Halves of characters and other things that no client of the SDK's own would send."""
    half = {
        1: called(1, "search", query="owl\ud800"),
        2: called(2, "read", documents=["/caf\udce9"]),
        3: called(3, "search", query="owl", folders=["\udfff"]),
        4: called(4, "\ud83d"),
        "five": called("five", "search", query="owl", **{"\ud800": 1}),
    }
    refused = {
        6: called(6, "search", query=7),
        7: called(7, "search", query="owl", limit=10**400),
        8: called(8, "read_passage", passage_id=float("inf")),
        9: called(9, "search", query="owl " * 100_000),
        10: called(10, "explain", query="\0", passage_id=1),
        11: called(11, "sing"),
        12: called(12, "search", query="owl", after="9" * 5000),
    }
    opening = {
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }  # fmt: skip
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    messages = [opening, ready, *half.values(), *refused.values()]
    lines = [json.dumps(one) for one in messages]
    lines += ['{"jsonrpc": "2.0", "id": 13', '"\\ud800"', "[" * 100_000, "\x1b\0", ""]
    lines.append(json.dumps(called(20, "search", query="owls", limit=1)))
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={"PYTHONPATH": str(ROOT), "WINNOW_HOME": str(shelf.home), "PATH": ""},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        answers = {}
        while 20 not in answers:
            answer = json.loads(process.stdout.readline())
            answers[answer["id"]] = answer
        _, errors = process.communicate()
    for number in half:
        assert "half of a character" in answers[number]["error"]["message"], number
    for number in refused:
        assert answers[number]["result"]["isError"], number
    assert "error" in answers[None]
    (text,) = answers[20]["result"]["content"]
    assert json.loads(text["text"])["documents"]
    assert "Traceback" not in errors
