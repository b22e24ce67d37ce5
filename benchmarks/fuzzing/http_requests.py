"""HTTP requests to `winnow serve`: none is answered by 500, and none keeps the server busy.

The server listens on 127.0.0.1, in the process of the attempts. Its limits of time are short, so
that requests that never end are given up soon. There is no model: searches are by words, and one
by meaning is answered by 503.
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
from core.library import Library, LibraryOptions
from core.server import serving
from core.server.limits import ServerLimits
from core.server.serving import Address
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
# By these the server tells of too much work, not of a failure.
_BUSY: Final = {503, 504}
# Seconds after which a connection that is still open has hung.
_HANGS_S: Final = 30.0


def seeds(folder: Path) -> list[bytes]:
    make_library(folder)
    bodies: dict[str, Any] = {
        "search": {"query": "owls", "mode": "words", "limit": 5},
        "facets": {"query": "owls", "mode": "words"},
        "explain": {"query": "owls", "passage": 1},
        "align": {"query": "owls", "passages": [1, 2]},
        "boxes": {"document": 1, "page": 1, "width": 9, "height": 9, "spans": [[0, 1]]},
    }
    made = []
    for endpoint in ENDPOINTS:
        path = re.sub(r"\{\w+\}", "1", endpoint.path)
        if endpoint.method == "POST":
            made.append(_request("POST", path, json.dumps(bodies[endpoint.name]).encode()))
        else:
            made.append(_request("GET", f"{path}?width=100" if "picture" in path else path))
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    made.append(_request("POST", "/mcp", json.dumps(message).encode()))
    made += [_request("GET", path) for path in ("/", "/health", "/metrics", "/v1/openapi.json")]
    return made


def attempt(data: bytes, folder: Path) -> None:
    port, failures = _served(folder, os.getpid())
    failures.clear()
    with socket.create_connection(("127.0.0.1", port), _HANGS_S) as connection:
        answer = b""
        try:
            connection.sendall(data)
            while piece := connection.recv(1 << 16):
                answer += piece
        except ConnectionError:
            pass  # closed with a part of the request unread
    if failures:
        raise failures[0]
    wrong = {status for found in _STATUS.findall(answer) if (status := int(found)) >= 500} - _BUSY
    if wrong:
        raise AssertionError(f"answered by {min(wrong)}")


def make_library(folder: Path) -> None:
    """Make a library of two documents in `folder`, where none is yet."""
    documents = folder / "documents"
    if documents.exists():
        return
    documents.mkdir()
    for name, text in TEXTS.items():
        (documents / name).write_text(text, encoding="utf-8")
    without = mock.patch("core.index.generation.open_runtime", no_model)
    with without, Library.open(folder / "home") as library:
        library.add_folder(documents)
        with contextlib.suppress(ModelError):  # read by then, and found by words
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
    """Keeps the errors that the server meets and nobody expects."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        # How the gate ends half of an answer.
        if error is not None and not isinstance(error, ConnectionAbortedError):
            self.found.append(error)


@functools.cache
def _served(folder: Path, _process: int) -> tuple[int, list[BaseException]]:
    """Return the port of the server of this process, and where its failures are noted."""
    mock.patch("core.index.generation.open_runtime", no_model).start()
    failures = _Failures()
    logging.getLogger().addHandler(failures)
    library = Library.open(folder / "home", LibraryOptions(is_read_only=True))
    address = Address()
    listening = serving.bound(address)
    # The audit log of all processes would be one file.
    made = serving.made(library, address, _LIMITS, folder / f"audit-{os.getpid()}.jsonl")
    thread = threading.Thread(target=made.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    return listening.getsockname()[1], failures.found
