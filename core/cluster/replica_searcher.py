"""Searches the segments of one index by replicas: dealt, asked, gathered by a deadline.

The lists that a query visits are chosen here, from the sizes of all segments' lists, as one process
does; replicas visit them, each in its segments. A passage lies in one segment, so that what they
say is put together and no more: the numbers are those of one process.

Each search asks of one snapshot. What a replica does not answer in time is asked of the next one in
the hash's order as well, and the first answer counts. What nobody answers by the deadline is left
out, and the search says so.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np

from core.arrays import Floats, Numbers
from core.cluster.connection import connection, sentence_of
from core.cluster.dealing import deal, preference
from core.cluster.replica import (
    Answer,
    BestPassages,
    FullScores,
    IndexReference,
    ListSizes,
    Probe,
    Question,
    Snapshot,
    Vectors,
)
from core.cluster.replicas import ReplicaProcess, Replicas
from core.cluster.worker import ModelReference
from core.encoders.encoder import TextTokens, TokenVectors
from core.errors import ClusterError, Message, WinnowError
from core.index import probing
from core.index.codec import Codec, ResidualCodec
from core.index.generation import IndexGeneration
from core.index.index_searcher import are_few
from core.index.probing import Choice, Estimates, ProbeParams
from core.index.reduction import StoredVectors
from core.index.scoring import Scores
from core.index.segment_store import Published, SegmentStore, damage_of
from core.progress import Job

_FIRST_PASSAGES: Final = 256
"""So many of each segment are told at once: more than are compared in full by default."""
_POLL_S: Final = 0.1
"""So long at most until a search is heard that nobody waits for any more."""
_OPENING_S: Final = 120.0
"""So long a warm-up may take."""
_TAKE_UP_S: Final = 5.0
"""So long searches go on in the snapshot before, until replicas have opened a new one."""
Given = TypeVar("Given")
_log = logging.getLogger(__name__)

_LATE: Final = (
    "Some of the machines that search did not answer in time: about {0} of {1} passages were not "
    "compared by meaning. Search again in a moment."
)
_NOT_ALL: Final = "Some of the machines that search did not answer in time; try again in a moment."


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long is waited for replicas.

    Attributes:
        late_s: after which what one was asked is asked of the next one as well.
        whole_s: for all that one search asks; what it does in between does not count.
        encode_s: after which passages that replicas were to encode are encoded here.
    """

    late_s: float = 1.5
    whole_s: float = 6.0
    encode_s: float = 6.0


