"""Progress goes out at a bearable rate; cancelling comes in from any thread."""

from __future__ import annotations

import io
import threading
from functools import partial

import pytest

from core import progress
from core.commands import calling_process, terminal
from core.errors import Cancelled
from core.progress import Job, Progress, Stage
from core.serving.daemon.invocation import Screen
from core.throttle import Load


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time in seconds, to be set by the test."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_reports_come_at_most_20_times_a_second(clock: list[float]) -> None:
    seen: list[Progress] = []
    job = Job(seen.append)
    for done in range(1000):
        clock[0] += 0.001
        job.report(Progress(Stage.READING, done, 5000))
    assert 19 <= len(seen) <= 21


def test_the_beginning_and_the_end_of_a_stage_are_always_reported(clock: list[float]) -> None:
    seen: list[Progress] = []
    job = Job(seen.append)
    lines = [
        Progress(Stage.READING, 0, 2),
        Progress(Stage.READING, 2, 2),
        Progress(Stage.PREPARING, 0, 0),
        Progress(Stage.ENCODING, 0, 9),
    ]
    for one in lines:
        job.report(one)
        job.report(Progress(one.stage, 1, 10))
    assert seen == lines


def test_a_scan_that_finds_nothing_is_throttled_too(clock: list[float]) -> None:
    """Its total is not known: 0 of 0 files is not the end of it."""
    seen: list[Progress] = []
    job = Job(seen.append)
    for folder in range(1000):
        job.report(Progress(Stage.SCANNING, 0, 0, str(folder)))
    assert len(seen) == 1


def test_a_job_is_cancelled_from_another_thread() -> None:
    job = Job()
    job.checkpoint()
    assert not job.is_cancelled
    thread = threading.Thread(target=job.cancel)
    thread.start()
    thread.join()
    assert job.is_cancelled
    for _ in range(2):
        with pytest.raises(Cancelled):
            job.checkpoint()


def test_a_listener_is_optional() -> None:
    Job().report(Progress(Stage.READING, 1, 2))


class _Load:
    """The load of other programs, set by a test."""

    def __init__(self) -> None:
        self.others = 0.0

    def __call__(self) -> Load:
        return Load(other_programs=self.others)


def test_a_silence_reports_what_is_waited_for_and_why(clock: list[float]) -> None:
    load = _Load()
    waiting = terminal.Waiting(lambda: clock[0], load)
    reading = Progress(Stage.READING, 3, 9, "/home/a/report.pdf")
    waiting.take(reading)
    clock[0] += 1
    assert waiting.words() == ""
    clock[0] += 9
    assert waiting.words() == "report.pdf, 10 s"
    load.others = 0.9
    clock[0] += 10
    assert waiting.words() == "report.pdf, 20 s; the computer is busy with other programs"
    # The same once more is no news.
    waiting.take(reading)
    assert waiting.words().startswith("report.pdf, 20 s")
    waiting.take(Progress(Stage.ENCODING, 4, 9))
    assert waiting.words() == ""
    clock[0] += 10
    load.others = 0.1
    assert waiting.words() == "10 s for this step"


def test_a_silence_is_broken_on_a_terminal(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()
    screen = Screen(io.StringIO(), out, False, True, 100, {}, lambda _act: None)
    factory = partial(terminal.Waiting, lambda: clock[0], Load)
    monkeypatch.setattr(terminal, "Waiting", factory)
    monkeypatch.setattr(calling_process, "screen", lambda: screen)
    with terminal.progress() as show:
        show(Progress(Stage.READING, 3, 9, "/home/a/report.pdf"))
        clock[0] += 10
    assert "report.pdf, 10 s" in out.getvalue()
