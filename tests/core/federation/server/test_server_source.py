"""A server's library next to the local one: the same answers, and one sentence per failure."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.documents.document import PageImage
from core.errors import Cancelled, DocumentError, GoneError, UsageError
from core.federation import server_connection as connections
from core.federation.federation import Federation
from core.federation.server_connection import ServerConnection
from core.federation.server_source import ServerSource
from core.federation.source import LibrarySource, SourceUnavailableError
from core.library.library import Library
from core.progress import Job
from core.requests import (
    Align,
    CountDocuments,
    DrawPage,
    Explain,
    GetSalientWords,
    GetScoreScale,
    ListInner,
    LocateSpans,
    ReadMarkup,
    ReadPages,
)
from core.serving.http.tokens import TokenFile
from core.wire import endpoints
from core.wire.png import png, read_png
from tests.core.serving.http.conftest import Serve, Shelf, certified
from tests.library_requests import answer_instead, facets, search
from tests.waiting import patience, wait_until

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


@pytest.fixture
def source(serve: Serve) -> Iterator[ServerSource]:
    created = ServerSource("team", ServerConnection(f"http://127.0.0.1:{serve()}"))
    yield created
    created.close()


def test_answers_are_those_of_the_library(source: ServerSource, served: Library) -> None:
    own = LibrarySource("team", served)
    found, expected = (
        search(source, "owls hunt mice at night"),
        search(own, "owls hunt mice at night"),
    )
    assert found.hits == expected.hits
    assert found.tokens == expected.tokens
    hit = found.hits[0]
    number = hit.passages[0].passage.id
    assert source.answer(Align("owl", (number,))) == own.answer(Align("owl", (number,)))
    assert source.answer(GetSalientWords(number)) == own.answer(GetSalientWords(number))
    assert facets(source, "owl") == facets(own, "owl")
    ours, theirs = own.answer(Explain("owl", number)), source.answer(Explain("owl", number))
    assert theirs.tokens == ours.tokens
    assert np.allclose(theirs.exact.similarity, ours.exact.similarity)
    assert source.answer(GetScoreScale()) == own.answer(GetScoreScale())
    (long,) = [hit for hit in search(source, "gulls").hits if hit.path.name == "long.md"]
    assert source.answer(ReadPages(long.document_id)) == own.answer(ReadPages(long.document_id))
    assert source.answer(ReadPages(2**39)) == ()
    assert source.answer(ListInner(long.document_id)) == ()
    with pytest.raises(GoneError):
        source.answer(Explain("owl", 2**39))
    for draw in (
        lambda: source.answer(DrawPage(long.document_id, 1, 100)),
        lambda: source.answer(DrawPage(2**39, 1, 100)),
        lambda: source.answer(ReadMarkup(long.document_id)),
        lambda: source.answer(LocateSpans(long.document_id, 1, 10, 10, ((0, 1),))),
    ):
        with pytest.raises(DocumentError):
            draw()
    with pytest.raises(UsageError, match="The query is empty"):
        search(source, " ")


def test_long_documents_come_in_pieces(
    source: ServerSource, served: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "LONGEST_TEXT", 1_000)
    (long,) = [hit for hit in search(source, "gulls").hits if hit.path.name == "long.md"]
    assert source.answer(ReadPages(long.document_id)) == served.answer(ReadPages(long.document_id))


def test_pages_are_drawn_by_the_server(
    source: ServerSource, served: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = search(source, "owl").hits[0].document_id
    drawn = PageImage(3, 2, bytes(range(18)), ())
    answer_instead(monkeypatch, {DrawPage: lambda *_: drawn, LocateSpans: lambda *_: ((), ())})
    image = source.answer(DrawPage(number, 1, 30, ((0, 2), (3, 4))))
    assert image == PageImage(3, 2, bytes(range(18)), ((), ()))


def test_a_server_is_searched_with_the_local_library(source: ServerSource, served: Library) -> None:
    federation = Federation(LibrarySource("own", served), deadline_s=patience())
    federation.add(source)
    results = search(federation, "owls hunt mice at night", limit=4)
    assert {hit.library for hit in results.hits} == {"own", "team"}
    far = next(hit for hit in results.hits if hit.library == "team")
    assert federation.answer(Explain("owl", far.passages[0].passage.id)).passage.text
    assert federation.answer(ReadPages(far.document_id))
    (state,) = federation.states()
    assert not state.problem
    federation.close()


def test_a_server_reports_its_state(source: ServerSource, served: Library) -> None:
    assert source.state().documents == 0  # no request was sent
    assert source.refresh()
    assert not source.refresh()
    state = source.state()
    assert state.documents == served.answer(CountDocuments()).documents
    assert state.address.startswith("http://127.0.0.1:")
    assert not state.is_offline


def test_a_revoked_token_raises_one_sentence(serve: Serve, tokens: TokenFile, shelf: Shelf) -> None:
    secret = tokens.add("anna", [shelf.birds], None)
    url = f"http://127.0.0.1:{serve()}"
    source = ServerSource("team", ServerConnection(url, secret))
    assert all(hit.path.is_relative_to(shelf.birds) for hit in search(source, "owl").hits)
    tokens.revoke("anna")
    with pytest.raises(SourceUnavailableError, match="rejected the token") as caught:
        search(source, "owl")
    assert secret not in caught.value.message
    state = source.state()
    assert state.problem == caught.value.message
    assert (state.is_offline, state.is_refused) == (False, True)
    source.close()
    wrong = ServerSource("team", ServerConnection(url, "winnow_wrong"))
    with pytest.raises(SourceUnavailableError, match="rejected the token"):
        search(wrong, "owl")
    wrong.close()
    without = ServerSource("team", ServerConnection(url))
    with pytest.raises(SourceUnavailableError, match="requires a token"):
        search(without, "owl")
    without.close()


def test_certificates_are_checked(serve: Serve, certificate: tuple[Path, Path]) -> None:
    port = serve(certificate=certificate[0], key=certificate[1])
    unknown = ServerSource("team", ServerConnection(f"https://127.0.0.1:{port}"))
    with pytest.raises(SourceUnavailableError, match=r"certificate .* is not trusted"):
        search(unknown, "owl")
    trusting = ssl.create_default_context(cafile=certificate[0])
    known = ServerSource("team", ServerConnection(f"https://127.0.0.1:{port}", "", trusting))
    assert search(known, "owl").hits
    known.close()
    other = ServerSource("team", ServerConnection(f"https://localhost:{port}", "", trusting))
    with pytest.raises(SourceUnavailableError, match=r"certificate .* is not trusted"):
        search(other, "owl")
    speaks_none = ServerSource("team", ServerConnection(f"https://127.0.0.1:{serve()}"))
    with pytest.raises(SourceUnavailableError, match="is not a Winnow server"):
        search(speaks_none, "owl")


@pytest.mark.parametrize("begins_in_days", [-5, 5])
def test_an_expired_certificate_is_reported_and_a_clock_may_be_to_blame(
    serve: Serve, tmp_path: Path, begins_in_days: int
) -> None:
    """To a clock that is off, a good certificate looks like that."""
    certificate, key = certified(tmp_path, begins_in_days)
    trusting = ssl.create_default_context(cafile=certificate)
    port = serve(certificate=certificate, key=key)
    source = ServerSource("team", ServerConnection(f"https://127.0.0.1:{port}", "", trusting))
    with pytest.raises(
        SourceUnavailableError, match="Check this computer's clock, or ask the server's"
    ):
        search(source, "owl")
    assert source.state().is_refused


Answering = Callable[[socket.socket], None]


def accepting(client: socket.socket) -> None:
    """Take in a whole request: closed with a part of it unread, a connection is reset."""
    with client.makefile("rb") as request:
        length = 0
        while (line := request.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        request.read(length)


@contextlib.contextmanager
def stranger(answer: Answering) -> Iterator[str]:
    """A foreign server on a port, which handles each connection with a given function."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.1)
        is_over = threading.Event()

        def work() -> None:
            while not is_over.is_set():
                with contextlib.suppress(TimeoutError):
                    client, _ = listening.accept()
                    with client, contextlib.suppress(OSError):
                        client.settimeout(patience())
                        accepting(client)
                        answer(client)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            is_over.set()
            thread.join(patience())


