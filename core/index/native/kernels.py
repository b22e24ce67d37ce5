"""The hot loops of a search, in a form that numba compiles.

As plain Python they take a hundred times as long as compiled (`core.index.native.jit`). Until they
are, searches use arrays: `visit_by_arrays` and `select_lists_by_arrays` here, `exact` in
core.index.scoring. The work for each vector is in core.index.native.lanes. Measured in
docs/measurements/search.md.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Flags, Floats, Integers, ranges
from core.index.native.lanes import LANES, prefetch, sum_where_unlike, take_best, take_products

# Below any score: the initial value.
LOWEST: Final = np.float32(-1e4)
# Bins of the histogram of a token's scores with lists.
BINS: Final = 256


def visit(
    probes: Integers,
    starts: Integers,
    products: Floats,
    tables: Floats,
    signs: npt.NDArray[np.uint8],
    magnitudes: npt.NDArray[np.uint8],
    bases: Floats,
    slopes: Floats,
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
    """Add to each passage's total its best visited scores above each token's missing_score.

    Nothing checks bounds here. The constructors of the arrays check immutable data. A mapped file
    may be changed by others at any time, so its offsets are clamped to the arrays that they point
    into. Arrays by passage have an entry for any owner: 65,536 if owners are not checked.

    Args:
        probes: (l,) the lists to visit, token by token.
        starts: (n + 1,) where each of the n query tokens' lists begin in `probes`.
        products: (l,) of the token with the list's centroid.
        tables: (n, b, 256) the addend of each residual byte to the product with a token; (0, b,
            256) if signs are used instead.
        signs: (n, 16), see `SignedTokens`, like what follows.
        magnitudes: (n, 128).
        bases: (n,).
        slopes: (n,).
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
    every = np.uint32(len(owners))
    bytes_each = min(residuals.shape[1], tables.shape[1])
    is_by_tables = len(tables) > 0
    for token in range(len(missing_scores)):
        missing_score = missing_scores[token]
        for probe in range(starts[token], starts[token + 1]):
            number = min(probes[probe], last_list)
            begin, end = min(lists[number], every), min(lists[number + 1], every)
            with_centroid = products[probe]
            if not is_by_tables:
                sign, magnitude = signs[token], magnitudes[token]
                base, slope = bases[token], slopes[token]
                for slot in range(begin, end):
                    owner = owners[slot]
                    unlike = sum_where_unlike(residuals, slot, sign, magnitude)
                    score = base + slope * np.float32(unlike)
                    score = with_centroid + score * scale_values[scales[slot]]
                    score = score if is_allowed[owner] else LOWEST
                    best[owner] = max(best[owner], score)
                continue
            table = tables[token]
            for slot in range(begin, end):
                owner = owners[slot]
                if is_allowed[owner]:
                    score = np.float32(0)
                    for byte in range(bytes_each):
                        score += table[byte, residuals[slot, byte]]
                    score = with_centroid + score * scale_values[scales[slot]]
                    best[owner] = max(best[owner], score)
        # A second pass over the owners, to sum and to clear: far fewer than all passages.
        for probe in range(starts[token], starts[token + 1]):
            number = min(probes[probe], last_list)
            begin, end = min(lists[number], every), min(lists[number + 1], every)
            for slot in range(begin, end):
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
    _signs: npt.NDArray[np.uint8],
    _magnitudes: npt.NDArray[np.uint8],
    _bases: Floats,
    _slopes: Floats,
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
    """Do the same as `visit` in numpy, all of a token's lists at once."""
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
    """Return the slots and scores of the vectors in one token's lists; arrays as in `visit`."""
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
    held_slots: npt.NDArray[np.uint32],
    best: Floats,
    values: Floats,
) -> None:
    """Set each passage's sum over the n tokens of their best scores among all its vectors.

    Unlike a visited list's, these vectors meet all tokens, and so the tables have sixteen tokens
    side by side: what half a byte adds to all their scores is one run of memory, and the tables
    of all halves stay in the cache that is nearest.

    Args:
        places: (m,) of the passages.
        starts: (p + 1,) where each passage's vectors begin in `list_ids`.
        slots: (t,) passage by passage, the slot of each vector in the lists; (0,) if the loop
            computes it.
        list_ids: (t,) passage by passage and ascending within each, the list of each vector. A
            damaged file may name any: those that are not there are taken for the last.
        lists: (K + 1,) where the lists begin in what follows.
        owners: (t,) list by list, ascending within each: the passage of each vector.
        residuals: (t, b) packed residuals, in the same order.
        scales: (t,) likewise, as places in `scale_values`.
        scale_values: (256,).
        products: (C, n) of the codec's centroids with the tokens; n a multiple of 16.
        tables: (n / 16, 2 b, 16, 16), see `take_best`.
        centroid_of: (K,) of each list, the number of its centroid.
        held_slots: (2, l) scratch; l at least the number of vectors of any of the passages.
        best: (n,) scratch.
        values: (m,) the sums, set here.
    """
    last_list = np.int64(min(len(lists) - 2, len(centroid_of) - 1))
    last_slot = np.int64(len(owners) - 1)
    every = np.int64(len(list_ids))
    most = np.int64(held_slots.shape[1])
    # A passage's vectors lie far apart. They are sent for while the one before is compared, and
    # the owners among which they are found while that is sent for.
    for passage in range(len(places) + 1):
        if passage + 1 < len(places) and len(slots) == 0:
            place = places[passage + 1]
            first = np.int64(starts[place])
            for vector in range(first, min(np.int64(starts[place + 1]), every)):
                number = min(np.int64(list_ids[vector]), last_list)
                prefetch(owners, (np.int64(lists[number]) + np.int64(lists[number + 1])) >> 1)
        if passage < len(places):
            place = places[passage]
            first = np.int64(starts[place])
            count = min(np.int64(starts[place + 1]), every, first + most) - first
            where = held_slots[passage & 1]
            before = np.int64(-1)
            slot = np.int64(0)
            for vector in range(count):
                if len(slots) > 0:
                    slot = np.int64(slots[first + vector])
                else:
                    number = min(np.int64(list_ids[first + vector]), last_list)
                    if number == before:
                        slot += 1  # several in one list lie one after the other
                    else:
                        slot = np.int64(lists[number])
                        end = min(np.int64(lists[number + 1]), last_slot + 1)
                        while slot < end:
                            middle = (slot + end) >> 1
                            if owners[middle] < place:
                                slot = middle + 1
                            else:
                                end = middle
                        before = number
                where[vector] = min(slot, last_slot)
                prefetch(residuals, np.int64(where[vector]))
                prefetch(scales, np.int64(where[vector]))
        if passage == 0:
            continue
        place = places[passage - 1]
        first = np.int64(starts[place])
        where = held_slots[(passage - 1) & 1]
        best[:] = LOWEST
        for vector in range(min(np.int64(starts[place + 1]), every, first + most) - first):
            slot = np.int64(where[vector])
            centroid = np.int64(centroid_of[min(np.int64(list_ids[first + vector]), last_list)])
            scale = scale_values[scales[slot]]
            for block in range(len(tables)):
                take_best(residuals, slot, tables, block, products, centroid, scale, best)
        values[passage - 1] = best.sum()


