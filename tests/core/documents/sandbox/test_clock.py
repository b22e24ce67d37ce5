"""Tests of the time limit for reading processes, in processor time and in elapsed time."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from core.documents.sandbox import worker_handle
from core.documents.sandbox.worker_handle import Clock
from tests.waiting import patience

_LIMIT_S = 60.0


class Machine:
    """Simulated wall clock and processor time of a process."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.used_s = 3.0

    def pass_time(self, seconds: float, share: float) -> None:
        self.now_s += seconds
        self.used_s += seconds * share


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    simulated = Machine()
    monkeypatch.setattr(worker_handle.time, "monotonic", lambda: simulated.now_s)
    return simulated


def _ended_after_s(machine: Machine, share: float, most_s: float) -> float | None:
    """Return when the clock ends a process with this share of a processor, or None if it does not.

    Simulates the checks of the clock's thread, each at its scheduled time.
    """
    clock = Clock(_LIMIT_S, lambda: None, lambda: machine.used_s)
    clock.set()
    began_s = machine.now_s
    wait_s = _LIMIT_S
    while machine.now_s - began_s < most_s:
        machine.pass_time(wait_s, share)
        wait_s = clock._left_s()
        if wait_s <= 0:
            return machine.now_s - began_s
    return None


def test_a_process_with_a_whole_core_ends_at_the_limit(machine: Machine) -> None:
    assert _ended_after_s(machine, 1.0, 1000) == pytest.approx(60)


@pytest.mark.parametrize("share", [0.5, 0.2, 0.05])
def test_a_process_on_a_busy_machine_gets_the_same_processor_time(
    machine: Machine, share: float
) -> None:
    ended_s = _ended_after_s(machine, share, 10_000)
    assert ended_s is not None
    assert 60 <= ended_s * share <= 66


@pytest.mark.parametrize("share", [0.0, 0.001])
def test_an_idle_process_ends_at_the_limit(machine: Machine, share: float) -> None:
    assert _ended_after_s(machine, share, 10_000) == pytest.approx(60)


def test_a_process_that_stalls_half_way_is_ended(machine: Machine) -> None:
    clock = Clock(_LIMIT_S, lambda: None, lambda: machine.used_s)
    clock.set()
    machine.pass_time(60, 0.5)
    assert clock._left_s() == pytest.approx(30)
    machine.pass_time(30, 0)
    assert clock._left_s() > 0
    machine.pass_time(30, 0)
    assert clock._left_s() == 0


def test_several_threads_do_not_shorten_the_limit(machine: Machine) -> None:
    assert _ended_after_s(machine, 16.0, 1000) == pytest.approx(60)


def test_a_finished_process_has_no_time_left(machine: Machine) -> None:
    clock = Clock(_LIMIT_S, lambda: None, lambda: float("nan"))
    clock.set()
    assert clock._left_s() == 0


@pytest.fixture
def fired() -> threading.Event:
    return threading.Event()


def test_hurry_skips_the_wait_for_processor_time(fired: threading.Event) -> None:
    used_s: Callable[[], float] = iter(range(1_000_000)).__next__
    with Clock(1e6, fired.set, used_s) as clock:
        clock.set()
        clock.hurry()
        assert fired.wait(patience())
    assert clock.has_passed
