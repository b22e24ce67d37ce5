"""Compiles `loops.c` with the system's C compiler; needs only the standard library.

`setup.py` imports it to build a wheel, in an environment without Winnow's dependencies.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).with_name("loops.c")
# The file name of the library, in packages next to the source. Not "loops.so": Python would import
# that as the module `loops`.
LIBRARY: Final = "libloops.so"
_COMPILERS: Final = ("cc", "gcc", "clang")
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


def compile_library(folder: Path) -> Path:
    """Compile the library into a folder; return its path.

    Raises:
        OSError: there is no C compiler, or the folder cannot be written to.
        subprocess.CalledProcessError: the compiler failed; `stderr` has its output.
    """
    compiler = find_compiler()
    if compiler is None:
        raise FileNotFoundError("there is no C compiler")
    with tempfile.TemporaryDirectory(dir=folder, prefix="making-") as temporary:
        library = Path(temporary) / LIBRARY
        command = [compiler, *_FLAGS, "-o", str(library), str(SOURCE)]
        subprocess.run(command, capture_output=True, text=True, check=True)
        # Another process may have been faster; both libraries are the same.
        return library.replace(folder / LIBRARY)


def edition() -> str:
    """Return a hash of everything that the library depends on, as sixteen letters."""
    parts = SOURCE.read_bytes(), " ".join(_FLAGS).encode(), sys.platform.encode()
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
