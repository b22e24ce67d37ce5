"""What a process costs while it runs: its memory, how often it wakes up, and how long it works.

As `/proc` has it, looked at once a second: a thread that lives shorter than that is counted in the
processor's time and nowhere else. Memory is also told with that of the processes that it has
started, such as those that read documents.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

_EACH_S = 1.0


@dataclass(frozen=True)
class Cost:
    """What a process cost in a while.

    Attributes:
        seconds: how long it was.
        memory_mb: its resident memory at each look.
        all_mb: the same, with that of the processes that it has started.
        wakings: how often a thread of its went to sleep.
        runs: how often a thread of its was given a processor.
        worked_s: its processor time, and that of the processes that it has started.
    """

    seconds: float
    memory_mb: list[float]
    all_mb: list[float]
    wakings: int
    runs: int
    worked_s: float

    def line(self) -> str:
        """For people."""
        a_minute = 60 / self.seconds
        usual_mb = statistics.median(self.memory_mb)
        return (
            f"{self.seconds / 60:.0f} minutes: memory median {usual_mb:.0f} MB, most "
            f"{max(self.memory_mb):.0f} MB, with what it started most "
            f"{max(self.all_mb):.0f} MB; a minute {self.wakings * a_minute:.0f} wakings, "
            f"{self.runs * a_minute:.0f} runs and {1000 * self.worked_s * a_minute:.0f} ms of "
            "processor"
        )


def watched(
    number: int, seconds: float, meanwhile: Callable[[float], object] = lambda _passed_s: None
) -> Cost:
    """Look at a process for so many seconds; `meanwhile` is called once a second."""
    process = psutil.Process(number)
    memory_mb: list[float] = []
    all_mb: list[float] = []
    wakings = runs = 0
    worked: dict[int, float] = {}
    began_s = time.monotonic()
    seen = _switches(number)
    at_first_s = _worked_s(process, worked)
    while (passed_s := time.monotonic() - began_s) < seconds:
        meanwhile(passed_s)
        time.sleep(_EACH_S)
        own = process.memory_info().rss / 1e6
        memory_mb.append(own)
        all_mb.append(own + sum(map(_memory_mb, process.children(recursive=True))))
        worked_s = _worked_s(process, worked)
        now = _switches(number)
        for thread, (slept, ran) in now.items():
            before = seen.get(thread, (0, 0))
            wakings += slept - before[0]
            runs += ran - before[1]
        seen = now
    return Cost(time.monotonic() - began_s, memory_mb, all_mb, wakings, runs, worked_s - at_first_s)


def _memory_mb(process: psutil.Process) -> float:
    try:
        return float(process.memory_info().rss) / 1e6
    except psutil.Error:
        return 0.0


def _worked_s(process: psutil.Process, of_children: dict[int, float]) -> float:
    """Return the processor time of a process and those below it, also of those that have ended.

    `of_children` has what was seen of each last.
    """
    for child in process.children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.Error:
            continue
        of_children[child.pid] = times.user + times.system
    own = process.cpu_times()
    return float(own.user + own.system) + sum(of_children.values())


def _switches(number: int) -> dict[int, tuple[int, int]]:
    """Return of each thread how often it has gone to sleep, and how often it was given a processor.

    See `proc_pid_status(5)` and the kernel's documentation of `schedstat`.
    """
    found = {}
    for place in Path(f"/proc/{number}/task").iterdir():
        try:
            status = (place / "status").read_text(encoding="ascii", errors="replace")
            schedstat = (place / "schedstat").read_text(encoding="ascii").split()
        except OSError:
            continue
        slept = int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
        found[int(place.name)] = slept, int(schedstat[2])
    return found
