"""Which replica searches which segment: rendezvous hashing with bounded loads.

Each replica has a weight for each segment, by a hash of both their names; the highest one searches
it, the next one where that cannot, and so on. Who computes it comes to the same, and where a
replica goes only its own segments move. As segments are few and of very different size, a replica
that has more than its share by then passes a segment on to the next one.

Source: Thaler and Ravishankar, "Using name-based mappings to increase hit rates", 1998 (highest
random weight); Mirrokni, Thorup and Zadimoghaddam, "Consistent hashing with bounded loads", 2018.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Final

SLACK: Final = 1.25
"""A replica takes so many times its equal share at most, unless one segment alone is more."""


def preference(segment: str, replicas: Sequence[int]) -> list[int]:
    """Return replicas, by their numbers, as they are to be asked for a segment.

    >>> preference("b.safetensors", range(4))
    [2, 1, 0, 3]
    >>> preference("b.safetensors", [0, 1, 3])
    [1, 0, 3]
    """
    return sorted(replicas, key=lambda replica: (_weight(segment, replica), replica), reverse=True)


def _weight(segment: str, replica: int) -> bytes:
    return hashlib.blake2b(f"{replica}/{segment}".encode(), digest_size=8).digest()


def deal(sizes: Mapping[str, int], replicas: Sequence[int]) -> dict[str, int]:
    """Deal segments to replicas, no replica much more than its share.

    Args:
        sizes: of the segments, by their names.
        replicas: the numbers of those that there are, at least one.

    >>> sorted(deal({"a": 60, "b": 50, "c": 10, "d": 10}, [0, 1]).items())
    [('a', 0), ('b', 1), ('c', 0), ('d', 1)]
    """
    most = math.ceil(SLACK * sum(sizes.values()) / len(replicas))
    loads = dict.fromkeys(replicas, 0)
    dealt: dict[str, int] = {}
    # The large ones first: small ones then fill what room is left.
    for segment in sorted(sizes, key=lambda name: (-sizes[name], name)):
        order = preference(segment, replicas)
        size = sizes[segment]
        free = (each for each in order if not loads[each] or loads[each] + size <= most)
        taken = next(free, min(order, key=lambda each: loads[each]))
        dealt[segment] = taken
        loads[taken] += size
    return dealt
