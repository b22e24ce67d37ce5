"""Measures how long the events of the window's thread take, and where."""

from __future__ import annotations

import signal
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from statistics import median
from types import FrameType, TracebackType
from typing import Final, Self

from PySide6.QtCore import QAbstractEventDispatcher, QObject, Qt, Signal
from PySide6.QtGui import QTextDocument

_PAUSE_S: Final = 0.01
_YARDSTICK_S: Final = 0.005
"""What `slowness` takes on one idle core of an AMD EPYC."""


class Watchdog(QObject):
    """Watches the event loop of the thread on which it is created, inside a `with`.

    `worked_s` holds the thread's own processor time between wake-ups of the loop: no event takes
    longer than that. Waiting for a processor or for other Python threads does not count, so a busy
    machine does not change it.

    Args:
        long_s: if given, a thread pings the loop continuously. `waited_s` holds the response
            times, which a person waits, and `places` the frames of the loop for each time above
            this limit.
    """

    _requested = Signal(float)

    def __init__(self, long_s: float | None = None) -> None:
        super().__init__()
        self.worked_s: list[float] = []
        self.waited_s: list[float] = []
        self.places: Counter[str] = Counter()
        self._long_s = long_s
        self._woke_s = 0.0
        self._requests: threading.Thread | None = None
        self._before: signal.Handlers | Callable[[int, FrameType | None], object] | int | None = (
            None
        )
        self._is_answered = threading.Event()
        self._is_over = threading.Event()
        self._window_thread = threading.get_ident()
        self._requested.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def __enter__(self) -> Self:
        self._woke_s = time.thread_time()
        if self._long_s is not None:
            self._before = signal.signal(signal.SIGUSR1, self._note_place)
        _dispatcher().awake.connect(self._wake)
        if self._long_s is not None:
            self._requests = threading.Thread(target=self._ask, args=(self._long_s,))
            self._requests.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        if self._requests is not None:
            self._requests.join()
            signal.signal(signal.SIGUSR1, self._before)
        _dispatcher().awake.disconnect(self._wake)

    def _wake(self) -> None:
        now_s = time.thread_time()
        self.worked_s.append(now_s - self._woke_s)
        self._woke_s = now_s

    def _ask(self, long_s: float) -> None:
        while not self._is_over.wait(_PAUSE_S):
            self._is_answered.clear()
            self._requested.emit(time.perf_counter())
            if not self._is_answered.wait(long_s) and not self._is_over.is_set():
                signal.pthread_kill(self._window_thread, signal.SIGUSR1)
            while not self._is_answered.wait(_PAUSE_S) and not self._is_over.is_set():
                continue

    def _answer(self, sent_s: float) -> None:
        self.waited_s.append(time.perf_counter() - sent_s)
        self._is_answered.set()

    def _note_place(self, _signal: int, frame: FrameType | None) -> None:
        """Record the innermost frames of our code on the window's thread.

        The thread does that itself: another thread that reads these frames would keep their locals
        alive, for example a painter, or crash.
        """
        ours = [one for one in traceback.extract_stack(frame) if "/app/" in one.filename]
        place = " < ".join(
            f"{one.filename.rpartition('/app/')[2]}:{one.lineno} {one.name}"
            for one in reversed(ours[-4:])
        )
        self.places[place] += 1


def slowness() -> float:
    """Return the slowdown of a fixed piece of work relative to the machine that set the limits.

    The work resembles that of the window: pure Python, and text layout by Qt. Processors
    differ, and a shared cache or clock makes it slower. At least 1.
    """
    measured_s = []
    for _ in range(9):
        began_s = time.thread_time()
        _work()
        measured_s.append(time.thread_time() - began_s)
    return max(1.0, median(measured_s) / _YARDSTICK_S)


def _work() -> None:
    words = [f"word {number * 7919 % 1000}" for number in range(8000)]
    counts = Counter(word.upper() for word in sorted(words))
    document = QTextDocument()
    document.setPlainText(" ".join(counts))
    document.setTextWidth(400)
    assert document.size().height() > 0


def _dispatcher() -> QAbstractEventDispatcher:
    dispatcher = QAbstractEventDispatcher.instance()
    assert dispatcher is not None
    return dispatcher
