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
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType
from typing import Any, Final

import numpy as np

from core import own_files, paths
from core.index.native import lanes
from core.index.native.kernels import (
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

_compiled: tuple[Loop, ...] | None = None
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
                for loop in _SIGNATURES:
                    loop.__code__ = loop.__code__.replace(co_filename=str(paths.program_file()))
            lanes.teach()
            numba.extending.register_jitable(by_dimension)
            # As machines differ, so does what is compiled: each compiles its own, and keeps it.
            # Arrays of any other type are a TypeError: with them the loops would be compiled once
            # more, while somebody waits for a search, for something that was never meant.
            _compiled = tuple(
                numba.njit(
                    _types_of(signature),
                    cache=is_kept,
                    nogil=True,
                    # What may be reordered: sums. Nothing else is given up for speed.
                    fastmath={"reassoc", "contract", "nsz"},
                    error_model="numpy",
                )(loop)
                for loop, signature in _SIGNATURES.items()
            )
            _log.info("the loops are compiled")


_SIGNATURES: Final[Mapping[Loop, str]] = {
    visit: "!i8 !i8 !f4 f4:3 u1:2 u1:2 f4 f4 !f4 !u4 !u2 !u1:2 !u1 f4 b1 f4 f4 u2",
    compare: "i8 !u4 !u4 !u2 !u4 !u2 !u1:2 !u1 f4 f4:2 f4:4 u2 u4:2 f4 f4",
    select_lists: "!f4:2 f4:2 i8 i8 f4:2 u1:2 u1 f4 u1:2 u1:2 f4 f4 i8 i8 int i8 u1 i8 f4 i8 i8 f4",
    put_side_by_side: "!f4:2 f4:2 f4:4",
    meet_centroids: "!f4:2 f4:2 f4:2 f4:2",
}
"""Argument types: contiguous arrays, by dtype and number of dimensions if more than one. Arrays
with ! may be read-only: those of a mapped segment, and those of a query sent by another process."""


def _types_of(signature: str) -> tuple[Any, ...]:
    from numba import from_dtype, types

    found = []
    for word in signature.split():
        kind, _, dimensions = word.removeprefix("!").partition(":")
        found.append(
            types.int64
            if kind == "int"
            else types.Array(
                from_dtype(np.dtype(kind)), int(dimensions or 1), "C", readonly=word[0] == "!"
            )
        )
    return tuple(found)


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
