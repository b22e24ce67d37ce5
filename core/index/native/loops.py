"""The compiled loops of a search: compiles `loops.c`, loads the library and calls it.

Packages contain the compiled library. A checkout compiles it once, in a second or two, with the
system's C compiler. Searches use `core.index.native.arrays` until `load` is done, or if there is
no compiler.
"""

import ctypes
import functools
import logging
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.files import own_files, paths
from core.index.native import arrays
from core.index.native.compiler import LIBRARY, SOURCE, compiled_library, edition

Loop = Callable[..., int]

_log = logging.getLogger(__name__)

# Argument types: contiguous arrays, by dtype and number of dimensions if more than one. Arrays
# with ! may be read-only: those of a mapped segment, and those of a query sent by another process.
SIGNATURES: Final[Mapping[str, str]] = {
    "visit": "!i8 !i8 !f4 f4:3 u1:2 u1:2 f4 f4 !f4 !u4 !u2 !u1:2 !u1 !f4 b1 f4 f4 u2",
    "compare": "i8 !u4 !u4 !u2 !u4 !u2 !u1:2 !u1 !f4 f4:2 f4:4 !u2 u4:2 f4 f4",
    "select_lists": (
        "!f4:2 !f4:2 i8 !i8 !f4:2 !u1:2 !u1 !f4 u1:2 u1:2 f4 f4 !i8 i8 int i8 u1 i8 f4 i8 i8 f4"
    ),
    "interleave": "!f4:2 !f4:2 f4:4",
    "multiply_centroids": "!f4:2 !f4:2 f4:2 f4:2",
}
# Columns of the table that a loop takes: an array's address and up to four lengths.
_COLUMNS: Final = 5

_loaded: Mapping[str, Loop] = {}
_level = 0
_guard = threading.Lock()


def load() -> None:
    """Load the loops, after compiling them if necessary; later calls do nothing."""
    global _loaded, _level
    with _guard:
        if _loaded:
            return
        library = find_library()
        if library is None:
            return
        _level = library.level()
        _loaded = loops_of(library, _level)
        _log.info("the loops are loaded, level %d", _level)


@functools.cache
def find_library() -> Any | None:
    """Return the loops' library; None, after a log entry, if it cannot be compiled or loaded."""
    path = SOURCE.with_name(LIBRARY)
    try:
        if not path.exists():
            path = _compiled()
        library = ctypes.CDLL(str(path))
    except (OSError, subprocess.SubprocessError) as error:
        output = getattr(error, "stderr", None) or ""
        _log.warning("searches are slower, because the loops do not compile: %s %s", error, output)
        return None
    library.level.restype = ctypes.c_int64
    return library


def loops_of(library: Any, level: int) -> dict[str, Loop]:
    """Return the loops for one level of processors: 2 has AVX-512, 1 has AVX2, 0 has neither."""
    loops = {}
    for name, signature in SIGNATURES.items():
        function = library[f"{name}_{level}"]
        function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_int64
        loops[name] = _checked(name, function, signature)
    return loops


def _compiled() -> Path:
    """Return the library in the cache folder; compile it if it is missing or damaged."""
    folder = paths.cache() / "loops" / edition()
    own_files.make_folder(folder)
    # Its code is executed, so only the owner may write to it.
    own_files.tighten_folder(folder)
    return compiled_library(folder)


def _checked(name: str, function: Any, signature: str) -> Loop:
    """Return the function that checks its arguments, packs them as a table and calls a loop."""
    wanted = []
    for word in signature.split():
        kind, _, dimensions = word.removeprefix("!").partition(":")
        dtype = None if kind == "int" else np.dtype(kind)
        unused = (0,) * (_COLUMNS - 1 - int(dimensions or 1))
        wanted.append((dtype, word[0] == "!", unused, _COLUMNS - 1 - len(unused)))
    kind_of_table = ctypes.c_int64 * (len(wanted) * _COLUMNS)

    def call(*arguments: Any) -> int:
        table: list[int] = []
        for argument, (dtype, is_read_only, unused, dimensions) in zip(
            arguments, wanted, strict=True
        ):
            if dtype is None:
                table += (argument, 0, *unused)
                continue
            flags = argument.flags
            is_as_wanted = flags.carray or (is_read_only and flags.c_contiguous and flags.aligned)
            if argument.dtype != dtype or argument.ndim != dimensions or not is_as_wanted:
                raise TypeError(f"{name} takes {signature}, not {argument.dtype} of {flags}")
            table += (argument.__array_interface__["data"][0], *argument.shape, *unused)
        return int(function(kind_of_table(*table)))

    return call


def is_loaded() -> bool:
    """Return whether the compiled loops are in use."""
    return bool(_loaded)


def sums_signs() -> bool:
    """Return whether `visit` scores codes of one bit per dimension by signs, which needs AVX2."""
    return _level > 0


def visit(*arguments: Any) -> int:
    """Call the compiled `arrays.visit`, or its numpy version."""
    return _loaded.get("visit", arrays.visit)(*arguments)


def select_lists(*arguments: Any) -> None:
    """Call the compiled `arrays.select_lists`, or its numpy version."""
    _loaded.get("select_lists", arrays.select_lists)(*arguments)


def interleave(*arguments: Any) -> None:
    """Call the compiled `arrays.interleave`, or its numpy version."""
    _loaded.get("interleave", arrays.interleave)(*arguments)


def multiply_centroids(*arguments: Any) -> None:
    """Multiply a query with the centroids: few vectors, for which BLAS is slow.

    Only while `is_loaded`.

    Args:
        *arguments: in this order,
            tokens: (d, m) the query's n vectors, dimension by dimension; m is n rounded up to a
                multiple of 16.
            centroids: (C, d); C at least 4.
            products: (C, m) set here.
            by_token: (n, C) the same, set here.
    """
    _loaded["multiply_centroids"](*arguments)


def compare(*arguments: Any) -> None:
    """Compute each passage's sum of maxima over the n tokens.

    Only while `is_loaded`. Unlike those of a visited list, these vectors are compared with all
    tokens. The tables therefore interleave sixteen tokens: the addends of half a byte to all their
    scores are contiguous, and the tables of all halves stay in the L1 cache.

    Args:
        *arguments: in this order,
            rows: (m,) of the passages.
            starts: (p + 1,) the start of each passage's vectors in `list_ids`.
            slots: (t,) passage by passage, the slot of each vector in the lists; (0,) if the loop
                computes it.
            list_ids: (t,) passage by passage and ascending within each, the list of each vector.
                A damaged file may name any: nonexistent ones are replaced by the last.
            lists: (K + 1,) the starts of the lists in the arrays below.
            owners: (t,) list by list, ascending within each: the passage of each vector. (0,) if
                the arrays below are passage by passage, as in a refinement store; `slots` and
                `lists` are then unused.
            residuals: (t, b) packed residuals, in the same order.
            scales: (t,) in the same order, as indices into `scale_values`.
            scale_values: (256,).
            products: (C, n) of the codec's centroids with the tokens; n a multiple of 16.
            tables: (n / 16, 2 b, 16, 16), as `interleave` sets them.
            centroid_of: (K,) the centroid of each list.
            held_slots: (2, l) scratch; l at least the number of vectors of any of the passages.
            best: (n,) scratch.
            values: (m,) the sums, set here.
    """
    _loaded["compare"](*arguments)