class ReplicaSearcher:
    """Searches the segments of one index by replicas; for any number of threads at once."""

    def __init__(
        self,
        replicas: Replicas,
        index: IndexReference,
        store: SegmentStore,
        deadlines: Deadlines,
    ) -> None:
        """Search what the manifest names; none of its files is opened here.

        Args:
            replicas: that are asked.
            index: as they find it.
            store: whose segments are searched.
            deadlines: how long they may take.
        """
        self.replicas = replicas
        self.deadlines = deadlines
        self._index = index
        self._store = store
        self._guard = threading.Lock()
        self._turns = itertools.count()
        self._sizes: dict[str, Numbers] = {}
        self._taken: _Taken | None = None
        self._coming: _Coming | None = None

    @property
    def codec(self) -> Codec:
        """What the vectors are compressed by."""
        return self._store.codec

    def begun(self) -> ReplicaSearch:
        """Return what one search asks, of one snapshot and by one deadline."""
        return ReplicaSearch(self, self._snapshot().snapshot, self.deadlines.whole_s)

    def notice(self) -> str:
        """Return what was left out: nothing, for that is an error here."""
        return ""

    def is_outdated(self) -> bool:
        """Return whether segments were replaced before they could be searched: that is an error."""
        return False

    def warm_up(self) -> None:
        """Have replicas load the model and open what is published.

        Raises:
            ClusterError: they do not see the library, or do not answer.
            ModelError: they lack the model.
        """
        ray = self.replicas.ray
        loading = self.replicas.load(self._index.model)
        ray.wait(loading, num_returns=len(loading), timeout=_OPENING_S)
        try:
            ray.get(loading, timeout=0)
        except ray.exceptions.RayTaskError as error:
            raise sentence_of(error) from error
        except ray.exceptions.RayError as error:
            # Another is started in its place, with the model.
            _log.warning("a replica did not load the model: %s", error)
        search = ReplicaSearch(self, self._snapshot().snapshot, _OPENING_S)
        search.list_sizes(Job())
        search.raise_if_partial()

    def score(self, query: Floats, numbers: Numbers, job: Job | None = None) -> Scores:
        """Score these passages; see `VectorSearcher`.

        Raises:
            Cancelled: the job was cancelled.
            ClusterError: not all replicas answered.
        """
        return self._whole(lambda search: search.score(query, numbers, job))

    def probe(
        self,
        query: Floats,
        params: ProbeParams,
        *,
        allowed: Numbers | None = None,
        job: Job | None = None,
    ) -> GatheredEstimates:
        """Estimate the scores of passages; see `VectorSearcher`. Raises as `score`."""
        return self._whole(
            lambda search: search.probe(query, params, allowed=allowed, job=job, is_strict=True)
        )

    def vectors(self, numbers: Sequence[int]) -> dict[int, StoredVectors]:
        """Return the stored vectors of these passages; raises as `score`."""
        return self._whole(lambda search: search.vectors(numbers))

    def encode_passages(
        self, batches: Sequence[Sequence[TextTokens]], job: Job
    ) -> list[list[TokenVectors] | None]:
        """Return batches as replicas encode them, None for what they do not in time.

        Raises:
            Cancelled: the job was cancelled.
        """
        ray = self.replicas.ray
        self.replicas.tend()
        processes = [each for each in self.replicas.processes() if not each.is_late]
        encoded: list[list[TokenVectors] | None] = [None] * len(batches)
        # Who is first changes, so that few batches do not all go to the same.
        first = next(self._turns)
        calls: dict[Any, tuple[ReplicaProcess, range]] = {}
        for place in range(min(len(processes), len(batches))):
            process = processes[(first + place) % len(processes)]
            own = range(place, len(batches), len(processes))
            given = [batches[number] for number in own]
            calls[process.actor.encode.remote(self._index.model, given)] = process, own
        until_s = time.monotonic() + self.deadlines.encode_s
        while calls:
            job.checkpoint()
            left_s = until_s - time.monotonic()
            if left_s <= 0:
                for reference, (process, _) in calls.items():
                    self.replicas.late(process, reference)
                break
            done, _ = ray.wait([*calls], timeout=min(left_s, _POLL_S))
            for reference in done:
                process, own = calls.pop(reference)
                try:
                    for number, vectors in zip(own, ray.get(reference), strict=True):
                        encoded[number] = vectors
                except ray.exceptions.RayTaskError as error:
                    _log.warning("passages are encoded here: %s", sentence_of(error))
                except ray.exceptions.RayError as error:
                    self.replicas.lost(process, error)
        return encoded

    def _whole(self, ask: Callable[[ReplicaSearch], Given]) -> Given:
        while True:
            search = self.begun()
            given = ask(search)
            search.raise_if_partial()
            if not search.is_outdated():
                return given

    def is_replaced(self, snapshot: Snapshot) -> bool:
        """Return whether the manifest names another snapshot now, which is then taken up."""
        if self._snapshot_of(self._store.published()).key == snapshot.key:
            return False
        with self._guard:
            if self._taken is not None and self._taken.snapshot.key == snapshot.key:
                self._taken = None
        return True

    def known_sizes(self, segments: Sequence[str]) -> Mapping[str, Numbers]:
        """Return the sizes of the lists of those segments, by name, that were told before."""
        with self._guard:
            return {name: self._sizes[name] for name in segments if name in self._sizes}

    def take_sizes(self, sizes: Mapping[str, Numbers], snapshot: Snapshot) -> None:
        """Keep what replicas told of a snapshot's segments, and forget those of none."""
        with self._guard:
            self._sizes.update(sizes)
            kept = {row.file for row in snapshot.rows.values()}
            if self._taken is not None:
                kept.update(row.file for row in self._taken.snapshot.rows.values())
            if self._coming is not None:
                kept.update(row.file for row in self._coming.taken.snapshot.rows.values())
            self._sizes = {name: one for name, one in self._sizes.items() if name in kept}

    def _snapshot(self) -> _Taken:
        """Return the snapshot that a search is to ask of.

        The one before until replicas have opened what is new, so that no search waits for it.
        """
        published = self._store.published()
        with self._guard:
            taken, coming = self._taken, self._coming
            if taken is not None and taken.version == published.version:
                self._coming = None
                return taken
            if coming is None or coming.taken.version != published.version:
                new = _Taken(published.version, self._snapshot_of(published))
                fresh = self._fresh(taken, new)
                if taken is None or not fresh:
                    self._taken, self._coming = new, None
                    return new
                began_s = coming.began_s if coming is not None else time.monotonic()
                coming = self._coming = _Coming(new, began_s, self._opening(new.snapshot, fresh))
            awaited = coming.awaited
            is_over = time.monotonic() - coming.began_s > _TAKE_UP_S
            if awaited and not is_over and taken is not None:
                done, _ = self.replicas.ray.wait(awaited, num_returns=len(awaited), timeout=0)
                if len(done) < len(awaited):
                    return taken
                self._sizes |= self._told(coming)
            self._taken, self._coming = coming.taken, None
            return coming.taken

    def _told(self, coming: _Coming) -> dict[str, Numbers]:
        """Return the sizes of the lists that replicas told of while they opened segments."""
        rows = coming.taken.snapshot.rows
        sizes: dict[str, Numbers] = {}
        for reference in coming.awaited:
            try:
                answer: Answer = self.replicas.ray.get(reference)
            except self.replicas.ray.exceptions.RayError as error:
                # It is asked for once more by the first search, which then sees to it.
                _log.info("new segments were not opened ahead: %s", error)
                continue
            sizes |= {rows[number].file: own for number, own in answer.of.items()}
        return sizes

    def _snapshot_of(self, published: Published) -> Snapshot:
        digest = hashlib.blake2b(repr(self._index).encode(), digest_size=16)
        gone: dict[int, Numbers] = {}
        for row in published.rows:
            digest.update(f"{row.id} {row.file} {row.checksum}".encode())
            if numbers := published.gone.get(row.id):
                gone[row.id] = np.sort(np.array(numbers, dtype=np.int64))
                digest.update(gone[row.id].tobytes())
        rows = {row.id: row for row in published.rows}
        return Snapshot(digest.hexdigest(), self._index, rows, gone)

    @staticmethod
    def _fresh(taken: _Taken | None, new: _Taken) -> list[int]:
        """Return the segments of a new snapshot that the one before has not."""
        known = {row.file for row in taken.snapshot.rows.values()} if taken is not None else set()
        return [number for number, row in new.snapshot.rows.items() if row.file not in known]

    def _opening(self, snapshot: Snapshot, fresh: Sequence[int]) -> list[Any]:
        """Have the replicas that are going to be asked for segments open them."""
        processes = self.replicas.processes()
        shares = dealt_among(snapshot, fresh, processes, ())
        return [process.ask(snapshot, own, ListSizes(), None) for process, own in shares]


