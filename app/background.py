"""Background work: tasks on lanes, which run on other threads."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance

from core.errors import Cancelled, WinnowError
from core.progress import Job

# Work is called on another thread with its job, and returns its result.
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

    Created by `Lane.start`. All signals are emitted on the window's thread after `start` has
    returned, so that the caller can connect them. A task deletes itself at its end.
    """

    progressed = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()

    def __init__(self, job: Job, lane: Lane) -> None:
        super().__init__(lane)
        self._job = job

    def cancel(self) -> None:
        """Cancel the work; it may still succeed if it is almost done."""
        self._job.cancel()


class Lane(QObject):
    """Runs tasks in the order of their start, `width` at a time.

    Workers never touch a task, whose Python object could then be destroyed on their thread. They
    post events to the lane, which belongs to the window's thread and emits the task's signals.

    The threads are Python's and persist. Qt's pool creates a new Python thread state for each task
    and destroys it afterwards, with all thread-local data of the engine (connections to SQLite);
    with OpenVINO loaded the program then crashed in a later task. `QRunnable.create` alone
    crashed too: the pool frees the runnable while PySide still knows its address.
    """

    # All tasks have ended.
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
        """Start `work` on another thread, with its own job."""
        self._started += 1
        key = self._started
        job = Job(partial(self._posted.emit, key, _Event.REPORTED))
        task = Task(job, self)
        self._tasks[key] = task
        if self._is_shut:
            # The threads may have ended: a key was typed just before the program quits.
            self._posted.emit(key, _Event.CANCELLED, None)
        else:
            self._threads.submit(_run, work, job, partial(self._posted.emit, key))
        return task

    def cancel_all(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    def shut(self) -> None:
        """Cancel all tasks, including those that are started later."""
        self._is_shut = True
        self.cancel_all()

    def end(self) -> None:
        """End the threads and cancel later tasks. Blocks while work runs."""
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
    """Runs one kind of work; a new start drops the results of earlier ones.

    Args:
        lane: where the work runs.
        parent: the Qt parent.
        take: receives each result.
        fail: receives each error.
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
        self._run_id = 0
        self._task: Task | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def start(self, work: Work) -> None:
        self.drop()
        run_id = self._run_id
        self._task = self._lane.start(work)
        self._task.progressed.connect(partial(self._pass_on, run_id))
        self._task.succeeded.connect(partial(self._end, run_id, self.succeeded.emit))
        self._task.failed.connect(partial(self._end, run_id, self.failed.emit))

    def drop(self) -> None:
        """Cancel the running work, if any, and ignore its result."""
        self._run_id += 1
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _pass_on(self, run_id: int, progress: object) -> None:
        if run_id == self._run_id:
            self.progressed.emit(progress)

    def _end(self, run_id: int, emit: Callable[[object], None], value: object) -> None:
        if run_id == self._run_id:
            self._task = None
            emit(value)


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
