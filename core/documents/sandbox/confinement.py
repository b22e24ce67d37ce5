"""The reading process confined: its limits, its noise, its parent's end, and the system's walls."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Final

from core.documents.files import LARGEST_BYTES
from core.documents.limits import Limits
from core.documents.sandbox import readable, walls

# What a reader never needs. Native code does not see this: the system's walls are what holds. It
# gives an error that says what was asked for, and is all there is where there are no walls.
_FORBIDDEN = (
    *("socket.", "urllib.", "ftplib.", "smtplib.", "webbrowser."),
    *("subprocess.Popen", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system"),
    *("os.startfile", "os.kill", "os.remove", "os.rename", "os.rmdir", "shutil."),
)
_MOST_OPEN = 256


GIVEN: Final = "given"
"""The folder in the scratch folder for copies of documents that are read by other packages."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a reading process is for.

    Attributes:
        limits: What one document may take.
        scratch: The only folder in which it may write files; None for none.
        modules: That read formats of other packages, and may so be opened themselves.
    """

    limits: Limits
    scratch: Path | None = None
    modules: Sequence[str] = ()


def confine(task: Task, inherited: Collection[int], files: int | None) -> tuple[str, ...]:
    """Confine this process for good, once at its start, before it has a second thread.

    The limit on memory, beyond what the process has now, holds on Linux; macOS ignores it. There
    only the time limit and the replacing of a process that has grown stand between a document and
    the machine's memory.

    Args:
        task: what the process is for.
        inherited: the descriptors by which it speaks with its parent.
        files: the one of them by which documents are handed over.

    Returns:
        The walls that the system put up, by name.
    """
    memory_bytes = task.limits.memory_bytes
    reads = readable.folders(task.modules)
    keeps = () if task.scratch is None else (task.scratch,)
    _silence()
    _close_others(inherited)
    # Ctrl-C in a terminal goes to the whole group; the parent decides what becomes of us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    _limit_memory(memory_bytes)
    _limit_files(_largest_file(task))
    standing = walls.restrict(reads, keeps, files, memory_bytes)
    _follow_parent()
    sys.addaudithook(_refuse)
    return standing


def set_alarm(seconds: float) -> None:
    """Have the system kill this process after `seconds`, whatever it is doing then; 0: never.

    The parent's clock is the one that counts. This one is for a process that hangs in a library
    that keeps Python's lock when its parent is gone. Windows has no such alarm.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def memory_bytes() -> int:
    """Return the memory that this process has in use; on macOS the most that it had; else 0."""
    if sys.platform == "linux":
        # Not the peak that the system keeps: a process starts with its parent's there.
        return _bytes_in_use()[1]
    elif sys.platform == "darwin":  # noqa: RET505 - mypy checks one of three platforms at a time
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    else:
        return 0


if sys.platform == "linux":

    def _bytes_in_use() -> tuple[int, int]:
        """Return the bytes of address space and of memory in use."""
        fields = Path("/proc/self/statm").read_text(encoding="ascii").split()
        page_bytes = os.sysconf("SC_PAGE_SIZE")
        return int(fields[0]) * page_bytes, int(fields[1]) * page_bytes


def _silence() -> None:
    """Send what libraries print, also from C, nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    if null > 2:
        os.close(null)
    # A program with a window has no standard streams at all on Windows.
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115, PTH123


def _limit_memory(memory_bytes: int) -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            limit = _bytes_in_use()[0] + memory_bytes
            if hard != resource.RLIM_INFINITY:
                limit = min(limit, hard)
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _close_others(inherited: Collection[int]) -> None:
    """Close what else the process was started with, by which it could reach others."""
    if sys.platform != "win32":
        parent = parent_process()
        assert parent is not None
        kept = sorted({0, 1, 2, parent.sentinel, *inherited})
        for before, after in pairwise([*kept, 1 << 16]):
            os.closerange(before + 1, after)


def _largest_file(task: Task) -> int:
    """Return the most bytes that a file may have that is written; none is where there is no room.

    A member that is unpacked, or a document that a package which is not Winnow's reads.
    """
    if task.scratch is None:
        return 0
    return max(task.limits.containers.member_bytes, LARGEST_BYTES)


def _limit_files(most_bytes: int) -> None:
    """Limit how large files grow and how many are open.

    Not how many processes there are: the system counts all threads of the person's there, so that
    another program could keep text recognition from starting its own.
    """
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_OPEN if hard == resource.RLIM_INFINITY else min(_MOST_OPEN, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))


def _follow_parent() -> None:
    """End this process when its parent ends, even in the middle of a document.

    Linux could signal a parent's end, but takes the end of the thread that started us for it.
    """
    parent = parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def wait() -> None:
        connection.wait([sentinel])
        os._exit(1)

    threading.Thread(target=wait, name="follow-parent", daemon=True).start()


def _refuse(event: str, _arguments: object) -> None:
    if event.startswith(_FORBIDDEN):
        raise PermissionError(f"a document's reader may not use {event}")
