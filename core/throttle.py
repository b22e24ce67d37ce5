"""Throttling of background work on battery and while other programs are busy."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

# Share of all processors used by other programs above which the machine is busy.
BUSY_SHARE: Final = 0.5
_LOOK_EVERY_S: Final = 2.0
_SHARE: Final = 0.5
# A pause shorter than the system's wake-up latency would be lost.
_LEAST_WORK_S: Final = 0.1


class BackgroundLoad(StrEnum):
    """The speed of background work."""

    # Always at full speed.
    FULL = "full"
    # At half speed on battery, and while other programs use the processor.
    GENTLE = "gentle"
    # Paused on battery, otherwise gentle.
    SAVING = "saving"


class Reason(StrEnum):
    """Why background work is slow or paused."""

    BATTERY = "battery"
    BUSY = "busy"
    # Waiting for the power supply.
    NO_POWER = "no power"


@dataclass(frozen=True, slots=True)
class Load:
    """The machine's current load.

    Attributes:
        on_battery: whether it runs on battery.
        other_programs: share of all processors that other programs use, from 0 to 1.
    """

    on_battery: bool = False
    other_programs: float = 0.0


def share_of(background_load: BackgroundLoad, load: Load) -> tuple[float, Reason | None]:
    """Return the share of time to work, from 0 to 1, and the reason if it is below 1.

    >>> share_of(BackgroundLoad.GENTLE, Load(other_programs=0.8))
    (0.5, <Reason.BUSY: 'busy'>)
    >>> share_of(BackgroundLoad.SAVING, Load(on_battery=True))
    (0.0, <Reason.NO_POWER: 'no power'>)
    """
    if background_load is BackgroundLoad.FULL:
        return 1.0, None
    if load.on_battery:
        is_saving = background_load is BackgroundLoad.SAVING
        return (0.0, Reason.NO_POWER) if is_saving else (_SHARE, Reason.BATTERY)
    return (_SHARE, Reason.BUSY) if load.other_programs > BUSY_SHARE else (1.0, None)


class Throttle:
    """Computes the pause after each piece of work.

    Args:
        background_load: the chosen setting.
        load: returns the machine's load, called at most every two seconds.
        now_s: a clock.
    """

    def __init__(
        self,
        background_load: BackgroundLoad,
        load: Callable[[], Load] | None = None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._background_load = background_load
        self._load = Machine().load if load is None else load
        self._now_s = now_s
        self._worked_since_s = self._measured_s = now_s()
        self._share = 1.0
        self.reason: Reason | None = None

    def pause_s(self) -> float:
        """Return the seconds to pause now; call it again afterwards, until it returns 0."""
        if self._background_load is BackgroundLoad.FULL:
            return 0.0
        now_s = self._now_s()
        if now_s - self._measured_s >= _LOOK_EVERY_S:
            self._measured_s = now_s
            self._share, self.reason = share_of(self._background_load, self._load())
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
    """Measures the machine's load between two calls."""

    def __init__(self) -> None:
        self._before = self._times()

    def load(self) -> Load:
        """Return the machine's load since the last call."""
        import psutil

        battery = None
        # Systems differ in the sensors they offer; without one there is no battery.
        with contextlib.suppress(psutil.Error, OSError, AttributeError):
            battery = psutil.sensors_battery()
        before, self._before = self._before, self._times()
        whole, busy, own = (now - then for now, then in zip(self._before, before, strict=True))
        other_programs = (busy - own) / whole if whole > 0 else 0.0
        on_battery = battery is not None and battery.power_plugged is False
        return Load(on_battery, min(max(other_programs, 0.0), 1.0))

    def _times(self) -> tuple[float, float, float]:
        """Return processor seconds: all, busy ones, and Winnow's own."""
        import psutil

        times = psutil.cpu_times()
        idle = times.idle + getattr(times, "iowait", 0.0)
        # Users' time includes guests' time.
        whole = sum(times) - getattr(times, "guest", 0.0) - getattr(times, "guest_nice", 0.0)
        own = 0.0
        this = psutil.Process()
        for process in (this, *this.children(recursive=True)):
            with contextlib.suppress(psutil.Error):  # it has ended in the meantime
                spent = process.cpu_times()
                own += spent.user + spent.system
        return whole, whole - idle, own
