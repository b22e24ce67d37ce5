"""Progress and cancellation of long calls."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from core.errors import Cancelled

if TYPE_CHECKING:
    from core.throttle import Reason, Throttle

_REPORTS_PER_SECOND: Final = 20


class Stage(StrEnum):
    """The stage of a sync, in order, or of a study, a check or a publishing."""

    UPDATING = "updating"
    """Building the word index again, because this version folds letters in another way."""
    SCANNING = "scanning"
    READING = "reading"
    PREPARING = "preparing"
    ENCODING = "encoding"
    REPLACING = "replacing"
    """Encoding for an index that replaces the one in use."""
    MEASURING = "measuring"
    CHECKING = "checking"
    PUBLISHING = "publishing"
    FETCHING = "fetching"


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of a long call's progress.

    `done` and `total` count files while scanning and reading, passages while encoding, figures
    while measuring, index files while checking, chunks while publishing and fetching; `total` is 0
    if unknown. `what` names the current item. `passages` counts the passages that are searchable
    already; `left_s` is the remaining time in seconds, None if unknown. `slow` is the reason for
    running slowly.
    """

    stage: Stage
    done: int
    total: int
    what: str = ""
    passages: int = 0
    left_s: float | None = None
    slow: Reason | None = None


class Job:
    """Reports the progress of a long call, and cancels it.

    `cancel` may be called from any thread; the working thread stops at its next `checkpoint`, where
    it also pauses if it has a throttle.

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
        self._on_cancel: list[Callable[[], None]] = []
        self._last_report_s = float("-inf")
        self._last_stage: Stage | None = None
        self._throttle: Throttle | None = None
        self._last: Progress | None = None

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Make the call stop at its next checkpoint."""
        self._cancelled.set()
        for act in tuple(self._on_cancel):
            act()

    @contextmanager
    def on_cancel(self, act: Callable[[], None]) -> Iterator[None]:
        """Call `act` when `cancel` is called during the block; at once if it was called before.

        Use it for waits without checkpoints. It is called on the cancelling thread, which may be in
        a signal handler, and possibly twice or just after the block.
        """
        self._on_cancel.append(act)
        try:
            if self.is_cancelled:
                act()
            yield
        finally:
            self._on_cancel.remove(act)

    def throttle(self, throttle: Throttle | None) -> None:
        """Set or remove a throttle, which pauses the call at its checkpoints."""
        self._throttle = throttle

    def checkpoint(self) -> None:
        """Stop if cancelled, and pause if throttled; call it once per item.

        Raises:
            Cancelled: `cancel` was called.
        """
        while not self._cancelled.is_set():
            pause_s = 0.0 if self._throttle is None else self._throttle.pause_s()
            if not pause_s:
                return
            self._report_pause()
            self._cancelled.wait(pause_s)
        raise Cancelled

    def rest(self, seconds: float) -> None:
        """Sleep for a while, outside of transactions, so that others can work.

        Raises:
            Cancelled: `cancel` was called.
        """
        self._cancelled.wait(seconds)
        self.checkpoint()

    def report(self, progress: Progress) -> None:
        """Pass `progress` on, at most 20 times a second except when a stage begins or ends."""
        if self._on_progress is None:
            return
        if self._throttle is not None:
            progress = replace(progress, slow=self._throttle.reason)
        self._last = progress
        now_s = time.monotonic()
        is_end = 0 < progress.total == progress.done
        is_edge = progress.stage != self._last_stage or is_end
        if is_edge or now_s - self._last_report_s >= 1 / _REPORTS_PER_SECOND:
            self._last_report_s = now_s
            self._last_stage = progress.stage
            self._on_progress(progress)

    def _report_pause(self) -> None:
        """Report once why the call pauses."""
        assert self._throttle is not None
        last = self._last
        if (
            self._on_progress is not None
            and last is not None
            and last.slow != self._throttle.reason
        ):
            self._last = replace(last, slow=self._throttle.reason)
            self._on_progress(self._last)
