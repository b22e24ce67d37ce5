"""Regions of masks, and the smallest rectangles round them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays

from core.arrays import Flags
from core.documents.pages import regions

_masks = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=12))


def _mask(*rows: str) -> Flags:
    return np.array([[letter != "." for letter in row] for row in rows], np.bool_)


def _by_hand(mask: Flags) -> list[set[tuple[int, int]]]:
    """The regions pixel by pixel, in the order in which a reader comes upon them."""
    left = [(int(y), int(x)) for y, x in np.argwhere(mask)]
    found = []
    while left:
        region, edge = {left[0]}, [left[0]]
        while edge:
            y, x = edge.pop()
            near = {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)}
            new = (near & set(left)) - region
            region |= new
            edge.extend(new)
        left = [pixel for pixel in left if pixel not in region]
        found.append(region)
    return found


def test_pixels_that_touch_at_a_corner_are_one_region() -> None:
    spans = regions.spans_of(
        _mask(
            "#..#.",
            ".#..#",
            "..#..",
            ".....",
            "#..##",
        )
    )
    assert spans.region_count == 4
    assert regions.sizes(spans).tolist() == [[3, 3, 3], [2, 2, 2], [1, 1, 1], [2, 1, 2]]


def test_rows_do_not_touch_round_the_edge() -> None:
    assert regions.spans_of(_mask("..#", "#..")).region_count == 2
    assert regions.spans_of(_mask("###", "...", "###")).region_count == 2


def test_a_hole_is_part_of_the_region_round_it() -> None:
    ring = regions.spans_of(_mask("###", "#.#", "###"))
    assert regions.sizes(ring).tolist() == [[3, 3, 9]]
    values = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.float32)
    assert regions.means(ring, values).tolist() == pytest.approx([8 / 9])


def test_an_empty_mask_has_no_regions() -> None:
    spans = regions.spans_of(_mask("...", "..."))
    assert spans.region_count == 0
    assert regions.sizes(spans).shape == (0, 3)
    assert regions.means(spans, np.zeros((2, 3), np.float32)).shape == (0,)
    assert regions.hulls(spans) == []


@pytest.mark.parametrize(
    ("rows", "length", "height"),
    [
        (("#",), 0, 0),
        (("###",), 2, 0),
        (("#", "#"), 1, 0),
        (("#..", ".#.", "..#"), 8**0.5, 0),
        (("####", "####", "####"), 3, 2),
        (("..#..", ".###.", "#####", ".###.", "..#.."), 8**0.5, 8**0.5),
    ],
)
def test_smallest_rectangles_known_by_hand(
    rows: tuple[str, ...], length: float, height: float
) -> None:
    (hull,) = regions.hulls(regions.spans_of(_mask(*rows)))
    found = regions.smallest_rectangle(hull)
    sides = sorted((found.length, found.height), reverse=True)
    assert sides == pytest.approx([length, height], abs=1e-9)
    assert found.middle == pytest.approx([(len(rows[0]) - 1) / 2, (len(rows) - 1) / 2])


@given(_masks)
def test_regions_are_those_found_pixel_by_pixel(mask: Flags) -> None:
    spans = regions.spans_of(mask)
    wanted = _by_hand(mask)
    found: list[dict[int, tuple[int, int]]] = [{} for _ in range(spans.region_count)]
    for number, row, start, end in zip(*(part.tolist() for part in spans), strict=True):
        found[number][row] = (start, end - 1)
    assert found == [
        {
            row: (min(x for y, x in region if y == row), max(x for y, x in region if y == row))
            for row in sorted({y for y, _ in region})
        }
        for region in wanted
    ]


@given(_masks)
def test_the_smallest_rectangle_holds_all_points_and_none_along_a_side_is_smaller(
    mask: Flags,
) -> None:
    spans = regions.spans_of(mask)
    for region, hull in zip(_by_hand(mask), regions.hulls(spans), strict=True):
        found = regions.smallest_rectangle(hull)
        points = np.array([(x, y) for y, x in sorted(region)], np.float64)
        across = np.array([-found.along[1], found.along[0]])
        offsets = points - found.middle
        assert (abs(offsets @ found.along) <= found.length / 2 + 1e-9).all()
        assert (abs(offsets @ across) <= found.height / 2 + 1e-9).all()
        for side in np.diff(hull, axis=0, append=hull[:1]):
            along = side / (np.hypot(*side) or 1.0)
            extents = np.ptp(points @ np.stack([along, [-along[1], along[0]]]).T, axis=0)
            if side.any():
                assert found.length * found.height <= extents.prod() + 1e-9


@given(_masks)
def test_hulls_bulge_everywhere(mask: Flags) -> None:
    for hull in regions.hulls(regions.spans_of(mask)):
        points = hull[np.append(True, np.diff(hull, axis=0).any(axis=1))]
        if len(points) > 1 and (points[0] == points[-1]).all():
            points = points[:-1]
        if len(points) > 2:
            into = points - np.roll(points, 1, axis=0)
            out = np.roll(into, -1, axis=0)
            assert (into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0] < 0).all()


@given(_masks)
def test_a_thicker_mask_is_the_mask_with_its_right_and_lower_neighbours(mask: Flags) -> None:
    padded = np.pad(mask, ((1, 0), (1, 0)))
    wanted = padded[1:, 1:] | padded[:-1, 1:] | padded[1:, :-1] | padded[:-1, :-1]
    assert (regions.thickened(mask) == wanted).all()


def test_a_winding_area_is_one_region() -> None:
    mask = np.zeros((80, 40), np.bool_)
    mask[::2] = True
    mask[1::4, -1] = mask[3::4, 0] = True
    assert regions.spans_of(mask).region_count == 1
    assert regions.spans_of(mask[::-1]).region_count == 1
    assert regions.spans_of(mask.T).region_count == 1


def test_chosen_regions_keep_their_rows() -> None:
    spans = regions.spans_of(_mask("#.#.#", "#.#.."))
    chosen = regions.chosen(spans, np.array([2, 0]))
    assert [part.tolist() for part in chosen] == [[0, 0, 1], [0, 1, 0], [0, 0, 4], [1, 1, 5]]
