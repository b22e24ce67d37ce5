"""What runs on the machines that search together: a replica with the segments it was asked for.

It also encodes passages whose order is settled by all their tokens.

A replica knows neither the catalog nor who asks. It is told of a snapshot, which segments there
are in which folder and what of them is gone, once; questions then name segments of it. It opens
what it is asked for, and lets go what nobody has asked for in a while.
"""

from __future__ import annotations

import os
import platform
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from core.arrays import Floats, Numbers
from core.catalog.manifest import IndexSpec, SegmentRow
from core.cluster.worker import ModelReference
from core.encoders.encoder import Encoder, TextTokens, TokenVectors
from core.encoders.runtimes import FASTEST
from core.encoders.tokens import Tokenizer
from core.errors import ClusterError, LibraryDamagedError
from core.index import probing
from core.index.codec import Codec, ResidualCodec
from core.index.generation import codec_of, open_encoder, segment_folder
from core.index.index_searcher import full_estimates, full_scores, stored_vectors
from core.index.native import jit
from core.index.probing import Choice, Estimates
from core.index.reduction import StoredVectors
from core.index.scoring import Scores, VectorComparison
from core.index.segment import OpenSegment
from core.progress import Job

_SNAPSHOTS: Final = 8
"""So many are kept: searches that began before a new one go on in theirs."""
_KEPT_S: Final = 600.0
"""So long a segment stays open that nobody has asked for."""


@dataclass(frozen=True, slots=True)
class IndexReference:
    """An index of a library as every machine finds it: in a folder that all of them see."""

    home: Path
    model: ModelReference
    spec: IndexSpec

    def codec(self) -> Codec:
        """Load what the vectors are compressed by.

        Raises:
            ClusterError: this machine does not see the library, or has another model.
            ModelError: model or codebook are missing or damaged.
        """
        if not segment_folder(self.home).is_dir():
            raise ClusterError(
                "The machine {0} does not see the library in {1}; mount its folder at the same "
                "place on all machines of the cluster.",
                platform.node(),
                self.home,
            )
        return codec_of(self.home, self.model.load(), self.spec)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The segments of an index at one moment.

    Attributes:
        key: differs for snapshots of different content.
        index: that they belong to.
        rows: the segments, by their numbers.
        gone: by number, the passages of a segment that do not exist any more.
    """

    key: str
    index: IndexReference
    rows: Mapping[int, SegmentRow]
    gone: Mapping[int, Numbers]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What a question is asked of.

    Attributes:
        codec: of the segments.
        segments: they themselves.
        numbers: (a,) ascending, the passages that are meant; None for all.
    """

    codec: Codec
    segments: Sequence[OpenSegment]
    numbers: Numbers | None


class Question(Protocol):
    """Something that can be asked of segments."""

    def of(self, asked: Asked) -> list[Any]:
        """Return what is to be said of each segment, in their order."""


@dataclass(frozen=True, slots=True)
class ListSizes:
    """How many vectors each list of a segment holds: (K,) for each."""

    def of(self, asked: Asked) -> list[Numbers]:
        for opened in asked.segments:
            # What is found of a segment when it is first searched; to name it is to find it.
            _ = opened.data.slots, opened.data.list_ids
        return [opened.sizes for opened in asked.segments]


@dataclass(frozen=True, slots=True, eq=False)
class BestPassages:
    """What a probe found in a segment.

    Attributes:
        numbers: (b,) the passages of the highest estimates, highest first.
        totals: (b,) their estimates.
        count: how many passages of the segment may be found.
    """

    numbers: Numbers
    totals: Floats
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """The best passages of each segment by their estimates, as `BestPassages`.

    Attributes:
        query: (n, d) vectors of the tokens that visit lists, or of all where none are chosen.
        choice: the lists to visit; None where passages are compared in full.
        most: so many passages of each segment.
    """

    query: Floats
    choice: Choice | None
    most: int

    def of(self, asked: Asked) -> list[BestPassages]:
        codec, job = asked.codec, Job()
        if self.choice is None:
            comparison = VectorComparison(self.query, codec)
            every = [
                full_estimates(comparison, [opened], asked.numbers, job)
                for opened in asked.segments
            ]
        else:
            assert isinstance(codec, ResidualCodec)
            with_centroids = codec.with_centroids(self.query)
            probes, counts, missing_scores = self.choice
            # What comes from elsewhere may not be written to, and the loops are compiled for what
            # may.
            choice = probes.copy(), counts, missing_scores
            plan = probing.plan_of(self.query, with_centroids, codec, choice)
            given = ((opened.data, opened.allowed(asked.numbers)) for opened in asked.segments)
            every = [probing.probe(plan, [one], job) for one in given]
        return [self._best(estimates) for estimates in every]

    def _best(self, estimates: Estimates) -> BestPassages:
        count = len(estimates)
        if not count:
            return BestPassages(np.zeros(0, np.int64), np.zeros(0, np.float32), 0)
        numbers, totals = estimates.top(min(self.most, count))
        return BestPassages(numbers, totals, count)


@dataclass(frozen=True, slots=True, eq=False)
class FullScores:
    """The scores of passages by a comparison in full, as `Scores` for each segment.

    `query` (n, d) are the vectors of all tokens.
    """

    query: Floats

    def of(self, asked: Asked) -> list[Scores]:
        comparison = VectorComparison(self.query, asked.codec)
        return [
            full_scores(comparison, [opened], asked.numbers, Job()) for opened in asked.segments
        ]


