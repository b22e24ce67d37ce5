"""The loop that chooses which lists a search visits, in a form for a compiler: see `kernels`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.integer[Any]]

LOWEST = np.float32(-1e4)
"""Below any score: what stands where there is none yet."""
BINS = 256
"""Into so many the scores of a token with lists fall."""


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
