"""The requests that the gate accepts and refuses, and that it reveals nothing."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import DocumentError, GoneError, LibraryError, ModelError
from core.library.library import Library
from core.progress import Job
from core.requests import Search
from core.responses import Mode, SearchResults
from core.serving.http.application import public
from core.serving.http.gate import refusal_of
from core.serving.http.tokens import FILE, TokenFile
from tests.library_requests import answer_instead
from tests.waiting import wait_until

from .conftest import ENOUGH, URL, Shelf, Start, audited, search

OPEN = ("/", "/health", "/v1/openapi.json")
CLOSED = ("/metrics", "/v1/status", "/v1/passages/1", "/v1/documents/1/pages/1/picture", "/none")


def test_without_tokens_this_machine_may_ask(start: Start) -> None:
    client = start()
    assert search(client, "owls hunt mice")["hits"]
    for path in OPEN:
        assert client.get(path).status_code == 200
    assert "winnow_requests_total" in client.get("/metrics").text


def test_once_tokens_exist_every_request_needs_one(start: Start, tokens: TokenFile) -> None:
    secret = tokens.add("anna", [], None)
    for shown in ("", "winnow_wrong", secret[:-1], secret + "x", " ", "ü" * 40):
        client = start()
        headers = {b"authorization": b"Bearer " + shown.encode()} if shown else {}
        for path in CLOSED:
            answer = client.get(path, headers=headers)
            assert answer.status_code == 401, path
            assert answer.headers["www-authenticate"] == "Bearer"
        assert client.post("/mcp", json={}, headers=headers).status_code == 401
        for path in OPEN:
            assert client.get(path, headers=headers).status_code == 200
    assert start(secret).get("/v1/status").status_code == 200
    basic = start(headers={"authorization": f"Basic {secret}"})
    assert basic.get("/v1/status").status_code == 401


def test_revocation_and_expiry_hold_at_once(
    start: Start, tokens: TokenFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = start(tokens.add("anna", [], None))
    bert = start(tokens.add("bert", [], time.time() + 3600))
    for client in (anna, bert):
        assert client.get("/v1/status").status_code == 200
    TokenFile(tmp_path).revoke("anna")  # as another process does
    assert anna.get("/v1/status").status_code == 401
    assert bert.get("/v1/status").status_code == 200
    later_s = time.time() + 3601
    monkeypatch.setattr("core.serving.http.tokens.time.time", lambda: later_s)
    assert bert.get("/v1/status").status_code == 401
    # Nor does it open when no token exists any more, or the file is missing or damaged.
    TokenFile(tmp_path).revoke("bert")
    assert bert.get("/v1/status").status_code == 401
    (tmp_path / FILE).write_text("{")
    assert bert.get("/v1/status").status_code == 401
    (tmp_path / FILE).unlink()
    assert bert.get("/v1/status").status_code == 401


def test_an_answer_in_progress_is_not_sent_after_revocation(
    start: Start, tokens: TokenFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = start(tokens.add("anna", [], None))

    def slow(*_: Any) -> SearchResults:
        TokenFile(tmp_path).revoke("anna")
        return SearchResults("owl", Mode.WORDS, (), (), 1.0)

    answer_instead(monkeypatch, {Search: slow})
    answer = client.post("/v1/search", json={"query": "owl"})
    assert answer.status_code == 401
    assert "hits" not in answer.text


def test_other_names_and_other_sites_are_refused(start: Start) -> None:
    client = start()
    for host in (
        "evil.example",
        "127.0.0.1.evil.example:8765",
        "127.0.0.1@evil",
        "",
        "a b",
        "[::1",
    ):
        assert client.get("/health", headers={"host": host}).status_code == 421, host
    for host in ("localhost", "LOCALHOST:99", "127.0.0.1:1", "localhost."):
        assert client.get("/health", headers={"host": host}).status_code == 200, host
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "file://"):
        answer = client.get("/v1/status", headers={"origin": origin})
        assert answer.status_code == 403, origin
        assert "access-control-allow-origin" not in answer.headers
    assert client.get("/v1/status", headers={"origin": URL}).status_code == 200
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200)):
        assert client.get("/health", headers={"sec-fetch-site": site}).status_code == status
    answer = client.options(
        "/v1/search",
        headers={"origin": "http://evil.example", "access-control-request-method": "POST"},
    )
    assert answer.status_code == 403


def test_a_header_that_is_there_twice_is_refused(start: Start) -> None:
    client = start()
    twice = [("host", "127.0.0.1:8765"), ("host", "evil.example")]
    assert client.get("/health", headers=twice).status_code in {400, 421}
    assert client.get("/v1/status?a=1&a=2").status_code == 400
    assert client.get("/v1/status", headers=[("origin", URL), ("origin", URL)]).status_code == 400


def test_a_too_large_request_is_refused_before_it_is_read(start: Start) -> None:
    client = start(limits=replace(ENOUGH, body_bytes=1000))
    answer = client.post("/v1/search", content=b"x" * 1001)
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")
    pieces = (b"y" * 100 for _ in range(11))
    assert client.post("/v1/search", content=pieces).status_code == 413
    assert client.post("/mcp", content=b"x" * 1001).status_code == 413
    assert client.post("/v1/search", headers={"content-length": "9" * 30}).status_code == 413
    assert client.post("/v1/search", json={"query": "owl"}).status_code == 200


def test_too_frequent_requests_wait(start: Start, tokens: TokenFile) -> None:
    limits = replace(ENOUGH, rate_per_s=0.01, burst=3)
    anna, bert = tokens.add("anna", [], None), tokens.add("bert", [], None)
    client = start(limits=limits)
    shown = {
        name: {"authorization": f"Bearer {secret}"} for name, secret in (("a", anna), ("b", bert))
    }
    statuses = [client.get("/v1/status", headers=shown["a"]).status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    # One does not use up the others' turn.
    answer = client.get("/v1/status", headers=shown["b"])
    assert answer.status_code == 200
    # Nor can a client without one try endlessly.
    tried = [client.get("/v1/status").status_code for _ in range(40)]
    assert tried[0] == 401
    assert tried[-1] == 429
    assert int(client.get("/health").headers["retry-after"]) > 1


def test_an_unreadable_request_is_reported_in_a_sentence(start: Start) -> None:
    client = start()
    for body, words in (
        (b"", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b"[" * 60_000, "not valid JSON"),
        (b'{"query": "\\ud800"}', "lone surrogate"),
        (b'{"query": 7}', "query is not valid: expected `str`, got `int`"),
        (b"[]", "expected `object`, got `array`"),
        (b"{}", "query is missing"),
        (b'{"query": "owl", "path": "/etc"}', "Unknown field 'path'"),
        (b'{"query": "owl", "limit": 51}', "from 1 to 50"),
        (b'{"query": "owl", "is_folded": false}', "Unknown field 'is_folded'"),
        (b'{"query": "owl", "scope": {"names": ["a"]}}', "Unknown field 'names'"),
        (b'{"query": "owl", "scope": {"paths": [""]}}', "not in a folder of the library"),
        (b'{"query": "owl", "limit": NaN}', "not valid JSON"),
        (b'{"query": "owl", "limit": true}', "limit is not valid: expected `int`, got `bool`"),
        (b'{"query": "owl", "mode": "magic"}', "mode is not valid: invalid enum value 'magic'"),
        (b'{"query": " "}', "The query is empty"),
        (b'{"query": "owl", "scope": {"paths": ["/etc"]}}', "not in a folder of the library"),
        (b'{"query": "owl", "scope": {"paths": ["/a\\u0000"]}}', "is not a path"),
    ):
        answer = client.post("/v1/search", content=body)
        assert answer.status_code == 400, body[:40]
        assert words in answer.json()["sentence"]
    for path, status in (
        ("/v1/passages/0", 400),
        ("/v1/passages/x", 400),
        ("/v1/passages/9" + "9" * 30, 400),
        ("/v1/passages/1?before=11", 400),
        ("/v1/passages/1?passage_id=2", 400),
        ("/v1/passages/1/..%2f..%2fetc", 404),
        ("/v1/../../etc/passwd", 404),
        ("/v1/search", 405),
        ("/mcp", 405),
    ):
        answer = client.get(path)
        assert answer.status_code == status, path
        assert set(answer.json()) == {"sentence"}


def test_errors_reveal_nothing_of_the_machine(
    start: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = start()
    for error, status in (
        (OSError(13, "denied", "/srv/secret"), 500),
        (ModelError("The model in {0} is damaged.", "/srv/secret"), 503),
        (LibraryError("{0} cannot be read.", "/srv/secret"), 503),
        (DocumentError("lies in /srv/secret"), 409),
        (GoneError("{0} is gone", "/srv/secret"), 404),
        (AssertionError("secret"), 500),
    ):
        assert refusal_of(error).status == status

        def fail(*_: Any, error: Exception = error, **__: Any) -> None:
            raise error

        answer_instead(monkeypatch, {Search: fail})
        answer = client.post("/v1/search", json={"query": "owl"})
        assert answer.status_code == status
        assert "secret" not in answer.text
        assert "secret" not in str(answer.headers)
        message = {
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "search", "arguments": {"query": "owl"}},
        }  # fmt: skip
        response = client.post("/mcp", json=message, headers={"accept": "application/json"})
        assert response.json()["result"]["isError"]
        assert "secret" not in response.text
    assert "secret" in caplog.text  # but the owner can read why


def test_notices_name_no_place(served: Library) -> None:
    assert public("") == ""
    assert public("The query is long; only its beginning was compared by meaning.").startswith(
        "The"
    )
    for place in ("/home/ada/x", "C:\\Users\\ada", "\\\\share\\x", "~/x", "'/a b/c'"):
        assert "the server's log" in public(f"It is in {place} now.")


def test_the_audit_log_records_user_and_kind_without_content(
    start: Start, tokens: TokenFile, tmp_path: Path, shelf: Shelf
) -> None:
    client = start(tokens.add("anna", [shelf.birds], None))
    found = search(client, "owls hunt mice", limit=3)
    client.get(f"/v1/passages/{found['hits'][0]['passages'][0]['passage']['id']}")
    client.get("/v1/status", headers={"authorization": "Bearer no"})
    lines = audited(tmp_path)
    assert [(one["who"], one["kind"], one["status"]) for one in lines] == [
        ("anna", "search", 200),
        ("anna", "passage", 200),
        ("", "other", 401),
    ]
    assert [one["count"] for one in lines] == [3, 1, 0]
    assert all(one["took_ms"] >= 0 and one["at"].startswith("20") for one in lines)
    text = (tmp_path / "server_audit.jsonl").read_text()
    assert not any(word in text for word in ("owl", "mice", str(shelf.birds)))
    assert (tmp_path / "server_audit.jsonl").stat().st_mode & 0o077 == 0
    numbers = client.get("/metrics").text
    assert 'winnow_requests_total{kind="search",status="200"} 1' in numbers
    assert 'winnow_request_seconds_count{kind="passage"} 1' in numbers
    assert "anna" not in numbers


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The jobs of searches that go on until they are cancelled."""
    jobs: list[Job] = []

    def search_on(_request: Any, job: Job | None) -> Any:
        assert job is not None
        jobs.append(job)
        while True:
            job.rest(0.01)

    answer_instead(monkeypatch, {Search: search_on})
    return jobs


