"""Segments are merged by size and by dead share, until no merge is left."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.index_writer import SegmentSize, plan_merges
from core.index.inverted_lists import MOST_PASSAGES

_sizes = st.lists(
    st.tuples(st.integers(1, MOST_PASSAGES), st.floats(0, 1)).map(
        lambda drawn: SegmentSize(0, drawn[0], int(drawn[0] * drawn[1]))
    ),
    max_size=60,
)


@given(_sizes)
def test_merging_bounds_segments_and_dead_passages(sizes: list[SegmentSize]) -> None:
    left = {number: replace(size, segment_id=number) for number, size in enumerate(sizes)}
    rounds = 0
    while groups := plan_merges(list(left.values())):
        named = [number for group in groups for number in group]
        assert len(set(named)) == len(named)
        for group in groups:
            alive = sum(left.pop(number).alive for number in group)
            assert alive <= MOST_PASSAGES
            left[min(group)] = SegmentSize(min(group), alive, alive)
        rounds += 1
        assert rounds < 10
    for size in left.values():
        assert size.alive == 0 or size.alive >= 0.8 * size.passages
    small = [size for size in left.values() if size.alive < 4096]
    assert len(small) < 16


@pytest.mark.parametrize(("at_once", "times"), [(256, 3), (4096, 2), (1000, 3), (3000, 2)])
def test_a_million_passages_end_in_a_bounded_number_of_writes_and_segments(
    at_once: int, times: int
) -> None:
    left: dict[int, SegmentSize] = {}
    count = written = 0
    for number in range(1_000_000 // at_once):
        left[number] = SegmentSize(number, at_once, at_once)
        count += at_once
        written += at_once
        while groups := plan_merges(list(left.values())):
            for group in groups:
                alive = sum(left.pop(one).alive for one in group)
                left[group[0]] = SegmentSize(group[0], alive, alive)
                written += alive
    assert sum(size.alive for size in left.values()) == count
    large = [size.alive for size in left.values() if size.alive >= MOST_PASSAGES // 2]
    assert sum(large) >= len(large) * 0.7 * MOST_PASSAGES
    assert len(left) - len(large) <= 15 + 15
    assert written <= times * count


@given(_sizes)
def test_at_rest_there_are_fewer_still(sizes: list[SegmentSize]) -> None:
    left = {number: replace(size, segment_id=number) for number, size in enumerate(sizes)}
    rounds = 0
    while groups := plan_merges(list(left.values()), is_at_rest=True):
        for group in groups:
            alive = sum(left.pop(number).alive for number in group)
            assert alive <= MOST_PASSAGES
            left[group[0]] = SegmentSize(group[0], alive, alive)
        rounds += 1
        assert rounds < 80
    small = sorted(size.alive for size in left.values() if 0 < size.alive <= MOST_PASSAGES // 8)
    for number in range(1, len(small)):
        if sum(small[: number + 1]) <= MOST_PASSAGES:
            assert sum(small[:number]) < 0.25 * small[number]


def test_a_small_change_does_not_have_a_large_segment_written_again() -> None:
    sizes = [SegmentSize(1, 40_000, 40_000), SegmentSize(2, 3, 3)]
    assert plan_merges(sizes, is_at_rest=True) == []


def test_a_segment_of_dead_passages_is_not_rewritten() -> None:
    assert plan_merges([SegmentSize(1, 100, 0)]) == []
