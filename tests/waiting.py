"""How long tests wait for what must happen, on the machine that they run on."""

from __future__ import annotations

import os
import time
from functools import cache
from typing import Final

# What a quiet machine of 2020 takes for the workload; a faster one counts as that fast.
_NOMINAL_S: Final = 0.1
_STEPS: Final = 1_500_000
_PATIENCE_S: Final = 60.0


def patience() -> float:
    """Return the timeout for an event that a test waits for, in seconds: a minute at least.

    It grows with what this machine takes for a fixed piece of work while other programs run. A
    test that passes never waits that long: it is only the limit after which it fails.
    """
    return _PATIENCE_S * slowness()


@cache
def slowness() -> float:
    """Return how many times slower than a quiet machine this one is, 1 at least."""
    began_s = time.perf_counter()
    count = 0
    for step in range(_STEPS):
        count += step & 1
    measured = (time.perf_counter() - began_s) / _NOMINAL_S
    # One thread may be lucky; a test starts processes that share the processors with all others.
    waiting = os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 1.0
    return max(1.0, measured, waiting)