@dataclass(frozen=True, slots=True)
class _Taken:
    """A snapshot that searches ask of, and the manifest's version that it is of."""

    version: tuple[int, int, int]
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class _Coming:
    """A snapshot that replicas are opening, since when, and what they were asked for it."""

    taken: _Taken
    began_s: float
    awaited: list[Any]


@dataclass(slots=True)
class _Call:
    """What one replica was asked for: the segments, since when, and whom they were asked of."""

    process: ReplicaProcess
    segments: tuple[int, ...]
    asked_s: float
    tried: tuple[ReplicaProcess, ...]
    is_late: bool = False


class ReplicaSearch:
    """What one search asks of replicas: of one snapshot, by one deadline.

    What cannot be had is left out of all that it gives, and `notice` says so.
    """

    def __init__(self, searcher: ReplicaSearcher, snapshot: Snapshot, left_s: float) -> None:
        """Ask replicas by way of `searcher` and wait for them for `left_s` in all."""
        self._left_s = left_s
        self._searcher = searcher
        self._replicas = searcher.replicas
        self._snapshot = snapshot
        self._missing: set[int] = set()
        self._unreadable: dict[int, str] = {}
        self._problem: WinnowError | None = None

    @property
    def codec(self) -> Codec:
        """What the vectors are compressed by."""
        return self._searcher.codec

    def begun(self) -> ReplicaSearch:
        """Return the same: it has begun."""
        return self

    def warm_up(self) -> None:
        """Have replicas open what is published."""
        self._searcher.warm_up()

    def notice(self) -> str:
        """Return what of the index was left out, as a sentence; "" for nothing."""
        rows = self._snapshot.rows
        if late := self._missing - self._unreadable.keys():
            missing = sum(rows[number].passages for number in late)
            every = sum(row.passages for row in rows.values())
            return Message(_LATE, f"{missing:,}", f"{every:,}")
        if self._unreadable:
            return damage_of(len(self._unreadable), len(rows))
        return ""

    def is_outdated(self) -> bool:
        """Return whether segments were merged away before they could be opened."""
        return bool(self._unreadable) and self._searcher.is_replaced(self._snapshot)

    def raise_if_partial(self) -> None:
        """Raise an error where something was left out, but what is damaged.

        Raises:
            ClusterError: replicas did not answer in time.
            WinnowError: what a machine said of it.
        """
        if self._missing - self._unreadable.keys():
            raise self._problem or ClusterError(_NOT_ALL)

    def list_sizes(self, job: Job) -> Numbers | None:
        """(K,) how many vectors each list of all segments holds; None while nothing is stored."""
        files = {number: row.file for number, row in self._snapshot.rows.items()}
        known = dict(self._searcher.known_sizes([*files.values()]))
        unknown = [number for number, file in files.items() if file not in known]
        if unknown:
            told = self._gather(ListSizes(), None, job, unknown)
            fresh = {files[number]: sizes for number, sizes in told.items()}
            self._searcher.take_sizes(fresh, self._snapshot)
            known |= fresh
        sizes = [*known.values()]
        return np.sum(sizes, axis=0, dtype=np.int64) if sizes else None

    def score(self, query: Floats, numbers: Numbers, job: Job | None = None) -> Scores:
        """Score these passages; those in segments that cannot be had are left out."""
        wanted = np.unique(numbers)
        if not len(wanted):
            return _together([])
        return _together([*self._gather(FullScores(query), wanted, job or Job()).values()])

    def probe(
        self,
        query: Floats,
        params: ProbeParams,
        *,
        allowed: Numbers | None = None,
        job: Job | None = None,
        is_strict: bool = False,
    ) -> GatheredEstimates:
        """Estimate the scores of passages; those in segments that cannot be had are left out.

        Where `is_strict`, to ask for more of them raises an error if they cannot be had then.
        """
        job = job or Job()
        choice: Choice | None = None
        if isinstance(self.codec, ResidualCodec) and not are_few(allowed):
            sizes = self.list_sizes(job)
            if sizes is None:
                return GatheredEstimates({}, _FIRST_PASSAGES, lambda _: {})
            query = probing.that_count(query, params.beta_q)
            choice = probing.choose_lists(query, self.codec, sizes, params)
        numbers = self._replicas.sent(allowed)

        def ask(most: int) -> dict[int, BestPassages]:
            found = self._gather(Probe(query, choice, most), numbers, job)
            if is_strict:
                self.raise_if_partial()
            return found

        return GatheredEstimates(ask(_FIRST_PASSAGES), _FIRST_PASSAGES, ask)

    def vectors(self, numbers: Sequence[int]) -> dict[int, StoredVectors]:
        """Return the stored vectors of these passages, but for segments that cannot be had."""
        if not numbers:
            return {}
        wanted = np.array(sorted(numbers), dtype=np.int64)
        found: dict[int, StoredVectors] = {}
        for own in self._gather(Vectors(), wanted, Job()).values():
            found |= own
        return found

    def encode_passages(
        self, batches: Sequence[Sequence[TextTokens]], job: Job
    ) -> list[list[TokenVectors] | None]:
        """Return batches as replicas encode them; see `ReplicaSearcher`."""
        return self._searcher.encode_passages(batches, job)

    def _gather(
        self, question: Question, numbers: Any, job: Job, segments: Sequence[int] | None = None
    ) -> dict[int, Any]:
        """Return what replicas say of segments, by their numbers; of all where none are named.

        Raises:
            Cancelled: the job was cancelled.
        """
        wanted = set(self._snapshot.rows if segments is None else segments)
        gathering = _Gathering(self._replicas, self._snapshot, question, numbers)
        began_s = time.monotonic()
        late_s = self._searcher.deadlines.late_s
        found = gathering.run(wanted, began_s + self._left_s, late_s, job)
        self._left_s -= time.monotonic() - began_s
        missing = wanted - found.keys()
        self._missing |= missing
        self._unreadable |= {
            number: why for number, why in gathering.unreadable.items() if number in missing
        }
        self._problem = gathering.problem or self._problem
        if missing:
            _log.warning(
                "%d of %d segments were not searched: %s",
                len(missing),
                len(wanted),
                gathering.problem or next(iter(gathering.unreadable.values()), "no answer in time"),
            )
        return found


