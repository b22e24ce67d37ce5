"""The door for browsers: over real connections of this machine, to whoever may ask and no other."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import socket
import stat
import sys
import threading
from pathlib import Path
from urllib.parse import urlencode

import pytest

from core.browser import address as browser_address
from core.browser.address import FILE, HOST, BrowserAddress
from core.browser.switch import BrowserState, state_of, switch_off, switch_on
from core.daemon import door as daemon_door
from core.daemon import peer
from core.daemon.door import MOST_CONNECTIONS
from core.errors import LibraryError
from core.library import Library
from core.service import client
from tests.conftest import Run
from tests.core.daemon.conftest import Running, Start, as_process, status, wait_until
from tests.waiting import patience

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


@pytest.fixture
def here(served: Running) -> BrowserAddress:
    """The address of that service's page, which is turned on."""
    state = switch_on(served.home)
    assert state.is_open, state.problem
    assert state.address is not None
    return state.address


Got = tuple[int, dict[str, str], str]


def get(here: BrowserAddress, page: str = "search", method: str = "GET", **said: object) -> Got:
    fields = f"?{urlencode(said)}" if said else ""
    return fetch(here, here.path(page) + fields, method)


def fetch(
    here: BrowserAddress, target: str, method: str = "GET", headers: dict[str, str] | None = None
) -> Got:
    asking = http.client.HTTPConnection(HOST, here.port, timeout=patience())
    with contextlib.closing(asking):
        asking.request(method, target, headers=headers or {})
        answer = asking.getresponse()
        given = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, given, answer.read().decode()


def test_it_is_off_until_it_is_turned_on(served: Running) -> None:
    assert state_of(served.home) == BrowserState(None)
    assert status(served.home)["browser"] == {"is_open": False, "problem": ""}
    assert not (served.home / FILE).exists()


def test_a_browser_finds_passages(here: BrowserAddress) -> None:
    status, headers, text = get(here, q="owls hunt mice")
    assert status == 200
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert "<b>owl.txt</b> in " in text
    assert re.search('<mark class="w[0-7]">Owls</mark>', text)
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"


def test_by_words_nothing_is_found_by_meaning(here: BrowserAddress) -> None:
    assert "cuckoo.txt" in get(here, q="chicks raised", mode="words")[2]
    assert "Nothing was found" in get(here, q="automobile", mode="words")[2]


def test_a_passage_is_read_in_its_place(here: BrowserAddress) -> None:
    found = re.search('href="([^"]*document[^"#]*)', get(here, q="swifts sleep")[2])
    assert found is not None
    status, _, text = fetch(here, found[1].replace("&amp;", "&"))
    assert status == 200
    assert "land only to breed under the roofs of houses." in text
    assert 'aria-current="true"' in text
    assert re.search("<mark[^>]*>sleep</mark>", text)


def test_what_is_gone_is_said(here: BrowserAddress) -> None:
    status, _, text = get(here, "document", id=1, passage=10**9)
    assert (status, "no longer in the library" in text) == (404, True)
    (first,) = re.findall("id=([0-9]+)&amp;passage=([0-9]+)", get(here, q='"dipper"')[2])[:1]
    assert get(here, "document", id=int(first[0]) + 1, passage=first[1])[0] == 404
    assert get(here, "document", id="x", passage=1)[0] == 400


def test_the_start_has_a_form_and_no_results(here: BrowserAddress) -> None:
    status, _, text = get(here, "")
    assert status == 200
    assert "autofocus" in text
    assert "<article" not in text
    assert get(here, q="  ")[2] == text


def test_an_unreadable_question_is_told_in_a_sentence(here: BrowserAddress) -> None:
    status, _, text = get(here, q='""')
    assert status == 400
    assert '<form role="search"' in text


@pytest.mark.parametrize("query", ["\x00", "'\"--;", "a\nb", "date:<b>", "in:../..", "%s", "🦉"])
def test_strange_questions_are_answered(here: BrowserAddress, query: str) -> None:
    assert get(here, q=query)[0] in {200, 400}


def test_it_tells_browsers_of_itself(here: BrowserAddress) -> None:
    status, headers, text = get(here, "opensearch.xml")
    assert status == 200
    assert headers["content-type"].startswith("application/opensearchdescription+xml")
    assert here.secret in text


def test_no_file_is_served(here: BrowserAddress, folder: Path) -> None:
    for page in ("owl.txt", "file", "../owl.txt", str(folder / "owl.txt"), "document/1"):
        assert get(here, page)[0] == 404


def test_the_head_alone_can_be_had(here: BrowserAddress) -> None:
    status, headers, text = get(here, method="HEAD", q="owls")
    assert (status, text) == (200, "")
    assert int(headers["content-length"]) > 1000


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Dest": "iframe"}, 403),
        ({"X": "y" * 20_000}, 431),
    ],
)
def test_others_are_told_nothing(
    here: BrowserAddress, headers: dict[str, str], status: int
) -> None:
    got, _, text = fetch(here, f"{here.path('search')}?q=owls", headers=headers)
    assert got == status
    assert "owl.txt" not in text
    assert here.secret not in text


