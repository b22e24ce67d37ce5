"""WARP in Rust (xtr-warp-rs), with the given vectors.

It does its clustering, residuals and search. Residuals have 2 bits, like ColBERT's PLAID (the
default is 4, which takes nearly twice the space). The number of lists, the score imputed to tokens
without a match, and the number of candidates are chosen by the engine for each query, as by
default. Its threshold applies to cosines, so each query is scaled until its longest vector has
length 1, as for PLAID.

Requires the version of torch that its version number ends with.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from harness import Engine, Floats, K, Passages, Search, run
from xtr_warp import XTRWarp

BITS = 2


def build(passages: Passages, folder: Path, threads: int) -> str:
    torch.set_num_threads(threads)
    vectors = torch.from_numpy(np.array(passages.vectors))
    texts = [vectors[first:last] for first, last in pairwise(passages.offsets.tolist())]
    XTRWarp(str(folder)).create(texts, device="cpu", nbits=BITS, show_progress=False)
    centroids = len(np.load(folder / "centroids.npy", mmap_mode="r"))
    return f"nbits={BITS}, {centroids} centroids, settings of its own for each query"


def load(folder: Path, threads: int) -> Search:
    torch.set_num_threads(threads)
    index = XTRWarp(str(folder))
    index.load(device="cpu", dtype=torch.float32)

    def search(query: Floats) -> list[int]:
        longest = np.linalg.norm(query, axis=1).max()
        (found,) = index.search(
            torch.from_numpy(query / longest)[None], K, threads, show_progress=False
        )
        return [passage for passage, _ in found]

    return search


if __name__ == "__main__":
    run(Engine("warp", "xtr-warp-rs", build, load))
