"""How much of the machine background work takes: less on battery, and while others need it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

# Of all processors, what other programs take when the machine counts as busy.
BUSY_SHARE: Final = 0.5
_LOOK_EVERY_S: Final = 2.0
_SHARE: Final = 0.5
# A rest shorter than what the system takes to wake a thread up would be lost.
_LEAST_WORK_S: Final = 0.1


class BackgroundLoad(StrEnum):
    """How the person wants work in the background to behave."""

    FULL = "full"
    """As fast as it can, always."""
    GENTLE = "gentle"
    """At half the speed on battery, and while other programs keep the processor busy."""
    SAVING = "saving"
    """Not at all on battery, and gentle otherwise."""


class Reason(StrEnum):
    """Why work in the background is slower than it could be, or stands still."""

    BATTERY = "battery"
    BUSY = "busy"
    NO_POWER = "no power"
    """It waits for the power cord."""


@dataclass(frozen=True, slots=True)
class Load:
    """What the machine is going through.

    Attributes:
        on_battery: whether it runs on battery.
        others: the share of all its processors that other programs take, from 0 to 1.
    """

    on_battery: bool = False
    others: float = 0.0


def share_of(manners: BackgroundLoad, load: Load) -> tuple[float, Reason | None]:
    """Return the share of the time in which to work, from 0 to 1, and why it is not 1.

    >>> share_of(BackgroundLoad.GENTLE, Load(others=0.8))
    (0.5, <Reason.BUSY: 'busy'>)
    >>> share_of(BackgroundLoad.SAVING, Load(on_battery=True))
    (0.0, <Reason.NO_POWER: 'no power'>)
    """
    if manners is BackgroundLoad.FULL:
        return 1.0, None
    if load.on_battery:
        is_saving = manners is BackgroundLoad.SAVING
        return (0.0, Reason.NO_POWER) if is_saving else (_SHARE, Reason.BATTERY)
    return (_SHARE, Reason.BUSY) if load.others > BUSY_SHARE else (1.0, None)


class Throttle:
    """Tells after each piece of work how long to pause.

    Args:
        manners: what the person wants.
        load: tells what the machine is going through, at most every two seconds.
        now_s: a clock.
    """

    def __init__(
        self,
        manners: BackgroundLoad,
        load: Callable[[], Load] | None = None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._manners = manners
        self._load = Machine().load if load is None else load
        self._now_s = now_s
        self._worked_since_s = self._looked_s = now_s()
        self._share = 1.0
        self.reason: Reason | None = None

    def pause_s(self) -> float:
        """Return how long to pause now, in seconds; call it again afterwards, until it gives 0."""
        if self._manners is BackgroundLoad.FULL:
            return 0.0
        now_s = self._now_s()
        if now_s - self._looked_s >= _LOOK_EVERY_S:
            self._looked_s = now_s
            self._share, self.reason = share_of(self._manners, self._load())
        if self._share == 0:
            self._worked_since_s = now_s + _LOOK_EVERY_S
            return _LOOK_EVERY_S
        worked_s = now_s - self._worked_since_s
        if self._share < 1 and worked_s < _LEAST_WORK_S:
            return 0.0
        pause_s = max(0.0, worked_s * (1 / self._share - 1))
        self._worked_since_s = now_s + pause_s
        return pause_s


class Machine:
    """Reads the load off the system, between one look and the next."""

    def __init__(self) -> None:
        self._before = self._times()

    def load(self) -> Load:
        """Return what the machine has gone through since the last look."""
        import psutil

        battery = None
        # Systems differ in what they tell; one that tells nothing has no battery.
        with contextlib.suppress(psutil.Error, OSError, AttributeError):
            battery = psutil.sensors_battery()
        before, self._before = self._before, self._times()
        whole, busy, own = (now - then for now, then in zip(self._before, before, strict=True))
        others = (busy - own) / whole if whole > 0 else 0.0
        on_battery = battery is not None and battery.power_plugged is False
        return Load(on_battery, min(max(others, 0.0), 1.0))

    def _times(self) -> tuple[float, float, float]:
        """Seconds of all processors, of them the busy ones, and of these Winnow's own."""
        import psutil

        times = psutil.cpu_times()
        idle = times.idle + getattr(times, "iowait", 0.0)
        # Guests' time stands in users' time already.
        whole = sum(times) - getattr(times, "guest", 0.0) - getattr(times, "guest_nice", 0.0)
        own = 0.0
        this = psutil.Process()
        for process in (this, *this.children(recursive=True)):
            with contextlib.suppress(psutil.Error):  # it has ended meanwhile
                spent = process.cpu_times()
                own += spent.user + spent.system
        return whole, whole - idle, own
