"""How the window has long work done: tasks on lanes, off its own thread."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance

from core.errors import Cancelled, WinnowError
from core.progress import Job

if TYPE_CHECKING:
    from collections.abc import Callable

    # A piece of work: called on another thread with its job, gives its result.
    Work = Callable[[Job], object]
    Taker = Callable[[Any], object] | SignalInstance

_log = logging.getLogger(__name__)


class _Event(Enum):
    REPORTED = auto()
    SUCCEEDED = auto()
    FAILED = auto()
    CANCELLED = auto()


class Task(QObject):
    """One piece of work on a lane: emits exactly one of succeeded, failed, cancelled, at its end.

    Made by `Lane.start`. All signals come on the window's thread, never before `start` returns, so
    that there is time to connect them. A task deletes itself after its end.
    """

    progressed = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()

    def __init__(self, job: Job, lane: Lane) -> None:
        super().__init__(lane)
        self._job = job

    def cancel(self) -> None:
        """Ask the work to stop; it may still succeed if it was all but done."""
        self._job.cancel()


class Lane(QObject):
    """Runs tasks in the order in which they were started, `width` of them at a time.

    Workers never touch a task, whose Python object could then die on their thread: they post what
    happened to the lane, which lives on the window's thread and tells the task.

    The threads are Python's and stay. Qt's pool gives Python a new thread state for each task and
    takes it away afterwards, with all that the engine keeps a thread (its connections to SQLite);
    with OpenVINO loaded the program then died in one of the next tasks. `QRunnable.create` alone
    did so too: the pool frees the runnable while PySide still knows its address.
    """

    # The last task that was started has ended.
    emptied = Signal()

    _posted = Signal(int, object, object)

    def __init__(self, width: int, parent: QObject) -> None:
        super().__init__(parent)
        self._threads = ThreadPoolExecutor(width, thread_name_prefix="lane")
        self._tasks: dict[int, Task] = {}
        self._started = 0
        self._is_shut = False
        self._posted.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def is_empty(self) -> bool:
        return not self._tasks

    def start(self, work: Work) -> Task:
        """Have `work` called on another thread with a job of its own."""
        self._started += 1
        key = self._started
        job = Job(partial(self._posted.emit, key, _Event.REPORTED))
        task = Task(job, self)
        self._tasks[key] = task
        if self._is_shut:
            # Not by way of the threads, which may be gone: a key was typed just before the end.
            self._posted.emit(key, _Event.CANCELLED, None)
        else:
            self._threads.submit(_run, work, job, partial(self._posted.emit, key))
        return task

    def cancel_all(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    def shut(self) -> None:
        """Cancel all tasks, and from now on each that is started."""
        self._is_shut = True
        self.cancel_all()

    def end(self) -> None:
        """Let the threads go; what is started afterwards is cancelled. Blocks while work runs."""
        self._is_shut = True
        self._threads.shutdown()

    def _deliver(self, key: int, event: _Event, value: Any) -> None:
        task = self._tasks[key]
        if event is _Event.REPORTED:
            task.progressed.emit(value)
            return
        del self._tasks[key]
        if event is _Event.SUCCEEDED:
            task.succeeded.emit(value)
        elif event is _Event.FAILED:
            task.failed.emit(value)
        else:
            task.cancelled.emit()
        task.deleteLater()
        if not self._tasks:
            self.emptied.emit()


class Latest(QObject):
    """Runs one kind of work of which only the newest start counts; older results are dropped.

    Args:
        lane: where it runs.
        parent: ends it with itself.
        take: is given each result.
        fail: is given the error of each that fails.
    """

    progressed = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)

    def __init__(
        self, lane: Lane, parent: QObject, take: Taker | None = None, fail: Taker | None = None
    ) -> None:
        super().__init__(parent)
        for signal, taker in ((self.succeeded, take), (self.failed, fail)):
            if taker is not None:
                signal.connect(taker)
        self._lane = lane
        self._number = 0
        self._task: Task | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def start(self, work: Work) -> None:
        self.drop()
        number = self._number
        self._task = self._lane.start(work)
        self._task.progressed.connect(partial(self._pass_on, number))
        self._task.succeeded.connect(partial(self._end, number, self.succeeded.emit))
        self._task.failed.connect(partial(self._end, number, self.failed.emit))

    def drop(self) -> None:
        """Forget the work under way, if any: nothing more is heard of it."""
        self._number += 1
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _pass_on(self, number: int, progress: object) -> None:
        if number == self._number:
            self.progressed.emit(progress)

    def _end(self, number: int, tell: Callable[[object], None], value: object) -> None:
        if number == self._number:
            self._task = None
            tell(value)


def _run(work: Work, job: Job, post: Callable[[_Event, object], None]) -> None:
    try:
        job.checkpoint()
        value = work(job)
    except Cancelled:
        post(_Event.CANCELLED, None)
    except WinnowError as error:
        _log.info("A task failed: %s", error)
        post(_Event.FAILED, error)
    except Exception as error:  # noqa: BLE001 - the boundary of background work: nothing may get lost
        _log.error("A task failed unexpectedly", exc_info=error)
        post(_Event.FAILED, error)
    else:
        post(_Event.SUCCEEDED, value)
