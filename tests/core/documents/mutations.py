"""Damage of the kind that files meet: cut, overwritten, doubled, swapped."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

COUNT = int(os.environ.get("WINNOW_TEST_MUTATIONS", "60"))


def mutations(data: bytes, count: int = COUNT, seed: int = 1) -> Iterator[bytes]:
    """Give `count` damaged copies of `data`, the same ones for the same `seed`."""
    chance = random.Random(seed)
    for _ in range(count):
        damaged = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 5, 20))):
            _damage(damaged, chance)
        yield bytes(damaged)


def _damage(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice((1, 4, 16, 256)))
    match chance.randrange(6):
        case 0:
            del data[start:]
        case 1:
            del data[start:end]
        case 2:
            data[start:end] = chance.randbytes(end - start)
        case 3:
            data[start:start] = data[start:end] * chance.choice((1, 2, 50))
        case 4:
            elsewhere = chance.randrange(len(data) + 1)
            data[elsewhere:elsewhere] = data[start:end]
        case _:
            if start < len(data):
                data[start] ^= 1 << chance.randrange(8)
