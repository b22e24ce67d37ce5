"""Which segments become one, so that there are few of them and little that is dead.

Each publication is a segment of its own, and each segment costs a search a little. Segments of a
size are merged when there are several of them, into one of the next size, as in a log-structured
merge tree: each vector is written once for each size. There are three, and those of the last are as
large as a segment can be: what is published 256 passages at once is written three times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.index.inverted_lists import MOST_PASSAGES

_TIERS: Final = (4096, 32_768, MOST_PASSAGES + 1)
"""Below so many passages a segment belongs to each tier."""
_TOGETHER: Final = 16
_MOST_DEAD: Final = 0.2
_QUARTER: Final = 0.25


@dataclass(frozen=True, slots=True)
class Size:
    """Of the segment of that number: its passages, and how many of them still exist."""

    number: int
    passages: int
    alive: int


def plan(sizes: Sequence[Size], *, is_at_rest: bool = False) -> list[tuple[int, ...]]:
    """Return the segments, by their numbers, that are to be merged, each group into one.

    A segment of which much is dead is written anew by itself. Where the index is at rest, because
    all that there is has been added, the small ones become one as soon as together they are a
    quarter of the next larger one: a search then finds few segments, and a large one is still not
    written again for each file that changes.

    >>> plan([Size(number, 1000, 1000) for number in range(17)])
    [(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)]
    >>> plan([Size(1, 1000, 1000), Size(2, 1000, 700)])
    [(2,)]
    >>> plan([Size(1, 9000, 9000), Size(2, 1000, 1000), Size(3, 900, 900)], is_at_rest=True)
    [(2, 3)]
    """
    groups: list[tuple[int, ...]] = []
    tiers: list[list[Size]] = [[] for _ in _TIERS]
    for size in sizes:
        tiers[next(tier for tier, most in enumerate(_TIERS) if size.alive < most)].append(size)
    for tier in tiers:
        group = _first(tier) if tier is not tiers[-1] else []
        if group:
            groups.append(tuple(segment.number for segment in group))
        groups.extend(
            (size.number,)
            for size in tier
            if size not in group and 0 < size.alive < (1 - _MOST_DEAD) * size.passages
        )
    return groups or (_at_rest(sizes) if is_at_rest else [])


def _first(tier: Sequence[Size]) -> list[Size]:
    """Return the first segments of a size that are to become one, none while they are too few."""
    group: list[Size] = []
    together = 0
    for size in tier:
        together += size.alive
        if len(group) == _TOGETHER or together > MOST_PASSAGES:
            return group
        group.append(size)
    return group if len(group) == _TOGETHER else []


def _at_rest(sizes: Sequence[Size]) -> list[tuple[int, ...]]:
    """At most one group, of the smallest."""
    group: list[Size] = []
    found: list[tuple[int, ...]] = []
    alive = (segment for segment in sizes if segment.alive)
    for size in sorted(alive, key=lambda segment: segment.alive):
        together = sum(segment.alive for segment in group)
        if together + size.alive > MOST_PASSAGES:
            break
        group.append(size)
        if len(group) > 1 and together >= size.alive * _QUARTER:
            found = [tuple(sorted(segment.number for segment in group))]
    return found
