"""Dispatch and results, with a stand-in for Ray whose processes die on request."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog.document_queries import KnownDocument
from core.catalog.documents import DocumentState
from core.cluster import encoders, executor
from core.cluster.connection import has_ended
from core.cluster.executor import RayExecutor
from core.cluster.worker import ShareAnswer
from core.documents.files import FileIdentity
from core.errors import Cancelled, ClusterError, ModelError
from core.files.filesystems import FileStamp
from core.indexing.read.executor import TextBatch
from core.indexing.read.file_reading import FileFailure, FileText, ReadingContext
from core.indexing.scan.ignore_rules import RealFile
from core.progress import Job


class RayError(Exception):
    pass


class RayTaskError(RayError):
    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class LocalRayletDiedError(RayError):
    pass


class NodeDiedError(RayError):
    pass


class WorkerCrashedError(RayError):
    pass


class OutOfMemoryError(RayError):
    pass


class Reference:
    """A result that is made when it is waited for."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


class StandIn:
    """Ray as far as an executor uses it; processes do their work when they are waited for.

    Args:
        dies: whether a request ends the process, and every call queued after it.
        answer: the response of a process to a request.
        cpus: of each machine.
    """

    exceptions = SimpleNamespace(
        RayError=RayError,
        RayTaskError=RayTaskError,
        LocalRayletDiedError=LocalRayletDiedError,
        WorkerCrashedError=WorkerCrashedError,
        OutOfMemoryError=OutOfMemoryError,
    )

    def __init__(
        self,
        answer: Callable[[Any], Any],
        dies: Callable[[Any], bool] = lambda _request: False,
        cpus: tuple[float, ...] = (4, 4),
        seed: int = 7,
        death: type[RayError] = WorkerCrashedError,
    ) -> None:
        self.answer = answer
        self.dies = dies
        self.cpus = cpus
        self.death = death
        self.chance = random.Random(seed)
        self.received: list[Any] = []
        self.started = 0
        self.killed = 0
        self.cancelled = 0

    def nodes(self) -> list[dict[str, Any]]:
        return [{"Alive": True, "Resources": {"CPU": cpus}} for cpus in self.cpus]

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": sum(self.cpus)}

    def put(self, value: Any) -> Any:
        return value

    def remote(self, work: Any) -> Any:
        if isinstance(work, type):
            return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=self._actor))
        return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=self._task))

    def wait(
        self, references: list[Reference], timeout: float
    ) -> tuple[list[Reference], list[Reference]]:
        assert references
        ready = self.chance.choice(references)
        return [ready], [each for each in references if each is not ready]

    def get(self, reference: Reference) -> Any:
        return reference.make()

    def kill(self, actor: Any) -> None:
        self.killed += 1

    def cancel(self, reference: Reference, force: bool) -> None:
        self.cancelled += 1

    def _task(self, received: Any, _task: Any) -> Reference:
        return Reference(lambda: self._do(received))

    def _actor(self, *_arguments: Any) -> Any:
        self.started += 1
        state = {"is_dead": False}

        def encode(received: Any, _task: Any) -> Reference:
            def make() -> Any:
                if state["is_dead"]:
                    raise RayError("it had died")
                try:
                    return self._do(received)
                except RayError:
                    state["is_dead"] = True
                    raise

            return Reference(make)

        return SimpleNamespace(
            load=SimpleNamespace(remote=lambda: Reference(lambda: None)),
            encode=SimpleNamespace(remote=encode),
        )

    def _do(self, received: Any) -> Any:
        self.received.append(received)
        if self.dies(received):
            raise self.death("its process has ended")
        return self.answer(received)


GENERATION: Any = SimpleNamespace(
    checkpoint=SimpleNamespace(source="tiny", fingerprint="1", name="tiny"), reduction=None
)


def batches(count: int) -> Iterator[TextBatch]:
    return (TextBatch((number,), (("", f"text {number}"),)) for number in range(count))


def encode(
    ray: StandIn, source_batches: Iterator[TextBatch], report: Any = lambda _: None
) -> list[int]:
    using = RayExecutor(ray)
    return [each.passage_ids[0] for (each,) in using.encode(GENERATION, [], source_batches, report)]