class _Gathering:
    """One question on its way: who was asked for which segments, and what was answered."""

    def __init__(
        self, replicas: Replicas, snapshot: Snapshot, question: Question, numbers: Any
    ) -> None:
        self.unreadable: dict[int, str] = {}
        self.problem: WinnowError | None = None
        self._replicas = replicas
        self._ray = replicas.ray
        self._snapshot = snapshot
        self._question = question
        self._numbers = numbers
        self._calls: dict[Any, _Call] = {}
        self._found: dict[int, Any] = {}
        # Segments that nobody was there for, with whom they were asked of in vain.
        self._unasked: list[tuple[tuple[int, ...], tuple[ReplicaProcess, ...]]] = []

    def run(self, wanted: set[int], until_s: float, late_s: float, job: Job) -> dict[int, Any]:
        """Return what was answered by the deadline.

        Raises:
            Cancelled: the job was cancelled.
        """
        self._replicas.tend()
        self._ask(tuple(sorted(wanted)), ())
        try:
            while wanted - self._found.keys():
                job.checkpoint()
                now_s = time.monotonic()
                starting = self._replicas.starting() if self._unasked else []
                if now_s >= until_s or not (self._calls or starting):
                    break
                waits = [call.asked_s + late_s for call in self._calls.values() if not call.is_late]
                timeout_s = max(min([until_s, now_s + _POLL_S, *waits]) - now_s, 0)
                done, _ = self._ray.wait([*self._calls, *starting], timeout=timeout_s)
                for reference in done:
                    if (call := self._calls.pop(reference, None)) is not None:
                        self._take(reference, call)
                self._replicas.tend()
                self._hedge(late_s)
                # Somebody may be there by now.
                again, self._unasked = self._unasked, []
                for segments, tried in again:
                    self._ask(self._open(segments), tried)
        finally:
            now_s = time.monotonic()
            for reference, call in self._calls.items():
                # Whoever was asked only just now is not late.
                if now_s - call.asked_s >= late_s:
                    self._owe(reference, call)
        return self._found

    def _open(self, segments: Sequence[int]) -> tuple[int, ...]:
        return tuple(number for number in segments if number not in self._found)

    def _ask(self, segments: tuple[int, ...], tried: tuple[ReplicaProcess, ...]) -> None:
        """Ask replicas for segments, but those that were asked for them before."""
        if not segments:
            return
        shares = dealt_among(self._snapshot, segments, self._replicas.processes(), tried)
        for process, own in shares:
            reference = process.ask(self._snapshot, own, self._question, self._numbers)
            self._calls[reference] = _Call(process, own, time.monotonic(), (*tried, process))
        if not shares:
            self._unasked.append((segments, tried))

    def _take(self, reference: Any, call: _Call) -> None:
        """Take in an answer, or that there is none: then the next ones are asked."""
        exceptions = self._ray.exceptions
        try:
            answer: Answer = self._ray.get(reference)
        except exceptions.RayTaskError as error:
            # It cannot on that machine; perhaps on another.
            self.problem = sentence_of(error)
            self._ask(self._open(call.segments), call.tried)
            return
        except exceptions.RayError as error:
            self._replicas.lost(call.process, error)
            self._replicas.tend()
            self._ask(self._open(call.segments), call.tried)
            return
        if answer.lacks_snapshot:
            call.process.known.discard(self._snapshot.key)
            self._ask(self._open(call.segments), call.tried[:-1])
            return
        call.process.known.add(self._snapshot.key)
        self._found.update(answer.of)
        if answer.unreadable:
            _log.warning("%s: %s", answer.host, "; ".join(answer.unreadable.values()))
            self.unreadable.update(answer.unreadable)
            self._ask(self._open(tuple(answer.unreadable)), call.tried)

    def _hedge(self, late_s: float) -> None:
        """Ask the next ones for what was not answered in time."""
        now_s = time.monotonic()
        for reference, call in [*self._calls.items()]:
            if not call.is_late and now_s - call.asked_s >= late_s:
                self._owe(reference, call)
                self._ask(self._open(call.segments), call.tried)

    def _owe(self, reference: Any, call: _Call) -> None:
        if not call.is_late:
            call.is_late = True
            self._replicas.late(call.process, reference)


