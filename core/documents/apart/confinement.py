"""The walls round the reading process: memory, core dumps, network, noise, and its parent's end."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from multiprocessing import connection, parent_process
from pathlib import Path

# What a reader never needs; a second line behind not asking for it.
_FORBIDDEN = (
    *("socket.", "urllib.", "ftplib.", "smtplib.", "webbrowser."),
    *("subprocess.Popen", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system"),
    *("os.startfile", "os.kill", "os.remove", "os.rename", "os.rmdir", "shutil."),
)
_PR_SET_DUMPABLE = 4


def confine(memory_bytes: int) -> None:
    """Confine this process for good, once at its start.

    `memory_bytes` is what it may take beyond what it has now. That holds on Linux; macOS ignores
    the limit, and Windows would need a job object: there only the time limit and the replacing of
    a process that has grown stand between a document and the machine's memory.
    """
    _silence()
    # Ctrl-C in a terminal goes to the whole group; the parent decides what becomes of us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    _limit_memory(memory_bytes)
    _forbid_dumps()
    _follow_parent()
    sys.addaudithook(_refuse)


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


def _forbid_dumps() -> None:
    if sys.platform == "linux":
        import ctypes

        # The size limit for core dumps does not hold where the system pipes them to a program.
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


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
