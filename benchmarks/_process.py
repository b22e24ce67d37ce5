"""Measure the memory, wake-ups and processor time of a running process.

Reads `/proc` once a second: of threads that live shorter than that, only the processor time is
counted. Memory is also reported including child processes, such as those that read documents.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

_SAMPLE_INTERVAL_S = 1.0


@dataclass(frozen=True)
class Cost:
    """The resource usage of a process over some time.

    Attributes:
        seconds: the duration.
        memory_mb: resident memory in each sample.
        all_mb: the same, including child processes.
        wakings: how often its threads went to sleep.
        runs: how often its threads were scheduled on a processor.
        worked_s: processor time, including child processes.
    """

    seconds: float
    memory_mb: list[float]
    all_mb: list[float]
    wakings: int
    runs: int
    worked_s: float

    def line(self) -> str:
        """Return a line for people."""
        a_minute = 60 / self.seconds
        usual_mb = statistics.median(self.memory_mb)
        return (
            f"{self.seconds / 60:.0f} minutes: memory median {usual_mb:.0f} MB, most "
            f"{max(self.memory_mb):.0f} MB, with child processes most "
            f"{max(self.all_mb):.0f} MB; a minute {self.wakings * a_minute:.0f} wakings, "
            f"{self.runs * a_minute:.0f} runs and {1000 * self.worked_s * a_minute:.0f} ms of "
            "processor"
        )


def watched(
    pid: int, seconds: float, meanwhile: Callable[[float], object] = lambda _passed_s: None
) -> Cost:
    """Sample a process for some seconds; call `meanwhile` once a second."""
    process = psutil.Process(pid)
    memory_mb: list[float] = []
    all_mb: list[float] = []
    wakings = runs = 0
    worked: dict[int, float] = {}
    began_s = time.monotonic()
    seen = _switches(pid)
    at_first_s = _worked_s(process, worked)
    while (passed_s := time.monotonic() - began_s) < seconds:
        meanwhile(passed_s)
        time.sleep(_SAMPLE_INTERVAL_S)
        own = process.memory_info().rss / 1e6
        memory_mb.append(own)
        all_mb.append(own + sum(map(_memory_mb, process.children(recursive=True))))
        worked_s = _worked_s(process, worked)
        now = _switches(pid)
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
    """Return the processor time of a process and its descendants, including those that have ended.

    `of_children` holds the last known time of each descendant.
    """
    for child in process.children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.Error:
            continue
        of_children[child.pid] = times.user + times.system
    own = process.cpu_times()
    return float(own.user + own.system) + sum(of_children.values())


def _switches(pid: int) -> dict[int, tuple[int, int]]:
    """Return how often each thread went to sleep and was scheduled on a processor, by thread id.

    See `proc_pid_status(5)` and the kernel's documentation of `schedstat`.
    """
    found = {}
    for directory in Path(f"/proc/{pid}/task").iterdir():
        try:
            status = (directory / "status").read_text(encoding="ascii", errors="replace")
            schedstat = (directory / "schedstat").read_text(encoding="ascii").split()
        except OSError:
            continue
        slept = int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
        found[int(directory.name)] = slept, int(schedstat[2])
    return found