class GatheredEstimates:
    """Estimated scores of the passages of several segments, of which replicas told the best."""

    def __init__(
        self,
        told: Mapping[int, BestPassages],
        most: int,
        ask: Callable[[int], Mapping[int, BestPassages]],
    ) -> None:
        """Put together what was told.

        Args:
            told: by a segment's number its best passages.
            most: so many of each segment, if it has so many.
            ask: asks for more.
        """
        self._told = dict(told)
        self._most = most
        self._ask = ask

    def __len__(self) -> int:
        return sum(own.count for own in self._told.values())

    def best(self, limit: int) -> Numbers:
        """The `limit` passages of the highest estimates, highest first; all if there are fewer."""
        if limit > self._most and any(own.count > self._most for own in self._told.values()):
            self._most = limit
            self._told |= self._ask(limit)
        told = [own for own in self._told.values() if len(own.numbers)]
        numbers = np.concatenate([np.zeros(0, np.int64), *(own.numbers for own in told)])
        totals = np.concatenate([np.zeros(0, np.float32), *(own.totals for own in told)])
        return Estimates(numbers, totals, []).best(limit)


def dealt_among(
    snapshot: Snapshot,
    segments: Sequence[int],
    processes: Sequence[ReplicaProcess],
    tried: Sequence[ReplicaProcess],
) -> list[tuple[ReplicaProcess, tuple[int, ...]]]:
    """Deal segments to the replicas that are to be asked for them.

    All of the snapshot's segments are dealt, so that each has its replica whichever are asked for.
    Where a replica was tried already, the next one in the hash's order is asked; one that is late
    is asked only where there is no other.
    """
    names = {number: snapshot.rows[number].file for number in segments}
    on_time = {each.number: each for each in processes if not each.is_late}
    there = on_time or {each.number: each for each in processes}
    if not there:
        return []
    if not tried:
        dealt = _dealt(tuple((row.file, row.tokens) for row in snapshot.rows.values()), (*there,))
        chosen = {number: there[dealt[name]] for number, name in names.items()}
    else:
        left = {number: each for number, each in there.items() if each not in tried}
        left = left or {each.number: each for each in processes if each not in tried}
        if not left:
            return []
        chosen = {number: left[preference(name, [*left])[0]] for number, name in names.items()}
    shares: dict[int, list[int]] = {}
    for segment, process in chosen.items():
        shares.setdefault(process.number, []).append(segment)
    by_number = {process.number: process for process in chosen.values()}
    return [(by_number[number], tuple(own)) for number, own in shares.items()]


