"""A reading process is ended for the processor time it takes, and for waiting without end."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from core.documents.sandbox import worker_handle
from core.documents.sandbox.worker_handle import Clock
from tests.waiting import patience

_LIMIT_S = 60.0


class Machine:
    """Time on the wall and of a process, which pass only where a test says so."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.used_s = 3.0

    def pass_time(self, seconds: float, share: float) -> None:
        self.now_s += seconds
        self.used_s += seconds * share


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    monkeypatch.setattr(worker_handle.time, "monotonic", lambda: made.now_s)
    return made


def _ended_after_s(machine: Machine, share: float, most_s: float) -> float | None:
    """Return when a clock ends a process that has this share of a processor; None for not at all.

    The looks that the thread would take are taken here, each when it is due.
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


def test_one_that_has_a_processor_to_itself_has_the_limit(machine: Machine) -> None:
    assert _ended_after_s(machine, 1.0, 1000) == pytest.approx(60)


@pytest.mark.parametrize("share", [0.5, 0.2, 0.05])
def test_one_that_is_kept_waiting_by_others_has_as_much_of_the_processor(
    machine: Machine, share: float
) -> None:
    ended_s = _ended_after_s(machine, share, 10_000)
    assert ended_s is not None
    assert 60 <= ended_s * share <= 66


@pytest.mark.parametrize("share", [0.0, 0.001])
def test_one_that_does_nothing_is_not_waited_for(machine: Machine, share: float) -> None:
    assert _ended_after_s(machine, share, 10_000) == pytest.approx(60)


def test_one_that_stops_half_way_is_not_waited_for(machine: Machine) -> None:
    clock = Clock(_LIMIT_S, lambda: None, lambda: machine.used_s)
    clock.set()
    machine.pass_time(60, 0.5)
    assert clock._left_s() == pytest.approx(30)
    machine.pass_time(30, 0)
    assert clock._left_s() > 0
    machine.pass_time(30, 0)
    assert clock._left_s() == 0


def test_many_threads_do_not_end_it_sooner(machine: Machine) -> None:
    assert _ended_after_s(machine, 16.0, 1000) == pytest.approx(60)


def test_one_that_is_gone_is_over(machine: Machine) -> None:
    clock = Clock(_LIMIT_S, lambda: None, lambda: float("nan"))
    clock.set()
    assert clock._left_s() == 0


@pytest.fixture
def acted() -> threading.Event:
    return threading.Event()


def test_who_is_in_a_hurry_waits_for_no_processor_time(acted: threading.Event) -> None:
    used_s: Callable[[], float] = iter(range(1_000_000)).__next__
    with Clock(1e6, acted.set, used_s) as clock:
        clock.set()
        clock.hurry()
        assert acted.wait(patience())
    assert clock.has_passed