def test_without_the_secret_nothing_is_there(here: BrowserAddress) -> None:
    for target in ("/", "/search?q=owls", "/favicon.ico", f"/{'x' * 32}/search?q=owls"):
        status, _, text = fetch(here, target)
        assert status == 404
        assert "Winnow" not in text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_is_done(here: BrowserAddress, method: str) -> None:
    status, headers, _ = get(here, method=method)
    assert status == 405
    assert headers["allow"] == "GET, HEAD"


def test_turned_off_nobody_listens_and_the_secret_is_another_then(
    served: Running, here: BrowserAddress
) -> None:
    assert switch_off(served.home)
    with pytest.raises(ConnectionRefusedError):
        get(here, q="owls")
    again = switch_on(served.home).address
    assert again is not None
    assert again.port == here.port
    assert get(here, q="owls")[0] == 404
    assert get(again, q="owls")[0] == 200


def test_it_listens_by_ipv4_on_this_machine_alone(served: Running, here: BrowserAddress) -> None:
    listening = served.service._door._listening
    assert listening is not None
    assert listening.family == socket.AF_INET
    assert listening.getsockname() == ("127.0.0.1", here.port)
    assert stat.S_IMODE((served.home / FILE).stat().st_mode) == 0o600


def test_another_users_program_is_refused(
    here: BrowserAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform != "linux":
        pytest.skip("this system tells nobody whose a connection is")
    assert get(here, q="owls")[0] == 200
    nobody = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: nobody)
    status, _, text = get(here, q="owls")
    assert status == 403
    assert here.secret not in text


TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:4E20 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1
   1: 0100007F:4E20 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 2 1
   2: 0100007F:C001 0100007F:4E20 01 00000000:00000000 00:00000000 00000000  1001        0 3 1
"""
TABLE_6 = """\
  sl  local_address                         remote_address                        st ...
   0: 0000000000000000FFFF00000100007F:C002 0000000000000000FFFF00000100007F:4E20 01 0:0 0:0 0 1002
