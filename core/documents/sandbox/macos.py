"""The walls round a reading process on macOS: its own sandbox. Written and never tried."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from pathlib import Path
from typing import Final

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


def profile(reads: Iterable[Path], keeps: Iterable[Path]) -> str:
    """Return the rules, in the sandbox's own language: of two that fit, the later one counts."""
    lines = [f"(allow file-read* (subpath {_quoted(path)}))" for path in reads]
    lines += [f"(allow file-read* file-write* (subpath {_quoted(path)}))" for path in keeps]
    return _RULES + "\n".join(lines) + "\n"


def restrict(reads: Iterable[Path], keeps: Iterable[Path]) -> tuple[str, ...]:
    """Confine this process for good; give what holds."""
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError:
        return ()
    error = ctypes.c_char_p()
    rules = profile(reads, keeps).encode()
    if library.sandbox_init(rules, ctypes.c_uint64(0), ctypes.byref(error)) != 0:
        return ()
    return ("the sandbox of macOS",)


def _quoted(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