def test_a_too_slow_request_is_cancelled(start: Start, held: list[Job]) -> None:
    client = start(limits=replace(ENOUGH, deadline_s=0.1))
    assert client.post("/v1/search", json={"query": "owl"}).status_code == 504
    wait_until(lambda: len(held) == 1 and held[0].is_cancelled)
    message = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "owl"}},
    }  # fmt: skip
    answer = client.post("/mcp", json=message, headers={"accept": "application/json"})
    assert answer.status_code == 504
    wait_until(lambda: len(held) == 2 and held[1].is_cancelled)
    assert client.get("/v1/status").status_code == 200


def test_requests_beyond_the_queue_get_a_retry_hint(start: Start, held: list[Job]) -> None:
    client = start(limits=replace(ENOUGH, threads=1, waiting=1, deadline_s=60))
    answers: list[int] = []

    def ask() -> None:
        answers.append(client.post("/v1/search", json={"query": "owl"}).status_code)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    wait_until(lambda: "winnow_work 2" in client.get("/metrics").text)
    answer = client.post("/v1/search", json={"query": "owl"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    # The second one begins when the first has ended, and is cancelled in turn.
    for count in (1, 2):
        wait_until(lambda count=count: len(held) == count)
        held[count - 1].cancel()
    for thread in threads:
        thread.join()
    assert answers == [504, 504]


def test_a_client_is_answered_by_plain_headers(start: Start) -> None:
    answer: Any = start().get("/")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["cache-control"] == "no-store"
    assert "server" not in answer.headers
    assert "/v1/search" in answer.text