"""


@pytest.mark.skipif(sys.byteorder == "big", reason="such machines write it the other way round")
def test_the_owner_of_the_other_end_is_told_apart_from_ours() -> None:
    ours = (HOST, 20_000)
    assert peer.owner_in(TABLE, (HOST, 0xC001), ours) == 1001
    assert peer.owner_in(TABLE_6, (HOST, 0xC002), ours) == 1002
    assert peer.owner_in(TABLE, (HOST, 0xC003), ours) is None


def ending(asking: socket.socket) -> bytes:
    """What comes until the other end closes the connection."""
    asking.settimeout(patience())
    got = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := asking.recv(4096):
            got += piece
    return got


def test_who_asks_slowly_is_told_so(here: BrowserAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daemon_door, "ASKED_WITHIN_S", 0.2)
    with socket.create_connection((HOST, here.port)) as asking:
        asking.sendall(b"GET / HTTP/1.1\r\n")
        assert ending(asking).startswith(b"HTTP/1.1 408 ")


def test_who_says_much_is_told_so(here: BrowserAddress) -> None:
    with socket.create_connection((HOST, here.port)) as asking:
        asking.sendall(b"GET /" + b"x" * 100_000)
        assert ending(asking).startswith(b"HTTP/1.1 431 ")


def test_no_more_than_some_are_heard_at_once(
    here: BrowserAddress, served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daemon_door, "ASKED_WITHIN_S", 60.0)
    held = [socket.create_connection((HOST, here.port)) for _ in range(MOST_CONNECTIONS)]
    door = served.service._door
    wait_until(lambda: door._open == MOST_CONNECTIONS)
    with socket.create_connection((HOST, here.port)) as one_more:
        assert ending(one_more) == b""
    for one in held:
        one.close()
    wait_until(lambda: door._open == 0)
    assert get(here, q="owls")[0] == 200


def test_who_goes_away_leaves_nothing_behind(here: BrowserAddress, served: Running) -> None:
    for _ in range(10):
        with socket.create_connection((HOST, here.port)) as asking:
            asking.sendall(f"GET {here.path()} HTTP/1.1\r\nHost: {here.host}\r\n\r\n".encode())
    wait_until(lambda: served.service._door._open == 0)
    assert get(here, "")[0] == 200


def test_a_library_begun_anew_is_told_in_a_sentence(served: Running, here: BrowserAddress) -> None:
    Library.begin_anew(served.home)
    status, headers, text = get(here, q="owls")
    assert status == 503
    assert headers["retry-after"] == "2"
    assert "The library was begun anew; load this page again in a moment." in text
    assert served.join() is True


def test_a_library_that_cannot_be_read_is_told_in_a_sentence(
    here: BrowserAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise LibraryError("The library in {0} cannot be read.", "<b>")

    monkeypatch.setattr(Library, "search", fail)
    status, _, text = get(here, q="owls")
    assert status == 503
    assert "The library in &lt;b&gt; cannot be read." in text


def test_who_was_heard_has_the_answer_when_it_ends(
    served: Running, here: BrowserAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_asked, may_end = threading.Event(), threading.Event()
    search = Library.search

    def take_long(*arguments: object, **options: object) -> object:
        is_asked.set()
        assert may_end.wait(patience())
        return search(*arguments, **options)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(Library, "search", take_long)
    got: list[Got] = []
    asking = threading.Thread(target=lambda: got.append(get(here, q="owls")))
    asking.start()
    assert is_asked.wait(patience())
    served.service.end()
    served.thread.join(0.2)
    assert served.thread.is_alive()
    may_end.set()
    asking.join()
    assert served.join() is False
    assert got[0][0] == 200


def test_a_service_that_starts_answers_browsers_where_they_are_on(home: Path, start: Start) -> None:
    here = browser_address.turn_on(home)
    start()
    assert status(home)["browser"]["is_open"]
    assert "The library is empty" in get(here, "")[2]


def test_two_search_at_once_and_others_are_told_to_wait(
    here: BrowserAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daemon_door, "_WAITS_S", 0.05)
    are_asked, may_end = threading.Semaphore(0), threading.Event()

    def take_long(*_arguments: object, **_options: object) -> None:
        are_asked.release()
        assert may_end.wait(patience())
        raise LibraryError("Enough.")

    monkeypatch.setattr(Library, "search", take_long)
    statuses: list[int] = []
    asking = [
        threading.Thread(target=lambda: statuses.append(get(here, q="owls")[0])) for _ in range(2)
    ]
    for one in asking:
        one.start()
        assert are_asked.acquire(timeout=patience())
    status, headers, _ = get(here, q="owls")
    may_end.set()
    for one in asking:
        one.join()
    assert (status, headers["retry-after"]) == (503, "2")
    assert statuses == [503, 503]


def test_a_port_that_is_taken_is_told(served: Running, run: Run, home: Path) -> None:
    address = browser_address.turn_on(home)
    with socket.socket() as taking:
        taking.bind((HOST, address.port))
        taking.listen()
        state = switch_on(home)
        assert not state.is_open
        assert f"Port {address.port} of this machine is taken" in state.problem
        assert state.problem in run("service", "browser")[1]
        assert run("service", "browser", "off")[0] == 0
        assert run("service", "browser", "on")[0] == 0
    again = state_of(home)
    assert again.is_open
    assert again.address is not None
    assert again.address.port != address.port


def test_it_is_turned_on_and_off_at_a_terminal(served: Running, run: Run, home: Path) -> None:
    assert run("service", "browser")[1].startswith("No browser is answered; ")
    assert run("service", "browser", "off") == (0, "No browser was answered.\n", "")
    status, out, _ = run("service", "browser", "on")
    assert status == 0
    here = browser_address.load(home)
    assert here is not None
    assert out == f"Search in a browser: {here.start}\nAs its search engine: {here.template}\n"
    assert get(here, q="owls")[0] == 200
    assert json.loads((home / "settings.json").read_text(encoding="utf-8"))["browser"] is True
    assert "It answers browsers; winnow service browser tells where.\n" in run("service")[1]
    told = json.loads(run("service", "browser", "status", "--json")[1])
    assert told == {"on": True, "answers": True, "problem": "", "address": here.template}
    assert run("service", "browser", "off")[1] == "Browsers are answered no more.\n"
    assert json.loads((home / "settings.json").read_text(encoding="utf-8"))["browser"] is False
    assert json.loads(run("service", "browser", "status", "--json")[1])["address"] is None


def test_without_a_service_it_says_what_to_do(run: Run, home: Path) -> None:
    status, out, _ = run("service", "browser", "on")
    assert status == 0
    assert out.endswith("The service does not run, so nobody answers there; winnow service on.\n")


def test_a_service_begun_anew_keeps_its_port(filled: Path) -> None:
    with as_process(filled, idle_s=0.5) as process:
        here = switch_on(filled).address
        assert here is not None
        begun_s = status(filled)["since"]
        for _ in range(2):
            assert get(here, q="owls", mode="words")[0] == 200
            # Who asks meanwhile waits, and is never turned away.
            while status(filled)["since"] == begun_s:
                assert get(here, "opensearch.xml")[0] == 200
            state = status(filled)
            assert state["process"] == process.pid
            assert state["browser"] == {"is_open": True, "problem": ""}
            begun_s = state["since"]
            wait_until(lambda: status(filled)["is_in_step"])
        wait_until(lambda: client.ask(filled, "end") is True)
        assert process.wait(patience()) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
        with pytest.raises(ConnectionRefusedError):
            get(here, "")
