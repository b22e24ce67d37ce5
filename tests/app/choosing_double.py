"""The settings of a library in memory: what there is to choose, and what was chosen."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.encoders.runtimes import Device
from core.errors import ModelError
from core.indexing.choosing import Choices, Way
from core.indexing.estimates import Cost
from core.progress import Job
from core.settings import change_settings, chosen

BEST = Way("winnow-mini", 2, 0.4)


def costs(bits: tuple[int, ...] = (1, 2, 4, 32)) -> tuple[Cost, ...]:
    lost = {1: 1.0, 2: 0.1, 4: None, 32: 0.0}
    return tuple(
        Cost(one, share, round(share * one * 50_000_000), share * one * 18, lost[one])
        for share in (1.0, 0.4, 0.2)
        for one in bits
    )


@dataclass
class ChoosingDouble:
    """Works with winnow-mini and with minilm-128, which has 32 bits only."""

    path: Path
    passages: int = 1234
    answering: Way = BEST
    seconds: float = 720.0
    measured: list[dict[str, Any]] = field(default_factory=list)
    measure_gate: threading.Event = field(default_factory=threading.Event)
    cancelled: int = 0
    found: tuple[Device, ...] = (
        Device("openvino", "CPU", "Some Processor"),
        Device("torch", "cuda", "Some Card"),
    )

    def choices(self, **changes: Any) -> Choices:
        settings = replace(chosen(self.path), **changes)
        if settings.model.startswith("/"):
            raise ModelError(f"There is no model '{settings.model}'.")
        is_plain = settings.model == "minilm-128"
        best = Way("minilm-128", 32, 1.0) if is_plain else BEST
        asked = Way(best.model, settings.bits or best.bits, settings.share or best.share)
        return Choices(
            settings=settings,
            models=("minilm-128", "winnow-mini"),
            recognises=True,
            asked=asked,
            best=best,
            costs=costs((32,)) if is_plain else costs(),
            answering=self.answering,
            is_changing=asked != self.answering,
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
            raise ModelError("Torch cannot run the model on cuda; choose another device.")
        change_settings(self.path, **changes)

    def take_back(self) -> None:
        change_settings(self.path, model="", bits=0, share=0.0)
