"""The loops that a search spends its time in, in a form for a compiler.

As plain Python they take a hundred times as long as compiled (`core.index.jit`). Until they
are, searches use arrays: `visit_by_arrays` and `select_lists_by_arrays` here, `exact` in
core.index.scoring. Measured in
docs/measurements/search.md.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Flags, Floats, Integers
from core.index.inverted_lists import ranges

LOWEST: Final = np.float32(-1e4)
"""Below any score: what stands where there is none yet."""
BINS: Final = 256
"""Into so many the scores of a token with lists fall."""


def visit(
    probes: Integers,
    starts: Integers,
    products: Floats,
    tables: Floats,
    missing_scores: Floats,
    lists: Integers,
    owners: Integers,
    residuals: npt.NDArray[np.uint8],
    scales: npt.NDArray[np.uint8],
    scale_values: Floats,
    is_allowed: Flags,
    best: Floats,
    totals: Floats,
    seen: Integers,
) -> int:
    """Add to each passage's total what its visited vectors have above each token's missing_score.

    A damaged file may name any owner, and have fewer lists or bytes than its codec: the arrays of
    passages are then as long as an owner can be high, 65,536, and in place of a list that is not
    there the last is visited.

    Args:
        probes: (l,) the lists to visit, token by token.
        starts: (n + 1,) where each of the n query tokens' lists begin in `probes`.
        products: (l,) of the token with the list's centroid.
        tables: (n, b, 256) what each byte of a residual adds to the product with a token.
        missing_scores: (n,) the scores of tokens that were not visited.
        lists: (K + 1,) where the lists begin.
        owners: (t,) the passage of each vector.
        residuals: (t, b) packed residuals.
        scales: (t,) their scales, as places in `scale_values`.
        scale_values: (256,).
        is_allowed: (p,) of each passage, whether it may be found.
        best: (p,) scratch; `LOWEST`, here and after.
        totals: (p,) zeros; the sums, set here.
        seen: (p + 1,) the passages whose sums are above 0, set here.

    Returns:
        How many there are of those.
    """
    count = 0
    last_list = len(lists) - 2
    bytes_each = min(residuals.shape[1], tables.shape[1])
    for token in range(len(missing_scores)):
        table = tables[token]
        missing_score = missing_scores[token]
        for probe in range(starts[token], starts[token + 1]):
            number = min(probes[probe], last_list)
            with_centroid = products[probe]
            for slot in range(lists[number], lists[number + 1]):
                owner = owners[slot]
                if is_allowed[owner]:
                    score = np.float32(0)
                    for byte in range(bytes_each):
                        score += table[byte, residuals[slot, byte]]
                    score = with_centroid + score * scale_values[scales[slot]]
                    best[owner] = max(best[owner], score)
        # Once more over the owners, to add up and to clear: far fewer than there are passages.
        for probe in range(starts[token], starts[token + 1]):
            number = min(probes[probe], last_list)
            for slot in range(lists[number], lists[number + 1]):
                owner = owners[slot]
                # Without a branch, which would be mispredicted as often as not.
                above = max(best[owner] - missing_score, np.float32(0))
                seen[count] = owner
                count += (above > 0) & (totals[owner] == 0)
                totals[owner] += above
                best[owner] = LOWEST
    return count


def visit_by_arrays(
    probes: Integers,
    starts: Integers,
    products: Floats,
    tables: Floats,
    missing_scores: Floats,
    lists: Integers,
    owners: Integers,
    residuals: npt.NDArray[np.uint8],
    scales: npt.NDArray[np.uint8],
    scale_values: Floats,
    is_allowed: Flags,
    best: Floats,
    totals: Floats,
    seen: Integers,
) -> int:
    """The same as `visit`, all of a token's lists at once, in numpy."""
    for token, missing_score in enumerate(missing_scores):
        own = slice(int(starts[token]), int(starts[token + 1]))
        slots, scores = visited(
            probes[own], products[own], tables[token], lists, residuals, scales, scale_values
        )
        of = owners[slots]
        allowed = is_allowed.take(of)
        np.maximum.at(best, of[allowed], scores[allowed])
        # Each passage once: an assignment, unlike a sum, may name it several times.
        totals[of] = totals[of] + np.maximum(best[of] - missing_score, 0)
        best[of] = LOWEST
    found = np.flatnonzero(totals)
    seen[: len(found)] = found
    return len(found)