@functools.lru_cache(maxsize=64)
def _dealt(sizes: tuple[tuple[str, int], ...], replicas: tuple[int, ...]) -> Mapping[str, int]:
    return deal(dict(sizes), replicas)


def _together(parts: Sequence[Scores]) -> Scores:
    """Put scores of different passages in one, by ascending passages."""
    numbers = np.concatenate([np.zeros(0, np.int64), *(part.passages for part in parts)])
    values = np.concatenate([np.zeros(0, np.float32), *(part.values for part in parts)])
    order = np.argsort(numbers, kind="stable")
    return Scores(numbers[order], values[order])


@dataclass(frozen=True, slots=True)
class Replication:
    """Has indexes searched by replicas; `ready` of them were when it began."""

    replicas: Replicas
    deadlines: Deadlines
    ready: int

    def searcher(self, generation: IndexGeneration) -> ReplicaSearcher:
        """Return what searches a generation of a library's index."""
        store = generation.segments
        model = ModelReference.of(generation.checkpoint)
        index = IndexReference(store.folder.parent, model, generation.row.spec)
        return ReplicaSearcher(self.replicas, index, store, self.deadlines)


@contextlib.contextmanager
def replicated(
    address: str, count: int, threads: int, deadlines: Deadlines | None = None
) -> Iterator[Replication]:
    """Connect to the cluster at an address, and give what has indexes searched by replicas there.

    Args:
        address: as `core.cluster.connection.connection` takes it.
        count: how many replicas.
        threads: how many questions each answers at a time.
        deadlines: how long they may take.

    Raises:
        UsageError, ClusterError: the cluster cannot be joined, or has no room for a replica.
    """
    with connection(address) as ray:
        replicas = Replicas(ray, count, threads)
        try:
            yield Replication(replicas, deadlines or Deadlines(), replicas.await_ready())
        finally:
            replicas.stop()
