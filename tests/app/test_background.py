"""Tasks end exactly once, on the window's thread, and late results are dropped."""

from __future__ import annotations

import gc
import logging
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.background import Lane, Latest, Task
from core.errors import LibraryError
from core.progress import Job, Progress, Stage
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class Ends:
    """Records the signals of a task and their threads."""

    def __init__(self, task: Task) -> None:
        self.heard: list[tuple[str, object]] = []
        self.threads: set[int] = set()
        task.succeeded.connect(lambda value: self._note("succeeded", value))
        task.failed.connect(lambda error: self._note("failed", error))
        task.cancelled.connect(lambda: self._note("cancelled", None))
        task.progressed.connect(lambda progress: self._note("progressed", progress))

    def _note(self, what: str, value: object) -> None:
        self.heard.append((what, value))
        self.threads.add(threading.get_ident())


def test_success_carries_the_result_on_the_windows_thread(qtbot: QtBot, lane: Lane) -> None:
    ends = Ends(lane.start(lambda _: threading.get_ident()))

    qtbot.waitUntil(lambda: lane.is_empty)

    [(what, worker)] = ends.heard
    assert what == "succeeded"
    assert worker != threading.get_ident()
    assert ends.threads == {threading.get_ident()}


def test_a_user_facing_error_is_passed_on_unchanged(qtbot: QtBot, lane: Lane) -> None:
    error = LibraryError("The disk is full.")

    def fail(_: Job) -> None:
        raise error

    ends = Ends(lane.start(fail))
    qtbot.waitUntil(lambda: lane.is_empty)

    assert ends.heard == [("failed", error)]


def test_an_unexpected_error_is_logged_with_its_trace(
    qtbot: QtBot, lane: Lane, caplog: pytest.LogCaptureFixture
) -> None:
    ends = Ends(lane.start(lambda _: 1 // 0))
    with caplog.at_level(logging.ERROR):
        qtbot.waitUntil(lambda: lane.is_empty)

    [(what, error)] = ends.heard
    assert what == "failed"
    assert isinstance(error, ZeroDivisionError)
    assert "ZeroDivisionError" in caplog.text


def test_cancelling_ends_the_work_at_its_next_checkpoint(qtbot: QtBot, lane: Lane) -> None:
    has_started = threading.Event()
    gate = threading.Event()

    def work(job: Job) -> None:
        has_started.set()
        assert gate.wait(patience())
        job.checkpoint()

    task = lane.start(work)
    ends = Ends(task)
    assert has_started.wait(patience())
    task.cancel()
    gate.set()
    qtbot.waitUntil(lambda: lane.is_empty)

    assert ends.heard == [("cancelled", None)]


def test_work_that_was_cancelled_in_the_queue_is_never_called(
    qtbot: QtBot, qapp: QApplication
) -> None:
    narrow = Lane(1, qapp)
    gate = threading.Event()
    calls: list[int] = []
    narrow.start(lambda _: gate.wait(patience()))
    second = narrow.start(lambda _: calls.append(2))
    ends = Ends(second)
    second.cancel()
    gate.set()
    qtbot.waitUntil(lambda: narrow.is_empty)

    assert ends.heard == [("cancelled", None)]
    assert calls == []
    narrow.end()
    narrow.deleteLater()


def test_progress_comes_before_the_end(qtbot: QtBot, lane: Lane) -> None:
    def work(job: Job) -> str:
        job.report(Progress(Stage.READING, 1, 1))
        return "done"

    ends = Ends(lane.start(work))
    qtbot.waitUntil(lambda: lane.is_empty)

    assert [what for what, _ in ends.heard] == ["progressed", "succeeded"]


def test_a_lane_of_width_one_keeps_the_order(qtbot: QtBot, qapp: QApplication) -> None:
    narrow = Lane(1, qapp)
    order: list[int] = []
    for number in range(20):
        narrow.start(lambda _, number=number: order.append(number))
    with qtbot.waitSignal(narrow.emptied):
        pass

    assert order == list(range(20))
    narrow.end()
    narrow.deleteLater()


def test_only_the_latest_work_emits_results(qtbot: QtBot, lane: Lane) -> None:
    latest = Latest(lane, lane)
    heard: list[object] = []
    latest.succeeded.connect(heard.append)
    gate = threading.Event()
    latest.start(lambda _: gate.wait(patience()) and "first")
    latest.start(lambda _: gate.wait(patience()) and "second")
    gate.set()
    qtbot.waitUntil(lambda: lane.is_empty)

    assert heard == ["second"]
    assert not latest.is_running


def test_dropped_work_emits_nothing_even_if_it_fails(qtbot: QtBot, lane: Lane) -> None:
    latest = Latest(lane, lane)
    heard: list[object] = []
    latest.succeeded.connect(heard.append)
    latest.failed.connect(heard.append)
    gate = threading.Event()

    def fail(_: Job) -> None:
        assert gate.wait(patience())
        raise LibraryError("Too late.")

    latest.start(fail)
    latest.drop()
    gate.set()
    qtbot.waitUntil(lambda: lane.is_empty)

    assert heard == []


def test_a_closed_lane_emits_nothing(qtbot: QtBot, qapp: QApplication) -> None:
    lane = Lane(1, qapp)
    calls: list[int] = []
    lane.shut()
    ends = Ends(lane.start(lambda _: calls.append(1)))
    qtbot.waitUntil(lambda: lane.is_empty)

    assert ends.heard == [("cancelled", None)]
    assert calls == []
    lane.end()
    ends = Ends(lane.start(lambda _: calls.append(1)))
    qtbot.waitUntil(lambda: lane.is_empty)

    assert ends.heard == [("cancelled", None)]
    assert calls == []
    lane.deleteLater()


def test_thread_local_data_survives_a_task(qtbot: QtBot, qapp: QApplication) -> None:
    narrow = Lane(1, qapp)
    local = threading.local()
    seen: list[int] = []

    def count(_: Job) -> None:
        local.calls = getattr(local, "calls", 0) + 1
        seen.append(local.calls)

    for _ in range(3):
        narrow.start(count)
    qtbot.waitUntil(lambda: narrow.is_empty)

    assert seen == [1, 2, 3]
    narrow.end()
    narrow.deleteLater()


def test_many_tasks_leave_nothing_behind(qtbot: QtBot, lane: Lane) -> None:
    for _ in range(3000):
        lane.start(lambda job: job.report(Progress(Stage.READING, 1, 1)))
    qtbot.waitUntil(lambda: lane.is_empty)
    gc.collect()
    qtbot.waitUntil(lambda: not lane.findChildren(Task))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="True is immortal there")
def test_emitting_true_does_not_lose_references_to_it(qtbot: QtBot) -> None:
    """PySide6 6.12.0 on Python 3.11 loses one per signal and crashes after hundreds."""

    class Speaker(QObject):
        signal = Signal(bool)
        meant = Signal(object)

    speaker = Speaker()
    heard: list[bool] = []
    speaker.signal.connect(lambda value: heard.append(value) if value is None else None)
    before = sys.getrefcount(True)
    for _ in range(100):
        speaker.signal.emit(True)
        speaker.meant.emit(True)

    assert abs(sys.getrefcount(True) - before) < 20