def http(status: int, body: bytes, length: int | None = None) -> Answering:
    declared = len(body) if length is None else length
    return lambda client: client.sendall(
        b"HTTP/1.1 %d x\r\nContent-Length: %d\r\n\r\n%s" % (status, declared, body)
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (http(200, b"<html>"), "is not a Winnow server"),
        (http(200, b"{}"), "is not a Winnow server"),
        (http(200, b'{"hits": 1}'), "is not a Winnow server"),
        (http(302, b""), "is not a Winnow server"),
        (http(404, b"not here"), "is not a Winnow server"),
        # A Winnow that knows another version of the API alone.
        (http(404, b'{"sentence": "There is nothing at this address."}'), "incompatible version"),
        (http(200, b"{}", 99), "is not a Winnow server"),
        (lambda client: client.sendall(b"\x16\x03\0hello\r\n\r\n"), "is not a Winnow server"),
        (lambda client: None, "is not a Winnow server"),
        (http(500, b'{"sentence": "x"}'), "internal error"),
        (http(503, b'{"sentence": "x"}'), "too busy"),
        (http(429, b'{"sentence": "x"}'), "too busy"),
    ],
)
def test_whatever_answers_is_one_sentence(answer: Answering, words: str) -> None:
    with stranger(answer) as url:
        source = ServerSource("team", ServerConnection(url, "secret"))
        with pytest.raises(SourceUnavailableError, match=words) as caught:
            search(source, "owl")
        source.close()
    assert "secret" not in caught.value.message


