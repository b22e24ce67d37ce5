"""The loops of a search in numpy, used if `loops.c` cannot be compiled.

They are 2.4 times slower than the compiled loops, which have the same arguments: see
docs/measurements/search.md. The comparison of passages is missing, because searches then use
`core.index.scoring.exact`.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Flags, Floats, Integers, ranges

# Tokens whose sums are held in one register.
LANES: Final = 16
# Bytes of a code (one bit per dimension) that can be summed by signs.
SIGN_BYTES: Final = 16
# Largest magnitude; two are added in a byte.
MOST_MAGNITUDE: Final = 127
# Below any score: the initial value.
LOWEST: Final = np.float32(-1e4)
# Bins of the histogram of a token's scores with lists.
BINS: Final = 256


def visit(
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
    """Add to each passage's total its best visited scores above each token's missing_score.

    Nothing checks bounds here. The constructors of the arrays check immutable data. A mapped file
    may be changed by others at any time, so its offsets are clamped to the arrays that they point
    into. Arrays by passage have an entry for any owner: 65,536 if owners are not checked.

    Args:
        probes: (l,) the lists to visit, token by token.
        starts: (n + 1,) the start of each query token's lists in `probes`.
        products: (l,) of the token with the list's centroid.
        tables: (n, b, 256) the addend of each residual byte to the product with a token; (0, b,
            256) if signs are used instead.
        signs: (n, 16), see `SignedTokens`, like what follows.
        magnitudes: (n, 128).
        bases: (n,).
        slopes: (n,).
        missing_scores: (n,) the scores of tokens that were not visited.
        lists: (K + 1,) the starts of the lists.
        owners: (t,) the passage of each vector.
        residuals: (t, b) packed residuals.
        scales: (t,) their scales, as places in `scale_values`.
        scale_values: (256,).
        is_allowed: (p,) whether each passage may be found.
        best: (p,) scratch; `LOWEST`, here and after.
        totals: (p,) zeros; the sums, set here.
        seen: (p + 1,) the passages whose sums are above 0, set here.

    Returns:
        Their number.
    """
    for token, missing_score in enumerate(missing_scores):
        own = slice(int(starts[token]), int(starts[token + 1]))
        slots, scores = visited(
            probes[own], products[own], tables[token], lists, residuals, scales, scale_values
        )
        of = owners[slots]
        allowed = is_allowed.take(of)
        np.maximum.at(best, of[allowed], scores[allowed])
        # Each passage once: assignment, unlike addition, allows duplicate indices.
        totals[of] = totals[of] + np.maximum(best[of] - missing_score, 0)
        best[of] = LOWEST
    touched = np.flatnonzero(totals)
    seen[: len(touched)] = touched
    return len(touched)


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
    offsets = np.arange(len(table)) * 256
    scores = table.ravel().take(residuals[slots] + offsets).sum(axis=1)
    scores = scores * scale_values.take(scales[slots]) + np.repeat(products, lengths)
    return slots, scores


def interleave(tokens: Floats, weights: Floats, tables: Floats) -> None:
    """Fill a query's tables for `loops.compare`: the addend of each half byte to each score.

    Args:
        tokens: (d, m) the query's token vectors, dimension by dimension; m a multiple of 16.
        weights: (16, 4 / b) the decoded values of each half byte.
        tables: (m / 16, d b / 4, 16, 16) zeros; set here.
    """
    blocks, halves = tables.shape[:2]
    parts = tokens.reshape(halves, weights.shape[1], blocks, LANES)
    np.einsum("vn,hnbl->bhvl", weights, parts, out=tables)


def by_dimension(query: Floats, width: int) -> Floats:
    """Transpose (n, d) vectors to (d, width), padded with zeros.

    >>> by_dimension(np.ones((1, 2), np.float32), 3).tolist()
    [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    turned = np.zeros((query.shape[1], width), np.float32)
    turned[:, : len(query)] = query.T
    return turned


def select_lists(
    query: Floats,
    with_centroids: Floats,
    most_centroids: Integers,
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
    _list_ids: Integers,
    _scores: Floats,
    probes: Integers,
    counts: Integers,
    missing_scores: Floats,
) -> None:
    """Choose the nearest lists of each token, until they contain enough vectors.

    Scores are counted in bins, and the bin that reaches the number is included completely: a few
    more lists than necessary are visited, but nothing is sorted.

    Args:
        query: (n, d).
        with_centroids: (n, C) its products with the centroids.
        most_centroids: (n,) per token, how many nearest centroids have their lists considered ...
        offsets: (C + 1,) the starts of each centroid's lists.
        centroids: (c, d) of the lists.
        residuals: (c, 16) their codes, if they are scored as stored vectors are.
        scales: (c,) of these, as places in `scale_values`.
        scale_values: (256,).
        signs: (n, 16), see `SignedTokens`, like what follows; (0, 16) where there are no codes.
        magnitudes: (n, 128).
        bases: (n,).
        slopes: (n,).
        sizes: (c,) number of vectors in each list; empty ones are left out.
        wanted: (n,) minimum number of vectors in the lists of each token.
        least: minimum number of lists of each token.
        enough: (n,) ... or fewer, if these have this many lists.
        bins: (C,) scratch.
        numbers: (c,) scratch.
        scores: (c,) scratch.
        probes: (n c,) the chosen lists, token by token, set here.
        counts: (n,) their numbers, set here.
        missing_scores: (n,) the best score among lists not chosen, or else the least of the
            chosen ones; set here.
    """
    lists_each = np.diff(offsets)
    filled = 0
    for token, vector in enumerate(query):
        bins, _ = _binned(with_centroids[token])
        visited_count = np.bincount(bins, lists_each, BINS)[::-1].cumsum()
        many = np.bincount(bins, minlength=BINS)[::-1].cumsum()
        near = np.flatnonzero(
            bins >= _first_with((visited_count >= enough[token]) | (many >= most_centroids[token]))
        )
        lists = ranges(offsets[near], lists_each[near])
        not_empty = lists[sizes[lists] > 0]
        counts[token] = 0
        missing_scores[token] = LOWEST
        if not len(not_empty):
            continue
        own = (centroids[not_empty] @ vector).astype(np.float32)
        bins, lowest = _binned(own)
        held = np.bincount(bins, sizes[not_empty], BINS)[::-1].cumsum()
        many = np.bincount(bins, minlength=BINS)[::-1].cumsum()
        is_chosen = bins >= _first_with((held >= wanted[token]) & (many >= least))
        counts[token] = np.count_nonzero(is_chosen)
        probes[filled : filled + counts[token]] = not_empty[is_chosen]
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
    """Return the first bin, from the highest down, that reaches the number; 0 if none does."""
    return BINS - 1 - int(is_enough.argmax()) if is_enough.any() else 0
