"""Work in the background rests on battery and while others are busy, and tells so."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import SimpleNamespace

import psutil  # noqa: TID253 - replaced by a double
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Cancelled
from core.progress import Job, Progress, Stage
from core.throttle import BackgroundLoad, Load, Machine, Reason, Throttle, share_of

BATTERY = Load(on_battery=True)
BUSY = Load(other_programs=0.9)


class Clock:
    """A clock that advances only during work and pauses."""

    def __init__(self) -> None:
        self.s = 100.0

    def __call__(self) -> float:
        return self.s


def worked(throttle: Throttle, clock: Clock, pieces: int, piece_s: float) -> float:
    """Work through pieces with pauses; return the share of the time that was work."""
    began_s = clock.s
    for _ in range(pieces):
        clock.s += piece_s
        while pause_s := throttle.pause_s():
            clock.s += pause_s
    return pieces * piece_s / (clock.s - began_s)


@pytest.mark.parametrize(
    ("background_load", "load", "expected"),
    [
        (BackgroundLoad.FULL, BATTERY, (1.0, None)),
        (BackgroundLoad.FULL, BUSY, (1.0, None)),
        (BackgroundLoad.GENTLE, Load(), (1.0, None)),
        (BackgroundLoad.GENTLE, BATTERY, (0.5, Reason.BATTERY)),
        (BackgroundLoad.GENTLE, BUSY, (0.5, Reason.BUSY)),
        (BackgroundLoad.SAVING, BATTERY, (0.0, Reason.NO_POWER)),
        (BackgroundLoad.SAVING, BUSY, (0.5, Reason.BUSY)),
        (BackgroundLoad.SAVING, Load(), (1.0, None)),
    ],
)
def test_the_share_equals_the_request(
    background_load: BackgroundLoad, load: Load, expected: object
) -> None:
    assert share_of(background_load, load) == expected


@given(piece_s=st.floats(0.001, 3))
def test_it_works_half_of_the_time_whatever_a_piece_takes(piece_s: float) -> None:
    clock = Clock()
    throttle = Throttle(BackgroundLoad.GENTLE, lambda: BATTERY, clock)
    worked(throttle, clock, int(3 / piece_s) + 1, piece_s)  # until it has looked
    share = worked(throttle, clock, int(20 / piece_s) + 1, piece_s)
    assert share == pytest.approx(0.5, abs=0.03)


def test_nothing_else_going_on_it_never_rests() -> None:
    clock = Clock()
    throttle = Throttle(BackgroundLoad.GENTLE, Load, clock)
    assert worked(throttle, clock, 100, 0.3) == pytest.approx(1.0)
    assert throttle.reason is None


def test_on_battery_it_waits_until_there_is_power() -> None:
    clock = Clock()
    loads = iter([BATTERY, BATTERY, BATTERY, Load()])
    throttle = Throttle(BackgroundLoad.SAVING, lambda: next(loads), clock)
    clock.s += 2
    rests = 0
    while pause_s := throttle.pause_s():
        assert throttle.reason is Reason.NO_POWER
        clock.s += pause_s
        rests += 1
    assert rests == 3
    assert throttle.reason is None
    assert throttle.pause_s() == 0


def test_a_paused_job_reports_why_and_can_be_cancelled() -> None:
    seen: list[Progress] = []
    job = Job(seen.append)
    clock = Clock()
    job.throttle(Throttle(BackgroundLoad.SAVING, lambda: BATTERY, clock))
    job.report(Progress(Stage.READING, 1, 9))
    clock.s += 3
    canceller = threading.Thread(target=_cancel_when, args=(job, lambda: len(seen) > 1))
    canceller.start()
    with pytest.raises(Cancelled):
        job.checkpoint()
    canceller.join()
    assert [progress.slow for progress in seen] == [None, Reason.NO_POWER]


def _cancel_when(job: Job, is_time: Callable[[], bool]) -> None:
    pause = threading.Event()
    while not is_time():
        pause.wait(0.005)
    job.cancel()


def test_a_job_without_a_pace_goes_on() -> None:
    job = Job()
    job.throttle(Throttle(BackgroundLoad.SAVING, lambda: BATTERY, Clock()))
    job.throttle(None)
    job.checkpoint()


def test_own_work_is_not_counted_as_foreign_load(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([(100.0, 50.0, 20.0), (110.0, 58.0, 26.0)])
    monkeypatch.setattr(Machine, "_times", lambda _self: next(times))
    assert Machine().load().other_programs == pytest.approx(0.2)


def test_the_system_tells_how_busy_it_is() -> None:
    machine = Machine()
    before = machine._times()
    until_s = time.process_time() + 0.1
    while time.process_time() < until_s:
        sum(range(1000))
    whole, busy, own = (now - then for now, then in zip(machine._times(), before, strict=True))
    assert own >= 0.05
    assert busy <= whole
    assert 0 <= machine.load().other_programs <= 1


@pytest.mark.parametrize(
    ("battery", "expected"),
    [
        (None, False),
        (SimpleNamespace(power_plugged=True), False),
        (SimpleNamespace(power_plugged=None), False),
        (SimpleNamespace(power_plugged=False), True),
    ],
)
def test_the_battery_is_queried(
    monkeypatch: pytest.MonkeyPatch, battery: object, expected: bool
) -> None:
    monkeypatch.setattr(psutil, "sensors_battery", lambda: battery)
    assert Machine().load().on_battery is expected


def test_a_system_that_tells_nothing_of_batteries_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OSError("no such sensor")

    monkeypatch.setattr(psutil, "sensors_battery", refuse)
    assert not Machine().load().on_battery
