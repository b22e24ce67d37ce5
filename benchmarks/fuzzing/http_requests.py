"""Fuzz target: HTTP requests to `winnow serve`. No request may cause a status 500 or a hang.

The server listens on 127.0.0.1 and runs in the process that makes the attempts. Its timeouts are
short, so that it soon drops incomplete requests. No model is available: searches use words only,
and a search by meaning gets a status 503.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import os
import re
import socket
import threading
from pathlib import Path
from typing import Any, Final
from unittest import mock

from core.errors import ModelError
from core.library.library import Library, LibraryOptions
from core.serving.http import server as serving
from core.serving.http.limits import ServerLimits
from core.serving.http.server import Address
from core.wire.endpoints import ENDPOINTS

KIND: Final = "http_requests"
TEXTS: Final = {
    "owl.txt": "Owls hunt mice at night.\n\nTheir feathers make no sound.",
    "swift.md": "# Swifts\n\nSwifts sleep in the air.",
}
_LIMITS: Final = ServerLimits(
    header_s=0.5, body_s=0.5, send_s=2.0, deadline_s=5.0, rate_per_s=1e6, burst=10**6
)
_STATUS: Final = re.compile(rb"^HTTP/1\.1 (\d{3}) ", re.MULTILINE)
# Statuses that mean overload or a missing model, not a bug.
_BUSY: Final = {503, 504}
# Seconds before an open connection counts as hung.
_HANGS_S: Final = 30.0


def seeds(folder: Path) -> list[bytes]:
    make_library(folder)
    bodies: dict[str, Any] = {
        "search": {"query": "owls", "mode": "words", "limit": 5},
        "facets": {"query": "owls", "mode": "words"},
        "explain": {"query": "owls", "passage_id": 1},
        "align": {"query": "owls", "passage_ids": [1, 2]},
        "boxes": {"document_id": 1, "page": 1, "width": 9, "height": 9, "spans": [[0, 1]]},
    }
    requests = []
    for endpoint in ENDPOINTS:
        path = re.sub(r"\{\w+\}", "1", endpoint.path)
        if endpoint.method == "POST":
            requests.append(_request("POST", path, json.dumps(bodies[endpoint.name]).encode()))
        else:
            requests.append(_request("GET", f"{path}?width=100" if "picture" in path else path))
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    requests.append(_request("POST", "/mcp", json.dumps(message).encode()))
    requests += [_request("GET", path) for path in ("/", "/health", "/metrics", "/v1/openapi.json")]
    return requests


def attempt(data: bytes, folder: Path) -> None:
    port, failures = _serve(folder, os.getpid())
    failures.clear()
    with socket.create_connection(("127.0.0.1", port), _HANGS_S) as connection:
        response = b""
        try:
            connection.sendall(data)
            while piece := connection.recv(1 << 16):
                response += piece
        except ConnectionError:
            pass  # the server closed the connection before it had read the whole request
    if failures:
        raise failures[0]
    errors = {
        status for found in _STATUS.findall(response) if (status := int(found)) >= 500
    } - _BUSY
    if errors:
        raise AssertionError(f"status {min(errors)}")


def make_library(folder: Path) -> None:
    """Create a library of two documents in `folder`, unless it exists."""
    documents = folder / "documents"
    if documents.exists():
        return
    documents.mkdir()
    for name, text in TEXTS.items():
        (documents / name).write_text(text, encoding="utf-8")
    without_model = mock.patch("core.index.generation.open_runtime", no_model)
    with without_model, Library.open(folder / "home") as library:
        library.add_folder(documents)
        with contextlib.suppress(ModelError):  # raised after the texts are indexed by words
            library.sync()


def no_model(*_: object, **__: object) -> Any:
    raise ModelError("There is no model here.")


def _request(method: str, path: str, body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    lines.append("Accept: application/json, text/event-stream")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


class _Failures(logging.Handler):
    """Collects unexpected exceptions from the server's log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        # The gate raises ConnectionAbortedError to cut off a response.
        if error is not None and not isinstance(error, ConnectionAbortedError):
            self.found.append(error)


@functools.cache
def _serve(folder: Path, _process: int) -> tuple[int, list[BaseException]]:
    """Start the server of this process once; return its port and its list of failures."""
    mock.patch("core.index.generation.open_runtime", no_model).start()
    failures = _Failures()
    logging.getLogger().addHandler(failures)
    library = Library.open(folder / "home", LibraryOptions(is_read_only=True))
    address = Address()
    listening = serving.bound(address)
    # Each process needs its own audit log.
    server = serving.build_server(
        library, library.home, address, _LIMITS, folder / f"audit-{os.getpid()}.jsonl"
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    return listening.getsockname()[1], failures.found
