"""fast-plaid: PLAID in Rust on torch's kernels, with the given vectors.

It does its clustering, residuals and search. Residuals have 2 bits, like ColBERT's PLAID (the
default is 4, which takes twice the space); searching uses the defaults (8 lists per token, 4,096
passages scored in full). The kernels multiply the query as float16 without normalising it: the
weights count.

Requires the version of torch that its version number ends with.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from fast_plaid import search as plaid
from harness import Engine, Floats, K, Passages, Search, run

BITS = 2


def build(passages: Passages, folder: Path, threads: int) -> str:
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    vectors = torch.from_numpy(np.array(passages.vectors))
    texts = [vectors[first:last] for first, last in pairwise(passages.offsets.tolist())]
    plaid.FastPlaid(str(folder), device="cpu").create(texts, nbits=BITS)
    centroids = len(np.load(folder / "centroids.npy", mmap_mode="r"))
    return f"nbits={BITS}, {centroids} centroids, searched with its defaults"


def load(folder: Path, threads: int) -> Search:
    torch.set_num_threads(threads)
    index = plaid.FastPlaid(str(folder), device="cpu")

    def search(query: Floats) -> list[int]:
        (found,) = index.search(
            torch.from_numpy(query)[None], top_k=K, show_progress=False, n_processes=1
        )
        return [passage for passage, _ in found]

    return search


if __name__ == "__main__":
    run(Engine("fast-plaid", "fast-plaid", build, load))
