"""The server on a port of this machine: TLS, slow clients, ones that go away, and its end."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import ssl
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from core.errors import UsageError
from core.library.library import Library
from core.progress import Job
from core.requests import Search
from core.serving.http import server as serving
from core.serving.http.server import Address
from tests.conftest import Run
from tests.library_requests import answer_instead
from tests.waiting import patience, slowness, wait_until

from .conftest import ENOUGH, Serve

if TYPE_CHECKING:
    import uvicorn

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


def ask(connection: http.client.HTTPConnection, query: str) -> tuple[int, Any]:
    with contextlib.closing(connection):
        connection.request("POST", "/v1/search", json.dumps({"query": query}))
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def test_it_answers_on_its_port(serve: Serve) -> None:
    status, found = ask(http.client.HTTPConnection("127.0.0.1", serve()), "owls hunt mice")
    assert status == 200
    assert found["hits"][0]["path"].endswith("owl.txt")


def test_with_a_certificate_it_speaks_tls_alone(
    serve: Serve, certificate: tuple[Path, Path]
) -> None:
    port = serve(certificate=certificate[0], key=certificate[1])
    trusting = ssl.create_default_context(cafile=certificate[0])
    connection = http.client.HTTPSConnection("127.0.0.1", port, context=trusting)
    assert ask(connection, "owl")[0] == 200
    with pytest.raises(ssl.SSLCertVerificationError):
        ask(http.client.HTTPSConnection("127.0.0.1", port), "owl")
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        ask(http.client.HTTPConnection("127.0.0.1", port), "owl")
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.load_verify_locations(certificate[0])
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises(ssl.SSLError):
        ask(http.client.HTTPSConnection("127.0.0.1", port, context=old), "owl")


def closed_by_peer(connection: socket.socket) -> bytes:
    """Read until the other end closes the connection, which it must."""
    connection.settimeout(patience())
    got = b""
    try:
        while piece := connection.recv(4096):
            got += piece
    except ConnectionResetError:
        pass
    return got


def test_slow_clients_are_cut_off(serve: Serve) -> None:
    limit_s = 0.3 * slowness()
    port = serve(replace(ENOUGH, header_s=limit_s, body_s=limit_s))
    for sent, expected in (
        (b"", b""),
        (b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n", b""),
        (b"POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{", b" 408 "),
    ):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(sent)
            got = closed_by_peer(connection)
            assert expected in got
            assert bool(got) == bool(expected)
    # After an answer the connection is not kept for ever, either, dripping or silent.
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /hea")
        assert b" 200 " in closed_by_peer(connection)


def test_headers_without_end_are_refused(serve: Serve) -> None:
    port = serve()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 70_000)
        assert b" 400 " in closed_by_peer(connection)[:20]


def test_a_client_that_does_not_read_is_cut_off(
    serve: Serve, servers: list[uvicorn.Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However large the answer is."""
    monkeypatch.setattr("core.serving.http.application.public", lambda _: "x" * (64 << 20))
    port = serve(replace(ENOUGH, send_s=0.3))
    body = b'{"query": "owl"}'
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", port))
        connection.sendall(
            b"POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        assert connection.recv(16)  # it has begun
        wait_until(lambda: not servers[0].server_state.connections)
        assert len(closed_by_peer(connection)) < 32 << 20
    status, _ = ask(http.client.HTTPConnection("127.0.0.1", port), "owl")
    assert status == 200


def test_a_client_that_goes_away_cancels_its_search(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[Job] = []

    def search_on(_request: Any, job: Job | None) -> Any:
        assert job is not None
        jobs.append(job)
        while True:
            job.rest(0.01)

    answer_instead(monkeypatch, {Search: search_on})
    port = serve()
    call = {"name": "search", "arguments": {"query": "owl"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    for path, payload in (("/v1/search", {"query": "owl"}), ("/mcp", message)):
        body = json.dumps(payload).encode()
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(
                b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n"
                b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                % (path.encode(), len(body), body)
            )
            wait_until(lambda: bool(jobs))
            assert not jobs[-1].is_cancelled
        last_job = jobs.pop()
        wait_until(lambda last_job=last_job: last_job.is_cancelled)


def test_an_occupied_port_raises_one_sentence(serve: Serve) -> None:
    port = serve()
    with pytest.raises(UsageError, match=f"Cannot listen on 127.0.0.1, port {port}"):
        serving.bound(Address(port=port))


def test_an_early_client_waits() -> None:
    with (
        serving.bound(Address()) as listening,
        socket.create_connection(listening.getsockname(), timeout=patience()),
    ):
        accepted, _ = listening.accept()
        accepted.close()


def test_the_server_accepts_its_configured_names() -> None:
    assert Address("127.0.0.1").is_loopback
    assert Address("::1").is_loopback
    assert Address("localhost").is_loopback
    assert not Address("0.0.0.0").is_loopback
    assert not Address("127.0.0.1.evil.example").is_loopback
    assert "[::1]" in Address("::1").hosts()
    assert {"team.example", "192.0.2.1"} <= Address("192.0.2.1", names=("Team.example",)).hosts()
    assert "evil.example" not in Address("0.0.0.0").hosts()
    assert Address("::1", 80).url(80) == "http://[::1]:80"
    # The names that users can type, where it listens everywhere.
    named = Address("0.0.0.0", names=("team.example", "192.0.2.1"))
    assert named.url(8765) == "http://team.example:8765"
    assert Address("::").url(80) == f"http://{socket.gethostname()}:80"


def test_ctrl_c_is_how_it_is_ended(
    served: Library, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        def run(self, **_: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.setenv("WINNOW_HOME", str(served.home))
    monkeypatch.setattr(serving, "build_server", lambda *_: Interrupted())
    status, out, errors = run("serve", "--port", "0")
    assert (status, errors) == (0, "")
    assert "Serving" in out
    assert "The server has stopped." in out