@given(st.dictionaries(st.integers(0, 19), st.integers(1, 2)), st.integers(0, 1000))
def test_whatever_dies_up_to_twice_each_batch_comes_back_once(
    deaths: dict[int, int], seed: int
) -> None:
    left = Counter(deaths)

    def dies(batch: TextBatch) -> bool:
        number = batch.passage_ids[0]
        left[number] -= 1
        return left[number] >= 0

    # One batch at a time in an encoder: a batch behind another dies with it, and counts that.
    ray = StandIn(lambda batch: (batch,), dies, seed=seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoders, "AHEAD", 1)
        assert sorted(encode(ray, batches(20))) == list(range(20))


def test_a_batch_that_ends_three_encoders_fails_with_a_sentence() -> None:
    ray = StandIn(lambda batch: (batch,), lambda batch: batch.passage_ids == (3,))
    with pytest.raises(ClusterError, match="crashed 3 encoders"):
        encode(ray, batches(20))
    assert sum(batch.passage_ids == (3,) for batch in ray.received) == executor.TRIES


def test_no_more_is_handed_out_than_encoders_have_in_hand_and_next_in_line() -> None:
    handed: list[int] = []
    results: list[int] = []

    def noted() -> Iterator[TextBatch]:
        for batch in batches(50):
            handed.append(batch.passage_ids[0])
            assert len(handed) - len(results) <= 2 * 2
            yield batch

    using = RayExecutor(StandIn(lambda batch: (batch,)))
    for (batch,) in using.encode(GENERATION, [], noted(), lambda _: None):
        results.append(batch.passage_ids[0])
    assert sorted(results) == handed == list(range(50))


def test_cancelled_it_ends_its_encoders() -> None:
    ray = StandIn(lambda batch: (batch,))
    calls = iter(range(10))

    def report(_done: int) -> None:
        if next(calls) == 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        encode(ray, batches(50), report)
    assert ray.killed == ray.started > 0


def test_an_idle_executor_holds_no_processors_and_restarts_encoders() -> None:
    ray = StandIn(lambda batch: (batch,))
    using = RayExecutor(ray)
    assert len(list(using.encode(GENERATION, [], batches(5), lambda _: None))) == 5
    # Warm for the next batches, until there are none.
    assert (ray.started, ray.killed) == (2, 0)
    assert len(list(using.encode(GENERATION, [], batches(5), lambda _: None))) == 5
    assert (ray.started, ray.killed) == (2, 0)
    using.rest()
    assert (ray.started, ray.killed) == (2, 2)
    assert len(list(using.encode(GENERATION, [], batches(5), lambda _: None))) == 5
    assert ray.started == 4


def test_what_a_machine_lacks_is_reported_in_its_own_words() -> None:
    def refuse(_batch: TextBatch) -> Any:
        raise RayTaskError(ModelError("There is no model here."))

    with pytest.raises(ModelError, match=r"There is no model here\."):
        encode(StandIn(refuse), batches(2))

    def lack(_batch: TextBatch) -> Any:
        raise RayTaskError(ModuleNotFoundError("No module named 'core'"))

    with pytest.raises(ClusterError, match="lacks Winnow or a part of it"):
        encode(StandIn(lack), batches(2))


def test_a_lack_of_room_for_an_encoder_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "_PATIENCE_S", -1.0)
    monkeypatch.setattr(executor, "POLL_S", 0.0)
    with pytest.raises(ClusterError, match="no capacity for an encoder"):
        encode(StandIn(lambda batch: (batch,), cpus=(0.0,)), batches(2))


# Reading


def known(number: int, name: str) -> KnownDocument:
    return KnownDocument(
        number, f"/notes/{name}", FileStamp(10, 1), None, DocumentState.FOUND, "", "", "", "",
        None, False,
    )  # fmt: skip


def context(tmp_path: Path) -> ReadingContext:
    (tmp_path / "file").write_text("text")
    real = RealFile(tmp_path / "file", FileIdentity(0, 0), FileStamp(0, 0))
    return ReadingContext(
        reader=SimpleNamespace(recognises=False),  # type: ignore[arg-type]
        checkpoint=GENERATION.checkpoint,
        count_tokens=lambda texts: [1 for _ in texts],
        job=Job(),
        real=lambda _known: real,
        report=lambda _path: None,
        pages=lambda _hash: None,  # type: ignore[arg-type, return-value]
        known_members=lambda _known: frozenset(),
    )


