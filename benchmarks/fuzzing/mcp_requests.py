"""Fuzz target: JSON-RPC messages to `winnow mcp`.

An input is sent between the initialisation and a final request, which must still be answered. No
model is available: searches use words only.
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

from core.library.library import Library, LibraryOptions
from core.serving.mcp.server import AnsweringServer, server
from core.serving.mcp.tools import Tools

from .http_requests import make_library, no_model

KIND: Final = "mcp_requests"
_LAST_ID: Final = 987_654_321
_INTERNAL_ERROR: Final = -32603
# Seconds before an unanswered request counts as hung.
_HANGS_S: Final = 30.0


def seeds(folder: Path) -> list[bytes]:
    make_library(folder)
    path = str(folder / "documents" / "owl.txt")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "owls", "mode": "words", "folders": [], "limit": 3}),
        ("search", {"query": "owls", "mode": "words", "after": "2024", "types": ["txt"]}),
        ("explain", {"query": "owls", "passage_id": 1}),
        ("read_passage", {"passage_id": 1, "before": 1, "behind": 1}),
        ("read", {"documents": [path], "page": 1, "offset": 2, "length": 9}),
        ("read", {"documents": [1, 2]}),
        ("list_folders", {"offset": 0, "limit": 5}),
    ]
    lines = [
        _line("tools/call", {"name": name, "arguments": arguments}) for name, arguments in calls
    ]
    lines += [_line("tools/list", {}), _line("ping", {}), _line("resources/list", {})]
    lines.append(b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}')
    return lines


def attempt(data: bytes, folder: Path) -> None:
    responses = _Responses()
    messages = [_INITIALIZE, _INITIALIZED, data, _line("ping", {}, _LAST_ID), b""]
    requests = _Requests(b"\n".join(messages), responses)
    anyio.run(_conversation, _server(folder, os.getpid()), requests, responses)
    if not responses.is_last_answered.is_set():
        raise AssertionError("the last request was not answered")
    for line in responses.lines():
        if json.loads(line).get("error", {}).get("code") == _INTERNAL_ERROR:
            raise AssertionError(f"an internal error: {line[:200]!r}")


async def _conversation(
    answering: AnsweringServer, requests: _Requests, responses: _Responses
) -> None:
    streams = (
        anyio.wrap_file(io.TextIOWrapper(requests, encoding="utf-8", errors="replace")),
        anyio.wrap_file(io.TextIOWrapper(responses, encoding="utf-8", write_through=True)),
    )
    async with stdio_server(*streams) as (read, write):
        await answering.converse(read, write)


class _Responses(io.BytesIO):
    """Output of the server. Sets an event when the last request is answered."""

    def __init__(self) -> None:
        super().__init__()
        self.is_last_answered = threading.Event()
        self._lines: list[bytes] = []

    def write(self, data: Any) -> int:
        self._lines.append(bytes(data))
        if b'"id":%d,"result"' % _LAST_ID in data:
            self.is_last_answered.set()
        return len(data)

    def lines(self) -> list[bytes]:
        return b"".join(self._lines).splitlines()


class _Requests(io.BufferedReader):
    """Input of the server. Ends when the last request is answered, or after a timeout."""

    def __init__(self, data: bytes, responses: _Responses) -> None:
        super().__init__(io.BytesIO(data))
        self._responses = responses

    def read1(self, size: int = -1) -> bytes:
        piece = super().read1(size)
        if not piece:
            self._responses.is_last_answered.wait(_HANGS_S)
        return piece


def _line(method: str, params: dict[str, Any], request_id: int = 7) -> bytes:
    request = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return json.dumps(request).encode()


_INITIALIZE: Final = _line(
    "initialize",
    {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "fuzz", "version": "1"},
    },
)
_INITIALIZED: Final = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}'


@functools.cache
def _server(folder: Path, _process: int) -> AnsweringServer:
    logging.getLogger().setLevel(logging.CRITICAL)
    mock.patch("core.index.generation.open_runtime", no_model).start()
    library = Library.open(folder / "home", LibraryOptions(is_read_only=True))
    return server(lambda: Tools(library))
