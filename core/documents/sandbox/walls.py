"""How the system confines a reading process: what is available, and applying it. Linux only.

On other systems reading processes have limits but are not confined.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from core.errors import Message


def available() -> tuple[str, ...]:
    """Return what confines a reading process on this system, by name.

    Nothing is applied. A container may hide what the kernel has; then it is not among them.
    """
    if sys.platform == "linux":
        from core.documents.sandbox import linux

        return linux.available()
    else:  # noqa: RET505 - mypy checks one platform at a time
        return ()


def keep_from_files(standing: Iterable[str]) -> bool:
    """Return whether the walls that were applied keep a process from opening files."""
    if sys.platform == "linux":
        from core.documents.sandbox.linux import OWN_ROOT

        return any(wall == OWN_ROOT or wall.startswith("Landlock") for wall in standing)
    else:  # noqa: RET505 - mypy checks one platform at a time
        return False


def is_confined() -> bool:
    """Return whether the system keeps readers from files and from the network."""
    if sys.platform == "linux":
        from core.documents.sandbox import linux, seccomp

        return linux.landlock_version() > 0 and seccomp.is_available()
    else:  # noqa: RET505 - mypy checks one platform at a time
        return False


def restrict(
    reads: Iterable[Path], keeps: Iterable[Path], descriptors_from: int | None
) -> tuple[str, ...]:
    """Confine this process for good, before it starts a thread; return the walls by name.

    Args:
        reads: the files and folders that it may read.
        keeps: the folders in which it may write files, too.
        descriptors_from: the socket by which open files are handed over.
    """
    if sys.platform == "linux":
        from core.documents.sandbox import linux

        return linux.restrict(reads, keeps, descriptors_from)
    else:  # noqa: RET505 - mypy checks one platform at a time
        return ()


def in_words() -> str:
    """Return what confines reading here, as a sentence."""
    walls = ", ".join(available())
    if is_confined():
        return Message("Documents are read in processes that this system confines: {0}.", walls)
    if walls:
        return Message(
            "Documents are read in processes that this system confines in part: {0} alone.", walls
        )
    return Message("Documents are read in processes that this system does not confine.")
