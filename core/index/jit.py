"""Compiling the loops of a search, beside other work.

It takes up to a second, and many more the first time on a machine: whoever searches again and again
calls `load`. Until then searches use arrays, which take several times as long and need nothing but
numpy.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import numpy.typing as npt

from core import own_files, paths
from core.index import lanes
from core.index.kernels import (
    by_dimension,
    compare,
    meet_centroids,
    put_side_by_side,
    select_lists,
    select_lists_by_arrays,
    visit,
    visit_by_arrays,
)

Loop = Callable[..., Any]

_log = logging.getLogger(__name__)

_compiled: tuple[Loop, Loop, Loop, Loop, Loop] | None = None
_guard = threading.Lock()


def load() -> None:
    """Compile the loops, or read what was compiled before; a second call does nothing."""
    global _compiled
    with _guard:
        if _compiled is None:
            # By itself numba keeps them beside the source, where an installed program cannot write.
            kernels = str(paths.cache() / "kernels" / _edition(lanes.teach.__code__))
            is_kept = _is_private(Path(os.environ.setdefault("NUMBA_CACHE_DIR", kernels)))
            import numba.extending

            if getattr(sys, "frozen", False):
                # There is no source there, and numba keeps there only what is of a file.
                for loop in (visit, compare, select_lists, put_side_by_side, meet_centroids):
                    loop.__code__ = loop.__code__.replace(co_filename=str(paths.program_file()))
            lanes.teach()
            numba.extending.register_jitable(by_dimension)
            # As machines differ, so does what is compiled: each compiles its own, and keeps it.
            compiler = numba.njit(
                cache=is_kept,
                nogil=True,
                # What may be reordered: sums. Nothing else is given up for speed.
                fastmath={"reassoc", "contract", "nsz"},
                error_model="numpy",
            )
            loops = (
                compiler(visit),
                compiler(compare),
                compiler(select_lists),
                compiler(put_side_by_side),
                compiler(meet_centroids),
            )
            _try(*loops)
            _compiled = loops
            _log.info("the loops are compiled")


def _edition(code: CodeType) -> str:
    """Return eight letters that are others where a function's code is another.

    numba compiles a loop anew when the file of the loop changes, and does not know of `lanes`. An
    installed program has no source to look at.

    >>> _edition((lambda: 1).__code__) == _edition((lambda: 1).__code__)
    True
    >>> _edition((lambda: 1).__code__) == _edition((lambda: 2).__code__)
    False
    """
    parts = [code.co_code, repr((code.co_names, code.co_varnames)).encode()]
    for constant in code.co_consts:
        inner = isinstance(constant, CodeType)
        parts.append((_edition(constant) if inner else repr(constant)).encode())
    return f"{zlib.crc32(b''.join(parts)):08x}"


def _is_private(folder: Path) -> bool:
    """Return whether what is compiled can be kept in a folder, which nobody else may write to.

    What numba finds there it runs.
    """
    try:
        own_files.make_folder(folder)
    except OSError:
        return False
    own_files.tighten_folder(folder)
    return os.access(folder, os.W_OK)


def _try(visiting: Loop, comparing: Loop, selecting: Loop, laying_out: Loop, meeting: Loop) -> None:
    """Call them with arrays of the kinds that they are going to be called with.

    With others they would be compiled once more, while somebody waits for a search. The arrays of a
    segment may not be written to.
    """

    def mapped(kind: type, *shape: int) -> npt.NDArray[Any]:
        array: npt.NDArray[Any] = np.zeros(shape, dtype=kind)
        array.flags.writeable = False
        return array

    starts, lists = mapped(np.uint32, 2), mapped(np.uint32, 2)
    owners, list_ids = mapped(np.uint16, 1), mapped(np.uint16, 1)
    residuals, scales = mapped(np.uint8, 1, 1), mapped(np.uint8, 1)
    one, table = np.zeros(1, np.float32), np.zeros((1, 1, 256), np.float32)
    bytes_of = np.zeros((1, 1), np.uint8)
    scale_values, places = np.zeros(256, np.float32), np.zeros(1, np.int64)
    visiting(
        places,
        np.array([0, 1]),
        one,
        table,
        bytes_of,
        bytes_of.copy(),
        one.copy(),
        one.copy(),
        one,
        lists,
        owners,
        residuals,
        scales,
        scale_values,
        np.ones(1, np.bool_),
        one.copy(),
        one.copy(),
        np.zeros(2, np.uint16),
    )
    comparing(
        places,
        starts,
        lists,
        list_ids,
        lists,
        owners,
        residuals,
        scales,
        scale_values,
        np.zeros((1, 16), np.float32),
        np.zeros((1, 2, 16, 16), np.float32),
        np.zeros(1, np.uint16),
        np.zeros((2, 1), np.uint32),
        np.zeros(16, np.float32),
        one.copy(),
    )
    square = np.zeros((1, 1), np.float32)
    laying_out(
        square,
        np.zeros((16, 1), np.float32),
        np.zeros((1, 1, 16, 16), np.float32),
    )
    meeting(
        square,
        np.zeros((4, 1), np.float32),
        np.zeros((4, 16), np.float32),
        np.zeros((1, 4), np.float32),
    )
    number = np.zeros(1, np.int64)
    selecting(
        np.zeros((1, 1), np.float32),
        np.zeros((1, 1), np.float32),
        number.copy(),
        np.array([0, 1]),
        np.zeros((1, 1), np.float32),
        bytes_of,
        bytes_of[0],
        scale_values,
        np.zeros((0, 16), np.uint8),
        np.zeros((0, 128), np.uint8),
        one,
        one,
        number,
        number.copy(),
        1,
        number.copy(),
        np.zeros(1, np.uint8),
        number.copy(),
        one.copy(),
        number.copy(),
        number.copy(),
        one.copy(),
    )


def meeting() -> Loop | None:
    """`meet_centroids` compiled if that is loaded."""
    return _compiled[4] if _compiled else None


def laying_out() -> Loop:
    """`put_side_by_side`, compiled if that is loaded."""
    return _compiled[3] if _compiled else put_side_by_side


def visiting() -> Loop:
    """`visit` compiled if that is loaded, else `visit_by_arrays`."""
    return _compiled[0] if _compiled else visit_by_arrays


def visits_by_signs() -> bool:
    """Return whether `visiting` takes tokens by their signs where codes are a bit a dimension."""
    return _compiled is not None and lanes.sums_signs()


def comparing() -> Loop | None:
    """`compare` compiled if that is loaded."""
    return _compiled[1] if _compiled else None


def selecting() -> Loop:
    """`select_lists` compiled if that is loaded, else `select_lists_by_arrays`."""
    return _compiled[2] if _compiled else select_lists_by_arrays
