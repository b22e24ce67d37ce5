"""WARP in Rust (xtr-warp-rs), fed with the given vectors.

Clustering, residuals and search are its own. Its residuals have 2 bits here, as ColBERT's PLAID has
(its default is 4, which takes nearly as much room again). How many lists it visits, what a token
counts that did not find a passage and how many candidates it keeps it chooses for each query, as it
does where nothing is said. Its threshold is on cosines, so each query is scaled until its longest
vector has length 1, as for PLAID.

It wants the one version of torch that its own version ends with.
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
