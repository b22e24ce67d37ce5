"""The walls that the system has for a reading process: which there are, and putting them up."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path


def available() -> tuple[str, ...]:
    """Return what confines a reading process on this system, by name.

    Nothing is put up. A container may hide what the kernel has; then it is not among them.
    """
    if sys.platform == "linux":
        from core.documents.sandbox import linux

        return linux.available()
    elif sys.platform == "darwin":  # noqa: RET505 - mypy checks one of three platforms at a time
        return ("the sandbox of macOS",)
    else:
        return ("a job object", "a token of low integrity")


def is_confined() -> bool:
    """Whether it is known that the system keeps readers from files and from the network."""
    if sys.platform == "linux":
        from core.documents.sandbox import landlock, seccomp

        return landlock.version() > 0 and seccomp.is_available()
    else:  # noqa: RET505 - mypy checks one of three platforms at a time
        return False


def restrict(
    reads: Iterable[Path],
    keeps: Iterable[Path],
    descriptors_from: int | None,
    memory_bytes: int,
) -> tuple[str, ...]:
    """Confine this process for good, before it starts a thread; give what holds.

    Args:
        reads: the files and folders that it may read.
        keeps: the folders in which it may write files, too.
        descriptors_from: the socket by which open files are handed over.
        memory_bytes: that it may take, where the system's walls are what limits that.
    """
    if sys.platform == "linux":
        from core.documents.sandbox import linux

        return linux.restrict(reads, keeps, descriptors_from)
    elif sys.platform == "darwin":  # noqa: RET505 - mypy checks one of three platforms at a time
        from core.documents.sandbox import macos

        return macos.restrict(reads, keeps)
    elif sys.platform == "win32":
        from core.documents.sandbox import windows

        return windows.restrict(memory_bytes, writes=any(True for _ in keeps))
    else:
        return ()


def in_words() -> str:
    """Return what confines reading here, as a sentence."""
    walls = ", ".join(available())
    if is_confined():
        return f"Documents are read in processes that this system confines: {walls}."
    if sys.platform != "linux":
        return f"Documents are read in confined processes ({walls}), which was never tried here."
    if walls:
        return f"Documents are read in processes that this system confines in part: {walls} alone."
    return "Documents are read in processes that this system does not confine."
