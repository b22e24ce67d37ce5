"""Replicas give the numbers of one process or say that some are missing, with a stand-in for Ray.

Its replicas answer, die and hang as they are told, call by call.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow, IndexSpec
from core.cluster import replica, replicas
from core.cluster.replica import IndexReference, ListSizes, Replica, Snapshot
from core.cluster.replica_searcher import Deadlines, ReplicaSearcher
from core.cluster.replicas import Replicas
from core.cluster.worker import ModelReference
from core.encoders.encoder import TokenVectors
from core.errors import Cancelled, ClusterError
from core.index.index_searcher import IndexSearcher
from core.index.index_writer import IndexWriter
from core.index.probing import ProbeParams
from core.index.reduction import ReducedPassage
from core.index.segment_store import SegmentStore
from core.progress import Job
from tests.core.index.conftest import add_document, remove_document, small_codec, vectors_of

_SEGMENTS = 6
_EACH = 7
_HASTY = Deadlines(late_s=0.02, whole_s=30.0)
_SHORT = Deadlines(late_s=0.02, whole_s=0.2)
_PATIENT = Deadlines(late_s=30.0, whole_s=60.0)
_CODEC = IndexReference.codec
QUERY = vectors_of(99, 4)
PARAMS = ProbeParams(t_prime=12, n_probe=1)


class RayError(Exception):
    pass


class RayTaskError(RayError):
    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Reference:
    """A result that is there, or will be when it is released."""

    def __init__(self, make: Callable[[], Any], *, hangs: bool = False) -> None:
        self.make = make
        self.hangs = hangs


class StandIn:
    """Ray as far as replicas use it.

    Args:
        fates: what becomes of each call, one after the other: "answers", "dies", "hangs", "errs".
            All behind them are answered.
    """

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, fates: Sequence[str] = ()) -> None:
        self.fates = iter(fates)
        self.started = 0
        self.calls: list[Reference] = []
        self.asked: list[tuple[int, tuple[int, ...]]] = []

    def remote(self, made: type[Replica]) -> Any:
        return SimpleNamespace(
            options=lambda **_: SimpleNamespace(remote=lambda: self._actor(made))
        )

    def _actor(self, made: type[Replica]) -> Any:
        number = self.started
        self.started += 1
        own = made()
        state = {"is_dead": False}

        def ask(*arguments: Any) -> Reference:
            self.asked.append((number, arguments[2]))
            given = pickle.loads(pickle.dumps(arguments))
            return self._call(state, lambda: pickle.loads(pickle.dumps(own.ask(*given))))

        def encode(*arguments: Any) -> Reference:
            return self._call(state, lambda: own.encode(*arguments))

        return SimpleNamespace(
            load=SimpleNamespace(remote=lambda _model: Reference(lambda: 1)),
            encode=SimpleNamespace(remote=encode),
            ask=SimpleNamespace(remote=ask),
        )

    def _call(self, state: dict[str, bool], call: Callable[[], Any]) -> Reference:
        fate = next(self.fates, "answers")

        def make() -> Any:
            if fate == "dies" or state["is_dead"]:
                state["is_dead"] = True
                raise RayError("it had died")
            if fate == "errs":
                raise RayTaskError(ClusterError("The machine {0} has another model.", "m"))
            return call()

        self.calls.append(Reference(make, hangs=fate == "hangs"))
        return self.calls[-1]

    def wait(
        self, references: list[Reference], num_returns: int = 1, timeout: float = 0
    ) -> tuple[list[Reference], list[Reference]]:
        done = [each for each in references if not each.hangs][:num_returns]
        return done, [each for each in references if each not in done]

    def get(self, reference: Reference | list[Reference], timeout: float | None = None) -> Any:
        if isinstance(reference, list):
            return [each.make() for each in reference]
        return reference.make()

    def put(self, value: Any) -> Any:
        return value

    def kill(self, actor: Any) -> None:
        pass


class Index:
    """An index of several segments, in one process and by replicas."""

    def __init__(self, home: Path) -> None:
        self.catalog = Catalog(home / "catalog.sqlite")
        self.codec = small_codec()
        self.row = GenerationRow(IndexSpec("m", "f", self.codec.bits), "m")
        self.store = SegmentStore(home / "index", self.catalog, self.codec, self.row)
        self.reference = IndexReference(home, ModelReference("m", "f", "m"), self.row.spec)
        self.here = IndexSearcher(self.store)
        self.numbers: list[int] = []
        for segment in range(_SEGMENTS):
            self.add(f"document {segment}")

    def add(self, name: str) -> None:
        numbers = add_document(self.catalog, name, _EACH)
        kept = [ReducedPassage(vectors_of(one, 9), np.arange(9), tokens=9) for one in numbers]
        IndexWriter(self.store).publish(list(zip(numbers, kept, strict=True)))
        self.numbers += numbers

    def by_replicas(
        self, ray: StandIn, count: int = 3, deadlines: Deadlines = _PATIENT
    ) -> ReplicaSearcher:
        pool = Replicas(ray, count)
        pool.tend()
        return ReplicaSearcher(pool, self.reference, self.store, deadlines)


@pytest.fixture(scope="module", autouse=True)
def codec_without_a_model() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replica.IndexReference, "codec", lambda _self: small_codec())
        patch.setattr(replica.jit, "load", lambda: None)
        yield


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    made = Index(tmp_path_factory.mktemp("home"))
    with contextlib.closing(made.catalog), contextlib.closing(made.store):
        yield made


@pytest.fixture
def own_index(home: Path) -> Iterator[Index]:
    """One that a test may change."""
    made = Index(home)
    with contextlib.closing(made.catalog), contextlib.closing(made.store):
        yield made


allowed = st.none() | st.sets(st.integers(1, _SEGMENTS * _EACH)).map(
    lambda numbers: np.array(sorted(numbers), dtype=np.int64)
)


@given(allowed, st.integers(1, 60), st.integers(1, 5))
def test_they_give_the_numbers_of_one_process(
    index: Index, allowed: Any, limit: int, count: int
) -> None:
    searcher = index.by_replicas(StandIn(), count)
    with pytest.MonkeyPatch.context() as patch:
        # Else so few passages would be compared in full.
        patch.setattr("core.index.index_searcher._FEW_PASSAGES", 3)
        patch.setattr("core.cluster.replica_searcher._FIRST_PASSAGES", 4)
        found = searcher.probe(QUERY, PARAMS, allowed=allowed)
        right = index.here.probe(QUERY, PARAMS, allowed=allowed)
        assert found.best(limit).tolist() == right.best(limit).tolist()
    assert len(found) == len(right)
    some = np.array(index.numbers[::2])
    scores, expected = searcher.score(QUERY, some), index.here.score(QUERY, some)
    assert scores.passages.tolist() == expected.passages.tolist()
    assert np.array_equal(scores.values, expected.values)
    vectors, known = searcher.vectors(some.tolist()), index.here.vectors(some.tolist())
    assert vectors.keys() == known.keys()
    for number, own in vectors.items():
        assert np.array_equal(own.vectors, known[number].vectors)
        assert np.array_equal(own.positions, known[number].positions)


fates = st.lists(st.sampled_from(["answers", "dies", "hangs", "errs"]), max_size=30)


@given(fates, st.integers(1, 4))
def test_whatever_becomes_of_them_nothing_is_wrong_and_what_is_missing_is_said(
    index: Index, fates: list[str], count: int
) -> None:
    searcher = index.by_replicas(StandIn(fates), count, Deadlines(0.001, 0.01))
    search = searcher.begun()
    found = search.probe(QUERY, PARAMS)
    scores = search.score(QUERY, np.array(index.numbers))
    expected = index.here.score(QUERY, np.array(index.numbers))
    there = np.isin(expected.passages, scores.passages)
    assert np.array_equal(scores.values, expected.values[there])
    if search.notice():
        assert "Search again in a moment." in search.notice()
    else:
        right = index.here.probe(QUERY, PARAMS)
        assert found.best(10).tolist() == right.best(10).tolist()
        assert there.all()


def test_the_dead_are_replaced_and_their_successors_have_their_segments(index: Index) -> None:
    ray = StandIn()
    searcher = index.by_replicas(ray)
    searcher.warm_up()
    before = {segments: number for number, segments in ray.asked}
    ray.fates = iter(["dies"])
    ray.asked.clear()
    expected = index.here.score(QUERY, np.array(index.numbers))
    scores = searcher.score(QUERY, np.array(index.numbers))
    assert np.array_equal(scores.values, expected.values)
    dead = ray.asked[0][0]
    assert ray.started == 4
    searcher.replicas.tend()
    ray.asked.clear()
    searcher.score(QUERY, np.array(index.numbers))
    after = {segments: number for number, segments in ray.asked}
    assert after == {segments: 3 if of == dead else of for segments, of in before.items()}


def test_who_hangs_is_asked_last_until_it_answers(index: Index) -> None:
    ray = StandIn(["hangs"])
    searcher = index.by_replicas(ray, deadlines=_HASTY)
    right = index.here.score(QUERY, np.array(index.numbers))
    scores = searcher.score(QUERY, np.array(index.numbers))
    assert np.array_equal(scores.values, right.values)
    hanging = ray.asked[0][0]
    ray.asked.clear()
    searcher.score(QUERY, np.array(index.numbers))
    assert hanging not in {number for number, _ in ray.asked}
    for reference in ray.calls:
        reference.hangs = False
    ray.asked.clear()
    searcher.score(QUERY, np.array(index.numbers))
    assert hanging in {number for number, _ in ray.asked}


def test_who_hangs_for_long_is_replaced(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = StandIn(["hangs"])
    searcher = index.by_replicas(ray, deadlines=_HASTY)
    searcher.score(QUERY, np.array(index.numbers))
    monkeypatch.setattr(replicas, "_LATE_S", 0.0)
    searcher.replicas.tend()
    assert ray.started == 4


def test_where_all_hang_a_search_says_so_and_what_cannot_say_so_is_an_error(index: Index) -> None:
    searcher = index.by_replicas(StandIn(["hangs"] * 100), deadlines=_SHORT)
    search = searcher.begun()
    assert not len(search.probe(QUERY, PARAMS))
    assert search.notice() == (
        "Some of the machines that search did not answer in time: about 42 of 42 passages were not "
        "compared by meaning. Search again in a moment."
    )
    with pytest.raises(ClusterError, match="try again in a moment"):
        searcher.score(QUERY, np.array(index.numbers))


def test_a_search_that_nobody_waits_for_ends(index: Index) -> None:
    searcher = index.by_replicas(StandIn(["hangs"] * 100))
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        searcher.score(QUERY, np.array(index.numbers), job)


def test_a_machine_that_cannot_is_named_where_no_other_can(index: Index) -> None:
    searcher = index.by_replicas(StandIn(["errs"] * 100), deadlines=_HASTY)
    with pytest.raises(ClusterError, match="has another model"):
        searcher.warm_up()


def test_a_search_stays_in_its_snapshot_and_the_next_takes_up_the_new_one(
    own_index: Index,
) -> None:
    ray = StandIn()
    searcher = own_index.by_replicas(ray)
    searcher.warm_up()
    begun = searcher.begun()
    before = own_index.here.score(QUERY, np.array(own_index.numbers))
    remove_document(own_index.catalog, "document 1")
    own_index.add("new")
    scores = begun.score(QUERY, np.array(own_index.numbers))
    assert np.array_equal(scores.passages, before.passages)
    scores = searcher.begun().score(QUERY, np.array(own_index.numbers))
    after = own_index.here.score(QUERY, np.array(own_index.numbers))
    assert np.array_equal(scores.values, after.values)
    assert set(scores.passages) == set(before.passages) - set(range(8, 15)) | set(range(43, 50))


def test_no_search_waits_until_new_segments_are_open(own_index: Index) -> None:
    ray = StandIn()
    searcher = own_index.by_replicas(ray)
    searcher.warm_up()
    before = own_index.here.score(QUERY, np.array(own_index.numbers))
    own_index.add("new")
    ray.fates = iter(["hangs"])
    every = np.array(own_index.numbers)
    scores = searcher.begun().score(QUERY, every)
    # The new one is on its way, and the one before is whole.
    assert np.array_equal(scores.passages, before.passages)
    for reference in ray.calls:
        reference.hangs = False
    scores = searcher.begun().score(QUERY, every)
    assert np.array_equal(scores.values, own_index.here.score(QUERY, every).values)


def test_segments_that_were_merged_away_unopened_have_the_search_begin_once_more(
    own_index: Index,
) -> None:
    searcher = own_index.by_replicas(StandIn())
    every = np.array(own_index.numbers)
    begun = searcher.begun()
    writer = IndexWriter(own_index.store)
    for number in range(7, 17):
        own_index.add(f"document {number}")
    writer.merge(Job())
    assert not len(begun.score(QUERY, every).passages)
    assert begun.is_outdated()
    again = searcher.begun()
    scores = again.score(QUERY, every)
    assert not again.is_outdated()
    assert np.array_equal(scores.values, own_index.here.score(QUERY, every).values)


def test_a_damaged_segment_is_left_out_as_in_one_process(own_index: Index) -> None:
    searcher = own_index.by_replicas(StandIn())
    file = next(iter(own_index.store.published().rows)).file
    (own_index.store.folder / file).write_bytes(b"nothing")
    every = np.array(own_index.numbers)
    search = searcher.begun()
    scores = search.score(QUERY, every)
    assert np.array_equal(scores.values, own_index.here.score(QUERY, every).values)
    assert search.notice() == own_index.here.notice() != ""


def test_a_replica_lets_go_what_nobody_asks_for(index: Index) -> None:
    now_s = [0.0]
    own = Replica(lambda: now_s[0])
    rows = {row.id: row for row in index.store.published().rows}
    first, second, *_ = rows
    snapshot = Snapshot("key", index.reference, rows, {})
    own.ask("key", snapshot, [first, second], ListSizes(), None)
    now_s[0] = 500.0
    own.ask("key", None, [second], ListSizes(), None)
    now_s[0] = 900.0
    own.ask("key", None, [], ListSizes(), None)
    assert [path.name for path in own._held] == [rows[second].file]
    # It opens it again when it is asked for.
    answer = own.ask("key", None, [first], ListSizes(), None)
    assert answer.of.keys() == {first}


def test_a_replica_that_was_not_told_of_a_snapshot_asks_for_it(index: Index) -> None:
    assert Replica().ask("key", None, [1], ListSizes(), None).lacks_snapshot


def test_a_machine_that_does_not_see_the_library_says_so(home: Path) -> None:
    model = ModelReference("m", "f", "m")
    reference = IndexReference(home / "nowhere", model, IndexSpec("m", "f", 2))
    with pytest.raises(ClusterError, match=r"does not see the library in .*nowhere; mount"):
        _CODEC(reference)


def marked(batches: Sequence[Sequence[str]]) -> list[list[TokenVectors]]:
    return [[TokenVectors(np.full((1, 2), len(text))) for text in batch] for batch in batches]


@given(fates, st.integers(0, 4), st.integers(0, 9))
def test_passages_are_encoded_by_replicas_and_what_is_not_is_left_to_the_server(
    index: Index, fates: list[str], count: int, passages: int
) -> None:
    encoder = SimpleNamespace(encode_passages=lambda batch: marked([batch])[0])
    batches: Any = [["x" * number] for number in range(passages)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replica.Replica, "_encoder", lambda _self, _model: encoder)
        ray = StandIn(fates)
        encode_s = 0.005 if "hangs" in fates else 30.0
        searcher = index.by_replicas(ray, count, Deadlines(encode_s=encode_s))
        encoded = searcher.encode_passages(batches, Job())
    for given_back, right in zip(encoded, marked(batches), strict=True):
        assert given_back is None or np.array_equal(given_back[0].vectors, right[0].vectors)
    if count and set(fates[:count]) <= {"answers"}:
        assert None not in encoded
