"""A command held to limits of time, memory and disk, and what it took of each.

Looked at four times a second, with all that it has started. Time is the processor's: on a busy
machine an engine is not to lose by what else is at work; one that only waits is ended after
`_PATIENCE` times the limit by the clock. Memory is what no file backs and so cannot be given back
when another program wants it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

_EACH_S = 0.25
_DISK_EACH_S = 1.0
_PATIENCE = 5
_GONE_S = 60
_GB = 1e9


@dataclass(frozen=True)
class Limits:
    """What one command may take."""

    minutes: float
    memory_gb: float
    disk_gb: float


@dataclass(frozen=True)
class Taken:
    """What a command took.

    Attributes:
        ended: what happened; nothing where it came through.
        seconds: by the clock.
        worked_s: of the processor, with that of all that it started.
        memory_mb: at most at any look, of what no file backs.
        disk_mb: at most at any look, in the folder that it was given.
    """

    ended: str
    seconds: float
    worked_s: float
    memory_mb: float
    disk_mb: float


def within(
    limits: Limits, command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]
) -> Taken:
    """Run a command that writes into a folder, and end it with all it started at a limit."""
    with tempfile.TemporaryFile() as said:
        began_s = time.monotonic()
        # A session of its own: so that what it started can be ended with it.
        process = subprocess.Popen(
            command, env=dict(environment), stdout=said, stderr=said, start_new_session=True
        )
        watch = _Watch(process.pid, folder, limits, began_s)
        try:
            while process.returncode is None and not watch.over:
                try:
                    process.wait(_EACH_S)
                except subprocess.TimeoutExpired:
                    watch.look()
        finally:
            _end(process)
        watch.look_at_disk()
        ended = watch.over or _told(process.returncode, said)
    passed_s = time.monotonic() - began_s
    return Taken(ended, passed_s, watch.worked_s, watch.memory / 1e6, watch.disk / 1e6)


class _Watch:
    """The most that a process and those below it were seen to take."""

    def __init__(self, number: int, folder: Path, limits: Limits, began_s: float) -> None:
        self.over = ""
        self.worked_s = 0.0
        self.memory = 0
        self.disk = 0
        self._process = psutil.Process(number)
        self._folder = folder
        self._limits = limits
        self._began_s = began_s
        self._looked_at_disk_s = began_s

    def look(self) -> None:
        memory, worked_s = 0, 0.0
        for process in _tree(self._process):
            try:
                seen, times = process.memory_info(), process.cpu_times()
            except psutil.Error:
                continue  # ended since
            memory += seen.rss - seen.shared
            # Those below that have ended are counted with who waited for them.
            worked_s += times.user + times.system + times.children_user + times.children_system
        self.memory = max(self.memory, memory)
        self.worked_s = max(self.worked_s, worked_s)
        if time.monotonic() - self._looked_at_disk_s > _DISK_EACH_S:
            self.look_at_disk()
        self._judge(memory)

    def look_at_disk(self) -> None:
        self.disk = max(self.disk, _disk_bytes(self._folder))
        self._looked_at_disk_s = time.monotonic()

    def _judge(self, memory: int) -> None:
        limits, passed_s = self._limits, time.monotonic() - self._began_s
        after = f"after {self.worked_s:.0f} s of the processor"
        if memory > limits.memory_gb * _GB:
            self.over = f"more than {limits.memory_gb:g} GB of memory, {after}"
        elif self.disk > limits.disk_gb * _GB:
            self.over = f"more than {limits.disk_gb:g} GB of disk, {after}"
        elif self.worked_s > limits.minutes * 60:
            self.over = f"more than {limits.minutes:g} minutes of the processor"
        elif passed_s > limits.minutes * 60 * _PATIENCE:
            self.over = f"more than {limits.minutes * _PATIENCE:g} minutes by the clock, {after}"


def _tree(process: psutil.Process) -> list[psutil.Process]:
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def _disk_bytes(folder: Path) -> int:
    """The room that the files take; one that went away meanwhile takes none."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(place) / name).lstat().st_blocks * 512
            except FileNotFoundError:
                continue
    return total


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command with all that it started, also where it has ended itself."""
    started = _tree(psutil.Process(process.pid))[1:] if process.returncode is None else []
    with contextlib.suppress(ProcessLookupError):  # none of them is left
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    # Until their memory is given back, which takes a while where it is much.
    psutil.wait_procs(started, timeout=_GONE_S)


def _told(status: int, said: IO[bytes]) -> str:
    """What happened, by the status and the last line that was said."""
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    if not status:
        return ""
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else f"ended with status {status} and said nothing"
