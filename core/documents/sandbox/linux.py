"""The walls round a reading process on Linux: Landlock, and a filter on system calls."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.documents.sandbox import landlock, seccomp, syscalls

_NO_NEW_PRIVILEGES: Final = 38
_DUMPABLE: Final = 4
_CAPABILITIES_VERSION: Final = 0x20080522
# The superuser may own a Python that only others can look into.
_READ_ANYTHING: Final = 1 << 2


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Capabilities(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


def available() -> tuple[str, ...]:
    """Return what this system has to confine a process."""
    version = landlock.version()
    walls = [f"Landlock {version}"] if version else []
    return (*walls, "seccomp") if seccomp.is_available() else tuple(walls)


def restrict(
    reads: Iterable[Path], keeps: Iterable[Path], descriptors_from: int | None
) -> tuple[str, ...]:
    """Confine this process, which has one thread, by all that the system has; give what holds.

    Args:
        reads: what may be opened for reading.
        keeps: the folders in which files may be written, too.
        descriptors_from: the socket that hands over open files.
    """
    keeps = tuple(keeps)
    libc = ctypes.CDLL(None, use_errno=True)
    # The size limit for core dumps does not hold where the system pipes them to a program.
    libc.prctl(_DUMPABLE, 0, 0, 0, 0)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return ()
    _drop_capabilities(libc)
    walls = []
    # Landlock holds for the thread that asks for it, and for those that it starts later.
    if landlock.version() and len(os.listdir("/proc/self/task")) == 1:  # noqa: PTH208
        # What the probe found and the system refuses now is not among what holds, and is told.
        with suppress(OSError):
            walls.append(f"Landlock {landlock.restrict(reads, keeps)}")
    if seccomp.is_available():
        with suppress(OSError):
            seccomp.restrict(descriptors_from=descriptors_from, writes=bool(keeps))
            walls.append("seccomp")
    return tuple(walls)


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    """Give up what makes the superuser more than another user."""
    which = seccomp.machine()
    if which is None:
        return
    header = _Header(_CAPABILITIES_VERSION, 0)
    both = (_Capabilities * 2)()
    if libc.syscall(_CAPGET[which], ctypes.byref(header), both) != 0:
        return
    kept = both[0].permitted & _READ_ANYTHING
    both[0] = _Capabilities(kept, kept, 0)
    both[1] = _Capabilities(0, 0, 0)
    libc.syscall(syscalls.CAPSET[which], ctypes.byref(header), both)


_CAPGET: Final = syscalls.HARMLESS["capget"]