def test_a_newer_server_may_send_more_fields(source: ServerSource, served: Library) -> None:
    """A field more in an answer is passed over; the rest is as it was."""
    status = endpoints.ServerStatus(1, "9.9", "m", (), 7, 8, 0, None)
    body = json.dumps({**_plain(status), "mood": "good", "folders": []}).encode()
    with stranger(http(200, body)) as url:
        newer = ServerSource("newer", ServerConnection(url))
        assert newer.refresh()
        assert newer.state().documents == 7
        newer.close()


def _plain(value: Any) -> Any:
    from core.wire.codec import encoded

    return encoded(value)


def hangs(_: socket.socket, stopped: threading.Event) -> None:
    stopped.wait()


def drips(client: socket.socket, stopped: threading.Event) -> None:
    client.sendall(b"HTTP/1.1 200 x\r\nContent-Length: 900000\r\n\r\n")
    while not stopped.wait(0.02):
        client.sendall(b" ")


def drips_its_head(client: socket.socket, stopped: threading.Event) -> None:
    client.sendall(b"HTTP/1.1 200 x\r\na: ")
    while not stopped.wait(0.02):
        client.sendall(b"b")


def drips_interim_responses(client: socket.socket, stopped: threading.Event) -> None:
    while not stopped.wait(0.02):
        client.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


def drips_chunks(client: socket.socket, stopped: threading.Event) -> None:
    client.sendall(b"HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not stopped.wait(0.02):
        client.sendall(b"1\r\n \r\n")


@pytest.mark.parametrize(
    "answer", [hangs, drips, drips_its_head, drips_interim_responses, drips_chunks]
)
def test_one_timer_ends_whatever_a_server_does(
    answer: Callable[[socket.socket, threading.Event], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_WHOLE_S", 0.3)
    stopped = threading.Event()
    with stranger(lambda client: answer(client, stopped)) as url:
        source = ServerSource("team", ServerConnection(url))
        with pytest.raises(SourceUnavailableError, match="does not respond"):
            search(source, "owl")
        stopped.set()
        source.close()


def test_the_timer_ends_a_handshake_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_WHOLE_S", 0.3)
    monkeypatch.setattr(connections, "_CONNECT_S", 10 * patience())
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        source = ServerSource("team", ServerConnection(f"https://127.0.0.1:{port}"))
        with pytest.raises(SourceUnavailableError, match="does not respond"):
            search(source, "owl")


def test_a_silent_server_is_abandoned_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_SILENT_S", 0.2)
    stopped = threading.Event()
    with stranger(lambda client: hangs(client, stopped)) as url:
        source = ServerSource("team", ServerConnection(url))
        with pytest.raises(SourceUnavailableError, match="does not respond"):
            search(source, "owl")
        stopped.set()


HEAD = b"HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        [b"HTTP/1.1 100 Continue\r\n\r\n"] * 10_000,
        [b"HTTP/1.1 200 x\r\n", b"a: b\r\n" * 90, b"c: " + b"d" * 40_000, b"\r\n\r\n"],
        [HEAD + b"\r\n", b"100000\r\n", b" " * (1 << 20), b"\r\n"] * 50,
        [HEAD + b"\r\n", b"f" * (1 << 20)],
        [HEAD + b"\r\n0\r\n", b"a: b\r\n" * (1 << 20)],
        [b"HTTP/1.1 200 x\r\n\r\n", b" " * (40 << 20)],
        [b"HTTP/1.1 200 x\r\nContent-Length: 99999999999\r\n\r\n"],
        [b"HTTP/1.1 500 x\r\nContent-Length: 100000\r\n\r\n"],
        [b"HTTP/1.1 200 x\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n"],
        [b"HTTP/1.1 103 x\r\n\r\n"],
    ],
)
def test_no_more_is_read_than_an_answer_has(answer: list[bytes]) -> None:
    """Were it read on, `stranger` would be waited for until the timer ends."""

    def respond(client: socket.socket) -> None:
        for piece in answer:
            client.sendall(piece)

    with stranger(respond) as url:
        source = ServerSource("team", ServerConnection(url))
        with pytest.raises(SourceUnavailableError, match="is not a Winnow server"):
            search(source, "owl")
        source.close()


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 5_000_000,
        b"[" + b"[]," * 5_000_000 + b"[]]",
        b'{"api": 1, "api": 1}',
        b'{"api": NaN}',
    ],
)
def test_json_that_would_take_all_memory_is_not_parsed(body: bytes) -> None:
    with stranger(http(200, body)) as url:
        source = ServerSource("team", ServerConnection(url))
        with pytest.raises(SourceUnavailableError, match="is not a Winnow server"):
            search(source, "owl")
        source.close()


