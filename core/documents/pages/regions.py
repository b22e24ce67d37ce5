"""Connected regions of a mask, and their smallest enclosing rectangles.

A mask is processed as spans of its rows rather than pixels: a page has hundreds of thousands of
pixels and a few thousand spans. Operations are vectorised over all regions where possible.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import Flags, Floats, Integers, Numbers

Doubles = npt.NDArray[np.float64]

# Direction of a single point.
_LEVEL: Final = np.array([[1.0, 0.0]])


class Spans(NamedTuple):
    """Regions as spans: one for each region and each of its rows.

    All arrays are int64 of shape (s,), ordered by region and then by row. Regions count from 0 and
    have a span in each row between their first and their last. A span begins at pixel `start` and
    ends before pixel `end` of its row; it includes holes and bays.
    """

    region: Numbers
    row: Numbers
    start: Numbers
    end: Numbers

    @property
    def region_count(self) -> int:
        return int(self.region[-1]) + 1 if len(self.region) else 0


class Rectangle(NamedTuple):
    """A rotated rectangle: its centre, the direction of its length, and its sides.

    `middle` and `along` are float64 of shape (2,), x and y; `along` has the length 1.
    """

    middle: Doubles
    along: Doubles
    length: float
    height: float

    def corners(self, growth: float = 0.0) -> Floats:
        """Return the four corners in turn, float32 of shape (4, 2), with sides longer by `growth`.

        >>> square = Rectangle(np.array([2.0, 2.0]), np.array([1.0, 0.0]), 2.0, 2.0)
        >>> square.corners(growth=2).tolist()
        [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]
        """
        across = np.array([-self.along[1], self.along[0]])
        half_along = self.along * (self.length + growth) / 2
        half_across = across * (self.height + growth) / 2
        upper, lower = self.middle - half_across, self.middle + half_across
        corners = [upper - half_along, upper + half_along, lower + half_along, lower - half_along]
        return np.array(corners, np.float32)


def thickened(mask: Flags) -> Flags:
    """Dilate a mask (height, width) by one pixel to the right and below.

    >>> thickened(np.array([[1, 0, 0], [0, 0, 0]], bool)).astype(int).tolist()
    [[1, 1, 0], [1, 1, 0]]
    """
    thick = mask.copy()
    thick[:, 1:] |= mask[:, :-1]
    thick[1:] |= thick[:-1].copy()
    return thick


def spans_of(mask: Flags) -> Spans:
    """Return the 8-connected regions of a mask (height, width).

    >>> mask = np.array([[1, 0, 1, 0, 0], [0, 1, 0, 0, 1]], bool)
    >>> [part.tolist() for part in spans_of(mask)]
    [[0, 0, 1], [0, 1, 1], [0, 1, 4], [3, 2, 5]]
    """
    height, width = mask.shape
    padded = np.zeros((height, width + 2), np.bool_)
    padded[:, 1:-1] = mask
    # Runs as positions in one long row, in which an unset pixel separates the rows.
    edges = np.flatnonzero(padded[:, 1:] != padded[:, :-1])
    starts, ends = edges[0::2], edges[1::2]
    stride = width + 1
    first = np.searchsorted(ends, starts + stride, "left")
    last = np.searchsorted(starts, ends + stride, "right")
    below = last - first
    upper = np.repeat(np.arange(len(starts)), below)
    lower = np.arange(len(upper)) + np.repeat(first - (np.cumsum(below) - below), below)
    region = _connected(len(starts), upper, lower)
    rows = starts // stride
    order = np.argsort(region, kind="stable")
    region, rows, starts = region[order], rows[order], starts[order]
    if not len(order):
        return Spans(region, rows, starts, ends)
    is_new = np.concatenate(([True], (np.diff(region) != 0) | (np.diff(rows) != 0)))
    borders = np.flatnonzero(is_new)
    closing = np.append(borders[1:], len(order)) - 1  # runs of one row follow each other
    row = rows[borders]
    offset = row * stride
    return Spans(region[borders], row, starts[borders] - offset, ends[order][closing] - offset)


def _connected(count: int, left: Numbers, right: Numbers) -> Numbers:
    """Return the component number of each of `count` nodes, from the edges between them.

    Components are numbered in the order of their first nodes.

    >>> _connected(5, np.array([0, 3]), np.array([2, 2])).tolist()
    [0, 1, 0, 0, 2]
    """
    root = np.arange(count)
    while len(left):
        # Attach each tree to the smallest that it touches, then flatten all.
        np.minimum.at(root, np.maximum(left, right), np.minimum(left, right))
        while not np.array_equal(above := root[root], root):
            root = above
        left, right = root[left], root[right]
        is_open = left != right
        left, right = left[is_open], right[is_open]
    return np.cumsum(root == np.arange(count))[root] - 1


def sizes(spans: Spans) -> Integers:
    """Return the regions' widths, heights and areas in pixels: (regions, 3).

    >>> sizes(spans_of(np.array([[1, 0, 0, 1], [1, 1, 0, 0]], bool))).tolist()
    [[2, 2, 3], [1, 1, 1]]
    """
    if not len(spans.region):
        return np.zeros((0, 3), np.int64)
    begin = np.flatnonzero(np.diff(spans.region, prepend=-1))
    left = np.minimum.reduceat(spans.start, begin)
    right = np.maximum.reduceat(spans.end, begin)
    area = np.add.reduceat(spans.end - spans.start, begin)
    rows = np.diff(np.append(begin, len(spans.region)))
    return np.stack([right - left, rows, area], axis=1)


def means(spans: Spans, values: Floats) -> Doubles:
    """Return the mean of `values` (height, width) in each region: (regions,).

    >>> means(spans_of(np.array([[1, 1, 0, 1]], bool)), np.float32([[2, 4, 9, 1]])).tolist()
    [3.0, 1.0]
    """
    total = np.zeros(values.size + 1)
    np.cumsum(values, dtype=np.float64, out=total[1:])
    offset = spans.row * values.shape[1]
    sums = total[spans.end + offset] - total[spans.start + offset]
    areas = np.bincount(spans.region, spans.end - spans.start)
    return np.asarray(np.bincount(spans.region, sums) / areas, np.float64)


def chosen(spans: Spans, region_ids: Integers) -> Spans:
    """Return only the regions of these numbers, renumbered from 0 in the same order.

    >>> chosen(spans_of(np.array([[1, 0, 1, 0, 1]], bool)), np.array([2, 1])).start.tolist()
    [2, 4]
    """
    is_chosen = np.zeros(spans.region_count, np.bool_)
    is_chosen[region_ids] = True
    is_included = is_chosen[spans.region]
    region = (np.cumsum(is_chosen) - 1)[spans.region[is_included]]
    return Spans(region, spans.row[is_included], spans.start[is_included], spans.end[is_included])


def hulls(spans: Spans) -> list[Doubles]:
    """Return the convex hull of each region, of the centres of pixels: (points, 2).

    Points are x and y, down the left side and up the right one; a point may come twice where the
    sides meet.

    >>> (hull,) = hulls(spans_of(np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], bool)))
    >>> hull.tolist()
    [[1.0, 0.0], [0.0, 1.0], [1.0, 2.0], [1.0, 2.0], [2.0, 1.0], [1.0, 0.0]]
    """
    count = spans.region_count
    # Mirror the right sides, so that all sides bulge to the left.
    side = np.concatenate([spans.region, spans.region + count])
    x = np.concatenate([spans.start, 1 - spans.end])
    y = np.concatenate([spans.row, spans.row])
    while True:
        # A point on the wrong side of its two neighbours is not on the hull.
        is_inner = np.zeros(len(side), np.bool_)
        is_inner[1:-1] = side[:-2] == side[2:]
        by_x, by_y = np.diff(x), np.diff(y)
        is_inner[1:-1] &= by_x[:-1] * by_y[1:] >= by_x[1:] * by_y[:-1]
        if not is_inner.any():
            break
        side, x, y = side[~is_inner], x[~is_inner], y[~is_inner]
    border = np.searchsorted(side, np.arange(2 * count + 1))
    points = np.stack([np.where(side < count, x, -x), y], axis=1).astype(np.float64)
    return [
        np.concatenate(
            [
                points[border[index] : border[index + 1]],
                points[border[count + index] : border[count + index + 1]][::-1],
            ]
        )
        for index in range(count)
    ]


def smallest_rectangle(hull: Doubles) -> Rectangle:
    """Return the rectangle of least area around a convex hull (points, 2) of at least one point.

    One of its sides contains a side of the hull.

    Source: Freeman and Shapira, Determining the minimum-area encasing rectangle for an arbitrary
    closed curve, 1975.

    >>> found = smallest_rectangle(np.array([[0.0, 2.0], [2.0, 0.0], [3.0, 1.0], [1.0, 3.0]]))
    >>> found.middle.round(6).tolist(), round(found.length * found.height, 6)
    ([1.5, 1.5], 4.0)
    """
    sides = np.diff(hull, axis=0, append=hull[:1])
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    is_side = lengths > 0
    along = sides[is_side] / lengths[is_side, None] if is_side.any() else _LEVEL
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    corners = np.stack([along, across]) @ hull.T  # (2, directions, points)
    low, high = corners.min(axis=2), corners.max(axis=2)
    spread = high - low
    best = int((spread[0] * spread[1]).argmin())
    middle = (low[:, best] + high[:, best]) / 2
    return Rectangle(
        middle[0] * along[best] + middle[1] * across[best],
        along[best],
        float(spread[0, best]),
        float(spread[1, best]),
    )
