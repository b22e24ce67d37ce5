"""Calls to replicas: answered, retried, given up and cancelled, without a cluster."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.cluster import serve_answerer
from core.cluster.serve_answerer import Deployment, ServeAnswerer
from core.errors import Cancelled, ClusterError, GoneError, LibraryError
from core.library.library import Library
from core.progress import Job
from core.publishing.store import FolderStore
from core.requests import ReadPassage, Search
from tests.conftest import Run

ray = pytest.importorskip("ray")
pytest.importorskip("ray.serve")


class Response:
    """A call's response: a result, an error, or neither until it is cancelled."""

    def __init__(self, outcome: object) -> None:
        self._future: Future[object] = Future()
        self.is_cancelled = False
        if isinstance(outcome, Exception):
            self._future.set_exception(outcome)
        elif outcome is not Ellipsis:
            self._future.set_result(outcome)

    def result(self, *, timeout_s: float | None) -> object:
        try:
            return self._future.result(timeout_s)
        except TimeoutError:
            raise ray.exceptions.GetTimeoutError from None

    def cancel(self) -> None:
        self.is_cancelled = True
        if not self._future.done():
            self._future.set_exception(ray.serve.exceptions.RequestCancelledError("1"))


class Handle:
    """Returns outcomes one after the other, and records calls."""

    def __init__(self, *outcomes: object) -> None:
        self._outcomes = iter(outcomes)
        self.sent: list[tuple[object, ...]] = []
        self.responses: list[Response] = []
        self.open = SimpleNamespace(remote=lambda snapshot: Response(f"machine:{snapshot}"))
        self.answer = SimpleNamespace(remote=self._send)

    def _send(self, *arguments: object) -> Response:
        self.sent.append(arguments)
        self.responses.append(Response(next(self._outcomes)))
        return self.responses[-1]


@pytest.fixture
def store(birds: Library, tmp_path: Path) -> FolderStore:
    birds.publish(str(tmp_path / "share"))
    return FolderStore(tmp_path / "share")


@pytest.fixture
def answerer(
    store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., tuple[ServeAnswerer, Handle]]]:
    monkeypatch.setattr(serve_answerer, "_running", lambda _name: 1)
    monkeypatch.setattr(serve_answerer, "_RETRY_S", 0.001)

    def make(*outcomes: object, deadline_s: float = 600.0) -> tuple[ServeAnswerer, Handle]:
        handle = Handle(*outcomes)
        deployment = Deployment(store.address, 1, deadline_s=deadline_s)
        answering = ServeAnswerer(ray, "birds", handle, store, deployment)
        assert answering.refresh()
        return answering, handle

    return make


def test_a_response_comes_from_the_snapshot_that_all_replicas_have(
    answerer: Callable[..., tuple[ServeAnswerer, Handle]], birds: Library, store: FolderStore
) -> None:
    answering, handle = answerer("first", "second", "third")
    request = ReadPassage(7)
    assert answering.answer(request) == "first"
    first = answering.snapshot
    assert not answering.refresh()
    birds.publish(store.address, "Another name")
    assert answering.answer(request) == "second"
    assert answering.refresh()
    assert answering.answer(request) == "third"
    assert handle.sent == [(first, request), (first, request), (answering.snapshot, request)]
    assert answering.snapshot != first


def test_an_error_that_a_replica_returns_is_raised_unchanged(
    answerer: Callable[..., tuple[ServeAnswerer, Handle]],
) -> None:
    answering, _ = answerer(GoneError("{0} has no page {1}; its pages are {2}.", "a.pdf", 7, 1))
    with pytest.raises(GoneError) as raised:
        answering.answer(ReadPassage(1))
    assert raised.value.message.template == "{0} has no page {1}; its pages are {2}."
    assert raised.value.message.fields == ("a.pdf", "7", "1")


def test_a_request_whose_replica_ends_is_sent_again(
    answerer: Callable[..., tuple[ServeAnswerer, Handle]],
) -> None:
    died = ray.exceptions.ActorDiedError()
    unavailable = ray.serve.exceptions.ReplicaUnavailableError("r")
    answering, handle = answerer(died, unavailable, died, "answer")
    assert answering.answer(ReadPassage(1)) == "answer"
    assert len(handle.sent) == 4


def test_a_missed_deadline_is_reported_in_one_sentence(
    answerer: Callable[..., tuple[ServeAnswerer, Handle]],
) -> None:
    sentence = r"did not respond within 0 seconds\. Try again in a moment\.$"
    answering, handle = answerer(..., deadline_s=0.01)
    with pytest.raises(ClusterError, match=sentence):
        answering.answer(ReadPassage(1))
    assert handle.responses[0].is_cancelled
    answering, _ = answerer(*[ray.exceptions.ActorDiedError()] * 1000, deadline_s=0.01)
    with pytest.raises(ClusterError, match=sentence):
        answering.answer(ReadPassage(1))


def test_a_bug_on_a_machine_is_an_error_of_the_cluster(
    answerer: Callable[..., tuple[ServeAnswerer, Handle]],
) -> None:
    answering, _ = answerer(ray.exceptions.RayTaskError("answer", "", KeyError("x")))
    with pytest.raises(
        ClusterError, match=r"An error in Winnow occurred on a machine of the cluster \(KeyError"
    ):
        answering.answer(ReadPassage(1))


def test_a_cancelled_job_cancels_the_call(
    answerer: Callable[..., tuple[ServeAnswerer, Handle]],
) -> None:
    answering, handle = answerer(...)
    job = Job()
    ended: list[BaseException] = []

    def send() -> None:
        try:
            answering.answer(Search("owl"), job)
        except Cancelled as error:
            ended.append(error)

    thread = threading.Thread(target=send)
    thread.start()
    while not handle.responses:
        time.sleep(0)
    job.cancel()
    thread.join()
    assert len(ended) == 1
    assert handle.responses[0].is_cancelled
    with pytest.raises(Cancelled):
        answering.answer(Search("owl"), job)
    assert len(handle.sent) == 1


def test_the_snapshot_before_answers_while_the_newest_cannot_be_read(
    answerer: Callable[..., tuple[ServeAnswerer, Handle]], store: FolderStore
) -> None:
    answering, _ = answerer("answer")
    before = answering.snapshot
    current = store.folder / "current.json"
    data = current.read_bytes()
    current.write_bytes(data[:-10])
    with pytest.raises(LibraryError):
        answering.refresh()
    assert answering.snapshot == before
    assert answering.answer(ReadPassage(1)) == "answer"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--replicas", "2"), "Replicas can serve published libraries only. Publish yours with"),
        (
            ("--ray", "leader:6379"),
            "Replicas can serve published libraries only. Publish yours with",
        ),
        (("--library", "share"), "requires --ray."),
        (
            ("--ray", "ray://leader:1", "--library", "share"),
            "The server must run on a machine of the cluster",
        ),
    ],
)
def test_arguments_that_do_not_fit_are_refused(
    run: Run, arguments: tuple[str, ...], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WINNOW_RAY", raising=False)
    status, _, error = run("serve", "--port", "0", *arguments)
    assert status == 2
    assert sentence in error


def test_a_place_without_a_library_is_refused_before_the_cluster_is_queried(
    run: Run, tmp_path: Path
) -> None:
    status, _, error = run("serve", "--port", "0", "--ray", "leader:1", "--library", tmp_path)
    assert status == 1
    assert error.startswith("winnow: No library is published at ")
