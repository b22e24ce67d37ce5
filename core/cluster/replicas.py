"""The replicas of a server: started on the machines there are, replaced where they die.

A replica is a process with a number. Who dies is replaced under the same number, so that the hash
gives its segments back to its successor and moves no other. One that does not answer in time is
asked last until it has answered, and replaced after a while. All of this is looked after by
whoever asks next: no thread of its own runs for it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from core.arrays import Numbers
from core.cluster.connection import sentence_of
from core.cluster.replica import Question, Replica, Snapshot
from core.cluster.worker import ModelReference
from core.errors import ClusterError, WinnowError

PROCESSORS: Final = 0.5
"""That a replica takes of a machine: it mostly waits for questions."""
_START_S: Final = 120.0
"""So long none may be ready before a server begins."""
_PATIENCE_S: Final = 10.0
_LATE_S: Final = 60.0
"""So long one may owe an answer before it is replaced."""
_SHORTEST_WAIT_S: Final = 1.0
_LONGEST_WAIT_S: Final = 60.0
"""Before a replica is started whose predecessors died before they were ready: doubled each time."""
_LARGE_BYTES: Final = 100_000
"""From so many on an array is sent once and kept by each machine."""
_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class ReplicaProcess:
    """One process: its number, and how it is."""

    number: int
    actor: Any
    loaded: Any
    is_ready: bool = False
    known: set[str] = field(default_factory=set)
    owed: list[Any] = field(default_factory=list)
    late_since_s: float = 0.0

    @property
    def is_late(self) -> bool:
        """Whether it owes an answer that was not in time."""
        return bool(self.owed)

    def ask(
        self, snapshot: Snapshot, segments: Sequence[int], question: Question, numbers: Any
    ) -> Any:
        """Ask it; gives what Ray calls a reference to its `Answer`.

        `numbers` are passages, ascending, or a reference to them that `Replicas.sent` gave.
        """
        told = None if snapshot.key in self.known else snapshot
        return self.actor.ask.remote(snapshot.key, told, tuple(segments), question, numbers)


@dataclass(slots=True)
class _Place:
    """What happens under one number: who is there, and when another may be started."""

    process: ReplicaProcess | None = None
    deaths: int = 0
    start_s: float = 0.0


class Replicas:
    """So many replicas, kept alive; for any number of threads at once.

    Args:
        ray: the module, connected.
        count: how many.
        threads: how many questions each answers at a time.
    """

    def __init__(self, ray: Any, count: int, threads: int = 8) -> None:
        self.ray = ray
        self.count = count
        self._threads = threads
        self._make = ray.remote(Replica)
        self._guard = threading.Lock()
        self._places = [_Place() for _ in range(count)]
        self._model: ModelReference | None = None
        self._is_stopped = False
        self._problem: WinnowError | None = None
        self.tend()

    def await_ready(self) -> int:
        """Wait until all are ready that the cluster has room for; gives how many.

        Raises:
            ClusterError: none becomes ready.
            WinnowError: Winnow cannot be run there.
        """
        until_s = time.monotonic() + _START_S
        while time.monotonic() < until_s:
            self.tend()
            starting = self.starting()
            ready = len(self.processes())
            if ready == self.count:
                return ready
            if self._problem is not None and not ready:
                raise self._problem
            # Once one is there, others for which there is room take hardly longer.
            done, _ = self.ray.wait(starting, timeout=_PATIENCE_S) if starting else ([], [])
            if not done and ready:
                return ready
            if not starting:
                time.sleep(_SHORTEST_WAIT_S)
        raise ClusterError(
            "For {0} minutes the cluster has had no room for a replica; wait until its other work "
            "is done, or add machines to it.",
            int(_START_S // 60),
        )

    def processes(self) -> list[ReplicaProcess]:
        """Return those that are ready, by their numbers."""
        with self._guard:
            there = [place.process for place in self._places]
        return [process for process in there if process is not None and process.is_ready]

    def starting(self) -> list[Any]:
        """Return what is to be waited for until another one is ready."""
        with self._guard:
            there = [place.process for place in self._places]
        return [each.loaded for each in there if each is not None and not each.is_ready]

    def load(self, model: ModelReference) -> list[Any]:
        """Have all load a model, also those that start later; gives what is to be waited for."""
        self._model = model
        return [process.actor.load.remote(model) for process in self.processes()]

    def sent(self, numbers: Numbers | None) -> Any:
        """Return passages as replicas are to be given them: large arrays once for all."""
        if numbers is None or numbers.nbytes < _LARGE_BYTES:
            return numbers
        return self.ray.put(numbers)

    def tend(self) -> None:
        """Take in who is ready, who answered late and who died; start who is missing."""
        with self._guard:
            if self._is_stopped:
                return
            now_s = time.monotonic()
            awaited = [
                reference
                for place in self._places
                if (process := place.process) is not None
                for reference in (process.owed if process.is_ready else [process.loaded])
            ]
            done = set()
            if awaited:
                done.update(self.ray.wait(awaited, num_returns=len(awaited), timeout=0)[0])
            for place in self._places:
                process = place.process
                if process is not None:
                    self._look(place, process, done, now_s)
                if place.process is None and now_s >= place.start_s:
                    place.process = self._started(self._places.index(place))

    def lost(self, process: ReplicaProcess, why: object) -> None:
        """Take in that a replica has died; another is started in its place."""
        with self._guard:
            if not self._is_stopped:
                self._bury(process, why)

    def late(self, process: ReplicaProcess, reference: Any) -> None:
        """Take in that a replica owes an answer; until it is there it is asked last."""
        with self._guard:
            if not process.owed:
                process.late_since_s = time.monotonic()
                _log.warning("replica %d does not answer in time", process.number)
            process.owed.append(reference)

    def stop(self) -> None:
        """End all of them."""
        with self._guard:
            self._is_stopped = True
            for place in self._places:
                if place.process is not None:
                    self.ray.kill(place.process.actor)
                place.process = None

    def _look(self, place: _Place, process: ReplicaProcess, done: set[Any], now_s: float) -> None:
        if not process.is_ready and process.loaded in done:
            if self._is_alive(process, process.loaded):
                process.is_ready = True
                place.deaths = 0
                _log.info("replica %d is ready", process.number)
            return
        for reference in [each for each in process.owed if each in done]:
            process.owed.remove(reference)
            if not self._is_alive(process, reference):
                return
        if process.owed and now_s - process.late_since_s > _LATE_S:
            self._bury(process, "it has not answered for a minute")

    def _is_alive(self, process: ReplicaProcess, reference: Any) -> bool:
        """Return whether what was awaited of a process came; it is buried if it died of it."""
        try:
            self.ray.get(reference)
        except self.ray.exceptions.RayTaskError as error:
            if not process.is_ready:
                # It cannot work on that machine; perhaps on another.
                self._problem = sentence_of(error)
                self._bury(process, self._problem)
                return False
        except self.ray.exceptions.RayError as error:
            self._bury(process, error)
            return False
        return True

    def _bury(self, process: ReplicaProcess, why: object) -> None:
        place = self._places[process.number]
        if place.process is not process:
            return
        _log.warning("replica %d has ended: %s", process.number, str(why).partition("\n")[0])
        self.ray.kill(process.actor)
        place.process = None
        place.start_s = 0.0
        if not process.is_ready:
            place.deaths += 1
            wait_s = min(_SHORTEST_WAIT_S * 2 ** (place.deaths - 1), _LONGEST_WAIT_S)
            place.start_s = time.monotonic() + wait_s

    def _started(self, number: int) -> ReplicaProcess:
        options = {
            "num_cpus": PROCESSORS,
            "max_restarts": 0,  # another is started in its place, perhaps on another machine
            "max_task_retries": 0,  # who asked asks another
            "max_concurrency": self._threads,
            "scheduling_strategy": "SPREAD",
        }
        actor = self._make.options(**options).remote()
        return ReplicaProcess(number, actor, actor.load.remote(self._model))
