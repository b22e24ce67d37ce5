"""Exhaustive search: MaxSim of the query with every passage, in numpy float32.

Its ranking is exact and is the reference for the other engines. It has no settings. The float16
vectors are its index; they are loaded into memory as float32.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from harness import Engine, Floats, K, Passages, Search, best, maxsim, run


def build(passages: Passages, folder: Path, threads: int) -> str:
    del threads  # building computes nothing
    passages.save(folder)
    return "float32, all products"


def load(folder: Path, threads: int) -> Search:
    del threads  # numpy's threads are set by the environment
    passages = Passages.of(folder)
    blocks = [
        (
            passages.of_passages(first, last).astype(np.float32),
            passages.offsets[first:last] - passages.offsets[first],
        )
        for first, last in passages.blocks()
    ]

    def search(query: Floats) -> list[int]:
        scores = [maxsim(query, vectors, starts) for vectors, starts in blocks]
        found: list[int] = best(np.concatenate(scores), K).tolist()
        return found

    return search


if __name__ == "__main__":
    run(Engine("exact", "numpy", build, load))
