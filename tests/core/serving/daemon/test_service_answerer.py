"""A search by the service in another program's place: the same answers, also when it goes."""

from __future__ import annotations

import json
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from app.search.rows import arrange
from core.catalog.scope import Scope
from core.daemon_client import client
from core.daemon_client.client import ServiceAnswerer
from core.daemon_client.protocol import ACCEPTED, DECLINED, RESPONSE, addresses, frame
from core.errors import Cancelled, GoneError, UsageError
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.requests import NO_REWRITE, WHILE_TYPING, Explain, Search
from core.responses import Mode, SearchResults
from core.serving.daemon.service import Service
from core.wire.codec import written
from tests.conftest import BIRDS, write_files
from tests.core.serving.daemon.conftest import (
    Running,
    Start,
    as_process,
    find,
    status,
    wait_until,
)
from tests.waiting import patience

QUERIES = (
    "where do birds sleep",
    "owls",
    "mice at nigth",
    "résumé",
    '"land only" breed',
    "birds type:text -owls",
    "food in:nowhere",
    "crow OR cuckoo",
    "name:tax",
    "under ston",
    "nothing of the kind zzz",
    "coffee before:2001",
)


def no_model(*_: object, **__: object) -> Any:
    raise AssertionError("the model was asked for here")


@pytest.fixture
def caller(
    served: Running, open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> Library:
    """The same library in another program, which asks the service and cannot search itself."""
    library = open_library(
        served.home, LibraryOptions(is_read_only=True, service=ServiceAnswerer(served.home))
    )
    monkeypatch.setattr(library._generations, "answering", no_model)
    return library


def comparable(results: SearchResults) -> Any:
    """Return the results without the elapsed time; see `near`."""
    return json.loads(written(replace(results, took_ms=0.0)))


def near(value: Any) -> Any:
    """Compare equal to a value whose numbers differ within the precision of float32 sums.

    The service computes in another process, which may add in another order.
    """
    if isinstance(value, float):
        return pytest.approx(value, rel=1e-5, abs=1e-6)
    if isinstance(value, dict):
        return {key: near(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(near, value))
    return value


@pytest.mark.parametrize("mode", Mode)
def test_it_finds_ranks_and_lights_what_the_library_itself_does(
    caller: Library, library: Library, mode: Mode
) -> None:
    for query in QUERIES:
        for rewrites, is_refined in ((WHILE_TYPING, True), (NO_REWRITE, False)):
            options: dict[str, Any] = {"mode": mode, "rewrites": rewrites, "is_refined": is_refined}
            own = library.search(query, **options)
            remote = caller.search(query, **options)
            assert comparable(remote) == near(comparable(own))
            # As the window shows it: rows, snippets, highlights.
            arranged, own_arranged = arrange(remote), arrange(own)
            assert arranged.words == own_arranged.words
            assert [asdict(row) for row in arranged.rows] == [
                near(asdict(row)) for row in own_arranged.rows
            ]


def test_filters_and_numbers_go_with_the_question(
    caller: Library, library: Library, folder: Path
) -> None:
    place = folder / "owl.txt"
    scope = Scope(paths=(place,), neither=(Scope(suffixes=(".pdf",)),))
    remote = caller.search("birds", scope=scope, limit=3, is_folded=False)
    assert [hit.path for hit in remote.hits] == [place]
    own = library.search("birds", scope=scope, limit=3, is_folded=False)
    assert comparable(remote) == near(comparable(own))


def test_explanations_are_served_as_well(caller: Library, library: Library) -> None:
    query = "where do birds sleep"
    number = library.search(query).hits[0].passages[0].passage.id
    remote, own = (
        json.loads(written(each.answer(Explain(query, number)))) for each in (caller, library)
    )
    assert remote == near(own)


def test_errors_in_a_request_are_reported_by_the_client(served: Running, library: Library) -> None:
    with Library.open(
        served.home, LibraryOptions(is_read_only=True, service=ServiceAnswerer(served.home))
    ) as caller:
        for query, limit in (("", 5), ("owls", 0)):
            with pytest.raises(UsageError) as own:
                library.search(query, limit=limit)
            with pytest.raises(UsageError) as remote:
                caller.search(query, limit=limit)
            assert remote.value.message == own.value.message
        with pytest.raises(GoneError):
            caller.answer(Explain("owls", 1 << 40))


def test_a_cold_service_returns_nothing_at_once_where_no_client_waits(served: Running) -> None:
    options = Search("where do birds sleep")
    hurried = ServiceAnswerer(served.home, only_if_warm=True)
    assert hurried.answer_if_running(options) is None
    # A waiting caller makes it load its model.
    assert ServiceAnswerer(served.home).answer_if_running(options) is not None
    assert hurried.answer_if_running(options) is not None


def test_a_terminal_search_warms_the_service_for_later_ones(served: Running) -> None:
    hurried = ServiceAnswerer(served.home, only_if_warm=True)
    assert (
        client.run_command(served.home, ["search", "where do birds sleep", "--mode", "words"]) == 0
    )
    assert hurried.answer_if_running(Search("where do birds sleep")) is None
    assert client.run_command(served.home, ["search", "where do birds sleep"]) == 0
    assert hurried.answer_if_running(Search("where do birds sleep")) is not None


def test_the_desktop_finds_by_meaning_what_another_program_has_warmed(served: Running) -> None:
    assert (
        ServiceAnswerer(served.home).answer_if_running(Search("where do birds sleep")) is not None
    )
    assert find(served.home, "where do birds sleep")


def test_a_cancelled_caller_waits_for_nothing(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_requested, is_abandoned = threading.Event(), threading.Event()

    def take_long(_library: Library, _request: Search, job: Job) -> None:
        is_requested.set()
        with job.on_cancel(is_abandoned.set):
            assert is_abandoned.wait(patience())
        job.checkpoint()

    monkeypatch.setattr(Library, "answer", take_long)
    job = Job()
    ended: list[BaseException] = []

    def ask() -> None:
        try:
            ServiceAnswerer(served.home).answer_if_running(Search("owls"), job)
        except Cancelled as error:
            ended.append(error)

    caller = threading.Thread(target=ask)
    caller.start()
    assert is_requested.wait(patience())
    job.cancel()
    caller.join(patience())
    assert len(ended) == 1
    # The service has stopped searching, too.
    assert is_abandoned.wait(patience())


@pytest.fixture
def birds_home(folder: Path, library: Library) -> Path:
    write_files(folder, BIRDS)
    library.add_folder(folder)
    library.sync()
    return library.home


@pytest.fixture
def fake_service(birds_home: Path, runtime: Path) -> Iterator[Callable[[Sequence[bytes]], None]]:
    """Answer on the service's socket with these bytes, and then stop."""
    threads = []
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(addresses(birds_home)[0])
    listening.listen()

    def respond(parts: Sequence[bytes]) -> None:
        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.makefile("rb").readline()
                for part in parts:
                    connection.sendall(part)

        threads.append(threading.Thread(target=answer))
        threads[-1].start()

    yield respond
    for thread in threads:
        thread.join(patience())
    listening.close()


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [frame(ACCEPTED)],
        [frame(ACCEPTED), frame(RESPONSE, b'{"query": "owls", "hits": []}')[:-7]],
        [frame(ACCEPTED), frame(RESPONSE, b'{"query": "owls", "hits": []}')],
        [frame(ACCEPTED), frame(RESPONSE, b"nothing that is JSON")],
        [frame(ACCEPTED), frame(RESPONSE, b"null")],
        [frame(ACCEPTED), frame(RESPONSE, b"[" * 100_000)],
        [frame(ACCEPTED), RESPONSE + (1 << 31).to_bytes(4, "big")],
        [frame(ACCEPTED), frame(b"?", b"of no kind")],
        [frame(DECLINED)],
    ],
)
def test_after_an_incomplete_answer_the_library_answers_itself(
    birds_home: Path,
    library: Library,
    open_library: Callable[..., Library],
    fake_service: Callable[[Sequence[bytes]], None],
    parts: Sequence[bytes],
) -> None:
    caller = open_library(birds_home, LibraryOptions(service=ServiceAnswerer(birds_home)))
    fake_service(parts)
    assert comparable(caller.search("owls")) == near(comparable(library.search("owls")))


def test_killed_in_the_middle_it_is_not_missed(
    birds_home: Path, library: Library, open_library: Callable[..., Library]
) -> None:
    caller = open_library(birds_home, LibraryOptions(service=ServiceAnswerer(birds_home)))
    own = near(comparable(library.search("owls", mode=Mode.WORDS)))
    with as_process(birds_home) as process:
        assert comparable(caller.search("owls", mode=Mode.WORDS)) == own
        assert status(birds_home)["answered"] == 1
        # It hears the question, and says nothing more.
        process.send_signal(signal.SIGSTOP)
        sent: list[bytes] = []
        waiting = threading.Thread(
            target=lambda: sent.append(comparable(caller.search("owls", mode=Mode.WORDS)))
        )
        waiting.start()
        process.kill()
        waiting.join(patience())
        assert sent == [own]
    assert comparable(caller.search("owls", mode=Mode.WORDS)) == own


def test_changes_that_are_followed_count_as_use(
    start: Start, library: Library, folder: Path
) -> None:
    write_files(folder, {"owl.txt": BIRDS["owl.txt"]})
    library.add_folder(folder)
    library.sync()
    running = start(idle_s=1.0)
    wait_until(lambda: status(running.home)["is_in_step"])
    # No request was sent and nothing was read: there is nothing to release.
    assert is_unused(running.service)
    write_files(folder, {"crow.txt": BIRDS["crow.txt"]})
    # The model that the change was encoded with is let go once nothing changes any more.
    assert running.join() is True
    assert library.status().documents == 2


def is_unused(service: Service) -> bool:
    return service.activity.until_idle_s is None