def multiply_centroids(
    query: Floats, centroids: Floats, products: Floats, by_token: Floats
) -> None:
    """Multiply a query with the centroids: few vectors, for which a library of matrices is slow.

    Args:
        query: (n, d) vectors.
        centroids: (C, d); C at least 4.
        products: (C, m), m the least multiple of 16 that is no less than n; set here.
        by_token: (n, C) the same, set here.
    """
    tokens = by_dimension(query, products.shape[1])
    last = len(centroids) - 4
    for block in range(products.shape[1] // LANES):
        for first in range(0, len(centroids), 4):
            take_products(tokens, centroids, min(first, last), block, products)
    for first in range(0, len(centroids), LANES):
        # So many at once as one line of the cache has.
        for token in range(len(query)):
            for centroid in range(first, min(first + LANES, len(centroids))):
                by_token[token, centroid] = products[centroid, token]


def interleave(query: Floats, weights: Floats, tables: Floats) -> None:
    """Interleave a query's tables for `compare`.

    Args:
        query: (n, d) vectors.
        weights: (16, 4 / b) the decoded values of each half byte.
        tables: (m / 16, d b / 4, 16, 16) zeros, m the least multiple of 16 that is no less than n;
            set here.
    """
    each = weights.shape[1]
    tokens = by_dimension(query, LANES * len(tables))
    for block in range(tables.shape[0]):
        for half in range(tables.shape[1]):
            for number in range(each):
                of = tokens[half * each + number, LANES * block : LANES * (block + 1)]
                for value in range(LANES):
                    entry = tables[block, half, value]
                    weight = weights[value, number]
                    for lane in range(LANES):
                        entry[lane] += weight * of[lane]


def by_dimension(query: Floats, width: int) -> Floats:
    """Return (n, d) vectors as (d, width), those from the n-th on zeros."""
    turned = np.zeros((query.shape[1], width), np.float32)
    for token in range(len(query)):
        for dimension in range(query.shape[1]):
            turned[dimension, token] = query[token, dimension]
    return turned


def select_lists(
    query: Floats,
    with_centroids: Floats,
    few: Integers,
    offsets: Integers,
    centroids: Floats,
    residuals: npt.NDArray[np.uint8],
    scales: npt.NDArray[np.uint8],
    scale_values: Floats,
    signs: npt.NDArray[np.uint8],
    magnitudes: npt.NDArray[np.uint8],
    bases: Floats,
    slopes: Floats,
    sizes: Integers,
    wanted: Integers,
    least: int,
    enough: Integers,
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
        few: (n,) per token, the number of nearest centroids among whose lists it chooses ...
        offsets: (C + 1,) where the lists of each centroid begin.
        centroids: (c, d) of the lists.
        residuals: (c, 16) their codes, if they are scored as stored vectors are.
        scales: (c,) of these, as places in `scale_values`.
        scale_values: (256,).
        signs: (n, 16), see `SignedTokens`, like what follows; (0, 16) where there are no codes.
        magnitudes: (n, 128).
        bases: (n,).
        slopes: (n,).
        sizes: (c,) how many vectors each list holds; empty ones are left out.
        wanted: (n,) least number of vectors in the lists of each token.
        least: least number of lists of each token.
        enough: (n,) ... or fewer, if these have this many lists.
        bins: (C,) scratch.
        numbers: (c,) scratch.
        scores: (c,) scratch.
        probes: (n c,) the chosen lists, token by token, set here.
        counts: (n,) how many there are, set here.
        missing_scores: (n,) the best score among lists not chosen, or else the least of the
            chosen ones; set here.
    """
    held = np.empty(BINS, np.int64)
    lists = np.empty(BINS, np.int64)
    top = np.float32(BINS - 1)
    filled = 0
    for token in range(len(query)):
        vector, products = query[token], with_centroids[token]
        lowest, highest = products.min(), products.max()
        scale = np.float32(BINS - 1) / max(highest - lowest, np.float32(1e-9))
        # Loops that do one thing each: the processor takes several centroids, or dimensions, at
        # once.
        for centroid in range(len(products)):
            # In this order of arguments NaN becomes 0.
            height = max(np.float32(0), (products[centroid] - lowest) * scale)
            bins[centroid] = np.uint8(np.int32(min(height, top)))
        held[:] = 0
        lists[:] = 0
        for centroid in range(len(products)):
            number = bins[centroid]
            held[number] += offsets[centroid + 1] - offsets[centroid]
            lists[number] += 1
        last = BINS - 1
        visited_count, many = held[last], lists[last]
        while last > 0 and visited_count < enough[token] and many < few[token]:
            last -= 1
            visited_count += held[last]
            many += lists[last]
        found = 0
        for centroid in range(len(products)):
            if bins[centroid] >= last:
                for number in range(offsets[centroid], offsets[centroid + 1]):
                    if sizes[number] > 0:
                        numbers[found] = number
                        scores[found] = products[centroid]
                        found += 1
        if len(signs) > 0:
            sign, magnitude = signs[token], magnitudes[token]
            base, slope = bases[token], slopes[token]
            for place in range(found):
                number = numbers[place]
                unlike = sum_where_unlike(residuals, number, sign, magnitude)
                scores[place] += (base + slope * np.float32(unlike)) * scale_values[scales[number]]
        else:
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
            number = int(min(max(np.float32(0), (scores[place] - lowest) * scale), top))
            held[number] += sizes[numbers[place]]
            lists[number] += 1
        last = BINS - 1
        vectors, many = held[last], lists[last]
        while last > 0 and (vectors < wanted[token] or many < least):
            last -= 1
            vectors += held[last]
            many += lists[last]
        missing_score = LOWEST
        for place in range(found):
            if int(min(max(np.float32(0), (scores[place] - lowest) * scale), top)) >= last:
                probes[filled] = numbers[place]
                filled += 1
                counts[token] += 1
            elif scores[place] > missing_score:
                missing_score = scores[place]
        missing_scores[token] = missing_score if many < found else lowest


def select_lists_by_arrays(
    query: Floats,
    with_centroids: Floats,
    few: Integers,
    offsets: Integers,
    centroids: Floats,
    _residuals: npt.NDArray[np.uint8],
    _scales: npt.NDArray[np.uint8],
    _scale_values: Floats,
    _signs: npt.NDArray[np.uint8],
    _magnitudes: npt.NDArray[np.uint8],
    _bases: Floats,
    _slopes: Floats,
    sizes: Integers,
    wanted: Integers,
    least: int,
    enough: Integers,
    _bins: npt.NDArray[np.uint8],
    _numbers: Integers,
    _scores: Floats,
    probes: Integers,
    counts: Integers,
    missing_scores: Floats,
) -> None:
    """Do the same as `select_lists` in numpy, all of a token's lists at once."""
    lists_each = np.diff(offsets)
    filled = 0
    for token, vector in enumerate(query):
        bins, _ = _binned(with_centroids[token])
        visited_count = np.bincount(bins, lists_each, BINS)[::-1].cumsum()
        many = np.bincount(bins, minlength=BINS)[::-1].cumsum()
        near = np.flatnonzero(
            bins >= _first_with((visited_count >= enough[token]) | (many >= few[token]))
        )
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
        is_chosen = bins >= _first_with((held >= wanted[token]) & (many >= least))
        counts[token] = np.count_nonzero(is_chosen)
        probes[filled : filled + counts[token]] = found[is_chosen]
        filled += counts[token]
        left = own[~is_chosen]
        missing_scores[token] = left.max() if len(left) else lowest


def _binned(scores: Floats) -> tuple[npt.NDArray[np.int64], np.float32]:
    """Return the bin of each score, and the lowest score."""
    lowest, highest = scores.min(), scores.max()
    scale = np.float32(BINS - 1) / max(highest - lowest, np.float32(1e-9))
    # `fmax` prefers 0 to NaN.
    bins = np.fmin(np.fmax((scores - lowest) * scale, 0), BINS - 1).astype(np.int64)
    return bins, lowest


def _first_with(is_enough: Flags) -> int:
    """Return the first bin, from the highest down, that is enough; 0 if none is."""
    return BINS - 1 - int(is_enough.argmax()) if is_enough.any() else 0