def answer(files: Any) -> ShareAnswer:
    return ShareAnswer("there", tuple(FileText(str(each.known.id)) for each in files))


def test_only_the_file_that_kills_its_readers_fails_and_the_share_is_read(tmp_path: Path) -> None:
    documents = [known(number, f"{number}.txt") for number in range(150)]
    ray = StandIn(answer, lambda files: any(each.known.id == 40 for each in files))
    reading = RayExecutor(ray).read(documents, context(tmp_path))
    answers = {each.id: reply for each, reply in reading}
    assert sorted(answers) == list(range(150))
    failure = answers.pop(40)
    assert isinstance(failure, FileFailure)
    assert failure.reason == "Reading was stopped after 3 crashed attempts"
    # It is not tried again before it has changed.
    assert failure.content_hash
    assert not failure.is_shut
    assert all(isinstance(reply, FileText) for reply in answers.values())
    # In its share once, then alone; the rest of its share alone.
    assert (
        sum(any(each.known.id == 40 for each in files) for files in ray.received) == executor.TRIES
    )


def test_files_are_not_blamed_for_dying_machines(tmp_path: Path) -> None:
    documents = [known(number, f"{number}.txt") for number in range(150)]
    chance = random.Random(3)
    ray = StandIn(answer, lambda _files: chance.random() < 0.7, death=NodeDiedError)
    answers = dict(RayExecutor(ray).read(documents, context(tmp_path)))
    assert len(answers) == 150
    assert all(isinstance(reply, FileText) for reply in answers.values())


@pytest.mark.parametrize("death", [WorkerCrashedError, NodeDiedError])
def test_no_document_fails_when_all_processes_end(death: type[RayError], tmp_path: Path) -> None:
    documents = [known(number, f"{number}.txt") for number in range(150)]
    ray = StandIn(answer, lambda _files: True, death=death)
    reading = RayExecutor(ray).read(documents, context(tmp_path))
    with pytest.raises(ClusterError, match="keep crashing while reading"):
        next(reading)


def test_a_local_ray_failure_is_reported_at_once(tmp_path: Path) -> None:
    ray = StandIn(answer, lambda _files: True, death=LocalRayletDiedError)
    with pytest.raises(ClusterError, match="Ray has stopped on this machine"):
        next(RayExecutor(ray).read([known(1, "a.txt")], context(tmp_path)))
    ray = StandIn(answer, lambda _batch: True, death=LocalRayletDiedError)
    with pytest.raises(ClusterError, match="Ray has stopped on this machine"):
        encode(ray, batches(2))


def test_a_lost_node_is_reported_before_ray_ends_the_program(tmp_path: Path) -> None:
    import psutil

    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as running:
        node = psutil.Process(running.pid)
        ray = StandIn(lambda batch: (batch,))
        assert len(list(RayExecutor(ray, node).encode(GENERATION, [], batches(3), print))) == 3
        running.kill()
        # Its parent has not taken note of it yet.
        while not has_ended(node):
            continue
        for ended in (False, True):
            if ended:
                running.wait()
                assert has_ended(node)
            using = RayExecutor(ray, node)
            with pytest.raises(ClusterError, match="Ray has stopped on this machine"):
                next(using.encode(GENERATION, [], batches(3), lambda _: None))
            with pytest.raises(ClusterError, match="Ray has stopped on this machine"):
                next(using.read([known(1, "a.txt")], context(tmp_path)))


def test_a_temporarily_unreadable_file_is_not_dispatched(tmp_path: Path) -> None:
    ray = StandIn(answer)
    shut = ReadingContext(
        **{
            **{name: getattr(context(tmp_path), name) for name in ReadingContext.__slots__},
            "real": lambda _known: None,
        }
    )
    assert [reply for _, reply in RayExecutor(ray).read([known(1, "a.txt")], shut)] == [None]
    assert ray.received == []
