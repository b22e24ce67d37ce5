"""Starting a process that is given nothing of the person's environment but what it needs."""

from __future__ import annotations

import multiprocessing.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

_NEEDED: Final = frozenset(
    {
        # where things are
        *("HOME", "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "WINDIR"),
        # language and time
        *("LANG", "LANGUAGE", "TZ", "TZDIR"),
        # how many threads libraries start, and by which kernels they compute
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "MKL_NUM_THREADS"),
        *("NPY_DISABLE_CPU_FEATURES", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX"),
    }
)
_NEEDED_BEGINNINGS: Final = ("LC_", "PYTHON", "_PYI_", "_MEIPASS")
_swapping = threading.Lock()


def bare(environment: Mapping[str, str]) -> dict[str, str]:
    """Return of an environment what a reading process needs: no keys, no addresses, no names.

    >>> bare({"LANG": "de_DE.UTF-8", "AWS_SECRET_ACCESS_KEY": "x", "LC_ALL": "C"})
    {'LANG': 'de_DE.UTF-8', 'LC_ALL': 'C'}
    """
    return {
        name: value
        for name, value in environment.items()
        if name.upper() in _NEEDED or name.startswith(_NEEDED_BEGINNINGS)
    }


@contextmanager
def bare_environment() -> Iterator[None]:
    """Have `multiprocessing` start processes, from this thread, with a bare environment.

    It has no way to ask for that. What it calls to start one is replaced for the moment, and not
    the program's own environment, which other threads read. On Windows the whole environment is
    passed on.
    """
    if sys.platform == "win32":
        yield
        return
    start = multiprocessing.util.spawnv_passfds
    mine = threading.get_ident()

    def start_bare(path: bytes, args: Sequence[Any], passfds: Sequence[int]) -> int:
        if threading.get_ident() != mine:
            return start(path, args, passfds)
        process = subprocess.Popen(
            args,
            executable=path,
            pass_fds=[int(descriptor) for descriptor in passfds],
            env=bare(os.environ),
        )
        # `multiprocessing` waits for it: nobody else may.
        process.returncode = 0
        return process.pid

    with _swapping:
        multiprocessing.util.spawnv_passfds = start_bare
        try:
            yield
        finally:
            multiprocessing.util.spawnv_passfds = start
