"""The owners of listed vectors in some ten bits each, as they lie on the disk.

List by list and ascending within each, the pairs of a list and an owner make one ascending sequence
of whole numbers. Of each its lowest byte is stored as it is; the rest, which hardly grows from one
to the next, in unary: a 0 for each step up, a 1 for each number. Where the lists begin follows.

Source: Elias, "Efficient storage and retrieval by content and address of static files", 1974.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Integers

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PackedOwners:
    """The owners of t vectors in K lists.

    Attributes:
        low: (t,) the lowest byte of each number.
        high: the rest of all, packed eight bits a byte, the first in the highest bit.
    """

    low: Bytes
    high: Bytes


def pack(owners: Integers, lists: Integers, passages: int) -> PackedOwners:
    """Pack (t,) owners, each below `passages`, of lists that begin at (K + 1,) `lists`.

    >>> packed = pack(np.array([0, 2, 1]), np.array([0, 2, 2, 3]), 3)
    >>> packed.low.tolist(), packed.high.tolist()
    ([0, 2, 7], [224])
    """
    list_ids = np.repeat(np.arange(len(lists) - 1, dtype=np.int64), np.diff(lists))
    numbers = list_ids * passages + owners
    steps = numbers >> 8
    places = steps + np.arange(len(steps))
    bits = np.zeros(int(places[-1]) + 1 if len(places) else 0, dtype=np.uint8)
    bits[places] = 1
    return PackedOwners((numbers & 0xFF).astype(np.uint8), np.packbits(bits))


def unpack(
    packed: PackedOwners, count: int, passages: int
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint32]]:
    """The (t,) owners and the (K + 1,) beginnings of `count` lists.

    >>> owners, lists = unpack(pack(np.array([0, 2, 1]), np.array([0, 2, 2, 3]), 3), 3, 3)
    >>> owners.tolist(), lists.tolist()
    ([0, 2, 1], [0, 2, 2, 3])
    """
    # Of flags the places are found several times as fast as of bytes.
    places = np.flatnonzero(np.unpackbits(packed.high).view(np.bool_))
    numbers = (places - np.arange(len(places))) << 8 | packed.low
    firsts = np.arange(count + 1, dtype=np.int64) * passages
    lists = np.searchsorted(numbers, firsts)
    owners = numbers - np.repeat(firsts[:-1], np.diff(lists))
    return owners.astype(np.uint16), lists.astype(np.uint32)
