"""The loops that a search spends its time in, in a form for a compiler.

As plain Python they take a hundred times as long as compiled. `load` compiles them, which takes up
to a second, and many more the first time on a machine: whoever searches again and again calls it
beside other work. Until then searches use arrays, which take several times as long and need nothing
but numpy (`visit_by_arrays` here, `exact` in core.index.scoring). Measured in
docs/decisions/0013-engine.md.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from core import paths
from core.index.arrangement import ranges

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.integer[Any]]
Flags = npt.NDArray[np.bool_]
Loop = Callable[..., None]

_log = logging.getLogger(__name__)


def choose(
    query: Floats,
    near: Integers,
    cell_starts: Integers,
    middles: Floats,
    sizes: Integers,
    wanted: int,
    least: int,
    enough: int,
    numbers: Integers,
    scores: Floats,
    probes: Integers,
    counts: Integers,
    floors: Floats,
) -> None:
    """Choose for each token the nearest lists, until they hold enough vectors.

    The scores are sorted into bins, and the bin at which there are enough is taken whole: a few
    more are visited than are asked for, and nothing is sorted.

    Args:
        query: (n, d).
        near: (n, h) the numbers of the origins among whose cells lists are chosen, nearest first.
        cell_starts: (K' + 1,) where the cells of each origin begin.
        middles: (c, d) of the cells.
        sizes: (c,) how many vectors each list holds; empty ones are left out.
        wanted: how many vectors the lists of a token are to hold.
        least: and how many lists they are to be.
        enough: when so many cells have been looked at, those of farther origins are left.
        numbers: (c,) scratch.
        scores: (c,) scratch.
        probes: (n, c) the chosen lists, set here.
        counts: (n,) how many there are, set here.
        floors: (n,) the best score of what is not chosen, or else the least of what is; set here.
    """
    held = np.empty(BINS, np.int64)
    lists = np.empty(BINS, np.int64)
    for token in range(len(query)):
        vector = query[token]
        found = 0
        for place in range(near.shape[1]):
            if found >= enough:
                break
            origin = near[token, place]
            for cell in range(cell_starts[origin], cell_starts[origin + 1]):
                if sizes[cell] > 0:
                    middle = middles[cell]
                    score = np.float32(0)
                    for dimension in range(len(vector)):
                        score += vector[dimension] * middle[dimension]
                    numbers[found] = cell
                    scores[found] = score
                    found += 1
        counts[token] = 0
        floors[token] = LOWEST
        if found == 0:
            continue
        lowest, highest = scores[:found].min(), scores[:found].max()
        scale = np.float32(BINS - 1) / max(highest - lowest, np.float32(1e-9))
        held[:] = 0
        lists[:] = 0
        for place in range(found):
            number = int((scores[place] - lowest) * scale)
            held[number] += sizes[numbers[place]]
            lists[number] += 1
        last = BINS - 1
        vectors, many = held[last], lists[last]
        while last > 0 and (vectors < wanted or many < least):
            last -= 1
            vectors += held[last]
            many += lists[last]
        floor = LOWEST
        for place in range(found):
            if int((scores[place] - lowest) * scale) >= last:
                probes[token, counts[token]] = numbers[place]
                counts[token] += 1
            elif scores[place] > floor:
                floor = scores[place]
        floors[token] = floor if many < found else lowest


BINS = 256
"""Into so many the scores of a token with lists fall."""


def visit(
    probes: Integers,
    starts: Integers,
    products: Floats,
    tables: Floats,
    floors: Floats,
    lists: Integers,
    owners: Integers,
    residuals: npt.NDArray[np.uint8],
    gains: npt.NDArray[np.uint8],
    gain_values: Floats,
    is_allowed: Flags,
    best: Floats,
    totals: Floats,
) -> None:
    """Add to each passage's total what its visited vectors have above each token's floor.

    Args:
        probes: (l,) the lists to visit, token by token.
        starts: (n + 1,) where each of the n query tokens' lists begin in `probes`.
        products: (l,) of the token with the list's centroid.
        tables: (n, b, 256) what each byte of a residual adds to the product with a token.
        floors: (n,) the scores of tokens that were not visited.
        lists: (K + 1,) where the lists begin.
        owners: (t,) the passage of each vector.
        residuals: (t, b) packed residuals.
        gains: (t,) their gains, as places in `gain_values`.
        gain_values: (256,).
        is_allowed: (p,) of each passage, whether it may be found.
        best: (p,) scratch; at least the floors' minimum below any score, here and after.
        totals: (p,) the sums, changed here.
    """
    for token in range(len(floors)):
        table = tables[token]
        floor = floors[token]
        for probe in range(starts[token], starts[token + 1]):
            number = probes[probe]
            with_centroid = products[probe]
            for slot in range(lists[number], lists[number + 1]):
                owner = owners[slot]
                if is_allowed[owner]:
                    score = np.float32(0)
                    for byte in range(residuals.shape[1]):
                        score += table[byte, residuals[slot, byte]]
                    score = with_centroid + score * gain_values[gains[slot]]
                    best[owner] = max(best[owner], score)
        # Once more over the owners, to add up and to clear: far fewer than there are passages.
        for probe in range(starts[token], starts[token + 1]):
            number = probes[probe]
            for slot in range(lists[number], lists[number + 1]):
                owner = owners[slot]
                if best[owner] > floor:
                    totals[owner] += best[owner] - floor
                best[owner] = LOWEST


LOWEST = np.float32(-1e4)
"""Below any score: what `best` holds of a passage that has no visited vector yet."""


def visit_by_arrays(
    probes: Integers,
    starts: Integers,
    products: Floats,
    tables: Floats,
    floors: Floats,
    lists: Integers,
    owners: Integers,
    residuals: npt.NDArray[np.uint8],
    gains: npt.NDArray[np.uint8],
    gain_values: Floats,
    is_allowed: Flags,
    best: Floats,
    totals: Floats,
) -> None:
    """The same as `visit`, all of a token's lists at once, in numpy."""
    for token, floor in enumerate(floors):
        own = slice(int(starts[token]), int(starts[token + 1]))
        slots, scores = visited(
            probes[own], products[own], tables[token], lists, residuals, gains, gain_values
        )
        of = owners[slots]
        allowed = is_allowed.take(of)
        np.maximum.at(best, of[allowed], scores[allowed])
        # Each passage once: an assignment, unlike a sum, may name it several times.
        totals[of] = totals[of] + np.maximum(best[of] - floor, 0)
        best[of] = LOWEST


def visited(
    probes: Integers,
    products: Floats,
    table: Floats,
    lists: Integers,
    residuals: npt.NDArray[np.uint8],
    gains: npt.NDArray[np.uint8],
    gain_values: Floats,
) -> tuple[Integers, Floats]:
    """Where the vectors in one token's lists lie, and their scores; the arrays as in `visit`."""
    begins = lists[probes].astype(np.int64)
    lengths = lists[probes + 1] - begins
    slots = ranges(begins, lengths)
    places = np.arange(len(table)) * 256
    scores = table.ravel().take(residuals[slots] + places).sum(axis=1)
    scores = scores * gain_values.take(gains[slots]) + np.repeat(products, lengths)
    return slots, scores


def compare(
    places: Integers,
    starts: Integers,
    slots: Integers,
    cells: Integers,
    residuals: npt.NDArray[np.uint8],
    gains: npt.NDArray[np.uint8],
    gain_values: Floats,
    products: Floats,
    tables: Floats,
    origin_of: Integers,
    held: npt.NDArray[np.uint8],
    held_gains: Floats,
    scores: Floats,
    best: Floats,
    values: Floats,
) -> None:
    """Set each passage's sum over the n tokens of their best scores among all its vectors.

    Unlike a visited list's, these vectors meet all tokens, and so the tables have the tokens side
    by side: what a byte adds to all their scores is one run of memory.

    Args:
        places: (m,) of the passages.
        starts: (p + 1,) where each passage's vectors begin in `slots`.
        slots: (t,) passage by passage, where each vector lies in the lists.
        cells: (t,) likewise, the cell of each vector.
        residuals: (t, b) packed residuals, list by list.
        gains: (t,) likewise, as places in `gain_values`.
        gain_values: (256,).
        products: (C, n) of the codec's origins with the tokens.
        tables: (b, 256, n) what each byte of a residual adds to the product with each token.
        origin_of: (K,) of each cell, the number of what its vectors' residuals are from.
        held: (l, b) scratch; l at least the number of vectors of any of the passages.
        held_gains: (l,) scratch.
        scores: (n,) scratch.
        best: (n,) scratch.
        values: (m,) the sums, set here.
    """
    fours = residuals.shape[1] // 4 * 4
    for number in range(len(places)):
        place = places[number]
        best[:] = LOWEST
        first = np.int64(starts[place])
        count = np.int64(starts[place + 1]) - first
        # They lie far apart. Fetched in a loop that does nothing else, many are on their way from
        # the memory at once; one after the other each would be waited for.
        for vector in range(count):
            slot = slots[first + vector]
            held_gains[vector] = gain_values[gains[slot]]
            for byte in range(residuals.shape[1]):
                held[vector, byte] = residuals[slot, byte]
        for vector in range(count):
            scores[:] = 0
            # Four at once: what the sums take from the memory and put back is the most of the work.
            for byte in range(0, fours, 4):
                one = tables[byte, held[vector, byte]]
                two = tables[byte + 1, held[vector, byte + 1]]
                three = tables[byte + 2, held[vector, byte + 2]]
                four = tables[byte + 3, held[vector, byte + 3]]
                for token in range(len(scores)):
                    scores[token] += (one[token] + two[token]) + (three[token] + four[token])
            for byte in range(fours, residuals.shape[1]):
                one = tables[byte, held[vector, byte]]
                for token in range(len(scores)):
                    scores[token] += one[token]
            gain = held_gains[vector]
            of = products[origin_of[cells[first + vector]]]
            for token in range(len(scores)):
                score = of[token] + gain * scores[token]
                # Not `max`: what that does with what is no number is done for one at a time.
                best[token] = score if score > best[token] else best[token]  # noqa: FURB136
        values[number] = best.sum()


_compiled: tuple[Loop, Loop, Loop] | None = None
_guard = threading.Lock()


def load() -> None:
    """Compile the loops, or read what was compiled before; a second call does nothing."""
    global _compiled
    with _guard:
        if _compiled is None:
            # By itself numba keeps them beside the source, where an installed program cannot write.
            os.environ.setdefault("NUMBA_CACHE_DIR", str(paths.cache() / "kernels"))
            import numba

            if getattr(sys, "frozen", False):
                # There is no source there, and numba keeps there only what is of a file.
                for loop in (visit, compare):
                    loop.__code__ = loop.__code__.replace(co_filename=sys.executable)
            # As machines differ, so does what is compiled: each compiles its own, and keeps it.
            compiler = numba.njit(
                cache=True,
                nogil=True,
                # What may be reordered: sums. Nothing else is given up for speed.
                fastmath={"reassoc", "contract", "nsz"},
                error_model="numpy",
            )
            loops = (compiler(visit), compiler(compare), compiler(choose))
            _try(*loops)
            _compiled = loops
            _log.info("the loops are compiled")


def _try(visiting: Loop, comparing: Loop, choosing: Loop) -> None:
    """Call them with arrays of the kinds that they are going to be called with."""

    def mapped(kind: type, *shape: int) -> npt.NDArray[Any]:
        array: npt.NDArray[Any] = np.zeros(shape, dtype=kind)
        array.flags.writeable = False
        return array

    lists, owners = mapped(np.uint32, 2), mapped(np.uint16, 1)
    residuals, gains = mapped(np.uint8, 1, 1), mapped(np.uint8, 1)
    one, table = np.zeros(1, np.float32), np.zeros((1, 1, 1), np.float32)
    gain_values, places = np.zeros(256, np.float32), np.zeros(1, np.int64)
    visiting(
        places,
        np.array([0, 1]),
        one,
        table,
        one,
        lists,
        owners,
        residuals,
        gains,
        gain_values,
        np.ones(1, np.bool_),
        one.copy(),
        one.copy(),
    )
    comparing(
        places,
        lists,
        lists,
        owners,
        residuals,
        gains,
        gain_values,
        np.zeros((1, 1), np.float32),
        table,
        np.zeros(1, np.uint16),
        np.zeros((1, 1), np.uint8),
        one.copy(),
        one.copy(),
        one.copy(),
        one.copy(),
    )
    number, numbers = np.zeros(1, np.int64), np.zeros((1, 1), np.int64)
    choosing(
        np.zeros((1, 1), np.float32),
        numbers,
        np.array([0, 1]),
        np.zeros((1, 1), np.float32),
        number,
        1,
        1,
        1,
        number.copy(),
        one.copy(),
        numbers.copy(),
        number.copy(),
        one.copy(),
    )


def visiting() -> Loop:
    """`visit` compiled if that is loaded, else `visit_by_arrays`."""
    return _compiled[0] if _compiled else visit_by_arrays


def comparing() -> Loop | None:
    """`compare` compiled if that is loaded."""
    return _compiled[1] if _compiled else None


def choosing() -> Loop | None:
    """`choose` compiled if that is loaded."""
    return _compiled[2] if _compiled else None
