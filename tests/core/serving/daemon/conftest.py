"""A service in this process, of a library of some birds."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core import cli
from core.daemon_client import client
from core.daemon_client.protocol import STATUS, WARM_UP
from core.library.library import Library
from core.serving.daemon.invocation import RunCommand
from core.serving.daemon.process import listen
from core.serving.daemon.service import Service
from tests.conftest import BIRDS, write_files
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[4]


def status(home: Path) -> dict[str, Any]:
    """Return a service's status, however long it takes to answer."""
    replies: list[dict[str, Any] | None] = []

    def is_answered() -> bool:
        replies.append(client.send_request(home, STATUS))
        return replies[-1] is not None

    wait_until(is_answered)
    assert replies[-1] is not None
    return replies[-1]


def find(home: Path, query: str) -> list[int]:
    """Return the documents that a service finds; none, and have it warm up, if it is not warm."""
    value = {"query": query, "limit": 5, "is_refined": False}
    results = client.send_request(home, "Search", value, only_if_warm=True)
    if results is None:
        client.send_request(home, WARM_UP)
        return []
    return [hit["document_id"] for hit in results["hits"]]


@contextlib.contextmanager
def killed_at_last(process: subprocess.Popen[Any]) -> Iterator[None]:
    """End a process with the test, which would otherwise wait for it after an error."""
    try:
        yield
    finally:
        process.kill()


@contextlib.contextmanager
def as_process(home: Path, idle_s: float | None = None) -> Iterator[subprocess.Popen[str]]:
    """The service as the system starts it, for a library that is not open, once it answers.

    It restarts after `idle_s` without work. It ends with the block, also after an error.
    """
    code = (
        "import functools, sys\n"
        "from core.serving.daemon import process\n"
        f"process.serve = functools.partial(process.serve, idle_s={idle_s})\n"
        "from app.__main__ import main\n"
        "sys.exit(main())\n"
    )
    program = ("-m", "app") if idle_s is None else ("-c", code)
    with (
        subprocess.Popen(
            [sys.executable, *program, "service", "run"],
            cwd=ROOT,
            env={**os.environ, "WINNOW_HOME": str(home)},
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
        killed_at_last(process),
    ):
        status(home)
        yield process


@dataclass
class Running:
    """A service that answers, and how it ended."""

    service: Service
    thread: threading.Thread
    home: Path
    needs_restart: bool | None = None

    def join(self) -> bool | None:
        """Wait for its end; return whether it needs a restart."""
        self.thread.join(30)
        assert not self.thread.is_alive()
        return self.needs_restart


Start = Callable[..., Running]


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that the desktop gives a person; its path is short, as a socket's has to be."""
    folder = Path(tempfile.mkdtemp(prefix="wn-"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def start(open_library: Callable[..., Library], home: Path) -> Iterator[Start]:
    """Starts a service; each has ended when the test has."""
    started: list[Running] = []

    def make(idle_s: float = 600, run: RunCommand = cli.run_for) -> Running:
        library = open_library()
        listening, _ = listen(home)
        service = Service(library, listening, run, idle_s)

        def serve() -> None:
            with listening:
                running.needs_restart = service.serve()

        running = Running(service, threading.Thread(target=serve), home)
        running.thread.start()
        started.append(running)
        assert client.send_request(home, STATUS) is not None
        return running

    yield make
    for running in started:
        running.service.end()
        running.join()


@pytest.fixture
def filled(home: Path, folder: Path, library: Library) -> Path:
    """The home of a library with a folder of birds, not open anywhere."""
    write_files(folder, BIRDS)
    library.add_folder(folder)
    library.close()
    return home


@pytest.fixture
def served(folder: Path, library: Library, start: Start) -> Running:
    """A service whose library is in step with a folder of birds."""
    write_files(folder, BIRDS)
    library.add_folder(folder)
    running = start()
    wait_until(lambda: status(running.home)["is_in_step"])
    return running