@dataclass(frozen=True, slots=True)
class Vectors:
    """The stored vectors of passages, as a mapping for each segment."""

    def of(self, asked: Asked) -> list[dict[int, StoredVectors]]:
        assert asked.numbers is not None
        return [stored_vectors(asked.codec, [opened], asked.numbers) for opened in asked.segments]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a replica says of segments.

    Attributes:
        of: what was asked of each, by its number.
        unreadable: why a segment cannot be searched, by its number.
        host: the machine.
        lacks_snapshot: nothing is said, for it has to be told of the snapshot first.
    """

    of: Mapping[int, Any]
    unreadable: Mapping[int, str]
    host: str
    lacks_snapshot: bool = False


@dataclass(slots=True)
class _Held:
    """A segment that is open, and when it was last asked for."""

    opened: OpenSegment
    used_s: float


class Replica:
    """Answers questions about segments, several at a time.

    Args:
        clock: tells seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._opening = threading.Lock()
        self._loading = threading.Lock()
        self._encoders: dict[ModelReference, Encoder] = {}
        self._codecs: dict[IndexReference, Codec] = {}
        self._held: dict[Path, _Held] = {}
        # With the segments as the snapshot has them: without what is gone.
        self._snapshots: OrderedDict[str, tuple[Snapshot, dict[int, OpenSegment]]] = OrderedDict()

    def load(self, model: ModelReference | None = None) -> int:
        """Compile the loops, and load a model; gives the number of this process on its machine.

        Raises:
            ClusterError, ModelError: the model is not there, or another one.
        """
        jit.load()
        if model is not None:
            self._encoder(model)
        return os.getpid()

    def encode(
        self, model: ModelReference, batches: Sequence[Sequence[TextTokens]]
    ) -> list[list[TokenVectors]]:
        """Encode batches of passages; raises as `load`."""
        encoder = self._encoder(model)
        return [encoder.encode_passages(batch) for batch in batches]

    def _encoder(self, model: ModelReference) -> Encoder:
        with self._loading:
            if model not in self._encoders:
                checkpoint = model.load()
                # As the server's own: one thread, and several passages at a time by several calls.
                encoder = open_encoder(checkpoint, Tokenizer.of(checkpoint), FASTEST, threads=1)
                # A library changes its model rarely; searches that began before end in the old one.
                self._encoders = dict([*self._encoders.items()][-1:]) | {model: encoder}
            return self._encoders[model]

    def ask(
        self,
        key: str,
        told: Snapshot | None,
        segments: Sequence[int],
        question: Question,
        numbers: Numbers | None,
    ) -> Answer:
        """Answer a question about segments of a snapshot.

        Args:
            key: of the snapshot.
            told: the snapshot itself; None where it was told before.
            segments: by their numbers.
            question: is asked of each.
            numbers: (a,) ascending, of the passages that are meant; None for all.

        Raises:
            ClusterError, ModelError: the index cannot be searched on this machine.
        """
        host = platform.node()
        with self._guard:
            known = self._known(key, told)
            if known is None:
                return Answer({}, {}, host, lacks_snapshot=True)
        snapshot, views = known
        codec = self._codec(snapshot.index)
        there: list[OpenSegment] = []
        unreadable: dict[int, str] = {}
        for number in segments:
            try:
                there.append(self._opened(snapshot, views, number, codec))
            except LibraryDamagedError as error:
                unreadable[number] = error.message
        said = question.of(Asked(codec, there, numbers))
        answered = (number for number in segments if number not in unreadable)
        return Answer(dict(zip(answered, said, strict=True)), unreadable, host)

    def _known(
        self, key: str, told: Snapshot | None
    ) -> tuple[Snapshot, dict[int, OpenSegment]] | None:
        known = self._snapshots.pop(key, None)
        if known is None and told is not None:
            known = told, {}
        if known is not None:
            self._snapshots[key] = known
        while len(self._snapshots) > _SNAPSHOTS:
            self._snapshots.popitem(last=False)
        self._drop_unused()
        return known

    def _codec(self, index: IndexReference) -> Codec:
        with self._opening:
            if index not in self._codecs:
                with self._guard:
                    there = {snapshot.index for snapshot, _ in self._snapshots.values()}
                kept = {each: codec for each, codec in self._codecs.items() if each in there}
                self._codecs = kept | {index: index.codec()}
            return self._codecs[index]

    def _opened(
        self, snapshot: Snapshot, views: dict[int, OpenSegment], number: int, codec: Codec
    ) -> OpenSegment:
        row = snapshot.rows[number]
        path = segment_folder(snapshot.index.home) / row.file
        with self._guard:
            held = self._held.get(path)
        if held is None:
            # Under a lock of its own: who asks for what is open does not wait.
            with self._opening:
                held = self._held.get(path)
                if held is None:
                    held = _Held(OpenSegment.of(path.parent, row, codec), 0.0)
                with self._guard:
                    self._held[path] = held
        with self._guard:
            held.used_s = self._clock()
            view = views.get(number)
            if view is None:
                view = held.opened
                if (gone := snapshot.gone.get(number)) is not None:
                    view = view.without(gone)
                views[number] = view
            return view

    def _drop_unused(self) -> None:
        """Let go of what nobody has asked for in a while, also as older snapshots have it."""
        now_s = self._clock()
        stale = {path for path, held in self._held.items() if now_s - held.used_s > _KEPT_S}
        for path in stale:
            del self._held[path]
        for snapshot, views in self._snapshots.values() if stale else ():
            folder = segment_folder(snapshot.index.home)
            for number in [each for each in views if folder / snapshot.rows[each].file in stale]:
                del views[number]
