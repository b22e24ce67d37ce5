"""The settings of a library in memory: the choices and the chosen values."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.encoders.runtimes import Device
from core.errors import ModelError
from core.indexing.build.estimates import Cost
from core.indexing.build.index_settings import Choices, Way
from core.progress import Job
from core.settings import IndexSize, change_settings, chosen

FAST = Way("winnow-mini", IndexSize.FAST)


def costs(sizes: Iterable[IndexSize] = IndexSize) -> tuple[Cost, ...]:
    known = {
        IndexSize.SMALL: Cost(IndexSize.SMALL, 10_000_000, 3.6, 0.2),
        IndexSize.FAST: Cost(IndexSize.FAST, 40_000_000, 14.4, 0.7),
        IndexSize.EXACT: Cost(IndexSize.EXACT, 800_000_000, 288.0, None),
    }
    return tuple(known[size] for size in sizes)


@dataclass
class ChoosingDouble:
    """Works with winnow-mini and with minilm-128, which has one size only."""

    path: Path
    passages: int = 1234
    answering: Way = FAST
    seconds: float = 720.0
    measured: list[dict[str, Any]] = field(default_factory=list)
    measure_gate: threading.Event = field(default_factory=threading.Event)
    cancelled: int = 0
    lacks_room: bool = False
    found: tuple[Device, ...] = (
        Device("openvino", "CPU", "Some Processor"),
        Device("torch", "cuda", "Some Card"),
    )

    def choices(self, **changes: Any) -> Choices:
        settings = replace(chosen(self.path), **changes)
        if settings.model.startswith("/"):
            raise ModelError(f"There is no model '{settings.model}'.")
        is_plain = settings.model == "minilm-128"
        wanted = Way(settings.model or "winnow-mini", settings.index_size)
        if self.lacks_room and settings.index_size is IndexSize.FAST:
            wanted = replace(wanted, size=IndexSize.SMALL)
        if is_plain:
            wanted = Way("minilm-128", IndexSize.SMALL)
        return Choices(
            settings=settings,
            models=("minilm-128", "winnow-mini"),
            recognises=True,
            configured=wanted,
            costs=costs((IndexSize.SMALL,)) if is_plain else costs(),
            answering=self.answering,
            is_changing=wanted != self.answering,
            passages=self.passages,
        )

    def devices(self) -> tuple[Device, ...]:
        return self.found

    def encoding_s(self, job: Job | None = None, **changes: Any) -> float:
        assert job is not None
        try:
            while not self.measure_gate.wait(0.01):
                job.checkpoint()
        except BaseException:
            self.cancelled += 1
            raise
        self.measured.append(changes)
        return self.seconds

    def choose(self, **changes: Any) -> None:
        if changes.get("device") == "torch:cuda":
            raise ModelError("Torch cannot run the model on cuda. Choose another device.")
        change_settings(self.path, **changes)

    def take_back(self) -> None:
        change_settings(self.path, model="", index_size=IndexSize.FAST)
