"""How a long call tells what it is doing and learns that it should stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.errors import Cancelled

_REPORTS_PER_SECOND: Final = 20


class Stage(StrEnum):
    """What a sync is doing, in the order in which it does it; or a study, or a check."""

    SCANNING = "scanning"
    READING = "reading"
    PREPARING = "preparing"
    ENCODING = "encoding"
    MEASURING = "measuring"
    CHECKING = "checking"


@dataclass(frozen=True, slots=True)
class Progress:
    """One moment of a long call.

    `done` and `total` count files while scanning and reading, passages while encoding, figures
    while measuring, index files while checking; `total` is 0 while it is not known. `what` names
    the present item. `passages` counts the passages that can be found by now, `left_s` is the time
    left in seconds, None while it cannot be told.
    """

    stage: Stage
    done: int
    total: int
    what: str = ""
    passages: int = 0
    left_s: float | None = None


class Job:
    """The handle on one long call: progress goes out through it, cancellation comes in.

    `cancel` may be called from any thread; the working thread notices at its next `checkpoint`.

    >>> seen = []
    >>> job = Job(seen.append)
    >>> job.report(Progress(Stage.READING, 1, 2))
    >>> seen[0].done
    1
    >>> job.cancel()
    >>> job.checkpoint()
    Traceback (most recent call last):
    core.errors.Cancelled
    """

    def __init__(self, on_progress: Callable[[Progress], None] | None = None) -> None:
        self._on_progress = on_progress
        self._cancelled = threading.Event()
        self._last_report_s = float("-inf")
        self._last_stage: Stage | None = None

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Ask the call to stop at its next checkpoint."""
        self._cancelled.set()

    def checkpoint(self) -> None:
        """Give the person the chance to cancel; call it once an item.

        Raises:
            Cancelled: `cancel` was called.
        """
        if self._cancelled.is_set():
            raise Cancelled

    def report(self, progress: Progress) -> None:
        """Pass `progress` on, at most 20 times a second except when a stage begins or ends."""
        if self._on_progress is None:
            return
        now_s = time.monotonic()
        is_end = 0 < progress.total == progress.done
        is_edge = progress.stage != self._last_stage or is_end
        if is_edge or now_s - self._last_report_s >= 1 / _REPORTS_PER_SECOND:
            self._last_report_s = now_s
            self._last_stage = progress.stage
            self._on_progress(progress)
