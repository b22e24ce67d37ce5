"""Compiles the loops of a search in the background.

Loading takes up to a second, and many more the first time on a machine, so only processes that
search repeatedly call `load`. Until then searches use numpy, which takes several times as long.
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
    interleave,
    multiply_centroids,
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
    """Compile the loops, or load them from numba's cache; a second call does nothing."""
    global _compiled
    with _guard:
        if _compiled is None:
            # numba's default cache is next to the source, where an installed program cannot write.
            kernels = str(paths.cache() / "kernels" / _edition(lanes.register_intrinsics.__code__))
            is_cached = _is_private(Path(os.environ.setdefault("NUMBA_CACHE_DIR", kernels)))
            import numba.extending

            if getattr(sys, "frozen", False):
                # There is no source file, and numba caches only functions that have one.
                for loop in _SIGNATURES:
                    loop.__code__ = loop.__code__.replace(co_filename=str(paths.program_file()))
            lanes.register_intrinsics()
            numba.extending.register_jitable(by_dimension)
            # Each machine compiles and caches code for its own processor. Arrays of other types
            # raise a TypeError, since they would compile the loops once more during a search.
            _compiled = tuple(
                numba.njit(
                    _types_of(signature),
                    cache=is_cached,
                    nogil=True,
                    # Allows reordered sums, and nothing else.
                    fastmath={"reassoc", "contract", "nsz"},
                    error_model="numpy",
                )(loop)
                for loop, signature in _SIGNATURES.items()
            )
            _log.info("the loops are compiled")


# Argument types: contiguous arrays, by dtype and number of dimensions if more than one. Arrays
# with ! may be read-only: those of a mapped segment, and those of a query sent by another process.
_SIGNATURES: Final[Mapping[Loop, str]] = {
    visit: "!i8 !i8 !f4 f4:3 u1:2 u1:2 f4 f4 !f4 !u4 !u2 !u1:2 !u1 f4 b1 f4 f4 u2",
    compare: "i8 !u4 !u4 !u2 !u4 !u2 !u1:2 !u1 f4 f4:2 f4:4 u2 u4:2 f4 f4",
    select_lists: "!f4:2 f4:2 i8 i8 f4:2 u1:2 u1 f4 u1:2 u1:2 f4 f4 i8 i8 int i8 u1 i8 f4 i8 i8 f4",
    interleave: "!f4:2 f4:2 f4:4",
    multiply_centroids: "!f4:2 f4:2 f4:2 f4:2",
}


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
    """Return a hash of a function's code, as eight letters.

    numba recompiles a loop when the loop's file changes, but does not track `lanes`. An installed
    program has no source file to compare.

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
    """Return whether a folder can be made that only this user may write to.

    numba runs the code that it finds there.
    """
    try:
        own_files.make_folder(folder)
    except OSError:
        return False
    own_files.tighten_folder(folder)
    return os.access(folder, os.W_OK)


def centroid_product_kernel() -> Loop | None:
    """Return `multiply_centroids` if it is compiled."""
    return _compiled[4] if _compiled else None


def interleave_kernel() -> Loop:
    """Return `interleave`, compiled if that is loaded."""
    return _compiled[3] if _compiled else interleave


def visit_kernel() -> Loop:
    """Return `visit` if it is compiled, else `visit_by_arrays`."""
    return _compiled[0] if _compiled else visit_by_arrays


def visits_by_signs() -> bool:
    """Return whether `visit_kernel` scores codes of one bit a dimension by tokens' signs."""
    return _compiled is not None and lanes.sums_signs()


def compare_kernel() -> Loop | None:
    """Return `compare` if it is compiled."""
    return _compiled[1] if _compiled else None


def select_kernel() -> Loop:
    """Return `select_lists` if it is compiled, else `select_lists_by_arrays`."""
    return _compiled[2] if _compiled else select_lists_by_arrays
