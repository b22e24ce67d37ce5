"""Accepting connections, also in a process without free file descriptors."""

from __future__ import annotations

import selectors
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from core.serving.daemon.sockets import accept
from tests.waiting import patience

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


def test_a_connection_is_accepted(listening: socket.socket) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(listening, selectors.EVENT_READ)
        with socket.create_connection(listening.getsockname()) as client:
            assert selector.select(60)
            accepted = accept(listening, selector)
            assert accepted is not None
            with accepted:
                assert accepted.getpeername() == client.getsockname()


def test_without_a_client_there_is_no_connection(listening: socket.socket) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(listening, selectors.EVENT_READ)
        assert accept(listening, selector) is None
        assert [key.fileobj for key in selector.get_map().values()] == [listening]


# In a separate process, since its file descriptors are used up.
_OUT_OF_NUMBERS = """
import errno, os, resource, selectors, socket, time
from core.serving.daemon.sockets import accept

listening = socket.create_server(("127.0.0.1", 0))
listening.setblocking(False)
waker, woken = socket.socketpair()
selector = selectors.DefaultSelector()
selector.register(listening, selectors.EVENT_READ)
selector.register(woken, selectors.EVENT_READ)
asking = socket.create_connection(listening.getsockname())
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
held = []
try:
    while True:
        held.append(os.open(os.devnull, os.O_RDONLY))
except OSError as error:
    assert error.errno == errno.EMFILE

began_s = time.monotonic()
assert accept(listening, selector) is None
print("rested", time.monotonic() - began_s > 0.5)

waker.send(b"w")
assert accept(listening, selector) is None
print("woken", [key.fileobj is woken for key, _ in selector.select(0)].count(True))

os.close(held.pop())
taken = accept(listening, selector)
print("taken", taken is not None and taken.getpeername() == asking.getsockname())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit to set")
def test_a_process_without_file_descriptors_pauses_and_then_accepts() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _OUT_OF_NUMBERS],
        check=False,
        capture_output=True,
        text=True,
        timeout=2 * patience(),
    )
    assert done.stdout.split("\n")[:3] == ["rested True", "woken 1", "taken True"], done.stderr
