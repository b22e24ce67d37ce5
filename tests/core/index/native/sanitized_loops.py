"""Search mutated segments with loops that a sanitizer checks; run by test_sanitized_loops.py.

Usage: LIBRARY COUNT SEED, with the checkout and its benchmarks in PYTHONPATH. Each array gets an
allocation of its own, so that a step over its end is seen. Prints the number of segments that could
be searched.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import random
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import LibraryDamagedError
from core.index import segment
from core.index.codec import SCALES
from core.index.native import loops

Array = npt.NDArray[Any]


def use_library(path: str) -> None:
    """Let searches use the loops of a library, for this processor's level."""
    library = ctypes.CDLL(path)
    library.level.restype = ctypes.c_int64
    loops._level = library.level()
    loops._loaded = loops.loops_of(library, loops._level)


def separate_arrays() -> None:
    """Copy each array of a file that is opened."""
    arrays_in = segment._arrays

    def copied(data: npt.NDArray[np.uint8]) -> dict[str, Array]:
        return {name: array.copy() for name, array in arrays_in(data).items()}

    segment._arrays = copied


def mutated_values(array: Array, rng: random.Random) -> Array:
    """Return a copy with some numbers replaced by extreme or slightly wrong ones."""
    flat = array.flatten()
    most = int(np.iinfo(array.dtype).max)
    for _ in range(rng.choice((1, 1, 4, 40))):
        index = rng.randrange(len(flat))
        near = int(flat[index]) + rng.choice((-1, 1, 2))
        number = rng.choice((0, most, most // 2, near, len(flat), rng.randrange(1 << 16)))
        flat[index] = min(max(number, 0), most)
    return flat.reshape(array.shape)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return a segment with one to three of its arrays changed."""
    from safetensors.numpy import load, save

    arrays = dict(load(data))
    for _ in range(rng.randint(1, 3)):
        name = rng.choice(sorted(arrays))
        array = arrays[name]
        match rng.randrange(10):
            case 0 | 1 | 2 | 3 if array.size:
                arrays[name] = mutated_values(array, rng)
            case 4:
                arrays[name] = array[: rng.randrange(len(array) + 1)]
            case 5:
                arrays[name] = np.concatenate([array, array[: rng.randrange(len(array) + 1)]])
            case 6:
                arrays[name] = np.full_like(array, rng.choice((0, np.iinfo(array.dtype).max)))
            case 7:
                arrays[name] = array[rng.sample(range(len(array)), len(array))]
            case 8:
                arrays[name] = array.astype(rng.choice((np.uint8, np.uint16, np.uint32, np.int64)))
            case _:
                other = rng.choice(sorted(arrays))
                arrays[name], arrays[other] = arrays[other], arrays[name]
    return save({name: np.ascontiguousarray(array) for name, array in arrays.items()})


def compare_while_offsets_change() -> None:
    """Compare passages of a store while another program changes the offsets in its file."""
    passages, length, width = 512, 8, 32
    offsets = np.arange(passages + 1, dtype=np.uint32) * length
    tokens, centroids = 16, 4
    vectors = passages * length
    is_over = threading.Event()

    def change() -> None:
        good, wrong = offsets.copy(), offsets // 2
        while not is_over.is_set():
            offsets[:] = wrong
            offsets[:] = good

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(1500):
            loops.compare(
                np.arange(passages),
                offsets,
                np.zeros(0, np.uint32),
                np.zeros(vectors, np.uint16),
                np.zeros(0, np.uint32),
                np.zeros(0, np.uint16),
                np.zeros((vectors, width), np.uint8),
                np.zeros(vectors, np.uint8),
                SCALES,
                np.zeros((centroids, tokens), np.float32),
                np.zeros((1, 2 * width, 16, 16), np.float32),
                np.arange(centroids, dtype=np.uint16),
                np.full((2, length), np.iinfo(np.uint32).max, np.uint32),
                np.zeros(tokens, np.float32),
                np.zeros(passages, np.float32),
            )
    finally:
        is_over.set()
        thread.join()


def main() -> None:
    library, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    target = importlib.import_module("fuzzing.segment")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        seeds = target.seeds(folder)
        use_library(library)
        separate_arrays()
        for data in seeds:
            target.attempt(data, folder)
        answered = 0
        for number in range(seed, seed + count):
            rng = random.Random(number)
            data = mutated(rng.choice(seeds), rng)
            with contextlib.suppress(LibraryDamagedError):
                target.attempt(data, folder)
                answered += 1
    compare_while_offsets_change()
    sys.stdout.write(str(answered))


if __name__ == "__main__":
    main()
