"""Run a command under limits of time, memory and disk, and measure what it uses.

The command and all its descendants are sampled four times a second. The time limit applies to
processor time, so that other programs on a busy machine do not count against an engine; a command
that only waits is ended after `_WALL_CLOCK_FACTOR` times the limit of wall-clock time. Memory means
pages that no file backs, which the kernel cannot drop when another program needs memory.
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

_SAMPLE_INTERVAL_S = 0.25
_DISK_INTERVAL_S = 1.0
_WALL_CLOCK_FACTOR = 5
_EXIT_TIMEOUT_S = 60
_GB = 1e9


@dataclass(frozen=True)
class Limits:
    """The limits of one command."""

    minutes: float
    memory_gb: float
    disk_gb: float


@dataclass(frozen=True)
class Usage:
    """The resources that a command used.

    Attributes:
        ended: why it failed; "" if it succeeded.
        seconds: wall-clock time.
        worked_s: processor time, including all descendants.
        memory_mb: the largest sample of memory that no file backs.
        disk_mb: the largest sample of disk space in its folder.
    """

    ended: str
    seconds: float
    worked_s: float
    memory_mb: float
    disk_mb: float


def within(
    limits: Limits, command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]
) -> Usage:
    """Run a command that writes to a folder; end it and its descendants at a limit."""
    with tempfile.TemporaryFile() as output:
        began_s = time.monotonic()
        # A new session, so that its descendants can be ended with it.
        process = subprocess.Popen(
            command, env=dict(environment), stdout=output, stderr=output, start_new_session=True
        )
        monitor = _Watch(process.pid, folder, limits, began_s)
        try:
            while process.returncode is None and not monitor.over:
                try:
                    process.wait(_SAMPLE_INTERVAL_S)
                except subprocess.TimeoutExpired:
                    monitor.look()
        finally:
            _end(process)
        monitor.look_at_disk()
        ended = monitor.over or _failure_reason(process.returncode, output)
    passed_s = time.monotonic() - began_s
    return Usage(ended, passed_s, monitor.worked_s, monitor.memory / 1e6, monitor.disk / 1e6)


class _Watch:
    """The largest resource usage sampled of a process and its descendants."""

    def __init__(self, pid: int, folder: Path, limits: Limits, began_s: float) -> None:
        self.over = ""
        self.worked_s = 0.0
        self.memory = 0
        self.disk = 0
        self._process = psutil.Process(pid)
        self._folder = folder
        self._limits = limits
        self._began_s = began_s
        self._disk_sampled_s = began_s

    def look(self) -> None:
        memory, worked_s = 0, 0.0
        for process in _tree(self._process):
            try:
                seen, times = process.memory_info(), process.cpu_times()
            except psutil.Error:
                continue  # has ended
            memory += seen.rss - seen.shared
            # The times of descendants that have ended are counted for their parents.
            worked_s += times.user + times.system + times.children_user + times.children_system
        self.memory = max(self.memory, memory)
        self.worked_s = max(self.worked_s, worked_s)
        if time.monotonic() - self._disk_sampled_s > _DISK_INTERVAL_S:
            self.look_at_disk()
        self._check_limits(memory)

    def look_at_disk(self) -> None:
        self.disk = max(self.disk, _disk_bytes(self._folder))
        self._disk_sampled_s = time.monotonic()

    def _check_limits(self, memory: int) -> None:
        limits, passed_s = self._limits, time.monotonic() - self._began_s
        after = f"after {self.worked_s:.0f} s of the processor"
        if memory > limits.memory_gb * _GB:
            self.over = f"more than {limits.memory_gb:g} GB of memory, {after}"
        elif self.disk > limits.disk_gb * _GB:
            self.over = f"more than {limits.disk_gb:g} GB of disk, {after}"
        elif self.worked_s > limits.minutes * 60:
            self.over = f"more than {limits.minutes:g} minutes of the processor"
        elif passed_s > limits.minutes * 60 * _WALL_CLOCK_FACTOR:
            self.over = (
                f"more than {limits.minutes * _WALL_CLOCK_FACTOR:g} minutes by the clock, {after}"
            )


def _tree(process: psutil.Process) -> list[psutil.Process]:
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def _disk_bytes(folder: Path) -> int:
    """Return the disk space of the files, skipping files that disappear meanwhile."""
    total = 0
    for directory, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(directory) / name).lstat().st_blocks * 512
            except FileNotFoundError:
                continue
    return total


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command and its descendants, even if the command itself has ended."""
    started = _tree(psutil.Process(process.pid))[1:] if process.returncode is None else []
    with contextlib.suppress(ProcessLookupError):  # no process is left
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    # Wait until their memory is free, which takes a while for large processes.
    psutil.wait_procs(started, timeout=_EXIT_TIMEOUT_S)


def _failure_reason(status: int, output: IO[bytes]) -> str:
    """Return why the command failed, from its status and last line of output; "" on success."""
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    if not status:
        return ""
    output.seek(0)
    lines = output.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else f"ended with status {status} and said nothing"
