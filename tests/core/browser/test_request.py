"""What a browser asks: who is let in, and who is told nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.browser.address import BrowserAddress
from core.browser.request import LONGEST_HEAD, RefusedError, Request, heard

HERE = BrowserAddress(20_000, "x" * 32)
TARGET = f"/{HERE.secret}/search?q=owls"


def head(*lines: str, first: str = f"GET {TARGET} HTTP/1.1", host: str = HERE.host) -> bytes:
    return "\r\n".join([first, f"Host: {host}", *lines]).encode("latin-1")


def status_of(said: bytes, here: BrowserAddress = HERE) -> int:
    with pytest.raises(RefusedError) as refused:
        heard(said, here)
    return refused.value.status


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ("Sec-Fetch-Site: none", "Sec-Fetch-Dest: document"),
        ("Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: empty"),
        (f"Origin: {HERE.origin}",),
        ("Content-Length: 0",),
        ("Accept: a", "Accept: b"),
    ],
)
def test_the_persons_own_browser_is_let_in(lines: tuple[str, ...]) -> None:
    assert heard(head(*lines), HERE) == Request("search", {"q": "owls"})


def test_a_head_alone_is_told_apart() -> None:
    assert heard(head(first=f"HEAD {TARGET} HTTP/1.1"), HERE).is_head


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "evil.example:20000", "127.0.0.1", "127.0.0.1:20001", "localhost:20000"],
)
def test_another_host_is_misdirected(host: str) -> None:
    assert status_of(head(host=host)) == 421


def test_without_a_host_it_is_misdirected() -> None:
    assert status_of(f"GET {TARGET} HTTP/1.1".encode()) == 421


@pytest.mark.parametrize(
    "line",
    [
        "Origin: null",
        "Origin: https://evil.example",
        "Origin: http://127.0.0.1:20001",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Dest: iframe",
        "Sec-Fetch-Dest: script",
        "Sec-Fetch-Dest: image",
        "Sec-Fetch-Dest: style",
        "Sec-Fetch-Dest: serviceworker",
    ],
)
def test_pages_of_others_may_not_ask(line: str) -> None:
    assert status_of(head(line)) == 403


def test_the_description_is_fetched_as_firefox_does() -> None:
    first = f"GET /{HERE.secret}/opensearch.xml HTTP/1.1"
    as_firefox = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document")
    assert heard(head(*as_firefox, first=first), HERE).page == "opensearch.xml"
    assert (
        status_of(head("Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: iframe", first=first)) == 403
    )
    assert status_of(head(*as_firefox, first=first.replace(HERE.secret, "y" * 32))) == 404
    assert status_of(head(*as_firefox, first=f"GET {TARGET}&x=/opensearch.xml HTTP/1.1")) == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "get"])
def test_nothing_but_reading_is_done(method: str) -> None:
    with pytest.raises(RefusedError) as refused:
        heard(head(first=f"{method} {TARGET} HTTP/1.1"), HERE)
    assert refused.value.status == 405
    assert refused.value.headers == {"allow": "GET, HEAD"}


@pytest.mark.parametrize(
    "target",
    [
        "/",
        "/search?q=owls",
        f"/{HERE.secret}",
        f"/{HERE.secret[:-1]}/search",
        f"/{HERE.secret}x/search",
        f"/{HERE.secret.upper()}/search",
        "//search",
        f"/%78{HERE.secret[1:]}/search",
    ],
)
def test_without_the_secret_there_is_nothing(target: str) -> None:
    assert status_of(head(first=f"GET {target} HTTP/1.1")) == 404


def test_while_it_is_off_no_secret_opens_it() -> None:
    off = BrowserAddress(HERE.port, "")
    assert status_of(head(first="GET //search HTTP/1.1"), off) == 404


@pytest.mark.parametrize(
    "line", ["Content-Length: 1", "Content-Length: x", "Transfer-Encoding: chunked"]
)
def test_a_request_with_a_body_is_refused(line: str) -> None:
    assert status_of(head(line)) == 413


@pytest.mark.parametrize(
    "line",
    [
        f"Host: {HERE.host}",
        "no header",
        " folded: yes",
        "bad name: x",
        ": x",
        "X: \x00",
        "X: a\nHost: b",
    ],
)
def test_what_can_be_read_in_two_ways_is_not_read(line: str) -> None:
    assert status_of(head(line)) == 400


@pytest.mark.parametrize(
    "first",
    ["", "GET", f"GET  {TARGET} HTTP/1.1", f"GET {TARGET}", f"GET {TARGET} HTTP/1.1 x", "\x16\x03"],
)
def test_what_is_no_request_is_refused(first: str) -> None:
    assert status_of(head(first=first)) == 400


def test_much_is_refused() -> None:
    assert status_of(head(first=f"GET {TARGET}{'x' * 9000} HTTP/1.1")) == 414
    assert status_of(head(*("X: y",) * 70)) == 431
    assert status_of(head(first=f"GET {TARGET}{'&a=b' * 30} HTTP/1.1")) == 400


def test_what_is_said_twice_is_refused() -> None:
    assert status_of(head(first=f"GET {TARGET}&q=mice HTTP/1.1")) == 400


@pytest.mark.parametrize("said", ["", "x", "-1", "1e3", "9" * 19, "٣"])
def test_what_is_no_number_is_refused(said: str) -> None:
    with pytest.raises(RefusedError):
        Request("document", {"id": said}).number("id")
    assert Request("search", {}).number("page", 1) == 1


@given(st.binary(max_size=400))
def test_whatever_is_said_is_answered_or_refused(said: bytes) -> None:
    for whole in (
        said,
        head() + said,
        b"GET " + said + b" HTTP/1.1\r\nHost: " + HERE.host.encode(),
    ):
        try:
            said_of = heard(whole, HERE).page
        except RefusedError as refused:
            said_of = str(refused.status)
        assert re.fullmatch("4[0-9][0-9]|search", said_of)


def test_a_head_of_spaces_takes_no_time() -> None:
    # In time with the square of its length it would be minutes, and end the test.
    said = head("X: " + " " * (LONGEST_HEAD * 8) + "\x00")
    assert status_of(said) == 400