def visited(
    probes: Integers,
    products: Floats,
    table: Floats,
    lists: Integers,
    residuals: npt.NDArray[np.uint8],
    scales: npt.NDArray[np.uint8],
    scale_values: Floats,
) -> tuple[Integers, Floats]:
    """Where the vectors in one token's lists lie, and their scores; the arrays as in `visit`."""
    probes = np.minimum(probes, len(lists) - 2)
    begins = lists[probes].astype(np.int64)
    lengths = lists[probes + 1] - begins
    slots = ranges(begins, lengths)
    places = np.arange(len(table)) * 256
    scores = table.ravel().take(residuals[slots] + places).sum(axis=1)
    scores = scores * scale_values.take(scales[slots]) + np.repeat(products, lengths)
    return slots, scores


def compare(
    places: Integers,
    starts: Integers,
    slots: Integers,
    list_ids: Integers,
    lists: Integers,
    owners: Integers,
    residuals: npt.NDArray[np.uint8],
    scales: npt.NDArray[np.uint8],
    scale_values: Floats,
    products: Floats,
    tables: Floats,
    centroid_of: Integers,
    held: npt.NDArray[np.uint8],
    held_scales: Floats,
    held_slots: npt.NDArray[np.uint32],
    scores: Floats,
    best: Floats,
    values: Floats,
) -> None:
    """Set each passage's sum over the n tokens of their best scores among all its vectors.

    Unlike a visited list's, these vectors meet all tokens, and so the tables have the tokens side
    by side: what a byte adds to all their scores is one run of memory.

    Args:
        places: (m,) of the passages.
        starts: (p + 1,) where each passage's vectors begin in `list_ids`.
        slots: (t,) passage by passage, where each vector lies in the lists; (0,) where that is to
            be found.
        list_ids: (t,) passage by passage and ascending within each, the list of each vector. A
            damaged file may name any: those that are not there are taken for the last.
        lists: (K + 1,) where the lists begin in what follows.
        owners: (t,) list by list, ascending within each: the passage of each vector.
        residuals: (t, b) packed residuals, in the same order.
        scales: (t,) likewise, as places in `scale_values`.
        scale_values: (256,).
        products: (C, n) of the codec's centroids with the tokens.
        tables: (b, 256, n) what each byte of a residual adds to the product with each token.
        centroid_of: (K,) of each list, the number of its centroid.
        held: (l, b) scratch; l at least the number of vectors of any of the passages.
        held_scales: (l,) scratch.
        held_slots: (l,) scratch.
        scores: (n,) scratch.
        best: (n,) scratch.
        values: (m,) the sums, set here.
    """
    bytes_each = min(residuals.shape[1], tables.shape[0])
    fours = bytes_each // 4 * 4
    last_list = np.int64(min(len(lists) - 2, len(centroid_of) - 1))
    last_slot = np.int64(len(owners) - 1)
    for passage in range(len(places)):
        place = places[passage]
        best[:] = LOWEST
        first = np.int64(starts[place])
        count = np.int64(starts[place + 1]) - first
        if len(slots) == 0:
            before = np.int64(-1)
            slot = np.int64(0)
            for vector in range(count):
                number = min(np.int64(list_ids[first + vector]), last_list)
                if number == before:
                    slot += 1  # several in one list lie one after the other
                else:
                    slot = np.int64(lists[number])
                    end = np.int64(lists[number + 1])
                    while slot < end:
                        middle = (slot + end) >> 1
                        if owners[middle] < place:
                            slot = middle + 1
                        else:
                            end = middle
                    before = number
                held_slots[vector] = min(slot, last_slot)
            where: Integers = held_slots[:count]
        else:
            where = slots[first : first + count]
        # They lie far apart. Fetched in a loop that does nothing else, many are on their way from
        # the memory at once; one after the other each would be waited for.
        for vector in range(count):
            slot = where[vector]
            held_scales[vector] = scale_values[scales[slot]]
            for byte in range(bytes_each):
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
            for byte in range(fours, bytes_each):
                one = tables[byte, held[vector, byte]]
                for token in range(len(scores)):
                    scores[token] += one[token]
            gain = held_scales[vector]
            of = products[centroid_of[min(np.int64(list_ids[first + vector]), last_list)]]
            for token in range(len(scores)):
                score = of[token] + gain * scores[token]
                # Not `max`: what that does with what is no number is done for one at a time.
                best[token] = score if score > best[token] else best[token]  # noqa: FURB136
        values[passage] = best.sum()