def test_a_sentence_of_a_server_is_short_and_steers_no_terminal() -> None:
    sentence = "\x1b]52;c;ZXZpbA==\x07" + "y" * 9_000
    body = json.dumps({"sentence": sentence}).encode()
    with stranger(http(400, body)) as url:
        source = ServerSource("team", ServerConnection(url))
        with pytest.raises(UsageError) as caught:
            search(source, "owl")
        source.close()
    assert caught.value.message.startswith(r"\x1b]52;c;ZXZpbA==\x07yyy")
    assert len(caught.value.message) == 1_000


def test_waiting_ends_when_it_is_cancelled() -> None:
    over, is_requested = threading.Event(), threading.Event()

    def hold(_: socket.socket) -> None:
        is_requested.set()
        over.wait(patience())

    with stranger(hold) as url:
        source = ServerSource("team", ServerConnection(url))
        job, ended = Job(), []

        def ask() -> None:
            with pytest.raises(Cancelled):
                search(source, "owl", job=job)
            ended.append(True)

        thread = threading.Thread(target=ask)
        thread.start()
        is_requested.wait(patience())
        job.cancel()
        thread.join(patience())
        assert ended == [True]
        over.set()
        assert source.state().problem == ""


def test_an_unreachable_server_raises_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as client:
        port = client.getsockname()[1]
    source = ServerSource("team", ServerConnection(f"http://127.0.0.1:{port}"))
    with pytest.raises(SourceUnavailableError, match=r"does not respond\. Check the address"):
        search(source, "owl")
    assert (source.state().is_offline, source.state().is_refused) == (True, False)


def test_a_connection_is_reused_and_reopened_when_it_was_closed(
    serve: Serve, servers: list[Any]
) -> None:
    source = ServerSource("team", ServerConnection(f"http://127.0.0.1:{serve()}"))
    for _ in range(3):
        source.refresh()
    assert len(servers[0].server_state.connections) == 1
    for one in [*servers[0].server_state.connections]:
        one.loop.call_soon_threadsafe(one.transport.abort)
    wait_until(lambda: not servers[0].server_state.connections)
    source.refresh()
    source.close()


def test_requests_under_way_are_closed_with_the_source(
    serve: Serve, servers: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = ServerSource("team", ServerConnection(f"http://127.0.0.1:{serve()}"))
    inner = connections._Exchange.body_of

    def close_meanwhile(*arguments: Any) -> bytes:
        source.close()
        return inner(*arguments)

    monkeypatch.setattr(connections._Exchange, "body_of", close_meanwhile)
    assert source.refresh()
    wait_until(lambda: not servers[0].server_state.connections)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://team.example", "is not secure"),
        ("http://192.0.2.1:8765", "is not secure"),
        ("http://127.0.0.1.evil.example", "is not secure"),
        ("ftp://team.example", "is not a server address"),
        ("team.example", "is not a server address"),
        ("https://", "is not a server address"),
        ("https://ada:pass@team.example", "is not a server address"),
        ("https://team.example/path", "is not a server address"),
        ("https://team.example:x", "is not a server address"),
        ("https://[::1", "is not a server address"),
    ],
)
def test_addresses_that_are_none_or_not_safe(url: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        ServerConnection(url)
    assert "pass" not in caught.value.message


def test_a_token_with_a_line_in_it_is_none() -> None:
    for token in ("a\r\nHost: evil", "ü", "\0"):
        with pytest.raises(UsageError, match="This is not a valid token"):
            ServerConnection("https://team.example", token)


def test_pictures_are_read_as_they_were_written() -> None:
    image = PageImage(4, 3, bytes(range(36)), ())
    assert read_png(png(image), 4, 3) == (4, 3, image.rgb)
    whole = png(image)
    for damaged in (b"", whole[:20], whole[:50], b"x" + whole, whole.replace(b"IDAT", b"JDAT")):
        with pytest.raises(ValueError, match=r"^(no|of another|damaged|truncated|unsupported)"):
            read_png(damaged, 4, 3)
    # In very many pieces, which would be put together one by one.
    pieces = whole[:33] + (b"\0\0\0\1IDATx\0\0\0\0" * 500_000) + whole[33:]
    for other in (whole + b"x", pieces):
        with pytest.raises(ValueError, match=r"^(no|of another|damaged|truncated|unsupported)"):
            read_png(other, 4, 3)
    with pytest.raises(ValueError, match=r"^(no|of another|damaged|truncated|unsupported)"):
        read_png(whole, 3, 3)
    # Small in the file, enormous when it is unpacked.
    with pytest.raises(ValueError, match=r"^(no|of another|damaged|truncated|unsupported)"):
        read_png(png(PageImage(1, 50_000, bytes(150_000), ())), 2_000, 20_000)
