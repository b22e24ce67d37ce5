"""Timeouts for tests, scaled by the measured speed of the machine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from typing import Final

# Seconds that an idle machine of 2020 needs for the workload.
_NOMINAL_S: Final = 0.1
_STEPS: Final = 1_500_000
_PATIENCE_S: Final = 60.0


def patience() -> float:
    """Return the timeout for an event that a test waits for, in seconds: at least a minute.

    The timeout grows with the time that this machine needs for a fixed workload. A passing test
    does not wait this long; the timeout only limits how long a failing test takes.
    """
    return _PATIENCE_S * slowness()


@cache
def slowness() -> float:
    """Return how many times slower this machine is than an idle one of 2020, at least 1."""
    began_s = time.perf_counter()
    count = 0
    for step in range(_STEPS):
        count += step & 1
    measured = (time.perf_counter() - began_s) / _NOMINAL_S
    # One measurement may get a free core, but tests start several processes: use the load, too.
    load = os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 1.0
    return max(1.0, measured, load)


def wait_until(holds: Callable[[], object]) -> None:
    """Wait until a condition holds, however slow the machine, but not without end."""
    assert becomes_true(holds, patience()), "it did not come to be"


def becomes_true(holds: Callable[[], object], most_s: float) -> bool:
    """Return whether a condition holds within this time, as soon as it does."""
    end_s = time.monotonic() + most_s
    while not holds():
        if time.monotonic() > end_s:
            return False
        time.sleep(0.01)
    return True
