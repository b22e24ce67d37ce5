"""A library of some documents, and the SDK's own client talking to `winnow mcp` over its pipes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from core.encoders.encoder import Encoder
from core.library.library import Library
from tests.conftest import BIRDS, write_files

ROOT = Path(__file__).resolve().parents[4]
# The server dies where anything in it, the SDK included, reaches for a network.
PROGRAM = """
import os, sys
networks = ("socket.connect", "socket.bind", "socket.getaddrinfo")
sys.addaudithook(lambda event, _: os._exit(99) if event in networks else None)
from core.cli import main
sys.exit(main(["mcp"]))
"""


@dataclass
class Shelf:
    """A library in which there is more than one folder, file kind and page."""

    home: Path
    folder: Path
    letters: Path


@pytest.fixture(scope="session")
def shelf(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    root = tmp_path_factory.mktemp("shelf").resolve()
    created = Shelf(root / "home", root / "birds", root / "letters")
    long = "\n\n".join(f"Paragraph {number} tells of gulls. " * 12 for number in range(60))
    write_files(created.folder, {**BIRDS, "long.md": f"# Gulls\n\n{long}", "broken.docx": "no"})
    write_files(created.letters, {"owl.md": "# To the owl\n\nDear owl, the mice are all yours."})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
        )
        with Library.open(created.home) as library:
            library.add_folder(created.folder)
            library.add_folder(created.letters)
            library.sync()
    return created


Ask = Callable[[Client], Awaitable[Any]]


def content(result: Any) -> dict[str, Any]:
    """Return the answer of a tool, which is sent once, as text."""
    assert result.structured_content is None
    (text,) = result.content
    answer: dict[str, Any] = json.loads(text.text)
    return answer


def talk(home: Path, ask: Ask, errors: Path, program: str = PROGRAM) -> Any:
    """Return the result of `ask`, with a client connected to a separate server."""

    async def run() -> Any:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-c", program],
            env={**os.environ, "WINNOW_HOME": str(home), "PYTHONPATH": str(ROOT)},
        )
        with errors.open("w", encoding="utf-8") as written:
            async with Client(stdio_client(server, errlog=written)) as client:
                return await ask(client)

    return anyio.run(run)
