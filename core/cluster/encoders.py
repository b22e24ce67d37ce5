"""Encoders of a cluster: one process with a loaded model per graphics card or some processors."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.cluster.connection import sentence_of
from core.cluster.worker import EncoderWorker, ModelReference
from core.errors import ClusterError

# Beyond this number of threads, a further encoder gains more (docs/measurements/encoding.md).
CPUS_PER_ENCODER: Final = 4
# Batches per encoder: one in progress and one queued, so that it never waits for the writer.
AHEAD: Final = 2
# Interval of the check for new machines.
_LOOK_EVERY_S: Final = 10.0
# Timeout without a ready encoder: the cluster may be busy.
_PATIENCE_S: Final = 300.0
# Consecutive failures of encoders before one is ready, after which starting is given up.
_STARTS: Final = 3
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EncoderSlot:
    """The resources of one encoder."""

    cpus: int
    gpus: int = 0

    @property
    def device(self) -> str:
        """The model's device, as `core.encoders.runtimes` names it."""
        return "torch:cuda" if self.gpus else "openvino:CPU"


def slots_of(machines: Sequence[dict[str, float]]) -> list[EncoderSlot]:
    """Return the encoders that fit on machines, given their resources.

    >>> slots_of([{"CPU": 16.0, "GPU": 2.0}, {"CPU": 9.0}, {"CPU": 2.0}, {"memory": 1e9}])
    [EncoderSlot(cpus=1, gpus=1), EncoderSlot(cpus=1, gpus=1), EncoderSlot(cpus=4, gpus=0), \
EncoderSlot(cpus=4, gpus=0), EncoderSlot(cpus=2, gpus=0)]
    """
    slots: list[EncoderSlot] = []
    for machine in machines:
        cpus, gpus = int(machine.get("CPU", 0)), int(machine.get("GPU", 0))
        if gpus and cpus:
            slots += [EncoderSlot(1, 1)] * min(gpus, cpus)
        elif cpus:
            each = min(cpus, CPUS_PER_ENCODER)
            slots += [EncoderSlot(each)] * (cpus // each)
    return slots


@dataclass(eq=False, slots=True)
class PooledEncoder:
    """An encoder's process, and its number of batches."""

    slot: EncoderSlot
    actor: Any
    loaded: Any
    is_ready: bool = False
    held: int = 0


class EncoderPool:
    """Starts encoders on the available machines, and replaces those that die.

    Args:
        ray: the module, connected.
        model: the model to load.
    """

    def __init__(self, ray: Any, model: ModelReference) -> None:
        self.model = model
        self._ray = ray
        self._make = ray.remote(EncoderWorker)
        self._encoders: list[PooledEncoder] = []
        self._checked_s = float("-inf")
        self._ready_s = time.monotonic()
        self._ended = 0

    def starting(self) -> list[Any]:
        """Return the references to wait for until an encoder is ready."""
        self._grow()
        return [encoder.loaded for encoder in self._encoders if not encoder.is_ready]

    def look(self, done: Sequence[Any]) -> None:
        """Record which of the awaited encoders are ready or have died.

        Raises:
            ModelError: a machine cannot load the model.
            ClusterError: none becomes ready.
        """
        for encoder in [each for each in self._encoders if each.loaded in done]:
            if encoder.is_ready:
                continue
            try:
                self._ray.get(encoder.loaded)
            except self._ray.exceptions.RayTaskError as error:
                raise sentence_of(error) from error
            except self._ray.exceptions.RayError as error:
                self._ended += 1
                if self._ended == _STARTS:
                    raise ClusterError(
                        "The encoders on the cluster stopped before they were ready ({0}). See "
                        "Ray's logs.",
                        str(error).partition("\n")[0],
                    ) from error
                self.replace(encoder)
            else:
                encoder.is_ready = True
                self._ended = 0
        now_s = time.monotonic()
        if any(encoder.is_ready for encoder in self._encoders):
            self._ready_s = now_s
        elif now_s - self._ready_s > _PATIENCE_S:
            raise ClusterError(
                "The cluster has had no capacity for an encoder for {0} minutes. Wait until its "
                "other work has finished, or add machines.",
                int(_PATIENCE_S // 60),
            )

    def free(self, *, is_idle: bool = False) -> PooledEncoder | None:
        """Return the encoder with the fewest batches; None if all have enough.

        If required to be idle, return only one without any batch.
        """
        room = [each for each in self._encoders if each.is_ready and each.held < AHEAD]
        encoder = min(room, key=lambda each: each.held, default=None)
        return None if encoder is not None and is_idle and encoder.held else encoder

    def hand(self, encoder: PooledEncoder, batch: Any, task: Any, *, alone: bool) -> Any:
        """Send a batch to an encoder; if `alone`, no other batch follows it."""
        encoder.held += AHEAD if alone else 1
        return encoder.actor.encode.remote(batch, task)

    def take_back(self, encoder: PooledEncoder, *, alone: bool) -> None:
        """Record that an encoder has finished a batch."""
        encoder.held -= AHEAD if alone else 1

    def replace(self, encoder: PooledEncoder) -> None:
        """Replace an encoder that has died."""
        if encoder in self._encoders:
            self._encoders.remove(encoder)
            self._ray.kill(encoder.actor)
            self._start(encoder.slot)

    def stop(self) -> None:
        """Stop all encoders, to free the processors."""
        for encoder in self._encoders:
            self._ray.kill(encoder.actor)
        self._encoders = []

    def _grow(self) -> None:
        """Start encoders on new machines."""
        now_s = time.monotonic()
        if now_s - self._checked_s < _LOOK_EVERY_S:
            return
        self._checked_s = now_s
        there = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        wanted = slots_of(there)
        for encoder in self._encoders:
            if encoder.slot in wanted:
                wanted.remove(encoder.slot)
        for slot in wanted:
            self._start(slot)

    def _start(self, slot: EncoderSlot) -> None:
        options = {
            "num_cpus": slot.cpus,
            "num_gpus": slot.gpus,
            "max_restarts": 0,  # the pool replaces it, perhaps on another machine
            "max_task_retries": 0,  # the caller counts failures of its batch
            "scheduling_strategy": "SPREAD",
        }
        actor = self._make.options(**options).remote(self.model, slot.device, slot.cpus)
        self._encoders.append(PooledEncoder(slot, actor, actor.load.remote()))
