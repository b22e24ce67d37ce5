"""The walls that the system has for a reading process: which there are, and putting them up.

Those of macOS, its own sandbox, were written and never tried.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from core.errors import Message


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


def keep_from_files(standing: Iterable[str]) -> bool:
    """Return whether what was put up on Linux keeps a process from files; elsewhere it is known."""
    if sys.platform == "linux":
        from core.documents.sandbox.linux import OWN_ROOT

        return any(wall == OWN_ROOT or wall.startswith("Landlock") for wall in standing)
    else:  # noqa: RET505 - mypy checks one of three platforms at a time
        return True


def is_confined() -> bool:
    """Return whether it is known that the system keeps readers from files and from the network."""
    if sys.platform == "linux":
        from core.documents.sandbox import linux, seccomp

        return linux.landlock_version() > 0 and seccomp.is_available()
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
        return _restrict_macos(reads, keeps)
    elif sys.platform == "win32":
        from core.documents.sandbox import windows

        return windows.restrict(memory_bytes, writes=any(True for _ in keeps))
    else:
        return ()


def in_words() -> str:
    """Return what confines reading here, as a sentence."""
    walls = ", ".join(available())
    if is_confined():
        return Message("Documents are read in processes that this system confines: {0}.", walls)
    if sys.platform != "linux":
        return Message(
            "Documents are read in confined processes ({0}), which was never tried here.", walls
        )
    if walls:
        return Message(
            "Documents are read in processes that this system confines in part: {0} alone.", walls
        )
    return Message("Documents are read in processes that this system does not confine.")


_LIBRARY: Final = "/usr/lib/libsandbox.1.dylib"
_RULES: Final = """(version 1)
(allow default)
(deny network*)
(deny process-fork)
(deny process-exec*)
(deny signal)
(allow signal (target self))
(deny file-write*)
(allow file-write-data (literal "/dev/null"))
(deny file-read-data (subpath "/Users") (subpath "/Volumes") (subpath "/private/var/folders"))
"""


def macos_rules(reads: Iterable[Path], keeps: Iterable[Path]) -> str:
    """Return the rules, in the sandbox's own language: of two that fit, the later one counts."""
    lines = [f"(allow file-read* (subpath {_quoted(path)}))" for path in reads]
    lines += [f"(allow file-read* file-write* (subpath {_quoted(path)}))" for path in keeps]
    return _RULES + "\n".join(lines) + "\n"


def _restrict_macos(reads: Iterable[Path], keeps: Iterable[Path]) -> tuple[str, ...]:
    """Confine this process for good; give what holds."""
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError:
        return ()
    error = ctypes.c_char_p()
    rules = macos_rules(reads, keeps).encode()
    if library.sandbox_init(rules, ctypes.c_uint64(0), ctypes.byref(error)) != 0:
        return ()
    return ("the sandbox of macOS",)


def _quoted(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
