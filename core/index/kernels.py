"""The loops that a search spends its time in, in a form for a compiler.

As plain Python they take a hundred times as long as compiled (`core.index.compiling`). Until they
are, searches use arrays: `visit_by_arrays` here, `exact` in core.index.scoring. Measured in
docs/decisions/0013-engine.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from core.index.arrangement import ranges
from core.index.choosing import LOWEST

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.integer[Any]]
Flags = npt.NDArray[np.bool_]


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