def select_lists(
    query: Floats,
    with_centroids: Floats,
    few: int,
    offsets: Integers,
    centroids: Floats,
    sizes: Integers,
    wanted: int,
    least: int,
    enough: int,
    bins: npt.NDArray[np.uint8],
    numbers: Integers,
    scores: Floats,
    probes: Integers,
    counts: Integers,
    missing_scores: Floats,
) -> None:
    """Choose for each token the nearest lists, until they hold enough vectors.

    Scores are sorted into bins, and the bin at which there are enough is taken whole: a few more
    are looked at than are asked for, and nothing is sorted.

    Args:
        query: (n, d).
        with_centroids: (n, C) its products with the centroids.
        few: the nearest centroids, so many of them, are those among whose lists is chosen ...
        offsets: (C + 1,) where the lists of each centroid begin.
        centroids: (c, d) of the lists.
        sizes: (c,) how many vectors each list holds; empty ones are left out.
        wanted: how many vectors the lists of a token are to hold.
        least: and how many lists they are to be.
        enough: ... or fewer, where these have so many lists.
        bins: (C,) scratch.
        numbers: (c,) scratch.
        scores: (c,) scratch.
        probes: (n, c) the chosen lists, set here.
        counts: (n,) how many there are, set here.
        missing_scores: (n,) the best score of what is not chosen, or else the least of
            what is; set here.
    """
    held = np.empty(BINS, np.int64)
    lists = np.empty(BINS, np.int64)
    for token in range(len(query)):
        vector, products = query[token], with_centroids[token]
        lowest, highest = products.min(), products.max()
        scale = np.float32(BINS - 1) / max(highest - lowest, np.float32(1e-9))
        # Loops that do one thing each: the processor takes several centroids, or dimensions, at
        # once.
        for centroid in range(len(products)):
            bins[centroid] = np.uint8(np.int32((products[centroid] - lowest) * scale))
        held[:] = 0
        lists[:] = 0
        for centroid in range(len(products)):
            number = bins[centroid]
            held[number] += offsets[centroid + 1] - offsets[centroid]
            lists[number] += 1
        last = BINS - 1
        looked_at, many = held[last], lists[last]
        while last > 0 and looked_at < enough and many < few:
            last -= 1
            looked_at += held[last]
            many += lists[last]
        found = 0
        for centroid in range(len(products)):
            if bins[centroid] >= last:
                for number in range(offsets[centroid], offsets[centroid + 1]):
                    if sizes[number] > 0:
                        numbers[found] = number
                        found += 1
        for place in range(found):
            number = numbers[place]
            score = np.float32(0)
            for dimension in range(len(vector)):
                score += vector[dimension] * centroids[number, dimension]
            scores[place] = score
        counts[token] = 0
        missing_scores[token] = LOWEST
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
        missing_score = LOWEST
        for place in range(found):
            if int((scores[place] - lowest) * scale) >= last:
                probes[token, counts[token]] = numbers[place]
                counts[token] += 1
            elif scores[place] > missing_score:
                missing_score = scores[place]
        missing_scores[token] = missing_score if many < found else lowest


def select_lists_by_arrays(
    query: Floats,
    with_centroids: Floats,
    few: int,
    offsets: Integers,
    centroids: Floats,
    sizes: Integers,
    wanted: int,
    least: int,
    enough: int,
    _bins: npt.NDArray[np.uint8],
    _numbers: Integers,
    _scores: Floats,
    probes: Integers,
    counts: Integers,
    missing_scores: Floats,
) -> None:
    """The same as `select_lists`, all of a token's lists at once, in numpy."""
    lists_each = np.diff(offsets)
    for token, vector in enumerate(query):
        bins, _ = _binned(with_centroids[token])
        looked_at = np.bincount(bins, lists_each, BINS)[::-1].cumsum()
        many = np.bincount(bins, minlength=BINS)[::-1].cumsum()
        near = np.flatnonzero(bins >= _first_with((looked_at >= enough) | (many >= few)))
        lists = ranges(offsets[near], lists_each[near])
        found = lists[sizes[lists] > 0]
        counts[token] = 0
        missing_scores[token] = LOWEST
        if not len(found):
            continue
        own = (centroids[found] @ vector).astype(np.float32)
        bins, lowest = _binned(own)
        held = np.bincount(bins, sizes[found], BINS)[::-1].cumsum()
        many = np.bincount(bins, minlength=BINS)[::-1].cumsum()
        is_chosen = bins >= _first_with((held >= wanted) & (many >= least))
        counts[token] = np.count_nonzero(is_chosen)
        probes[token, : counts[token]] = found[is_chosen]
        left = own[~is_chosen]
        missing_scores[token] = left.max() if len(left) else lowest


def _binned(scores: Floats) -> tuple[npt.NDArray[np.int64], np.float32]:
    """Return the bin of each score, and the lowest score."""
    lowest, highest = scores.min(), scores.max()
    scale = np.float32(BINS - 1) / max(highest - lowest, np.float32(1e-9))
    return ((scores - lowest) * scale).astype(np.int64), lowest


def _first_with(is_enough: Flags) -> int:
    """Return the first bin, from the highest down, at which there is enough; 0 where never is."""
    return BINS - 1 - int(is_enough.argmax()) if is_enough.any() else 0
