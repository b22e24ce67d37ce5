"""Compiles `loops.c` with the system's C compiler; needs only the standard library.

`setup.py` imports it to build a wheel, in an environment without Winnow's dependencies.
"""

import errno
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).with_name("loops.c")
# The file name of the library, in packages next to the source. Not "loops.so": Python would import
# that as the module `loops`.
LIBRARY: Final = "libloops.so"
_COMPILERS: Final = ("cc", "gcc", "clang")
# Seconds before a compiler counts as hung. It takes two on an idle processor.
_TIMEOUT_S: Final = 300.0
_FLAGS: Final = (
    "-O3",
    "-fPIC",
    "-shared",
    # Allow reordered sums, and nothing else.
    *("-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math", "-fno-math-errno"),
    "-ffp-contract=fast",
)


def find_compiler(find: Callable[[str], str | None] = shutil.which) -> str | None:
    """Return the C compiler of the variable CC, or the system's; None if there is none."""
    names = (os.environ.get("CC", ""), *_COMPILERS)
    return next(filter(None, map(find, names)), None)


def compile_library(
    folder: Path, *, flags: Sequence[str] = _FLAGS, timeout_s: float = _TIMEOUT_S
) -> Path:
    """Compile the library into a folder, and flush it to disk; return its path.

    Raises:
        OSError: there is no C compiler, or the folder cannot be written to.
        subprocess.CalledProcessError: the compiler failed; `stderr` has its output.
        subprocess.TimeoutExpired: the compiler took too long, and was ended.
    """
    compiler = find_compiler()
    if compiler is None:
        raise FileNotFoundError("there is no C compiler")
    with tempfile.TemporaryDirectory(dir=folder, prefix="making-") as temporary:
        library = Path(temporary) / LIBRARY
        command = [compiler, *flags, "-o", str(library), str(SOURCE)]
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=timeout_s)
        with library.open("r+b") as file:
            os.fsync(file.fileno())
        # Another process may have been faster; both libraries are the same.
        return library.replace(folder / LIBRARY)


def compiled_library(folder: Path) -> Path:
    """Return the library in a cache folder, compiled again if it is missing or damaged.

    It is named by its checksum, since a library that was cut off, by a power cut for example, would
    end the process that loads it.

    Raises:
        OSError: as `compile_library`, or other users may write to the folder.
        subprocess.SubprocessError: as `compile_library`.
    """
    check_owner(folder)
    for path in folder.glob("libloops-*.so"):
        if path.name == _name(path):
            return path
        path.unlink(missing_ok=True)
    library = compile_library(folder)
    library.chmod(0o600)
    return library.replace(folder / _name(library))


def _name(library: Path) -> str:
    return f"libloops-{hashlib.sha256(library.read_bytes()).hexdigest()[:32]}.so"


def check_owner(folder: Path) -> None:
    """Check that only this user can write to a folder whose code is executed.

    Raises:
        PermissionError: it belongs to another user, or is a link, or others may write to it.
    """
    if sys.platform == "win32":
        return
    status = folder.lstat()
    is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
    if not is_own or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(errno.EPERM, "other users may write to it", str(folder))


def edition() -> str:
    """Return a hash of everything that the library depends on, as sixteen letters."""
    parts = SOURCE.read_bytes(), " ".join(_FLAGS).encode(), sys.platform.encode()
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
