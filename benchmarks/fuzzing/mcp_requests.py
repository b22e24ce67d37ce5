"""Lines that an agent writes to `winnow mcp`: each is answered, and the next one after it.

An input is what stands between the greeting and a last request, which must still be answered. There
is no model: searches are by words.
"""

from __future__ import annotations

import functools
import io
import json
import logging
import os
import threading
from pathlib import Path
from typing import Any, Final
from unittest import mock

import anyio
from mcp.server.stdio import stdio_server

from core.library import Library, LibraryOptions
from core.library_view import LibraryView
from core.mcp.server import AnsweringServer, server

from .http_requests import make_library, no_model

KIND: Final = "mcp_requests"
_LAST: Final = 987_654_321
_INTERNAL_ERROR: Final = -32603
# Seconds after which a request that is not answered has hung.
_HANGS_S: Final = 30.0


def seeds(folder: Path) -> list[bytes]:
    make_library(folder)
    path = str(folder / "documents" / "owl.txt")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "owls", "mode": "words", "folders": [], "limit": 3}),
        ("search", {"query": "owls", "mode": "words", "after": "2024", "types": ["txt"]}),
        ("explain", {"query": "owls", "passage_id": 1}),
        ("read_passage", {"passage_id": 1, "before": 1, "behind": 1}),
        ("read_document", {"path": path, "page": 1, "offset": 2, "length": 9}),
        ("read_document", {"document_id": 1}),
        ("list_folders", {"offset": 0, "limit": 5}),
    ]
    made = [_line("tools/call", {"name": name, "arguments": given}) for name, given in calls]
    made += [_line("tools/list", {}), _line("ping", {}), _line("resources/list", {})]
    made.append(b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}')
    return made


def attempt(data: bytes, folder: Path) -> None:
    answers = _Answers()
    asked = _Asked(b"\n".join([_GREETING, _GREETED, data, _line("ping", {}, _LAST), b""]), answers)
    anyio.run(_conversation, _server(folder, os.getpid()), asked, answers)
    if not answers.is_last_there.is_set():
        raise AssertionError("the last request is not answered")
    for line in answers.lines():
        if json.loads(line).get("error", {}).get("code") == _INTERNAL_ERROR:
            raise AssertionError(f"an internal error: {line[:200]!r}")


async def _conversation(made: AnsweringServer, asked: _Asked, answers: _Answers) -> None:
    streams = (
        anyio.wrap_file(io.TextIOWrapper(asked, encoding="utf-8", errors="replace")),
        anyio.wrap_file(io.TextIOWrapper(answers, encoding="utf-8", write_through=True)),
    )
    async with stdio_server(*streams) as (read, write):
        await made.converse(read, write)


class _Answers(io.BytesIO):
    """What the server writes; tells when the last request is answered."""

    def __init__(self) -> None:
        super().__init__()
        self.is_last_there = threading.Event()
        self._lines: list[bytes] = []

    def write(self, data: Any) -> int:
        self._lines.append(bytes(data))
        if b'"id":%d,"result"' % _LAST in data:
            self.is_last_there.set()
        return len(data)

    def lines(self) -> list[bytes]:
        return b"".join(self._lines).splitlines()


class _Asked(io.BufferedReader):
    """What the agent writes; it ends when the last request is answered, or never will be."""

    def __init__(self, said: bytes, answers: _Answers) -> None:
        super().__init__(io.BytesIO(said))
        self._answers = answers

    def read1(self, size: int = -1) -> bytes:
        piece = super().read1(size)
        if not piece:
            self._answers.is_last_there.wait(_HANGS_S)
        return piece


def _line(method: str, given: dict[str, Any], number: int = 7) -> bytes:
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": given}
    return json.dumps(request).encode()


_GREETING: Final = _line(
    "initialize",
    {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "fuzz", "version": "1"},
    },
)
_GREETED: Final = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}'


@functools.cache
def _server(folder: Path, _process: int) -> AnsweringServer:
    logging.getLogger().setLevel(logging.CRITICAL)
    mock.patch("core.index.generation.open_runtime", no_model).start()
    library = Library.open(folder / "home", LibraryOptions(is_read_only=True))
    return server(lambda: LibraryView(library))
